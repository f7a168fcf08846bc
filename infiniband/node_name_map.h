/*
 * Reads names of nodes by GUID, from a file in the format of infiniband-diags: lines of 0x0002c90300001234 "name"; # begins a comment. The
 * names replace the node descriptions.
 */
#ifndef INFINIBAND_NODE_NAME_MAP_H
#define INFINIBAND_NODE_NAME_MAP_H

#include "base/error.h"
#include "fabric/attributes.h"
#include "infiniband/subnet.h"

/*
 * Names the nodes of a subnet, by the GUID of the node or of a port. Returns 0, or -1, also with STATUS_FABRIC for a malformed line. Time
 * O((entries + ports) log entries).
 */
int node_name_map_subnet(const char *path, struct subnet *subnet, struct error *error);

/*
 * Gives these descriptions to the nodes of a fabric with GUIDs, also in its attributes, which may be NULL and must not be used after the
 * fabric is freed. *named: number of nodes named. Returns 0, or -1, also with STATUS_FABRIC for a malformed line.
 */
int node_name_map_fabric(const char *path, struct fabric *fabric, struct attributes *attributes, uint32_t *named, struct error *error);

#endif
