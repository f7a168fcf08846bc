/*
 * Multipath entries: several channels of a node that list the same destination. Equal sets are stored once, so the memory is a table of the
 * nodes that have any, as large as their forwarding tables.
 */
#ifndef FABRIC_MULTIPATH_ENTRIES_H
#define FABRIC_MULTIPATH_ENTRIES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct multipath_entries {
	uint32_t columns;
	uint32_t *column; /* [nodes] NONE: no destination has several channels */
	uint32_t *set;    /* [hosts][columns] NONE: at most one channel, that of the forwarding table */
	uint32_t sets;
	uint32_t *first;   /* [sets + 1] the channels of set s: channel[first[s]] .. channel[first[s + 1] - 1], at least two */
	uint32_t *channel; /* [first[sets]] the channels in order */
	double *share;     /* [first[sets]] share of the node's traffic to the destination; those of a set sum to 1 */
	bool shared;       /* the arrays are borrowed */
};

/* Returns the set of a node for a destination host, NONE if there is at most one channel. Time O(1). */
static inline uint32_t alternatives_set(const struct multipath_entries *alternatives, uint32_t node, uint32_t destination)
{
	uint32_t column = alternatives->column[node];
	return column == NONE ? NONE : alternatives->set[(size_t)destination * alternatives->columns + column];
}

/* Returns a copy, NULL if out of memory. */
struct multipath_entries *multipath_entries_copy(
	const struct fabric *fabric, const struct multipath_entries *alternatives, struct error *error);
void multipath_entries_free(struct multipath_entries *alternatives);

/* Builds the entries node by node: what each channel lists, then the end of the node. */
struct multipath_entries_builder;

struct multipath_entries_builder *multipath_entries_builder_create(const struct fabric *fabric, struct error *error);

/* Adds a host to the list of a channel; a host listed twice counts once. */
void multipath_entries_builder_add(struct multipath_entries_builder *builder, uint32_t channel, uint32_t host, struct error *error);

/* Adds to the list of a channel all hosts that no other channel of its node lists by name. */
void multipath_entries_builder_add_any(struct multipath_entries_builder *builder, uint32_t channel, struct error *error);

/* Sets the weight, 1 by default, of a host that the channel lists. Returns whether the channel lists it. */
bool multipath_entries_builder_weigh(struct multipath_entries_builder *builder, uint32_t channel, uint32_t host, uint32_t weight);

/* Ends a node. Returns 0, or -1 if out of memory. */
int multipath_entries_builder_end_node(struct multipath_entries_builder *builder, uint32_t node, struct error *error);

/* Returns the entries and frees the builder. NULL, without an error, if no node has any; NULL on errors, also earlier ones. */
struct multipath_entries *multipath_entries_builder_finish(struct multipath_entries_builder *builder, struct error *error);

#endif
