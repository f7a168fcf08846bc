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

/* Distinct LIDs. */
struct lid_list {
	uint32_t count;
	uint16_t lid[LID_LAST + 1];
};

/*
 * Sets the level of the packets from each of the sources to each of the destinations. Returns 0, or -1 if out of memory. Time O(sources +
 * rows of the sources * destinations).
 */
int subnet_levels_set(
	struct subnet *subnet, const struct lid_list *source, const struct lid_list *destination, unsigned level, struct error *error);

/*
 * Writes the levels between the LIDs of hosts and routers as the form sls, a line for each row and level with lists of LIDs; 0 between all
 * if the subnet states none. Returns 0, or -1 if out of memory. Time O(rows * LIDs).
 */
int subnet_levels_write(const struct subnet *subnet, FILE *file, struct error *error);
void subnet_levels_free(struct subnet_levels *levels);

/* Returns the level, LEVEL_UNKNOWN if the subnet does not state it. */
static inline unsigned subnet_level(const struct subnet *subnet, unsigned source, unsigned destination)
{
	const struct subnet_levels *levels = subnet->levels;
	uint32_t r = levels && source <= LID_LAST ? levels->of_lid[source] : NONE;
	return r != NONE && destination < levels->row[r].size ? levels->row[r].level[destination] : LEVEL_UNKNOWN;
}

#endif
