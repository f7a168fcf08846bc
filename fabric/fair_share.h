/*
 * Load, fair share and excess of every channel under uniform traffic: all ordered pairs of hosts, once each. Exact, without runs, and equal
 * for all who report on a fabric: the words and colours are those of fabric/load_class.h.
 *
 * For a channel (one direction of a cable) in a plane (fabric/planes.h) of n hosts, of which R routes use it:
 *   load    as fabric/load_scale.h states: 1 is as busy as a host's own cable.
 *   share   what every routing must put there, or 1 if that is less, as a load up to 1 delays nobody:
 *           - Between two levels: take away all switches above the level of the channel's lower end, and let H be the hosts of the part
 * that is left around that end. H (n - H) routes leave it, and as many enter it; divided over all channels that do (in the direction of the
 * channel), in proportion to their speeds. A host is below all switches, and a part by itself.
 *           - Where the levels are not those of a tree: routes use channels within a level, or pass through hosts. Then the share is also
 * at least the load that shortest paths, evenly divided, put on the channel (fabric/shortest_loads.h). Should the load still exceed that by
 * more than 5%, it is also at least the mean load over the channels from the nodes that are nearer to the channel's tail than to its head
 * to all others, which the H (n - H) routes between their hosts must take; in a mesh of switches, for example, those of a row of parallel
 * cables. The channels over which this happens share that mean. (Of large irregular fabrics, where each channel has such a set of its own,
 * only for the first thousands of channels: at most FAIR_CUTS_WORK channels are looked at.) excess  load / share. In words: uniform traffic
 * takes that many times as long over this cable as it must.
 *
 * A tier is all channels from one level to another.
 */
#ifndef FABRIC_FAIR_SHARE_H
#define FABRIC_FAIR_SHARE_H

#include "fabric/fabric.h"
#include "fabric/host_distances.h"
#include "fabric/load_class.h"

#include <stdint.h>

enum { FAIR_CUTS_WORK = 300 * 1000 * 1000 };

/* The channels from a level to another; LEVEL_HOST is the hosts' own. All means are over channels. */
struct load_tier {
	uint32_t from, to;
	uint32_t channels;
	uint32_t count[LOAD_CLASSES]; /* channels by class */
	uint32_t above;               /* channels with an excess of more than 1.05: classes from LOAD_WARM */
	double mean, cv, most;        /* of the loads: mean, coefficient of variation (0 if the mean is 0), largest */
	double share, most_share;     /* of the shares: mean, largest */
	double least_share;
	double need; /* what every routing must put there, the mean by the channels' speeds: less than share where some need no more than 1
		      */
	double excess;    /* the largest */
	uint32_t hottest; /* the channel with the largest excess, the first of several; NONE: no route uses the tier */
};

struct fair_share {
	double *load;                 /* [channels] */
	double *share;                /* [channels] 1 or more */
	double *excess;               /* [channels] 0: no route */
	uint8_t *class;               /* [channels] enum load_class_number */
	uint32_t *level;              /* [nodes] of switches, as a reader should see it: see fair_share_find() */
	uint32_t levels;              /* 1 + the highest of these; 0: there is none */
	struct load_tier *tier;       /* [tiers] sorted by from, to; hosts first. Channels at a switch of LEVEL_NONE are in no tier */
	uint32_t tiers;               /* number of tiers */
	uint32_t *tier_of;            /* [channels] index of the channel's tier, NONE: it is in none */
	bool tree;                    /* the levels are those of a tree, in all planes */
	uint32_t count[LOAD_CLASSES]; /* channels by class */
	uint32_t above, twice;        /* channels with an excess of more than 1.05, of more than 2 */
	uint32_t hottest;             /* the channel with the largest excess, the first of several; NONE: there are no routes */
	uint32_t equal;               /* other channels with the same excess, but for a millionth */
};

/*
 * Computes all of it. routes: [channels] R, as of pair_loads_routes(); a fraction if pairs have several routes. level: [nodes] of switches
 * (the others' do not matter), as of tree_levels_make() or host_distances_make(); NULL: the latter.
 *
 * The levels of the result are the same, but switches above the highest level that a route enters have LEVEL_NONE: cables to switches for
 * management, for example, are no levels of a tree.
 *
 * Returns 0, or -1 if out of memory; call fair_share_clear() in either case. Time O(channels log channels) in trees, elsewhere that of
 * shortest_loads_make().
 */
int fair_share_find(struct fair_share *fair, const struct fabric *fabric, const double *routes, const uint32_t *level, struct error *error);
void fair_share_clear(struct fair_share *fair);

#endif
