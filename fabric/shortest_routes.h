/*
 * Shortest paths that are computed when they are first needed, instead of tables of all pairs: the distances of switches from those
 * destinations that messages have, one byte each, and of each only as far as routes have begun (breadth-first search from the destination,
 * continued when a farther switch sends). Equal to the tables of the engines bfs and ecmp (routings/minhop.c).
 */
#ifndef FABRIC_SHORTEST_ROUTES_H
#define FABRIC_SHORTEST_ROUTES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The distances from one root, as far as they are known: those of all places up to a level. */
struct distance_row {
	uint32_t root;     /* place, NONE: the row is free */
	uint32_t level;    /* all places at this distance or nearer are known */
	uint32_t searches; /* continued so many times */
	bool complete;
	uint8_t *near;  /* [places] distance + 1, 0: unknown; NULL: far */
	uint32_t *wide; /* [places] likewise */
};

struct shortest_routes {
	const struct fabric *fabric;
	bool all;            /* all shortest paths; otherwise the first channel of each switch that is on one */
	bool several_hosts;  /* hosts with several channels forward */
	uint32_t places;     /* switches, hosts with several channels, and hosts without a switch of their own */
	uint32_t *place;     /* [nodes] NONE: a host without a choice */
	bool *passes;        /* [places] forwards for others */
	bool *chooses;       /* [places] has several channels, or is a switch */
	uint32_t *root;      /* [hosts] place where routes to the host end: its switch, or the host */
	uint32_t *last;      /* [hosts] channel from there to the host, NONE: it is the host */
	uint32_t *first_out; /* [places + 1] */
	uint32_t *out;       /* channels to other places, of each place in order */
	uint32_t *head;      /* the places that they lead to */
	uint32_t *first_in;  /* [places + 1] */
	uint32_t *tail;      /* places of the channels into each place */
	bool wide;           /* distances do not fit into a byte */
	struct distance_row *row;
	uint32_t rows, rows_most, next_row;
	size_t row_capacity;
	uint32_t *row_of; /* [places] NONE: not known */
	uint32_t *queue;  /* [places + 1] */
	uint32_t *way;    /* [most channels of a place] */
	double *share;    /* likewise */
	uint32_t shares;  /* number of paths that the shares are for */
};

/*
 * Creates the routes; no search is made. hosts_forward: hosts with several channels forward for others, as in fabrics without switches.
 * NULL if out of memory. Time O(nodes + channels). The fabric is borrowed.
 */
struct shortest_routes *shortest_routes_create(const struct fabric *fabric, bool hosts_forward, bool all, struct error *error);
void shortest_routes_free(struct shortest_routes *routes);

/* Returns the channel by which a node forwards to a destination host: the first on a shortest path; NONE if there is none. */
uint32_t shortest_routes_next(struct shortest_routes *routes, uint32_t node, uint32_t destination);

/* Writes the channels of the route between two different hosts. Returns their number, 0 if there is none. Time O(length * ports). */
uint32_t shortest_routes_route(struct shortest_routes *routes, uint32_t source, uint32_t destination, uint32_t *channels);

/* Finds all channels on shortest paths, in order, and equal shares of them; valid until the next call. Returns their number. */
uint32_t shortest_routes_ways(
	struct shortest_routes *routes, uint32_t node, uint32_t destination, const uint32_t **channel, const double **share);

/* Makes all distances from a node known, which is a switch or the end of routes to a host; valid until the next call that searches. */
const struct distance_row *shortest_routes_distances(struct shortest_routes *routes, uint32_t root);

/* Returns the distance of a node in a complete row, in channels; NONE if it has no path. */
static inline uint32_t shortest_routes_distance(const struct shortest_routes *routes, const struct distance_row *row, uint32_t node)
{
	uint32_t place = routes->place[node];
	return place == NONE ? NONE : row->near ? row->near[place] - 1U : row->wide[place] - 1;
}

#endif
