/*
 * Several workloads at once, each on tasks of its own (jobs_file.h).
 */
#include "base/memory.h"
#include "patterns/graphs/pairing.h"
#include "patterns/graphs/jobs_file.h"
#include "patterns/traffic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Adds a pause until the arrival for every task. */
static void add_arrivals(struct task_builder *builder, const struct task_graph *graph, uint32_t first, double arrival, uint32_t *start)
{
	for (uint32_t task = 0; task < graph->tasks; task++)
		start[task] = arrival > 0 ? task_pause(builder, first + task, arrival) : OPERATION_NONE;
}

static int add_job(const struct parallel_job *job, uint32_t number, uint32_t first, const struct workload_task *task,
	struct task_builder *builder, struct error *error)
{
	struct task_graph *graph = part_graph(&job->part, number, first, task, error);
	uint32_t *start = graph ? array_create(graph->tasks, sizeof *start, error) : NULL;
	if (start) {
		task_level(builder, number);
		add_arrivals(builder, graph, first, job->arrival, start);
		part_add(builder, graph, first, &job->part, start);
	}
	free(start);
	task_graph_free(graph);
	return error->status ? -1 : 0;
}

static int jobs_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct jobs jobs;
	const char *path = task->args[0].text;
	uint32_t first = 0;
	jobs_file_read(&jobs, path, error);
	if (!error->status && jobs.tasks > task->tasks)
		error_at(error, STATUS_USAGE, path, 0, "the jobs have %" PRIu32 " tasks in all, but there are %" PRIu32, jobs.tasks,
			task->tasks);
	uint32_t *start = array_create(jobs.count, sizeof *start, error);
	for (uint32_t i = 0; i < jobs.count && !error->status; i++) {
		struct error own = {0};
		start[i] = first;
		if (add_job(&jobs.list[i], i, first, task, builder, &own))
			error_at(error, own.status, path, jobs.list[i].part.line, "%s", own.text);
		first += (uint32_t)jobs.list[i].part.tasks;
	}
	if (!error->status)
		task_jobs(builder, start, (uint32_t)jobs.count);
	free(start);
	jobs_file_clear(&jobs);
	return error->status ? -1 : 0;
}

const struct pattern pattern_jobs = {
	.name = "jobs",
	.summary = "several workloads at once, each on its own tasks, one per line of a file",
	.source = "orcs-traces(5)",
	.args = jobs_args,
	.drawn = true, /* a job can be drawn */
	.ordered = true,
	.count = jobs_file_count,
	.with_load = &jobs_with_load,
	.files = jobs_file_files,
	.build = jobs_build,
};
