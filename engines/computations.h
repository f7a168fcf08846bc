/* When tasks compute. */
#ifndef ENGINES_COMPUTATIONS_H
#define ENGINES_COMPUTATIONS_H

#include "engines/observation.h"

/* The computations of a run, by task and, of one task, by their beginning: a new array of their operations, *count of them. NULL if out of
 * memory. Time O(operations + computations log computations). */
uint32_t *computations_of(const struct task_times *times, size_t *count, struct error *error);

#endif
