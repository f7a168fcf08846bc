/*
 * The virtual lane of a packet at each switch: a function of its input port, its output port and its service level (InfiniBand Architecture
 * Specification 1, 7.6.6, SL to VL mapping), given by the edge attribute sl2vl of a graph, see orcs-dot(5). If the graph has service levels
 * and no edge has that attribute, the lane is the level.
 */
#ifndef FABRIC_VIRTUAL_LANES_H
#define FABRIC_VIRTUAL_LANES_H

#include "fabric/service_levels.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	LANE_DISCARD = 15, /* packets mapped to this lane are discarded */
	PORT_LAST = 255,   /* the last port of tables */
};

struct lane_table {
	uint32_t ports;                       /* input ports 0..ports-1 */
	uint8_t (*lane)[SERVICE_LEVELS_MOST]; /* [ports] */
};

struct virtual_lanes {
	unsigned count;                /* lanes 0..count-1 may carry packets */
	struct service_levels *levels; /* NULL: the graph has none, or they were not requested */
	bool borrowed;                 /* levels and tables belong to others */
	bool unknown;                  /* nothing states the service levels: they may be others than 0 */
	const uint32_t *in_port;       /* [channels] port at the head, 0: unknown; borrowed */
	uint32_t *own_ports;           /* owned alternative to in_port; NULL */
	uint32_t *table_of;            /* [channels] NONE: lane 0, unless there are no tables at all */
	struct lane_table *table;
	uint32_t tables;
	struct lane_table own_table; /* of virtual_lanes_change(): the table of all channels */
	uint32_t *own_table_of;
};

/*
 * Reads the tables, and the service levels if requested; *lanes is NULL if the graph has neither, or attributes is NULL. Returns 0, or -1:
 * STATUS_FABRIC for an invalid attribute. Time O(text), plus service_levels_load().
 */
int virtual_lanes_load(
	struct virtual_lanes **lanes, const struct attributes *attributes, const struct fabric *fabric, bool levels, struct error *error);

/*
 * Creates lanes as others are (NULL: none) if messages have these service levels, too, a bit each (SERVICE_LEVEL_OF_PAIR: those of their
 * pairs), and if map is not NULL, [SERVICE_LEVELS_MOST], its lanes at every port instead of those of the tables. The others must live as
 * long. Returns 0, or -1 if out of memory. Time O(channels).
 */
int virtual_lanes_change(struct virtual_lanes **lanes, const struct virtual_lanes *others, const struct fabric *fabric, uint32_t levels,
	const uint8_t *map, struct error *error);

/* Returns the service levels that packets may have if messages have these; SERVICE_LEVEL_OF_PAIR as above. */
uint32_t virtual_lanes_levels(const struct virtual_lanes *lanes, uint32_t levels);

/* Returns the lanes of a channel that packets with these service levels may take, a bit each; lanes NULL: lane 0. */
uint32_t virtual_lanes_of(const struct virtual_lanes *lanes, uint32_t channel, uint32_t levels);

/* The lane of a channel as a bit of the service level. */
enum { LANE_BIT_ZERO = 0xff /* lane 0 */, LANE_BIT_NONE = 0xfe /* no table */ };

/*
 * Creates lanes from bits, [channels] (NULL: no channel has a table), and from service levels, which become owned (NULL: none). *lanes is
 * NULL if there is neither. Returns 0, or -1 if out of memory. Time O(channels).
 */
int virtual_lanes_make(
	struct virtual_lanes **lanes, const struct fabric *fabric, const uint8_t *bit, struct service_levels *levels, struct error *error);
void virtual_lanes_free(struct virtual_lanes *lanes);

/* Returns the lane on which a host sends packets with the service level by channel out: that of its port 0 if the channel has a table. */
static inline unsigned virtual_lanes_first(const struct virtual_lanes *lanes, uint32_t out, unsigned level)
{
	if (lanes->table_of[out] != NONE)
		return lanes->table[lanes->table_of[out]].lane[0][level];
	return lanes->tables || level == LANE_DISCARD ? 0 : level;
}

/* Returns the lane of a packet with the service level on channel out if it arrives by channel in. */
static inline unsigned virtual_lanes_get(const struct virtual_lanes *lanes, uint32_t in, uint32_t out, unsigned level)
{
	if (lanes->table_of[out] == NONE)
		return lanes->tables ? 0 : level;
	const struct lane_table *table = &lanes->table[lanes->table_of[out]];
	uint32_t port = lanes->in_port[in];
	return port < table->ports ? table->lane[port][level] : 0;
}

#endif
