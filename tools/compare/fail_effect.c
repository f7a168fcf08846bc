#include "tools/compare/fail_effect.h"

#include "base/memory.h"
#include "base/statistics.h"
#include "fabric/load_scale.h"
#include "fabric/placement.h"
#include "patterns/pairs.h"
#include "tools/compare/fail_lanes.h"

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
		s->changed, s->member, s->mark, s->place, s->in_flow, s->waits, s->queue};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
	*s = (struct fail_state){0};
}

/* ---- routes */

static uint32_t entry_of(const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination)
{
	return table[(size_t)destination * s->graph->columns + column];
}

/*
 * Follows an entry: returns the column at the other end of its channel; NONE at the destination. *dead: it leads nowhere. table: base, or
 * now, which failed channels belong to.
 */
static uint32_t step(
	const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination, uint32_t *channel, bool *dead)
{
	uint32_t c = *channel = entry_of(s, table, column, destination);
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
static bool arrives(const struct fail_state *s, const uint32_t *table, uint32_t column, uint32_t destination)
{
	bool dead = false;
	uint32_t channel, length = 0;
	while (column != NONE && !dead && length++ <= s->graph->columns)
		column = step(s, table, column, destination, &channel, &dead);
	return column == NONE && !dead;
}

/* Returns the hosts, without the destination, whose routes begin at the column; lost ones do not count. */
static uint32_t senders_of(const struct fail_state *s, uint32_t column, uint32_t destination)
{
	return s->senders[column] - s->lost_at[column] - (s->start[destination] == column && !s->lost[destination]);
}

/* Adds the routes of all starts in a table to loads and, unless it is NULL, flow [columns]. Returns the hosts that have a route. */
static uint32_t add_tree(const struct fail_state *s, const uint32_t *table, uint32_t destination, uint64_t *load, uint32_t *flow)
{
	uint32_t reached = 0;
	for (uint32_t start = 0; start < s->graph->columns; start++) {
		uint32_t hosts = s->senders[start] ? senders_of(s, start, destination) : 0, channel;
		bool dead = false;
		if (!hosts || !arrives(s, table, start, destination))
			continue;
		reached += hosts;
		for (uint32_t column = start; column != NONE;) {
			uint32_t at = column;
			column = step(s, table, column, destination, &channel, &dead);
			load[channel] += hosts;
			if (flow)
				flow[at] += hosts;
		}
	}
	return reached;
}

/* ---- dependencies */

static void add_turns(struct fail_state *s, const uint32_t *table)
{
	const struct fabric *f = s->fabric;
	memset(s->turn, false, s->turn_first[f->channels]);
	for (uint32_t d = 0; d < f->hosts; d++) {
		if (s->lost[d])
			continue;
		s->epoch++;
		for (uint32_t start = 0; start < s->graph->columns; start++) {
			if (!s->senders[start] || !senders_of(s, start, d) || !arrives(s, table, start, d))
				continue;
			uint32_t before = NONE, channel;
			bool dead = false, seen = false;
			for (uint32_t column = start; column != NONE && !seen;) {
				seen = s->mark[column] == s->epoch;
				s->mark[column] = s->epoch;
				uint32_t next = step(s, table, column, d, &channel, &dead);
				if (before != NONE)
					s->turn[s->turn_first[before] + channel - f->first_channel[f->head[before]]] = true;
				before = channel;
				column = next;
			}
		}
	}
}

/*
 * Tries to put the channels of a fat tree into the order up, then down. Positions of channels that no route uses then fit, too. Returns
 * whether all dependencies keep it.
 */
static bool order_levels(const struct fail_state *s, uint32_t *position, uint32_t *level)
{
	const struct fabric *f = s->fabric;
	uint32_t far = 0;
	memset(level, 0xff, f->nodes * sizeof *level);
	for (uint32_t h = 0; h < f->hosts; h++)
		level[f->host_node[h]] = 0;
	for (bool more = true; more; far += more) {
		more = false;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && level[v] == far; c++)
				if (level[f->head[c]] == NONE) {
					level[f->head[c]] = far + 1;
					more = true;
				}
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			position[c] = level[f->head[c]] > level[v] ? level[v] : 2 * far - level[f->head[c]];
	for (uint32_t c = 0; c < f->channels; c++)
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++)
			if (s->turn[t] && position[c] >= position[f->first_channel[f->head[c]] + (t - s->turn_first[c])])
				return false;
	return true;
}

/* Puts the channels into an order that all dependencies keep: position [channels]. Returns whether there is one. */
static bool order_channels(struct fail_state *s, uint32_t *position, uint32_t *queue, uint32_t *waits)
{
	const struct fabric *f = s->fabric;
	uint32_t first = 0, last = 0;
	memset(waits, 0, f->channels * sizeof *waits);
	for (uint32_t c = 0; c < f->channels; c++)
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++)
			waits[f->first_channel[f->head[c]] + (t - s->turn_first[c])] += s->turn[t];
	for (uint32_t c = 0; c < f->channels; c++)
		if (!waits[c])
			queue[last++] = c;
	while (first < last) {
		uint32_t c = queue[first];
		position[c] = first++;
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++) {
			uint32_t next = f->first_channel[f->head[c]] + (uint32_t)(t - s->turn_first[c]);
			if (s->turn[t] && !--waits[next])
				queue[last++] = next;
		}
	}
	return last == f->channels;
}

/* Whether routes of a table can deadlock. */
static bool is_cyclic(struct fail_state *s, const uint32_t *table, uint32_t *position, struct error *error)
{
	uint32_t channels = s->fabric->channels;
	uint32_t *own = position ? position : array_create(channels, sizeof *own, error);
	uint32_t *queue = array_create(channels, sizeof *queue, error), *waits = array_create(channels, sizeof *waits, error);
	uint32_t *level = array_create(s->fabric->nodes, sizeof *level, error);
	bool cyclic = false;
	if (!error->status) {
		add_turns(s, table);
		cyclic = !(position && order_levels(s, position, level)) && !order_channels(s, own, queue, waits);
	}
	free(level);
	free(own == position ? NULL : own);
	free(queue);
	free(waits);
	return cyclic;
}

static int begin_turns(struct fail_state *s, struct error *error)
{
	const struct fabric *f = s->fabric;
	s->turn_first = array_create((size_t)f->channels + 1, sizeof *s->turn_first, error);
	for (uint32_t c = 0; c < f->channels && !error->status; c++) {
		uint32_t v = f->head[c];
		s->turn_first[c + 1] = s->turn_first[c] + (s->graph->column[v] == NONE ? 0 : f->first_channel[v + 1] - f->first_channel[v]);
	}
	s->turn = error->status ? NULL : array_create(s->turn_first[f->channels], 1, error);
	s->position = array_create(f->channels, sizeof *s->position, error);
	if (error->status)
		return -1;
	s->intact.deadlock = is_cyclic(s, s->base, s->position, error) ? DEADLOCK_POSSIBLE : DEADLOCK_NONE;
	if (s->intact.deadlock == DEADLOCK_POSSIBLE) {
		free(s->position);
		s->position = NULL;
	}
	return error->status ? -1 : 0;
}

/* ---- bisections */

/* Adds the channels of a route, from its start on, to a list. Returns whether there is a route; otherwise nothing is added. */
static bool add_path(const struct fail_state *s, const uint32_t *table, uint32_t source, uint32_t destination, uint32_t **list,
	size_t *count, size_t *capacity, struct error *error)
{
	size_t before = *count;
	uint32_t column = s->start[source], channel, length = 0;
	bool dead = column == NONE;
	while (column != NONE && !dead && !error->status && length++ <= s->graph->columns) {
		column = step(s, table, column, destination, &channel, &dead);
		if (!dead && !array_grow(list, capacity, *count + 1, sizeof **list, error))
			(*list)[(*count)++] = channel;
	}
	if (dead || column != NONE)
		*count = before;
	return !dead && column == NONE;
}

/* The channels of a flow. Returns false if it has no route. */
static bool path_of(const struct fail_state *s, size_t flow, const uint32_t **channel, uint32_t *length)
{
	uint32_t other = s->other[flow];
	if (other == NONE)
		return false;
	const uint64_t *first = other ? s->other_first + other - 1 : s->path_first + flow;
	*channel = (other ? s->other_path : s->path) + first[0];
	*length = (uint32_t)(first[1] - first[0]);
	return true;
}

/* Counts the flow on the channels of its path, or takes it away (by: -1). */
static void count_flow(const struct fail_state *s, size_t flow, uint32_t by)
{
	uint32_t *count = s->count + flow / s->flows * s->fabric->channels, length;
	const uint32_t *channel;
	if (path_of(s, flow, &channel, &length))
		for (uint32_t i = 0; i < length; i++)
			count[channel[i]] += by;
}

/* The flow on its path in the intact fabric. */
static void count_old(struct fail_state *s, size_t flow, uint32_t by)
{
	uint32_t other = s->other[flow];
	s->other[flow] = 0;
	count_flow(s, flow, by);
	s->other[flow] = other;
}

/* Returns the bandwidth of a run by its counts: the mean over its flows that have a route; NAN without any. */
static double mean_of(const struct fail_state *s, uint64_t run)
{
	const struct fabric *f = s->fabric;
	const uint32_t *count = s->count + run * f->channels, *channel;
	uint32_t length, routed = 0;
	double sum = 0;
	for (uint32_t k = 0; k < s->flows; k++) {
		size_t flow = (size_t)run * s->flows + k;
		if (!path_of(s, flow, &channel, &length))
			continue;
		uint32_t v = f->host_node[s->sender[flow]];
		double up = s->slowness[s->graph->column[v] == NONE || !length ? f->first_channel[v] : channel[0]];
		double largest = up, ends = length && s->slowness[channel[length - 1]] > up ? s->slowness[channel[length - 1]] : up;
		for (uint32_t i = 0; i < length; i++) {
			double load = count[channel[i]] * s->slowness[channel[i]];
			largest = load > largest ? load : largest;
		}
		sum += ends / largest;
		routed++;
	}
	return routed ? sum / routed : NAN;
}

/* Returns the bandwidth of a run after a failure. */
static double value_of(struct fail_state *s, uint64_t run)
{
	for (uint32_t o = s->run_other[run]; o; o = s->other_next[o - 1]) {
		count_old(s, s->other_flow[o - 1], UINT32_MAX);
		count_flow(s, s->other_flow[o - 1], 1);
	}
	double value = mean_of(s, run);
	for (uint32_t o = s->run_other[run]; o; o = s->other_next[o - 1]) {
		count_flow(s, s->other_flow[o - 1], UINT32_MAX);
		count_old(s, s->other_flow[o - 1], 1);
	}
	return value;
}

struct pair_list {
	struct sink sink;
	struct pair pairs[256];
	uint32_t *sender, *receiver, count, capacity;
	const uint32_t *host;
};

static void take_pairs(struct sink *sink)
{
	struct pair_list *l = (struct pair_list *)sink;
	for (size_t i = 0; i < sink->count && l->count < l->capacity; i++, l->count++) {
		l->sender[l->count] = l->host[sink->pairs[i].sender];
		l->receiver[l->count] = l->host[sink->pairs[i].receiver];
	}
}

/* Draws the bisections as orcs does with this seed. */
static int draw_runs(struct fail_state *s, uint64_t seed, struct error *error)
{
	const struct fabric *f = s->fabric;
	const struct pattern_request request = {.spec = "bisect", .first_ranks = -1, .seed = seed};
	struct placement placement = {0};
	struct pattern_call *call = pattern_create(&request, f->hosts, error);
	uint32_t *host = array_create(f->hosts, sizeof *host, error);
	if (!error->status && !placement_init(&placement, f, "linear_bfs", "random", 0, seed, error))
		for (uint64_t run = 0; run < s->runs && !error->status; run++) {
			struct pair_list list = {.sink = {.capacity = 256, .take = take_pairs},
				.sender = s->sender + (size_t)run * s->flows,
				.receiver = s->receiver + (size_t)run * s->flows,
				.capacity = s->flows,
				.host = host};
			list.sink.pairs = list.pairs;
			placement_run(&placement, seed, run, host);
			if (!pattern_run(call, run, error))
				pattern_level(call, 0, &list.sink);
		}
	placement_clear(&placement);
	pattern_free(call);
	free(host);
	return error->status ? -1 : 0;
}

/* Lists the flows by their receivers. */
static void list_flows(struct fail_state *s, struct error *error)
{
	size_t flows = (size_t)s->runs * s->flows;
	s->to_first = array_create((size_t)s->fabric->hosts + 2, sizeof *s->to_first, error);
	s->to = array_create(s->paths + 2 * flows, sizeof *s->to, error);
	for (size_t i = 0; i < flows && !error->status; i++)
		s->to_first[s->receiver[i] + 2] += 2 + s->path_first[i + 1] - s->path_first[i];
	for (uint32_t h = 0; h < s->fabric->hosts && !error->status; h++)
		s->to_first[h + 2] += s->to_first[h + 1];
	for (size_t i = 0; i < flows && !error->status; i++) {
		uint64_t *at = &s->to_first[s->receiver[i] + 1];
		s->to[(*at)++] = (uint32_t)i;
		s->to[(*at)++] = (uint32_t)(s->path_first[i + 1] - s->path_first[i]);
		for (uint64_t k = s->path_first[i]; k < s->path_first[i + 1]; k++)
			s->to[(*at)++] = s->graph->column[s->graph->tail[s->path[k]]];
	}
}

static int begin_runs(struct fail_state *s, uint64_t seed, struct error *error)
{
	const struct fabric *f = s->fabric;
	s->flows = f->hosts / 2;
	size_t flows = (size_t)s->runs * s->flows;
	s->sender = array_create(flows, sizeof *s->sender, error);
	s->receiver = array_create(flows, sizeof *s->receiver, error);
	s->path_first = array_create(flows + 1, sizeof *s->path_first, error);
	s->other = array_create(flows, sizeof *s->other, error);
	s->value = array_create(s->runs, sizeof *s->value, error);
	s->run_other = array_create(s->runs, sizeof *s->run_other, error);
	s->count = array_create((size_t)s->runs * f->channels, sizeof *s->count, error);
	s->slowness = array_create(f->channels, sizeof *s->slowness, error);
	if (error->status || draw_runs(s, seed, error))
		return -1;
	for (uint32_t c = 0; c < f->channels; c++)
		s->slowness[c] = s->speeds ? 1 / f->speed[c] : 1;
	for (size_t i = 0; i < flows && !error->status; i++) {
		if (!add_path(s, s->base, s->sender[i], s->receiver[i], &s->path, &s->paths, &s->path_capacity, error)) {
			s->other[i] = NONE;
			s->intact.lost_flows++;
		}
		s->path_first[i + 1] = s->paths;
		if (!error->status)
			count_flow(s, i, 1);
	}
	list_flows(s, error);
	double sum = 0;
	uint64_t routed = 0;
	for (uint64_t run = 0; run < s->runs && !error->status; run++) {
		s->value[run] = mean_of(s, run);
		if (isnan(s->value[run]))
			continue;
		sum += s->value[run];
		routed++;
	}
	s->intact.mean = routed ? sum / (double)routed : NAN;
	s->intact.difference = 0;
	return error->status ? -1 : 0;
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
		s->reached[d] = add_tree(s, s->base, d, s->load0, s->flow + (size_t)d * columns);
		s->unreachable += f->hosts - 1 - s->reached[d];
	}
	s->load = array_copy(s->load0, f->channels, sizeof *s->load0, error);
	if (error->status)
		return -1;
	find_largest(s, &s->intact);
	return (lanes ? fail_lanes_judge(s, lanes, &s->intact.deadlock, error) : begin_turns(s, error)) || begin_runs(s, seed, error) ? -1
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
			at = step(s, new ? s->now : s->base, at, destination, &channel, &dead);
		}
		if (new && (dead || at != NONE))
			return false;
	}
	return true;
}

/* Notes whether the dependency keeps the order of the intact fabric. */
static void turn(struct fail_state *s, uint32_t in, uint32_t out)
{
	s->turned |= s->position && s->position[in] >= s->position[out];
}

/* The dependencies into a channel that a column takes now, from columns outside the part. */
static void turn_others(struct fail_state *s, uint32_t column, uint32_t destination, uint32_t out)
{
	const struct routing_graph *g = s->graph;
	uint32_t v = g->node[column];
	for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++) {
		uint32_t in = g->in[k], from = g->column[g->tail[in]];
		if (from != NONE && s->mark[from] != s->epoch && entry_of(s, s->base, from, destination) == in &&
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
		if (flow[m] && (to = step(s, s->base, m, destination, &channel, &dead)) != NONE)
			s->in_flow[s->place[to]] -= flow[m];
		if (flow[m])
			s->load[channel] -= flow[m];
		dead = false;
		to = step(s, s->now, m, destination, &channel, &dead);
		if (!dead && to != NONE && s->mark[to] == s->epoch)
			s->waits[s->place[to]]++;
	}
	for (uint32_t i = 0; i < s->members; i++)
		if (!s->waits[i])
			s->queue[last++] = i;
	while (first < last) {
		uint32_t i = s->queue[first++], m = s->member[i];
		dead = false;
		uint32_t to = step(s, s->now, m, destination, &channel, &dead);
		if (dead)
			continue; /* nothing flows here */
		if (s->in_flow[i]) {
			s->load[channel] += s->in_flow[i];
			if (channel != entry_of(s, s->base, m, destination))
				turn_others(s, m, destination, channel);
		}
		if (to == NONE || s->mark[to] != s->epoch)
			continue;
		if (s->in_flow[i])
			turn(s, channel, entry_of(s, s->now, to, destination));
		s->in_flow[s->place[to]] += s->in_flow[i];
		if (!--s->waits[s->place[to]])
			s->queue[last++] = s->place[to];
	}
}

static void remove_tree(struct fail_state *s, uint32_t destination)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	for (uint32_t k = 0; k < s->graph->columns; k++)
		if (flow[k])
			s->load[entry_of(s, s->base, k, destination)] -= flow[k];
}

/* The whole tree anew. */
static void count_whole(struct fail_state *s, uint32_t destination)
{
	remove_tree(s, destination);
	uint32_t reached = add_tree(s, s->now, destination, s->load, NULL), gone = 0;
	for (uint32_t i = 0; i < s->lost_starts; i++)
		if (arrives(s, s->base, s->lost_start[i], destination))
			gone += s->lost_at[s->lost_start[i]];
	s->new_unreachable += s->reached[destination] > reached ? s->reached[destination] - reached : 0;
	s->new_apart += s->reached[destination] > reached + gone ? s->reached[destination] - reached - gone : 0;
	s->turned = true;
}

/* Counts the routes to a destination. Returns whether any may have changed. */
static bool count_destination(struct fail_state *s, uint32_t destination)
{
	const uint32_t *flow = s->flow + (size_t)destination * s->graph->columns;
	uint64_t lost = 0;
	bool whole = s->unreachable > 0;
	if (s->lost[destination]) {
		remove_tree(s, destination);
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
		return true;
	}
	if (!s->members)
		return false;
	count_part(s, destination);
	s->new_unreachable += lost;
	return true;
}

/* A flow has another route, or (path false) none. */
static int set_other(struct fail_state *s, size_t flow, bool path, struct error *error)
{
	if (array_grow(&s->other_flow, &s->other_capacity, s->others + 1, sizeof *s->other_flow, error) ||
		array_grow(&s->other_next, &s->other_next_capacity, s->others + 1, sizeof *s->other_next, error) ||
		array_grow(&s->other_first, &s->other_first_capacity, s->others + 2, sizeof *s->other_first, error))
		return -1;
	s->other_flow[s->others++] = (uint32_t)flow;
	s->other_first[s->others] = s->other_paths;
	s->other[flow] = path ? (uint32_t)s->others : NONE;
	s->other_next[s->others - 1] = s->run_other[flow / s->flows];
	s->run_other[flow / s->flows] = (uint32_t)s->others;
	return 0;
}

/* Finds the new routes of all flows to a destination. */
static int route_flows(struct fail_state *s, uint32_t destination, struct error *error)
{
	for (uint64_t at = s->to_first[destination]; at < s->to_first[destination + 1] && !error->status;) {
		uint32_t flow = s->to[at], length = s->to[at + 1], source = s->sender[flow];
		bool lost = s->lost[source] || s->lost[destination], changed = !length;
		for (uint32_t i = 0; i < length; i++)
			changed |= s->changed[s->to[at + 2 + i]] == s->epoch;
		at += 2 + length;
		if ((!lost && !changed) || s->other[flow])
			continue;
		bool routed =
			!lost && add_path(s, s->now, source, destination, &s->other_path, &s->other_paths, &s->other_path_capacity, error);
		set_other(s, flow, routed, error);
	}
	return error->status ? -1 : 0;
}

/* Compares the runs with those of the intact fabric. */
static int judge_runs(struct fail_state *s, struct fail_effect *effect, struct error *error)
{
	double sum = 0, *difference = array_create(s->runs, 2 * sizeof *difference, error);
	size_t count = 0;
	if (!difference)
		return -1;
	for (uint64_t run = 0; run < s->runs; run++) {
		double value = s->run_other[run] ? value_of(s, run) : s->value[run];
		if (isnan(value) || isnan(s->value[run]))
			continue;
		sum += value;
		difference[count++] = value - s->value[run];
	}
	effect->mean = count ? sum / (double)count : NAN;
	effect->difference = effect->low = effect->high = NAN;
	if (count) {
		memcpy(difference + s->runs, difference, count * sizeof *difference);
		sort_values(difference + s->runs, count);
		struct statistics st = statistics_of(difference, difference + s->runs, count);
		effect->difference = st.mean;
		effect->low = st.low;
		effect->high = st.high;
	}
	free(difference);
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
		if ((changed || s->lost[d] || s->lost_starts) && count_destination(s, d))
			route_flows(s, d, error);
	}
	effect->unreachable = s->new_unreachable;
	effect->apart = s->new_apart;
	find_largest(s, effect);
	for (size_t i = 0; i < s->others; i++)
		effect->lost_flows += s->other[s->other_flow[i]] == NONE;
	const struct fail_lanes one = {0};
	if (lanes || !s->one_lane)
		fail_lanes_judge(s, lanes ? lanes : &one, &effect->deadlock, error);
	else if ((s->turned || !s->position) && is_cyclic(s, s->now, NULL, error))
		effect->deadlock = DEADLOCK_POSSIBLE;
	judge_runs(s, effect, error);
	mend(s, changes);
	return error->status ? -1 : 0;
}
