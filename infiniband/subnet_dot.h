/* Turns a dot fabric into an InfiniBand subnet: properties missing in the graph are generated, as a simulated subnet needs them. */
#ifndef INFINIBAND_SUBNET_DOT_H
#define INFINIBAND_SUBNET_DOT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"
#include "infiniband/subnet.h"

/*
 * Reads a dot graph, routed or not, into a new subnet. Hosts become channel adapters: their GUID (attribute, otherwise the 16 hexadecimal
 * digits of the name) is that of the port; the node GUID is that GUID minus the port's number; two hosts with the same description and node
 * are two ports of one adapter. Missing port numbers and LIDs are assigned in the order of the file, from 1; a missing reverse direction of
 * a channel is added. Widths and speeds that do not exist in InfiniBand, and missing GUIDs, stay unknown. The id of a node is its name.
 * Without tables, switches have none. Returns NULL on errors: STATUS_IO, STATUS_FABRIC. Time O(channels * ports), with tables and
 * switches * hosts.
 */
struct subnet *subnet_of_dot(const char *path, bool tables, struct error *error);

/*
 * Reads an open source of any format. tables: those of a graph are read, too. files (NULL: none) registers the files that dumps include,
 * and must live while the subnet is read. Returns NULL on errors.
 */
struct subnet *subnet_load(const struct fabric_source *source, struct files *files, bool tables, struct error *error);

#endif
