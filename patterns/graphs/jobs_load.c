/* Jobs side by side, each with traffic of its own between its tasks: a share of the load, and a service level. */
#include "base/memory.h"
#include "fabric/service_levels.h"
#include "patterns/graphs/jobs_file.h"
#include "patterns/traffic.h"

#include <inttypes.h>
#include <stdlib.h>

struct open_job {
	struct traffic_call *traffic;
	uint32_t first; /* its first rank */
	uint8_t service_level;
	double share;
};

struct open_jobs {
	struct open_job *job; /* [jobs] */
	uint32_t jobs;
};

static void jobs_open_clear(struct traffic_call *call)
{
	struct open_jobs *open = call->data;
	for (uint32_t i = 0; open && i < open->jobs; i++)
		traffic_free(open->job[i].traffic);
	if (open)
		free(open->job);
}

/* Refuses what only a closed run has. */
static int check_job(const struct parallel_job *job, const char *path, struct error *error)
{
	const char *what = job->arrival > 0          ? "an arrival after 0"
			   : job->part.bytes >= 0    ? "bytes="
			   : job->part.priority >= 0 ? "priority="
			   : job->part.weight > 0    ? "weight="
						     : NULL;
	return what ? error_at(error, STATUS_USAGE, path, job->part.line, "%s is not possible with --load and --saturation", what) : 0;
}

static int add_job(struct traffic_call *call, const struct parallel_job *job, uint32_t number, uint32_t first, struct error *error)
{
	struct open_jobs *open = call->data;
	struct traffic_setup setup = call->setup;
	struct error own = {0};
	setup.ranks = (uint32_t)job->part.tasks;
	setup.host += first;
	setup.seed += number * UINT64_C(0x9e3779b97f4a7c15); /* as workload_inner() */
	struct open_job *added = &open->job[open->jobs];
	*added = (struct open_job){
		.traffic = traffic_create(job->part.spec, NULL, &setup, &own),
		.first = first,
		.service_level = job->part.service_level < 0 ? SERVICE_LEVEL_OF_PAIR : (uint8_t)job->part.service_level,
		.share = job->share > 0 ? job->share : 1,
	};
	if (!added->traffic)
		return error_at(error, own.status, call->args.value[0].text, job->part.line, "%s", own.text);
	open->jobs++;
	return 0;
}

static int jobs_open_setup(struct traffic_call *call, struct error *error)
{
	const char *path = call->args.value[0].text;
	struct open_jobs *open = call->data = array_create(1, sizeof *open, error);
	struct jobs jobs;
	uint32_t first = 0;
	jobs_file_read(&jobs, path, error);
	if (!error->status && jobs.tasks > call->setup.ranks)
		error_at(error, STATUS_USAGE, path, 0, "the jobs have %" PRIu32 " tasks in all, but there are %" PRIu32, jobs.tasks,
			call->setup.ranks);
	if (!error->status)
		open->job = array_create(jobs.count, sizeof *open->job, error);
	for (uint32_t i = 0; i < jobs.count && !error->status; i++) {
		if (!check_job(&jobs.list[i], path, error))
			add_job(call, &jobs.list[i], i, first, error);
		first += (uint32_t)jobs.list[i].part.tasks;
	}
	jobs_file_clear(&jobs);
	return error->status ? -1 : 0;
}

/* Returns the job of a rank; NULL: none. */
static const struct open_job *job_of(const struct traffic_call *call, uint32_t rank)
{
	const struct open_jobs *open = call->data;
	uint32_t low = 0, high = open->jobs;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		*(open->job[middle].first <= rank ? &low : &high) = middle;
	}
	const struct open_job *job = &open->job[low];
	return rank - job->first < job->traffic->setup.ranks ? job : NULL;
}

static uint32_t jobs_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	const struct open_job *job = job_of(call, source);
	uint32_t receiver = job ? traffic_receiver(job->traffic, source - job->first, word) : NONE;
	return receiver == NONE ? NONE : job->first + receiver;
}

static unsigned jobs_service_level(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	const struct open_job *job = job_of(call, source);
	if (!job || job->service_level != SERVICE_LEVEL_OF_PAIR)
		return job ? job->service_level : SERVICE_LEVEL_OF_PAIR;
	return traffic_service_level(job->traffic, source - job->first, word);
}

static uint32_t jobs_service_levels(const struct traffic_call *call)
{
	const struct open_jobs *open = call->data;
	uint32_t levels = 0;
	for (uint32_t i = 0; i < open->jobs; i++)
		levels |= open->job[i].service_level != SERVICE_LEVEL_OF_PAIR ? 1u << open->job[i].service_level
									      : traffic_service_levels(open->job[i].traffic);
	return levels;
}

static double jobs_share(const struct traffic_call *call, uint32_t source)
{
	const struct open_job *job = job_of(call, source);
	return job ? job->share : 1;
}

const struct pattern jobs_with_load = {
	.name = "jobs",
	.summary = "several traffics side by side, each on its own ranks, one per line of a file",
	.source = "orcs-traces(5)",
	.args = jobs_args,
	.count = jobs_file_count,
	.files = jobs_file_files,
	.levels_of_service = true,
	.open_setup = jobs_open_setup,
	.open_clear = jobs_open_clear,
	.receiver = jobs_receiver,
	.service_level = jobs_service_level,
	.service_levels = jobs_service_levels,
	.share = jobs_share,
};
