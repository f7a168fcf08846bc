/*
 * Loads that are split: a pair uses all its routes at once, each for a part of its load. The congestion of a channel is the sum of the
 * parts on it, and the weight of a pair is the largest congestion of any channel that it uses, for which its slowest part waits. As for
 * whole routes, the pairs are processed twice, the second time from a buffer if they fitted.
 */
#include "base/memory.h"
#include "engines/congestion/congestion_workspace.h"

#include <math.h>
#include <string.h>

/* The sink of the pattern, with a pointer to the engine. */
struct split_sink {
	struct sink sink;
	struct congestion *engine;
};

/* Adds the load of a pair to its channels, and keeps these if there is room. */
static void count_pair(struct congestion *e, const struct pair *pair)
{
	const struct route_choice *m = e->setup.multipath;
	e->level->connections++;
	for (uint32_t i = 0; i < m->count; i++)
		e->load[m->channel[i]] += m->share[i];
	e->spilled |= e->route_used + m->count > ROUTE_BUFFER;
	if (e->spilled)
		return;
	if (array_grow(&e->route, &e->route_capacity, e->route_used + m->count, sizeof *e->route, e->error) ||
		array_grow(&e->length, &e->length_capacity, e->routes + 1, sizeof *e->length, e->error) ||
		array_grow(&e->pair, &e->pair_capacity, e->routes + 1, sizeof *e->pair, e->error)) {
		e->result = RUN_FAILED;
		return;
	}
	memcpy(e->route + e->route_used, m->channel, m->count * sizeof *e->route);
	e->route_used += m->count;
	e->pair[e->routes] = *pair;
	e->length[e->routes++] = m->count;
}

/*
 * Returns the weight of a pair with these channels, rounded to millionths: weights that differ only by the order in which parts were added
 * are then equal. Of several links of a host the fastest counts.
 */
static double weigh(struct congestion *e, const struct pair *pair, const uint32_t *channel, uint32_t count)
{
	const struct fabric *f = e->setup.fabric;
	uint32_t from = f->host_node[e->host[pair->sender]], to = f->host_node[e->host[pair->receiver]];
	double largest = 0, up = 0, down = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = channel[i];
		double here = e->setup.speed_aware ? e->load[c] / f->speed[c] : e->load[c];
		largest = here > largest ? here : largest;
		if (c >= f->first_channel[from] && c < f->first_channel[from + 1] && f->speed[c] > up)
			up = f->speed[c];
		if (f->head[c] == to && f->speed[c] > down)
			down = f->speed[c];
	}
	double weight = e->setup.speed_aware ? weigh_rate(e, largest, up < down ? up : down) : largest;
	return round(weight * 1e6) / 1e6;
}

static void note_weight(struct congestion *e, const struct pair *pair, double weight, int part)
{
	struct weighed weighed = {*pair, weight};
	if (weight > e->level->largest)
		e->level->largest = weight;
	if (histogram_add(&e->weights, weight, 1, e->error))
		e->result = RUN_FAILED;
	if (e->take)
		e->take->take(e->take->data, &weighed, 1, part);
}

static void take_split(struct sink *sink)
{
	struct congestion *e = ((struct split_sink *)sink)->engine;
	const struct route_choice *m = e->setup.multipath;
	if (*e->setup.stop && e->result == RUN_OK)
		e->result = RUN_INTERRUPTED;
	e->bad_pair = NULL;
	for (size_t i = 0; i < sink->count && e->result == RUN_OK; i++) {
		const struct pair *pair = &sink->pairs[i];
		uint32_t source = e->host[pair->sender], destination = e->host[pair->receiver];
		if (source == destination)
			continue;
		bool routed = route_choice_spread(e->setup.multipath, source, destination) >= 0;
		if (routed && e->counting)
			count_pair(e, pair);
		else if (routed)
			note_weight(e, pair, weigh(e, pair, m->channel, m->count), sink->part);
		else if (e->counting && e->setup.drop)
			e->level->unroutable++;
		else if (e->counting)
			e->bad_pair = pair;
		refuse_bad_pair(e);
	}
	sink->done = e->result != RUN_OK;
	if (!sink->part)
		e->second_part = e->routes;
}

static void emit_split(struct congestion *e, const struct pattern_call *call, bool counting)
{
	struct split_sink into = {{.pairs = e->pairs, .capacity = BLOCK, .take = take_split}, e};
	e->counting = counting;
	pattern_level(call, e->level->index, &into.sink);
}

void split_level(struct congestion *e, const struct pattern_call *call)
{
	e->routes = e->route_used = e->second_part = 0;
	e->spilled = false;
	emit_split(e, call, true);
	const uint32_t *route = e->route;
	for (size_t i = 0; !e->spilled && i < e->routes && e->result == RUN_OK; route += e->length[i++])
		note_weight(e, &e->pair[i], weigh(e, &e->pair[i], route, e->length[i]), i >= e->second_part);
	if (e->spilled && e->result == RUN_OK)
		emit_split(e, call, false);
	for (uint32_t c = 0; c < e->setup.fabric->channels; c++) {
		if (e->run_sum)
			e->run_sum[c] += (uint64_t)llround(e->load[c] * SPLIT_PARTS);
		e->load[c] = 0;
	}
}
