/* The null engine: messages take no time, so only the computations and dependencies of a task graph remain. */
#include "base/memory.h"
#include "engines/engine.h"
#include "engines/task_run.h"

#include <stdlib.h>

struct null {
	const struct engine_setup *setup;
	struct task_run run;
};

static void *create(const struct engine_setup *setup, struct error *error)
{
	struct null *n = array_create(1, sizeof *n, error);
	if (n)
		n->setup = setup;
	return n;
}

static void release(void *engine)
{
	struct null *n = engine;
	task_run_clear(&n->run);
	free(n);
}

/* Delays the operations that wait for this one until that time. */
static void hold(struct task_run *run, const uint64_t *first, const uint32_t *next, uint32_t operation, uint64_t time)
{
	uint64_t *begun = run->times.begun;
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		begun[next[i]] = begun[next[i]] > time ? begun[next[i]] : time;
}

/* Runs the operations one after another, each after its dependencies: no clock is needed. */
static enum run_status make_run(void *engine, const struct run_request *request, struct observation *seen, struct error *error)
{
	struct null *n = engine;
	struct task_run *run = &n->run;
	const struct task_graph *g = request->graph;
	uint64_t last = 0;
	if (task_run_start(run, g, request->host, error))
		return RUN_FAILED;
	for (uint32_t o; (o = task_run_next(run)) != NONE;) {
		bool lasts = g->kind[o] == OPERATION_COMPUTE || g->kind[o] == OPERATION_PAUSE;
		uint64_t begun = run->times.begun[o], ended = time_after(begun, lasts ? g->size[o] : 0, LONGEST_TIME);
		if (*n->setup->stop)
			return RUN_INTERRUPTED;
		if (ended == NEVER)
			return RUN_ENDLESS;
		hold(run, g->first_begun, g->next_begun, o, begun);
		hold(run, g->first, g->next, o, ended);
		task_run_begun(run, o);
		task_run_ended(run, o, ended);
		run->times.messages += flow_enters(g, request->host, o);
		last = ended > last ? ended : last;
	}
	run->times.end = last;
	seen->times = &run->times;
	seen->connections = run->times.messages;
	return RUN_OK;
}

static void explain(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error)
{
	(void)status, (void)source, (void)destination; /* no message needs a route: the run exceeds the longest time */
	engine_explain_endless(((const struct null *)engine)->setup, LONGEST_TIME, error);
}

const struct engine engine_null = {
	.name = "null",
	.summary = "delivers messages in no time",
	.metrics = "makespan",
	.takes = TAKES_GRAPH | TAKES_STORAGE,
	.gives = SEEN_TIMES,
	.create = create,
	.free = release,
	.run = make_run,
	.explain = explain,
};
