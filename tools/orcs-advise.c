/* orcs-advise: a fabric -> which routing OpenSM should use for it, what that is worth, and the files for it. */
#include "base/signals.h"
#include "cli/usage.h"
#include "compare/advice_run.h"
#include "parallel/comm.h"
#include "tools/advise/advise_report.h"
#include "tools/advise/measured.h"

#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs-advise";

struct advise_job {
	struct advise_options options;
	struct files files;
	struct fabric *fabric;
	struct forwarding *forwarding; /* the present tables */
	struct attributes *attributes;
	struct dot_report odd;
	struct advice_run run;
};

/* Whether the fabric has any table entry. */
static bool is_routed(const struct advise_job *job)
{
	for (uint32_t v = 0; v < job->fabric->nodes && job->forwarding; v++)
		if (job->fabric->node_host[v] == NONE && forwarding_any(job->forwarding, v))
			return true;
	return false;
}

/* Names the routings, in all processes. */
static int begin(struct advise_job *job, struct error *error)
{
	const struct advise_options *o = &job->options;
	const struct advice_setup setup = {
		.source = &job->options.fabric,
		.files = &job->files,
		.pattern = &o->pattern,
		.kind = advice_kinds,
		.kinds = ADVICE_KINDS,
		.runs = o->runs,
		.seed = o->seed,
		.seconds = o->seconds,
		.ignore_speeds = o->ignore_speeds,
		.progress = !o->quiet,
		.shifts = true,
	};
	return advice_begin(&job->run, &setup, error);
}

/* Reads the fabric and routes it in every way; in process 0. */
static void prepare(struct advise_job *job, struct error *error)
{
	struct advise_options *o = &job->options;
	FILE *notes = o->quiet ? NULL : stderr;
	unsigned wants = DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK;
	if ((o->folder && advice_check_folder(o->folder, error)) || fabric_source_open(&o->fabric, &job->files, error) ||
		pattern_files(&o->pattern, PATTERN_PAIRS, &job->files, error) ||
		fabric_source_load(
			&o->fabric, wants, &job->files, notes, &job->fabric, &job->forwarding, &job->attributes, &job->odd, error))
		return;
	job->run.fabric = job->fabric;
	job->run.forwarding = is_routed(job) ? job->forwarding : NULL;
	job->run.attributes = job->attributes;
	job->run.odd = job->odd;
	advice_route(&job->run, error);
	job->attributes = job->run.attributes;
}

/* ---- measured loads */

/* Compares counters with the present tables; in process 0. */
static void compare_measured(struct advise_job *job, struct error *error)
{
	struct advise_options *o = &job->options;
	struct measured measured = {0};
	if (fabric_source_open(&o->fabric, &job->files, error) || files_read(&job->files, o->before, error) ||
		files_read(&job->files, o->after, error) ||
		fabric_source_load(&o->fabric, DOT_TABLES | DOT_ALLOW_NO_LINK, &job->files, o->quiet ? NULL : stderr, &job->fabric,
			&job->forwarding, &job->attributes, &job->odd, error))
		return;
	if (!is_routed(job))
		error_at(error, STATUS_FABRIC, job->fabric->labels->source, 0,
			"the fabric is not routed: --measured needs its forwarding tables, such as of dump_fts");
	else if (!measured_make(&measured, job->fabric, job->forwarding, o->before, o->after, error))
		measured_report(&measured, o, stdout, error);
	measured_clear(&measured);
	if (!error->status && !o->quiet)
		dot_report_write(&job->odd, stderr, program, job->fabric->labels->source, !o->ignore_speeds);
}

/* ---- the advice */

/* In process 0. */
static void conclude(struct advise_job *job, struct error *error)
{
	if (job->options.folder && advice_write(&job->run.result, &job->options, error))
		return;
	advice_report(&job->run.result, &job->options, stdout, error);
	if (!error->status && !job->options.quiet)
		dot_report_write(&job->odd, stderr, program, job->fabric->labels->source, !job->options.ignore_speeds);
}

static void clear(struct advise_job *job)
{
	advice_clear(&job->run);
	attributes_free(job->attributes);
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
	fabric_source_clear(&job->options.fabric);
	files_clear(&job->files);
}

int main(int argc, char **argv)
{
	static struct advise_job job;
	struct error error = {0};
	advise_options_parse(&job.options, argc, argv);
	bool first = launcher_rank() == 0;
	end_on_signals(first ? "orcs-advise: interrupted: no result\n" : NULL);
	bool measures = job.options.before;
	if (measures && first)
		compare_measured(&job, &error);
	else if (!measures && !begin(&job, &error) && first)
		prepare(&job, &error);
	struct comm *comm = comm_create(&error);
	if (comm && !comm_agree(comm, &error) && !measures && !advice_compare(&job.run, comm, &error)) {
		if (first)
			conclude(&job, &error);
		comm_agree(comm, &error);
	}
	if (first && error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	int status = error.status ? (int)error.status : first ? usage_end(program) : STATUS_OK;
	clear(&job);
	comm_free(comm);
	return status;
}
