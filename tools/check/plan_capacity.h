/*
 * What differences from a plan cost: capacity, the sum of the speeds of a node's cables to the nodes of another level. Levels are distances
 * from the hosts: switches with planned or additional hosts, then further ones by the plan, then those that only the fabric connects.
 */
#ifndef TOOLS_CHECK_PLAN_CAPACITY_H
#define TOOLS_CHECK_PLAN_CAPACITY_H

#include "tools/check/cable_list.h"

enum { NO_LEVEL = UINT32_MAX };

/* The share of its planned capacity to a level that a node lacks. */
struct plan_cost {
	double share, gbps; /* gbps: the same as capacity */
	uint32_t node, level;
	const char *name; /* see struct cable */
};

/* All cables between two levels. */
struct level_pair {
	uint32_t level[2]; /* 0: hosts, 1: switches with hosts, and so on; NO_LEVEL: not connected to hosts */
	uint32_t planned, found;
	double planned_gbps, found_gbps;
	double lost; /* share of the planned capacity of the lower nodes that they lack; surplus of others does not count */
	struct plan_cost worst;
};

struct plan_capacities {
	uint32_t *level;          /* [nodes] */
	struct node_capacity *at; /* [ats] sorted by node, level */
	size_t ats;
	struct level_pair *pair; /* [pairs] sorted by levels */
	uint32_t pairs;
	size_t pair_room;
	double *gbps; /* [planned cables, cables found, also those that are not compared] that they count with */
	double unit;  /* Gb/s of a cable of unknown speed where nothing else is known; 1 if no speed is known */
	bool speeds;  /* some speed is known */
};

/*
 * Computes levels and capacities. hosts: [nodes], also of nodes that only the plan has. A planned cable without a speed has that of its
 * match, otherwise the most common one of the cables found between its levels, otherwise of all found. Returns 0, or -1 if out of memory;
 * call plan_capacity_clear() in either case. Time O(cables log cables), times the number of levels.
 */
int plan_capacity(struct plan_capacities *capacity, const struct cable_list *planned, const struct cable_list *found, const bool *hosts,
	uint32_t nodes, struct error *error);
void plan_capacity_clear(struct plan_capacities *capacity);

/* Returns the larger of the costs at both ends of a planned cable. Time O(log cables). */
struct plan_cost plan_cable_cost(const struct plan_capacities *capacity, const struct cable *planned);

#endif
