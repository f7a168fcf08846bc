#include "engines/task_run.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int task_run_start(struct task_run *run, const struct task_graph *graph, const uint32_t *host, struct error *error)
{
	struct task_times *t = &run->times;
	size_t count = graph->operations, room = count + 1;
	run->ready_first = run->ready_end = 0;
	if (array_grow(&t->begun, &run->begun_room, room, sizeof *t->begun, error) ||
		array_grow(&t->ended, &run->ended_room, room, sizeof *t->ended, error) ||
		array_grow(&t->zero_load, &run->zero_load_room, room, sizeof *t->zero_load, error) ||
		array_grow(&t->hops, &run->hops_room, room, sizeof *t->hops, error) ||
		array_grow(&run->waits, &run->waits_room, room, sizeof *run->waits, error) ||
		array_grow(&run->ready, &run->ready_room, room, sizeof *run->ready, error))
		return -1;
	free(t->lost);
	run->lost_room = 0;
	*t = (struct task_times){.begun = t->begun,
		.ended = t->ended,
		.zero_load = t->zero_load,
		.hops = t->hops,
		.sent = t->sent,
		.bottleneck = t->bottleneck,
		.used = t->used,
		.graph = graph,
		.host = host,
		.bin = 1};
	memset(t->begun, 0, count * sizeof *t->begun);
	memset(t->zero_load, 0, count * sizeof *t->zero_load);
	memset(t->hops, 0, count * sizeof *t->hops);
	if (graph->waits)
		memcpy(run->waits, graph->waits, count * sizeof *run->waits);
	run->graph = graph;
	run->host = host;
	run->unfinished = count;
	for (uint32_t o = 0; o < count; o++)
		if (!graph->waits || !graph->waits[o])
			run->ready[run->ready_end++] = o;
	return 0;
}

void task_run_clear(struct task_run *run)
{
	free(run->times.begun);
	free(run->times.ended);
	free(run->times.zero_load);
	free(run->times.hops);
	free(run->times.lost);
	free(run->waits);
	free(run->ready);
}

int task_run_lose(struct task_run *run, uint32_t operation, struct error *error)
{
	struct task_times *t = &run->times;
	if (!t->lost) {
		if (array_grow(&t->lost, &run->lost_room, run->graph->operations, sizeof *t->lost, error))
			return -1;
		memset(t->lost, 0, run->lost_room * sizeof *t->lost);
	}
	t->unroutable += !t->lost[operation];
	t->lost_transfers += !t->lost[operation] && is_transfer(run->graph, operation);
	t->lost[operation] = true;
	return 0;
}
