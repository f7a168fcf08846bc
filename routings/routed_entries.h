/* Multipath entries of an engine's result: the channels by which nodes forward to a destination, and their weights. */
#ifndef ROUTINGS_ROUTED_ENTRIES_H
#define ROUTINGS_ROUTED_ENTRIES_H

#include "routings/routing.h"

/* The weight of a destination in a forwarding set. */
struct routed_weight {
	uint32_t weight, host;
};

struct routed_entries {
	const struct routed *routed; /* with distances */
	const struct routing_graph *graph;
	double *unit;                  /* [groups] divisor of the weights of the node's channels */
	uint32_t node;                 /* the node of unit, NONE: none yet */
	struct routed_weight *weighed; /* [hosts] those in one set whose weight is more than 1 */
};

/* Allocates. Returns 0, or -1 if out of memory. Call routed_entries_clear() in either case. */
int routed_entries_init(
	struct routed_entries *entries, const struct routed *routed, const struct routing_graph *graph, struct error *error);
void routed_entries_clear(struct routed_entries *entries);

/* Enumerates the hosts of a group in the forwarding set of a channel: returns the index in member of the first one at or after from, the
 * end of the group if there is none. */
uint32_t routed_next_listed(const struct routed_entries *entries, uint32_t channel, uint32_t group, uint32_t from);

/*
 * Finds the hosts whose weight is more than 1 in the set of a channel: fills weighed, sorted by weight and host. Returns their number.
 * Fastest if channels of one node follow each other.
 */
uint32_t routed_weigh(struct routed_entries *entries, uint32_t channel);

/* Channels, or service levels, which an engine has by destination, by where routes begin: some columns at a time. */
struct routed_columns {
	const struct routed *routed;
	const struct routing_graph *graph;
	uint32_t *channel; /* [columns of a cache line][hosts], or NULL; then: */
	uint8_t *level;    /* the same for levels */
	uint32_t block;    /* the first of these columns; NONE: none yet */
};

/*
 * Allocates. levels: for service levels, otherwise for channels. Returns 0, or -1 if out of memory. Call routed_columns_clear() in either
 * case.
 */
int routed_columns_init(
	struct routed_columns *columns, const struct routed *routed, const struct routing_graph *graph, bool levels, struct error *error);
void routed_columns_clear(struct routed_columns *columns);

/*
 * Return the channels by which a column forwards to each host, or the levels of the routes from there: [hosts], valid until the next call.
 */
const uint32_t *routed_channels_from(struct routed_columns *columns, uint32_t column);
const uint8_t *routed_levels_from(struct routed_columns *columns, uint32_t column);

#endif
