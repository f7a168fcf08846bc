/* Finds which ports belong to the same machine, and the rail number of each. For subnet_graph.c. */
#ifndef INFINIBAND_SUBNET_RAILS_H
#define INFINIBAND_SUBNET_RAILS_H

#include "infiniband/subnet.h"

/* A cabled port of a channel adapter. */
struct rail {
	uint32_t port;
	uint32_t machine; /* number of the machine, from 0 */
	uint32_t number;  /* number of the rail within its machine, from 1 */
};

/*
 * Finds the machines and rails of the given ports and sorts them by machine and rail. A machine is identified by its node descriptions
 * without the device at the end ("node 01 HCA-1" and "node 01 HCA-2"). Descriptions that only name a product do not identify it; the system
 * image GUID is used instead or, without one, the node itself. Rails are ordered by device, port number and GUID. Returns 0, or -1.
 */
int subnet_rails(const struct subnet *subnet, struct rail *rail, uint32_t rails, struct error *error);

/* Returns the length of the machine's name at the beginning of a node description; 0 if it has none. */
size_t machine_length(const char *desc);

/* Compares names with the digits in them by value: node2 precedes node10. Returns < 0, 0 or > 0 as strcmp; 0 for equal names only. */
int compare_names(const char *a, const char *b);

#endif
