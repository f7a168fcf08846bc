/* orcs-advise: a fabric -> which routing OpenSM should use for it, what that is worth, and the files for it. */
#include "base/memory.h"
#include "base/signals.h"
#include "cli/usage.h"
#include "compare/comparison.h"
#include "fabric/dependencies.h"
#include "fabric/load_scale.h"
#include "fabric/pair_loads.h"
#include "orcs/reroute.h"
#include "parallel/comm.h"
#include "tools/advise/advice.h"
#include "tools/advise/measured.h"
#include "tools/advise/shift_loads.h"

#include <math.h>
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
	struct comparison comparison;
	struct engine_run run[ADVICE_KINDS];
	struct virtual_lanes *lanes[ADVICE_KINDS];
	char best[100]; /* specification of the engine best */
	struct advice_result result;
};

/* ---- what a routing is like */

/* Counts table entries of switches, and those that differ from the present ones. */
static void count_entries(struct advise_job *job, struct advice *a, const struct forwarding *tables)
{
	const struct fabric *f = job->fabric;
	const struct forwarding *now = job->forwarding ? job->forwarding : job->run[job->result.base].forwarding;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t h = 0; h < f->hosts && f->node_host[v] == NONE; h++) {
			uint32_t new = forwarding_next(tables, v, tables->column[v], h);
			uint32_t old = now ? forwarding_next(now, v, now->column[v], h) : NONE;
			a->entries += new != NONE || old != NONE;
			a->changed += new != old;
		}
}

/* Finds the channel between switches with the largest load. */
static void find_largest(struct advise_job *job, struct advice *a, const struct pair_loads *loads, struct error *error)
{
	const struct fabric *f = job->fabric;
	double *scale = load_scale_make(f, !job->options.ignore_speeds, error);
	a->hottest = NONE;
	for (uint32_t v = 0; v < f->nodes && scale; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			double load = (double)loads->load[c] * scale[c];
			if (f->node_host[v] != NONE || f->node_host[f->head[c]] != NONE || load <= a->largest)
				continue;
			a->largest = load;
			a->routes = loads->load[c];
			a->hottest = c;
		}
	free(scale);
}

/* Finds lost pairs, the largest load, and whether packets can deadlock. */
static void examine(
	struct advise_job *job, struct advice *a, const struct forwarding *tables, const struct virtual_lanes *lanes, struct error *error)
{
	const struct fabric *f = job->fabric;
	struct destination_trees trees;
	struct dependencies waits = {0};
	struct pair_loads loads = {0};
	bool *passed = array_create(f->hosts, sizeof *passed, error);
	uint32_t *host = array_create(f->hosts, sizeof *host, error);
	bool levels = lanes && lanes->levels;
	a->known = !(lanes && lanes->unknown);
	a->lanes = lanes ? lanes->count : 1;
	a->pairs = (uint64_t)f->hosts * (f->hosts - 1);
	for (uint32_t h = 0; h < f->hosts && host; h++)
		host[h] = h;
	if (!destination_trees_init(&trees, f, tables, error) && !error->status &&
		!dependencies_init(&waits, &trees, lanes, levels ? LEVEL_TOLD : 0, passed, error) &&
		!pair_loads_init(&loads, &trees, host, f->hosts, error)) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			destination_trees_make(&trees, h);
			dependencies_add(&waits);
			pair_loads_add(&loads, &trees);
		}
		a->unreachable = loads.unreachable;
		find_largest(job, a, &loads, error);
		a->shifts = shift_loads_mean(f, tables, error);
		dependencies_cyclic(&waits, &a->deadlock, error);
		count_entries(job, a, tables);
	}
	pair_loads_clear(&loads);
	dependencies_clear(&waits);
	destination_trees_clear(&trees);
	free(passed);
	free(host);
}

/* ---- the routings */

/* Routes by a kind; an engine that refuses has its reason. */
static void route(struct advise_job *job, int i, struct error *error)
{
	const struct advise_options *o = &job->options;
	struct advice *a = &job->result.advice[i];
	struct engine_run *run = &job->run[i];
	struct rerouted made;
	struct error refusal = {0};
	struct dot_report report = job->odd;
	FILE *graph = a->kind->tables ? open_memstream(&job->result.graph, &job->result.graph_size) : NULL;
	struct rerouting rerouting = {.engine = run->asked, .seed = o->seed, .lanes = true, .files = &job->files, .graph = graph};
	bool routed = !reroute(&rerouting, job->fabric, &job->attributes, &made, &report, &refusal);
	if (graph)
		fclose(graph);
	if (!routed && refusal.status != STATUS_FABRIC) {
		error_set(error, refusal.status, "%s", refusal.text);
	} else if (!routed) {
		const char *refuses = strstr(refusal.text, ": "); /* behind the name of the fabric */
		snprintf(a->refusal, sizeof a->refusal, "%s", refusal.file && refuses ? refuses + 2 : refusal.text);
		char *hint = strstr(a->refusal, "; use ");
		if (hint)
			*hint = '\0';
	} else {
		run->forwarding = made.forwarding;
		run->routes = made.routes;
		run->odd = report;
		run->by_opensm = made.opensm;
		a->uncertain = made.uncertain;
		run->hash = a->hash = job->fabric->labels->hash;
		snprintf(run->used, sizeof run->used, "%s", run->asked);
		job->lanes[i] = made.lanes;
		examine(job, a, made.forwarding, made.lanes, error);
	}
}

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
	struct comparison *c = &job->comparison;
	size_t used = (size_t)snprintf(job->best, sizeof job->best, "best");
	if (o->seconds)
		used += (size_t)snprintf(job->best + used, sizeof job->best - used, ":time=%llu", (unsigned long long)o->seconds);
	if (o->ignore_speeds)
		snprintf(job->best + used, sizeof job->best - used, "%cignore-speeds", o->seconds ? ',' : ':');
	*c = (struct comparison){.request = &o->pattern,
		.patterns = 1,
		.subset = "linear_bfs",
		.mapping = "random",
		.seed = o->seed,
		.runs = o->runs,
		.multipath = -1,
		.drop = true,
		.ignore_speeds = o->ignore_speeds,
		.files = &job->files,
		.progress = !o->quiet,
		.routings = ADVICE_KINDS,
		.routing = array_create(ADVICE_KINDS, sizeof *c->routing, error)};
	for (int i = 0; i < ADVICE_KINDS && !error->status; i++) {
		const struct advice_kind *kind = &advice_kinds[i];
		job->result.advice[i].kind = kind;
		job->run[i] = (struct engine_run){.asked = kind->tables   ? job->best
							   : kind->engine ? kind->engine
									  : ENGINE_AS_IS,
			.seconds = NAN,
			.file = -1};
		c->routing[i].label = kind->what;
		c->routing[i].engine = &job->run[i];
	}
	return error->status ? -1 : 0;
}

/* Reads the fabric and routes it in every way; in process 0. */
static void prepare(struct advise_job *job, struct error *error)
{
	struct advise_options *o = &job->options;
	FILE *notes = o->quiet ? NULL : stderr;
	unsigned wants = DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK;
	struct virtual_lanes *lanes = NULL;
	if ((o->folder && advice_check_folder(o->folder, error)) || fabric_source_open(&o->fabric, &job->files, error) ||
		pattern_files(&o->pattern, PATTERN_PAIRS, &job->files, error) ||
		fabric_source_load(
			&o->fabric, wants, &job->files, notes, &job->fabric, &job->forwarding, &job->attributes, &job->odd, error))
		return;
	job->result.fabric = job->fabric;
	job->result.files = &job->files;
	job->result.advice[0].hash = job->fabric->labels->hash;
	struct advice *now = &job->result.advice[0];
	if (!is_routed(job)) {
		snprintf(now->refusal, sizeof now->refusal, "the fabric is not routed");
		forwarding_free(job->forwarding);
		job->forwarding = NULL;
		job->result.base = 1;
	} else {
		if (attributes_have_lanes(job->attributes))
			virtual_lanes_load(&lanes, job->attributes, job->fabric, true, error);
		job->lanes[0] = lanes;
		snprintf(job->run[0].used, sizeof job->run[0].used, ENGINE_AS_IS);
		if (!error->status)
			examine(job, now, job->forwarding, lanes, error);
	}
	for (int i = 1; i < ADVICE_KINDS && !error->status; i++)
		route(job, i, error);
	for (int i = 0; i < ADVICE_KINDS && !error->status; i++)
		if (!*job->result.advice[i].refusal)
			job->comparison.routing[i].source = &o->fabric;
	if (!error->status && *job->result.advice[job->result.base].refusal)
		error_at(error, STATUS_FABRIC, job->fabric->labels->source, 0, "there is no routing to compare with: minhop: %s",
			job->result.advice[job->result.base].refusal);
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

/* Takes the bandwidth of each routing, and the paired differences from the base. */
static int take_values(struct advise_job *job, struct error *error)
{
	const struct comparison *c = &job->comparison;
	const struct trial *base = c->routing[job->result.base].trial;
	double *values = array_create(c->runs, sizeof *values, error), *sorted = array_create(c->runs, sizeof *sorted, error);
	for (int i = 0; i < ADVICE_KINDS && !error->status; i++) {
		struct advice *a = &job->result.advice[i];
		if (*a->refusal || !is_compared(&c->routing[i]))
			continue;
		const struct trial *trial = c->routing[i].trial;
		a->mean = trial->verdict.runs.mean;
		a->low = trial->verdict.runs.low;
		a->high = trial->verdict.runs.high;
		size_t count = 0;
		for (uint64_t r = 0; r < c->runs; r++)
			if (!isnan(trial->value[r]) && !isnan(base->value[r]))
				values[count++] = trial->value[r] - base->value[r];
		if (!count)
			continue;
		memcpy(sorted, values, count * sizeof *values);
		sort_values(sorted, count);
		struct statistics s = statistics_of(values, sorted, count);
		a->gain = s.mean;
		a->gain_low = count > 1 ? s.low : -INFINITY;
		a->gain_high = count > 1 ? s.high : INFINITY;
	}
	free(values);
	free(sorted);
	return error->status ? -1 : 0;
}

/* In process 0. */
static void conclude(struct advise_job *job, struct error *error)
{
	if (take_values(job, error))
		return;
	advice_choose(&job->result);
	if (job->options.folder && advice_write(&job->result, &job->options, error))
		return;
	advice_report(&job->result, &job->options, stdout, error);
	if (!error->status && !job->options.quiet)
		dot_report_write(&job->odd, stderr, program, job->fabric->labels->source, !job->options.ignore_speeds);
}

static void clear(struct advise_job *job)
{
	comparison_clear(&job->comparison);
	engine_runs_clear(job->run, ADVICE_KINDS);
	for (int i = 0; i < ADVICE_KINDS; i++)
		virtual_lanes_free(job->lanes[i]);
	free(job->comparison.routing);
	free(job->result.graph);
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
	job.comparison.comm = comm;
	if (comm && !comm_agree(comm, &error) && !measures && !comparison_run(&job.comparison, &error)) {
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
