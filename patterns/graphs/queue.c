/*
 * Jobs that wait in a queue for hosts of their own, one per line of a file: see orcs-queue(5). A hold keeps the operations of each until a
 * scheduler starts it.
 */
#include "base/memory.h"
#include "patterns/graphs/pairing.h"
#include "patterns/graphs/queue_file.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct arg queue_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "jobs, one per line: 'SUBMIT TASKS WORKLOAD [id=X] [estimate=S] ...', or FILE.swf"},
	{.type = ARG_END},
};

/* Registers the jobs' own files too. */
static int queue_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct queue_file jobs = {0};
	if (!trace_files(args, files, error))
		queue_file_read(&jobs, args[0].text, error);
	for (uint32_t i = 0; !error->status && i < jobs.queue->jobs; i++)
		if (jobs.work[i].part.spec)
			part_files(&jobs.work[i].part, files, error);
	queue_file_clear(&jobs);
	return error->status ? -1 : 0;
}

/* Adds what the tasks of a job do between its hold and its release. */
static int add_workload(const struct queued_job *job, const struct queue_work *work, uint32_t number, const struct workload_task *task,
	struct task_builder *builder, struct error *error)
{
	struct task_graph *graph = part_graph(&work->part, number, 0, task, error);
	uint32_t *start = graph ? array_create(graph->tasks, sizeof *start, error) : NULL;
	for (uint32_t t = 0; start && t < graph->tasks; t++) {
		start[t] = work->compute > 0 ? task_compute(builder, job->first + t, work->compute) : job->hold;
		if (start[t] == job->hold)
			continue;
		task_after(builder, start[t], job->hold);
		task_after(builder, job->release, start[t]);
	}
	if (start)
		task_after_graph(builder, job->release, graph, part_add(builder, graph, job->first, &work->part, start));
	free(start);
	task_graph_free(graph);
	return error->status ? -1 : 0;
}

/* Adds a job. If it only computes, one task does so for all, which would end at the same time. */
static int add_job(struct queued_job *job, const struct queue_work *work, uint32_t number, const struct workload_task *task,
	struct task_builder *builder, struct error *error)
{
	if (job->tasks > task->tasks)
		return error_set(error, STATUS_USAGE, "the job has %" PRIu32 " tasks, but there %s %" PRIu32 " host%s", job->tasks,
			task->tasks == 1 ? "is" : "are", task->tasks, task->tasks == 1 ? "" : "s");
	task_level(builder, number);
	task_priority(builder, 0);
	task_weight(builder, 1);
	job->computes = !work->part.spec;
	job->hold = task_hold(builder, job->first);
	job->release = task_release(builder, job->first);
	task_after(builder, job->release, job->hold);
	if (job->submit > 0)
		task_after(builder, job->hold, task_pause(builder, job->first, job->submit));
	if (work->part.spec)
		return add_workload(job, work, number, task, builder, error);
	if (work->compute > 0) {
		uint32_t compute = task_compute(builder, job->first, work->compute);
		task_after(builder, compute, job->hold);
		task_after(builder, job->release, compute);
	}
	return 0;
}

static int queue_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct queue_file jobs;
	const char *path = task->args[0].text;
	if (queue_file_read(&jobs, path, error)) {
		queue_file_clear(&jobs);
		return -1;
	}
	struct job_queue *queue = jobs.queue;
	queue->left_out = jobs.left_out;
	task_queue(builder, queue, jobs.tasks);
	uint32_t *first = array_create(queue->jobs, sizeof *first, error);
	for (uint32_t i = 0; first && i < queue->jobs; i++)
		first[i] = queue->job[i].first;
	if (first)
		task_jobs(builder, first, queue->jobs);
	free(first);
	for (uint32_t i = 0; i < queue->jobs && !error->status && !task_builder_check(builder, error); i++) {
		struct error own = {0};
		if (add_job(&queue->job[i], &jobs.work[i], i, task, builder, &own))
			error_at(error, own.status, path, jobs.work[i].part.line, "%s", own.text);
	}
	for (uint32_t i = 0; i < queue->jobs; i++)
		free(jobs.work[i].part.spec);
	free(jobs.work);
	return error->status ? -1 : 0;
}

const struct pattern pattern_queue = {
	.name = "queue",
	.summary = "jobs that wait for hosts of their own, one per line of a file, or of a log (FILE.swf)",
	.source = "INRFlow paper 3.4",
	.args = queue_args,
	.drawn = true, /* a job can be drawn, and its hosts */
	.ordered = true,
	.queued = true,
	.files = queue_files,
	.build = queue_build,
};
