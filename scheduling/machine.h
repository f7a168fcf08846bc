/* The hosts of a machine, 0..hosts-1 in the order of the subset, and the leaves that they are under. */
#ifndef SCHEDULING_MACHINE_H
#define SCHEDULING_MACHINE_H

#include "fabric/fabric.h"

struct machine {
	uint32_t hosts, leaves;
	const uint32_t *host; /* [hosts] host indices of the fabric */
	uint32_t *leaf;       /* [hosts] leaf of each: the node that its first link leads to; numbered by their first host */
	uint32_t *first;      /* [leaves + 1] hosts of a leaf, ascending: under[first[l]] .. under[first[l + 1] - 1] */
	uint32_t *under;      /* [hosts] */
	uint32_t *largest;    /* [leaves] hosts of the l + 1 largest leaves */
	/* state */
	bool *busy;      /* [hosts] */
	uint32_t *free;  /* [leaves] free hosts under each */
	uint32_t unused; /* free hosts in all */
};

/* Sets up a machine all of whose hosts are free. Returns 0, or -1. Call machine_clear() in either case. Time O(hosts + nodes). */
int machine_init(struct machine *machine, const struct fabric *fabric, const uint32_t *host, uint32_t hosts, struct error *error);
void machine_clear(struct machine *machine);

/* Takes a free host, or returns it. */
void machine_take(struct machine *machine, uint32_t host);
void machine_give(struct machine *machine, uint32_t host);

/* Returns the smallest number of leaves that hold so many hosts on an empty machine; tasks <= hosts. */
uint32_t machine_fewest_leaves(const struct machine *machine, uint32_t tasks);

#endif
