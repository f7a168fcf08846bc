/* Any bytes as a trace of each form: refused in one line, or a graph that is in order. */
#include "memory_file.h"
#include "workload.h"

#include <math.h>
#include <string.h>

enum { TASKS_MAX = 64 };

static void check_error(const struct error *error)
{
	CHECK(error->status == STATUS_USAGE || error->status == STATUS_IO || error->status == STATUS_FABRIC);
	CHECK(*error->text && strlen(error->text) < sizeof error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

static void check_waits(const struct task_graph *graph, const uint64_t *first, const uint32_t *next, uint64_t *waits)
{
	if (!first)
		return;
	CHECK(first[0] == 0);
	for (uint32_t o = 0; o < graph->operations; o++) {
		CHECK(first[o] <= first[o + 1]);
		for (uint64_t i = first[o]; i < first[o + 1]; i++)
			CHECK(next[i] < graph->operations);
	}
	*waits += first[graph->operations];
}

static void check_graph(const struct task_graph *graph)
{
	uint64_t waits = 0, sum = 0;
	for (uint32_t o = 0; o < graph->operations; o++) {
		CHECK(graph->kind[o] <= OPERATION_BARRIER && graph->task[o] < graph->tasks && graph->receiver[o] < graph->tasks);
		CHECK(isfinite(graph->size[o]) && graph->size[o] >= 0);
		sum += graph->waits ? graph->waits[o] : 0;
	}
	check_waits(graph, graph->first, graph->next, &waits);
	check_waits(graph, graph->first_begun, graph->next_begun, &waits);
	CHECK(waits == sum);
}

static void read_trace(const char *form, const char *path, bool build)
{
	char spec[80];
	struct error error = {0};
	struct workload_task task = {.bytes = 1};
	struct task_graph *graph = NULL;
	snprintf(spec, sizeof spec, "%s:%s", form, path);
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = spec, .first_ranks = -1}, &error);
	CHECK(call);
	if (workload_count(call, &task.tasks, &error))
		check_error(&error);
	else if (build && task.tasks <= TASKS_MAX && !(graph = workload_graph(call, &task, &error)))
		check_error(&error);
	if (graph)
		check_graph(graph);
	task_graph_free(graph);
	workload_free(call);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	CHECK(freopen("/dev/null", "r", stdin)); /* a list may name it */
	read_trace("trace", memory.path, true);
	read_trace("goal", memory.path, true);
	read_trace("actions", memory.path, true);
	read_trace("jobs", memory.path, false); /* workloads of any size */
	memory_file_close(&memory);
	return 0;
}
