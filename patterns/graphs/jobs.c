/*
 * Several workloads at once, each on tasks of its own, one per line: 'ARRIVAL TASKS WORKLOAD [bytes=B] [priority=P] [weight=W]', see
 * orcs-traces(5).
 */
#include "base/memory.h"
#include "patterns/workload.h"

#include "patterns/graphs/pairing.h"
#include "patterns/graphs/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct arg jobs_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "jobs, one per line: 'ARRIVAL TASKS WORKLOAD [bytes=B] [priority=P] [weight=W]'"},
	{.type = ARG_END},
};

struct parallel_job {
	double arrival, bytes;   /* bytes < 0: the default */
	double weight;           /* 0: the workload's own */
	int64_t tasks, priority; /* priority < 0: the workload's own */
	char *spec;
	unsigned long line;
};

struct jobs {
	struct parallel_job *list;
	size_t count, capacity;
	uint32_t tasks;
};

static void jobs_clear(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->list[i].spec);
	free(jobs->list);
}

static int read_option(struct trace_file *file, struct word word, struct parallel_job *job, struct error *error)
{
	struct word value = word;
	if (word_has_key(&value, "bytes=") && job->bytes < 0)
		return trace_size(file, value, &job->bytes, error);
	if (word_has_key(&value, "priority=") && job->priority < 0)
		return trace_integer(file, value, "priority", UINT8_MAX, &job->priority, error);
	if (word_has_key(&value, "weight=") && job->weight == 0)
		return trace_weight(file, value, &job->weight, error);
	return trace_wrong(file, word, "'bytes=B', 'priority=P' or 'weight=W', each once", error);
}

static int read_job(struct trace_file *file, struct jobs *jobs, struct error *error)
{
	static const char nested[] = "jobs:";
	struct parallel_job job = {.bytes = -1, .priority = -1, .line = file->lines.number};
	if (trace_decimal(file, trace_word(file, ""), "arrival time in seconds", &job.arrival, error) ||
		trace_integer(file, trace_word(file, ""), "number of tasks", TRACE_TASKS_MAX - jobs->tasks, &job.tasks, error))
		return -1;
	if (!job.tasks)
		return trace_error(file, error, "a job of no tasks");
	struct word spec = trace_word(file, "");
	if (!spec.text || (spec.length >= strlen(nested) && !memcmp(spec.text, nested, strlen(nested))))
		return trace_wrong(file, spec, "workload of a job", error);
	for (struct word word; (word = trace_word(file, "")).text;)
		if (read_option(file, word, &job, error))
			return -1;
	job.spec = strndup(spec.text, spec.length);
	if (!job.spec)
		return error_set(error, STATUS_IO, "out of memory");
	if (array_grow(&jobs->list, &jobs->capacity, jobs->count + 1, sizeof *jobs->list, error)) {
		free(job.spec);
		return -1;
	}
	jobs->list[jobs->count++] = job;
	jobs->tasks += (uint32_t)job.tasks;
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
		pattern_files(&(struct pattern_request){.spec = jobs.list[i].spec, .first_ranks = -1}, PATTERN_GRAPH, files, error);
	jobs_clear(&jobs);
	return error->status ? -1 : 0;
}

/* ---- one graph of many */

/* Distances between tasks of a job. */
struct apart {
	const struct workload_task *all;
	uint32_t first;
};

static uint32_t distance(const void *data, uint32_t task, uint32_t other)
{
	const struct apart *apart = data;
	return apart->all->distance(apart->all->data, apart->first + task, apart->first + other);
}

static struct task_graph *job_graph(
	const struct parallel_job *job, uint32_t number, uint32_t first, const struct workload_task *task, struct error *error)
{
	struct apart apart = {task, first};
	/* job 0 draws the same numbers as alone, every other job different ones: the factor is that of Weyl's sequence of splitmix64 */
	struct workload_task own = {
		.tasks = (uint32_t)job->tasks,
		.bytes = job->bytes < 0 ? task->bytes : job->bytes,
		.sync = task->sync,
		.seed = task->seed + number * UINT64_C(0x9e3779b97f4a7c15),
		.run = task->run,
		.stop = task->stop,
		.distance = task->distance ? distance : NULL,
		.data = &apart,
	};
	struct workload_call *call =
		workload_create(&(struct pattern_request){.spec = job->spec, .first_ranks = -1, .seed = own.seed}, error);
	struct task_graph *graph = NULL;
	uint32_t tasks;
	if (call && !workload_count(call, &tasks, error)) {
		if (tasks && tasks != job->tasks)
			error_set(error, STATUS_USAGE, "'%s' has %" PRIu32 " tasks, not %" PRId64, job->spec, tasks, job->tasks);
		else
			graph = workload_graph(call, &own, error);
	}
	workload_free(call);
	return graph;
}

/* Adds a pause until the arrival for every task. */
static void add_arrivals(struct task_builder *builder, const struct task_graph *graph, uint32_t first, double arrival, uint32_t *start)
{
	for (uint32_t task = 0; task < graph->tasks; task++)
		start[task] = arrival > 0 ? task_pause(builder, first + task, arrival) : OPERATION_NONE;
}

static uint32_t add_operation(struct task_builder *builder, const struct task_graph *graph, uint32_t first, uint32_t o)
{
	uint32_t task = first + graph->task[o];
	switch (graph->kind[o]) {
	case OPERATION_MESSAGE: return task_message(builder, task, first + graph->receiver[o], graph->size[o]);
	case OPERATION_COMPUTE: return task_compute(builder, task, graph->size[o]);
	case OPERATION_READ: return task_read(builder, task, graph->size[o]);
	case OPERATION_WRITE: return task_write(builder, task, graph->size[o]);
	case OPERATION_BARRIER: return task_barrier(builder, task);
	default: return task_join(builder, task);
	}
}

/* Adds the operations of a job in their order, so that the number of each follows from that of the first. */
static void add_graph(
	struct task_builder *builder, const struct task_graph *graph, uint32_t first, const struct parallel_job *job, const uint32_t *start)
{
	uint32_t base = 0;
	for (uint32_t o = 0; o < graph->operations; o++) {
		task_priority(builder, job->priority >= 0 ? (uint8_t)job->priority : graph->priority ? graph->priority[o] : 0);
		task_weight(builder, job->weight > 0 ? job->weight : graph->weight ? graph->weight[o] : 1);
		uint32_t operation = add_operation(builder, graph, first, o);
		base = o ? base : operation;
		if ((!graph->waits || !graph->waits[o]) && start[graph->task[o]] != OPERATION_NONE)
			task_after(builder, operation, start[graph->task[o]]);
	}
	for (uint32_t o = 0; o < graph->operations; o++) {
		for (uint64_t i = graph->first ? graph->first[o] : 0; graph->first && i < graph->first[o + 1]; i++)
			task_after(builder, base + graph->next[i], base + o);
		for (uint64_t i = graph->first_begun ? graph->first_begun[o] : 0; graph->first_begun && i < graph->first_begun[o + 1]; i++)
			task_after_begun(builder, base + graph->next_begun[i], base + o);
	}
}

static int add_job(const struct parallel_job *job, uint32_t number, uint32_t first, const struct workload_task *task,
	struct task_builder *builder, struct error *error)
{
	struct task_graph *graph = job_graph(job, number, first, task, error);
	uint32_t *start = graph ? array_create(graph->tasks, sizeof *start, error) : NULL;
	if (start) {
		task_level(builder, number);
		add_arrivals(builder, graph, first, job->arrival, start);
		add_graph(builder, graph, first, job, start);
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
			error_at(error, own.status, path, jobs.list[i].line, "%s", own.text);
		first += (uint32_t)jobs.list[i].tasks;
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
