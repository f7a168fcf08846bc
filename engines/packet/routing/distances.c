#include "engines/packet/routing/distances.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

/* The data of a search that fills the tables. */
struct search {
	struct distances *distances;
	uint32_t *first_in; /* [nodes + 1] */
	uint32_t *tail;     /* [channels] columns of the tails of the channels into each node, one node after another */
	uint32_t *into;     /* [channels] these channels */
	uint32_t *queue;    /* [columns] of columns */
	uint32_t *falling;  /* [columns] by descending height */
	uint8_t *row;
	uint16_t *by; /* row of the current target in by */
};

/* ---- the nodes */

static int find_channels_in(struct search *s, struct error *error)
{
	const struct distances *r = s->distances;
	const struct fabric *f = r->fabric;
	s->first_in = array_create((size_t)f->nodes + 2, sizeof *s->first_in, error);
	s->tail = array_create(f->channels, sizeof *s->tail, error);
	s->into = array_create(f->channels, sizeof *s->into, error);
	if (error->status)
		return -1;
	for (uint32_t i = 0; i < r->columns; i++)
		for (uint32_t c = f->first_channel[r->node[i]]; c < f->first_channel[r->node[i] + 1]; c++)
			s->first_in[f->head[c] + 2]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		s->first_in[v + 2] += s->first_in[v + 1];
	for (uint32_t i = 0; i < r->columns; i++)
		for (uint32_t c = f->first_channel[r->node[i]]; c < f->first_channel[r->node[i] + 1]; c++) {
			s->into[s->first_in[f->head[c] + 1]] = c;
			s->tail[s->first_in[f->head[c] + 1]++] = i;
		}
	return 0;
}

static void find_columns(struct distances *r, const char *topology)
{
	const struct fabric *f = r->fabric;
	bool hosts = f->hosts == f->nodes || (topology && topology_hosts_forward(topology));
	for (uint32_t v = 0; v < f->nodes; v++) {
		bool forwards = f->node_host[v] == NONE || (hosts && f->first_channel[v + 1] - f->first_channel[v] > 1);
		r->column[v] = forwards ? r->columns : NONE;
		if (forwards)
			r->node[r->columns++] = v;
		r->mixed |= hosts && !forwards;
	}
}

/* Returns the channel from a node to a neighbour. */
static uint32_t channel_to(const struct fabric *f, uint32_t tail, uint32_t head)
{
	uint32_t c = f->first_channel[tail];
	while (f->head[c] != head)
		c++;
	return c;
}

/* Groups the hosts into targets. target_of: [nodes] NONE */
static void find_targets(const struct search *s, uint32_t *target_of)
{
	struct distances *r = s->distances;
	const struct fabric *f = r->fabric;
	memset(target_of, 0xff, f->nodes * sizeof *target_of); /* NONE */
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], first = s->first_in[v], root = v;
		if (r->column[v] == NONE && s->first_in[v + 1] - first == 1)
			root = r->node[s->tail[first]];
		r->last[h] = root == v ? NONE : channel_to(f, root, v);
		if (target_of[root] == NONE) {
			target_of[root] = r->targets;
			r->root[r->targets++] = root;
		}
		r->target[h] = target_of[root];
	}
}

/* ---- shortest paths */

/* Fills a row from the root outwards. Returns the number of columns that are reached, which are in s->queue. */
static uint32_t search_shortest(const struct search *s, uint32_t root)
{
	const struct distances *r = s->distances;
	uint32_t reached = 0, done = 0, v = root;
	unsigned hops = 0;
	memset(s->row, DISTANCES_NONE, r->columns);
	if (r->column[root] != NONE)
		s->row[r->column[root]] = 0;
	for (;;) {
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++) {
			uint32_t column = s->tail[i];
			if (s->row[column] != DISTANCES_NONE)
				continue;
			s->row[column] = (uint8_t)(hops < DISTANCES_HOPS ? hops + 1 : DISTANCES_HOPS);
			s->queue[reached++] = column;
		}
		if (done == reached)
			return reached;
		hops = s->row[s->queue[done]];
		v = r->node[s->queue[done++]];
	}
}

static int fill_shortest(struct search *s, struct error *error)
{
	struct distances *r = s->distances;
	r->hops = array_create((size_t)r->targets * r->columns, sizeof *r->hops, error);
	for (uint32_t t = 0; r->hops && t < r->targets; t++) {
		s->row = r->hops + (size_t)t * r->columns;
		uint32_t reached = search_shortest(s, r->root[t]);
		unsigned longest = reached ? s->row[s->queue[reached - 1]] : 0;
		r->longest = longest > r->longest ? longest : r->longest;
	}
	if (r->longest >= DISTANCES_HOPS)
		error_set(error, STATUS_FABRIC, "has paths of %d or more cables, too long for this packet routing", DISTANCES_HOPS);
	return error->status ? -1 : 0;
}

/* ---- legal paths */

/* Computes distances from the nodes with 0 in distance; the others are NONE. */
static void spread_from(const struct search *s, uint32_t *distance)
{
	const struct distances *r = s->distances;
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->columns; i++)
		if (!distance[i])
			s->queue[count++] = i;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = r->node[s->queue[i]];
		for (uint32_t c = r->fabric->first_channel[v]; c < r->fabric->first_channel[v + 1]; c++) {
			uint32_t column = r->column[r->fabric->head[c]];
			if (column == NONE || distance[column] != NONE)
				continue;
			distance[column] = distance[s->queue[i]] + 1;
			s->queue[count++] = column;
		}
	}
}

/* Sets heights by the distance from the roots; of equal distances the first node is the highest. */
static void set_heights(const struct search *s, const uint32_t *distance, uint32_t *count)
{
	struct distances *r = s->distances;
	memset(count, 0, ((size_t)r->columns + 2) * sizeof *count);
	for (uint32_t i = 0; i < r->columns; i++)
		count[1 + (distance[i] < r->columns ? distance[i] : r->columns)]++;
	for (uint32_t d = 0; d <= r->columns; d++)
		count[d + 1] += count[d];
	for (uint32_t i = 0; i < r->columns; i++) {
		uint32_t place = count[distance[i] < r->columns ? distance[i] : r->columns]++;
		s->falling[place] = i;
		r->height[r->node[i]] = r->columns - place;
	}
}

/* Lists the channels that go up from each node. */
static void list_up(const struct distances *r)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < r->columns; i++) {
		uint32_t v = r->node[i];
		r->first_up[i] = count;
		for (uint32_t c = r->fabric->first_channel[v]; c < r->fabric->first_channel[v + 1]; c++)
			if (distances_is_up(r, v, c))
				r->up[count++] = c;
	}
	r->first_up[r->columns] = count;
}

/* Returns the index of a node's channel; for more than one it is not kept. */
static uint16_t number_of(const struct distances *r, uint32_t node, uint32_t channel)
{
	uint32_t number = channel - r->fabric->first_channel[node];
	return number < DISTANCES_NOWHERE ? (uint16_t)number : DISTANCES_SOME;
}

/* Fills, from the root, all columns from which a path only goes down. */
static void search_down(const struct search *s, uint32_t root)
{
	const struct distances *r = s->distances;
	uint32_t reached = 0, v = root;
	unsigned hops = 1;
	if (r->column[root] != NONE)
		s->row[r->column[root]] = DISTANCES_DOWN;
	for (uint32_t done = 0;; done++) {
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++) {
			uint32_t column = s->tail[i];
			if (r->height[r->node[column]] < r->height[v] ||
				(s->row[column] != DISTANCES_NONE && s->row[column] != (DISTANCES_DOWN | hops)))
				continue;
			if (s->row[column] != DISTANCES_NONE) {
				s->by[column] = DISTANCES_SOME;
				continue;
			}
			s->row[column] = (uint8_t)(DISTANCES_DOWN | hops);
			s->by[column] = number_of(r, r->node[column], s->into[i]);
			s->queue[reached++] = column;
		}
		if (done == reached)
			return;
		v = r->node[s->queue[done]];
		hops = (s->row[s->queue[done]] & DISTANCES_HOPS) + 1U;
		hops = hops < DISTANCES_HOPS ? hops : DISTANCES_HOPS - 1;
	}
}

/* Fills a column that must go up first, when all above it are known. */
static void search_up(const struct search *s, uint32_t column)
{
	const struct distances *r = s->distances;
	unsigned best = DISTANCES_HOPS;
	uint32_t first = r->first_up[column], end = r->first_up[column + 1], count = 0, last = 0;
	for (uint32_t i = first; i < end; i++) {
		uint32_t head = r->column[r->fabric->head[r->up[i]]];
		unsigned hops = s->row[head] == DISTANCES_NONE ? DISTANCES_HOPS : s->row[head] & DISTANCES_HOPS;
		count = hops < best ? 0 : count;
		if (hops <= best && hops < DISTANCES_HOPS - 1) {
			best = hops;
			last = r->up[i];
			count++;
		}
	}
	if (!count)
		return;
	s->row[column] = (uint8_t)(best + 1);
	s->by[column] = count == 1 ? number_of(r, r->node[column], last) : count == end - first ? DISTANCES_ANY_UP : DISTANCES_SOME;
}

/* Fills the row of a target. */
static void search_legal(const struct search *s, uint32_t root)
{
	memset(s->row, DISTANCES_NONE, s->distances->columns);
	for (uint32_t i = 0; i < s->distances->columns; i++)
		s->by[i] = DISTANCES_NOWHERE;
	search_down(s, root);
	for (uint32_t i = 0; i < s->distances->columns; i++)
		if (s->row[s->falling[i]] == DISTANCES_NONE)
			search_up(s, s->falling[i]);
}

/* Fills the rows of all targets. Returns whether there is a legal path wherever there is a path between targets, as far as known. */
static bool fill_legal(const struct search *s)
{
	struct distances *r = s->distances;
	bool all = true;
	list_up(r);
	for (uint32_t t = 0; t < r->targets && all; t++) {
		struct search row = *s;
		row.row = r->legal + (size_t)t * r->columns;
		row.by = r->by + (size_t)t * r->columns;
		search_legal(&row, r->root[t]);
		for (uint32_t u = 0; u < r->targets; u++) {
			uint32_t column = r->column[r->root[u]];
			if (column == NONE)
				continue;
			all &= row.row[column] != DISTANCES_NONE || (r->hops && r->hops[(size_t)t * r->columns + column] == DISTANCES_NONE);
		}
	}
	return all;
}

/* Sets distance to 0 for the switches that are farthest from hosts, NONE for the others. */
static void find_roots(const struct search *s, uint32_t *distance)
{
	const struct distances *r = s->distances;
	uint32_t farthest = 0;
	memset(distance, 0xff, r->columns * sizeof *distance); /* NONE */
	for (uint32_t h = 0; h < r->fabric->hosts; h++) {
		uint32_t v = r->fabric->host_node[h];
		if (r->column[v] != NONE)
			distance[r->column[v]] = 0;
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++)
			if (r->column[v] == NONE)
				distance[s->tail[i]] = 0;
	}
	spread_from(s, distance);
	for (uint32_t i = 0; i < r->columns; i++)
		if (distance[i] != NONE && distance[i] > farthest)
			farthest = distance[i];
	for (uint32_t i = 0; i < r->columns; i++)
		distance[i] = distance[i] == farthest ? 0 : NONE;
}

/* Sets distance to 0 for the node whose longest path to a target is shortest, NONE for the others. */
static void find_centre(const struct search *s, uint32_t *distance)
{
	const struct distances *r = s->distances;
	uint32_t best = 0;
	memset(distance, 0, r->columns * sizeof *distance);
	for (uint32_t t = 0; t < r->targets; t++)
		for (uint32_t i = 0; i < r->columns; i++) {
			uint8_t hops = r->hops[(size_t)t * r->columns + i];
			distance[i] = hops > distance[i] ? hops : distance[i];
		}
	for (uint32_t i = 1; i < r->columns; i++)
		best = distance[i] < distance[best] ? i : best;
	memset(distance, 0xff, r->columns * sizeof *distance); /* NONE */
	if (r->columns)
		distance[best] = 0;
}

static int make_legal(struct search *s, struct error *error)
{
	struct distances *r = s->distances;
	uint32_t *distance = array_create(r->columns, sizeof *distance, error),
		 *count = array_create((size_t)r->columns + 2, sizeof *count, error);
	size_t places = (size_t)r->targets * r->columns;
	r->legal = array_create(places, sizeof *r->legal, error);
	r->by = array_create(places, sizeof *r->by, error);
	r->first_up = array_create((size_t)r->columns + 1, sizeof *r->first_up, error);
	r->up = array_create(r->fabric->channels, sizeof *r->up, error);
	if (!error->status) {
		find_roots(s, distance);
		spread_from(s, distance);
		set_heights(s, distance, count);
		if (!fill_legal(s) && (r->hops || !fill_shortest(s, error)) && !fill_legal(s)) {
			find_centre(s, distance);
			spread_from(s, distance);
			set_heights(s, distance, count);
			if (!fill_legal(s))
				error_set(error, STATUS_FABRIC,
					"has hosts without a path up, then down, to others; are some channels one-way?");
		}
	}
	free(distance);
	free(count);
	return error->status ? -1 : 0;
}

/* ---- the tables */

int distances_init(struct distances *distances, const struct packet_router_setup *setup, unsigned wants, struct error *error)
{
	const struct fabric *f = setup->fabric;
	struct search s = {.distances = distances};
	uint32_t *target_of = array_create(f->nodes, sizeof *target_of, error);
	*distances = (struct distances){
		.fabric = f,
		.column = array_create(f->nodes, sizeof *distances->column, error),
		.node = array_create(f->nodes, sizeof *distances->node, error),
		.target = array_create(f->hosts, sizeof *distances->target, error),
		.root = array_create(f->hosts, sizeof *distances->root, error),
		.last = array_create(f->hosts, sizeof *distances->last, error),
		.height = array_create(f->nodes, sizeof *distances->height, error),
	};
	if (!error->status)
		find_columns(distances, setup->topology);
	if (!error->status && !find_channels_in(&s, error)) {
		find_targets(&s, target_of);
		s.queue = array_create(distances->columns, sizeof *s.queue, error);
		s.falling = array_create(distances->columns, sizeof *s.falling, error);
		if (!error->status && wants & DISTANCES_SHORTEST)
			fill_shortest(&s, error);
		if (!error->status && wants & DISTANCES_LEGAL)
			make_legal(&s, error);
	}
	free(target_of);
	free(s.first_in);
	free(s.tail);
	free(s.into);
	free(s.queue);
	free(s.falling);
	return error->status ? -1 : 0;
}

void distances_clear(struct distances *distances)
{
	free(distances->column);
	free(distances->node);
	free(distances->target);
	free(distances->root);
	free(distances->last);
	free(distances->height);
	free(distances->hops);
	free(distances->legal);
	free(distances->by);
	free(distances->first_up);
	free(distances->up);
}

/* For a host without a column: returns the fewest channels from any of its neighbours. */
static unsigned best_neighbour(const struct distances *r, uint32_t target, uint32_t node)
{
	unsigned best = DISTANCES_NONE;
	for (uint32_t c = r->fabric->first_channel[node]; c < r->fabric->first_channel[node + 1]; c++) {
		unsigned hops = distances_hops(r, target, r->fabric->head[c]);
		best = hops < best ? hops : best;
	}
	return best;
}

uint32_t distances_nearer(const struct distances *r, uint32_t target, uint32_t node, uint32_t *channel)
{
	const struct fabric *f = r->fabric;
	const uint8_t *row = distances_row(r, r->hops, target);
	uint32_t count = 0, root = r->root[target];
	unsigned hops = r->column[node] == NONE ? best_neighbour(r, target, node) : row[r->column[node]] - 1U;
	if (hops >= DISTANCES_HOPS)
		return 0;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1] && count < PACKET_CANDIDATES_MAX; c++) {
		uint32_t head = f->head[c], column = r->column[head];
		if (column == NONE ? head == root : row[column] == hops)
			channel[count++] = c;
	}
	return count;
}

/*
 * Lists the channels of a node that lead to nodes with this number of hops left; of those that go down, only if the rest of the path does.
 * A host has no choice of direction.
 */
static uint32_t list_legal(
	const struct distances *r, uint32_t target, uint32_t node, unsigned hops, bool host, bool falls, uint32_t *channel)
{
	const struct fabric *f = r->fabric;
	const uint8_t *row = distances_row(r, r->legal, target);
	uint32_t count = 0;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1] && count < PACKET_CANDIDATES_MAX; c++) {
		uint32_t column = r->column[f->head[c]];
		if (column == NONE ? f->head[c] == r->root[target]
				   : row[column] != DISTANCES_NONE && (row[column] & DISTANCES_HOPS) == hops &&
					     (host || (falls ? (row[column] & DISTANCES_DOWN) && !distances_is_up(r, node, c)
							     : distances_is_up(r, node, c))))
			channel[count++] = c;
	}
	return count;
}

/* For a host that does not forward: lists the best of its channels. */
static uint32_t legal_from_host(const struct distances *r, uint32_t target, uint32_t node, uint32_t *channel)
{
	const struct fabric *f = r->fabric;
	const uint8_t *row = distances_row(r, r->legal, target);
	unsigned best = DISTANCES_HOPS;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++) {
		uint32_t column = r->column[f->head[c]];
		if (column != NONE && row[column] != DISTANCES_NONE && (row[column] & DISTANCES_HOPS) < best)
			best = row[column] & DISTANCES_HOPS;
	}
	return list_legal(r, target, node, best, true, false, channel);
}

uint32_t distances_legal(const struct distances *r, uint32_t target, uint32_t node, uint32_t *channel)
{
	const uint32_t *found;
	uint32_t count = distances_legal_ways(r, target, node, channel, &found);
	if (found != channel)
		memcpy(channel, found, count * sizeof *channel);
	return count;
}

uint32_t distances_legal_ways(const struct distances *r, uint32_t target, uint32_t node, uint32_t *channel, const uint32_t **channels)
{
	uint32_t column = r->column[node];
	*channels = channel;
	if (column == NONE)
		return legal_from_host(r, target, node, channel);
	size_t place = (size_t)target * r->columns + column;
	unsigned by = r->by[place];
	if (by == DISTANCES_NOWHERE)
		return 0;
	if (by == DISTANCES_SOME)
		return list_legal(
			r, target, node, (r->legal[place] & DISTANCES_HOPS) - 1U, false, r->legal[place] & DISTANCES_DOWN, channel);
	if (by != DISTANCES_ANY_UP) {
		*channel = r->fabric->first_channel[node] + by;
		return 1;
	}
	uint32_t first = r->first_up[column], count = r->first_up[column + 1] - first;
	*channels = r->up + first;
	return count < PACKET_CANDIDATES_MAX ? count : PACKET_CANDIDATES_MAX;
}
