/* Faults and anomalies, by kind: their number, and the first ones. */
#ifndef TOOLS_CHECK_FAULTS_H
#define TOOLS_CHECK_FAULTS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum fault_kind {
	FAULT_NO_ENTRY,   /* pair: a node on the route has no entry */
	FAULT_LOOP,       /* pair: the route enters a node twice */
	FAULT_NO_PATH,    /* pair: no channels connect them */
	FAULT_LONGER,     /* pair: more hops than necessary; value: how many more */
	FAULT_ASYMMETRIC, /* pair: the opposite route uses other cables */
	FAULT_DISCARDED,  /* channel, value: the next channel; packets from one to the other are mapped to virtual lane 15 */
	FAULT_ONE_WAY,    /* channel: it has no opposite direction */
	FAULT_UNUSED,     /* channel between switches: no route uses it */
	FAULT_ASTRAY,     /* channel of a host, value: index of its rail; it leads to a leaf of another rail */
	FAULT_KINDS,
};

struct fault {
	uint32_t source, destination; /* host indices of pairs */
	uint32_t channel, value;
};

struct faults {
	uint64_t keep[FAULT_KINDS]; /* number of faults to keep */
	uint64_t count[FAULT_KINDS];
	struct fault *list[FAULT_KINDS];
	size_t listed[FAULT_KINDS], capacity[FAULT_KINDS];
};

/* Counts a fault, and keeps it if there is space. Returns 0, or -1 if out of memory. */
int faults_add(struct faults *faults, enum fault_kind kind, struct fault fault, struct error *error);
void faults_clear(struct faults *faults);

#endif
