/* The bandwidth of fixed random bisections, of which only the flows on changed routes are counted anew. */
#include "tools/compare/fail_state.h"

#include "base/memory.h"
#include "base/statistics.h"
#include "fabric/placement.h"
#include "patterns/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the channels of a route, from its start on, to a list. Returns whether there is a route; otherwise nothing is added. */
static bool add_path(const struct fail_state *s, const uint32_t *table, uint32_t source, uint32_t destination, uint32_t **list,
	size_t *count, size_t *capacity, struct error *error)
{
	size_t before = *count;
	uint32_t column = s->start[source], channel, length = 0;
	bool dead = column == NONE;
	while (column != NONE && !dead && !error->status && length++ <= s->graph->columns) {
		column = fail_step(s, table, column, destination, &channel, &dead);
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

/* Returns the bandwidth of a flow by the counts of its run; NAN without a route. */
static double share_of(const struct fail_state *s, size_t flow)
{
	const struct fabric *f = s->fabric;
	const uint32_t *count = s->count + flow / s->flows * f->channels, *channel;
	uint32_t length, v = f->host_node[s->sender[flow]];
	if (!path_of(s, flow, &channel, &length))
		return NAN;
	double up = s->slowness[s->graph->column[v] == NONE || !length ? f->first_channel[v] : channel[0]];
	double largest = up, ends = length && s->slowness[channel[length - 1]] > up ? s->slowness[channel[length - 1]] : up;
	for (uint32_t i = 0; i < length; i++) {
		double load = count[channel[i]] * s->slowness[channel[i]];
		largest = load > largest ? load : largest;
	}
	return ends / largest;
}

/* Returns the mean of the flows that have a route; NAN without any. */
static double mean_of(const double *share, uint32_t flows)
{
	uint32_t routed = 0;
	double sum = 0;
	for (uint32_t k = 0; k < flows; k++)
		if (!isnan(share[k])) {
			sum += share[k];
			routed++;
		}
	return routed ? sum / routed : NAN;
}

/* Computes the share of a flow anew, unless that is done. */
static void share_again(struct fail_state *s, size_t flow)
{
	uint32_t k = (uint32_t)(flow % s->flows);
	if (s->shared[k] == s->share_epoch)
		return;
	s->shared[k] = s->share_epoch;
	s->share_now[k] = share_of(s, flow);
}

/* The same for all flows of the intact fabric on the channels of a path. */
static void share_beside(struct fail_state *s, uint64_t run, const uint32_t *channel, uint32_t length)
{
	const uint32_t *first = s->on_first + run * (s->fabric->channels + 1), *on = s->on + s->path_first[run * s->flows];
	for (uint32_t i = 0; i < length; i++) {
		uint32_t c = channel[i];
		if (s->beside[c] == s->share_epoch)
			continue;
		s->beside[c] = s->share_epoch;
		for (uint32_t k = first[c]; k < first[c + 1]; k++)
			share_again(s, run * s->flows + on[k]);
	}
}

/* Returns the bandwidth of a run after a failure: the shares change of the flows on the old and the new channels of those that move. */
static double value_of(struct fail_state *s, uint64_t run)
{
	const uint32_t *channel;
	uint32_t length;
	for (uint32_t o = s->run_other[run]; o; o = s->other_next[o - 1]) {
		count_old(s, s->other_flow[o - 1], UINT32_MAX);
		count_flow(s, s->other_flow[o - 1], 1);
	}
	s->share_epoch++;
	memcpy(s->share_now, s->share + run * s->flows, s->flows * sizeof *s->share);
	for (uint32_t o = s->run_other[run]; o; o = s->other_next[o - 1]) {
		size_t flow = s->other_flow[o - 1];
		share_again(s, flow);
		share_beside(s, run, s->path + s->path_first[flow], (uint32_t)(s->path_first[flow + 1] - s->path_first[flow]));
		if (path_of(s, flow, &channel, &length))
			share_beside(s, run, channel, length);
	}
	double value = mean_of(s->share_now, s->flows);
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

/* Lists the flows of each run by their channels, and finds their shares. */
static void list_shares(struct fail_state *s, struct error *error)
{
	uint32_t channels = s->fabric->channels;
	s->share = array_create((size_t)s->runs * s->flows, sizeof *s->share, error);
	s->share_now = array_create(s->flows, sizeof *s->share_now, error);
	s->shared = array_create(s->flows, sizeof *s->shared, error);
	s->beside = array_create(channels, sizeof *s->beside, error);
	s->on_first = array_create((size_t)s->runs * (channels + 1), sizeof *s->on_first, error);
	s->on = array_create(s->paths, sizeof *s->on, error);
	for (uint64_t run = 0; run < s->runs && !error->status; run++) {
		uint32_t *first = s->on_first + run * (channels + 1), *on = s->on + s->path_first[run * s->flows];
		for (uint32_t c = 0; c < channels; c++)
			first[c + 1] = first[c] + s->count[run * channels + c];
		for (size_t flow = (size_t)(run + 1) * s->flows; flow-- > run * s->flows;) {
			s->share[flow] = share_of(s, flow);
			for (uint64_t i = s->path_first[flow]; i < s->path_first[flow + 1]; i++)
				on[--first[s->path[i] + 1]] = (uint32_t)(flow % s->flows);
		}
		memmove(first, first + 1, channels * sizeof *first); /* now first[c + 1] is where c begins */
		first[channels] = (uint32_t)(s->path_first[(run + 1) * s->flows] - s->path_first[run * s->flows]);
	}
}

int fail_begin_runs(struct fail_state *s, uint64_t seed, struct error *error)
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
	list_shares(s, error);
	double sum = 0;
	uint64_t routed = 0;
	for (uint64_t run = 0; run < s->runs && !error->status; run++) {
		s->value[run] = mean_of(s->share + run * s->flows, s->flows);
		if (isnan(s->value[run]))
			continue;
		sum += s->value[run];
		routed++;
	}
	s->intact.mean = routed ? sum / (double)routed : NAN;
	s->intact.difference = 0;
	return error->status ? -1 : 0;
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

int fail_route_flows(struct fail_state *s, uint32_t destination, struct error *error)
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

int fail_judge_runs(struct fail_state *s, struct fail_effect *effect, struct error *error)
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
