#include "patterns/graphs/jobs_file.h"

#include "base/memory.h"
#include "fabric/service_levels.h"

#include <stdlib.h>

const struct arg jobs_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "jobs, one per line: 'ARRIVAL TASKS WORKLOAD [OPTION=VALUE]...'"},
	{.type = ARG_END},
};

void jobs_file_clear(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->list[i].part.spec);
	free(jobs->list);
}

/* Reads 'sl=L' or 'share=S', each once. Returns 1 if the word is one of these, 0 if not, -1 on errors. */
static int job_option(struct trace_file *file, struct word word, struct parallel_job *job, struct error *error)
{
	int failed;
	if (word_has_key(&word, "sl=") && job->part.service_level < 0)
		failed = trace_integer(file, word, "service level", SERVICE_LEVELS_MOST - 1, &job->part.service_level, error);
	else if (word_has_key(&word, "share=") && job->share == 0)
		failed = trace_decimal(file, word, "share of the load", &job->share, error) ||
			 (!(job->share >= WEIGHT_LEAST && job->share <= WEIGHT_MOST) &&
				 trace_wrong(file, word, "share of the load, 1e-6 to 1e6", error));
	else
		return 0;
	return failed ? -1 : 1;
}

static int read_job(struct trace_file *file, struct jobs *jobs, struct error *error)
{
	struct parallel_job job = {.part = part_begin(file)};
	int taken = 1;
	if (trace_decimal(file, trace_word(file, ""), "arrival time in seconds", &job.arrival, error) ||
		part_read(file, &job.part, TRACE_TASKS_MAX - jobs->tasks, error))
		return -1;
	for (struct word word; taken > 0 && (word = trace_word(file, "")).text;)
		if (!(taken = part_option(file, word, &job.part, error)) && !(taken = job_option(file, word, &job, error)))
			trace_wrong(file, word, "'bytes=B', 'priority=P', 'weight=W', 'sl=L' or 'share=S', each once", error);
	if (taken <= 0 || array_grow(&jobs->list, &jobs->capacity, jobs->count + 1, sizeof *jobs->list, error)) {
		free(job.part.spec);
		return -1;
	}
	jobs->list[jobs->count++] = job;
	jobs->tasks += (uint32_t)job.part.tasks;
	return 0;
}

int jobs_file_read(struct jobs *jobs, const char *path, struct error *error)
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

int jobs_file_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct jobs jobs;
	int result = jobs_file_read(&jobs, args[0].text, error);
	*tasks = jobs.tasks;
	jobs_file_clear(&jobs);
	return result;
}

int jobs_file_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct jobs jobs = {0};
	if (!trace_files(args, files, error))
		jobs_file_read(&jobs, args[0].text, error);
	for (size_t i = 0; i < jobs.count && !error->status; i++)
		part_files(&jobs.list[i].part, files, error);
	jobs_file_clear(&jobs);
	return error->status ? -1 : 0;
}
