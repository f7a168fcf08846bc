/*
 * Which virtual lane a packet takes: at each switch by the port it came in by, the port it leaves by and its service level (InfiniBand
 * Architecture Specification 1, 7.6.6, SL to VL mapping), as the edge attribute sl2vl of a graph tells, see orcs-dot(5). Where the graph
 * has service levels and no edge has that attribute, the lane is the level.
 */
#ifndef FABRIC_LANES_H
#define FABRIC_LANES_H

#include "fabric/levels.h"

#include <stdint.h>

enum {
	LANE_DISCARD = 15, /* packets that are mapped to it are thrown away */
	PORT_LAST = 255,   /* tables have no others */
};

struct lane_table {
	uint32_t ports;                     /* input ports 0..ports-1 */
	uint8_t (*lane)[LEVELS_OF_SERVICE]; /* [ports] */
};

struct lanes {
	unsigned count;          /* lanes 0..count-1 may carry packets */
	struct levels *levels;   /* NULL: the graph tells of none, or was not asked */
	const uint32_t *in_port; /* [channels] the port at the head, 0: unknown; borrowed */
	uint32_t *own_ports;     /* or it is this one, to be freed; NULL */
	uint32_t *table_of;      /* [channels] NONE: lane 0, unless there are no tables at all */
	struct lane_table *table;
	uint32_t tables;
};

/* Reads the tables, and the service levels if they are wanted; *lanes is NULL if the graph has neither, or dot is NULL. Returns 0, or -1:
 * STATUS_FABRIC for an attribute that is none. Time O(text), and that of levels_load. */
int lanes_load(struct lanes **lanes, const struct attributes *attributes, const struct fabric *fabric, bool levels, struct error *error);

/* The lane of a channel as a bit of the service level. */
enum { LANE_BIT_ZERO = 0xff /* lane 0 */, LANE_BIT_NONE = 0xfe /* no table */ };

/* The same of bits, [channels] (NULL: no channel has a table), and of service levels, which go with them (NULL: none). *lanes is NULL if
 * there is neither. Returns 0, or -1 when the memory is not there. Time O(channels). */
int lanes_make(struct lanes **lanes, const struct fabric *fabric, const uint8_t *bit, struct levels *levels, struct error *error);
void lanes_free(struct lanes *lanes);

/* The lane on which a host sends packets with the service level: no table tells. */
static inline unsigned lanes_first(const struct lanes *lanes, unsigned level)
{
	return lanes->tables || level == LANE_DISCARD ? 0 : level;
}

/* The lane that a packet with the service level takes on channel out when it comes by channel in. */
static inline unsigned lanes_get(const struct lanes *lanes, uint32_t in, uint32_t out, unsigned level)
{
	if (lanes->table_of[out] == NONE)
		return lanes->tables ? 0 : level;
	const struct lane_table *table = &lanes->table[lanes->table_of[out]];
	uint32_t port = lanes->in_port[in];
	return port < table->ports ? table->lane[port][level] : 0;
}

#endif
