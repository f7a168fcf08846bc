/* orcs-compare: routings of the same hosts -> the same runs on each -> one table. */
#include "base/files.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/signals.h"
#include "cli/gnuplot.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "fabric/route_choice.h"
#include "parallel/comm.h"
#include "tools/compare/compare_options.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/comparison.h"
#include "tools/compare/copy.h"
#include "tools/compare/opensm.h"
#include "tools/compare/own_engines.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A copied file, and the name of the copy, /dev/fd/N. */
struct copied {
	FILE *file;
	char name[40];
};

/* The state of a call. */
struct compare_job {
	struct compare_options options;
	struct comparison comparison;
	struct engine_run engine[ENGINES_MAX];
	struct copied *copy; /* [copies] inputs that can be read only once */
	int copies;
	char (*path)[40];           /* [routings] fabrics routed by engines of OpenSM: /dev/fd/N */
	struct fabric_source *made; /* [routings] their sources */
	struct files files;
	struct output output, plot;
};

/* Records the inputs, and opens the outputs. Returns 0, or -1. */
static int open_files(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct files *files = &job->files;
	for (int i = 0; i < o->inputs; i++)
		for (size_t k = 0; k < o->input[i].files && !error->status; k++)
			if (copy_is_needed(o->input[i].file[k].path))
				files_read(files, o->input[i].file[k].path, error);
	for (int p = 0; p < o->patterns && !error->status; p++)
		pattern_files(&o->pattern[p], PATTERN_PAIRS, files, error);
	if (error->status || placement_files(o->subset, o->mapping, files, error) || files_write(files, &job->output, o->output, error))
		return -1;
	return o->plot && (gnuplot_check(error) || files_write(files, &job->plot, o->plot, error)) ? -1 : 0;
}

/* Runs the engines on the topology. */
static int run_engines(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	const struct fabric_source *topology = &o->input[0];
	if (o->opensm && topology->form != FORM_SPECIFICATION && topology->parts > 1)
		return error_at(error, STATUS_USAGE, topology->name, 0, "--engines reads the topology from one file: name only that");
	const struct opensm_setup opensm = {
		.topology = topology->form == FORM_SPECIFICATION ? topology->file[0].path : topology->part[0].path,
		.keep = o->keep,
		.files = &job->files,
		.allow_fallback = o->allow_fallback,
		.notes = o->verbose ? stderr : NULL,
		.stop = &stop_signal,
	};
	const struct own_setup own = {
		.source = &o->input[0],
		.label = o->input[0].name,
		.keep = o->keep,
		.files = &job->files,
		.seed = o->seed,
		.skip = o->skip,
		.allow_no_link = o->drop,
		.all = o->multipath > MULTIPATH_FIRST,
		.notes = o->verbose ? stderr : NULL,
		.oddities = o->quiet ? NULL : stderr,
	};
	return o->opensm ? opensm_route(&opensm, job->engine, o->engines, error) : own_route(&own, job->engine, o->engines, error);
}

/* Returns the source of a fabric routed by an engine. */
static struct fabric_source *source_of(struct compare_job *job, int routing, struct error *error)
{
	struct fabric_source *made = &job->made[routing];
	struct files ignored = {0}; /* it is unnamed */
	if (job->engine[routing].file < 0)
		return &job->options.input[0];
	made->program = job->options.input[0].program;
	made->node_name_map = job->options.input[0].node_name_map;
	if (!fabric_source_add(
		    made, engine_path(job->path[routing], sizeof job->path[routing], job->engine[routing].file), DUMPS_ANY, error) &&
		!fabric_source_named(made, error))
		fabric_source_open(made, &ignored, error);
	files_clear(&ignored);
	return made;
}

/* Computes the routings of the engines. Without any, there is nothing to compare. */
static void route(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	int routed = 0;
	if (run_engines(job, error))
		return;
	for (int i = 0; i < o->engines; i++) {
		if (!strcmp(o->engine[i], ENGINE_AS_IS)) {
			job->comparison.routing[i].source = &job->options.input[0];
			job->comparison.routing[i].label = o->input[0].name;
			snprintf(job->engine[i].used, sizeof job->engine[i].used, ENGINE_AS_IS);
			routed++;
		}
		if (!engine_made(&job->engine[i]))
			continue;
		job->comparison.routing[i].source = source_of(job, i, error);
		routed++;
	}
	if (!routed)
		error_at(error, STATUS_FABRIC, o->input[0].name, 0, "no engine could route the fabric; %s: %s", job->engine[0].asked,
			job->engine[0].failure);
}

/* Copies inputs that can be read only once, and reads them from the copy. */
static int copy_file_of(struct compare_job *job, struct fabric_file *file, struct error *error)
{
	struct copied *copy = &job->copy[job->copies];
	if (!copy_is_needed(file->path))
		return 0;
	copy->file = program_file(error);
	if (!copy->file)
		return -1;
	job->copies++;
	if (copy_file(file->path, copy->file, error))
		return -1;
	snprintf(copy->name, sizeof copy->name, "/dev/fd/%d", fileno(copy->file));
	file->path = copy->name;
	return 0;
}

static int copy_inputs(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	size_t all = 0;
	for (int i = 0; i < o->inputs; i++)
		all += o->input[i].files;
	job->copy = array_create(all, sizeof *job->copy, error);
	for (int i = 0; i < o->inputs; i++)
		for (size_t k = 0; k < o->input[i].files && !error->status; k++)
			copy_file_of(job, &o->input[i].file[k], error);
	for (int i = 0; i < o->inputs && !error->status; i++)
		if (fabric_source_open(&o->input[i], &job->files, error))
			copy_name_error(&o->input[i], o->input[i].name, error);
	return error->status ? -1 : 0;
}

/* The part before MPI starts: everything that only process 0 does, or that may take long. */
static void prepare(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	if (open_files(job, error))
		return;
	if (o->opensm)
		catch_signals(false); /* the script must end first */
	if (copy_inputs(job, error))
		return;
	if (o->engines)
		route(job, error);
	for (int i = 0; i < o->inputs && !o->engines; i++)
		job->comparison.routing[i].source = &o->input[i];
}

/* Sets what every process knows of the routings. */
static int make_routings(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct comparison *c = &job->comparison;
	*c = (struct comparison){
		.request = o->pattern,
		.patterns = o->patterns,
		.subset = o->subset,
		.mapping = o->mapping,
		.asked = o->ranks,
		.seed = o->seed,
		.runs = o->runs,
		.precision = o->precision,
		.multipath = o->multipath,
		.drop = o->drop,
		.ignore_speeds = o->ignore_speeds,
		.notes = o->verbose ? stderr : NULL,
		.oddities = o->quiet ? NULL : stderr,
		.files = &job->files,
		.progress = !o->quiet,
	};
	int routings = o->engines ? o->engines : o->inputs;
	c->routing = array_create((size_t)routings, sizeof *c->routing, error);
	job->path = array_create((size_t)routings, sizeof *job->path, error);
	job->made = array_create((size_t)routings, sizeof *job->made, error);
	if (error->status)
		return -1;
	c->routings = routings;
	for (int i = 0; i < routings; i++) {
		c->routing[i].label = o->engines ? o->engine[i] : o->input[i].name;
		if (o->engines) {
			job->engine[i] = (struct engine_run){.asked = o->engine[i], .opensm = o->opensm, .seconds = NAN, .file = -1};
			c->routing[i].engine = &job->engine[i];
		}
	}
	return 0;
}

/* Process 0 writes the table, then the figure. */
static void write_results(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	const struct comparison *c = &job->comparison;
	if (compare_report(o, c, job->output.file, error) || output_commit(&job->output, error) ||
		(o->plot && compare_plot(o, c, &job->plot, error)) || o->quiet)
		return;
	for (int i = 0; i < c->routings; i++)
		if (c->routing[i].source)
			dot_report_write(&c->routing[i].odd, stderr, "orcs-compare", c->routing[i].label, !o->ignore_speeds);
	if (!c->precise)
		fprintf(stderr, "orcs-compare: warning: the precision was not reached in %" PRIu64 " runs; increase --runs\n", c->runs);
}

static void run_job(struct compare_job *job, struct comm *comm, struct error *error)
{
	struct comparison *c = &job->comparison;
	c->comm = comm;
	if (comm_agree(c->comm, error))
		return;
	int failed = comparison_run(c, error);
	catch_signals(true); /* the result is written as a whole; a second signal ends the program immediately */
	if (!failed && !comm_rank(c->comm))
		write_results(job, error);
	comm_agree(c->comm, error);
}

static void clear(struct compare_job *job)
{
	for (int i = 0; i < job->copies; i++)
		fclose(job->copy[i].file);
	free(job->copy);
	for (int i = 0; i < job->comparison.routings; i++)
		fabric_source_clear(&job->made[i]);
	for (int i = 0; i < job->options.inputs; i++)
		fabric_source_clear(&job->options.input[i]);
	free(job->options.input);
	free(job->made);
	comparison_clear(&job->comparison);
	engine_runs_clear(job->engine, job->options.engines);
	free(job->comparison.routing);
	free(job->path);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->plot);
}

int main(int argc, char **argv)
{
	static struct compare_job job;
	struct error error = {0};
	compare_options_parse(&job.options, argc, argv);
	bool first = launcher_rank() == 0;
	const char *line = first ? "orcs-compare: interrupted: no result\n" : NULL;
	end_on_signals(line);
	if (!make_routings(&job, &error) && first)
		prepare(&job, &error);
	end_on_signals(line);
	bool interrupted = stop_signal; /* while OpenSM was running */
	struct comm *comm = interrupted ? NULL : comm_create(&error);
	if (comm)
		run_job(&job, comm, &error);
	bool piped = stop_signal == SIGPIPE && error.status; /* the reader of the output has ended */
	if (error.status)
		catch_signals(true); /* the launcher may end this process, as others have ended with the error: one line is enough */
	if (first && interrupted)
		fputs(line, stderr);
	else if (first && error.status && !piped)
		fprintf(stderr, "orcs-compare: %s\n", error.text);
	int status = interrupted || piped ? 128 + (int)stop_signal : (int)error.status;
	clear(&job);
	comm_free(comm);
	return status;
}
