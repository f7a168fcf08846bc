/* A comparison from its options to the result. */
#include "tools/compare/compare_job.h"

#include "base/memory.h"
#include "base/program.h"
#include "cli/gnuplot.h"
#include "compare/copy.h"
#include "compare/opensm.h"
#include "compare/own_engines.h"
#include "infiniband/recognise.h"
#include "tools/compare/compare_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	if (job->borrowed)
		return 0;
	if (files_write(files, &job->output, o->output, error))
		return -1;
	return o->plot && (gnuplot_check(error) || files_write(files, &job->plot, o->plot, error)) ? -1 : 0;
}

/* Returns the file of a fabric that has its cables; NULL with an error if they are in several. */
static const char *cabling_of(const struct fabric_source *fabric, struct error *error)
{
	if (fabric->form == FORM_SPECIFICATION || fabric->parts < 2)
		return fabric->form == FORM_SPECIFICATION ? fabric->file[0].path : fabric->part[0].path;
	const char *cabling = NULL;
	for (size_t i = 0; i < fabric->parts; i++) {
		const char *path = fabric->part[i].path;
		int holds = fabric->part[i].kinds & 1U << DUMP_TOPOLOGY ? recognise(path, error) : 0;
		if (!holds && strcmp(path, "-") && access(path, R_OK))
			error_at(error, STATUS_IO, path, 0, "cannot open: %s", strerror(errno));
		if (error->status)
			return NULL;
		if (!(holds & 1 << DUMP_TOPOLOGY))
			continue;
		if (cabling) {
			error_at(error, STATUS_USAGE, fabric->name, 0, "--engines reads the topology from one file: name only that");
			return NULL;
		}
		cabling = path;
	}
	if (!cabling)
		error_at(error, STATUS_FABRIC, fabric->name, 0, "no cables found; add a topology, for example the output of ibnetdiscover");
	return cabling;
}

/* Runs the engines on the topology. */
static int run_engines(struct compare_job *job, struct compared_plane *plane, struct error *error)
{
	const struct compare_options *o = &job->options;
	const struct opensm_setup opensm = {
		.topology = o->opensm ? cabling_of(&o->input[0], error) : NULL,
		.keep = o->keep,
		.files = &job->files,
		.allow_fallback = o->allow_fallback,
		.notes = o->verbose ? job->notes : NULL,
		.stop = job->stop,
	};
	const struct own_setup own = {
		.source = &o->input[0],
		.label = o->input[0].name,
		.keep = o->keep,
		.files = &job->files,
		.seed = o->seed,
		.allow_no_link = o->drop,
		.all = o->multipath > MULTIPATH_FIRST,
		.notes = o->verbose ? job->notes : NULL,
		.oddities = o->quiet ? NULL : job->notes,
		.comparison = &plane->comparison,
	};
	if (error->status)
		return -1;
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
		.notes = o->verbose ? job->notes : NULL,
		.oddities = o->quiet ? NULL : job->notes,
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

int compare_prepare(struct compare_job *job, bool first, struct error *error)
{
	int routings = job->options.engines ? job->options.engines : job->options.inputs;
	job->path = array_create((size_t)routings, sizeof *job->path, error);
	job->made = array_create((size_t)routings, sizeof *job->made, error);
	if (!error->status && !make_routings(job, &job->whole, error) && first && !open_files(job, error) && !copy_inputs(job, error))
		find_routings(job, &job->whole, error);
	return error->status ? -1 : 0;
}

/* Says what is odd about a comparison. */
static void tell(const struct compare_job *job, const struct comparison *c)
{
	const struct compare_options *o = &job->options;
	for (int i = 0; i < c->routings; i++)
		if (c->routing[i].source)
			dot_report_write(&c->routing[i].odd, job->notes, "orcs-compare", c->routing[i].label, !o->ignore_speeds);
	if (!c->precise)
		fprintf(job->notes, "orcs-compare: warning: the precision was not reached in %" PRIu64 " runs; increase --runs\n", c->runs);
}

int compare_write(const struct compare_job *job, FILE *file, struct error *error)
{
	const struct compare_options *o = &job->options;
	return job->planes ? compare_planes_report(o, job->plane, job->planes, file, error)
			   : compare_report(o, &job->whole.comparison, file, error);
}

void compare_write_results(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	const struct comparison *c = &job->whole.comparison;
	if (compare_write(job, job->output.file, error) || output_commit(&job->output, error) ||
		(o->plot && compare_plot(o, c, &job->plot, error)) || o->quiet)
		return;
	if (!job->planes)
		tell(job, c);
	for (uint32_t p = 0; p < job->planes; p++)
		tell(job, &job->plane[p].comparison);
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

int compare_run(struct compare_job *job, struct comm *comm, struct error *error)
{
	struct comparison *c = &job->whole.comparison;
	c->comm = comm;
	if (comm_agree(c->comm, error) || make_planes(job, comm, error))
		return -1;
	int failed = !job->planes && comparison_run(c, error);
	if (!failed && !job->planes)
		failed = make_planes(job, comm, error);
	if (!failed && job->planes)
		failed = compare_planes(job, comm, error);
	return failed;
}

static void clear_plane(struct compared_plane *plane, int engines)
{
	comparison_clear(&plane->comparison);
	engine_runs_clear(plane->engine, engines);
	free(plane->comparison.routing);
}

void compare_clear(struct compare_job *job)
{
	for (int i = 0; i < job->copies; i++)
		fclose(job->copy[i].file);
	free(job->copy);
	for (int i = 0; i < job->whole.comparison.routings; i++)
		fabric_source_clear(&job->made[i]);
	free(job->made);
	for (uint32_t p = 0; p < job->planes; p++)
		clear_plane(&job->plane[p], job->options.engines);
	free(job->plane);
	clear_plane(&job->whole, job->options.engines);
	free(job->path);
	compare_options_clear(&job->options);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->plot);
}
