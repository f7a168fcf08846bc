/*
 * Two forms: our own, 'SUBMIT TASKS WORKLOAD [id=X] [estimate=S] [compute=S] [bytes=B] [priority=P] [weight=W]', and the Standard Workload
 * Format, version 2.2 (Feitelson and others: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html), 18 fields on a line.
 */
#include "patterns/graphs/queue_file.h"

#include "base/memory.h"
#include "base/name_table.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Seconds that engines can count, in picoseconds: 106 days. */
static const double TIME_MOST = 9223372;

/* Tasks of all jobs. */
static const int64_t TASKS_MOST = INT32_MAX;

/* Checks that engines can count the time of submission and the computation. Returns 0, or -1. */
static int check_times(const struct trace_file *file, const struct queued_job *job, const struct queue_work *work, struct error *error)
{
	return job->submit + work->compute < TIME_MOST
		       ? 0
		       : trace_error(file, error, "times are below %.0f seconds, 106 days; cut the file into parts", TIME_MOST);
}

/* Adds a job, whose workload becomes owned, with its id. Returns 0, or -1. */
static int add_job(
	struct queue_file *jobs, const struct queued_job *job, const struct queue_work *work, struct word id, struct error *error)
{
	struct job_queue *queue = jobs->queue;
	if (array_grow(&queue->job, &jobs->job_room, (size_t)queue->jobs + 1, sizeof *queue->job, error) ||
		array_grow(&jobs->work, &jobs->work_room, (size_t)queue->jobs + 1, sizeof *jobs->work, error) ||
		array_grow(&queue->names, &jobs->names_room, jobs->names + id.length + 1, 1, error)) {
		free(work->part.spec);
		return -1;
	}
	memcpy(queue->names + jobs->names, id.text, id.length);
	queue->names[jobs->names + id.length] = '\0';
	queue->job[queue->jobs] = *job;
	queue->job[queue->jobs].id = jobs->names;
	queue->job[queue->jobs].first = jobs->tasks;
	queue->job[queue->jobs].tasks = (uint32_t)work->part.tasks;
	jobs->work[queue->jobs++] = *work;
	jobs->names += id.length + 1;
	jobs->tasks += (uint32_t)work->part.tasks;
	return 0;
}

/* ---- lines of our own */

static int read_option(
	struct trace_file *file, struct word word, struct queued_job *job, struct queue_work *work, struct word *id, struct error *error)
{
	struct word value = word;
	int taken = part_option(file, word, &work->part, error);
	if (taken)
		return taken < 0 ? -1 : 0;
	if (word_has_key(&value, "id=") && value.length && !id->text) {
		*id = value;
		return 0;
	}
	if (word_has_key(&value, "estimate=") && job->estimate == 0)
		return trace_decimal(file, value, "estimate in seconds", &job->estimate, error) ? -1
		       : job->estimate > 0                                                      ? 0
					   : trace_error(file, error, "an estimate of 0 seconds; omit it if it is unknown");
	if (word_has_key(&value, "compute=") && work->compute < 0)
		return trace_decimal(file, value, "time of computing in seconds", &work->compute, error);
	return trace_wrong(file, word, "'id=X', 'estimate=S', 'compute=S', 'bytes=B', 'priority=P' or 'weight=W', each once", error);
}

static int read_line(struct trace_file *file, struct queue_file *jobs, struct error *error)
{
	struct queued_job job = {0};
	struct queue_work work = {.compute = -1, .part = part_begin(file)};
	struct word id = {0};
	char number[16];
	if (trace_decimal(file, trace_word(file, ""), "time of submission in seconds", &job.submit, error) ||
		part_read(file, &work.part, TRACE_TASKS_MAX, error))
		return -1;
	for (struct word word; !error->status && (word = trace_word(file, "")).text;)
		read_option(file, word, &job, &work, &id, error);
	work.compute = fmax(work.compute, 0);
	if (error->status || check_times(file, &job, &work, error)) {
		free(work.part.spec);
		return -1;
	}
	if (!id.text)
		id = (struct word){number, (size_t)snprintf(number, sizeof number, "%" PRIu32, jobs->queue->jobs)};
	if (!strcmp(work.part.spec, "null")) {
		free(work.part.spec);
		work.part.spec = NULL;
	}
	return add_job(jobs, &job, &work, id, error);
}

/* ---- the Standard Workload Format */

/* The fields that are used, by their number from 1. */
enum { SWF_JOB = 1, SWF_SUBMIT = 2, SWF_RUN = 4, SWF_ALLOCATED = 5, SWF_REQUESTED = 8, SWF_ESTIMATE = 9, SWF_FIELDS = 18 };

static bool is_swf(const char *path)
{
	static const char *const ends[] = {".swf", ".swf.gz", ".swf.xz", ".swf.zst", NULL};
	for (const char *const *end = ends; *end; end++)
		if (strlen(path) >= strlen(*end) && !strcmp(path + strlen(path) - strlen(*end), *end))
			return true;
	return false;
}

/* Reads the numbers of a line; *id is the first as text. Returns 0, or -1. */
static int read_fields(struct trace_file *file, double field[SWF_FIELDS + 1], struct word *id, struct error *error)
{
	for (int i = 1; i <= SWF_FIELDS; i++) {
		struct word word = trace_word(file, "");
		char copy[64];
		if (!word.text)
			return trace_error(file, error, "the line has %d of %d fields", i - 1, SWF_FIELDS);
		snprintf(copy, sizeof copy, "%.*s", (int)(word.length < sizeof copy ? word.length : 0), word.text);
		if (strlen(copy) != word.length || !read_number(copy, -DBL_MAX, DBL_MAX, &field[i]))
			return trace_wrong(file, word, "number", error);
		if (i == SWF_JOB)
			*id = word;
	}
	return trace_line_end(file, error);
}

static int read_log_line(struct trace_file *file, struct queue_file *jobs, struct error *error)
{
	double field[SWF_FIELDS + 1];
	struct word id;
	if (*file->next == ';')
		return 0;
	if (read_fields(file, field, &id, error))
		return -1;
	double tasks = field[SWF_ALLOCATED] > 0 ? field[SWF_ALLOCATED] : field[SWF_REQUESTED];
	if (field[SWF_RUN] < 0 || tasks <= 0) {
		jobs->left_out++;
		return 0;
	}
	if (field[SWF_SUBMIT] < 0)
		return trace_error(file, error, "the time of submission is negative");
	if (tasks != floor(tasks) || tasks > TRACE_TASKS_MAX)
		return trace_error(file, error, "%.15g processors are not a number of tasks up to %d", tasks, TRACE_TASKS_MAX);
	const struct queued_job job = {
		.submit = field[SWF_SUBMIT], .estimate = field[SWF_ESTIMATE] > 0 ? field[SWF_ESTIMATE] : fmax(field[SWF_RUN], 1)};
	struct queue_work work = {.compute = field[SWF_RUN], .part = part_begin(file)};
	work.part.tasks = (int64_t)tasks;
	return check_times(file, &job, &work, error) ? -1 : add_job(jobs, &job, &work, id, error);
}

/* ---- the file */

/* Checks that no two jobs have one id. Returns 0, or -1. */
static int check_ids(const struct queue_file *jobs, const char *path, struct error *error)
{
	const struct job_queue *queue = jobs->queue;
	struct name_table names;
	if (name_table_init(&names, queue->jobs, error))
		return -1;
	for (uint32_t i = 0; i < queue->jobs && !error->status; i++) {
		uint32_t other = name_table_add(&names, queued_id(queue, i), i);
		if (other != i)
			error_at(error, STATUS_USAGE, path, jobs->work[i].part.line, "job '%s' is already in line %lu", queued_id(queue, i),
				jobs->work[other].part.line);
	}
	name_table_clear(&names);
	return error->status ? -1 : 0;
}

int queue_file_read(struct queue_file *jobs, const char *path, struct error *error)
{
	struct trace_file file;
	int (*read)(struct trace_file *, struct queue_file *, struct error *) = is_swf(path) ? read_log_line : read_line;
	*jobs = (struct queue_file){.queue = array_create(1, sizeof *jobs->queue, error)};
	if (!jobs->queue)
		return -1;
	if (!trace_open(&file, path, error))
		while (trace_line(&file, error) && !read(&file, jobs, error))
			if (jobs->tasks > TASKS_MOST)
				trace_error(&file, error, "the jobs have more than %" PRId64 " tasks in all", TASKS_MOST);
	trace_close(&file);
	if (!jobs->queue->jobs && !error->status)
		error_at(error, STATUS_USAGE, path, 0, "the file has no jobs");
	return error->status ? -1 : check_ids(jobs, path, error);
}

void queue_file_clear(struct queue_file *jobs)
{
	for (uint32_t i = 0; jobs->queue && i < jobs->queue->jobs; i++)
		free(jobs->work[i].part.spec);
	free(jobs->work);
	job_queue_free(jobs->queue);
}
