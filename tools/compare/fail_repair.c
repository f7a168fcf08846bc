#include "base/memory.h"
#include "tools/compare/fail_effect.h"

#include <stdlib.h>
#include <string.h>

enum { DETACHED = UINT32_MAX - 1 };

struct mending {
	struct fail_state *state;
	struct entry_changes *changes;
	uint32_t *distance; /* [columns] channels to the destination; DETACHED: its way has failed; NONE: it never had one */
	uint32_t *detached; /* [count] columns */
	uint32_t *reach;    /* [columns] distance that a detached one can have */
	uint32_t count;
	uint32_t *path; /* [columns] */
};

static uint32_t entry_of(const struct fail_state *s, uint32_t column, uint32_t destination)
{
	return s->base[(size_t)destination * s->graph->columns + column];
}

/* Whether an entry for the destination has failed. */
static bool is_hit(const struct fail_state *s, uint32_t destination)
{
	for (size_t i = 0; i < s->failed.count; i++) {
		uint32_t both[2] = {s->failed.listed[i], s->reverse[s->failed.listed[i]]};
		for (int k = 0; k < 2 && both[k] != NONE; k++) {
			uint32_t column = s->graph->column[s->graph->tail[both[k]]];
			if (column != NONE && entry_of(s, column, destination) == both[k])
				return true;
		}
	}
	return false;
}

/* Finds the distances that are left, and the columns that are detached. */
static void find_detached(struct mending *m, uint32_t destination)
{
	const struct fail_state *s = m->state;
	const struct routing_graph *g = s->graph;
	enum { UNKNOWN = UINT32_MAX - 2 };
	uint32_t target = s->fabric->host_node[destination];
	m->count = 0;
	for (uint32_t k = 0; k < g->columns; k++)
		m->distance[k] = UNKNOWN;
	for (uint32_t k = 0; k < g->columns; k++) {
		uint32_t length = 0, at = k, end = UNKNOWN;
		while (end == UNKNOWN) {
			if (m->distance[at] != UNKNOWN) {
				end = m->distance[at];
				break;
			}
			m->path[length++] = at;
			m->distance[at] = NONE; /* a loop is no way */
			uint32_t c = entry_of(s, at, destination);
			if (c == NONE)
				end = NONE;
			else if (s->failed.channel[c])
				end = DETACHED;
			else if (s->fabric->head[c] == target)
				end = 0;
			else if ((at = g->column[s->fabric->head[c]]) == NONE)
				end = NONE;
		}
		while (length) {
			end = end < DETACHED ? end + 1 : end;
			m->distance[m->path[--length]] = end;
		}
	}
	for (uint32_t k = 0; k < g->columns; k++)
		if (m->distance[k] == DETACHED && !s->failed.node[g->node[k]])
			m->detached[m->count++] = k;
}

/* Returns the distance by a channel; NONE: it does not lead there, so far. */
static uint32_t distance_by(const struct mending *m, uint32_t channel, uint32_t target)
{
	const struct fail_state *s = m->state;
	uint32_t v = s->fabric->head[channel];
	if (s->failed.channel[channel])
		return NONE;
	if (v == target)
		return 1;
	if (!s->graph->forwards[v] || s->graph->column[v] == NONE || m->distance[s->graph->column[v]] >= DETACHED)
		return NONE;
	return m->distance[s->graph->column[v]] + 1;
}

static void find_reach(struct mending *m, uint32_t column, uint32_t target)
{
	const struct fabric *f = m->state->fabric;
	uint32_t v = m->state->graph->node[column];
	m->reach[column] = NONE;
	for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
		uint32_t by = distance_by(m, c, target);
		m->reach[column] = by < m->reach[column] ? by : m->reach[column];
	}
}

/* Takes the old channel if it is among those of the least distance, otherwise that with the fewest routes. */
static uint32_t choose(const struct mending *m, uint32_t column, uint32_t destination)
{
	const struct fail_state *s = m->state;
	const struct fabric *f = s->fabric;
	uint32_t v = s->graph->node[column], best = NONE, old = entry_of(s, column, destination);
	double least = 0;
	for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
		if (distance_by(m, c, f->host_node[destination]) != m->reach[column])
			continue;
		double load = s->speeds ? (double)s->load[c] / f->speed[c] : (double)s->load[c];
		if (c == old)
			return c;
		if (best == NONE || load < least) {
			best = c;
			least = load;
		}
	}
	return best;
}

static int set_entry(struct mending *m, uint32_t column, uint32_t destination, uint32_t channel, struct error *error)
{
	struct fail_state *s = m->state;
	uint32_t old = entry_of(s, column, destination), flow = s->flow[(size_t)destination * s->graph->columns + column];
	if (channel == old)
		return 0;
	s->load[old] -= flow;
	if (channel != NONE)
		s->load[channel] += flow;
	return entry_changes_add(m->changes, (struct entry_change){column, destination, channel}, error);
}

/* Attaches the detached columns, the nearest first. */
static int attach(struct mending *m, uint32_t destination, struct error *error)
{
	uint32_t target = m->state->fabric->host_node[destination], left = m->count;
	while (left && !error->status) {
		uint32_t nearest = NONE, kept = 0;
		for (uint32_t i = 0; i < left; i++) {
			find_reach(m, m->detached[i], target);
			nearest = m->reach[m->detached[i]] < nearest ? m->reach[m->detached[i]] : nearest;
		}
		for (uint32_t i = 0; i < left && !error->status; i++) {
			uint32_t column = m->detached[i];
			if (m->reach[column] != nearest)
				m->detached[kept++] = column;
			else if (nearest == NONE)
				set_entry(m, column, destination, NONE, error);
			else
				set_entry(m, column, destination, choose(m, column, destination), error);
			if (m->reach[column] == nearest)
				m->reach[column] = 0; /* attached below, when all at this distance have chosen */
		}
		for (uint32_t k = 0; k < m->state->graph->columns && nearest != NONE; k++)
			if (m->distance[k] == DETACHED && !m->reach[k])
				m->distance[k] = nearest;
		left = nearest == NONE ? 0 : kept;
	}
	return error->status ? -1 : 0;
}

int fail_repair(struct fail_state *state, struct entry_changes *changes, struct error *error)
{
	struct fail_state *s = state;
	const struct fabric *f = s->fabric;
	uint32_t columns = s->graph->columns;
	struct mending m = {.state = s,
		.changes = changes,
		.distance = array_create(columns, sizeof *m.distance, error),
		.detached = array_create(columns, sizeof *m.detached, error),
		.reach = array_create(columns, sizeof *m.reach, error),
		.path = array_create((size_t)columns + 1, sizeof *m.path, error)};
	changes->count = 0;
	*changes->refusal = '\0';
	for (uint32_t d = 0; d < f->hosts && !error->status; d++) {
		if (s->lost[d] || !is_hit(s, d))
			continue;
		find_detached(&m, d);
		for (uint32_t k = 0; k < columns; k++)
			m.reach[k] = NONE;
		attach(&m, d, error);
	}
	memcpy(s->load, s->load0, f->channels * sizeof *s->load);
	free(m.distance);
	free(m.detached);
	free(m.reach);
	free(m.path);
	return error->status ? -1 : 0;
}
