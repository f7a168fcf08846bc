/*
 * The service level of the packets from each LID to each other, as the subnet administrator (SA) gives it to hosts. Sources that are named
 * together share a row, so that memory grows with the number of switches, not of hosts, if the hosts of a switch are.
 */
#ifndef INFINIBAND_SUBNET_LEVELS_H
#define INFINIBAND_SUBNET_LEVELS_H

#include "infiniband/subnet.h"

enum { LEVEL_UNKNOWN = 0xff };

struct subnet_level_row {
	uint8_t *level; /* [size] by destination LID; LEVEL_UNKNOWN */
	size_t size;
	uint32_t sources;
};

struct subnet_levels {
	uint32_t of_lid[LID_LAST + 1]; /* the row of a source, NONE */
	struct subnet_level_row *row;  /* [rows] */
	uint32_t rows;
	size_t capacity;
};

/*
 * Sets the level of the packets from each of the sources, distinct LIDs, to a destination. Returns 0, or -1 if out of memory. Time
 * O(sources).
 */
int subnet_level_set(
	struct subnet *subnet, const uint16_t *source, uint32_t sources, unsigned destination, unsigned level, struct error *error);
void subnet_levels_free(struct subnet_levels *levels);

/* Returns the level, LEVEL_UNKNOWN if the subnet does not state it. */
static inline unsigned subnet_level(const struct subnet *subnet, unsigned source, unsigned destination)
{
	const struct subnet_levels *levels = subnet->levels;
	uint32_t r = levels && source <= LID_LAST ? levels->of_lid[source] : NONE;
	return r != NONE && destination < levels->row[r].size ? levels->row[r].level[destination] : LEVEL_UNKNOWN;
}

#endif
