/* Resolves the statements of the dumps: owners of LIDs, connected components, contradictions. For subnet_graph.c. */
#ifndef INFINIBAND_SUBNET_RESOLVE_H
#define INFINIBAND_SUBNET_RESOLVE_H

#include "infiniband/subnet.h"

/* Gives ports the LIDs that the tables claim for them. Returns 0, or -1 if out of memory. Time O(nodes + claims). */
int subnet_resolve_lids(struct subnet *subnet, struct error *error);

/* Gives switches and hosts without a LID the LID that the switch's table sends to them. Time O(hosts * LIDs). */
void subnet_infer_lids(struct subnet *subnet);

/*
 * Numbers the connected components: *component is new, [ports]. Returns 0, or -1 (*component must be freed in either case). Time O(ports).
 */
int subnet_components(const struct subnet *subnet, uint32_t **component, uint32_t *components, struct error *error);

/* Counts contradictions between LIDs. Returns 0, or -1. Time O(components * LIDs + switches * LIDs). */
int subnet_check_lids(struct subnet *subnet, const uint32_t *component, uint32_t components, struct error *error);

/*
 * Copies port and system image GUIDs, devices, descriptions, widths and speeds from the subnet as it was before it was rewritten for a
 * simulator; nodes are matched by GUID, otherwise by description. Returns 0, or -1.
 */
int subnet_restore(struct subnet *subnet, const struct subnet *original, struct error *error);

/* Writes "'node 01 HCA-1' port 1" for messages into text and returns it. */
enum { PORT_NAME_SIZE = 1100 };
const char *subnet_port_name(const struct subnet *subnet, uint32_t port, char text[PORT_NAME_SIZE]);

#endif
