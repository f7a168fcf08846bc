/* Counts the routes to a destination, all of them or the part that a failure changes. */
#include "tools/compare/fail_state.h"

#include <string.h>

/* Notes whether the dependency keeps the order of the intact fabric. */
static void turn(struct fail_state *s, uint32_t in, uint32_t out)
{
	s->turned |= s->position && s->position[in] >= s->position[out];
}

uint32_t fail_add_tree(struct fail_state *s, const uint32_t *table, uint32_t destination, uint64_t *load, uint32_t *flow)
{
	uint32_t reached = 0;
	for (uint32_t start = 0; start < s->graph->columns; start++) {
		uint32_t hosts = s->senders[start] ? fail_senders(s, start, destination) : 0, channel;
		bool dead = false;
		if (!hosts || !fail_arrives(s, table, start, destination))
			continue;
		reached += hosts;
		for (uint32_t column = start, before = NONE; column != NONE; before = channel) {
			uint32_t at = column;
			column = fail_step(s, table, column, destination, &channel, &dead);
			load[channel] += hosts;
			if (before != NONE && table == s->now)
				turn(s, before, channel);
			if (flow)
				flow[at] += hosts;
		}
	}
	return reached;
}

static void join(struct fail_state *s, uint32_t column)
{
	if (s->mark[column] == s->epoch)
		return;
	s->mark[column] = s->epoch;
	s->place[column] = s->members;
	s->member[s->members++] = column;
}

/* Adds the columns of both routes from a column to the part. Returns whether the new one arrives. */
static bool join_routes(struct fail_state *s, uint32_t column, uint32_t destination)
{
	uint32_t channel;
	for (int new = 0; new < 2; new ++) {
		bool dead = false;
		uint32_t length = 0, at = column;
		if (new && s->failed.node[s->graph->node[column]])
			break;
		while (at != NONE && !dead && length++ <= s->graph->columns) {
			join(s, at);
			at = fail_step(s, new ? s->now : s->base, at, destination, &channel, &dead);
		}
		if (new && (dead || at != NONE))
			return false;
	}
	return true;
}

/* The dependencies into a channel that a column takes now, from columns outside the part. */
static void turn_others(struct fail_state *s, uint32_t column, uint32_t destination, uint32_t out)
{
	const struct routing_graph *g = s->graph;
	uint32_t v = g->node[column];
	for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++) {
		uint32_t in = g->in[k], from = g->column[g->tail[in]];
		if (from != NONE && s->mark[from] != s->epoch && fail_entry(s, s->base, from, destination) == in &&
			s->flow[(size_t)destination * g->columns + from])
			turn(s, in, out);
	}
}

/* Counts the flow of the part along the new entries, all of whose routes arrive. */
static void count_part(struct fail_state *s, uint32_t destination)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	uint32_t first = 0, last = 0, channel;
	bool dead = false;
	memset(s->waits, 0, s->members * sizeof *s->waits);
	for (uint32_t i = 0; i < s->members; i++) {
		uint32_t m = s->member[i];
		s->in_flow[i] = flow[m] ? flow[m] - s->lost_at[m] : 0;
	}
	for (uint32_t i = 0; i < s->members; i++) {
		uint32_t m = s->member[i], to;
		if (flow[m] && (to = fail_step(s, s->base, m, destination, &channel, &dead)) != NONE)
			s->in_flow[s->place[to]] -= flow[m];
		if (flow[m]) {
			s->load[channel] -= flow[m];
			fail_square_flow(s, channel, flow[m], -1);
		}
		dead = false;
		to = fail_step(s, s->now, m, destination, &channel, &dead);
		if (!dead && to != NONE && s->mark[to] == s->epoch)
			s->waits[s->place[to]]++;
	}
	for (uint32_t i = 0; i < s->members; i++)
		if (!s->waits[i])
			s->queue[last++] = i;
	while (first < last) {
		uint32_t i = s->queue[first++], m = s->member[i];
		dead = false;
		uint32_t to = fail_step(s, s->now, m, destination, &channel, &dead);
		if (dead)
			continue; /* nothing flows here */
		if (s->in_flow[i]) {
			s->load[channel] += s->in_flow[i];
			fail_square_flow(s, channel, s->in_flow[i], 1);
			if (channel != fail_entry(s, s->base, m, destination))
				turn_others(s, m, destination, channel);
		}
		if (to == NONE || s->mark[to] != s->epoch)
			continue;
		if (s->in_flow[i])
			turn(s, channel, fail_entry(s, s->now, to, destination));
		s->in_flow[s->place[to]] += s->in_flow[i];
		if (!--s->waits[s->place[to]])
			s->queue[last++] = s->place[to];
	}
}

static void remove_tree(struct fail_state *s, uint32_t destination)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	for (uint32_t k = 0; k < s->graph->columns; k++)
		if (flow[k]) {
			s->load[fail_entry(s, s->base, k, destination)] -= flow[k];
			fail_square_flow(s, fail_entry(s, s->base, k, destination), flow[k], -1);
		}
}

/* The whole tree anew. */
static void count_whole(struct fail_state *s, uint32_t destination)
{
	remove_tree(s, destination);
	memset(s->in_flow, 0, s->graph->columns * sizeof *s->in_flow);
	uint32_t reached = fail_add_tree(s, s->now, destination, s->load, s->in_flow), gone = 0;
	for (uint32_t k = 0; k < s->graph->columns; k++)
		if (s->in_flow[k])
			fail_square_flow(s, fail_entry(s, s->now, k, destination), s->in_flow[k], 1);
	for (uint32_t i = 0; i < s->lost_starts; i++)
		if (fail_arrives(s, s->base, s->lost_start[i], destination))
			gone += s->lost_at[s->lost_start[i]];
	s->new_unreachable += s->reached[destination] > reached ? s->reached[destination] - reached : 0;
	s->new_apart += s->reached[destination] > reached + gone ? s->reached[destination] - reached - gone : 0;
}

bool fail_count_destination(struct fail_state *s, uint32_t destination, struct error *error)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	uint64_t lost = 0;
	bool whole = s->unreachable > 0;
	if (s->lost[destination]) {
		remove_tree(s, destination);
		fail_move_whole(s, destination, error);
		s->new_unreachable += s->reached[destination];
		return true;
	}
	s->members = 0;
	s->epoch++;
	for (uint64_t i = s->change_first[destination]; i < s->change_first[destination + 1]; i++) {
		s->changed[s->change_column[i]] = s->epoch;
		if (flow[s->change_column[i]])
			whole |= !join_routes(s, s->change_column[i], destination);
	}
	for (uint32_t i = 0; i < s->lost_starts; i++) {
		uint32_t start = s->lost_start[i];
		lost += s->lost_at[start];
		whole |= !join_routes(s, start, destination);
	}
	if (whole && (s->members || s->change_first[destination] < s->change_first[destination + 1])) {
		count_whole(s, destination);
		fail_move_whole(s, destination, error);
		return true;
	}
	if (!s->members)
		return false;
	count_part(s, destination);
	fail_move_part(s, destination, error);
	s->new_unreachable += lost;
	return true;
}
