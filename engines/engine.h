/*
 * Simulation engines: each is a row of table.c, from which the options, the runs and the report know it. An engine takes pairs of levels,
 * task graphs or open loops, and returns the observations of a run that metrics use (enum seen).
 *
 * To add one: write a folder engines/NAME/ with one const struct engine (engines/null/null.c is the smallest), and add its line to table.c.
 */
#ifndef ENGINES_ENGINE_H
#define ENGINES_ENGINE_H

#include "fabric/attributes.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/lane_arbitration.h"
#include "fabric/virtual_lanes.h"
#include "fabric/route_choice.h"
#include "fabric/route_cache.h"
#include "patterns/pattern.h"
#include "patterns/task_graph.h"
#include "engines/observation.h"

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct node;
struct failing_options;

enum engine_takes {
	TAKES_PAIRS = 1,     /* the pairs of a pattern, level by level, without time */
	TAKES_GRAPH = 2,     /* a workload, or a pattern with a message size */
	TAKES_OPEN = 4,      /* open-loop traffic, if the engine's options select it */
	TAKES_QUEUE = 8,     /* a queue of jobs: the engine has a scheduler */
	TAKES_STORAGE = 16,  /* graphs with reads and writes */
	TAKES_FAILURES = 32, /* cables that fail during a run */
};

/* The processes that share the work, for engines that need them. All functions are collective. */
struct peers {
	int rank, count;
	void *data;
	/* Gives all processes the error of the first process that has one. Returns 0 if none has, otherwise -1. */
	int (*agree)(void *data, struct error *error);
	/* Copies bytes from process 0 to all. */
	void (*broadcast)(void *data, void *bytes, size_t count);
	/* Gives all processes the tables of process 0. Returns 0, or -1 in all processes. */
	int (*tables)(void *data, const struct fabric *fabric, struct forwarding **forwarding, struct error *error);
	/*
	 * Sends bytes[p] bytes to each process p. Returns a buffer of *total bytes, valid until the next call, with what this process
	 * received, in the order of the processes. NULL on errors.
	 */
	void *(*exchange)(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error);
	uint64_t (*least)(void *data, uint64_t number);           /* Returns the minimum over all processes. */
	void (*sum)(void *data, uint64_t *numbers, size_t count); /* Sums over all processes; all receive the result. */
};

/* Other parts of the command line, for the options of an engine. */
struct engine_request {
	const char *pattern; /* NULL: none */
	const char *routing; /* -R; NULL: none */
	const struct failing_options *failing;
};

/* The consequences of an engine's options, for code that knows no engine. */
struct engine_terms {
	unsigned gives; /* enum seen: the observations of the engine that are available with these options */
	const char
		*gives_not; /* the reason why others are not available, as an error with one %s for the name of a metric that needs them */
	unsigned apart;     /* enum seen: metrics that do not want it would mix the runs of one placement; 0: all can be combined */
	const char *apart_not; /* the reason, with one %s for the name of the metric */
	const char *metrics;   /* default metrics; NULL: those of the engine */
	bool open;             /* open-loop traffic: no pattern, no graph; runs can be shared by the processes */
	const char *sent;      /* name of the traffic of an open loop */
	uint64_t load_points;  /* runs of each placement, one after another: 1, or the loads of an open loop, message sizes, or the policies
				  of a queue */
	const double *sizes;   /* [load_points] bytes of a message, at each point its own; NULL: --bytes */
	bool drawn_sizes;      /* sizes of messages are drawn, whatever --bytes is */
	const char *file;      /* a file that the engine options name; NULL: none */
	bool queue;            /* jobs get their hosts in the order of the subset, by a scheduler: there is no other mapping */
	bool search;           /* the saturation load is searched */
	bool cycles;           /* reports use cycles and flits; every channel carries one flit per cycle */
	double bytes;          /* default bytes of a message; 0: the general default */
	double capacity;       /* default bits/s of the slowest links, where the graph has no speeds; 0: the general default */
	const char *chooses;   /* the routing by which each packet chooses among the routes of its pair; NULL: none */
	bool topology;         /* the topology attribute of the graph is needed */
	bool channels_topology; /* the same for sums of channels, which are reported by tier */
	bool lanes;             /* service levels and virtual lanes are needed */
	bool places;            /* ports are named: the order of the graph's channels is needed */
	bool undivided;         /* processes cannot share a run */
	bool delivery;          /* some messages are meant not to arrive: the share of those that do is reported */
	bool few_pairs;         /* only routes of messages matter, not virtual lanes: they can be computed on demand */
};

/* The input of an engine, borrowed until the engine is freed; paths and weights exist when prepare() is called. */
struct engine_setup {
	const void *options;                   /* the engine's own options */
	const struct failing_options *failing; /* the cables that fail */
	const struct engine_terms *terms;
	const struct fabric *fabric; /* with labels in process 0 */
	const struct forwarding *forwarding;
	const struct attributes *attributes;          /* in process 0, if kept */
	struct route_choice *multipath;               /* NULL: each pair has one route */
	const struct route_cache *route_cache;        /* whole routes, for pairs; NULL: the tables are walked */
	const struct virtual_lanes *lanes;            /* NULL: none */
	const struct lane_arbitrations *arbitrations; /* NULL: none */
	uint32_t service_levels;      /* of the messages, a bit each; SERVICE_LEVEL_OF_PAIR: of messages without one of their own */
	const char *topology;         /* specification or name of the topology; NULL: unknown */
	const double *capacity;       /* [channels] bits/s; for engines that take graphs or open loops */
	const double *latency;        /* [channels] seconds; NULL: none */
	const double *weights;        /* [channels] weights of the channels in the sums of observations; NULL: no sums */
	struct pattern_call *pattern; /* for engines that take pairs; otherwise NULL */
	int64_t only_level;           /* the only level of the pattern to run; below 0: all */
	const struct pattern_request *request;
	uint32_t ranks;
	bool oversubscribed; /* several ranks are placed on one host */
	bool speed_aware, drop;
	double bytes, memory; /* bytes of a message; bits/s of host-local messages, 0: they take no time */
	uint64_t seed;
	double precision;          /* of an open loop: the fraction of its means within which their intervals shall be; 0: none */
	unsigned wants;            /* enum seen */
	bool shared_run;           /* the processes share each run */
	const struct peers *peers; /* NULL: one process */
	FILE *notes, *verbose;     /* in process 0; NULL: not written */
	const volatile sig_atomic_t *stop;
};

/* Receives the levels during a run. */
struct level_taker {
	/* Returns 0, or -1. */
	int (*level)(void *data, const struct level *level, struct error *error);
	/* Receives the weighed pairs of a level, in blocks; part as in struct sink. NULL: not needed. */
	void (*pairs)(void *data, const struct weighed *pairs, size_t count, int part);
	void *data;
};

/* A run to execute. */
struct run_request {
	uint64_t number;
	const uint32_t *host;           /* [ranks] host indices */
	const struct task_graph *graph; /* NULL: the engine does not take graphs, or runs an open loop */
	unsigned wants;                 /* enum seen */
	const struct level_taker *taker;
};

/* Sums over the channels of all kept runs; integers, so their order does not matter. */
struct channel_sums {
	uint64_t *sum;     /* [channels]; NULL: not requested */
	uint64_t *limit;   /* [channels] picoseconds in which the channel limited messages; NULL: unknown */
	double unit;       /* the unit of sum, in routes, bits or picoseconds */
	uint64_t *carried; /* [2 * channels] of each its bytes, then its packets; NULL: not requested, or unknown */
};

struct engine {
	const char *name, *summary, *source;
	const char *metrics; /* default metrics */
	unsigned takes;      /* enum engine_takes */
	unsigned gives;      /* enum seen */
	double cable;        /* default latency of every channel, in seconds; 0: none */

	/* The engine's own options, a child of the options of orcs; argp NULL: none. */
	struct argp_child options;
	size_t options_size;                           /* size of the structure that they are read into */
	void (*options_begin)(void *own);              /* Sets the defaults; NULL: all 0. */
	const char *(*options_given)(const void *own); /* Returns the name of an option that was given; NULL: none was. */
	/* Called after all options are read: changes terms, which hold the defaults. Ends the program on errors. NULL: not needed. */
	void (*settle)(void *own, const struct engine_request *request, struct engine_terms *terms);

	/* Returns the minimum memory in bytes for this number of operations, waiting of which wait for others; NULL: unknown. */
	double (*memory)(unsigned wants, double operations, double waiting);
	/* Returns the engine, for the functions below, or NULL. Collective; all processes share the error. */
	void *(*create)(const struct engine_setup *setup, struct error *error);
	void (*free)(void *engine);
	/* Called once before the first run, after all checks; NULL: not needed. Returns 0, or -1. */
	int (*prepare)(void *engine, struct error *error);
	/*
	 * Executes a run; *seen, of which only fabric, capacity and graph are set before, is valid until the next run. Collective if runs
	 * are shared.
	 */
	enum run_status (*run)(void *engine, const struct run_request *run, struct observation *seen, struct error *error);
	/* Adds the channels of the run to the sums if it is kept, otherwise discards them. NULL: channels are not summed. */
	void (*keep)(void *engine, const struct observation *seen, bool kept);
	struct channel_sums (*channels)(const void *engine);
	/* Sets an error that explains a run that ended with RUN_UNROUTABLE, RUN_STUCK or RUN_ENDLESS; in process 0. */
	void (*explain)(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error);
	/*
	 * Writes statistics to setup.verbose after all runs: seconds is the elapsed time, used the processor time. Collective. NULL: not
	 * needed.
	 */
	void (*describe)(void *engine, double seconds, double used);
	/* Adds the engine's settings, including defaults, to the JSON result. NULL: not needed. */
	void (*record)(const void *engine, struct node *json);
};

/* All engines, the default one first; ends with NULL. */
extern const struct engine *const engines[];
enum { ENGINES_MAX = 16 };

/* Writes the names of the engines that take one of takes and give one of gives (0: any), such as "flow, packet or null". */
void engines_list(char *text, size_t size, unsigned takes, unsigned gives);

/* Set the errors that engines share: a pair has no route in the tables; a run takes longer than the longest time, in picoseconds. */
void engine_explain_route(const struct engine_setup *setup, uint32_t source, uint32_t destination, struct error *error);
void engine_explain_endless(const struct engine_setup *setup, uint64_t longest, struct error *error);

#endif
