/* orcs: options -> fabric -> runs -> report. */
#include "base/signals.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "orcs/job_planes.h"
#include "orcs/lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Sets the streams for notes: process 0 alone writes more than errors. */
static void speak(struct job *job)
{
	bool first = !comm_rank(job->comm);
	job->stop = &stop_signal;
	peers_init(&job->peers, job->comm);
	job->log = stderr;
	job->notes = first && !job->options.quiet ? stderr : NULL;
	job->verbose = first && job->options.verbose ? stderr : NULL;
	job->terminal = first && terminal_read(STDOUT_FILENO) ? stdout : NULL;
}

/* Prepares a job and makes its runs. Collective. Returns 0, or -1. */
static int make_runs(struct job *job, struct error *error)
{
	if (job_ready(job, error))
		return -1;
	catch_signals(true); /* a second signal ends the program at once */
	return job_run(job, error);
}

static void run_parts(struct job *job, struct error *error)
{
	if (!comm_rank(job->comm))
		files_write(&job->files, &job->output, job->options.output, error);
	if (comm_agree(job->comm, error))
		return;
	for (uint32_t i = 0; i < job->parts; i++) {
		struct job *part = &job->part[i];
		speak(part);
		if (part->verbose)
			fprintf(part->verbose, "plane %" PRIu32 ":\n", part->plane);
		if (job_prepare(part, error) || make_runs(part, error)) {
			job_name_plane(part, error);
			return;
		}
	}
	if (!comm_rank(job->comm))
		job_write_planes(job, error);
	comm_agree(job->comm, error);
}

static void run_job(struct job *job, struct error *error)
{
	if (job_prepare(job, error) || job->options.only_save || job_make_parts(job, error))
		return;
	if (job->parts) {
		run_parts(job, error);
		return;
	}
	if (make_runs(job, error))
		return;
	if (!comm_rank(job->comm))
		job_write_results(job, &job->report, error);
	report_clear(&job->report);
	comm_agree(job->comm, error);
}

static void clear(struct job *job)
{
	for (uint32_t i = 0; i < job->parts && job->part; i++)
		job_clear(&job->part[i]);
	job_clear_parts(job);
	job_clear(job);
	options_clear(&job->options);
	fabric_source_clear(&job->options.fabric);
}

int main(int argc, char **argv)
{
	static struct job job;
	struct error error = {0};
	options_parse(&job.options, argc, argv);
	if (job.options.list >= 0) {
		list_write(job.options.list, stdout);
		return usage_end("orcs");
	}
	job.comm = comm_create(&error);
	if (job.comm) {
		speak(&job);
		run_job(&job, &error);
	}
	bool piped = stop_signal == SIGPIPE && error.status; /* the reader of the output has closed it */
	if (error.status && error.status != STATUS_THRESHOLD && !piped && (!job.comm || !comm_rank(job.comm)))
		fprintf(stderr, "orcs: %s\n", error.text);
	int status = piped ? 128 + SIGPIPE : error.status ? (int)error.status : job.outcome.stopped ? 128 + job.outcome.stopped : STATUS_OK;
	clear(&job);
	comm_free(job.comm);
	return status;
}
