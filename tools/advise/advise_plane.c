#include "tools/advise/advise_plane.h"

#include "base/memory.h"
#include "fabric/dependencies.h"
#include "fabric/load_scale.h"
#include "fabric/pair_loads.h"
#include "fabric/planes.h"
#include "orcs/reroute.h"
#include "tools/advise/real_engines.h"
#include "tools/advise/shift_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a routing is like */

/* Counts table entries of switches, and those that differ from the present ones. */
static void count_entries(struct advise_plane *plane, struct advice *a, const struct forwarding *tables)
{
	const struct fabric *f = plane->fabric;
	const struct forwarding *now = plane->forwarding ? plane->forwarding : plane->run[plane->result.base].forwarding;
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
	const struct advise_plane *plane, struct advice *a, const struct fabric *f, const struct pair_loads *loads, struct error *error)
{
	double *scale = load_scale_make(f, !plane->options->ignore_speeds, error);
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

int advise_examine(struct advise_plane *plane, struct advice *a, const struct fabric *fabric, const struct forwarding *tables,
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
		find_largest(plane, a, f, &loads, error);
		a->shifts = shift_loads_mean(f, tables, error);
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
static void route(struct advise_plane *plane, int i, struct error *error)
{
	const struct advise_options *o = plane->options;
	struct advice *a = &plane->result.advice[i];
	struct engine_run *run = &plane->run[i];
	struct rerouted made;
	struct error refusal = {0};
	struct dot_report report = plane->odd;
	FILE *graph = a->kind->tables ? open_memstream(&plane->result.graph, &plane->result.graph_size) : NULL;
	struct rerouting rerouting = {.engine = run->asked, .seed = o->seed, .lanes = true, .files = plane->files, .graph = graph};
	bool routed = !reroute(&rerouting, plane->fabric, &plane->attributes, &made, &report, &refusal);
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
		run->hash = a->hash = plane->fabric->labels->hash;
		snprintf(run->used, sizeof run->used, "%s", run->asked);
		plane->lanes[i] = made.lanes;
		if (!advise_examine(plane, a, plane->fabric, made.forwarding, made.lanes, error))
			count_entries(plane, a, made.forwarding);
	}
}

bool advise_is_routed(const struct fabric *fabric, const struct forwarding *forwarding)
{
	for (uint32_t v = 0; v < fabric->nodes && forwarding; v++)
		if (fabric->node_host[v] == NONE && forwarding_any(forwarding, v))
			return true;
	return false;
}

int advise_plane_begin(
	struct advise_plane *plane, struct advise_options *options, struct files *files, FILE *notes, uint32_t number, struct error *error)
{
	const struct advise_options *o = options;
	*plane = (struct advise_plane){.options = options, .files = files, .notes = notes, .result.plane = number};
	struct comparison *c = &plane->comparison;
	size_t used = (size_t)snprintf(plane->best, sizeof plane->best, "best");
	if (o->seconds)
		used += (size_t)snprintf(plane->best + used, sizeof plane->best - used, ":time=%llu", (unsigned long long)o->seconds);
	if (o->ignore_speeds)
		snprintf(plane->best + used, sizeof plane->best - used, "%cignore-speeds", o->seconds ? ',' : ':');
	*c = (struct comparison){.request = o->pattern,
		.patterns = o->patterns,
		.subset = "linear_bfs",
		.mapping = "random",
		.seed = o->seed,
		.runs = o->runs,
		.multipath = -1,
		.drop = true,
		.ignore_speeds = o->ignore_speeds,
		.files = plane->files,
		.progress = !o->quiet,
		.routings = ADVICE_KINDS,
		.routing = array_create(ADVICE_KINDS, sizeof *c->routing, error)};
	for (int i = 0; i < ADVICE_KINDS && !error->status; i++) {
		const struct advice_kind *kind = &advice_kinds[i];
		plane->result.advice[i].kind = kind;
		plane->run[i] = (struct engine_run){.asked = kind->tables   ? plane->best
							     : kind->engine ? kind->engine
									    : ENGINE_AS_IS,
			.seconds = NAN,
			.file = -1};
		c->routing[i].label = kind->what;
		c->routing[i].engine = &plane->run[i];
	}
	return error->status ? -1 : 0;
}

/* Sets the base: the present tables, or minhop. */
static int take_base(struct advise_plane *plane, struct error *error)
{
	struct advice *now = &plane->result.advice[0];
	now->hash = plane->fabric->labels->hash;
	if (!advise_is_routed(plane->fabric, plane->forwarding)) {
		snprintf(now->refusal, sizeof now->refusal, "the fabric is not routed");
		forwarding_free(plane->forwarding);
		plane->forwarding = NULL;
		plane->result.base = 1;
		return 0;
	}
	if (attributes_have_lanes(plane->attributes) && virtual_lanes_load(&plane->lanes[0], plane->attributes, plane->fabric, true, error))
		return -1;
	snprintf(plane->run[0].used, sizeof plane->run[0].used, ENGINE_AS_IS);
	if (!advise_examine(plane, now, plane->fabric, plane->forwarding, plane->lanes[0], error))
		count_entries(plane, now, plane->forwarding);
	return error->status ? -1 : 0;
}

/* Lists the planes if there are several with pairs of hosts. */
static int find_planes(const struct fabric *fabric, uint32_t **list, uint32_t *count, struct error *error)
{
	struct planes planes;
	if (!planes_find(&planes, fabric, error) && planes_of_pairs(&planes) > 1)
		*list = planes_list(&planes, count, error);
	planes_clear(&planes);
	return error->status ? -1 : 0;
}

int advise_plane_prepare(struct advise_plane *plane, uint32_t **planes, uint32_t *count, struct error *error)
{
	struct advise_options *o = plane->options;
	unsigned wants = DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK;
	*count = 0;
	if (fabric_source_load(&o->fabric, wants, plane->files, plane->notes, &plane->fabric, &plane->forwarding, &plane->attributes,
		    &plane->odd, error) ||
		(!o->fabric.plane && find_planes(plane->fabric, planes, count, error)))
		return -1;
	plane->result.fabric = plane->fabric;
	if (*count || take_base(plane, error))
		return error->status ? -1 : 0;
	for (int i = 1; i < ADVICE_KINDS && !error->status; i++)
		if (advice_kinds[i].real)
			snprintf(plane->result.advice[i].refusal, sizeof plane->result.advice[i].refusal, ADVICE_NOT_TRIED);
		else
			route(plane, i, error);
	if (!error->status && o->opensm)
		real_engines_route(plane, error);
	for (int i = 0; i < ADVICE_KINDS && !error->status; i++)
		if (!*plane->result.advice[i].refusal && !advice_kinds[i].real)
			plane->comparison.routing[i].source = &o->fabric;
	if (!error->status && *plane->result.advice[plane->result.base].refusal)
		error_at(error, STATUS_FABRIC, plane->fabric->labels->source, 0, "there is no routing to compare with: minhop: %s",
			plane->result.advice[plane->result.base].refusal);
	return error->status ? -1 : 0;
}

/* ---- results of the runs */

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

int advise_plane_conclude(struct advise_plane *plane, struct error *error)
{
	const struct comparison *c = &plane->comparison;
	const struct trial *base = c->routing[plane->result.base].trial;
	double *values = array_create(2 * c->runs, sizeof *values, error);
	for (int i = 0; i < ADVICE_KINDS && values; i++) {
		struct advice *a = &plane->result.advice[i];
		for (int p = 0; p < c->patterns && !*a->refusal && is_compared(&c->routing[i]); p++)
			take_gain(&a->of[p], &c->routing[i].trial[p], &base[p], c->runs, values);
	}
	free(values);
	if (!error->status)
		advice_choose(&plane->result, c->patterns);
	return error->status ? -1 : 0;
}

void advise_plane_clear(struct advise_plane *plane)
{
	comparison_clear(&plane->comparison);
	engine_runs_clear(plane->run, ADVICE_KINDS);
	for (int i = 0; i < ADVICE_KINDS; i++) {
		virtual_lanes_free(plane->lanes[i]);
		fabric_source_clear(&plane->real[i]);
	}
	free(plane->comparison.routing);
	free(plane->result.graph);
	attributes_free(plane->attributes);
	forwarding_free(plane->forwarding);
	fabric_free(plane->fabric);
}
