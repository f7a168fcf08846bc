#include "tools/check/check.h"

#include "base/memory.h"
#include "fabric/planes.h"
#include "shapes/tree_levels.h"
#include "tools/check/shape_named.h"
#include "fabric/layers.h"
#include "tools/check/route_statistics.h"

#include <stdlib.h>
#include <string.h>

enum { FAULTS_NAMED = 10 };

/* Memory limit for the sums of symmetry_find(). */
#define SUMS_BYTES ((size_t)1 << 30)

static int find_one_way(struct check *c, struct error *error)
{
	for (uint32_t k = 0; k < c->fabric->channels; k++)
		if (c->reverse[k] == NONE && faults_add(&c->faults, FAULT_ONE_WAY, (struct fault){NONE, NONE, k, 0}, error))
			return -1;
	return 0;
}

/* Finds ports on leaves of other rails; value: index of the rail. */
static int find_astray(struct check *c, struct error *error)
{
	for (uint32_t i = 0; i < c->rails->count; i++)
		if (rails_astray(c->rails, i) &&
			faults_add(&c->faults, FAULT_ASTRAY, (struct fault){NONE, NONE, c->rails->rail[i].port, i}, error))
			return -1;
	return 0;
}

/* Finds turns, a switch and two ports, that discard packets. */
static int find_discarded(struct check *c, struct error *error)
{
	const struct dependencies *d = &c->statistics.waits;
	for (uint32_t in = 0; in < c->fabric->channels && c->lanes; in++)
		for (uint64_t pair = d->turns[in]; pair < d->turns[in + 1]; pair++) {
			uint64_t bits = d->discarded[pair / 64] >> pair % 64;
			uint32_t out = c->fabric->first_channel[c->fabric->head[in]] + (uint32_t)(pair - d->turns[in]);
			if (!bits)
				pair |= 63; /* no other bit of that word is set */
			else if (bits & 1 && faults_add(&c->faults, FAULT_DISCARDED, (struct fault){NONE, NONE, in, out}, error))
				return -1;
		}
	return 0;
}

/* Without turning back, no closed walk is shorter than 4 channels in a bipartite graph, such as a tree, or than 3 in any graph. */
static uint32_t least_cycle(const struct fabric *f, struct error *error)
{
	uint8_t *colour = array_create(f->nodes, sizeof *colour, error); /* 0: not coloured yet */
	uint32_t *queue = array_create(f->nodes, sizeof *queue, error), least = 4;
	for (uint32_t root = 0; root < f->nodes && !error->status; root++) {
		uint32_t from = 0, to = 0;
		if (!colour[root]) {
			colour[root] = 1;
			queue[to++] = root;
		}
		for (; from < to; from++)
			for (uint32_t v = queue[from], c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t u = f->head[c];
				if (!colour[u]) {
					colour[u] = 3 - colour[v];
					queue[to++] = u;
				}
			}
	}
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (colour[f->head[c]] == colour[v])
				least = 3;
	free(colour);
	free(queue);
	return least;
}

/* Computes the number of virtual lanes that the routes need, whatever lanes they have. */
static int count_lanes_needed(struct check *c, struct error *error)
{
	struct dependencies one;
	struct digraph graph = {0};
	if (!dependencies_init(&one, c->trees, NULL, 0, c->statistics.waits.passed, error)) {
		for (uint32_t h = 0; h < c->fabric->hosts; h++) {
			destination_trees_make(c->trees, h);
			dependencies_add(&one);
		}
		if (!dependencies_graph(&one, &graph, error))
			c->deadlock.lanes_needed = layers_count(&one, c->trees, &graph, error);
	}
	digraph_clear(&graph);
	dependencies_clear(&one);
	return error->status ? -1 : 0;
}

static int find_deadlocks(struct check *c, struct error *error)
{
	struct deadlock *d = &c->deadlock;
	struct digraph graph = {0};
	uint32_t *cyclic = NULL;
	d->lanes = c->statistics.waits.lane_count;
	if (!dependencies_graph(&c->statistics.waits, &graph, error) && (cyclic = digraph_cyclic(&graph, error))) {
		d->dependencies = graph.first[graph.vertices];
		for (uint32_t k = 0; k < c->fabric->channels; k++) {
			bool on_cycle = false;
			for (unsigned lane = 0; lane < d->lanes; lane++)
				on_cycle = on_cycle || cyclic[k * d->lanes + lane];
			d->channels += on_cycle;
		}
		if (d->channels)
			d->cycle = digraph_shortest_cycle(&graph, cyclic, least_cycle(c->fabric, error), &d->length, error);
	}
	d->lanes_needed = !d->channels && d->lanes == 1;
	if (!error->status && d->channels && c->routes)
		d->lanes_needed = route_statistics_lanes(&c->statistics.waits, c->routes, &graph, error);
	else if (!error->status && d->channels)
		count_lanes_needed(c, error);
	free(cyclic);
	digraph_clear(&graph);
	return error->status ? -1 : 0;
}

static void judge(struct check *c, const struct check_options *o)
{
	c->met[REQUIRE_ROUTABLE] = c->statistics.routable == c->statistics.pairs && !c->faults.count[FAULT_DISCARDED];
	c->met[REQUIRE_HALVES] = !c->deadlock.channels;
	c->met[REQUIRE_DEADLOCK_FREE] = !c->deadlock.channels && !c->via;
	c->met[REQUIRE_MINIMAL] = c->statistics.minimal == c->statistics.routable && !c->via;
	c->met[REQUIRE_SYMMETRIC] = !c->symmetry.asymmetric && !c->via;
	c->met[REQUIRE_BALANCED] = c->balance.worst <= o->balance_limit;
	c->met[REQUIRE_REGULAR] = c->shape.regular && !c->shape.deviations;
	c->sound = true;
	for (int i = 0; i < REQUIREMENTS; i++)
		c->sound = c->sound && (c->met[i] || !o->required[i] || check_undecided(c, i));
}

/* All packets have level 0 if the fabric specifies no service levels. */
static int level_of(const struct virtual_lanes *lanes, int asked)
{
	return asked == LEVEL_TOLD && !(lanes && lanes->levels) ? 0 : asked;
}

/* Returns whether no node forwards anything, except that hosts use their only channel. */
static bool is_unrouted(const struct check *c)
{
	bool none = c->forwarding && !c->statistics.routable && !c->forwarding->function && !c->forwarding->columns;
	for (uint32_t v = 0; v < c->fabric->nodes && none; v++)
		none = c->fabric->node_host[v] != NONE || !forwarding_any(c->forwarding, v);
	return none;
}

/* Computes everything about the routes alone. */
static int look_at_routes(struct check *c, int level, struct error *error)
{
	if (c->routes) {
		c->trees->fabric = c->fabric;
		return route_statistics_make(&c->statistics, c->trees, c->routes, &c->faults, error);
	}
	if (destination_trees_init(c->trees, c->fabric, c->forwarding, error) || destination_trees_take_all(c->trees, error) ||
		pair_statistics_make(&c->statistics, c->trees, c->lanes, level_of(c->lanes, level), &c->faults, error))
		return -1;
	return c->trees->several ? 0 : symmetry_find(&c->symmetry, c->trees, c->reverse, SUMS_BYTES, &c->faults, error);
}

/* Finds the fat tree of a fabric without a regular topology. */
static int find_tree(struct check *c, struct error *error)
{
	if (!c->shape.regular && !fat_tree_find(&c->tree, c->fabric, c->reverse, error) && c->tree.found)
		c->usual_rails = rails_usual(c->rails, error);
	return error->status ? -1 : 0;
}

static int find_load(struct check *c, struct error *error)
{
	c->has_load = c->statistics.routable && !c->via;
	uint32_t *level = c->has_load ? tree_levels_make(c->fabric, error) : NULL;
	if (level)
		fair_share_find(&c->load, c->fabric, c->statistics.routes, level, error);
	free(level);
	return error->status ? -1 : 0;
}

int check_run(struct check *check, const struct fabric *fabric, const struct rails *rails, const struct forwarding *forwarding,
	const struct source_routes *routes, const struct virtual_lanes *lanes, const char *topology, const struct check_options *options,
	struct error *error)
{
	struct check *c = check;
	*c = (struct check){
		.fabric = fabric,
		.rails = rails,
		.forwarding = forwarding,
		.routes = routes,
		.lanes = lanes,
		.via = forwarding && forwarding->via,
		.levels_unknown = lanes && lanes->unknown,
		.trees = array_create(1, sizeof *c->trees, error),
		.reverse = fabric_reverse(fabric, error),
	};
	for (int kind = 0; kind < FAULT_KINDS; kind++) /* asymmetric pairs are many, and no fault unless symmetry is required */
		c->faults.keep[kind] =
			options->all && (kind != FAULT_ASYMMETRIC || options->required[REQUIRE_SYMMETRIC]) ? UINT64_MAX : FAULTS_NAMED;
	if (forwarding && forwarding->alternatives && options->required[REQUIRE_SYMMETRIC])
		return error_at(error, STATUS_USAGE, fabric->labels->source, 0,
			"symmetric cannot be required: pairs have several routes, as the tables have multipath entries");
	if (error->status || look_at_routes(c, options->level, error) || find_one_way(c, error) || find_astray(c, error) ||
		find_discarded(c, error) || find_deadlocks(c, error) || shape_find(&c->shape, fabric, c->reverse, error) ||
		shape_name(&c->shape, fabric, topology, error) || find_tree(c, error) ||
		balance_find(&c->balance, fabric, &c->statistics, c->shape.level, &c->faults, error))
		return -1;
	c->unrouted = is_unrouted(c);
	if (find_load(c, error))
		return -1;
	judge(c, options);
	return 0;
}

struct plane_check check_plane(const struct check *c)
{
	struct plane_check plane = {
		.hosts = c->fabric->hosts,
		.switches = c->fabric->nodes - c->fabric->hosts,
		.pairs = c->statistics.pairs,
		.routable = c->statistics.routable,
		.minimal = c->statistics.minimal,
		.deadlocks = c->deadlock.channels,
		.unrouted = c->unrouted,
		.sound = c->sound,
	};
	memcpy(plane.met, c->met, sizeof plane.met);
	return plane;
}

/* Returns whether most ports are of machines with ports on other planes, too. */
static bool planes_are_rails(const struct check *c, struct error *error)
{
	const struct rails *r = c->rails;
	struct planes planes;
	uint32_t apart = 0;
	if (!planes_find(&planes, c->fabric, error))
		for (uint32_t i = 0, first = 0; i < r->count; i++) {
			first = r->rail[i].number == 1 ? i : first;
			if (planes.of[r->rail[i].adapter] != planes.of[r->rail[first].adapter])
				apart += i == first + 1 || planes.of[r->rail[i - 1].adapter] == planes.of[r->rail[first].adapter] ? 2 : 1;
		}
	planes_clear(&planes);
	return 2 * (uint64_t)apart > r->count;
}

int check_take_planes(
	struct check *check, struct plane_check *plane, uint32_t planes, const struct check_options *options, struct error *error)
{
	check->plane = plane;
	check->planes = planes;
	check->planes_are_rails = planes_are_rails(check, error);
	for (int i = 0; i < REQUIREMENTS && check->planes_are_rails; i++) {
		check->met[i] = true;
		for (uint32_t p = 0; p < planes; p++)
			check->met[i] = check->met[i] && plane[p].met[i];
	}
	check->sound = true;
	for (int i = 0; i < REQUIREMENTS; i++)
		check->sound = check->sound && (check->met[i] || !options->required[i]);
	return error->status ? -1 : 0;
}

void check_clear(struct check *check)
{
	free(check->plane);
	free(check->reverse);
	free(check->deadlock.cycle);
	if (check->trees)
		destination_trees_clear(check->trees);
	free(check->trees);
	faults_clear(&check->faults);
	pair_statistics_clear(&check->statistics);
	shape_clear(&check->shape);
	fat_tree_clear(&check->tree);
	balance_clear(&check->balance);
	fair_share_clear(&check->load);
	*check = (struct check){0};
}
