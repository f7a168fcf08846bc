#include "compare/advice_run.h"

#include "base/memory.h"
#include "compare/shift_loads.h"
#include "fabric/dependencies.h"
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

/* Sets whether the dependencies have a cycle. */
static void find_cycle(struct advice *a, const struct dependencies *waits, struct error *error)
{
	struct digraph graph = {0};
	uint32_t *cyclic = NULL;
	if (!dependencies_graph(waits, &graph, error) && (cyclic = digraph_cyclic(&graph, error)))
		for (uint32_t v = 0; v < graph.vertices; v++)
			a->deadlock |= cyclic[v] != 0;
	free(cyclic);
	digraph_clear(&graph);
}

/* Finds lost pairs, the largest load of all-to-all between switches, and whether packets can deadlock. */
static void examine(
	struct advice_run *r, struct advice *a, const struct forwarding *tables, const struct virtual_lanes *lanes, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct destination_trees trees;
	struct dependencies waits = {0};
	struct pair_loads loads = {0};
	bool *passed = array_create(f->hosts, sizeof *passed, error);
	uint32_t *host = array_create(f->hosts, sizeof *host, error);
	bool levels = lanes && lanes->levels;
	a->known = !(lanes && lanes->unknown);
	a->hottest = NONE;
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
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
				if (f->node_host[v] == NONE && f->node_host[f->head[c]] == NONE && loads.load[c] > a->largest) {
					a->largest = loads.load[c];
					a->hottest = c;
				}
		a->shifts = r->setup.shifts ? shift_loads_mean(f, tables, error) : NAN;
		find_cycle(a, &waits, error);
		count_entries(r, a, tables);
	}
	pair_loads_clear(&loads);
	dependencies_clear(&waits);
	destination_trees_clear(&trees);
	free(passed);
	free(host);
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
		examine(r, a, made.forwarding, made.lanes, error);
	}
}

int advice_begin(struct advice_run *run, const struct advice_setup *setup, struct error *error)
{
	struct advice_run *r = run;
	struct comparison *c = &r->comparison;
	*r = (struct advice_run){.setup = *setup, .result = {.kinds = setup->kinds, .files = setup->files}};
	size_t used = (size_t)snprintf(r->best, sizeof r->best, "best");
	if (setup->seconds)
		used += (size_t)snprintf(r->best + used, sizeof r->best - used, ":time=%llu", (unsigned long long)setup->seconds);
	if (setup->ignore_speeds)
		snprintf(r->best + used, sizeof r->best - used, "%cignore-speeds", setup->seconds ? ',' : ':');
	*c = (struct comparison){.request = setup->pattern,
		.patterns = 1,
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
	if (!error->status && !r->setup.brief)
		examine(r, now, r->forwarding, lanes, error);
}

int advice_route(struct advice_run *run, struct error *error)
{
	struct advice_result *result = &run->result;
	result->fabric = run->fabric;
	examine_present(run, error);
	for (int i = 1; i < result->kinds && !error->status; i++)
		route(run, i, error);
	for (int i = result->kinds - 1; i > 0 && !run->forwarding && !error->status; i--)
		if (!*result->advice[i].refusal)
			result->base = i;
	for (int i = 0; i < result->kinds && !error->status; i++)
		if (!*result->advice[i].refusal)
			run->comparison.routing[i].source = run->setup.source;
	const struct advice *base = &result->advice[result->base];
	if (!error->status && *base->refusal)
		error_at(error, STATUS_FABRIC, run->fabric->labels->source, 0, "there is no routing to compare with: %s: %s",
			base->kind->what, base->refusal);
	return error->status ? -1 : 0;
}

/* ---- the comparison */

/* Takes the bandwidth of each routing, and the paired differences from the base. */
static int take_values(struct advice_run *r, struct error *error)
{
	const struct comparison *c = &r->comparison;
	const struct trial *base = c->routing[r->result.base].trial;
	double *values = array_create(c->runs, sizeof *values, error), *sorted = array_create(c->runs, sizeof *sorted, error);
	for (int i = 0; i < r->result.kinds && !error->status; i++) {
		struct advice *a = &r->result.advice[i];
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

int advice_compare(struct advice_run *run, struct comm *comm, struct error *error)
{
	run->comparison.comm = comm;
	if (comparison_run(&run->comparison, error))
		return -1;
	if (!comm_rank(comm) && !take_values(run, error))
		advice_choose(&run->result);
	return comm_agree(comm, error);
}

void advice_clear(struct advice_run *run)
{
	comparison_clear(&run->comparison);
	engine_runs_clear(run->run, run->result.kinds);
	for (int i = 0; i < run->result.kinds; i++)
		virtual_lanes_free(run->lanes[i]);
	free(run->comparison.routing);
	free(run->result.graph);
}
