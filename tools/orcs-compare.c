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
#include "tools/compare/fail_report.h"
#include "compare/comparison.h"
#include "compare/copy.h"
#include "compare/opensm.h"
#include "compare/own_engines.h"

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
	struct compared_plane whole;  /* number 0 */
	struct compared_plane *plane; /* [planes] if planes are compared one by one */
	uint32_t planes;
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
	size_t before = files->count;
	for (int p = 0; p < o->patterns && !error->status; p++)
		pattern_files(&o->pattern[p], PATTERN_PAIRS, files, error);
	if (error->status || placement_files(o->subset, o->mapping, files, error))
		return -1;
	job->whole.comparison.watches = !o->drop && !o->opensm && !o->input[0].plane && files->count == before;
	if (files_write(files, &job->output, o->output, error))
		return -1;
	return o->plot && (gnuplot_check(error) || files_write(files, &job->plot, o->plot, error)) ? -1 : 0;
}

/* Runs the engines on the topology. */
static int run_engines(struct compare_job *job, struct compared_plane *plane, struct error *error)
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
		.allow_no_link = o->drop,
		.all = o->multipath > MULTIPATH_FIRST,
		.notes = o->verbose ? stderr : NULL,
		.oddities = o->quiet ? NULL : stderr,
		.comparison = &plane->comparison,
	};
	return o->opensm ? opensm_route(&opensm, plane->engine, o->engines, error) : own_route(&own, plane->engine, o->engines, error);
}

/* Returns the source of a fabric routed by an engine. */
static struct fabric_source *source_of(struct compare_job *job, const struct engine_run *engine, int routing, struct error *error)
{
	struct fabric_source *made = &job->made[routing];
	struct files ignored = {0}; /* it is unnamed */
	if (engine->file < 0)
		return &job->options.input[0];
	made->program = job->options.input[0].program;
	made->node_name_map = job->options.input[0].node_name_map;
	if (!fabric_source_add(made, engine_path(job->path[routing], sizeof job->path[routing], engine->file), DUMPS_ANY, error) &&
		!fabric_source_named(made, error))
		fabric_source_open(made, &ignored, error);
	files_clear(&ignored);
	return made;
}

/* Computes the routings of the engines. Without any, there is nothing to compare. */
static void route(struct compare_job *job, struct compared_plane *plane, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct comparison *c = &plane->comparison;
	struct engine_run *engine = plane->engine;
	int routed = 0;
	if (run_engines(job, plane, error) || c->planes)
		return;
	for (int i = 0; i < o->engines; i++) {
		if (!strcmp(o->engine[i], ENGINE_AS_IS)) {
			c->routing[i].source = &job->options.input[0];
			c->routing[i].label = o->input[0].name;
			snprintf(engine[i].used, sizeof engine[i].used, ENGINE_AS_IS);
			routed++;
		}
		if (!engine_made(&engine[i]))
			continue;
		c->routing[i].source = source_of(job, &engine[i], i, error);
		routed++;
	}
	if (!routed)
		error_at(error, STATUS_FABRIC, o->input[0].name, 0, "no engine could route the fabric; %s: %s", engine[0].asked,
			engine[0].failure);
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

/* Sets what every process knows of the routings. */
static int make_routings(struct compare_job *job, struct compared_plane *plane, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct comparison *c = &plane->comparison;
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
	if (error->status)
		return -1;
	c->routings = routings;
	for (int i = 0; i < routings; i++) {
		c->routing[i].label = o->engines ? o->engine[i] : o->input[i].name;
		if (o->engines) {
			plane->engine[i] = (struct engine_run){.asked = o->engine[i], .opensm = o->opensm, .seconds = NAN, .file = -1};
			c->routing[i].engine = &plane->engine[i];
		}
	}
	return 0;
}

/* Computes the routings of engines, or takes those of the files; in process 0. */
static void find_routings(struct compare_job *job, struct compared_plane *plane, struct error *error)
{
	const struct compare_options *o = &job->options;
	for (int i = 0; i < o->inputs && plane->number; i++)
		job->options.input[i].plane = plane->number;
	if (o->engines)
		route(job, plane, error);
	for (int i = 0; i < o->inputs && !o->engines; i++)
		plane->comparison.routing[i].source = &job->options.input[i];
}

/* The part before MPI starts: everything that only process 0 does, or that may take long. */
static void prepare(struct compare_job *job, struct error *error)
{
	if (open_files(job, error))
		return;
	if (job->options.opensm)
		catch_signals(false); /* the script must end first */
	if (!copy_inputs(job, error))
		find_routings(job, &job->whole, error);
}

/* Says what is odd about a comparison. */
static void tell(const struct compare_options *o, const struct comparison *c)
{
	for (int i = 0; i < c->routings; i++)
		if (c->routing[i].source)
			dot_report_write(&c->routing[i].odd, stderr, "orcs-compare", c->routing[i].label, !o->ignore_speeds);
	if (!c->precise)
		fprintf(stderr, "orcs-compare: warning: the precision was not reached in %" PRIu64 " runs; increase --runs\n", c->runs);
}

/* Process 0 writes the table, then the figure. */
static void write_results(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	const struct comparison *c = &job->whole.comparison;
	int failed = job->planes ? compare_planes_report(o, job->plane, job->planes, job->output.file, error)
				 : compare_report(o, c, job->output.file, error);
	if (failed || output_commit(&job->output, error) || (o->plot && compare_plot(o, c, &job->plot, error)) || o->quiet)
		return;
	if (!job->planes)
		tell(o, c);
	for (uint32_t p = 0; p < job->planes; p++)
		tell(o, &job->plane[p].comparison);
}

/* Makes a comparison for each plane that the whole has. Collective. Returns 0, or -1. */
static int make_planes(struct compare_job *job, struct comm *comm, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct comparison *whole = &job->whole.comparison;
	const char *option = o->plot ? "--plot" : o->keep ? "--keep" : NULL;
	comm_broadcast(comm, &whole->planes, sizeof whole->planes);
	if (!whole->planes)
		return 0;
	if (option)
		return error_set(error, STATUS_USAGE, "%s is for one plane, and the fabric has %" PRIu32 ": --plane N selects one of them",
			option, whole->planes);
	job->plane = array_create(whole->planes, sizeof *job->plane, error);
	if (comm_agree(comm, error))
		return -1;
	job->planes = whole->planes;
	for (uint32_t p = 0; p < job->planes; p++)
		if (make_routings(job, &job->plane[p], error))
			break;
	for (uint32_t p = 0; p < job->planes && !error->status; p++) {
		job->plane[p].number = whole->plane ? whole->plane[p] : 0;
		comm_broadcast(comm, &job->plane[p].number, sizeof job->plane[p].number);
	}
	return comm_agree(comm, error);
}

/* Compares the planes one by one. Collective. Returns 0, or -1. */
static int compare_planes(struct compare_job *job, struct comm *comm, struct error *error)
{
	for (uint32_t p = 0; p < job->planes; p++) {
		struct compared_plane *plane = &job->plane[p];
		plane->comparison.comm = comm;
		if (!comm_rank(comm))
			find_routings(job, plane, error);
		if (comm_agree(comm, error) || comparison_run(&plane->comparison, error)) {
			struct error before = *error;
			snprintf(error->text, sizeof error->text, "plane %" PRIu32 ": %.900s", plane->number, before.text);
			return -1;
		}
	}
	return 0;
}

static void run_job(struct compare_job *job, struct comm *comm, struct error *error)
{
	struct comparison *c = &job->whole.comparison;
	c->comm = comm;
	if (comm_agree(c->comm, error) || make_planes(job, comm, error))
		return;
	int failed = !job->planes && comparison_run(c, error);
	if (!failed && !job->planes)
		failed = make_planes(job, comm, error);
	if (!failed && job->planes)
		failed = compare_planes(job, comm, error);
	catch_signals(true); /* the result is written as a whole; a second signal ends the program immediately */
	if (!failed && !comm_rank(c->comm))
		write_results(job, error);
	comm_agree(c->comm, error);
}

static void clear_plane(struct compared_plane *plane, int engines)
{
	comparison_clear(&plane->comparison);
	engine_runs_clear(plane->engine, engines);
	free(plane->comparison.routing);
}

static void clear(struct compare_job *job)
{
	for (int i = 0; i < job->copies; i++)
		fclose(job->copy[i].file);
	free(job->copy);
	for (int i = 0; i < job->whole.comparison.routings; i++)
		fabric_source_clear(&job->made[i]);
	for (int i = 0; i < job->options.inputs; i++)
		fabric_source_clear(&job->options.input[i]);
	free(job->options.input);
	free(job->made);
	for (uint32_t p = 0; p < job->planes; p++)
		clear_plane(&job->plane[p], job->options.engines);
	free(job->plane);
	clear_plane(&job->whole, job->options.engines);
	free(job->path);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->plot);
}

/* A sweep of failures: process 0 has workers of its own. */
static int sweep(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct fail_sweep s = {.options = o, .notes = o->quiet ? NULL : stderr};
	struct output output = {0}, plot = {0}, graph = {0};
	if (!fabric_source_open(&o->input[0], &s.files, error) && !files_write(&s.files, &output, o->output, error) &&
		!(o->plot && (gnuplot_check(error) || files_write(&s.files, &plot, o->plot, error))) &&
		!(o->graph && files_write(&s.files, &graph, o->graph, error)) && !fail_sweep_run(&s, error) &&
		!(o->graph && (fail_graph(&s, graph.file, error) || output_commit(&graph, error))) &&
		!fail_report(&s, output.file, error) && !output_commit(&output, error) && !(o->plot && fail_plot(&s, &plot, error)) &&
		!o->quiet) {
		dot_report_write(&s.odd, stderr, "orcs-compare", s.fabric->labels->source, !o->ignore_speeds);
		if (*s.warning)
			fprintf(stderr, "orcs-compare: note: %s\n", s.warning);
	}
	fail_sweep_clear(&s);
	output_discard(&output);
	output_discard(&plot);
	output_discard(&graph);
	return error->status ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct compare_job job;
	struct error error = {0};
	compare_options_parse(&job.options, argc, argv);
	bool first = launcher_rank() == 0;
	const char *line = first ? "orcs-compare: interrupted: no result\n" : NULL;
	end_on_signals(line);
	if (job.options.fail) {
		if (first && sweep(&job, &error))
			fprintf(stderr, "orcs-compare: %s\n", error.text);
		clear(&job);
		return (int)error.status;
	}
	int routings = job.options.engines ? job.options.engines : job.options.inputs;
	job.path = array_create((size_t)routings, sizeof *job.path, &error);
	job.made = array_create((size_t)routings, sizeof *job.made, &error);
	if (!error.status && !make_routings(&job, &job.whole, &error) && first)
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
