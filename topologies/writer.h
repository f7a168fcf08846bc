/* Writes the graph of a topology, see orcs-dot(5), node by node, without storing it. */
#ifndef TOPOLOGIES_WRITER_H
#define TOPOLOGIES_WRITER_H

#include "topologies/failures.h"
#include "topologies/topology.h"

#include <stdio.h>

enum { WRITER_VALUES_MAX = 16 };

/* A number for each tier of cables; the last one applies to all further tiers. */
struct tier_values {
	unsigned count; /* 0: not given */
	double value[WRITER_VALUES_MAX];
};

struct writing {
	const char *spec;
	bool tables;                       /* write forwarding sets, instead of the name of the routing function */
	bool positions;                    /* write positions of nodes in a picture, for neato -n */
	struct tier_values speed, latency; /* Gb/s, seconds */
	const struct failures *failures;   /* NULL: none; with failures, no tables */
};

/* Refuses a specification that cannot be written as the name of a graph. Returns 0, or -1. */
int writer_check(const char *spec, struct error *error);

/* Checks what writer_write() would refuse, before anything else is done. Returns 0, or -1 with STATUS_USAGE. */
int writer_fits(const struct writing *writing, const struct topology *topology, struct error *error);

/*
 * Writes the graph. Returns 0, or -1: tables of a topology without routing, or more values than tiers. A failing write ends it early, and
 * stays in the FILE. Time O(channels), with tables O(nodes hosts).
 */
int writer_write(const struct writing *writing, const struct topology *topology, FILE *file, struct error *error);

#endif
