/* The graph of a topology, see orcs-dot(5): written node by node, none is kept. */
#ifndef TOPOLOGIES_WRITER_H
#define TOPOLOGIES_WRITER_H

#include "topologies/failures.h"
#include "topologies/topology.h"

#include <stdio.h>

enum { WRITER_VALUES_MAX = 16 };

/* A number for each tier of cables; the last holds for all further ones. */
struct tier_values {
	unsigned count; /* 0: not given */
	double value[WRITER_VALUES_MAX];
};

struct writing {
	const char *spec;
	bool tables;                       /* forwarding sets, in the place of the name of the routing function */
	bool positions;                    /* of nodes in a picture, for neato -n */
	struct tier_values speed, latency; /* Gb/s, seconds */
	const struct failures *failures;   /* NULL: none; then no tables */
};

/* Refuses a specification that no graph can keep as its name. Returns 0, or -1. */
int writer_check(const char *spec, struct error *error);

/*
 * Writes it. Returns 0, or -1: tables of a topology without routing, or more values than tiers. A write that fails ends
 * it early, and stays in the FILE. Time O(channels), with tables O(nodes hosts).
 */
int writer_write(const struct writing *writing, const struct topology *topology, FILE *file, struct error *error);

#endif
