/*
 * Several workloads at once, each on tasks of its own, one per line: 'ARRIVAL TASKS WORKLOAD [bytes=B] [priority=P] [weight=W]', see
 * orcs-traces(5).
 */
#include "base/memory.h"
#include "patterns/graphs/pairing.h"
#include "patterns/graphs/part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct arg jobs_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "jobs, one per line: 'ARRIVAL TASKS WORKLOAD [bytes=B] [priority=P] [weight=W]'"},
	{.type = ARG_END},
};

struct parallel_job {
	double arrival;
	struct part part;
};

struct jobs {
	struct parallel_job *list;
	size_t count, capacity;
	uint32_t tasks;
};

static void jobs_clear(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->list[i].part.spec);
	free(jobs->list);
}

static int read_job(struct trace_file *file, struct jobs *jobs, struct error *error)
{
	struct parallel_job job = {.part = part_begin(file)};
	int taken = 1;
	if (trace_decimal(file, trace_word(file, ""), "arrival time in seconds", &job.arrival, error) ||
		part_read(file, &job.part, TRACE_TASKS_MAX - jobs->tasks, error))
		return -1;
	for (struct word word; taken > 0 && (word = trace_word(file, "")).text;)
		if (!(taken = part_option(file, word, &job.part, error)))
			trace_wrong(file, word, "'bytes=B', 'priority=P' or 'weight=W', each once", error);
	if (taken <= 0 || array_grow(&jobs->list, &jobs->capacity, jobs->count + 1, sizeof *jobs->list, error)) {
		free(job.part.spec);
		return -1;
	}
	jobs->list[jobs->count++] = job;
	jobs->tasks += (uint32_t)job.part.tasks;
	return 0;
}

/* Reads the jobs. Returns 0, or -1; call jobs_clear() in either case. */
static int read_jobs(struct jobs *jobs, const char *path, struct error *error)
{
	struct trace_file file;
	*jobs = (struct jobs){0};
	if (!trace_open(&file, path, error))
		while (trace_line(&file, error) && !read_job(&file, jobs, error))
			;
	trace_close(&file);
	if (!jobs->count && !error->status)
		error_at(error, STATUS_USAGE, path, 0, "the file has no jobs");
	return error->status ? -1 : 0;
}

static int jobs_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct jobs jobs;
	int result = read_jobs(&jobs, args[0].text, error);
	*tasks = jobs.tasks;
	jobs_clear(&jobs);
	return result;
}

/* Registers the jobs' own files too. */
static int jobs_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct jobs jobs = {0};
	if (!trace_files(args, files, error))
		read_jobs(&jobs, args[0].text, error);
	for (size_t i = 0; i < jobs.count && !error->status; i++)
		part_files(&jobs.list[i].part, files, error);
	jobs_clear(&jobs);
	return error->status ? -1 : 0;
}

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
	read_jobs(&jobs, path, error);
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
	jobs_clear(&jobs);
	return error->status ? -1 : 0;
}

const struct pattern pattern_jobs = {
	.name = "jobs",
	.summary = "several workloads at once, each on its own tasks, one per line of a file",
	.source = "orcs-traces(5)",
	.args = jobs_args,
	.drawn = true, /* a job can be drawn */
	.ordered = true,
	.count = jobs_count,
	.files = jobs_files,
	.build = jobs_build,
};
