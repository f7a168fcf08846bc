#include "tools/compare/fail_effect.h"

#include "base/memory.h"
#include "fabric/load_scale.h"
#include "tools/compare/fail_lanes.h"
#include "tools/compare/fail_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail_state_clear(struct fail_state *state)
{
	struct fail_state *s = state;
	void *const all[] = {s->base, s->now, s->flow, s->reached, s->start, s->senders, s->counted, s->scale, s->load0, s->load, s->sender,
		s->receiver, s->to_first, s->to, s->path_first, s->path, s->value, s->count, s->slowness, s->other, s->other_first,
		s->other_flow, s->other_path, s->other_next, s->run_other, s->turn_first, s->turn, s->position, s->failed.node,
		s->failed.channel, (void *)s->failed.listed, s->lost, s->lost_at, s->lost_start, s->change_first, s->change_column,
		s->changed, s->member, s->mark, s->place, s->in_flow, s->waits, s->queue, s->row, s->routes_of, s->moved, s->touched,
		s->on_first, s->on, s->share, s->share_now, s->shared, s->beside};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	*s = (struct fail_state){0};
}

/* ---- the intact fabric */

/* The largest load and the sum of their squares. */
static void find_largest(const struct fail_state *s, struct fail_effect *effect)
{
	effect->largest = effect->squares = 0;
	for (uint32_t c = 0; c < s->fabric->channels; c++) {
		if (!s->counted[c] || !s->load[c])
			continue;
		double load = (double)s->load[c] * s->scale[c];
		effect->largest = fmax(effect->largest, load);
		effect->squares += load * load;
	}
}

static void find_starts(struct fail_state *s)
{
	const struct fabric *f = s->fabric;
	for (uint32_t h = 0; h < f->hosts; h++) {
		s->start[h] = routing_start_column(s->graph, h);
		if (s->start[h] != NONE)
			s->senders[s->start[h]]++;
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			s->counted[c] = s->graph->forwards[v] && s->graph->forwards[f->head[c]];
}

int fail_state_begin(struct fail_state *state, const struct routing_graph *graph, const uint32_t *reverse, const uint32_t *next,
	uint64_t runs, uint64_t seed, bool ignore_speeds, const struct fail_lanes *lanes, struct error *error)
{
	struct fail_state *s = state;
	const struct fabric *f = graph->fabric;
	size_t entries = (size_t)f->hosts * graph->columns;
	uint32_t columns = graph->columns;
	*s = (struct fail_state){.fabric = f,
		.graph = graph,
		.reverse = reverse,
		.runs = runs,
		.speeds = !ignore_speeds && fabric_speeds_differ(f),
		.one_lane = !lanes,
		.base = array_copy(next, entries, sizeof *next, error),
		.now = array_copy(next, entries, sizeof *next, error),
		.flow = array_create(entries, sizeof *s->flow, error),
		.reached = array_create(f->hosts, sizeof *s->reached, error),
		.start = array_create(f->hosts, sizeof *s->start, error),
		.senders = array_create(columns, sizeof *s->senders, error),
		.counted = array_create(f->channels, 1, error),
		.scale = load_scale_make(f, !ignore_speeds, error),
		.load0 = array_create(f->channels, sizeof *s->load0, error),
		.failed = {.node = array_create(f->nodes, 1, error),
			.channel = array_create(f->channels, 1, error),
			.listed = array_create(f->channels, sizeof *s->failed.listed, error)},
		.lost = array_create(f->hosts, 1, error),
		.lost_at = array_create(columns, sizeof *s->lost_at, error),
		.lost_start = array_create(columns, sizeof *s->lost_start, error),
		.change_first = array_create((size_t)f->hosts + 2, sizeof *s->change_first, error),
		.member = array_create(columns, sizeof *s->member, error),
		.mark = array_create(columns, sizeof *s->mark, error),
		.changed = array_create(columns, sizeof *s->changed, error),
		.place = array_create(columns, sizeof *s->place, error),
		.in_flow = array_create(columns, sizeof *s->in_flow, error),
		.waits = array_create(columns, sizeof *s->waits, error),
		.queue = array_create(columns, sizeof *s->queue, error)};
	if (error->status)
		return -1;
	find_starts(s);
	for (uint32_t d = 0; d < f->hosts; d++) {
		s->reached[d] = fail_add_tree(s, s->base, d, s->load0, s->flow + (size_t)d * columns);
		s->unreachable += f->hosts - 1 - s->reached[d];
	}
	s->load = array_copy(s->load0, f->channels, sizeof *s->load0, error);
	if (error->status)
		return -1;
	find_largest(s, &s->intact);
	if (fail_begin_rivals(s, error))
		return -1;
	return (lanes ? fail_lanes_judge(s, lanes, &s->intact.deadlock, error) : fail_begin_turns(s, error)) ||
			       fail_begin_runs(s, seed, error)
		       ? -1
		       : 0;
}

/* ---- a failure */

static void fail_channel(struct fail_state *s, uint32_t channel)
{
	uint32_t *listed = (uint32_t *)s->failed.listed;
	if (!s->failed.channel[channel])
		listed[s->failed.count++] = channel;
	s->failed.channel[channel] = true;
	if (s->reverse[channel] != NONE)
		s->failed.channel[s->reverse[channel]] = true;
}

void fail_state_break(struct fail_state *state, const uint32_t *part, uint32_t parts)
{
	struct fail_state *s = state;
	const struct fabric *f = s->fabric;
	for (uint32_t i = 0; i < parts; i++) {
		if (part[i] < f->channels) {
			fail_channel(s, part[i]);
			continue;
		}
		uint32_t v = part[i] - f->channels;
		s->failed.node[v] = true;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			fail_channel(s, c);
		for (uint32_t k = s->graph->first_in[v]; k < s->graph->first_in[v + 1]; k++)
			fail_channel(s, s->graph->in[k]);
	}
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h], left = 0;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			left += !s->failed.channel[c];
		if (!s->failed.node[v] && (left || f->first_channel[v] == f->first_channel[v + 1]))
			continue;
		s->failed.node[v] = s->lost[h] = true;
		uint32_t start = s->start[h];
		if (start != NONE && !s->lost_at[start]++)
			s->lost_start[s->lost_starts++] = start;
	}
}

static void mend(struct fail_state *s, const struct entry_changes *changes)
{
	const struct fabric *f = s->fabric;
	for (size_t i = 0; i < changes->count; i++) {
		size_t at = (size_t)changes->list[i].host * s->graph->columns + changes->list[i].column;
		s->now[at] = s->base[at];
	}
	memcpy(s->load, s->load0, f->channels * sizeof *s->load);
	memset(s->failed.node, false, f->nodes);
	memset(s->failed.channel, false, f->channels);
	memset(s->lost, false, f->hosts);
	memset(s->run_other, 0, s->runs * sizeof *s->run_other);
	fail_mend_rivals(s);
	for (uint32_t i = 0; i < s->lost_starts; i++)
		s->lost_at[s->lost_start[i]] = 0;
	for (size_t i = 0; i < s->others; i++)
		s->other[s->other_flow[i]] = 0;
	s->others = s->other_paths = 0;
	s->lost_starts = 0;
	s->failed.count = 0;
}

/* Makes the entries, and lists their columns by destination. */
static int make_changes(struct fail_state *s, const struct entry_changes *changes, struct error *error)
{
	uint32_t hosts = s->fabric->hosts;
	if (array_grow(&s->change_column, &s->change_capacity, changes->count + 1, sizeof *s->change_column, error))
		return -1;
	memset(s->change_first, 0, ((size_t)hosts + 2) * sizeof *s->change_first);
	for (size_t i = 0; i < changes->count; i++)
		s->change_first[changes->list[i].host + 2]++;
	for (uint32_t d = 0; d < hosts; d++)
		s->change_first[d + 2] += s->change_first[d + 1];
	for (size_t i = 0; i < changes->count; i++) {
		const struct entry_change *c = &changes->list[i];
		s->change_column[s->change_first[c->host + 1]++] = c->column;
		s->now[(size_t)c->host * s->graph->columns + c->column] = c->channel;
	}
	return 0;
}

int fail_state_judge(struct fail_state *state, const struct entry_changes *changes, const struct fail_lanes *lanes,
	struct fail_effect *effect, struct error *error)
{
	struct fail_state *s = state;
	*effect = (struct fail_effect){0};
	for (size_t i = 0; i < changes->count; i++)
		effect->entries += s->fabric->node_host[s->graph->node[changes->list[i].column]] == NONE;
	snprintf(effect->refusal, sizeof effect->refusal, "%.*s", (int)sizeof effect->refusal - 1, changes->refusal);
	s->new_unreachable = s->new_apart = 0;
	s->turned = false;
	if (make_changes(s, changes, error))
		return -1;
	if (array_grow(&s->other_first, &s->other_first_capacity, 2, sizeof *s->other_first, error))
		return -1;
	s->other_first[0] = 0;
	for (uint32_t d = 0; d < s->fabric->hosts && !error->status; d++) {
		effect->hosts += s->lost[d];
		bool changed = s->change_first[d] < s->change_first[d + 1];
		if ((changed || s->lost[d] || s->lost_starts) && fail_count_destination(s, d, error))
			fail_route_flows(s, d, error);
	}
	effect->unreachable = s->new_unreachable;
	effect->apart = s->new_apart;
	find_largest(s, effect);
	effect->rivals = fail_rivals(s);
	for (size_t i = 0; i < s->others; i++)
		effect->lost_flows += s->other[s->other_flow[i]] == NONE;
	const struct fail_lanes one = {0};
	if (lanes || !s->one_lane)
		fail_lanes_judge(s, lanes ? lanes : &one, &effect->deadlock, error);
	else if ((s->turned || !s->position) && fail_is_cyclic(s, s->now, NULL, error))
		effect->deadlock = DEADLOCK_POSSIBLE;
	fail_judge_runs(s, effect, error);
	mend(s, changes);
	return error->status ? -1 : 0;
}
