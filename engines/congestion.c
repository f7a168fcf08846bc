/*
 * Two passes over a level's pairs. The first finds each route, counts its channels and keeps it; the second takes the maximum over the
 * counts of each kept route. When a level's routes do not fit into the buffer (all pairs of a large fabric), or need not be kept (many
 * senders to one receiver), the second pass lets the pattern emit the pairs again, as the paper does.
 */
#include "congestion_workspace.h"

#include <stdlib.h>
#include <string.h>

enum { FUNNEL_LEAST = 128 }; /* pairs with one receiver that are worth a way of their own */

/* The sink of the pattern, which must find its way back to the engine. */
struct engine_sink {
	struct sink sink;
	struct congestion *engine;
};

struct congestion *congestion_create(const struct congestion_setup *setup, struct error *error)
{
	struct congestion *e = array_create(1, sizeof *e, error);
	if (!e)
		return NULL;
	e->setup = *setup;
	size_t counters = (size_t)setup->fabric->channels + PATH_BLANKS;
	e->count = array_create(counters, sizeof *e->count, error);
	e->lane_channels = array_create((size_t)LANES * setup->fabric->nodes, sizeof *e->lane_channels, error);
	for (int l = 0; e->lane_channels && l < LANES; l++)
		e->lane[l].channels = e->lane_channels + (size_t)l * setup->fabric->nodes;
	uint32_t starts = setup->paths ? setup->paths->starts : 0;
	e->funnel.senders = array_create(starts, sizeof *e->funnel.senders, error);
	e->funnel.weight = array_create(starts, sizeof *e->funnel.weight, error);
	e->funnel.start = array_create((size_t)starts + 1, sizeof *e->funnel.start, error);
	if (setup->sum_channels) {
		e->run_sum = array_create(counters, sizeof *e->run_sum, error);
		e->sum = array_create(counters, sizeof *e->sum, error);
	}
	bool equal = true;
	for (uint32_t c = 0; c < setup->fabric->channels; c++)
		equal &= setup->fabric->speed[c] == 1;
	e->setup.speed_aware &= !equal;
	if (!histogram_init(&e->weights, error) && !error->status)
		return e;
	congestion_free(e);
	return NULL;
}

void congestion_free(struct congestion *engine)
{
	if (!engine)
		return;
	histogram_clear(&engine->weights);
	free(engine->funnel.senders);
	free(engine->funnel.weight);
	free(engine->funnel.start);
	free(engine->lane_channels);
	free(engine->count);
	free(engine->run_sum);
	free(engine->sum);
	free(engine->route);
	free(engine->record);
	free(engine);
}

/* The largest congestion on a route. */
static inline double weigh_route(const struct congestion *e, const uint32_t *route, uint32_t length, bool speeds)
{
	if (!speeds) {
		uint32_t largest = 0;
		for (uint32_t hop = 0; hop < length; hop++)
			if (e->count[route[hop]] > largest)
				largest = e->count[route[hop]];
		return largest;
	}
	double largest = 0;
	for (uint32_t hop = 0; hop < length; hop++) {
		if (route[hop] >= e->setup.fabric->channels)
			continue; /* a blank */
		double share = e->count[route[hop]] / e->setup.fabric->speed[route[hop]];
		if (share > largest)
			largest = share;
	}
	return largest;
}

/* The same for routes of one length, counted in two small histograms in turn: as few weights occur, one would wait for itself. */
static inline __attribute__((always_inline)) void weigh_alike(struct congestion *e, size_t length)
{
	enum { SMALL = 64 };
	uint32_t seen[2][SMALL] = {{0}}, most = 0;
	const uint32_t *route = e->route, *count = e->count;
	for (size_t i = 0; i < e->records; i++, route += length) {
		uint32_t largest = 0;
		for (size_t k = 0; k < length; k++)
			largest = count[route[k]] > largest ? count[route[k]] : largest;
		if (largest < SMALL)
			seen[i & 1][largest]++;
		else if (histogram_add_one(&e->weights, largest, e->error))
			e->result = CONGESTION_FAILED;
		most = largest > most ? largest : most;
	}
	for (uint32_t weight = 0; weight < SMALL; weight++)
		if (seen[0][weight] + seen[1][weight] &&
			histogram_add(&e->weights, weight, (uint64_t)seen[0][weight] + seen[1][weight], e->error))
			e->result = CONGESTION_FAILED;
	e->level->largest = most;
}

/* Weighs the records from..to-1, all of one part, whose channels begin at route. Returns where the next ones begin. */
static const uint32_t *weigh_records(struct congestion *e, size_t from, size_t to, const uint32_t *route, int part)
{
	while (from < to && e->result == CONGESTION_FINE) {
		size_t count = to - from < BLOCK ? to - from : BLOCK;
		for (size_t i = 0; i < count; i++) {
			const struct record *record = &e->record[from + i];
			double weight = weigh_route(e, route, record->length, e->setup.speed_aware);
			route += record->length;
			e->weighed[i] = (struct weighed){record->pair, weight};
			if (weight > e->level->largest)
				e->level->largest = weight;
			int failed = e->setup.speed_aware ? histogram_add(&e->weights, weight, 1, e->error)
							  : histogram_add_one(&e->weights, (uint32_t)weight, e->error);
			if (failed)
				e->result = CONGESTION_FAILED;
		}
		if (e->take)
			e->take->take(e->take->data, e->weighed, count, part);
		from += count;
	}
	return route;
}

/* Weighs all routes of a level that fitted into the buffer. */
static void weigh_level(struct congestion *e)
{
	size_t length = e->alike && e->records ? e->route_used / e->records : 0;
	if (length && !e->take && !e->setup.speed_aware) {
		if (length == 6)
			weigh_alike(e, 6);
		else
			weigh_alike(e, length);
		return;
	}
	const uint32_t *route = weigh_records(e, 0, e->second_part, e->route, 0);
	weigh_records(e, e->second_part, e->records, route, 1);
}

static void take_others(struct congestion *e, const struct pair *pairs, size_t count, int part)
{
	route_block(e, pairs, count);
	if (e->counting) {
		e->spilled |= e->route_used > ROUTE_BUFFER;
		if (!part)
			e->second_part = e->records;
		if (!e->spilled)
			return;
		e->level->connections += e->records;
	} else {
		weigh_records(e, 0, e->records, e->route, part);
	}
	e->records = 0;
	e->route_used = 0;
}

/* How many pairs from here on have one receiver. */
static size_t same_receiver(const struct pair *pairs, size_t count)
{
	size_t same = 1;
	while (same < count && pairs[same].receiver == pairs[0].receiver)
		same++;
	return same;
}

static void take_pairs(struct sink *sink)
{
	struct congestion *e = ((struct engine_sink *)sink)->engine;
	const struct pair *pairs = sink->pairs, *end = pairs + sink->count;
	bool funnels = e->setup.paths && !e->take && !e->setup.speed_aware;
	if (*e->setup.stop && e->result == CONGESTION_FINE)
		e->result = CONGESTION_INTERRUPTED;
	while (pairs < end && e->result == CONGESTION_FINE) {
		size_t same = funnels ? same_receiver(pairs, (size_t)(end - pairs)) : 0, others = 0;
		if (same >= FUNNEL_LEAST && funnel_take(e, pairs, same)) {
			pairs += same;
			continue;
		}
		for (others = same; funnels && pairs + others < end; others += same) {
			same = same_receiver(pairs + others, (size_t)(end - pairs) - others);
			if (same >= FUNNEL_LEAST)
				break;
		}
		if (!funnels)
			others = (size_t)(end - pairs);
		take_others(e, pairs, others, sink->part);
		pairs += others;
	}
}

static void emit_level(struct congestion *e, const struct pattern_call *call, bool counting)
{
	struct engine_sink into = {{.pairs = e->pairs, .capacity = BLOCK, .take = take_pairs}, e};
	e->counting = counting;
	e->records = e->route_used = e->second_part = 0;
	pattern_level(call, e->level->index, &into.sink);
}

/* Sets the counts back to 0, adding them to the run's sums. Few routes: along them; many: all channels. */
static void drain_counts(struct congestion *e)
{
	uint32_t channels = e->setup.fabric->channels;
	if (!e->spilled && e->route_used < channels / 4) {
		for (size_t i = 0; i < e->route_used; i++) {
			e->count[e->route[i]] = 0;
			if (e->run_sum)
				e->run_sum[e->route[i]]++;
		}
		return;
	}
	for (uint32_t c = 0; e->run_sum && c < channels; c++)
		e->run_sum[c] += e->count[c];
	memset(e->count, 0, channels * sizeof *e->count);
}

enum congestion_result congestion_level(struct congestion *e, const struct pattern_call *call, uint64_t index, const uint32_t *host,
	struct level *level, const struct pair_taker *take, struct error *error)
{
	histogram_reset(&e->weights);
	*level = (struct level){.index = index, .weights = &e->weights};
	e->host = host;
	e->take = take;
	e->level = level;
	e->error = error;
	e->spilled = false;
	e->alike = e->setup.paths != NULL;
	e->result = CONGESTION_FINE;
	emit_level(e, call, true);
	memset(e->count + e->setup.fabric->channels, 0, PATH_BLANKS * sizeof *e->count);
	if (e->spilled) {
		emit_level(e, call, false);
	} else {
		level->connections = e->records;
		weigh_level(e);
	}
	drain_counts(e);
	return e->result;
}

void congestion_bad_pair(const struct congestion *engine, uint32_t *source, uint32_t *destination)
{
	*source = engine->bad_source;
	*destination = engine->bad_destination;
}

void congestion_keep_run(struct congestion *engine)
{
	for (uint32_t c = 0; engine->sum && c < engine->setup.fabric->channels; c++) {
		engine->sum[c] += engine->run_sum[c];
		engine->run_sum[c] = 0;
	}
}

void congestion_drop_run(struct congestion *engine)
{
	if (engine->run_sum)
		memset(engine->run_sum, 0, engine->setup.fabric->channels * sizeof *engine->run_sum);
}

uint64_t *congestion_channel_sum(struct congestion *engine)
{
	return engine->sum;
}
