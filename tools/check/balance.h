/* Balance of the routes over channels, and the ratio of capacities down and up. */
#ifndef TOOLS_CHECK_BALANCE_H
#define TOOLS_CHECK_BALANCE_H

#include "base/statistics.h"
#include "fabric/fabric.h"
#include "fabric/host_distances.h"
#include "tools/check/faults.h"
#include "tools/check/pair_statistics.h"

/* The channels from one level to another. LEVEL_HOST: from or to hosts. */
struct channel_group {
	uint32_t from, to, channels, unused;
	struct statistics routes, destinations; /* per channel */
};

/* Sums of the speeds of channels, relative to the slowest host link. */
struct capacity {
	double down, up, across; /* to lower levels and hosts; to higher levels; to the same level */
};

struct level_capacity {
	uint32_t switches, rising; /* rising: switches with channels up */
	struct capacity sum;       /* sum over all switches */
	double least, most;        /* ratio of down to up, over rising switches */
	uint32_t worst;            /* node with the largest ratio, the first of several; NONE: no switch rises */
};

struct balance {
	uint32_t *level; /* [nodes] levels of switches: 0 for those with hosts, otherwise the distance; hosts: LEVEL_HOST */
	uint32_t levels;
	struct channel_group *group; /* [groups] sorted by from, to; hosts first */
	uint32_t groups;
	struct capacity *capacity;       /* [nodes] */
	struct level_capacity *of_level; /* [levels] */
	double worst; /* largest coefficient of variation of routes in a group between switches; 0 if there is no group */
};

/*
 * Computes the balance. level: tree levels (see struct shape), or NULL for distances from the hosts, over cables of either direction;
 * switches that are not connected to hosts have one level more. Unused channels are faults. Returns 0, or -1 if out of memory; call
 * balance_clear() in either case. Time O(channels).
 */
int balance_find(struct balance *balance, const struct fabric *fabric, const struct pair_statistics *statistics, const uint32_t *level,
	struct faults *faults, struct error *error);
void balance_clear(struct balance *balance);

#endif
