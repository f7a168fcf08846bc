/* A dot fabric as an InfiniBand subnet: what the graph does not tell is made, as a simulated subnet needs it. */
#ifndef INFINIBAND_SUBNET_DOT_H
#define INFINIBAND_SUBNET_DOT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"
#include "infiniband/subnet.h"

/*
 * Reads a dot graph, routed or not, into a new subnet. Hosts become channel adapters: their GUID (attribute, else the 16 hexadecimal digits
 * of the name) is that of the port, their node's is that less the port's number, and two with the same description and node are two ports
 * of one. Numbers of ports and LIDs that are missing are given in the order of the file, from 1; a missing reverse direction of a channel
 * too. Widths and speeds that are no InfiniBand link stay unknown, and GUIDs that are missing. The id of a node is its name. Returns NULL
 * on errors: STATUS_IO, STATUS_FABRIC. Time O(channels * ports + switches * hosts).
 */
struct subnet *subnet_of_dot(const char *path, struct error *error);

/* Reads a source of any form, which is open. files (NULL: nobody) takes note of what dumps include, and must live as long as the subnet
 * reads. Returns NULL on errors. */
struct subnet *subnet_load(const struct fabric_source *source, struct files *files, struct error *error);

#endif
