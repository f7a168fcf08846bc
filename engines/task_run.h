/*
 * The state of a task graph during a run: the operations that may begin, the number of dependencies each still waits for, and the results.
 * The engine advances the time and reports the beginning and the end of each operation. An operation becomes ready when its last dependency
 * has ended, or begun if that suffices; ready operations begin first come, first served.
 */
#ifndef ENGINES_TASK_RUN_H
#define ENGINES_TASK_RUN_H

#include "fabric/fabric.h"
#include "engines/observation.h"

#include <math.h>

struct task_run {
	const struct task_graph *graph; /* NULL: not running */
	const uint32_t *host;           /* [tasks] host indices */
	struct task_times times;        /* complete except for the loads of channels, which the engine adds */
	uint32_t *waits;                /* [operations] number of dependencies it still waits for */
	uint32_t *ready;                /* [ready_end] ready operations; those before ready_first have begun */
	size_t ready_first, ready_end;
	uint64_t unfinished; /* number of unfinished operations */
	size_t begun_room, ended_room, zero_load_room, hops_room, lost_room, waits_room, ready_room;
};

/*
 * Allocates for the graph and sets the state before its first operation; operations without dependencies are ready. Graph and host are
 * borrowed; sent, bottleneck and used of the times are unchanged. Returns 0, or -1 if out of memory. Call task_run_clear() in either case.
 * Time O(operations).
 */
int task_run_start(struct task_run *run, const struct task_graph *graph, const uint32_t *host, struct error *error);
void task_run_clear(struct task_run *run);

/* Counts the message as undelivered, once; the engine ends the operation. Returns 0, or -1 if out of memory. */
int task_run_lose(struct task_run *run, uint32_t operation, struct error *error);

static inline bool task_run_lost(const struct task_run *run, uint32_t operation)
{
	return run->times.lost && run->times.lost[operation];
}

/* Returns the next operation that may begin, which the engine must begin; NONE: none until another ends. */
static inline uint32_t task_run_next(struct task_run *run)
{
	return run->ready_first < run->ready_end ? run->ready[run->ready_first++] : NONE;
}

/* Removes one dependency from each operation in the list of the operation. */
static inline void task_run_release(struct task_run *run, const uint64_t *first, const uint32_t *next, uint32_t operation)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--run->waits[next[i]])
			run->ready[run->ready_end++] = next[i];
}

/* Releases the operations that wait for the beginning of this one; the engine sets times.begun. */
static inline void task_run_begun(struct task_run *run, uint32_t operation)
{
	task_run_release(run, run->graph->first_begun, run->graph->next_begun, operation);
}

/* Ends the operation now. */
static inline void task_run_ended(struct task_run *run, uint32_t operation, uint64_t now)
{
	run->times.ended[operation] = run->times.end = now;
	run->unfinished--;
	task_run_release(run, run->graph->first, run->graph->next, operation);
}

/* Returns the time plus seconds, in picoseconds; NEVER if that is after the longest time. */
static inline uint64_t time_after(uint64_t time, double seconds, uint64_t longest)
{
	if (!(seconds * PICOSECONDS < (double)longest))
		return NEVER;
	time += (uint64_t)llround(seconds * PICOSECONDS);
	return time <= longest ? time : NEVER;
}

#endif
