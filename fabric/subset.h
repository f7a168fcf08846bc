/* Parts of a fabric: some of its nodes and channels, with their tables and attributes. */
#ifndef FABRIC_SUBSET_H
#define FABRIC_SUBSET_H

#include "fabric/attributes.h"
#include "fabric/forwarding.h"

#include <stdbool.h>

/*
 * Replaces a fabric with labels, its tables and its attributes (each of the latter may be NULL; routes must not be computed) by the part
 * with some nodes, node [nodes], and those channels between them that are kept, channel [channels]; all keep their order. Entries by other
 * channels are lost; of entries with several channels the others stay, with their shares. Of the nodes beside the fabric, those stay from
 * which cables beside it lead to a node that stays. Returns 0, or -1 if out of memory; then nothing is changed. Time O(hosts * columns).
 */
int fabric_keep(const bool *node, const bool *channel, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes *attributes, struct error *error);

/*
 * Returns that part as a fabric of its own, whose names are those of the first, which must live as long; NULL if out of memory. Fills
 * node_new [nodes] (NONE: not kept), channel_old [channels] and host_old [hosts]: the old numbers.
 */
struct fabric *fabric_part(const struct fabric *fabric, const bool *node, const bool *channel, uint32_t *node_new, uint32_t *channel_old,
	uint32_t *host_old, struct error *error);

#endif
