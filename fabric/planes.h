/*
 * Planes: parts of a fabric without a cable between them, such as rails with switches of their own. Their hosts cannot reach one another.
 */
#ifndef FABRIC_PLANES_H
#define FABRIC_PLANES_H

#include "fabric/attributes.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"

struct planes {
	uint32_t *of;       /* [nodes] number of the node's plane, from 0 in the order of their first hosts; NONE: a part without hosts */
	uint32_t *hosts;    /* [planes] */
	uint32_t *switches; /* [planes] */
	uint32_t planes;
};

/* Finds the planes. Returns 0, or -1 if out of memory; call planes_clear() in every case. Time O(channels). */
int planes_find(struct planes *planes, const struct fabric *fabric, struct error *error);
void planes_clear(struct planes *planes);

/* Returns the number of planes with two hosts or more, the others having no pairs. */
uint32_t planes_of_pairs(const struct planes *planes);

/* Returns a new array [*count] of their numbers, from 1; NULL if out of memory. */
uint32_t *planes_list(const struct planes *planes, uint32_t *count, struct error *error);

/*
 * Finds the planes as planes_find(). *apart: whether several have two hosts or more, and the hosts of the placement, see placement_init(),
 * are on several. Returns 0, or -1 also as placement_init(); planes_clear() in every case.
 */
int planes_apart(struct planes *planes, const struct fabric *fabric, const char *subset, const char *mapping, uint32_t ranks, uint64_t seed,
	bool *apart, struct error *error);

/*
 * Replaces a fabric with labels, its tables and its attributes (each of the latter may be NULL) by one of its planes; all keep their order.
 * Returns 0, or -1: STATUS_IO, or STATUS_USAGE if there is no such plane or its routes are computed; then nothing is changed.
 */
int planes_take(uint32_t plane, struct fabric **fabric, struct forwarding **forwarding, struct attributes *attributes, struct error *error);

#endif
