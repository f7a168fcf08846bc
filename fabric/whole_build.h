/* State of making the complete subnet of a fabric, which whole_fabric.c and whole_tables.c share. */
#ifndef FABRIC_WHOLE_BUILD_H
#define FABRIC_WHOLE_BUILD_H

#include "fabric/whole_fabric.h"

/* The attributes that are used; NULL: the graph does not have it. */
struct whole_columns {
	const struct attribute *type, *guid, *node_guid, *system_guid, *lid, *lmc, *lids, *ports, *desc, *loops;
	const struct attribute *port, *peer_port, *port_guid, *port_node_guid, *port_system_guid, *port_desc, *port_lid, *port_lmc,
		*port_lids;
};

struct whole_build {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct attributes *attributes;
	struct whole_columns column;
	struct whole_fabric *whole;
	uint32_t channels; /* with the others */
	uint32_t *first;   /* [vertices + 1] */
	uint32_t *out;     /* [channels] channels by their tails */
	const char *source;
	struct error *error;
};

static inline uint32_t build_head(const struct whole_build *b, uint32_t c)
{
	return c < b->fabric->channels ? b->fabric->head[c] : b->attributes->other_head[c - b->fabric->channels];
}

/*
 * Reads a number of a vertex v, 0 if it has none: index is that of the vertex, or of a channel out of it. most: the largest number that is
 * valid; -1 for a GUID. 0 with an error for others.
 */
uint64_t build_number(const struct whole_build *b, const struct attribute *column, uint32_t index, uint32_t v, int64_t most);

/* Assigns the LIDs. Returns 0, or -1. */
int whole_build_lids(struct whole_build *b);

/* Makes the tables. Returns 0, or -1. */
int whole_build_tables(struct whole_build *b);

#endif
