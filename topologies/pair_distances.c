#include "topologies/pair_distances.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/number_table.h"
#include "topologies/derived_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of routes that are made one by one. */
#define ROUTES_MAX (UINT64_C(1) << 28)

void pair_distances_clear(struct pair_distances *distances)
{
	free(distances->list);
	*distances = (struct pair_distances){.list = NULL};
}

/* ---- tables of distances */

/* Distances that are being counted: with a hash table of those that are there. */
struct counts {
	struct pair_distances *distances;
	struct number_table table; /* from the hash to the place; a distance with the hash of another is searched for */
	struct error *error;
};

static void add(struct counts *c, const struct pair_distance *distance, uint64_t pairs)
{
	struct pair_distances *d = c->distances;
	uint64_t key = hash_words(0, distance->channels, sizeof distance->channels), at = number_table_find(&c->table, key);
	for (; at != NUMBER_NONE && memcmp(d->list[at].channels, distance->channels, sizeof distance->channels) != 0;
		at = number_table_find(&c->table, ++key))
		;
	if (at != NUMBER_NONE) {
		d->list[at].pairs += pairs;
		return;
	}
	if (c->error->status || array_grow(&d->list, &d->capacity, d->count + 1, sizeof *d->list, c->error) ||
		number_table_reserve(&c->table, d->count + 1, c->error))
		return;
	number_table_add(&c->table, key, d->count);
	d->list[d->count] = *distance;
	d->list[d->count++].pairs = pairs;
}

static struct counts begin(struct pair_distances *distances, struct error *error)
{
	*distances = (struct pair_distances){.list = NULL};
	return (struct counts){.distances = distances, .error = error};
}

static unsigned length_of(const struct pair_distance *distance)
{
	unsigned length = 0;
	for (int t = 0; t < DISTANCE_TIERS_MAX; t++)
		length += distance->channels[t];
	return length;
}

static int by_length(const void *left, const void *right)
{
	const struct pair_distance *a = left, *b = right;
	unsigned one = length_of(a), other = length_of(b);
	if (one != other)
		return one < other ? -1 : 1;
	for (int t = 0; t < DISTANCE_TIERS_MAX; t++)
		if (a->channels[t] != b->channels[t])
			return a->channels[t] < b->channels[t] ? -1 : 1;
	return 0;
}

static int end(struct counts *c)
{
	number_table_clear(&c->table);
	if (c->distances->count)
		qsort(c->distances->list, c->distances->count, sizeof *c->distances->list, by_length);
	return c->error->status ? -1 : 0;
}

static struct pair_distance sum_of(const struct pair_distance *a, const struct pair_distance *b)
{
	struct pair_distance sum = *a;
	for (int t = 0; t < DISTANCE_TIERS_MAX; t++)
		sum.channels[t] = (uint16_t)(sum.channels[t] + b->channels[t]);
	return sum;
}

/* ---- routes one by one */

static void add_routes(struct counts *c, const struct topology *t, uint32_t source, uint64_t pairs)
{
	static _Thread_local struct topology_step step[TOPOLOGY_ROUTE_MAX];
	for (uint32_t destination = 0; destination < t->hosts && !c->error->status; destination++) {
		struct pair_distance distance = {.pairs = 0};
		uint32_t length = source == destination ? 0 : t->kind->route(t, source, destination, step);
		for (uint32_t i = 0; i < length; i++) {
			bool host = !i || step[i].node + t->hosts < t->hosts;
			distance.channels[topology_tier(
				t, (struct topology_port){host, i && host ? step[i].node + t->hosts : step[i].node, step[i].port})]++;
		}
		if (length)
			add(c, &distance, pairs);
	}
}

/* ---- grids: the distances in the dimensions are independent */

/* Writes how many ordered pairs of coordinates are how far apart. Returns the largest distance. */
static uint32_t count_in_dimension(const struct structure_dimension *d, uint64_t *pairs)
{
	uint32_t n = d->width, longest = 0;
	bool round = structure_goes_round(d);
	memset(pairs, 0, n * sizeof *pairs);
	for (uint32_t far = 0; far < n; far++) {
		uint32_t steps = round && !d->one_way && far > n - far ? n - far : far;
		pairs[steps] += !far || round ? n : 2 * (uint64_t)(n - far);
		longest = steps > longest ? steps : longest;
	}
	return longest;
}

static int count_grid(struct counts *c, const struct topology_structure *s)
{
	uint64_t size = 1, length = 0;
	for (uint32_t i = 0; i < s->dimensions; i++)
		size += s->dimension[i].width;
	uint64_t *all = array_create(size, sizeof *all, c->error), *more = array_create(size, sizeof *more, c->error),
		 *one = array_create(size, sizeof *one, c->error);
	if (!c->error->status)
		all[0] = 1;
	for (uint32_t i = 0; !c->error->status && i < s->dimensions; i++) {
		uint32_t longest = count_in_dimension(&s->dimension[i], one);
		memset(more, 0, size * sizeof *more);
		for (uint64_t a = 0; a <= length; a++)
			for (uint32_t b = 0; b <= longest; b++)
				more[a + b] += all[a] * one[b];
		memcpy(all, more, size * sizeof *all);
		length += longest;
	}
	uint64_t hosts = s->switches ? s->hosts : 1;
	for (uint64_t far = 0; !c->error->status && far <= length; far++) {
		struct pair_distance distance = {.channels = {s->switches ? 2 : (uint16_t)far}};
		distance.channels[1] = s->switches ? (uint16_t)far : 0;
		uint64_t pairs = all[far] * hosts * (far ? hosts : hosts - 1);
		if (pairs)
			add(c, &distance, pairs);
	}
	free(all);
	free(more);
	free(one);
	return c->error->status ? -1 : 0;
}

/* ---- networks of networks */

/* A node of a copy that has ports of outer, with the distances of the copy's hosts to it, and from it. */
struct entry {
	struct topology_node node;
	struct pair_distances to, from;
};

struct entries {
	struct entry *list;
	size_t count, capacity;
	struct number_table table; /* from the node of inner to its place */
};

/* Returns the place of the entry at a port of the network of networks; it is added if it is new. */
static size_t entry_at(struct entries *entries, const struct topology *t, struct topology_port port, struct error *error)
{
	const struct derived *d = t->data;
	struct topology_node node = {port.host, port.node % (port.host ? d->inner->hosts : d->inner->switches)};
	uint64_t at = number_table_find(&entries->table, node.node);
	if (at != NUMBER_NONE)
		return (size_t)at;
	if (error->status || array_grow(&entries->list, &entries->capacity, entries->count + 1, sizeof *entries->list, error) ||
		number_table_reserve(&entries->table, entries->count + 1, error))
		return 0;
	struct entry entry = {.node = node};
	struct counts to = begin(&entry.to, error), from = begin(&entry.from, error);
	for (uint32_t host = 0; host < d->inner->hosts; host++) {
		struct pair_distance there = {.pairs = 0}, back = {.pairs = 0};
		nested_cross(t, (struct topology_node){true, host}, node, &there);
		nested_cross(t, node, (struct topology_node){true, host}, &back);
		add(&to, &there, 1);
		add(&from, &back, 1);
	}
	end(&to);
	end(&from);
	number_table_add(&entries->table, node.node, entries->count);
	entries->list[entries->count] = entry;
	return entries->count++;
}

/* A route of outer: its ends, and the channels between these; the ends are in two of the numbers. */
static void add_outer_route(struct counts *routes, struct entries *entries, const struct topology *t, uint32_t source, uint32_t destination)
{
	static _Thread_local struct topology_step step[TOPOLOGY_ROUTE_MAX];
	const struct derived *d = t->data;
	const struct topology *outer = d->outer;
	struct pair_distance distance = {.pairs = 0};
	struct topology_node at = {false, 0};
	uint32_t length = outer->kind->route(outer, source, destination, step);
	size_t first = 0, last = 0;
	for (uint32_t i = 0; i < length; i++) {
		uint32_t host = i ? step[i].node + outer->hosts : step[i].node;
		struct topology_port port = {host < outer->hosts, host < outer->hosts ? host : step[i].node, step[i].port};
		if (port.host) {
			size_t exit = entry_at(entries, t, derived_owner(d, port), routes->error);
			if (routes->error->status)
				return;
			if (i)
				nested_cross(t, at, entries->list[exit].node, &distance);
			else
				first = exit;
		}
		distance.channels[d->inner->tiers + topology_tier(outer, port)]++;
		struct topology_port peer = peer_of(outer, port.host, port.node, port.port);
		if (peer.host) {
			last = entry_at(entries, t, derived_end(d, peer), routes->error);
			if (routes->error->status)
				return;
			at = entries->list[last].node;
		}
	}
	distance.channels[DISTANCE_TIERS_MAX - 2] = (uint16_t)first;
	distance.channels[DISTANCE_TIERS_MAX - 1] = (uint16_t)last;
	add(routes, &distance, 1);
}

/* Adds the pairs of hosts for a kind of outer's routes: those of the copies to their exits, and from their entries. */
static void combine(struct counts *c, const struct entries *entries, const struct pair_distance *route)
{
	const struct pair_distances *to = &entries->list[route->channels[DISTANCE_TIERS_MAX - 2]].to;
	const struct pair_distances *from = &entries->list[route->channels[DISTANCE_TIERS_MAX - 1]].from;
	struct pair_distance between = *route;
	between.channels[DISTANCE_TIERS_MAX - 2] = between.channels[DISTANCE_TIERS_MAX - 1] = 0;
	for (size_t i = 0; i < to->count; i++) {
		struct pair_distance part = sum_of(&between, &to->list[i]);
		for (size_t k = 0; k < from->count; k++) {
			struct pair_distance whole = sum_of(&part, &from->list[k]);
			add(c, &whole, route->pairs * to->list[i].pairs * from->list[k].pairs);
		}
	}
}

static int find(const struct topology *t, struct pair_distances *distances, struct error *error);

static int count_nested(struct counts *c, const struct topology *t)
{
	const struct derived *d = t->data;
	uint64_t copies = d->outer->hosts;
	struct pair_distances inner, outer;
	struct entries entries = {.list = NULL};
	struct counts routes = begin(&outer, c->error);
	if (!find(d->inner, &inner, c->error))
		for (size_t i = 0; i < inner.count; i++)
			add(c, &inner.list[i], inner.list[i].pairs * copies);
	if (copies * copies > ROUTES_MAX)
		error_set(c->error, STATUS_USAGE, "too many pairs of networks: %" PRIu64 " in the place of hosts", copies);
	for (uint32_t a = 0; a < copies && !c->error->status; a++)
		for (uint32_t b = 0; b < copies; b++)
			if (a != b)
				add_outer_route(&routes, &entries, t, a, b);
	end(&routes);
	for (size_t i = 0; i < outer.count && !c->error->status; i++)
		combine(c, &entries, &outer.list[i]);
	for (size_t i = 0; i < entries.count; i++) {
		pair_distances_clear(&entries.list[i].to);
		pair_distances_clear(&entries.list[i].from);
	}
	free(entries.list);
	number_table_clear(&entries.table);
	pair_distances_clear(&inner);
	pair_distances_clear(&outer);
	return c->error->status ? -1 : 0;
}

/* ---- all */

static int find(const struct topology *t, struct pair_distances *distances, struct error *error)
{
	struct topology_structure s;
	struct counts c = begin(distances, error);
	topology_structure(t, &s);
	if (error->status)
		return -1;
	if (t->kind == &derived_nested_kind)
		count_nested(&c, t);
	else if (s.form == STRUCTURE_GRID)
		count_grid(&c, &s);
	else if (s.form == STRUCTURE_FULL || s.form == STRUCTURE_TREE) /* all hosts see the same */
		add_routes(&c, t, 0, t->hosts);
	else if ((uint64_t)t->hosts * t->hosts <= ROUTES_MAX)
		for (uint32_t source = 0; source < t->hosts && !error->status; source++)
			add_routes(&c, t, source, 1);
	else
		error_set(error, STATUS_USAGE, "too many pairs of hosts: %" PRIu32 " hosts of a topology without a regular form", t->hosts);
	return end(&c);
}

int pair_distances_find(const struct topology *topology, struct pair_distances *distances, struct error *error)
{
	*distances = (struct pair_distances){.list = NULL};
	if (!topology->routing)
		return error_set(error, STATUS_USAGE, "the topology has no routing function, whose routes the distances are");
	bool nested = topology->kind == &derived_nested_kind;
	if (topology->tiers > (nested ? DISTANCE_TIERS_MAX - 2 : DISTANCE_TIERS_MAX))
		return error_set(error, STATUS_USAGE, "%u tiers of cables, more than %d", topology->tiers, DISTANCE_TIERS_MAX - 2 * nested);
	return find(topology, distances, error);
}
