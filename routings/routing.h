/*
 * Routing engines: what fills the forwarding tables of a fabric. An engine chooses for every destination host and every node the channel by
 * which it forwards, and for every pair of hosts the service level, on which the virtual lane of its packets depends. Or it makes a set of
 * source routes, several for a pair.
 *
 * To add one: write routings/NAME.c with one const struct routing at its bottom, and name that in table.c.
 */
#ifndef ROUTINGS_ROUTING_H
#define ROUTINGS_ROUTING_H

#include "base/args.h"
#include "fabric/lanes.h"
#include "fabric/route_set.h"
#include "routings/routing_graph.h"

/* Data lanes 0..14 of InfiniBand; 15 is for management. USUAL: as many as orcs-route uses unless told otherwise. */
enum { ROUTING_LANES_MAX = 15, ROUTING_LANES_USUAL = 8, ROUTING_LEVELS_MAX = 16 };

/* What all engines are told. */
struct routing_task {
	const struct routing_graph *graph;
	const char *topology;  /* the attribute of the graph, see orcs-dot(5); NULL: none */
	const uint32_t *roots; /* [root_count] switches */
	uint32_t root_count;   /* 0: to be found */
	unsigned lanes;        /* at most so many are to be used */
	uint64_t seed;
	bool source_routes;           /* wanted instead of tables */
	const struct arg_value *args; /* by the engine's table */
};

/* What an engine makes of it. */
struct routed {
	struct route_set *routes; /* source routes; NULL: tables, and what follows */
	uint32_t *next;           /* [hosts][columns] channel, NONE: no entry */
	uint32_t *distance; /* [groups][columns] with multipath entries: every channel that leads nearer is one; NULL: next alone is */
	double *paths;      /* [groups][columns] the weight of the entry of a channel to there; NULL: all entries weigh as much */
	uint8_t *level;     /* [hosts][columns] service level of routes that begin there; NULL: all 0 */
	unsigned levels;    /* service levels in use: 0..levels-1 */
	unsigned lanes;     /* lanes in use */
	uint8_t *lane_bit;  /* [channels] the bit of the level that is the lane there, LANE_BIT_ZERO: lane 0; NULL: the lane is the level */
	bool deadlocks;     /* nothing keeps them away */
	bool via;           /* packets go by way of a random switch, to it and from it as the tables say */
	char note[400];     /* what the user should know, "" for nothing */
};

struct routing {
	const char *name, *summary, *source;
	const char *needs; /* of the fabric */
	const struct arg *args;
	bool roots;         /* whether it takes any */
	bool source_routes; /* whether it makes routes; else tables */
	/* Makes routes, or fills next, all NONE before, and whatever else it uses. Returns 0, or -1. */
	int (*route)(const struct routing_task *task, struct routed *routed, struct error *error);
};

/* All engines, ends with NULL. */
extern const struct routing *const routings[];

/* The engine of a specification "NAME:…", NULL with STATUS_USAGE where there is none. */
const struct routing *routing_find(const char *spec, struct error *error);

/*
 * Routes the fabric by a specification as "dor:ties=random"; of the task all but the arguments is set. Returns 0, or -1: STATUS_USAGE, also
 * for an engine that makes source routes where tables are wanted, or the other way round, STATUS_FABRIC where the engine cannot route it,
 * STATUS_IO for memory. routed_clear() in every case.
 */
int routing_run(struct routed *routed, const char *spec, struct routing_task *task, struct error *error);
void routed_clear(struct routed *routed);

/* ---- for engines */

/* The row of tables of a destination host. */
static inline uint32_t *routed_row(const struct routed *routed, const struct routing_graph *graph, uint32_t host)
{
	return routed->next + (size_t)host * graph->columns;
}

static inline uint8_t *routed_levels(const struct routed *routed, const struct routing_graph *graph, uint32_t host)
{
	return routed->level + (size_t)host * graph->columns;
}

/* Adds levels, all 0. Returns 0, or -1. */
int routed_add_levels(struct routed *routed, const struct routing_graph *graph, struct error *error);

/* For one host of a group: each node takes that of its choices that the fewest destinations have so far, usage [channels] counts; and the
 * first of equals. Time O(choices). */
void routed_least_used(struct routed *routed, const struct choices *choices, uint32_t group, uint32_t host, uint32_t *usage);

/* The tables and levels of a group's first host become those of its others, but for the last channel. Time O(members * columns). */
void routed_copy_group(struct routed *routed, const struct routing_graph *graph, uint32_t group);

/* ---- for those who use the result */

/* A pair without a route. */
typedef void routed_told(void *data, uint32_t source, uint32_t destination);

/* Counts the pairs without a route and tells of the first most of them, in the order of destinations. Follows every route of tables: one
 * that enters a node twice is none. Returns 0, or -1 when the memory is not there. Time O(hosts * nodes). */
int routed_missing(const struct routed *routed, const struct routing_graph *graph, uint64_t most, routed_told *tell, void *data,
	uint64_t *missing, struct error *error);

#endif
