/*
 * Routing engines fill the forwarding tables of a fabric. An engine selects, for every destination host and every node, the channel by
 * which the node forwards, and for every pair of hosts the service level, which determines the virtual lane of its packets. Or it computes
 * source routes, several per pair.
 *
 * To add an engine: write routings/NAME.c with one const struct routing at its bottom, and name that in table.c.
 */
#ifndef ROUTINGS_ROUTING_H
#define ROUTINGS_ROUTING_H

#include "base/args.h"
#include "fabric/virtual_lanes.h"
#include "fabric/source_routes.h"
#include "fabric/whole_fabric.h"
#include "routings/routing_graph.h"

/* Data lanes 0..14 of InfiniBand; 15 is for management. USUAL: the default of orcs-route. */
enum { ROUTING_LANES_MAX = 15, ROUTING_LANES_USUAL = 8, ROUTING_LEVELS_MAX = 16 };

struct files;
struct opensm_failing;

/* Whether lanes are needed: if they are optional or not needed, too few of them do not matter to engines that compute them last. */
enum routing_lanes_use { LANES_NEEDED, LANES_OPTIONAL, LANES_NOT_NEEDED };

/* The input of all engines. */
struct routing_task {
	const struct routing_graph *graph;
	const char *topology;                /* attribute of the graph, see orcs-dot(5); NULL: none */
	const struct attributes *attributes; /* of the graph; NULL: none */
	bool whole;                          /* an engine of OpenSM also makes the tables of all LIDs: routed.whole */
	struct files *files;                 /* files that parameters name are registered there; NULL: nowhere */
	const uint32_t *roots;               /* [root_count] switches */
	uint32_t root_count;                 /* 0: the engine finds roots */
	unsigned lanes;                      /* maximum number of virtual lanes */
	uint64_t seed;
	void (*progress)(const char *text); /* receives what a long search has reached; NULL: nothing */
	struct opensm_failing *failing;     /* an engine of OpenSM leaves there what routes again once something fails; NULL: nowhere */
	bool source_routes;                 /* wanted instead of tables */
	enum routing_lanes_use lanes_use;
	const struct arg_value *args; /* by the engine's table */
};

/* The result of an engine. */
struct routed {
	struct source_routes *routes; /* source routes; NULL: tables, with all that follows */
	uint32_t *next;               /* [hosts][columns] channel, NONE: no entry */
	uint32_t *distance; /* [groups][columns] with multipath entries: every channel that leads nearer is one; NULL: only next is */
	double *paths;      /* [groups][columns] weight of the entry of a channel that leads there; NULL: all weights are equal */
	uint8_t *level;     /* [hosts][columns] service level of the routes that begin there; NULL: all 0 */
	unsigned levels;    /* service levels in use: 0..levels-1 */
	unsigned lanes;     /* virtual lanes in use */
	uint8_t *lane_bit;  /* [channels] the bit of the level that is the lane of the channel, LANE_BIT_ZERO: lane 0; NULL: the lane is the
			       level */
	bool deadlocks;     /* deadlock freedom is not guaranteed */
	bool via;           /* packets are routed via a random intermediate switch, to it and from it by the tables */
	bool opensm;        /* the tables are OpenSM's */
	bool uncertain;     /* but those of OpenSM can differ from run to run: the warning states why */
	struct whole_fabric *whole; /* the complete subnet with OpenSM's tables; NULL: not wanted, or another engine */
	char note[1000];            /* note to the user, "" for none */
	const char *fallback;       /* engine that OpenSM falls back to, whose tables these are; NULL: the engine's own */
	char warning[1200];         /* that every program reports, "" for none */
};

/* Routes that are computed when messages need them, instead of tables or source routes of all pairs. */
struct routing_demand {
	struct forwarding *forwarding; /* routing function, or shortest paths; without entries with source routes */
	struct source_routes *routes;  /* NULL: none */
};

struct routing {
	const char *name, *summary, *source;
	const char *needs; /* requirements on the fabric */
	const struct arg *args;
	bool opensm;        /* an engine of OpenSM, whose tables it computes; otherwise one of orcs */
	bool roots;         /* whether it accepts roots */
	bool source_routes; /* whether it makes source routes; otherwise tables */
	/* Makes source routes, or fills next, whose entries are all NONE before (one of OpenSM's engines makes it, by
	   routed_make_tables()), and the other members it uses. Returns 0, or -1. */
	int (*route)(const struct routing_task *task, struct routed *routed, struct error *error);
	/*
	 * Prepares the same routes on demand. Leaves demand->forwarding NULL if that is not possible for this fabric or these parameters.
	 * Returns 0, or -1. NULL: never possible.
	 */
	int (*demand)(const struct routing_task *task, struct routing_demand *demand, struct error *error);
};

/* All engines, ends with NULL. */
extern const struct routing *const routings[];

/* Returns the engine of a specification "NAME:...", NULL with STATUS_USAGE if there is none. */
const struct routing *routing_find(const char *spec, struct error *error);

/* Returns whether a list of specifications, separated by commas, begins with an engine. */
bool routing_begins(const char *list);

/*
 * Routes the fabric by a specification such as "dor:ties=random"; all of the task but the arguments must be set. Returns 0, or -1:
 * STATUS_USAGE, also for an engine that makes source routes if tables are wanted, or the reverse; STATUS_FABRIC if the engine cannot route
 * the fabric; STATUS_IO if out of memory. Call routed_clear() in either case.
 */
int routing_run(struct routed *routed, const char *spec, struct routing_task *task, struct error *error);
void routed_clear(struct routed *routed);

/*
 * Prepares routes that are computed on demand, equal to those of routing_run(), without virtual lanes. The graph of the task is borrowed
 * until this returns, its fabric as long as the result, which the caller owns; forwarding is NULL if only routing_run() can route so.
 * Returns 0, or -1: STATUS_USAGE or STATUS_IO as routing_run(). Time O(nodes + channels).
 */
int routing_prepare(struct routing_demand *demand, const char *spec, struct routing_task *task, struct error *error);
void routing_demand_clear(struct routing_demand *demand);

/* ---- for engines */

/* OpenSM's dor, for graphs without a topology. As the function of an engine. */
int routing_opensm_dor(const struct routing_task *task, struct routed *routed, struct error *error);

/* Returns the row of tables of a destination host. */
static inline uint32_t *routed_row(const struct routed *routed, const struct routing_graph *graph, uint32_t host)
{
	return routed->next + (size_t)host * graph->columns;
}

static inline uint8_t *routed_levels(const struct routed *routed, const struct routing_graph *graph, uint32_t host)
{
	return routed->level + (size_t)host * graph->columns;
}

/* Prepares the routing function of the fabric's topology, if it has one of that name (NULL: any), and nothing is missing. */
int routing_prepare_function(const struct routing_task *task, const char *routing, struct routing_demand *demand, struct error *error);

/* Makes tables without entries, unless there are tables already. Returns 0, or -1 if out of memory. */
int routed_make_tables(struct routed *routed, const struct routing_graph *graph, struct error *error);

/* Adds levels, all 0. Returns 0, or -1. */
int routed_add_levels(struct routed *routed, const struct routing_graph *graph, struct error *error);

/*
 * Sets the entries for one host of a group: each node takes, among its choices, the channel that the fewest destinations use so far, the
 * first of equals. usage: [channels] number of destinations, updated. Time O(choices).
 */
void routed_least_used(struct routed *routed, const struct choices *choices, uint32_t group, uint32_t host, uint32_t *usage);

/* Copies the tables and levels of a group's first host to its other hosts, except the last channel. Time O(members * columns). */
void routed_copy_group(struct routed *routed, const struct routing_graph *graph, uint32_t group);

/* ---- for users of the result */

/* Receives a pair without a route. */
typedef void routed_told(void *data, uint32_t source, uint32_t destination);

/*
 * Counts the pairs without a route and reports the first `most` of them, in the order of destinations. Follows every route of tables; one
 * that enters a node twice is not a route. Returns 0, or -1 if out of memory. Time O(hosts * nodes).
 */
int routed_missing(const struct routed *routed, const struct routing_graph *graph, uint64_t most, routed_told *tell, void *data,
	uint64_t *missing, struct error *error);

/*
 * Returns whether a specification is that of ecmp whose paths are drawn by a hash ("ecmp:hash,qps=4"), and *pairs, the paths that each
 * connection draws.
 */
bool ecmp_hashes(const char *spec, uint32_t *pairs);

#endif
