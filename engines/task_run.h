/*
 * A task graph that runs: which operations may begin, which wait for how many others, and what became of each. The engine moves the time
 * and says when an operation begins and ends; an operation becomes ready when the last that it waits for has ended, or begun where that is
 * enough, and the ready ones begin first come, first served.
 */
#ifndef ENGINES_TASK_RUN_H
#define ENGINES_TASK_RUN_H

#include "fabric/fabric.h"
#include "engines/observation.h"

#include <math.h>

struct task_run {
	const struct task_graph *graph; /* NULL: none runs */
	const uint32_t *host;           /* [tasks] host indices */
	struct task_times times;        /* but for what channels carry, which is the engine's */
	uint32_t *waits;                /* [operations] for how many it still waits */
	uint32_t *ready;                /* [ready_end] operations; those before ready_first have begun */
	size_t ready_first, ready_end;
	uint64_t unfinished; /* operations */
	size_t begun_room, ended_room, alone_room, hops_room, lost_room, waits_room, ready_room;
};

/* Room for the graph, and everything as before its first operation; what waits for nothing is ready. Graph and host are borrowed, sent,
 * bottleneck and used of the times stay. Returns 0, or -1 without memory. task_run_clear() in every case. Time O(operations). */
int task_run_start(struct task_run *run, const struct task_graph *graph, const uint32_t *host, struct error *error);
void task_run_clear(struct task_run *run);

/* The message will not arrive, and counts as undelivered, once; it is the engine's to end it. Returns 0, or -1 without memory. */
int task_run_lose(struct task_run *run, uint32_t operation, struct error *error);

static inline bool task_run_lost(const struct task_run *run, uint32_t operation)
{
	return run->times.lost && run->times.lost[operation];
}

/* The operation that may begin next; NONE: none until another ends. It is the engine's to begin it. */
static inline uint32_t task_run_next(struct task_run *run)
{
	return run->ready_first < run->ready_end ? run->ready[run->ready_first++] : NONE;
}

/* Those that wait for something of the operation wait for one thing less. */
static inline void task_run_release(struct task_run *run, const uint64_t *first, const uint32_t *next, uint32_t operation)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--run->waits[next[i]])
			run->ready[run->ready_end++] = next[i];
}

/* What waits for the operation to begin goes on; its time is noted by the engine, in times.begun. */
static inline void task_run_begun(struct task_run *run, uint32_t operation)
{
	task_run_release(run, run->graph->first_begun, run->graph->next_begun, operation);
}

/* The operation ends now. */
static inline void task_run_ended(struct task_run *run, uint32_t operation, uint64_t now)
{
	run->times.ended[operation] = run->times.end = now;
	run->unfinished--;
	task_run_release(run, run->graph->first, run->graph->next, operation);
}

/* So many seconds after the time, in picoseconds; NEVER: past the longest time. */
static inline uint64_t time_after(uint64_t time, double seconds, uint64_t longest)
{
	if (!(seconds * PICOSECONDS < (double)longest))
		return NEVER;
	time += (uint64_t)llround(seconds * PICOSECONDS);
	return time <= longest ? time : NEVER;
}

#endif
