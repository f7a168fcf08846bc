#include "patterns/graphs/part.h"

#include "base/memory.h"
#include "patterns/graphs/pairing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct part part_begin(const struct trace_file *file)
{
	return (struct part){.bytes = -1, .priority = -1, .service_level = -1, .line = file->lines.number};
}

int part_read(struct trace_file *file, struct part *part, int64_t most, struct error *error)
{
	if (trace_integer(file, trace_word(file, ""), "number of tasks", most, &part->tasks, error))
		return -1;
	if (!part->tasks)
		return trace_error(file, error, "a job of no tasks");
	struct word spec = trace_word(file, "");
	if (!spec.text || word_nests(spec, "jobs:") || word_nests(spec, "queue:"))
		return trace_wrong(file, spec, "workload of a job", error);
	part->spec = strndup(spec.text, spec.length);
	return part->spec ? 0 : error_set(error, STATUS_IO, "out of memory");
}

int part_option(struct trace_file *file, struct word word, struct part *part, struct error *error)
{
	int failed;
	if (word_has_key(&word, "bytes=") && part->bytes < 0)
		failed = trace_size(file, word, &part->bytes, error);
	else if (word_has_key(&word, "priority=") && part->priority < 0)
		failed = trace_integer(file, word, "priority", UINT8_MAX, &part->priority, error);
	else if (word_has_key(&word, "weight=") && part->weight == 0)
		failed = trace_weight(file, word, &part->weight, error);
	else
		return 0;
	return failed ? -1 : 1;
}

int part_files(const struct part *part, struct files *files, struct error *error)
{
	return pattern_files(&(struct pattern_request){.spec = part->spec, .first_ranks = -1}, PATTERN_GRAPH, files, error);
}

/* ---- one graph of many */

/* Distances between tasks of a part. */
struct apart {
	const struct workload_task *whole;
	uint32_t first;
};

static uint32_t distance(const void *data, uint32_t task, uint32_t other)
{
	const struct apart *apart = data;
	return apart->whole->distance(apart->whole->data, apart->first + task, apart->first + other);
}

struct task_graph *part_graph(
	const struct part *part, uint32_t number, uint32_t first, const struct workload_task *whole, struct error *error)
{
	struct apart apart = {whole, first};
	struct workload_task own = workload_inner(whole, number, part->bytes);
	own.tasks = (uint32_t)part->tasks;
	own.processes = 0; /* the whole is what must fit into memory */
	own.distance = whole->distance ? distance : NULL;
	own.data = &apart;
	struct workload_call *call =
		workload_create(&(struct pattern_request){.spec = part->spec, .first_ranks = -1, .seed = own.seed}, error);
	struct task_graph *graph = NULL;
	uint32_t tasks;
	if (call && !workload_count(call, &tasks, error)) {
		if (tasks && tasks != part->tasks)
			error_set(error, STATUS_USAGE, "'%s' has %" PRIu32 " tasks, not %" PRId64, part->spec, tasks, part->tasks);
		else
			graph = workload_graph(call, &own, error);
	}
	workload_free(call);
	return graph;
}

uint32_t part_add(
	struct task_builder *builder, const struct task_graph *graph, uint32_t first, const struct part *part, const uint32_t *start)
{
	const struct embedding embedding = {first, start, part->priority, part->weight, part->service_level};
	return task_graph_add(builder, graph, &embedding);
}
