#include "compare/advice_run.h"

#include "base/memory.h"
#include "compare/real_engines.h"
#include "compare/shift_loads.h"
#include "fabric/dependencies.h"
#include "fabric/load_scale.h"
#include "fabric/pair_loads.h"
#include "orcs/reroute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a routing is like */

/* Counts table entries of switches, and those that differ from the present ones. */
static void count_entries(struct advice_run *r, struct advice *a, const struct forwarding *tables)
{
	const struct fabric *f = r->fabric;
	const struct forwarding *now = r->forwarding ? r->forwarding : r->run[r->result.base].forwarding;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t h = 0; h < f->hosts && f->node_host[v] == NONE; h++) {
			uint32_t new = forwarding_next(tables, v, tables->column[v], h);
			uint32_t old = now ? forwarding_next(now, v, now->column[v], h) : NONE;
			a->entries += new != NONE || old != NONE;
			a->changed += new != old;
		}
}

/* Finds the channel between switches with the largest load. */
static void find_largest(
	const struct advice_run *r, struct advice *a, const struct fabric *f, const struct pair_loads *loads, struct error *error)
{
	double *scale = load_scale_make(f, !r->setup.ignore_speeds, error);
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

int advice_examine(struct advice_run *run, struct advice *a, const struct fabric *fabric, const struct forwarding *tables,
	const struct virtual_lanes *lanes, struct error *error)
{
	const struct fabric *f = fabric;
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
		find_largest(run, a, f, &loads, error);
		a->shifts = run->setup.shifts ? shift_loads_mean(f, tables, error) : NAN;
		dependencies_cyclic(&waits, &a->deadlock, error);
	}
	pair_loads_clear(&loads);
	dependencies_clear(&waits);
	destination_trees_clear(&trees);
	free(passed);
	free(host);
	return error->status ? -1 : 0;
}

/* ---- the routings */

/* Routes by a kind; an engine that refuses has its reason. */
static void route(struct advice_run *r, int i, struct error *error)
{
	const struct advice_setup *o = &r->setup;
	struct advice *a = &r->result.advice[i];
	struct engine_run *run = &r->run[i];
	struct rerouted made;
	struct error refusal = {0};
	struct dot_report report = r->odd;
	FILE *graph = a->kind->tables ? open_memstream(&r->result.graph, &r->result.graph_size) : NULL;
	struct rerouting rerouting = {.engine = run->asked, .seed = o->seed, .lanes = true, .files = o->files, .graph = graph};
	bool routed = !reroute(&rerouting, r->fabric, &r->attributes, &made, &report, &refusal);
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
		run->hash = a->hash = r->fabric->labels->hash;
		snprintf(run->used, sizeof run->used, "%s", run->asked);
		r->lanes[i] = made.lanes;
		a->uncertain = made.uncertain;
		if (!advice_examine(r, a, r->fabric, made.forwarding, made.lanes, error))
			count_entries(r, a, made.forwarding);
	}
}

int advice_begin(struct advice_run *run, const struct advice_setup *setup, struct error *error)
{
	struct advice_run *r = run;
	struct comparison *c = &r->comparison;
	*r = (struct advice_run){.setup = *setup, .result = {.kinds = setup->kinds}};
	size_t used = (size_t)snprintf(r->best, sizeof r->best, "best");
	if (setup->seconds)
		used += (size_t)snprintf(r->best + used, sizeof r->best - used, ":time=%llu", (unsigned long long)setup->seconds);
	if (setup->ignore_speeds)
		snprintf(r->best + used, sizeof r->best - used, "%cignore-speeds", setup->seconds ? ',' : ':');
	*c = (struct comparison){.request = setup->pattern,
		.patterns = setup->patterns,
		.subset = "linear_bfs",
		.mapping = "random",
		.seed = setup->seed,
		.runs = setup->runs,
		.multipath = -1,
		.drop = true,
		.ignore_speeds = setup->ignore_speeds,
		.files = setup->files,
		.progress = setup->progress,
		.routings = setup->kinds,
		.routing = array_create((size_t)setup->kinds, sizeof *c->routing, error)};
	for (int i = 0; i < setup->kinds && !error->status; i++) {
		const struct advice_kind *kind = &setup->kind[i];
		r->result.advice[i].kind = kind;
		r->run[i] = (struct engine_run){.asked = kind->tables   ? r->best
							 : kind->engine ? kind->engine
									: ENGINE_AS_IS,
			.seconds = NAN,
			.file = -1};
		c->routing[i].label = kind->what;
		c->routing[i].engine = &r->run[i];
	}
	return error->status ? -1 : 0;
}

/* Examines the present tables. */
static void examine_present(struct advice_run *r, struct error *error)
{
	struct advice *now = &r->result.advice[0];
	struct virtual_lanes *lanes = NULL;
	now->hash = r->fabric->labels->hash;
	if (!r->forwarding) {
		snprintf(now->refusal, sizeof now->refusal, "the fabric is not routed");
		r->result.base = r->result.kinds > 1;
		return;
	}
	if (r->attributes && attributes_have_lanes(r->attributes) && !r->setup.brief)
		virtual_lanes_load(&lanes, r->attributes, r->fabric, true, error);
	r->lanes[0] = lanes;
	snprintf(r->run[0].used, sizeof r->run[0].used, ENGINE_AS_IS);
	if (!error->status && !r->setup.brief && !advice_examine(r, now, r->fabric, r->forwarding, lanes, error))
		count_entries(r, now, r->forwarding);
}

int advice_route(struct advice_run *run, struct error *error)
{
	struct advice_result *result = &run->result;
	result->fabric = run->fabric;
	examine_present(run, error);
	for (int i = 1; i < result->kinds && !error->status; i++)
		if (run->setup.kind[i].real)
			snprintf(result->advice[i].refusal, sizeof result->advice[i].refusal, ADVICE_NOT_TRIED);
		else
			route(run, i, error);
	for (int i = result->kinds - 1; i > 0 && !run->forwarding && !error->status; i--)
		if (!*result->advice[i].refusal)
			result->base = i;
	if (!error->status && run->setup.opensm)
		real_engines_route(run, error);
	for (int i = 0; i < result->kinds && !error->status; i++)
		if (!*result->advice[i].refusal && !run->setup.kind[i].real)
			run->comparison.routing[i].source = run->setup.source;
	const struct advice *base = &result->advice[result->base];
	if (!error->status && *base->refusal)
		error_at(error, STATUS_FABRIC, run->fabric->labels->source, 0, "there is no routing to compare with: %s: %s",
			base->kind->what, base->refusal);
	return error->status ? -1 : 0;
}

/* ---- the comparison */

/* Takes the bandwidth of a pattern, and the paired differences from the base; values: [2 * runs] workspace. */
static void take_gain(struct advice_gain *gain, const struct trial *trial, const struct trial *base, uint64_t runs, double *values)
{
	double *sorted = values + runs;
	size_t count = 0;
	gain->mean = trial->verdict.runs.mean;
	gain->low = trial->verdict.runs.low;
	gain->high = trial->verdict.runs.high;
	for (uint64_t r = 0; r < runs; r++)
		if (!isnan(trial->value[r]) && !isnan(base->value[r]))
			values[count++] = trial->value[r] - base->value[r];
	if (!count)
		return;
	memcpy(sorted, values, count * sizeof *values);
	sort_values(sorted, count);
	struct statistics s = statistics_of(values, sorted, count);
	gain->gain = s.mean;
	gain->gain_low = count > 1 ? s.low : -INFINITY;
	gain->gain_high = count > 1 ? s.high : INFINITY;
}

static int take_values(struct advice_run *r, struct error *error)
{
	const struct comparison *c = &r->comparison;
	const struct trial *base = c->routing[r->result.base].trial;
	double *values = array_create(2 * c->runs, sizeof *values, error);
	for (int i = 0; i < r->result.kinds && values; i++) {
		struct advice *a = &r->result.advice[i];
		for (int p = 0; p < c->patterns && !*a->refusal && is_compared(&c->routing[i]); p++)
			take_gain(&a->of[p], &c->routing[i].trial[p], &base[p], c->runs, values);
	}
	free(values);
	return error->status ? -1 : 0;
}

int advice_compare(struct advice_run *run, struct comm *comm, struct error *error)
{
	run->comparison.comm = comm;
	if (comparison_run(&run->comparison, error))
		return -1;
	if (!comm_rank(comm) && !take_values(run, error))
		advice_choose(&run->result, run->setup.patterns);
	return comm_agree(comm, error);
}

void advice_clear(struct advice_run *run)
{
	comparison_clear(&run->comparison);
	engine_runs_clear(run->run, run->result.kinds);
	for (int i = 0; i < run->result.kinds; i++) {
		virtual_lanes_free(run->lanes[i]);
		fabric_source_clear(&run->real[i]);
	}
	free(run->comparison.routing);
	free(run->result.graph);
}
