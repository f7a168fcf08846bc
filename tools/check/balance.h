/* How evenly routes use the channels, and how much capacity leads up for what leads down. */
#ifndef TOOLS_CHECK_BALANCE_H
#define TOOLS_CHECK_BALANCE_H

#include "base/statistics.h"
#include "fabric/fabric.h"
#include "tools/check/faults.h"
#include "tools/check/pair_statistics.h"

enum { LEVEL_HOST = UINT32_MAX };

/* The channels from one level to one level. LEVEL_HOST: from or to hosts. */
struct channel_group {
	uint32_t from, to, channels, unused;
	struct statistics routes, destinations; /* of a channel */
};

/* Capacities are sums of the speeds of channels, relative to the slowest host link. */
struct capacity {
	double down, up, across; /* to lower levels and hosts; to higher ones; to the same */
};

struct level_capacity {
	uint32_t switches, rising; /* rising: with channels up */
	struct capacity sum;       /* over all */
	double least, most;        /* down to up, over those that rise */
	uint32_t worst;            /* node with the most, the first of several; NONE: none rises */
};

struct balance {
	uint32_t *level; /* [nodes] of switches: 0 for those with hosts, then by distance; hosts: LEVEL_HOST */
	uint32_t levels;
	struct channel_group *group; /* [groups] by from, to; hosts first */
	uint32_t groups;
	struct capacity *capacity;       /* [nodes] */
	struct level_capacity *of_level; /* [levels] */
	double worst;                    /* largest coefficient of variation of routes in a group between switches; 0 if there is none */
};

/*
 * Levels are those of a tree, where level (see struct shape) is given; else distances from the hosts, by cables of either direction;
 * switches that hosts have no way to count as one level more. Unused channels are faults. Returns 0, or -1 if out of memory;
 * balance_clear() in every case. Time O(channels).
 */
int balance_find(struct balance *balance, const struct fabric *fabric, const struct pair_statistics *statistics, const uint32_t *level,
	struct faults *faults, struct error *error);
void balance_clear(struct balance *balance);

#endif
