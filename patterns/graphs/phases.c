/*
 * Traffic divided into phases: its messages in their order, a fixed number at a time; a phase begins when all messages of the one before
 * have arrived. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.3, benchmarking patterns.
 */
#include "patterns/graphs/phase.h"
#include "patterns/workload.h"

#include <stdlib.h>
#include <string.h>

static const struct arg phases_args[] = {
	{"PATTERN,SIZE", ARG_TEXT, NULL, 0, 0, "a pattern or workload without an order of its own, and the number of messages per phase"},
	{.type = ARG_END},
};

/* Returns the graph of the pattern. NULL on errors. */
static struct task_graph *traffic_of(const char *spec, const struct workload_task *task, struct error *error)
{
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = spec, .first_ranks = -1, .seed = task->seed}, error);
	struct task_graph *graph = NULL;
	if (call && workload_ordered(call))
		error_set(error, STATUS_USAGE, "workload 'phases' requires a pattern without an order of its own, not '%s'", spec);
	else if (call)
		graph = workload_graph(call, task, error);
	workload_free(call);
	return graph;
}

static int phases_files(const struct arg_value *args, struct files *files, struct error *error)
{
	char *spec = strdup(args[0].text), *comma = spec ? strrchr(spec, ',') : NULL;
	if (comma) {
		*comma = '\0';
		pattern_files(&(struct pattern_request){.spec = spec, .first_ranks = -1}, PATTERN_GRAPH, files, error);
	}
	free(spec);
	return error->status ? -1 : 0;
}

static int build_phases(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	char *spec = strdup(task->args[0].text), *comma = spec ? strrchr(spec, ',') : NULL;
	struct task_graph *graph = NULL;
	int64_t size;
	if (!spec)
		error_set(error, STATUS_IO, "out of memory");
	else if (!comma || !read_integer(comma + 1, 1, UINT32_MAX, &size))
		error_set(error, STATUS_USAGE, "workload 'phases:%s' is not phases:PATTERN,SIZE with a SIZE of 1 or more messages", spec);
	else {
		*comma = '\0';
		graph = traffic_of(spec, task, error);
	}
	struct phase phase = {.builder = builder, .size = graph ? (uint32_t)size : 0};
	for (uint32_t i = 0; graph && i < graph->operations; i++)
		if (graph->kind[i] == OPERATION_MESSAGE)
			phase_message(&phase, graph->task[i], graph->receiver[i], graph->size[i]);
	task_graph_free(graph);
	free(spec);
	return error->status ? -1 : 0;
}

const struct pattern pattern_phases = {
	.name = "phases",
	.summary = "the messages of a pattern or of unordered traffic, SIZE at a time",
	.source = "INRFlow paper 3.3.3",
	.args = phases_args,
	.drawn = true,
	.ordered = true,
	.files = phases_files,
	.build = build_phases,
};
