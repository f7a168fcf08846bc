/* Any bytes as a log of NCCL, or as records of its Inspector: refused in one line, or a graph that is in order. */
#include "target.h"
#include "task_graph_checks.h"
#include "patterns/workload.h"

enum { TASKS_MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	struct error error = {0};
	struct workload_task task = {.bytes = 1};
	struct task_graph *graph = NULL;
	char spec[80];
	snprintf(spec, sizeof spec, "nccl:%s", memory.path);
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = spec, .first_ranks = -1}, &error);
	CHECK(call);
	if (!workload_count(call, &task.tasks, &error) && task.tasks <= TASKS_MOST)
		graph = workload_graph(call, &task, &error);
	if (graph)
		check_graph(graph);
	else if (error.status)
		check_refused(&error, REFUSED_FABRIC);
	task_graph_free(graph);
	workload_free(call);
	memory_file_close(&memory);
	return 0;
}
