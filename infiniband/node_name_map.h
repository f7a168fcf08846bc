/* Names of nodes by their GUIDs, from a file as the tools of infiniband-diags have it: a line 0x0002c90300001234 "name" each, # begins a
 * comment. They take the place of the node descriptions. */
#ifndef INFINIBAND_NODE_NAME_MAP_H
#define INFINIBAND_NODE_NAME_MAP_H

#include "base/error.h"
#include "fabric/attributes.h"
#include "infiniband/subnet.h"

/* Names the nodes of a subnet, by the GUID of the node or of a port. Returns 0, or -1: also STATUS_FABRIC for what is no such line. Time
 * O((entries + ports) log entries). */
int node_name_map_subnet(const char *path, struct subnet *subnet, struct error *error);

/* Gives the nodes of a fabric with GUIDs these descriptions, also in its attributes, which may be NULL and may not be used longer than the
 * fabric. *named: how many. Returns as above. */
int node_name_map_fabric(const char *path, struct fabric *fabric, struct attributes *attributes, uint32_t *named, struct error *error);

#endif
