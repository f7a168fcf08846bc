/* orcs-jobs: a routed fabric and the running jobs of a batch system -> who slows down whom, and on which cables. */
#include "base/files.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/signals.h"
#include "cli/gnuplot.h"
#include "cli/usage.h"
#include "formats/dot.h"
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
	struct machine_rules rules;
	struct job_list list;
	struct job_hosts hosts;
	struct machine_loads loads;
	struct job_result result;
	struct job_moves moves;
	struct output output, plot;
};

static int load(struct jobs_work *w, struct error *error)
{
	struct jobs_options *o = &w->options;
	if (machine_rules_init(&w->rules, o->machine_name, o->ports, error) || fabric_source_open(&o->fabric, &w->files, error) ||
		files_read(&w->files, o->jobs, error) || pattern_files(&o->pattern, PATTERN_PAIRS, &w->files, error) ||
		files_write(&w->files, &w->output, o->output, error) ||
		(o->plot && (gnuplot_check(error) || files_write(&w->files, &w->plot, o->plot, error))) ||
		job_list_read(&w->list, o->jobs, error))
		return -1;
	return fabric_source_load(
		&o->fabric, DOT_TABLES, &w->files, o->quiet ? NULL : stderr, &w->fabric, &w->forwarding, &w->attributes, &w->odd, error);
}

static void tell(const struct jobs_work *w)
{
	const struct jobs_options *o = &w->options;
	if (o->quiet)
		return;
	if (w->hosts.missing)
		fprintf(stderr, "%s: warning: machines that the fabric does not have, left out: %" PRIu64 " (the first: '%s')\n", program,
			w->hosts.missing, SHOWN(w->hosts.first_missing));
	dot_report_write(&w->odd, stderr, program, w->fabric->labels->source, false);
}

static int find(struct jobs_work *w, struct error *error)
{
	const struct jobs_options *o = &w->options;
	const char **name = array_create(w->list.jobs, sizeof *name, error);
	for (uint32_t j = 0; j < w->list.jobs && name; j++)
		name[j] = w->list.job[j].id;
	if (name && !job_hosts_find(&w->hosts, &w->list, w->fabric, &w->rules, error) &&
		!machine_loads_find(&w->loads, w->fabric, w->forwarding, &w->hosts, &o->pattern, name, error) &&
		!job_result_find(&w->result, &w->loads, o->top, error) && o->advise)
		job_moves_find(&w->moves, &w->loads, &w->hosts, &w->result, &o->pattern, error);
	free(name);
	return error->status ? -1 : 0;
}

static void report(struct jobs_work *w, struct error *error)
{
	const struct jobs_options *o = &w->options;
	const struct jobs_found found = {w->fabric, &w->list, &w->hosts, &w->result, o->advise ? &w->moves : NULL};
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
	job_result_clear(&work.result);
	machine_loads_clear(&work.loads);
	job_hosts_clear(&work.hosts);
	job_list_clear(&work.list);
	machine_rules_clear(&work.rules);
	attributes_free(work.attributes);
	forwarding_free(work.forwarding);
	fabric_free(work.fabric);
	fabric_source_clear(&work.options.fabric);
	files_clear(&work.files);
	output_discard(&work.output);
	output_discard(&work.plot);
	return status;
}
