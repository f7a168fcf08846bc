#include "lane_split.h"

#include "turns.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_SEEN, ON_THE_WAY, WITHOUT_CIRCLES };

struct split {
	const struct routing_graph *graph;
	struct routed *routed;
	struct turns turns;
	uint8_t lane;     /* that is looked at */
	uint64_t *routes; /* [turns] that need it, on that lane */
	uint32_t *source; /* [sources] nodes with senders */
	uint32_t sources;
	bool moved;          /* any, to the next lane */
	uint8_t *state;      /* [channels] */
	uint32_t *way;       /* [depth] the channels from where the search began */
	uint32_t *candidate; /* [depth] the channel to look at next from way[i] */
	uint32_t depth;
};

/* The channel by which the switch at the end of a channel goes on; NONE at the destination. */
static uint32_t onwards(const struct routing_graph *n, const uint32_t *row, uint32_t channel)
{
	uint32_t node = n->fabric->head[channel];
	return routing_is_switch(n, node) ? row[n->column[node]] : NONE;
}

/* Counts, or with a negative number forgets, routes from a source: at every turn between switches. */
static void count_route(struct split *s, const uint32_t *row, uint32_t source, int64_t routes)
{
	const struct routing_graph *n = s->graph;
	uint32_t channel = row[n->column[source]];
	if (channel != NONE && !routing_is_switch(n, source))
		channel = onwards(n, row, channel);
	while (channel != NONE && turns_joins_switches(&s->turns, channel)) {
		uint32_t next = onwards(n, row, channel);
		if (next != NONE && turns_joins_switches(&s->turns, next))
			s->routes[turns_number(&s->turns, channel, next)] += (uint64_t)routes;
		channel = next;
	}
}

static void count_lane(struct split *s)
{
	const struct routing_graph *n = s->graph;
	memset(s->routes, 0, s->turns.count * sizeof *s->routes);
	for (uint32_t d = 0; d < n->fabric->hosts; d++) {
		const uint32_t *row = routed_row(s->routed, n, d);
		const uint8_t *level = routed_levels(s->routed, n, d);
		for (uint32_t i = 0; i < s->sources; i++)
			if (level[n->column[s->source[i]]] == s->lane)
				count_route(s, row, s->source[i], n->senders[s->source[i]]);
	}
}

/* Whether the route from the node takes that channel. */
static bool takes(const struct routing_graph *n, const uint32_t *row, uint32_t node, uint32_t channel)
{
	while (node != NONE && n->column[node] != NONE) {
		uint32_t next = row[n->column[node]];
		if (next == channel)
			return true;
		node = next == NONE ? NONE : n->fabric->head[next];
	}
	return false;
}

/* All routes of this lane that need the turn go to the next. */
static void move_routes(struct split *s, uint32_t from, uint32_t to)
{
	const struct routing_graph *n = s->graph;
	const uint64_t *left = &s->routes[turns_number(&s->turns, from, to)];
	uint32_t first = n->column[n->tail[from]], second = n->column[n->tail[to]];
	for (uint32_t d = 0; d < n->fabric->hosts && *left; d++) {
		const uint32_t *row = routed_row(s->routed, n, d);
		uint8_t *level = routed_levels(s->routed, n, d);
		if (row[first] != from || row[second] != to)
			continue;
		for (uint32_t i = 0; i < s->sources; i++) {
			uint32_t source = s->source[i], column = n->column[source];
			if (level[column] == s->lane && takes(n, row, source, from)) {
				count_route(s, row, source, -(int64_t)n->senders[source]);
				level[column]++;
			}
		}
	}
	s->moved = true;
}

/* The circle begins at way[first]. Breaks it, and goes back to where the way still holds. */
static void break_circle(struct split *s, uint32_t first)
{
	uint32_t weakest = first, last = s->depth - 1;
	uint64_t fewest = UINT64_MAX;
	for (uint32_t i = first; i <= last; i++) {
		uint64_t routes = s->routes[turns_number(&s->turns, s->way[i], s->way[i < last ? i + 1 : first])];
		if (routes < fewest) {
			fewest = routes;
			weakest = i;
		}
	}
	move_routes(s, s->way[weakest], s->way[weakest < last ? weakest + 1 : first]);
	uint32_t holds = 0;
	while (holds < last && s->routes[turns_number(&s->turns, s->way[holds], s->way[holds + 1])])
		holds++;
	while (s->depth > holds + 1)
		s->state[s->way[--s->depth]] = NOT_SEEN;
}

static void step_into(struct split *s, uint32_t channel)
{
	s->state[channel] = ON_THE_WAY;
	s->way[s->depth] = channel;
	s->candidate[s->depth++] = s->graph->fabric->first_channel[s->graph->fabric->head[channel]];
}

/* Depth-first search for circles from a channel. */
static void search(struct split *s, uint32_t start)
{
	const struct fabric *fabric = s->graph->fabric;
	for (step_into(s, start); s->depth;) {
		uint32_t at = s->way[s->depth - 1], next = s->candidate[s->depth - 1];
		if (next == fabric->first_channel[fabric->head[at] + 1]) {
			s->state[at] = WITHOUT_CIRCLES;
			s->depth--;
		} else if (!s->routes[turns_number(&s->turns, at, next)] || s->state[next] == WITHOUT_CIRCLES) {
			s->candidate[s->depth - 1]++;
		} else if (s->state[next] == NOT_SEEN) {
			step_into(s, next);
		} else {
			uint32_t first = s->depth - 1;
			while (s->way[first] != next)
				first--;
			break_circle(s, first); /* candidates stay where they are: what is broken has no routes */
		}
	}
}

static void clear_lane(struct split *s)
{
	count_lane(s);
	memset(s->state, NOT_SEEN, s->graph->fabric->channels);
	s->moved = false;
	for (uint32_t c = 0; c < s->graph->fabric->channels; c++)
		if (s->state[c] == NOT_SEEN && turns_joins_switches(&s->turns, c))
			search(s, c);
}

int lane_split(struct routed *routed, const struct routing_graph *graph, unsigned lanes, struct error *error)
{
	uint32_t channels = graph->fabric->channels;
	struct split s = {
		.graph = graph,
		.routed = routed,
		.source = array_create(graph->columns, sizeof *s.source, error),
		.state = array_create(channels, sizeof *s.state, error),
		.way = array_create(channels, sizeof *s.way, error),
		.candidate = array_create(channels, sizeof *s.candidate, error),
	};
	bool done = false;
	for (uint32_t i = 0; i < graph->columns && s.source; i++)
		if (graph->senders[graph->node[i]])
			s.source[s.sources++] = graph->node[i];
	if (!turns_init(&s.turns, graph, error) && !routed_add_levels(routed, graph, error))
		s.routes = array_create(s.turns.count, sizeof *s.routes, error);
	for (; !error->status && !done && s.lane < lanes; s.lane++) {
		clear_lane(&s);
		done = !s.moved;
	}
	routed->levels = routed->lanes = s.lane;
	turns_clear(&s.turns);
	free(s.routes);
	free(s.source);
	free(s.state);
	free(s.way);
	free(s.candidate);
	return error->status ? -1 : !done;
}
