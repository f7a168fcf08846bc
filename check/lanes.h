/*
 * Which virtual lane a packet takes: at each switch by the port it came in by, the port it leaves by and its service level (InfiniBand
 * Architecture Specification 1, 7.6.6, SL to VL mapping), as the edge attribute sl2vl of a graph tells, see orcs-dot(5).
 */
#ifndef CHECK_LANES_H
#define CHECK_LANES_H

#include "dot.h"
#include "fabric.h"

#include <stdint.h>

enum { LEVELS_OF_SERVICE = 16, LANE_DISCARD = 15 /* packets that are mapped to it are thrown away */ };

struct lane_table {
	uint32_t ports;                     /* input ports 0..ports-1 */
	uint8_t (*lane)[LEVELS_OF_SERVICE]; /* [ports] */
};

struct lanes {
	unsigned count;          /* lanes 0..count-1 may carry packets */
	const uint32_t *in_port; /* [channels] the port at the head, 0: unknown; borrowed */
	uint32_t *table_of;      /* [channels] NONE: lane 0 */
	struct lane_table *table;
	uint32_t tables;
};

/* Reads the tables; *lanes is NULL if the graph has none. Returns 0, or -1: STATUS_FABRIC for an attribute that is none. Time O(text). */
int lanes_load(struct lanes **lanes, const struct dot *dot, const struct fabric *fabric, struct error *error);
void lanes_free(struct lanes *lanes);

/* The lane that a packet with the service level takes on channel out when it comes by channel in; 0 where no table tells. */
static inline unsigned lanes_get(const struct lanes *lanes, uint32_t in, uint32_t out, unsigned level)
{
	if (!lanes || lanes->table_of[out] == NONE)
		return 0;
	const struct lane_table *table = &lanes->table[lanes->table_of[out]];
	uint32_t port = lanes->in_port[in];
	return port < table->ports ? table->lane[port][level] : 0;
}

#endif
