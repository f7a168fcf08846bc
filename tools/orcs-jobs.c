/* orcs-jobs: a routed fabric and the running jobs of a batch system -> who slows down whom, and on which cables. */
#include "base/files.h"
#include "base/signals.h"
#include "cli/gnuplot.h"
#include "cli/usage.h"
#include "formats/dot.h"
#include "jobs/job_flows.h"
#include "jobs/job_study.h"
#include "tools/jobs/jobs_report.h"

#include <inttypes.h>
#include <stdlib.h>

static const char program[] = "orcs-jobs";

struct jobs_work {
	struct jobs_options options;
	struct files files;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report odd;
	struct job_study study;
	struct job_moves moves;
	struct output output, plot;
};

static int load(struct jobs_work *w, struct error *error)
{
	struct jobs_options *o = &w->options;
	if (fabric_source_open(&o->fabric, &w->files, error) || files_read(&w->files, o->jobs, error) ||
		pattern_files(&o->pattern, PATTERN_PAIRS, &w->files, error) || files_write(&w->files, &w->output, o->output, error) ||
		(o->plot && (gnuplot_check(error) || files_write(&w->files, &w->plot, o->plot, error))) ||
		job_study_read(&w->study, o->jobs, o->machine_name, o->ports, error))
		return -1;
	if (fabric_source_load(&o->fabric, DOT_TABLES, &w->files, o->quiet ? NULL : stderr, &w->fabric, &w->forwarding, &w->attributes,
		    &w->odd, error))
		return -1;
	return forwarding_is_routed(w->forwarding, w->fabric)
		       ? 0
		       : error_at(error, STATUS_FABRIC, w->fabric->labels->source, 0, "%s", w->odd.hint ? w->odd.hint : DOT_UNROUTED);
}

static void tell(const struct jobs_work *w)
{
	const struct jobs_options *o = &w->options;
	if (o->quiet)
		return;
	job_study_warn(&w->study, w->fabric, program, stderr);
	dot_report_write(&w->odd, stderr, program, w->fabric->labels->source, false);
}

/* Replaces slowdowns by counts by those in time. */
static int find_times(struct jobs_work *w, struct error *error)
{
	const struct jobs_options *o = &w->options;
	struct job_study *s = &w->study;
	struct job_flows *flows = job_flows_create(&s->loads, &o->pattern, o->bytes, error);
	if (flows && !job_flows_compare(flows, &s->result, error) && o->advise)
		job_moves_time(&w->moves, &s->loads, flows, &s->result, error);
	job_flows_free(flows);
	return error->status ? -1 : 0;
}

static int find(struct jobs_work *w, struct error *error)
{
	const struct jobs_options *o = &w->options;
	struct job_study *s = &w->study;
	if (job_study_find(s, w->fabric, w->forwarding, &o->pattern, o->top, error) ||
		(o->advise && job_moves_find(&w->moves, &s->loads, &s->hosts, &s->result, &o->pattern, error)))
		return -1;
	return o->engine == JOBS_FLOWS ? find_times(w, error) : 0;
}

static void report(struct jobs_work *w, struct error *error)
{
	const struct jobs_options *o = &w->options;
	const struct jobs_found found = {w->fabric, &w->study.list, &w->study.hosts, &w->study.result, o->advise ? &w->moves : NULL};
	if (jobs_report(&found, o, w->output.file, error) || (o->plot && jobs_plot(&found, o, &w->plot, error)) ||
		output_commit(&w->output, error))
		return;
	tell(w);
}

int main(int argc, char **argv)
{
	static struct jobs_work work;
	struct error error = {0};
	jobs_options_parse(&work.options, argc, argv);
	end_on_signals("orcs-jobs: interrupted: no result\n");
	if (!load(&work, &error) && !find(&work, &error))
		report(&work, &error);
	if (error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	int status = error.status ? (int)error.status : usage_end(program);
	job_moves_clear(&work.moves);
	job_study_clear(&work.study);
	attributes_free(work.attributes);
	forwarding_free(work.forwarding);
	fabric_free(work.fabric);
	fabric_source_clear(&work.options.fabric);
	files_clear(&work.files);
	output_discard(&work.output);
	output_discard(&work.plot);
	return status;
}
