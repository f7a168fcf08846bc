/* GUIDs of InfiniBand nodes, such that those of their ports follow by ibsim's rule: of a channel adapter the node's plus the number. */
#ifndef FABRIC_GUIDS_H
#define FABRIC_GUIDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { GUID_PORTS = 255 };

struct guid_node {
	uint64_t guid; /* 0: unknown */
	bool is_switch;
	unsigned ports;     /* their number */
	uint8_t cabled[32]; /* bits of the numbers of ports */
};

/* Notes that a port has a cable. */
void guid_node_cable(struct guid_node *node, unsigned number);

/*
 * Fills guid[count]: a node keeps its own if it fits, the others get new ones. Returns the number of new ones, NONE if out of memory. Time
 * O(ports).
 */
uint32_t guids_choose(const struct guid_node *node, uint32_t count, uint64_t *guid, struct error *error);

#endif
