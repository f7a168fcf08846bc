/*
 * Chassis: switches in one case, such as the boards of a director. They are known by the names of boards, "MF0;core1:CS7500/L02/U1" (leaf
 * board 2, chip 1) and ".../S09/U1", by the attribute chassis, and by a system image GUID that several switches have but no host.
 */
#ifndef FABRIC_CHASSIS_H
#define FABRIC_CHASSIS_H

#include "base/error.h"
#include "fabric/attributes.h"
#include "fabric/fabric.h"

struct chassis {
	const char *name; /* [length] with which the names of its switches begin, or its GUID; borrowed from the fabric or the list */
	int length;
	uint32_t leaf_boards, spine_boards; /* 0: its switches do not have the names of boards */
	uint32_t switches;
	uint32_t first; /* its first switch in the fabric */
};

struct chassis_list {
	struct chassis *chassis; /* [count] by switches and boards, most first, then by name */
	uint32_t count;
	uint32_t *of; /* [nodes] NONE: none */
	char (*guid)[20];
};

/*
 * Finds the chassis of a fabric with labels; a chassis without the names of boards has at least two switches. attributes: NULL for none.
 * Returns 0, or -1 if out of memory; call chassis_clear() in every case. Time O(nodes log nodes).
 */
int chassis_find(struct chassis_list *list, const struct fabric *fabric, const struct attributes *attributes, struct error *error);
void chassis_clear(struct chassis_list *list);

/* Returns whether two chassis have equally many boards and switches. */
bool chassis_alike(const struct chassis *a, const struct chassis *b);

/* Returns the system image GUID of a node: graphs state it where it is not the GUID of the node. 0: unknown. Time O(attributes). */
uint64_t node_system_guid(const struct fabric *fabric, const struct attributes *attributes, uint32_t node);

#endif
