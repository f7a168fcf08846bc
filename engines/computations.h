/* The computations of the tasks, in time. */
#ifndef ENGINES_COMPUTATIONS_H
#define ENGINES_COMPUTATIONS_H

#include "engines/observation.h"

/*
 * Returns a new array of the run's computations as operations, ordered by task and, within a task, by their beginning; *count is their
 * number. NULL if out of memory. Time O(operations + computations log computations).
 */
uint32_t *computations_of(const struct task_times *times, size_t *count, struct error *error);

/*
 * Computes [tasks] for how many picoseconds each task computes, overlapping computations counted once, and for how many it communicates:
 * the rest, from the arrival of its job, or its start, until its last operation. Returns 0, or -1 if out of memory.
 */
int computations_split(const struct task_times *times, uint64_t *communicate, uint64_t *compute, struct error *error);

#endif
