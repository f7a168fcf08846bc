/* The groups of ports among which a switch chooses (adaptive routing), and the LIDs that it forwards so. */
#ifndef INFINIBAND_ADAPTIVE_GROUPS_H
#define INFINIBAND_ADAPTIVE_GROUPS_H

#include "base/error.h"
#include "infiniband/subnet.h"

#include <stdbool.h>
#include <stdint.h>

enum { ADAPTIVE_GROUP_LAST = 0xfffe, NO_ADAPTIVE_GROUP = 0xffff };

struct adaptive_groups {
	uint16_t of_lid[LID_LAST + 1]; /* NO_ADAPTIVE_GROUP: the table alone */
	uint64_t (*ports)[4];          /* [groups] a bit per port number */
	size_t groups;
};

/* Returns the groups of a node, created if new; NULL if out of memory. */
struct adaptive_groups *subnet_adaptive(struct subnet *subnet, uint32_t node, struct error *error);
void adaptive_groups_free(struct adaptive_groups *groups);

/* Adds a port to a group. Returns 0, or -1 if out of memory. */
int adaptive_groups_add(struct adaptive_groups *groups, uint32_t group, uint32_t port, struct error *error);

/* Lets the LID be forwarded by the ports of the group. */
void adaptive_groups_set(struct adaptive_groups *groups, unsigned lid, uint32_t group);

bool adaptive_groups_has(const struct adaptive_groups *groups, uint32_t group, uint32_t port);

/* Returns the lowest port of the group; LFT_NO_PORT: it has none. */
unsigned adaptive_groups_first(const struct adaptive_groups *groups, uint32_t group);

/* Returns whether the node forwards the LID by a group, which has this port. */
static inline bool adaptive_groups_forward(const struct adaptive_groups *groups, unsigned lid, uint32_t port)
{
	return groups->of_lid[lid] != NO_ADAPTIVE_GROUP && adaptive_groups_has(groups, groups->of_lid[lid], port);
}

#endif
