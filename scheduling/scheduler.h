/*
 * Schedulers: which of the waiting jobs start. To add one: write NAME.c with one const struct scheduler at its bottom, and name it in
 * table.c.
 */
#ifndef SCHEDULING_SCHEDULER_H
#define SCHEDULING_SCHEDULER_H

#include "scheduling/schedule.h"

struct scheduler {
	const char *name, *summary, *source;
	/* Starts jobs by schedule_start(), after jobs were submitted or have ended. Returns 0, or -1 if out of memory. */
	int (*pass)(struct schedule *schedule, struct error *error);
};

/* All schedulers, the default first; ends with NULL. */
extern const struct scheduler *const schedulers[];

/* Returns whether the job fits on the free hosts. */
static inline bool fits_now(const struct schedule *s, uint32_t job)
{
	return s->needs[job] <= s->machine.unused;
}

/* Starts the first waiting jobs while they fit. */
void start_first(struct schedule *schedule);

/* A running job's hosts, and when they are expected to be free. */
struct expected {
	uint64_t end; /* UINT64_MAX: unknown */
	uint32_t tasks;
};

/*
 * Returns the expected ends of the running jobs, ascending: start + k * estimate, with the smallest k that makes it later than now.
 * Borrowed until the next call. NULL if out of memory.
 */
const struct expected *expect_ends(struct schedule *schedule, struct error *error);

/* Removes the started jobs from the waiting ones. Time O(waiting). */
void forget_started(struct schedule *schedule);

#endif
