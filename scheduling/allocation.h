/*
 * Allocations choose the hosts of a job that starts; job mappings place its tasks on them. To add an allocation: write NAME.c with one
 * const struct allocation at its bottom, and name it in table.c.
 */
#ifndef SCHEDULING_ALLOCATION_H
#define SCHEDULING_ALLOCATION_H

#include "base/random.h"
#include "scheduling/machine.h"

struct allocation {
	const char *name, *summary, *source;
	/* Writes so many free hosts of the machine to chosen, in any order, and takes them; there are enough. */
	void (*choose)(struct machine *machine, uint32_t tasks, struct random *random, uint32_t *chosen);
};

struct job_mapping {
	const char *name, *summary, *source;
	/* Puts the hosts of a job, which ascend, into the order of its tasks. */
	void (*order)(struct random *random, uint32_t *host, uint32_t tasks);
};

/* All of them, the default first; end with NULL. */
extern const struct allocation *const allocations[];
extern const struct job_mapping *const job_mappings[];

/* For allocations by leaves: takes the lowest free hosts of a leaf, so many of them, and writes them to chosen. */
void take_of_leaf(struct machine *machine, uint32_t leaf, uint32_t hosts, uint32_t *chosen);

#endif
