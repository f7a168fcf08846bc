/* Any bytes as a trace of each form: refused in one line, or a graph that is in order. */
#include "task_graph_checks.h"
#include "base/files.h"

enum { TASKS_MAX = 64 };

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
		check_refused(&error, REFUSED_FABRIC);
	else if (build && task.tasks <= TASKS_MAX && !(graph = workload_graph(call, &task, &error)))
		check_refused(&error, REFUSED_FABRIC);
	if (graph)
		check_graph(graph);
	task_graph_free(graph);
	workload_free(call);
}

/* The lines of a queue, whose workloads can be of any size, too. */
static void read_queue(const char *path)
{
	char spec[80];
	struct error error = {0};
	struct files files = {0};
	snprintf(spec, sizeof spec, "queue:%s", path);
	if (pattern_files(&(struct pattern_request){.spec = spec, .first_ranks = -1}, PATTERN_QUEUE, &files, &error))
		check_refused(&error, REFUSED_FABRIC);
	files_clear(&files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	CHECK(freopen("/dev/null", "r", stdin)); /* a list may name it */
	read_trace("trace", memory.path, true);
	read_trace("goal", memory.path, true);
	read_trace("actions", memory.path, true);
	read_trace("matrix", memory.path, true);
	read_trace("jobs", memory.path, false); /* workloads of any size */
	read_trace("markov", memory.path, false);
	read_queue(memory.path);
	memory_file_close(&memory);
	return 0;
}
