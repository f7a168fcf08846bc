/* Which ports belong to one machine, and which of its rails each is. For subnet_graph.c. */
#ifndef INFINIBAND_SUBNET_RAILS_H
#define INFINIBAND_SUBNET_RAILS_H

#include "infiniband/subnet.h"

/* A cabled port of a channel adapter. */
struct rail {
	uint32_t port;
	uint32_t machine; /* numbers machines from 0 */
	uint32_t number;  /* of the rail within its machine, from 1 */
};

/*
 * Finds the machines and rails of the given ports and sorts them by machine and rail. A machine is what its node descriptions call it
 * without the device at the end ("node 01 HCA-1" and "node 01 HCA-2"); descriptions that only name a product tell nothing, then the system
 * image GUID or else the node itself is the machine. Rails are counted by device, port number and GUID. Returns 0, or -1.
 */
int subnet_rails(const struct subnet *subnet, struct rail *rail, uint32_t rails, struct error *error);

/* The length of the machine's name at the beginning of a node description; 0: it has none. */
size_t machine_length(const char *desc);

/* Compares names with the digits in them by value: node2 comes before node10. Returns < 0, 0 or > 0 as strcmp; 0 for equal names only. */
int compare_names(const char *a, const char *b);

#endif
