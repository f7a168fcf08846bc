#include "fabric/shortest_routes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Rows of distances take up to MEMORY_MOST bytes; a row that is continued more often than SEARCHES_MOST times is completed. */
#define MEMORY_MOST ((size_t)2 << 30)
enum { SEARCHES_MOST = 6, NEAR_MOST = UINT8_MAX };

static uint32_t out_degree(const struct fabric *fabric, uint32_t node)
{
	return fabric->first_channel[node + 1] - fabric->first_channel[node];
}

/* Finds where the routes to each host end, and marks hosts that need a place. last_in: [nodes] a channel into the node, in_degree: [nodes].
 */
static void find_roots(struct shortest_routes *s, const uint32_t *tail_in, const uint32_t *last_in, const uint32_t *in_degree)
{
	const struct fabric *f = s->fabric;
	memset(s->place, 0xff, f->nodes * sizeof *s->place); /* NONE */
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h];
		if (in_degree[v] == 1 && out_degree(f, v) == 1 && f->head[f->first_channel[v]] != tail_in[v])
			s->place[v] = 0; /* routes may begin at one switch and end at another */
		bool behind = in_degree[v] == 1 && f->node_host[tail_in[v]] == NONE;
		s->root[h] = behind ? tail_in[v] : v; /* as nodes */
		s->last[h] = behind ? last_in[v] : NONE;
	}
}

/* Numbers the places. */
static void find_places(struct shortest_routes *s)
{
	const struct fabric *f = s->fabric;
	for (uint32_t h = 0; h < f->hosts; h++)
		s->place[s->root[h]] = 0;
	for (uint32_t v = 0; v < f->nodes; v++) {
		bool host = f->node_host[v] != NONE, chooses = !host || out_degree(f, v) > 1;
		if (!chooses && s->place[v] == NONE)
			continue;
		s->chooses[s->places] = chooses;
		s->passes[s->places] = !host || (s->several_hosts && chooses);
		s->place[v] = s->places++;
	}
	for (uint32_t h = 0; h < f->hosts; h++)
		s->root[h] = s->place[s->root[h]];
}

/* Fills the channels between places. Returns 0, or -1. */
static int find_neighbours(struct shortest_routes *s, struct error *error)
{
	const struct fabric *f = s->fabric;
	uint32_t count = 0, most = 0;
	s->first_out = array_create((size_t)s->places + 1, sizeof *s->first_out, error);
	s->first_in = array_create((size_t)s->places + 2, sizeof *s->first_in, error);
	if (error->status)
		return -1;
	for (uint32_t c = 0; c < f->channels; c++)
		count += s->place[f->head[c]] != NONE;
	s->out = array_create(count, sizeof *s->out, error);
	s->head = array_create(count, sizeof *s->head, error);
	s->tail = array_create(count, sizeof *s->tail, error);
	count = 0;
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		uint32_t place = s->place[v], before = count;
		for (uint32_t c = f->first_channel[v]; place != NONE && c < f->first_channel[v + 1]; c++)
			if (s->place[f->head[c]] != NONE) {
				s->out[count] = c;
				s->head[count] = s->place[f->head[c]];
				s->first_in[s->head[count++] + 2]++;
			}
		if (place != NONE)
			s->first_out[place + 1] = count;
		most = count - before > most ? count - before : most;
	}
	for (uint32_t p = 0; p < s->places; p++)
		s->first_in[p + 2] += s->first_in[p + 1];
	for (uint32_t p = 0; p < s->places && !error->status; p++)
		for (uint32_t i = s->first_out[p]; i < s->first_out[p + 1]; i++)
			s->tail[s->first_in[s->head[i] + 1]++] = p;
	s->way = array_create((size_t)most + 1, sizeof *s->way, error);
	s->share = array_create((size_t)most + 1, sizeof *s->share, error);
	return error->status ? -1 : 0;
}

/* Fills the arrays that are allocated. Returns 0, or -1. */
static int lay_out(struct shortest_routes *s, struct error *error)
{
	const struct fabric *f = s->fabric;
	uint32_t *tail_in = array_create(f->nodes, sizeof *tail_in, error), *last_in = array_create(f->nodes, sizeof *last_in, error);
	uint32_t *in_degree = array_create(f->nodes, sizeof *in_degree, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			tail_in[f->head[c]] = v;
			last_in[f->head[c]] = c;
			in_degree[f->head[c]]++;
		}
	if (!error->status) {
		find_roots(s, tail_in, last_in, in_degree);
		find_places(s);
		find_neighbours(s, error);
	}
	free(tail_in);
	free(last_in);
	free(in_degree);
	return error->status ? -1 : 0;
}

/* Frees all rows. */
static void free_rows(struct shortest_routes *s)
{
	for (uint32_t i = 0; i < s->rows; i++) {
		free(s->row[i].near);
		free(s->row[i].wide);
	}
	s->rows = 0;
}

/* Replaces all rows by a free one. Returns 0, or -1 if out of memory: nothing has changed then. */
static int start_rows(struct shortest_routes *s, bool wide, struct error *error)
{
	size_t size = (size_t)s->places * (wide ? sizeof(uint32_t) : 1), most = MEMORY_MOST / (size + 1) + 1;
	struct distance_row first = {.root = NONE};
	if (array_grow(&s->row, &s->row_capacity, 1, sizeof *s->row, error))
		return -1;
	if (wide)
		first.wide = array_create(s->places, sizeof *first.wide, error);
	else
		first.near = array_create(s->places, sizeof *first.near, error);
	if (error->status)
		return -1;
	free_rows(s);
	memset(s->row_of, 0xff, s->places * sizeof *s->row_of); /* NONE */
	s->rows_most = most < s->places ? (uint32_t)most : s->places;
	s->next_row = 0;
	s->wide = wide;
	s->row[s->rows++] = first;
	return 0;
}

struct shortest_routes *shortest_routes_create(const struct fabric *fabric, bool hosts_forward, bool all, struct error *error)
{
	struct shortest_routes *s = array_create(1, sizeof *s, error);
	if (!s)
		return NULL;
	*s = (struct shortest_routes){
		.fabric = fabric,
		.all = all,
		.several_hosts = hosts_forward || fabric->hosts == fabric->nodes,
		.place = array_create(fabric->nodes, sizeof *s->place, error),
		.passes = array_create(fabric->nodes, sizeof *s->passes, error),
		.chooses = array_create(fabric->nodes, sizeof *s->chooses, error),
		.root = array_create(fabric->hosts, sizeof *s->root, error),
		.last = array_create(fabric->hosts, sizeof *s->last, error),
	};
	if (!error->status && !lay_out(s, error)) {
		s->row_of = array_create(s->places, sizeof *s->row_of, error);
		s->queue = array_create((size_t)s->places + 1, sizeof *s->queue, error);
	}
	if (!error->status && !start_rows(s, false, error))
		return s;
	shortest_routes_free(s);
	return NULL;
}

void shortest_routes_free(struct shortest_routes *s)
{
	if (!s)
		return;
	free_rows(s);
	free(s->place);
	free(s->passes);
	free(s->chooses);
	free(s->root);
	free(s->last);
	free(s->first_out);
	free(s->out);
	free(s->head);
	free(s->first_in);
	free(s->tail);
	free(s->row);
	free(s->row_of);
	free(s->queue);
	free(s->way);
	free(s->share);
	free(s);
}

/* ---- distances */

/* Returns distance + 1, 0 if it is not known. */
static inline uint32_t known(const struct distance_row *row, uint32_t place)
{
	return row->near ? row->near[place] : row->wide[place];
}

static inline void set(struct distance_row *row, uint32_t place, uint32_t distance)
{
	if (row->near)
		row->near[place] = (uint8_t)(distance + 1);
	else
		row->wide[place] = distance + 1;
}

/* Adds a row if there is memory; otherwise takes the rows in turn. Returns its number. */
static uint32_t free_row(struct shortest_routes *s)
{
	struct error none = {0};
	struct distance_row new = {.root = NONE};
	if (s->row[0].root == NONE)
		return 0;
	if (s->rows < s->rows_most && !array_grow(&s->row, &s->row_capacity, (size_t)s->rows + 1, sizeof *s->row, &none)) {
		new.wide = s->wide ? calloc(s->places, sizeof *new.wide) : NULL;
		new.near = s->wide ? NULL : calloc(s->places, 1);
		if (new.wide || new.near) {
			s->row[s->rows] = new;
			return s->rows++;
		}
	}
	s->rows_most = s->rows; /* no memory for more */
	uint32_t taken = s->next_row;
	s->next_row = taken + 1 < s->rows ? taken + 1 : 0;
	return taken;
}

/* Returns the row of a root, which knows the root itself at least. */
static struct distance_row *row_of(struct shortest_routes *s, uint32_t root)
{
	if (s->row_of[root] != NONE)
		return &s->row[s->row_of[root]];
	uint32_t number = free_row(s);
	struct distance_row *row = &s->row[number];
	if (row->root != NONE)
		s->row_of[row->root] = NONE;
	if (row->root != NONE && row->near)
		memset(row->near, 0, s->places);
	else if (row->root != NONE)
		memset(row->wide, 0, s->places * sizeof *row->wide);
	*row = (struct distance_row){.root = root, .near = row->near, .wide = row->wide};
	s->row_of[root] = number;
	set(row, root, 0);
	return row;
}

static inline bool passes(const struct shortest_routes *s, const struct distance_row *row, uint32_t place)
{
	return s->passes[place] || place == row->root;
}

/* Returns whether a channel from the place leads to one at this distance + 1 through which paths pass. */
static bool reaches(const struct shortest_routes *s, const struct distance_row *row, uint32_t place, uint32_t wanted)
{
	for (uint32_t i = s->first_out[place]; i < s->first_out[place + 1]; i++)
		if (known(row, s->head[i]) == wanted && passes(s, row, s->head[i]))
			return true;
	return false;
}

/* Knows the places before those of the queue from begin to end - 1, one level farther; appends them. Returns the new end. */
static uint32_t search_level(struct shortest_routes *s, struct distance_row *row, uint32_t begin, uint32_t end)
{
	const uint32_t *first_in = s->first_in, *tail = s->tail;
	uint8_t *near = row->near, mark = (uint8_t)(row->level + 2);
	uint32_t *queue = s->queue, next = end;
	for (; near && begin < end; begin++) /* most fabrics */
		for (uint32_t i = first_in[queue[begin]], last = first_in[queue[begin] + 1]; i < last; i++) {
			uint32_t p = tail[i];
			if (near[p])
				continue;
			near[p] = mark;
			queue[next] = p;
			next += s->passes[p];
		}
	for (; begin < end; begin++)
		for (uint32_t i = first_in[queue[begin]]; i < first_in[queue[begin] + 1]; i++)
			if (!known(row, tail[i])) {
				set(row, tail[i], row->level + 1);
				queue[next] = tail[i];
				next += s->passes[tail[i]];
			}
	row->level++;
	return next;
}

/* Continues the search until a place is known or one before the level, or for NONE to its end. Returns whether distances fit. */
static bool search(struct shortest_routes *s, struct distance_row *row, uint32_t place)
{
	uint32_t begin = 0, end = 0;
	for (uint32_t p = 0; row->level && p < s->places; p++)
		if (known(row, p) == row->level + 1 && s->passes[p])
			s->queue[end++] = p;
	if (!row->level)
		s->queue[end++] = row->root;
	if (++row->searches > SEARCHES_MOST)
		place = NONE;
	while (begin < end && (place == NONE || (!known(row, place) && !reaches(s, row, place, row->level + 1)))) {
		if (row->near && row->level + 2 > NEAR_MOST)
			return false;
		uint32_t next = search_level(s, row, begin, end);
		begin = end;
		end = next;
	}
	row->complete |= begin == end;
	return true;
}

/* As search(), with distances that do not fit into a byte. Returns the row. */
static struct distance_row *search_on(struct shortest_routes *s, struct distance_row *row, uint32_t place)
{
	struct error none = {0};
	uint32_t root = row->root;
	if (search(s, row, place))
		return row;
	if (start_rows(s, true, &none)) { /* without memory the other places are out of reach */
		row->complete = true;
		return row;
	}
	row = row_of(s, root);
	search(s, row, place);
	return row;
}

/* Finds the row of a root, and distance + 1 of the places after a place on its shortest paths; 0 if it has none. */
static uint32_t next_distance(struct shortest_routes *s, uint32_t root, uint32_t place, struct distance_row **row)
{
	*row = row_of(s, root);
	if (known(*row, place))
		return known(*row, place) - 1;
	if ((*row)->complete)
		return 0;
	if (reaches(s, *row, place, (*row)->level + 1))
		return (*row)->level + 1;
	*row = search_on(s, *row, place);
	if (known(*row, place))
		return known(*row, place) - 1;
	return reaches(s, *row, place, (*row)->level + 1) ? (*row)->level + 1 : 0;
}

/*
 * Handles nodes without a choice: the host itself, those with one channel, and the end of routes to the host. Returns whether it is one;
 * *channel is then its channel.
 */
static bool is_decided(const struct shortest_routes *s, uint32_t node, uint32_t destination, uint32_t *channel)
{
	const struct fabric *f = s->fabric;
	uint32_t place = s->place[node];
	*channel = NONE;
	if (node == f->host_node[destination])
		return true;
	if (place == NONE || !s->chooses[place]) {
		*channel = out_degree(f, node) ? f->first_channel[node] : NONE;
		return true;
	}
	*channel = s->last[destination];
	return place == s->root[destination];
}

uint32_t shortest_routes_next(struct shortest_routes *s, uint32_t node, uint32_t destination)
{
	struct distance_row *row;
	uint32_t channel, place = s->place[node];
	if (is_decided(s, node, destination, &channel))
		return channel;
	uint32_t wanted = next_distance(s, s->root[destination], place, &row);
	for (uint32_t i = s->first_out[place]; wanted && i < s->first_out[place + 1]; i++)
		if (known(row, s->head[i]) == wanted && passes(s, row, s->head[i]))
			return s->out[i];
	return NONE;
}

/* Appends the channels of the path between two places. Returns their number, 0 if there is none. */
static uint32_t append_path(struct shortest_routes *s, uint32_t place, uint32_t root, uint32_t *channels)
{
	struct distance_row *row;
	uint32_t wanted = next_distance(s, root, place, &row), length = 0;
	for (; wanted; wanted--) {
		uint32_t i = s->first_out[place], end = s->first_out[place + 1];
		while (i < end && !(known(row, s->head[i]) == wanted && passes(s, row, s->head[i])))
			i++;
		if (i == end)
			return 0;
		channels[length++] = s->out[i];
		place = s->head[i];
	}
	return length;
}

uint32_t shortest_routes_route(struct shortest_routes *s, uint32_t source, uint32_t destination, uint32_t *channels)
{
	const struct fabric *f = s->fabric;
	uint32_t node = f->host_node[source], end = f->host_node[destination], length = 0, root = s->root[destination];
	while (node != end && s->place[node] != root) {
		uint32_t channel;
		if (!is_decided(s, node, destination, &channel)) {
			uint32_t count = append_path(s, s->place[node], root, channels + length);
			if (!count)
				return 0;
			length += count;
			break;
		}
		if (channel == NONE || length == f->nodes)
			return 0;
		channels[length++] = channel;
		node = f->head[channel];
	}
	if (node != end && s->last[destination] != NONE)
		channels[length++] = s->last[destination];
	return length;
}

uint32_t shortest_routes_ways(
	struct shortest_routes *s, uint32_t node, uint32_t destination, const uint32_t **channel, const double **share)
{
	struct distance_row *row;
	uint32_t only, count = 0, place = s->place[node];
	bool decided = is_decided(s, node, destination, &only);
	uint32_t wanted = decided ? 0 : next_distance(s, s->root[destination], place, &row);
	if (only != NONE && decided)
		s->way[count++] = only;
	for (uint32_t i = wanted ? s->first_out[place] : 0; wanted && i < s->first_out[place + 1]; i++)
		if (known(row, s->head[i]) == wanted && passes(s, row, s->head[i]))
			s->way[count++] = s->out[i];
	for (uint32_t i = 0; count != s->shares && i < count; i++)
		s->share[i] = 1.0 / count;
	s->shares = count;
	*channel = s->way;
	*share = s->share;
	return count;
}

const struct distance_row *shortest_routes_distances(struct shortest_routes *s, uint32_t root)
{
	struct distance_row *row = row_of(s, s->place[root]);
	return row->complete ? row : search_on(s, row, NONE);
}
