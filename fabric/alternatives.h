/*
 * Multipath entries: where several channels of a node list one destination. Equal ones are kept once, so that a table of the nodes that
 * have any, as large as their forwarding tables, is all they take.
 */
#ifndef FABRIC_ALTERNATIVES_H
#define FABRIC_ALTERNATIVES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

struct alternatives {
	uint32_t columns;
	uint32_t *column; /* [nodes] NONE: no destination has several channels there */
	uint32_t *set;    /* [hosts][columns] NONE: one channel, that of the forwarding table, or none */
	uint32_t sets;
	uint32_t *first;   /* [sets + 1] the channels of set s: channel[first[s]] .. channel[first[s + 1] - 1], at least two */
	uint32_t *channel; /* [first[sets]] in their order */
	double *share;     /* [first[sets]] of what goes to the destination there; those of a set sum to 1 */
	bool shared;       /* the arrays belong to somebody else */
};

/* The set of a node for a destination host, NONE: there is one channel at most. Time O(1). */
static inline uint32_t alternatives_set(const struct alternatives *alternatives, uint32_t node, uint32_t destination)
{
	uint32_t column = alternatives->column[node];
	return column == NONE ? NONE : alternatives->set[(size_t)destination * alternatives->columns + column];
}

/* A copy. NULL when the memory is not there. */
struct alternatives *alternatives_copy(const struct fabric *fabric, const struct alternatives *alternatives, struct error *error);
void alternatives_free(struct alternatives *alternatives);

/* Builds it node by node: what each channel lists, then the end of the node. */
struct alternatives_builder;

struct alternatives_builder *alternatives_builder_create(const struct fabric *fabric, struct error *error);

/* A channel lists a host; a host that it lists twice counts once. */
void alternatives_builder_add(struct alternatives_builder *builder, uint32_t channel, uint32_t host, struct error *error);

/* A channel lists all hosts that no other channel of its node lists by name. */
void alternatives_builder_add_any(struct alternatives_builder *builder, uint32_t channel, struct error *error);

/* The weight of a host that the channel lists, which is 1 otherwise. Returns whether it lists it. */
bool alternatives_builder_weigh(struct alternatives_builder *builder, uint32_t channel, uint32_t host, uint32_t weight);

/* Returns 0, or -1 when the memory is not there. */
int alternatives_builder_end_node(struct alternatives_builder *builder, uint32_t node, struct error *error);

/* Makes it and frees the builder. NULL without an error where no node has any; and on errors, also earlier ones. */
struct alternatives *alternatives_builder_finish(struct alternatives_builder *builder, struct error *error);

#endif
