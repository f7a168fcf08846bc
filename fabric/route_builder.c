/* Builds a set of source routes. */
#include "base/memory.h"
#include "fabric/route_lists.h"
#include "fabric/source_routes.h"

#include <stdlib.h>
#include <string.h>

/* ---- hosts and where they stand */

/* Notes a link between a host and a node. only: [hosts] the only switch linked to the host, NONE: none yet, or several nodes. */
static void note_neighbour(const struct fabric *f, uint32_t *only, bool *several, uint32_t host, uint32_t node)
{
	if (host == NONE)
		return;
	several[host] |= f->node_host[node] != NONE || (only[host] != NONE && only[host] != node);
	only[host] = several[host] ? NONE : node;
}

/* Finds the first and last channels of all routes of hosts that are linked only to one switch: no route passes through them. */
static void find_ends(struct route_builder *b, uint32_t *only, bool *several)
{
	const struct fabric *f = b->fabric;
	memset(only, 0xff, f->hosts * sizeof *only); /* NONE */
	memset(b->last, 0xff, f->hosts * sizeof *b->last);
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			note_neighbour(f, only, several, f->node_host[v], f->head[c]);
			note_neighbour(f, only, several, f->node_host[f->head[c]], v);
		}
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t host = f->node_host[f->head[c]];
			if (host != NONE && only[host] != NONE)
				b->last[host] = b->last[host] == NONE ? c : f->channels; /* several */
		}
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], c = f->first_channel[v];
		b->first[h] = only[h] != NONE && f->first_channel[v + 1] - c == 1 ? c : NONE;
		if (b->last[h] == f->channels)
			b->last[h] = NONE;
	}
}

/* Puts hosts whose first and last channels are known at the place of their switch. place_of: [nodes] */
static void find_places(struct route_builder *b, const uint32_t *only, uint32_t *place_of)
{
	uint32_t hosts = b->fabric->hosts;
	memset(place_of, 0xff, b->fabric->nodes * sizeof *place_of); /* NONE */
	for (uint32_t h = 0; h < hosts; h++) {
		bool both = b->first[h] != NONE && b->last[h] != NONE;
		b->place[h] = both && place_of[only[h]] != NONE ? place_of[only[h]] : b->places++;
		if (both)
			place_of[only[h]] = b->place[h];
		b->first_member[b->place[h] + 1]++;
	}
	for (uint32_t p = 0; p < b->places; p++)
		b->first_member[p + 1] += b->first_member[p];
	for (uint32_t h = hosts; h--;) /* counts the ends down to the beginnings */
		b->member[b->order[h] = --b->first_member[b->place[h] + 1]] = h;
	memmove(b->first_member, b->first_member + 1, b->places * sizeof *b->first_member);
	b->first_member[b->places] = hosts;
}

static int lay_out(struct route_builder *b, struct error *error)
{
	uint32_t *only = array_create(b->fabric->hosts, sizeof *only, error),
		 *place_of = array_create(b->fabric->nodes, sizeof *place_of, error);
	bool *several = array_create(b->fabric->hosts, sizeof *several, error);
	if (!error->status) {
		find_ends(b, only, several);
		find_places(b, only, place_of);
	}
	free(only);
	free(place_of);
	free(several);
	return error->status ? -1 : 0;
}

int route_builder_init(struct route_builder *builder, const struct fabric *fabric, bool alike, struct error *error)
{
	struct route_builder *b = builder;
	*b = (struct route_builder){
		.fabric = fabric,
		.alike = alike,
		.first = array_create(fabric->hosts, sizeof *b->first, error),
		.last = array_create(fabric->hosts, sizeof *b->last, error),
		.place = array_create(fabric->hosts, sizeof *b->place, error),
		.member = array_create(fabric->hosts, sizeof *b->member, error),
		.first_member = array_create((size_t)fabric->hosts + 1, sizeof *b->first_member, error),
		.order = array_create(fabric->hosts, sizeof *b->order, error),
		.seen = array_create(fabric->nodes, sizeof *b->seen, error),
		.lists = route_lists_create(alike, error),
	};
	return error->status || lay_out(b, error) ? -1 : 0;
}

void route_builder_clear(struct route_builder *builder)
{
	free(builder->first);
	free(builder->last);
	free(builder->place);
	free(builder->member);
	free(builder->first_member);
	free(builder->order);
	free(builder->seen);
	route_lists_free(builder->lists);
	*builder = (struct route_builder){0};
}

/* ---- adding routes */

/* Checks that the channels lead from one node to the other without entering any node twice. Returns 0, or -1. */
static int check_route(struct route_builder *b, uint32_t from, uint32_t to, const uint32_t *channels, uint32_t count, struct error *error)
{
	const struct fabric *f = b->fabric;
	const char **name = f->labels ? f->labels->name : NULL; /* process 0 alone reads wrong routes */
	uint32_t node = from;
	if (!++b->stamp) {
		memset(b->seen, 0, f->nodes * sizeof *b->seen);
		b->stamp = 1;
	}
	b->seen[node] = b->stamp;
	for (uint32_t i = 0; i < count; i++) {
		if (channels[i] < f->first_channel[node] || channels[i] >= f->first_channel[node + 1])
			return error_set(error, STATUS_FABRIC, "channel %u does not leave %s", channels[i], name[node]);
		node = f->head[channels[i]];
		if (b->seen[node] == b->stamp)
			return error_set(error, STATUS_FABRIC, "the route enters %s twice", name[node]);
		b->seen[node] = b->stamp;
	}
	if (node != to)
		return error_set(error, STATUS_FABRIC, "the route ends at %s, not at %s", name[node], name[to]);
	return 0;
}

int route_builder_add(struct route_builder *builder, uint32_t source, uint32_t destination, double weight, const uint32_t *channels,
	uint32_t count, struct error *error)
{
	struct route_lists *l = builder->lists;
	const struct fabric *f = builder->fabric;
	if (check_route(builder, f->host_node[source], f->host_node[destination], channels, count, error))
		return -1;
	if (source == destination)
		return error_set(error, STATUS_FABRIC, "route from %s to itself", f->labels->name[f->host_node[source]]);
	if (l->source != source || l->destination != destination) {
		if (route_lists_end_pair(l, error))
			return -1;
		l->source = source;
		l->destination = destination;
	}
	uint32_t skip = builder->first[source] != NONE, end = builder->last[destination] != NONE;
	return route_lists_add(l, weight, channels + skip, count - skip - end, error);
}

/* ---- completion */

static int by_pair(const void *left, const void *right)
{
	const struct route_record *a = left, *b = right;
	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	return a->destination < b->destination ? -1 : a->destination > b->destination;
}

/* Sorts the records by their hosts' indices in `order`, which replace the hosts, and merges those of a pair. Returns 0, or -1. */
static int sort_records(struct route_builder *b, struct error *error)
{
	struct route_lists *l = b->lists;
	size_t kept = 0;
	bool sorted = true;
	for (size_t i = 0; i < l->records; i++) {
		struct route_record *r = &l->record[i];
		r->source = b->order[r->source];
		r->destination = b->order[r->destination];
		sorted = sorted && (!i || by_pair(r - 1, r) < 0);
	}
	if (sorted)
		return 0;
	qsort(l->record, l->records, sizeof *l->record, by_pair);
	for (size_t i = 1; i < l->records; i++)
		if (by_pair(&l->record[kept], &l->record[i]))
			l->record[++kept] = l->record[i];
		else if (route_lists_join(l, &l->record[kept], &l->record[i], error))
			return -1;
	l->records = kept + 1;
	return 0;
}

/* Finds the places whose hosts differ in their routes, or in having any, so they are not groups. split: [places]. Returns 0, or -1. */
static int find_split(const struct route_builder *b, bool *split, struct error *error)
{
	const struct route_lists *l = b->lists;
	uint64_t *count = array_create(b->places, sizeof *count, error);
	uint32_t *list = array_create(b->places, sizeof *list, error), *touched = array_create(b->places, sizeof *touched, error);
	for (size_t i = 0; i < l->records && !error->status;) {
		uint32_t from = b->place[b->member[l->record[i].source]], end = b->first_member[from + 1], number = 0;
		uint64_t hosts = end - b->first_member[from];
		for (; i < l->records && l->record[i].source < end; i++) {
			uint32_t to = b->place[b->member[l->record[i].destination]];
			if (!count[to]++) {
				touched[number++] = to;
				list[to] = l->record[i].list;
			} else if (list[to] != l->record[i].list) {
				split[from] = split[to] = true;
			}
		}
		while (number) {
			uint32_t to = touched[--number];
			if (count[to] != hosts * (b->first_member[to + 1] - b->first_member[to]) - (to == from ? hosts : 0))
				split[from] = split[to] = true;
			count[to] = 0;
		}
	}
	free(count);
	free(list);
	free(touched);
	return error->status ? -1 : 0;
}

/*
 * Returns whether the pair represents all pairs of its groups: from the first host of one to the first of the other, or to the second of
 * the same.
 */
static bool stands_for(const struct route_builder *b, const struct source_routes *set, const bool *split, const struct route_record *r)
{
	uint32_t source = b->place[b->member[r->source]], destination = b->place[b->member[r->destination]];
	bool same = set->group[b->member[r->source]] == set->group[b->member[r->destination]];
	return (split[source] || r->source == b->first_member[source]) &&
	       (split[destination] || r->destination == b->first_member[destination] + same);
}

/* Numbers the groups in the order of members. */
static void number_groups(const struct route_builder *b, struct source_routes *set, const bool *split)
{
	for (uint32_t i = 0; i < set->hosts; i++) {
		uint32_t place = b->place[b->member[i]];
		set->groups += split[place] || i == b->first_member[place];
		set->group[b->member[i]] = set->groups - 1;
	}
	memcpy(set->first, b->first, set->hosts * sizeof *set->first);
	memcpy(set->last, b->last, set->hosts * sizeof *set->last);
}

static void add_pair(const struct route_lists *l, struct source_routes *set, uint64_t pair, uint32_t list)
{
	uint64_t to = set->route[pair];
	for (size_t r = l->first[list]; r < l->first[list + 1]; r++, to++) {
		size_t count = l->start[r + 1] - l->start[r];
		set->share[to] = l->weight[r];
		if (count)
			memcpy(set->channel + set->start[to], l->channel + l->start[r], count * sizeof *set->channel);
		set->start[to + 1] = set->start[to] + count;
	}
	set->route[pair + 1] = to;
}

/* Allocates the arrays for the records that represent others. Returns 0, or -1. */
static int make_room(const struct route_builder *b, struct source_routes *set, const bool *split, struct error *error)
{
	const struct route_lists *l = b->lists;
	size_t pairs = 0, routes = 0, channels = 0;
	for (size_t i = 0; i < l->records; i++) {
		const struct route_record *r = &l->record[i];
		if (!stands_for(b, set, split, r))
			continue;
		pairs++;
		routes += l->first[r->list + 1] - l->first[r->list];
		channels += l->start[l->first[r->list + 1]] - l->start[l->first[r->list]];
	}
	set->row = array_create((size_t)set->groups + 1, sizeof *set->row, error);
	set->destination = array_create(pairs, sizeof *set->destination, error);
	set->route = array_create(pairs + 1, sizeof *set->route, error);
	set->start = array_create(routes + 1, sizeof *set->start, error);
	set->share = array_create(routes, sizeof *set->share, error);
	set->channel = array_create(channels, sizeof *set->channel, error);
	return error->status ? -1 : 0;
}

static void fill(const struct route_builder *b, struct source_routes *set, const bool *split)
{
	const struct route_lists *l = b->lists;
	uint64_t pair = 0;
	for (size_t i = 0; i < l->records; i++) {
		const struct route_record *r = &l->record[i];
		if (!stands_for(b, set, split, r))
			continue;
		set->row[set->group[b->member[r->source]] + 1]++;
		set->destination[pair] = set->group[b->member[r->destination]];
		add_pair(l, set, pair++, r->list);
	}
	for (uint32_t g = 0; g < set->groups; g++)
		set->row[g + 1] += set->row[g];
}

struct source_routes *route_builder_end(struct route_builder *builder, struct error *error)
{
	struct route_builder *b = builder;
	bool *split = array_create(b->places, sizeof *split, error);
	struct source_routes *set = array_create(1, sizeof *set, error);
	if (set && !route_lists_end_pair(b->lists, error) && !sort_records(b, error) && !route_lists_share(b->lists, error) &&
		(b->alike || !find_split(b, split, error))) {
		*set = (struct source_routes){
			.hosts = b->fabric->hosts,
			.group = array_create(b->fabric->hosts, sizeof *set->group, error),
			.first = array_create(b->fabric->hosts, sizeof *set->first, error),
			.last = array_create(b->fabric->hosts, sizeof *set->last, error),
		};
		if (!error->status) {
			number_groups(b, set, split);
			if (!make_room(b, set, split, error))
				fill(b, set, split);
		}
	}
	free(split);
	if (!error->status)
		return set;
	source_routes_free(set);
	return NULL;
}
