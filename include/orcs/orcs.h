/*
 * liborcs: what the programs of ORCS compute, for other programs. See orcs(3).
 *
 * Objects. A network is a fabric with its routes; an experiment is a series of runs on a network, which must outlive it. What create, load
 * and build return is freed by the function whose name ends in _free, which ignores NULL. Everything else that is returned is borrowed:
 * arrays and texts belong to the object that they were asked of, are not copied, and stay until that object is freed, unless a function
 * says otherwise. Arguments are borrowed until the function returns.
 *
 * Errors. A function that fails returns NULL or a negative number and fills the error, unless that is NULL: one line of text, as the
 * programs print it, and their exit status. An object stays usable after an error.
 *
 * Threads. There is no state but that of the objects: different networks, each with its experiments, can be used in different threads at
 * the same time. Objects of one network are for one thread at a time, orcs_stop() excepted. Nothing is printed, no signal is handled, no
 * process is started, and nothing ends the program.
 *
 * Numbers. Nodes, channels (one direction of a cable) and hosts have ids from 0. Host numbers are those of orcs_hosts(), not of nodes.
 * ORCS_NONE stands for no id. Rates are in Gb/s, times in seconds, unless a name says otherwise. Results are those of the programs: the
 * same options and seed give the same numbers.
 */
#ifndef ORCS_ORCS_H
#define ORCS_ORCS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORCS_API __attribute__((visibility("default")))
#define ORCS_NONE UINT32_MAX

typedef struct orcs_network orcs_network;
typedef struct orcs_experiment orcs_experiment;

/* What went wrong. */
enum orcs_status {
	ORCS_OK = 0,
	ORCS_IO = 1,     /* a file cannot be read, or the memory does not suffice */
	ORCS_USAGE = 2,  /* an argument or an option is invalid */
	ORCS_FABRIC = 3, /* the fabric cannot be used so, for example because a pair has no route */
};

typedef struct orcs_error {
	int status;         /* enum orcs_status */
	unsigned long line; /* of the file that the text begins with; 0: none */
	char text[1000];
} orcs_error;

/* Returns the version, such as "0.1.0". */
ORCS_API const char *orcs_version(void);

/*
 * Returns the list that orcs --list=KIND prints: patterns, metrics, engines, routings, topologies, subsets, mappings. The text is new: free
 * it with orcs_text_free().
 */
ORCS_API char *orcs_list(const char *kind, orcs_error *error);
ORCS_API void orcs_text_free(char *text);

/* ---- networks */

/*
 * Loads a fabric: the name of a graph, a cache, dumps or a directory of them, or the specification of a topology such as "torus:8x8"; see
 * orcs-fabric(7).
 */
ORCS_API orcs_network *orcs_load(const char *fabric, orcs_error *error);

/*
 * Loads a fabric as orcs reads its command line. words ends with NULL; each is the name of a file or an option "--name=value": of
 * orcs-fabric(7), such as --fail, --lft and --plane, and --routing, --routes, --multipath, --unroutable and --seed.
 */
ORCS_API orcs_network *orcs_load_words(const char *const *words, orcs_error *error);

typedef struct orcs_channel {
	uint32_t tail, head;      /* nodes */
	uint32_t port, peer_port; /* port numbers at the tail and at the head; 0: unknown */
	double gbps;              /* 0: unknown */
	double latency;           /* seconds; 0: none */
} orcs_channel;

typedef struct orcs_node {
	const char *name, *description; /* description "": none */
	uint64_t guid;                  /* 0: none */
	uint32_t lid;                   /* 0: none */
	uint32_t host;                  /* number of the host; ORCS_NONE: a switch */
	uint32_t first_channel;         /* its channels are this one up to the first of the next node */
} orcs_node;

/*
 * A topology of one's own. Nodes need only name (NULL: H and S with the number of the node) and host (anything but ORCS_NONE: a host), and
 * may have description and guid. Both directions of a cable are channels. Rates must be all known, or none.
 */
typedef struct orcs_topology {
	const char *name; /* of the fabric in messages */
	const orcs_node *node;
	uint32_t nodes;
	const orcs_channel *channel;
	uint32_t channels;
} orcs_topology;

/* Makes a network of a topology, without routes. Channels are numbered anew: by their tails, in the order given. */
ORCS_API orcs_network *orcs_build(const orcs_topology *topology, orcs_error *error);

ORCS_API void orcs_network_free(orcs_network *network);

/* Returns the name of the fabric, and what is odd about it: the warnings that the programs print, one a line; "": nothing. */
ORCS_API const char *orcs_network_name(const orcs_network *network);
ORCS_API const char *orcs_network_notes(const orcs_network *network);

/* Return arrays and their number: the nodes; the channels, in the order of their tails; the node of each host. */
ORCS_API const orcs_node *orcs_nodes(const orcs_network *network, uint32_t *count);
ORCS_API const orcs_channel *orcs_channels(const orcs_network *network, uint32_t *count);
ORCS_API const uint32_t *orcs_hosts(const orcs_network *network, uint32_t *count);

/* Returns the node of that name in the graph, description, GUID or LID; ORCS_NONE if there is none, or it is ambiguous. */
ORCS_API uint32_t orcs_find(orcs_network *network, const char *name, orcs_error *error);

/* ---- routes */

/*
 * Routes the network as orcs-route does, for example with "minhop" or "dor:ties=random"; its routes so far are replaced. Arrays that were
 * returned before stay, and experiments that were made before keep their results. Returns 0, or -1.
 */
ORCS_API int orcs_route(orcs_network *network, const char *engine, uint64_t seed, orcs_error *error);

/*
 * Routes the network by tables of one's own: next() returns the channel by which a node forwards packets for a host, ORCS_NONE: none. It is
 * called once for each. Otherwise as orcs_route().
 */
typedef uint32_t orcs_next(void *data, uint32_t node, uint32_t host);
ORCS_API int orcs_route_by(orcs_network *network, orcs_next *next, void *data, orcs_error *error);

/*
 * Writes the channels of the route from a host to another one to channel[0..room-1]. Returns their number, which is less than that of
 * nodes, or -1 if there is no route (the text tells where it ends), or the room is too small.
 */
ORCS_API int orcs_walk(
	const orcs_network *network, uint32_t source, uint32_t destination, uint32_t *channel, uint32_t room, orcs_error *error);

/*
 * Returns the exact load of every channel, [channels]: the routes over it if each host sends to each other host once. A pair with several
 * routes is split as --multipath says. *unreachable: pairs without a route, may be NULL.
 */
ORCS_API const double *orcs_loads(orcs_network *network, uint64_t *unreachable, orcs_error *error);

/*
 * Computes mean and variance of the load of every channel under random mappings of all hosts, exactly, in routes: mean and variance are
 * [channels], each may be NULL. pattern: bisect, bisect_fb_sym or rand. Returns 0, or -1.
 */
ORCS_API int orcs_load_moments(orcs_network *network, const char *pattern, double *mean, double *variance, orcs_error *error);

/*
 * Checks the routing as orcs-check does. require: what it must satisfy, such as "routable,deadlock-free" (NULL: these). Returns 1 if it
 * does, 0 if not, -1 on errors. *report: the result in JSON (orcs-check(1)), until the next check; may be NULL.
 */
ORCS_API int orcs_check(orcs_network *network, const char *require, const char **report, orcs_error *error);

/* ---- experiments */

ORCS_API orcs_experiment *orcs_experiment_create(orcs_network *network, orcs_error *error);
ORCS_API void orcs_experiment_free(orcs_experiment *experiment);

/*
 * Sets an option of orcs(1) by its long name without dashes, for example "pattern", "runs", "seed", "engine", "metric", "subset",
 * "mapping", "bytes" or "load". value: NULL for options without one. An option that is set again has the new value; only fail-at can have
 * several. The name is checked at once, all else by orcs_run(). Options that write files, that print, or that belong to the network are not
 * available. Returns 0, or -1.
 */
ORCS_API int orcs_set(orcs_experiment *experiment, const char *option, const char *value, orcs_error *error);

/* Places rank i on host[i] in all runs, in place of the options subset, mapping and ranks. NULL: no longer. Returns 0, or -1. */
ORCS_API int orcs_place(orcs_experiment *experiment, const uint32_t *host, uint32_t ranks, orcs_error *error);

/* A pattern of one's own. */
typedef struct orcs_level orcs_level;
typedef struct orcs_pattern {
	const char *name; /* in messages and results */
	uint64_t levels;  /* 1 or more */
	int differs;      /* whether runs differ; otherwise they are alike but for the placement */
	int permutation;  /* whether in each level every rank sends at most once and receives at most once */
	void *data;       /* for level() */
	/* Calls orcs_send() for each message of a level, the same ones for the same run, level and ranks. */
	void (*level)(void *data, uint32_t ranks, uint64_t run, uint64_t level, orcs_level *to);
} orcs_pattern;

/* Adds a message between two ranks; one of a rank to itself, or beyond the ranks, is left out. */
ORCS_API void orcs_send(orcs_level *to, uint32_t sender, uint32_t receiver);

/* Uses the pattern, in place of the option pattern; for all engines but open-loop traffic. The structure is copied. Returns 0, or -1. */
ORCS_API int orcs_set_pattern(orcs_experiment *experiment, const orcs_pattern *pattern, orcs_error *error);

/* What is known after a run. Arrays are valid until the callback returns. */
typedef struct orcs_observation {
	uint64_t run;
	uint32_t ranks;
	const uint32_t *host;              /* [ranks] the host of each rank */
	uint64_t connections, undelivered; /* messages with and without a route */
	/* of engines that simulate time; operations 0: no times */
	uint32_t operations;
	double makespan;                 /* seconds */
	const uint32_t *task, *receiver; /* [operations] the sender or the task that computes; the receiver, ORCS_NONE: a computation */
	const uint64_t *begun, *ended;   /* [operations] picoseconds */
} orcs_observation;

/* Calls back after each run, in the order of the runs. Returns 0, or -1. */
typedef void orcs_observer(void *data, const orcs_observation *seen);
ORCS_API int orcs_observe(orcs_experiment *experiment, orcs_observer *observer, void *data, orcs_error *error);

/*
 * Makes the runs; what an earlier call returned is no longer valid. Returns 0, or -1: ORCS_USAGE for invalid options, ORCS_FABRIC if a pair
 * has no route.
 */
ORCS_API int orcs_run(orcs_experiment *experiment, orcs_error *error);

/* Ends orcs_run() after the current run, which then has the results of the runs so far. May be called from any thread or signal handler. */
ORCS_API void orcs_stop(orcs_experiment *experiment);

/* Return the number of runs made, and the warnings that orcs would print, one a line. */
ORCS_API uint64_t orcs_runs(const orcs_experiment *experiment);
ORCS_API const char *orcs_notes(const orcs_experiment *experiment);

/*
 * Returns the values of a metric, [*runs][*width], a row for each run, NAN where a run has no value; the first of a row is what orcs --raw
 * prints. metric: its name, NULL: the first. Until the next orcs_run().
 */
ORCS_API const double *orcs_values(
	const orcs_experiment *experiment, const char *metric, uint64_t *runs, uint32_t *width, orcs_error *error);

/*
 * Returns the sums over all runs of what the channels carried, [channels], in units of *unit (routes, bits or seconds, as the engine
 * counts). NULL if no metric sums channels: get_cable_cong does. Until the next orcs_run().
 */
ORCS_API const uint64_t *orcs_channel_sums(const orcs_experiment *experiment, double *unit, orcs_error *error);

/* Returns the result as orcs prints it: format text, json or csv. Until the next call. */
ORCS_API const char *orcs_result(orcs_experiment *experiment, const char *format, orcs_error *error);

/*
 * Compares routings of a fabric as orcs-compare does, in the same runs. words: as for orcs-compare(1), ending with NULL; an argument or an
 * option "--name=value" each. Returns the result in JSON, a new text: free it with orcs_text_free().
 */
ORCS_API char *orcs_compare(const char *const *words, orcs_error *error);

#ifdef __cplusplus
}
#endif

#endif
