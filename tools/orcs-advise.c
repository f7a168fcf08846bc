/* orcs-advise: a fabric -> which routing OpenSM should use for it, what that is worth, and the files for it. */
#include "base/memory.h"
#include "base/signals.h"
#include "cli/usage.h"
#include "parallel/comm.h"
#include "tools/advise/advise_plane.h"
#include "tools/advise/advise_report.h"
#include "tools/advise/measured.h"

#include <inttypes.h>
#include <stdlib.h>

static const char program[] = "orcs-advise";

struct advise_job {
	struct advise_options options;
	struct files files;
	FILE *notes; /* on the input; NULL: none */
	struct comm *comm;
	struct advise_plane whole;
	struct advise_plane *plane; /* [planes] if planes are routed one by one */
	uint32_t *number;           /* [planes] */
	uint32_t planes;
};

/* ---- measured loads */

/* Compares counters with the present tables; in process 0. */
static void compare_measured(struct advise_job *job, struct error *error)
{
	struct advise_options *o = &job->options;
	struct advise_plane *p = &job->whole;
	struct measured measured = {0};
	if (fabric_source_open(&o->fabric, &job->files, error) || files_read(&job->files, o->before, error) ||
		files_read(&job->files, o->after, error) ||
		fabric_source_load(&o->fabric, DOT_TABLES | DOT_ALLOW_NO_LINK, &job->files, job->notes, &p->fabric, &p->forwarding,
			&p->attributes, &p->odd, error))
		return;
	if (!forwarding_is_routed(p->forwarding, p->fabric))
		error_at(error, STATUS_FABRIC, p->fabric->labels->source, 0,
			"the fabric is not routed: --measured needs its forwarding tables, such as of dump_fts");
	else if (!measured_make(&measured, p->fabric, p->forwarding, o->before, o->after, error))
		measured_report(&measured, o, stdout, error);
	measured_clear(&measured);
	if (!error->status && !o->quiet)
		dot_report_write(&p->odd, stderr, program, p->fabric->labels->source, !o->ignore_speeds);
}

/* ---- the advice */

/* Checks the outputs and opens the inputs; in process 0. */
static int open_files(struct advise_job *job, struct error *error)
{
	struct advise_options *o = &job->options;
	if ((o->folder && advice_check_folder(o->folder, error)) || fabric_source_open(&o->fabric, &job->files, error))
		return -1;
	for (int p = 0; p < o->patterns && !error->status; p++)
		pattern_files(&o->pattern[p], PATTERN_PAIRS, &job->files, error);
	return error->status ? -1 : 0;
}

/* Routes a plane and compares its routings. Collective. Returns 0, or -1. */
static int try_plane(struct advise_job *job, struct advise_plane *plane, struct error *error)
{
	uint32_t planes = 0;
	if (comm_rank(job->comm) == 0 && !error->status)
		advise_plane_prepare(plane, &job->number, &planes, error);
	if (comm_agree(job->comm, error))
		return -1;
	comm_broadcast(job->comm, &planes, sizeof planes);
	if (planes) {
		job->planes = planes;
		return 0;
	}
	return advice_compare(&plane->run, job->comm, error);
}

/* Tries the planes one by one. Collective. Returns 0, or -1. */
static int try_planes(struct advise_job *job, struct error *error)
{
	uint32_t planes = job->planes;
	job->plane = array_create(planes, sizeof *job->plane, error);
	for (uint32_t p = 0; p < planes && !error->status; p++) {
		uint32_t number = job->number ? job->number[p] : 0;
		comm_broadcast(job->comm, &number, sizeof number);
		job->options.fabric.plane = number;
		if (advise_plane_begin(&job->plane[p], &job->options, &job->files, job->notes, number, error) ||
			try_plane(job, &job->plane[p], error)) {
			struct error before = *error;
			snprintf(error->text, sizeof error->text, "plane %" PRIu32 ": %.900s", number, before.text);
		}
	}
	return comm_agree(job->comm, error);
}

/* Writes the files and the report; in process 0. */
static void write_results(struct advise_job *job, struct error *error)
{
	const struct advise_options *o = &job->options;
	uint32_t count = job->planes ? job->planes : 1;
	const struct advice_result **result = array_create(count, sizeof *result, error);
	for (uint32_t p = 0; p < count && result; p++)
		result[p] = job->planes ? &job->plane[p].run.result : &job->whole.run.result;
	if (result && !(o->folder && advice_write(result, count, o, &job->files, error)))
		advice_report(result, count, o, stdout, error);
	for (uint32_t p = 0; p < count && !error->status && !o->quiet; p++)
		dot_report_write(job->planes ? &job->plane[p].odd : &job->whole.odd, stderr, program, result[p]->fabric->labels->source,
			!o->ignore_speeds);
	free(result);
}

static void advise(struct advise_job *job, struct error *error)
{
	advise_plane_begin(&job->whole, &job->options, &job->files, job->notes, 0, error);
	if (comm_rank(job->comm) == 0 && !error->status)
		open_files(job, error);
	if (try_plane(job, &job->whole, error) || (job->planes && try_planes(job, error)))
		return;
	if (comm_rank(job->comm) == 0)
		write_results(job, error);
	comm_agree(job->comm, error);
}

static void clear(struct advise_job *job)
{
	for (uint32_t p = 0; p < job->planes && job->plane; p++)
		advise_plane_clear(&job->plane[p]);
	free(job->plane);
	free(job->number);
	advise_plane_clear(&job->whole);
	fabric_source_clear(&job->options.fabric);
	for (int p = 0; p < job->options.patterns; p++)
		free((char *)job->options.pattern[p].spec);
	files_clear(&job->files);
}

int main(int argc, char **argv)
{
	static struct advise_job job;
	struct error error = {0};
	advise_options_parse(&job.options, argc, argv);
	bool first = launcher_rank() == 0;
	job.notes = job.options.quiet ? NULL : stderr;
	end_on_signals(first ? "orcs-advise: interrupted: no result\n" : NULL);
	if (job.options.before && first)
		compare_measured(&job, &error);
	job.comm = comm_create(&error);
	if (job.comm && !comm_agree(job.comm, &error) && !job.options.before)
		advise(&job, &error);
	if (first && error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	int status = error.status ? (int)error.status : first ? usage_end(program) : STATUS_OK;
	clear(&job);
	comm_free(job.comm);
	return status;
}
