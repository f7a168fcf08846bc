#include "shape_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int plan_link(struct plan *plan, uint32_t a, uint32_t b, uint32_t cables, struct error *error)
{
	if (array_grow(&plan->link, &plan->capacity, plan->links + 1, sizeof *plan->link, error))
		return -1;
	plan->link[plan->links++] = a < b ? (struct link){a, b, cables} : (struct link){b, a, cables};
	return 0;
}

void plan_clear(struct plan *plan)
{
	free(plan->link);
	free(plan->level);
	*plan = (struct plan){0};
}

static int compare_links(const void *left, const void *right)
{
	const struct link *x = left, *y = right;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

uint32_t part_cables(const struct part *part, uint32_t a, uint32_t b)
{
	uint32_t low = part->first[a], high = part->first[a + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (part->neighbour[middle].to < b)
			low = middle + 1;
		else
			high = middle;
	}
	return low < part->first[a + 1] && part->neighbour[low].to == b ? part->neighbour[low].cables : 0;
}

uint32_t part_common(const struct part *part, uint32_t a, uint32_t b)
{
	uint32_t i = part->first[a], j = part->first[b], common = 0;
	while (i < part->first[a + 1] && j < part->first[b + 1]) {
		uint32_t x = part->neighbour[i].to, y = part->neighbour[j].to;
		common += x == y;
		i += x <= y;
		j += y <= x;
	}
	return common;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

uint32_t most_common(uint32_t *values, size_t count)
{
	uint32_t best = 0;
	size_t most = 0;
	if (count)
		qsort(values, count, sizeof *values, compare_numbers);
	for (size_t i = 0, run = 0; i < count; i++) {
		run = i && values[i] == values[i - 1] ? run + 1 : 1;
		if (run >= most) {
			most = run;
			best = values[i];
		}
	}
	return best;
}

/* Steps through the links of the part and those of the plan, which is sorted, together. */
struct difference {
	uint32_t a, b, wanted, there;
};

struct walk_links {
	const struct part *part;
	const struct plan *plan;
	uint32_t a, at; /* of the part: neighbour[at] of switch a */
	size_t link;    /* of the plan */
};

static bool next_difference(struct walk_links *w, struct difference *d)
{
	const struct part *part = w->part;
	for (;;) {
		while (w->a < part->switches && (w->at == part->first[w->a + 1] || part->neighbour[w->at].to < w->a)) {
			if (w->at == part->first[w->a + 1])
				w->a++;
			else
				w->at++;
		}
		bool there = w->a < part->switches, wanted = w->link < w->plan->links;
		if (!there && !wanted)
			return false;
		struct link l = there ? (struct link){w->a, part->neighbour[w->at].to, part->neighbour[w->at].cables} : (struct link){0};
		int order = !there ? 1 : !wanted ? -1 : compare_links(&l, &w->plan->link[w->link]);
		struct link m = wanted ? w->plan->link[w->link] : l;
		*d = (struct difference){
			order <= 0 ? l.a : m.a, order <= 0 ? l.b : m.b, order >= 0 ? m.cables : 0, order <= 0 ? l.cables : 0};
		w->at += order <= 0;
		w->link += order >= 0;
		if (d->wanted != d->there)
			return true;
	}
}

uint64_t plan_deviations(const struct part *part, struct plan *plan, uint64_t limit)
{
	uint64_t count = 0;
	struct walk_links walk = {.part = part, .plan = plan};
	struct difference d;
	if (plan->links)
		qsort(plan->link, plan->links, sizeof *plan->link, compare_links);
	while (count <= limit && next_difference(&walk, &d))
		count += d.wanted > d.there ? d.wanted - d.there : d.there - d.wanted;
	return count;
}

/* ---- the part */

static void part_clear(struct part *part)
{
	free(part->node);
	free(part->hosts);
	free(part->first);
	free(part->neighbour);
}

static int compare_neighbours(const void *left, const void *right)
{
	const struct neighbour *x = left, *y = right;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* The switches' numbers within their parts: [nodes]. Both directions of a cable, and the one of a cable with one, make neighbours. */
struct cabling {
	const struct fabric *fabric;
	const uint32_t *reverse;
	uint32_t *part; /* [nodes] NONE: a host */
	uint32_t parts;
	uint32_t *number; /* [nodes] within its part */
};

static uint32_t find_root(uint32_t *parent, uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

/* Switches that cables connect are of one part; parts are in the order of their first switches. */
static int find_parts(struct cabling *c, struct error *error)
{
	const struct fabric *f = c->fabric;
	uint32_t *parent = array_create(f->nodes, sizeof *parent, error), *size = array_create(f->nodes, sizeof *size, error);
	c->part = array_create(f->nodes, sizeof *c->part, error);
	c->number = array_create(f->nodes, sizeof *c->number, error);
	if (!error->status) {
		for (uint32_t v = 0; v < f->nodes; v++)
			parent[v] = v;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t k = f->first_channel[v]; k < f->first_channel[v + 1]; k++)
				if (f->node_host[v] == NONE && f->node_host[f->head[k]] == NONE)
					parent[find_root(parent, f->head[k])] = find_root(parent, v);
		memset(c->part, 0xff, f->nodes * sizeof *c->part);
		for (uint32_t v = 0; v < f->nodes; v++) {
			uint32_t root = find_root(parent, v);
			if (f->node_host[v] != NONE)
				continue;
			if (c->part[root] == NONE)
				c->part[root] = c->parts++;
			c->part[v] = c->part[root];
			c->number[v] = size[c->part[v]]++;
		}
	}
	free(parent);
	free(size);
	return error->status ? -1 : 0;
}

/* Whether the channel stands for its cable: the lower of the two directions. */
static bool counts(const struct cabling *c, uint32_t channel)
{
	return c->reverse[channel] > channel; /* also NONE */
}

/* Lists sorted by neighbour become one entry for each. */
static void join_parallel(struct part *part, const uint32_t *end)
{
	uint32_t to = 0;
	for (uint32_t a = 0; a < part->switches; a++) {
		uint32_t from = part->first[a], start = to;
		qsort(part->neighbour + from, end[a] - from, sizeof *part->neighbour, compare_neighbours);
		for (; from < end[a]; from++) {
			struct neighbour n = part->neighbour[from];
			if (to > start && part->neighbour[to - 1].to == n.to)
				part->neighbour[to - 1].cables += n.cables;
			else
				part->neighbour[to++] = n;
		}
		part->first[a] = start;
		for (uint32_t i = start; i < to; i++)
			part->links += part->neighbour[i].to > a;
	}
	part->first[part->switches] = to;
}

/* How many hosts have a cable to each switch. last: [nodes] for the while. */
static void count_hosts(const struct cabling *c, uint32_t index, struct part *part, uint32_t *last)
{
	const struct fabric *f = c->fabric;
	memset(last, 0xff, f->nodes * sizeof *last);
	for (uint32_t h = 0; h < f->hosts; h++)
		for (uint32_t v = f->host_node[h], k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
			uint32_t to = f->head[k];
			if (c->part[to] == index && last[to] != h)
				part->hosts[c->number[to]]++;
			last[to] = h;
		}
}

static int part_make(struct part *part, const struct cabling *c, uint32_t index, struct error *error)
{
	const struct fabric *f = c->fabric;
	*part = (struct part){0};
	uint32_t *end = array_create(f->nodes, sizeof *end, error);
	for (uint32_t v = 0; v < f->nodes; v++)
		part->switches += c->part[v] == index;
	part->node = array_create(part->switches, sizeof *part->node, error);
	part->hosts = array_create(part->switches, sizeof *part->hosts, error);
	part->first = array_create((size_t)part->switches + 1, sizeof *part->first, error);
	if (error->status) {
		free(end);
		return -1;
	}
	count_hosts(c, index, part, end);
	for (int fill = 0; fill < 2; fill++) { /* first the sizes of the lists, then what is in them */
		if (fill) {
			for (uint32_t a = 0; a < part->switches; a++)
				part->first[a + 1] += part->first[a];
			memcpy(end, part->first, part->switches * sizeof *end);
			part->neighbour = array_create(part->first[part->switches], sizeof *part->neighbour, error);
			if (!part->neighbour)
				break;
		}
		for (uint32_t v = 0; v < f->nodes; v++) {
			if (c->part[v] != index)
				continue;
			part->node[c->number[v]] = v;
			for (uint32_t k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
				uint32_t a = c->number[v], b = c->number[f->head[k]];
				if (c->part[f->head[k]] != index || f->head[k] == v || !counts(c, k))
					continue;
				if (fill) {
					part->neighbour[end[a]++] = (struct neighbour){b, 1};
					part->neighbour[end[b]++] = (struct neighbour){a, 1};
					part->cables++;
				} else {
					part->first[a + 1]++;
					part->first[b + 1]++;
				}
			}
		}
	}
	if (!error->status)
		join_parallel(part, end);
	free(end);
	return error->status ? -1 : 0;
}

/* ---- the shape */

static int single_switch(const struct part *part, struct plan *plan, struct error *error)
{
	(void)error;
	if (part->switches == 1) {
		plan->kind = "single switch";
		snprintf(plan->name, sizeof plan->name, "%s", plan->kind);
	}
	return 0;
}

/* The plan with the fewest deviations; of several the first. Its kind is NULL if none is near enough. */
static int find_plan(const struct part *part, struct plan *best, struct error *error)
{
	static int (*const recogniser[])(const struct part *, struct plan *, struct error *) = {
		single_switch, shape_tree, shape_full_mesh, shape_torus, shape_dragonfly};
	uint64_t fewest = deviations_allowed(part) + 1;
	*best = (struct plan){0};
	for (size_t i = 0; i < sizeof recogniser / sizeof *recogniser && fewest && !error->status; i++) {
		struct plan plan = {0};
		recogniser[i](part, &plan, error);
		uint64_t deviations = plan.kind && !error->status ? plan_deviations(part, &plan, fewest) : UINT64_MAX;
		if (deviations < fewest) {
			fewest = deviations;
			plan_clear(best);
			*best = plan;
		} else {
			plan_clear(&plan);
		}
	}
	return error->status ? -1 : 0;
}

/* The channel of the k-th cable between two nodes that stands for it, NONE if there are fewer. */
static uint32_t cable_between(const struct cabling *c, uint32_t u, uint32_t v, uint32_t k)
{
	const struct fabric *f = c->fabric;
	for (int turn = 0; turn < 2; turn++) {
		for (uint32_t i = f->first_channel[u]; i < f->first_channel[u + 1]; i++)
			if (f->head[i] == v && counts(c, i) && !k--)
				return i;
		uint32_t swap = u;
		u = v;
		v = swap;
	}
	return NONE;
}

static int keep_deviations(struct shape *shape, size_t *capacity, const struct cabling *c, const struct part *part, const struct plan *plan,
	struct error *error)
{
	struct walk_links walk = {.part = part, .plan = plan};
	struct difference d;
	while (next_difference(&walk, &d)) {
		uint32_t from = part->node[d.a], to = part->node[d.b], count = d.wanted > d.there ? d.wanted - d.there : d.there - d.wanted;
		if (array_grow(&shape->deviation, capacity, (size_t)shape->deviations + count, sizeof *shape->deviation, error))
			return -1;
		for (uint32_t k = 0; k < count; k++)
			shape->deviation[shape->deviations++] =
				(struct deviation){from, to, d.wanted > d.there ? NONE : cable_between(c, from, to, d.wanted + k)};
	}
	return 0;
}

static void count_host_range(struct shape *shape, const struct part *part)
{
	for (uint32_t a = 0; a < part->switches; a++)
		if (part->hosts[a]) {
			shape->least_hosts =
				!shape->least_hosts || part->hosts[a] < shape->least_hosts ? part->hosts[a] : shape->least_hosts;
			shape->most_hosts = part->hosts[a] > shape->most_hosts ? part->hosts[a] : shape->most_hosts;
		}
}

/* Adds what was found of one part. Returns whether all so far have one shape. */
static bool add_plan(
	struct shape *shape, const struct fabric *fabric, const struct part *part, const struct plan *plan, struct error *error)
{
	if (!plan->kind || (shape->planes && strcmp(shape->name, plan->name)))
		return false;
	if (!shape->planes++) {
		shape->kind = plan->kind;
		memcpy(shape->name, plan->name, sizeof shape->name);
		memcpy(shape->parameter, plan->parameter, sizeof shape->parameter);
		if (plan->level)
			shape->level = array_create(fabric->nodes, sizeof *shape->level, error);
	}
	for (uint32_t a = 0; a < part->switches && shape->level; a++)
		shape->level[part->node[a]] = plan->level[a];
	return true;
}

int shape_find(struct shape *shape, const struct fabric *fabric, const uint32_t *reverse, struct error *error)
{
	struct cabling cabling = {.fabric = fabric, .reverse = reverse};
	size_t capacity = 0;
	bool regular = true;
	*shape = (struct shape){.kind = "irregular", .name = "no switches"};
	find_parts(&cabling, error);
	for (uint32_t i = 0; i < cabling.parts && !error->status; i++) {
		struct part part;
		struct plan plan = {0};
		if (!part_make(&part, &cabling, i, error)) {
			count_host_range(shape, &part);
			regular = regular && !find_plan(&part, &plan, error) && add_plan(shape, fabric, &part, &plan, error) &&
				  !keep_deviations(shape, &capacity, &cabling, &part, &plan, error);
		}
		plan_clear(&plan);
		part_clear(&part);
	}
	free(cabling.part);
	free(cabling.number);
	if (!regular) {
		uint32_t least = shape->least_hosts, most = shape->most_hosts;
		shape_clear(shape);
		*shape = (struct shape){
			.kind = "irregular", .name = "irregular", .planes = cabling.parts, .least_hosts = least, .most_hosts = most};
	}
	return error->status ? -1 : 0;
}

void shape_clear(struct shape *shape)
{
	free(shape->deviation);
	free(shape->level);
	*shape = (struct shape){0};
}
