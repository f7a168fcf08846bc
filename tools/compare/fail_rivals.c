/*
 * The pairs of routes that can meet: for a channel between switches, the pairs of routes over it with other sources and other destinations,
 * Q = (R^2 - sum of r_s^2 - sum of n_d^2 + R) / 2, where R routes use it, r_s of them from source s and n_d to destination d. A random
 * bisection has collisions in proportion to it. The sums over all channels are kept; a failure changes those of the routes that it changes.
 */
#include "tools/compare/fail_state.h"

#include "base/memory.h"

#include <string.h>

/* The routes of a start's hosts over a channel become one more, or one fewer (by: -1). All hosts of a start share their routes. */
static void change(struct fail_state *s, uint32_t start, uint32_t channel, int by, struct error *error)
{
	if (!s->counted[channel])
		return;
	size_t at = (size_t)s->row[start] * s->fabric->channels + channel;
	int64_t old = s->routes_of[at], new = old + by;
	s->source_squares += (wide)s->senders[start] * (new *new - old *old);
	s->routes_of[at] = (uint32_t) new;
	if (!error || array_grow(&s->touched, &s->touched_capacity, s->touches + 1, sizeof *s->touched, error))
		return;
	s->touched[s->touches++] = (struct fail_touch){at, by};
}

/* The same for all channels of the route from a start in a table, if there is one. */
static void change_route(struct fail_state *s, const uint32_t *table, uint32_t start, uint32_t destination, int by, struct error *error)
{
	uint32_t channel;
	bool dead = false;
	if (!fail_arrives(s, table, start, destination))
		return;
	for (uint32_t column = start; column != NONE;) {
		column = fail_step(s, table, column, destination, &channel, &dead);
		change(s, start, channel, by, error);
	}
}

/* Returns what is too much in the sum of r_s^2: a host's route to itself, where the other hosts of its start pass switches to reach it. */
static wide own_routes(const struct fail_state *s, const uint32_t *table)
{
	wide sum = 0;
	for (uint32_t h = 0; h < s->fabric->hosts; h++) {
		uint32_t start = s->start[h], channel = start == NONE || s->lost[h] ? NONE : fail_entry(s, table, start, h);
		bool dead = false;
		if (channel == NONE || s->fabric->head[channel] == s->fabric->host_node[h] || !fail_arrives(s, table, start, h))
			continue;
		for (uint32_t column = start; column != NONE;) {
			column = fail_step(s, table, column, h, &channel, &dead);
			if (s->counted[channel])
				sum += 2 * (wide)s->routes_of[(size_t)s->row[start] * s->fabric->channels + channel] - 1;
		}
	}
	return sum;
}

/* Returns the sum of r_s^2 of a host of the start. */
static wide squares_of(const struct fail_state *s, uint32_t start)
{
	const uint32_t *routes = s->routes_of + (size_t)s->row[start] * s->fabric->channels;
	wide sum = 0;
	for (uint32_t c = 0; c < s->fabric->channels; c++)
		sum += (wide)routes[c] * routes[c];
	return sum;
}

double fail_rivals(const struct fail_state *s)
{
	wide routes = 0, squares = 0, sources = s->source_squares - own_routes(s, s->now);
	for (uint32_t c = 0; c < s->fabric->channels; c++)
		if (s->counted[c]) {
			routes += s->load[c];
			squares += (wide)s->load[c] * s->load[c];
		}
	for (uint32_t i = 0; i < s->lost_starts; i++)
		sources -= squares_of(s, s->lost_start[i]) * s->lost_at[s->lost_start[i]];
	return (double)(squares - sources - s->destination_squares + routes) / 2;
}

void fail_square_flow(struct fail_state *s, uint32_t channel, uint64_t flow, int sign)
{
	if (s->counted[channel])
		s->destination_squares += sign * (wide)flow * flow;
}

/* Lists the starts whose routes to the destination pass a column, and moves them from their old routes to the new ones. */
static void move_above(struct fail_state *s, uint32_t column, uint32_t destination, struct error *error)
{
	const struct routing_graph *g = s->graph;
	const uint32_t *flow = s->flow + (size_t)destination * g->columns;
	uint32_t count = 0;
	if (s->moved[column] == s->epoch)
		return;
	s->moved[column] = s->epoch;
	s->queue[count++] = column;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = s->queue[i], v = g->node[at];
		uint32_t own = s->senders[at] ? s->senders[at] - (s->start[destination] == at) : 0;
		if (own && s->senders[at] > s->lost_at[at]) {
			change_route(s, s->base, at, destination, -1, error);
			change_route(s, s->now, at, destination, 1, error);
		}
		for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1] && flow[at] > own; k++) {
			uint32_t in = g->in[k], from = g->column[g->tail[in]];
			if (from == NONE || s->moved[from] == s->epoch || !flow[from] || fail_entry(s, s->base, from, destination) != in)
				continue;
			s->moved[from] = s->epoch;
			s->queue[count++] = from;
		}
	}
}

void fail_move_part(struct fail_state *s, uint32_t destination, struct error *error)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	for (uint64_t i = s->change_first[destination]; i < s->change_first[destination + 1]; i++)
		if (flow[s->change_column[i]])
			move_above(s, s->change_column[i], destination, error);
}

void fail_move_whole(struct fail_state *s, uint32_t destination, struct error *error)
{
	for (uint32_t start = 0; start < s->graph->columns; start++) {
		if (s->senders[start] <= s->lost_at[start])
			continue;
		change_route(s, s->base, start, destination, -1, error);
		if (!s->lost[destination])
			change_route(s, s->now, start, destination, 1, error);
	}
}

int fail_begin_rivals(struct fail_state *s, struct error *error)
{
	uint32_t columns = s->graph->columns, rows = 0;
	s->row = array_create(columns, sizeof *s->row, error);
	s->moved = array_create(columns, sizeof *s->moved, error);
	for (uint32_t k = 0; k < columns && !error->status; k++)
		s->row[k] = s->senders[k] ? rows++ : NONE;
	s->routes_of = array_create((size_t)rows * s->fabric->channels, sizeof *s->routes_of, error);
	if (error->status)
		return -1;
	for (uint32_t d = 0; d < s->fabric->hosts; d++) {
		const uint32_t *flow = s->flow + (size_t)d * columns;
		for (uint32_t k = 0; k < columns; k++) {
			if (flow[k])
				fail_square_flow(s, fail_entry(s, s->base, k, d), flow[k], 1);
			if (s->senders[k])
				change_route(s, s->base, k, d, 1, NULL);
		}
	}
	s->source_squares0 = s->source_squares;
	s->destination_squares0 = s->destination_squares;
	s->intact.rivals = fail_rivals(s);
	return 0;
}

void fail_mend_rivals(struct fail_state *s)
{
	for (size_t i = 0; i < s->touches; i++)
		s->routes_of[s->touched[i].at] -= (uint32_t)s->touched[i].by;
	s->touches = 0;
	s->source_squares = s->source_squares0;
	s->destination_squares = s->destination_squares0;
}
