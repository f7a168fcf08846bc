#include "reach.h"

#include "topology.h"

#include <stdlib.h>
#include <string.h>

/* What is needed to fill the tables. */
struct search {
	struct reach *reach;
	uint32_t *first_in; /* [nodes + 1] */
	uint32_t *tail;     /* [channels] of those into a node, one node after the other */
	uint32_t *queue;    /* [columns] of columns */
	uint32_t *falling;  /* [columns] the highest first */
	uint8_t *row;
};

/* ---- the nodes */

static int find_channels_in(struct search *s, struct error *error)
{
	const struct fabric *f = s->reach->fabric;
	s->first_in = array_create((size_t)f->nodes + 2, sizeof *s->first_in, error);
	s->tail = array_create(f->channels, sizeof *s->tail, error);
	if (error->status)
		return -1;
	for (uint32_t c = 0; c < f->channels; c++)
		s->first_in[f->head[c] + 2]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		s->first_in[v + 2] += s->first_in[v + 1];
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			s->tail[s->first_in[f->head[c] + 1]++] = v;
	return 0;
}

static void find_columns(struct reach *r, const char *topology)
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

/* The channel from a node to a neighbour. */
static uint32_t channel_to(const struct fabric *f, uint32_t tail, uint32_t head)
{
	uint32_t c = f->first_channel[tail];
	while (f->head[c] != head)
		c++;
	return c;
}

/* Groups the hosts. target_of: [nodes] NONE */
static void find_targets(const struct search *s, uint32_t *target_of)
{
	struct reach *r = s->reach;
	const struct fabric *f = r->fabric;
	memset(target_of, 0xff, f->nodes * sizeof *target_of); /* NONE */
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], first = s->first_in[v], root = v;
		if (r->column[v] == NONE && s->first_in[v + 1] - first == 1 && r->column[s->tail[first]] != NONE)
			root = s->tail[first];
		r->last[h] = root == v ? NONE : channel_to(f, root, v);
		if (target_of[root] == NONE) {
			target_of[root] = r->targets;
			r->some[r->targets] = h;
			r->root[r->targets++] = root;
		}
		r->target[h] = target_of[root];
	}
}

/* ---- shortest ways */

/* Fills a row from the root outwards. Returns the number of columns that are reached, in s->queue. */
static uint32_t search_shortest(const struct search *s, uint32_t root)
{
	const struct reach *r = s->reach;
	uint32_t reached = 0, done = 0, v = root;
	unsigned hops = 0;
	memset(s->row, REACH_NONE, r->columns);
	if (r->column[root] != NONE)
		s->row[r->column[root]] = 0;
	for (;;) {
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++) {
			uint32_t column = r->column[s->tail[i]];
			if (column == NONE || s->row[column] != REACH_NONE)
				continue;
			s->row[column] = (uint8_t)(hops < REACH_HOPS ? hops + 1 : REACH_HOPS);
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
	struct reach *r = s->reach;
	for (uint32_t t = 0; t < r->targets; t++) {
		s->row = r->hops + (size_t)t * r->columns;
		uint32_t reached = search_shortest(s, r->root[t]);
		unsigned longest = reached ? s->row[s->queue[reached - 1]] : 0;
		r->longest = longest > r->longest ? longest : r->longest;
	}
	return r->longest < REACH_HOPS
		       ? 0
		       : error_set(error, STATUS_FABRIC, "has ways of %d cables and more, too long for this routing", REACH_HOPS);
}

/* ---- legal ways */

/* Distances from the nodes that are 0 in distance, NONE: to be found. */
static void spread_from(const struct search *s, uint32_t *distance)
{
	const struct reach *r = s->reach;
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

/* Heights by the distance from the roots; of equals the first is the highest. */
static void set_heights(const struct search *s, const uint32_t *distance, uint32_t *count)
{
	struct reach *r = s->reach;
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

/* Fills the row of a target. */
static void search_legal(const struct search *s, uint32_t root)
{
	const struct reach *r = s->reach;
	const struct fabric *f = r->fabric;
	uint32_t reached = 0, v = root;
	unsigned hops = 0;
	memset(s->row, REACH_NONE, r->columns);
	if (r->column[root] != NONE)
		s->row[r->column[root]] = REACH_DOWN;
	for (uint32_t done = 0;; done++) { /* down to the root */
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++) {
			uint32_t column = r->column[s->tail[i]];
			if (column == NONE || s->row[column] != REACH_NONE || r->height[s->tail[i]] < r->height[v])
				continue;
			s->row[column] = (uint8_t)(REACH_DOWN | (hops + 1 < REACH_HOPS ? hops + 1 : REACH_HOPS - 1));
			s->queue[reached++] = column;
		}
		if (done == reached)
			break;
		v = r->node[s->queue[done]];
		hops = s->row[s->queue[done]] & REACH_HOPS;
	}
	for (uint32_t i = 0; i < r->columns; i++) { /* all others up first */
		uint32_t column = s->falling[i];
		unsigned best = REACH_HOPS;
		if (s->row[column] != REACH_NONE)
			continue;
		v = r->node[column];
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t head = r->column[f->head[c]];
			if (head == NONE || !reach_is_up(r, v, c) || s->row[head] == REACH_NONE)
				continue;
			unsigned up = s->row[head] & REACH_HOPS;
			best = up < best ? up : best;
		}
		if (best + 1 < REACH_HOPS)
			s->row[column] = (uint8_t)(best + 1);
	}
}

/* Fills the rows of all targets. Returns whether there is a legal way wherever there is any, between targets. */
static bool fill_legal(const struct search *s)
{
	struct reach *r = s->reach;
	bool all = true;
	r->longest_legal = 0;
	for (uint32_t t = 0; t < r->targets && all; t++) {
		struct search row = *s;
		row.row = r->legal + (size_t)t * r->columns;
		search_legal(&row, r->root[t]);
		for (uint32_t u = 0; u < r->targets; u++) {
			uint32_t column = r->column[r->root[u]];
			if (column == NONE)
				continue;
			bool none = row.row[column] == REACH_NONE;
			all &= !none || r->hops[(size_t)t * r->columns + column] == REACH_NONE;
			if (!none && (row.row[column] & REACH_HOPS) > r->longest_legal)
				r->longest_legal = row.row[column] & REACH_HOPS;
		}
	}
	return all;
}

/* The switches that are farthest from hosts are 0 in distance, the others NONE. */
static void find_roots(const struct search *s, uint32_t *distance)
{
	const struct reach *r = s->reach;
	uint32_t farthest = 0;
	memset(distance, 0xff, r->columns * sizeof *distance); /* NONE */
	for (uint32_t h = 0; h < r->fabric->hosts; h++) {
		uint32_t v = r->fabric->host_node[h];
		if (r->column[v] != NONE)
			distance[r->column[v]] = 0;
		for (uint32_t i = s->first_in[v]; i < s->first_in[v + 1]; i++)
			if (r->column[v] == NONE && r->column[s->tail[i]] != NONE)
				distance[r->column[s->tail[i]]] = 0;
	}
	spread_from(s, distance);
	for (uint32_t i = 0; i < r->columns; i++)
		if (distance[i] != NONE && distance[i] > farthest)
			farthest = distance[i];
	for (uint32_t i = 0; i < r->columns; i++)
		distance[i] = distance[i] == farthest ? 0 : NONE;
}

/* That with the shortest longest way to a target is 0 in distance, the others NONE. */
static void find_centre(const struct search *s, uint32_t *distance)
{
	const struct reach *r = s->reach;
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
	struct reach *r = s->reach;
	uint32_t *distance = array_create(r->columns, sizeof *distance, error),
		 *count = array_create((size_t)r->columns + 2, sizeof *count, error);
	r->legal = array_create(r->targets, r->columns ? r->columns : 1, error);
	if (!error->status) {
		find_roots(s, distance);
		spread_from(s, distance);
		set_heights(s, distance, count);
		if (!fill_legal(s)) {
			find_centre(s, distance);
			spread_from(s, distance);
			set_heights(s, distance, count);
			if (!fill_legal(s))
				error_set(error, STATUS_FABRIC,
					"has hosts without a way up, then down, to others; are some channels one-way?");
		}
	}
	free(distance);
	free(count);
	return error->status ? -1 : 0;
}

/* ---- all */

int reach_init(struct reach *reach, const struct packet_router_setup *setup, bool legal, struct error *error)
{
	const struct fabric *f = setup->fabric;
	struct search s = {.reach = reach};
	uint32_t *target_of = array_create(f->nodes, sizeof *target_of, error);
	*reach = (struct reach){
		.fabric = f,
		.column = array_create(f->nodes, sizeof *reach->column, error),
		.node = array_create(f->nodes, sizeof *reach->node, error),
		.target = array_create(f->hosts, sizeof *reach->target, error),
		.root = array_create(f->hosts, sizeof *reach->root, error),
		.some = array_create(f->hosts, sizeof *reach->some, error),
		.last = array_create(f->hosts, sizeof *reach->last, error),
		.height = array_create(f->nodes, sizeof *reach->height, error),
	};
	if (!error->status && !find_channels_in(&s, error)) {
		find_columns(reach, setup->topology);
		find_targets(&s, target_of);
		s.queue = array_create(reach->columns, sizeof *s.queue, error);
		s.falling = array_create(reach->columns, sizeof *s.falling, error);
		reach->hops = array_create(reach->targets, reach->columns ? reach->columns : 1, error);
		if (!error->status && !fill_shortest(&s, error) && legal)
			make_legal(&s, error);
	}
	free(target_of);
	free(s.first_in);
	free(s.tail);
	free(s.queue);
	free(s.falling);
	return error->status ? -1 : 0;
}

void reach_clear(struct reach *reach)
{
	free(reach->column);
	free(reach->node);
	free(reach->target);
	free(reach->root);
	free(reach->some);
	free(reach->last);
	free(reach->height);
	free(reach->hops);
	free(reach->legal);
}

/* Of a host that has no column: the fewest channels from any of its neighbours. */
static unsigned best_neighbour(const struct reach *r, uint32_t target, uint32_t node)
{
	unsigned best = REACH_NONE;
	for (uint32_t c = r->fabric->first_channel[node]; c < r->fabric->first_channel[node + 1]; c++) {
		unsigned hops = reach_hops(r, target, r->fabric->head[c]);
		best = hops < best ? hops : best;
	}
	return best;
}

uint32_t reach_nearer(const struct reach *r, uint32_t target, uint32_t node, uint32_t *channel)
{
	const struct fabric *f = r->fabric;
	const uint8_t *row = reach_row(r, r->hops, target);
	uint32_t count = 0, root = r->root[target];
	unsigned hops = r->column[node] == NONE ? best_neighbour(r, target, node) : row[r->column[node]] - 1U;
	if (hops >= REACH_HOPS)
		return 0;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1] && count < PACKET_WAYS_MAX; c++) {
		uint32_t head = f->head[c], column = r->column[head];
		if (column == NONE ? head == root : row[column] == hops)
			channel[count++] = c;
	}
	return count;
}

uint32_t reach_legal(const struct reach *r, uint32_t target, uint32_t node, uint32_t *channel)
{
	const struct fabric *f = r->fabric;
	const uint8_t *row = reach_row(r, r->legal, target);
	uint32_t count = 0, root = r->root[target];
	unsigned here = r->column[node] == NONE ? REACH_NONE : row[r->column[node]], best = REACH_HOPS;
	bool from_host = r->column[node] == NONE, falls = !from_host && (here & REACH_DOWN);
	if (!from_host && (here == REACH_NONE))
		return 0;
	if (from_host) { /* by the best of its channels */
		for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++) {
			uint32_t column = r->column[f->head[c]];
			unsigned hops = column == NONE ? (f->head[c] == root ? 0 : REACH_NONE) : row[column];
			if (hops != REACH_NONE && (hops & REACH_HOPS) < best)
				best = hops & REACH_HOPS;
		}
	} else {
		best = (here & REACH_HOPS) - 1U;
	}
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1] && count < PACKET_WAYS_MAX; c++) {
		uint32_t column = r->column[f->head[c]];
		if (column == NONE) {
			if (f->head[c] == root)
				channel[count++] = c;
		} else if (row[column] != REACH_NONE && (row[column] & REACH_HOPS) == best &&
			   (from_host || (falls ? (row[column] & REACH_DOWN) && !reach_is_up(r, node, c) : reach_is_up(r, node, c)))) {
			channel[count++] = c;
		}
	}
	return count;
}
