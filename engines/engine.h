/*
 * Simulation engines: each is a row of table.c, by which the options, the runs and the report know it. An engine takes pairs of levels,
 * task graphs or open loops, and gives what metrics want to see of a run (enum seen).
 *
 * To add one: a folder engines/NAME/ with one const struct engine (engines/null/null.c is the smallest), and its line in table.c.
 */
#ifndef ENGINES_ENGINE_H
#define ENGINES_ENGINE_H

#include "fabric/attributes.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"
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

enum engine_takes {
	TAKES_PAIRS = 1, /* a pattern's, level by level, without time */
	TAKES_GRAPH = 2, /* a workload's, or a pattern's with the size of a message */
	TAKES_OPEN = 4,  /* what hosts send all the time, if its options ask for that */
};

/* The processes that share the work, for engines that need them. All functions are collective. */
struct peers {
	int rank, count;
	void *data;
	/* All get the error of the first that has one. Returns 0 when none has, otherwise -1. */
	int (*agree)(void *data, struct error *error);
	/* Copies bytes of process 0 to all. */
	void (*broadcast)(void *data, void *bytes, size_t count);
	/* Gives all the tables that process 0 has. Returns 0, or -1 in all. */
	int (*tables)(void *data, const struct fabric *fabric, struct forwarding **forwarding, struct error *error);
	/* Sends bytes[p] bytes to each process p; what has come for this one, one after the other in the order of processes, is in a buffer
	 * that lasts until the next call; *total bytes long. NULL: failed. */
	void *(*exchange)(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error);
	uint64_t (*least)(void *data, uint64_t number);           /* over all processes */
	void (*sum)(void *data, uint64_t *numbers, size_t count); /* over all processes, in all */
};

/* What else was given on the command line, for the options of an engine. */
struct engine_request {
	const char *pattern; /* NULL: none */
	const char *routing; /* -R; NULL: none */
};

/* What the options of an engine come to, for those who know no engine. */
struct engine_terms {
	unsigned gives;         /* enum seen: what the engine gives, less what it does not with these options */
	const char *gives_not;  /* the reason, as an error with one %s for the name of a metric that wants it */
	const char *metrics;    /* those that are usual; NULL: the engine's */
	bool open;              /* hosts send all the time: no pattern, no graph; runs can be shared by the processes */
	const char *sent;       /* of an open loop: what is sent, the traffic */
	uint64_t load_points;   /* runs of each placement, one after the other: 1, or the loads of an open loop */
	bool search;            /* the load that the network just takes is looked for */
	bool cycles;            /* people count in cycles and flits; every channel carries one per cycle */
	double bytes;           /* of a message, where none are given; 0: as usual */
	const char *chooses;    /* the routing by which each packet chooses among the routes of its pair; NULL: none does */
	bool topology;          /* the graph's name of its topology is needed */
	bool channels_topology; /* the same, where channels are summed: their tiers */
	bool lanes;             /* service levels and virtual lanes are needed */
	bool places;            /* ports are named: the order of a graph's channels is needed */
};

/* What an engine works on. It is borrowed, and stays until the engine is freed; paths and weights are there when it is prepared. */
struct engine_setup {
	const void *options; /* its own */
	const struct engine_terms *terms;
	const struct fabric *fabric; /* with labels in process 0 */
	const struct forwarding *forwarding;
	const struct attributes *attributes;   /* in process 0, if it is kept */
	struct route_choice *multipath;        /* NULL: each pair has one route */
	const struct route_cache *route_cache; /* whole routes, for pairs; NULL: walk the tables */
	const struct virtual_lanes *lanes;     /* NULL: none */
	const char *topology;                  /* its specification or name; NULL: unknown */
	const double *capacity;                /* [channels] bits/s; of engines that take graphs or open loops */
	const double *latency;                 /* [channels] seconds; NULL: none */
	const double *weights;                 /* [channels] what the sums of observations weight channels with; NULL: no sums */
	struct pattern_call *pattern;          /* of pairs; otherwise NULL */
	int64_t only_level;                    /* of it; below 0: all */
	const struct pattern_request *request;
	uint32_t ranks;
	bool oversubscribed; /* several ranks are on one host */
	bool speed_aware, drop;
	double bytes, memory; /* bytes of a message; bits/s of messages to the own host, 0: they take no time */
	uint64_t seed;
	unsigned wants;            /* enum seen */
	bool shared_run;           /* the processes share each run */
	const struct peers *peers; /* NULL: one process */
	FILE *notes, *verbose;     /* in process 0; NULL: nothing is written */
	const volatile sig_atomic_t *stop;
};

/* Takes what levels come to while a run goes on. */
struct level_taker {
	/* Returns 0, or -1. */
	int (*level)(void *data, const struct level *level, struct error *error);
	/* The weighed pairs of a level, in blocks; part as in struct sink. NULL: nobody wants them. */
	void (*pairs)(void *data, const struct weighed *pairs, size_t count, int part);
	void *data;
};

/* A run to be made. */
struct run_request {
	uint64_t number;
	const uint32_t *host;           /* [ranks] host indices */
	const struct task_graph *graph; /* NULL: the engine takes none, or an open loop */
	unsigned wants;                 /* enum seen */
	const struct level_taker *taker;
};

/* Sums over the channels of all runs that were kept; integers, so that their order does not matter. */
struct channel_sums {
	uint64_t *sum;   /* [channels] NULL: none are wanted */
	uint64_t *limit; /* [channels] picoseconds in which the channel held others up; NULL: unknown */
	double unit;     /* how much one of sum is: routes, bits, or picoseconds */
};

struct engine {
	const char *name, *summary, *source;
	const char *metrics; /* the usual ones */
	unsigned takes;      /* enum engine_takes */
	unsigned gives;      /* enum seen */
	double cable;        /* seconds, the latency of every channel where nobody says any; 0: none */

	/* Its own options, a child of those of orcs; argp NULL: none. */
	struct argp_child options;
	size_t options_size;                           /* of what they are read to */
	void (*options_begin)(void *own);              /* as if none were given; NULL: all 0 */
	const char *(*options_given)(const void *own); /* the name of one that was given; NULL: none was */
	/* Once all are read: changes terms, which are as without options. Ends the program on errors. NULL: nothing to do. */
	void (*settle)(void *own, const struct engine_request *request, struct engine_terms *terms);

	/* Bytes of memory that so many operations take at least, of which some wait for others; NULL: unknown. */
	double (*memory)(unsigned wants, double operations, double waiting);
	/* Returns the engine, for the functions below, or NULL. Collective; errors are those of all processes. */
	void *(*create)(const struct engine_setup *setup, struct error *error);
	void (*free)(void *engine);
	/* Once before the first run, when all that is to be checked has been; NULL: nothing to do. Returns 0, or -1. */
	int (*prepare)(void *engine, struct error *error);
	/* Makes a run; *seen is empty but for fabric, capacity and graph, and valid until the next. Collective if runs are shared. */
	enum run_status (*run)(void *engine, const struct run_request *run, struct observation *seen, struct error *error);
	/* The run is kept, its channels are summed; or it is not. NULL: channels are not summed. */
	void (*keep)(void *engine, const struct observation *seen, bool kept);
	struct channel_sums (*channels)(const void *engine);
	/* Why a run ended as it did, if that is no error of its own: RUN_UNROUTABLE, RUN_STUCK or RUN_ENDLESS; in process 0. */
	void (*explain)(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error);
	/* After all runs, to setup.verbose: what it did in so many seconds, and of processor time. Collective. NULL: nothing. */
	void (*describe)(void *engine, double seconds, double used);
	/* What it ran with, given or not, as members of the JSON result. NULL: nothing. */
	void (*record)(const void *engine, struct node *json);
};

/* All engines, the usual one first; ends with NULL. */
extern const struct engine *const engines[];
enum { ENGINES_MAX = 16 };

/* Writes the names of the engines that take one of these and give one of these (0: anything), as "flow, packet or null". */
void engines_list(char *text, size_t size, unsigned takes, unsigned gives);

/* The two reasons that engines share: a pair has no route by the tables, and a run takes longer than so many days. */
void engine_explain_route(const struct engine_setup *setup, uint32_t source, uint32_t destination, struct error *error);
void engine_explain_endless(const struct engine_setup *setup, int days, struct error *error);

#endif
