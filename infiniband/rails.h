/*
 * Machines and rails: which ports belong to the same machine, which rail each is, and on which rail's leaves they are. For dumps
 * (subnet_rails.h) and for graphs (infiniband/fabric_rails.h).
 */
#ifndef INFINIBAND_RAILS_H
#define INFINIBAND_RAILS_H

#include "base/error.h"
#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { RAIL_NAME_SIZE = 128 };

/* A cabled port of a channel adapter. */
struct rail {
	/* set by the caller */
	const char *desc;           /* node description of the adapter, borrowed; "" if there is none */
	uint64_t system_guid, guid; /* of the adapter; in graphs, guid is that of the port; 0: unknown */
	uint32_t port;              /* the caller's number of the port, below UINT32_MAX */
	uint32_t adapter;           /* the same for ports of one adapter */
	uint32_t place;             /* its number on the adapter */
	uint32_t leaf;              /* the switch at the other end; NONE: none */
	/* found */
	uint32_t machine; /* number of the machine: its lowest adapter */
	uint32_t number;  /* number of the rail within its machine, from 1 */
	uint32_t name;    /* the rail's name: name[name] */
};

struct rails {
	struct rail *rail; /* [count] by machine, then by device, place and GUID */
	uint32_t count;
	char (*name)[RAIL_NAME_SIZE]; /* [names] numbers by value */
	uint32_t names;
	uint32_t *owner; /* [leaves] the rail of the leaf, see rails_find(); NONE */
	uint32_t leaves;
};

/*
 * Finds machines and rails of the ports in rails->rail [count]; leaves: bound of their leaves.
 *
 * A machine is what descriptions name before the device at their end: "node 01 HCA-1" and "node 01 HCA-2". A name that occurs twice with
 * the same device and port is of several machines, and a description that names a product only is of none: then the system image GUID
 * identifies the machine, otherwise the adapter.
 *
 * A rail has the name of the device, "mlx5_3", with the place of a port other than the first, "mlx5_3/2"; without a device its number.
 * A leaf is of the rail that has 3/4 of those of its ports whose machines have several.
 *
 * Returns 0, or -1 if out of memory. Time O(count log count). Call rails_clear() in every case.
 */
int rails_find(struct rails *rails, uint32_t leaves, struct error *error);
void rails_clear(struct rails *rails);

/* Returns whether the port is on a leaf of another rail, while its own rail has leaves. i: index of rail. */
bool rails_astray(const struct rails *rails, uint32_t i);

/* Returns the port of the same machine with which this one, which is astray, is swapped: each is on a leaf of the other's rail. NONE: none.
 */
uint32_t rails_swapped(const struct rails *rails, uint32_t i);

/* Returns the number of rails that most ports have in their machine. Returns 0 without ports, or if out of memory. */
uint32_t rails_usual(const struct rails *rails, struct error *error);

/* Returns the rail of that name; NONE with STATUS_USAGE if there is none, or out of memory. */
uint32_t rails_named(const struct rails *rails, const char *name, struct error *error);

/* Writes a table: a line per rail, with its ports, its leaves and the ports on leaves of other rails. */
int rails_write(const struct rails *rails, FILE *file, struct error *error);

/* Returns the length of the machine's name at the beginning of a node description; 0 if it has none. */
size_t machine_length(const char *desc);

/* Compares names with the digits in them by value: node2 precedes node10. Returns < 0, 0 or > 0 as strcmp; 0 for equal names only. */
int compare_names(const char *a, const char *b);

#endif
