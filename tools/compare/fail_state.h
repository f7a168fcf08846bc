/* What the parts of fail_effect.h share: routes of a table, which is base or now, and the steps of judging a failure. */
#ifndef TOOLS_COMPARE_FAIL_STATE_H
#define TOOLS_COMPARE_FAIL_STATE_H

#include "tools/compare/fail_effect.h"

/* Returns an entry of a table. */
static inline uint32_t fail_entry(const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination)
{
	return table[(size_t)destination * s->graph->columns + column];
}

/*
 * Follows an entry: returns the column at the other end of its channel; NONE at the destination. *dead: it leads nowhere. table: base, or
 * now, which failed channels belong to.
 */
static inline uint32_t fail_step(
	const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination, uint32_t *channel, bool *dead)
{
	uint32_t c = *channel = fail_entry(s, table, column, destination);
	if (c == NONE || (table == s->now && s->failed.channel[c])) {
		*dead = true;
		return NONE;
	}
	uint32_t v = s->fabric->head[c];
	if (v == s->fabric->host_node[destination])
		return NONE;
	*dead |= s->graph->column[v] == NONE;
	return s->graph->column[v];
}

/* Returns whether a route leads from the column to the destination. */
static inline bool fail_arrives(const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination)
{
	bool dead = false;
	uint32_t channel, length = 0;
	while (column != NONE && !dead && length++ <= s->graph->columns)
		column = fail_step(s, table, column, destination, &channel, &dead);
	return column == NONE && !dead;
}

/* Returns the hosts, without the destination, whose routes begin at the column; lost ones do not count. */
static inline uint32_t fail_senders(const struct fail_state *s, uint32_t column, uint32_t destination)
{
	return s->senders[column] - s->lost_at[column] - (s->start[destination] == column && !s->lost[destination]);
}

/* ---- fail_trees.c: the routes to a destination, as its tree */

/* Adds the routes of all starts in a table to loads and, unless it is NULL, flow [columns]. Returns the hosts that have a route. Of now,
 * whether they keep the order of the intact fabric (turned). */
uint32_t fail_add_tree(struct fail_state *state, const uint32_t *table, uint32_t destination, uint64_t *load, uint32_t *flow);

/* Counts the routes to a destination after a failure. Returns whether any may have changed; error: if out of memory. */
bool fail_count_destination(struct fail_state *state, uint32_t destination, struct error *error);

/* ---- fail_rivals.c: pairs of routes that can meet */

/* Counts the routes of the intact fabric by source. Returns 0, or -1 if out of memory. */
int fail_begin_rivals(struct fail_state *state, struct error *error);

/* What flows over a channel to one destination begins to count (sign: 1), or does not any more (-1). */
void fail_square_flow(struct fail_state *state, uint32_t channel, uint64_t flow, int sign);

/* Moves routes to a destination to their new channels: those that pass changed entries, or all. error: if out of memory. */
void fail_move_part(struct fail_state *state, uint32_t destination, struct error *error);
void fail_move_whole(struct fail_state *state, uint32_t destination, struct error *error);

/* Returns the pairs, once all destinations are counted. */
double fail_rivals(const struct fail_state *state);

/* Takes back what a failure has changed. */
void fail_mend_rivals(struct fail_state *state);

/* ---- fail_turns.c: dependencies of channels, and deadlocks on one lane */

/* Finds the dependencies of the intact fabric. Returns 0, or -1 if out of memory. */
int fail_begin_turns(struct fail_state *state, struct error *error);

/* Returns whether routes of a table can deadlock. position: [channels] set to the order of the channels; NULL: not wanted. */
bool fail_is_cyclic(struct fail_state *state, const uint32_t *table, uint32_t *position, struct error *error);

/* ---- fail_bisections.c */

/* Draws the bisections, and finds their bandwidth on the intact fabric. Returns 0, or -1. */
int fail_begin_runs(struct fail_state *state, uint64_t seed, struct error *error);

/* Finds the new routes of all flows to a destination. Returns 0, or -1 if out of memory. */
int fail_route_flows(struct fail_state *state, uint32_t destination, struct error *error);

/* Compares the runs with those of the intact fabric. Returns 0, or -1 if out of memory. */
int fail_judge_runs(struct fail_state *state, struct fail_effect *effect, struct error *error);

#endif
