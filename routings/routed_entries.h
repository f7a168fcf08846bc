/* Multipath entries of what an engine made: by which channels nodes forward to a destination, and how much each of them weighs. */
#ifndef ROUTINGS_ROUTED_ENTRIES_H
#define ROUTINGS_ROUTED_ENTRIES_H

#include "routings/routing.h"

/* What a destination in a forwarding set weighs. */
struct routed_weight {
	uint32_t weight, host;
};

struct routed_entries {
	const struct routed *routed; /* with distances */
	const struct routing_graph *graph;
	double *unit;                  /* [groups] what weights of the node's channels are divided by */
	uint32_t node;                 /* to which they belong, NONE: none yet */
	struct routed_weight *weighed; /* [hosts] those in one set that weigh more than 1 */
};

/* Returns 0, or -1 when the memory is not there. routed_entries_clear() in every case. */
int routed_entries_init(
	struct routed_entries *entries, const struct routed *routed, const struct routing_graph *graph, struct error *error);
void routed_entries_clear(struct routed_entries *entries);

/* The hosts of a group in the forwarding set of a channel: index of the first of them on from one of its members. */
uint32_t routed_next_listed(const struct routed_entries *entries, uint32_t channel, uint32_t group, uint32_t from);

/* Finds what weighs more than 1 in the set of a channel: weighed, by weights and hosts. Returns how many. Channels of one node should
 * follow each other. */
uint32_t routed_weigh(struct routed_entries *entries, uint32_t channel);

/* Channels, or service levels, which an engine has by destination, by where routes begin: some columns at a time. */
struct routed_columns {
	const struct routed *routed;
	const struct routing_graph *graph;
	uint32_t *channel; /* [columns that stand in a cache line][hosts], or NULL and: */
	uint8_t *level;    /* likewise */
	uint32_t block;    /* the first of these columns; NONE: none yet */
};

/* levels: else channels. Returns 0, or -1 when the memory is not there. routed_columns_clear() in every case. */
int routed_columns_init(
	struct routed_columns *columns, const struct routed *routed, const struct routing_graph *graph, bool levels, struct error *error);
void routed_columns_clear(struct routed_columns *columns);

/* The channels by which a column leads to each host, or the levels of the routes from there: [hosts], until the next call. */
const uint32_t *routed_channels_from(struct routed_columns *columns, uint32_t column);
const uint8_t *routed_levels_from(struct routed_columns *columns, uint32_t column);

#endif
