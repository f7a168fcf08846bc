/*
 * Each level's pairs are processed in two passes. The first finds each route, counts its channels and keeps it; the second takes the
 * maximum over the counts of each kept route. If a level's routes do not fit into the buffer (all pairs of a large fabric), or need not be
 * kept (many senders to one receiver), the pattern emits the pairs again for the second pass, as in the paper.
 */
#include "base/memory.h"
#include "engines/congestion/congestion_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The incast code processes pairs with one receiver if there are at least INCAST_LEAST, and one for every INCAST_SHARE starts. */
enum { INCAST_LEAST = 128, INCAST_SHARE = 8 };

/* The sink of the pattern, with a pointer to the engine. */
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
	size_t counters = (size_t)setup->fabric->channels + ROUTE_CACHE_BLANKS;
	e->count = block_create(counters * sizeof(uint32_t), error);
	if (e->count)
		memset(e->count, 0, counters * sizeof(uint32_t));
	e->lane_channels = array_create((size_t)LANES * setup->fabric->nodes, sizeof *e->lane_channels, error);
	for (int l = 0; e->lane_channels && l < LANES; l++)
		e->lane[l].channels = e->lane_channels + (size_t)l * setup->fabric->nodes;
	uint32_t starts = setup->route_cache ? setup->route_cache->starts : 0;
	e->incast_least = starts / INCAST_SHARE > INCAST_LEAST ? starts / INCAST_SHARE : INCAST_LEAST;
	e->incast.senders = array_create(starts, sizeof *e->incast.senders, error);
	e->incast.row = array_create(
		starts && setup->route_cache->tree ? (size_t)starts * setup->route_cache->inner : 0, sizeof *e->incast.row, error);
	e->incast.weight = array_create(starts, sizeof *e->incast.weight, error);
	if (setup->multipath && setup->multipath->setup.mode == MULTIPATH_SPLIT)
		e->load = array_create(setup->fabric->channels, sizeof *e->load, error);
	if (setup->sum_channels) {
		e->run_sum = array_create(counters, sizeof *e->run_sum, error);
		e->sum = array_create(counters, sizeof *e->sum, error);
	}
	e->setup.speed_aware &= fabric_speeds_differ(setup->fabric);
	e->far = setup->fabric->channels > COUNTERS_NEAR;
	if (!histogram_init(&e->weights, error) && !histogram_init(&e->rates, error) && !error->status)
		return e;
	congestion_free(e);
	return NULL;
}

void congestion_free(struct congestion *engine)
{
	if (!engine)
		return;
	histogram_clear(&engine->weights);
	histogram_clear(&engine->rates);
	free(engine->incast.start);
	free(engine->incast.first);
	free(engine->incast.row);
	free(engine->incast.sent);
	free(engine->incast.senders);
	free(engine->incast.weight);
	free(engine->lane_channels);
	free(engine->load);
	free(engine->count);
	free(engine->run_sum);
	free(engine->sum);
	free(engine->route);
	free(engine->length);
	free(engine->pair);
	free(engine);
}

double weigh_rate(struct congestion *e, double load, double own)
{
	double weight = round(load * own * 1e9) / 1e9;
	if (histogram_add(&e->rates, own * e->setup.fabric->slowest / weight, 1, e->error))
		e->result = RUN_FAILED;
	return weight;
}

/* Returns the weight of a route; its ends, if they are left out, are used once. */
static inline double weigh_route(struct congestion *e, const uint32_t *route, uint32_t length)
{
	if (!e->setup.speed_aware) {
		uint32_t largest = !e->ends;
		for (uint32_t hop = 0; hop < length; hop++) {
			uint32_t here = count_of(e, e->narrow, route[hop]);
			largest = here > largest ? here : largest;
		}
		return largest;
	}
	const double *speed = e->setup.fabric->speed;
	double largest = 0, up = 0, down = 0;
	for (uint32_t hop = 0; hop < length; hop++) {
		if (route[hop] >= e->setup.fabric->channels)
			continue; /* a blank */
		down = speed[route[hop]];
		up = up > 0 ? up : down;
		double load = count_of(e, e->narrow, route[hop]) / down;
		if (load > largest)
			largest = load;
	}
	return weigh_rate(e, largest, up < down ? up : down);
}

/*
 * Weighs routes of one length, counted in several small histograms in turn: few weights occur, so a single histogram would stall on itself.
 */
static inline __attribute__((always_inline)) void weigh_alike(struct congestion *e, size_t length, uint32_t least, bool narrow)
{
	enum { SMALL = 64, TURNS = 2 };
	uint32_t seen[TURNS][SMALL] = {{0}}, most = 0;
	const uint32_t *route = e->route;
	for (size_t i = 0; i < e->routes; i++, route += length) {
		uint32_t largest = least;
		for (size_t k = 0; k < length; k++) {
			uint32_t here = count_of(e, narrow, route[k]);
			largest = here > largest ? here : largest;
		}
		if (largest < SMALL)
			seen[i % TURNS][largest]++;
		else if (histogram_add_one(&e->weights, largest, e->error))
			e->result = RUN_FAILED;
		most = largest > most ? largest : most;
	}
	for (uint32_t weight = 0; weight < SMALL; weight++) {
		uint64_t times = 0;
		for (int turn = 0; turn < TURNS; turn++)
			times += seen[turn][weight];
		if (times && histogram_add(&e->weights, weight, times, e->error))
			e->result = RUN_FAILED;
	}
	e->level->largest = most;
}

/* Weighs the routes from..to-1 of the buffer, all of one part, whose channels begin at route. Returns where the next ones begin. */
static const uint32_t *weigh_routes(struct congestion *e, size_t from, size_t to, const uint32_t *route, int part)
{
	const uint32_t *end = e->route + e->route_used, *asked = route;
	while (from < to && e->result == RUN_OK) {
		size_t count = to - from < BLOCK ? to - from : BLOCK;
		for (size_t i = 0; i < count; i++) {
			uint32_t length = e->alike ? e->alike : e->length[from + i];
			for (; e->far && asked < end && asked < route + CHANNELS_AHEAD; asked++)
				count_prefetch(e, *asked);
			double weight = weigh_route(e, route, length);
			route += length;
			if (e->take)
				e->weighed[i] = (struct weighed){e->pair[from + i], weight};
			if (weight > e->level->largest)
				e->level->largest = weight;
			int failed = e->setup.speed_aware ? histogram_add(&e->weights, weight, 1, e->error)
							  : histogram_add_one(&e->weights, (uint32_t)weight, e->error);
			if (failed)
				e->result = RUN_FAILED;
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
	if (e->alike && !e->take && !e->setup.speed_aware) {
		if (e->alike == 4 && e->narrow && !e->ends)
			weigh_alike(e, 4, 1, true);
		else if (e->narrow)
			weigh_alike(e, e->alike, !e->ends, true);
		else
			weigh_alike(e, e->alike, !e->ends, false);
		return;
	}
	const uint32_t *route = weigh_routes(e, 0, e->second_part, e->route, 0);
	weigh_routes(e, e->second_part, e->routes, route, 1);
}

static void take_others(struct congestion *e, const struct pair *pairs, size_t count, int part)
{
	route_block(e, pairs, count);
	if (e->counting) {
		e->spilled |= e->route_used > ROUTE_BUFFER;
		if (!part)
			e->second_part = e->routes;
		if (!e->spilled)
			return;
		e->level->connections += e->routes;
	} else {
		weigh_routes(e, 0, e->routes, e->route, part);
	}
	e->routes = 0;
	e->route_used = 0;
}

/* Returns the number of pairs from here on with one receiver; several are compared at once. */
static size_t same_receiver(const struct pair *pairs, size_t count)
{
	enum { STEP = 16 };
	uint32_t receiver = pairs[0].receiver, differ = 0;
	size_t same = 0;
	for (; same + STEP <= count; same += STEP) {
		for (size_t i = 0; i < STEP; i++)
			differ |= pairs[same + i].receiver ^ receiver;
		if (differ)
			break;
	}
	while (same < count && pairs[same].receiver == receiver)
		same++;
	return same;
}

static void take_pairs(struct sink *sink)
{
	struct congestion *e = ((struct engine_sink *)sink)->engine;
	const struct pair *pairs = sink->pairs, *end = pairs + sink->count;
	if (*e->setup.stop && e->result == RUN_OK)
		e->result = RUN_INTERRUPTED;
	if (e->narrow && e->wide)
		return; /* the level will be run again */
	while (pairs < end && e->result == RUN_OK) {
		size_t same = e->funnels ? same_receiver(pairs, (size_t)(end - pairs)) : 0, others = 0;
		if (same >= e->incast_least && incast_take(e, pairs, same)) {
			pairs += same;
			continue;
		}
		for (others = same; e->funnels && pairs + others < end; others += same) {
			same = same_receiver(pairs + others, (size_t)(end - pairs) - others);
			if (same >= e->incast_least)
				break;
		}
		if (!e->funnels)
			others = (size_t)(end - pairs);
		take_others(e, pairs, others, sink->part);
		pairs += others;
	}
	sink->done = e->result != RUN_OK;
}

static void emit_level(struct congestion *e, const struct pattern_call *call, bool counting)
{
	struct engine_sink into = {{.pairs = e->pairs, .capacity = BLOCK, .take = take_pairs}, e};
	e->counting = counting;
	e->alike = e->setup.route_cache ? e->setup.route_cache->inner + (e->ends ? 2 : 0) : 0;
	e->routes = e->route_used = e->second_part = 0;
	pattern_level(call, e->level->index, &into.sink);
	if (e->funnels)
		incast_end(e);
}

/* Sets the counts back to 0, from this one on. */
static void clear_counts(struct congestion *e, uint32_t from, uint32_t to)
{
	size_t width = e->narrow ? sizeof(uint16_t) : sizeof(uint32_t);
	memset((char *)e->count + from * width, 0, (to - from) * width);
}

/* Sets the counts back to 0 and adds them to the run's sums: along the routes if these are few, otherwise over all channels. */
static void drain_counts(struct congestion *e)
{
	uint32_t channels = e->setup.fabric->channels;
	if (!e->spilled && e->route_used < channels / 4) {
		for (size_t i = 0; i < e->route_used; i++) {
			count_add(e, e->narrow, e->route[i], (uint32_t)-1);
			if (e->run_sum)
				e->run_sum[e->route[i]]++;
		}
		clear_counts(e, channels, channels + ROUTE_CACHE_BLANKS);
		return;
	}
	for (uint32_t c = 0; e->run_sum && c < channels; c++)
		e->run_sum[c] += count_of(e, e->narrow, c);
	clear_counts(e, 0, channels);
}

static void sum_counts(struct congestion *e)
{
	double *sums = e->level->sums;
	for (uint32_t c = 0; e->setup.routes && c < e->setup.fabric->channels; c++) {
		double count = count_of(e, e->narrow, c);
		sums[0] += count;
		sums[1] += count * e->setup.routes[c];
		sums[2] += count * count;
	}
}

/* Returns whether the first and the last channel of a route are known to be used by its hosts only. */
static bool own_ends(const struct congestion_setup *setup)
{
	const struct routing_function *function = setup->multipath ? NULL : setup->forwarding->function;
	return setup->route_cache ? setup->route_cache->own_ends : function && function->own_ends;
}

enum run_status congestion_level(struct congestion *e, const struct pattern_call *call, uint64_t index, const uint32_t *host,
	struct level *level, const struct pair_taker *take, struct error *error)
{
	uint32_t channels = e->setup.fabric->channels;
	bool once = pattern_partial_permutation(call) && !e->setup.oversubscribed;
	histogram_reset(&e->weights);
	histogram_reset(&e->rates);
	const struct histogram *rates = e->setup.speed_aware ? &e->rates : NULL;
	e->host = host;
	e->ranks = call->ranks;
	e->take = take;
	e->level = level;
	e->error = error;
	e->ends = !once || !own_ends(&e->setup) || e->setup.speed_aware || e->run_sum || e->setup.routes;
	e->funnels = !once && !e->setup.oversubscribed && e->setup.route_cache && !take && !e->setup.speed_aware;
	e->result = RUN_OK;
	if (e->load) {
		*level = (struct level){.index = index, .weights = &e->weights, .rates = rates};
		split_level(e, call);
		return e->result;
	}
	do {
		if (e->narrow && e->wide)
			clear_counts(e, 0, channels + ROUTE_CACHE_BLANKS);
		*level = (struct level){.index = index, .weights = &e->weights, .rates = rates};
		e->spilled = false;
		e->narrow = once && !e->wide;
		emit_level(e, call, true);
	} while (e->narrow && e->wide);
	clear_counts(e, channels, channels + ROUTE_CACHE_BLANKS);
	sum_counts(e);
	if (e->spilled) {
		emit_level(e, call, false);
	} else {
		level->connections = e->routes;
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

double congestion_channel_unit(const struct route_choice *multipath)
{
	return multipath && multipath->setup.mode == MULTIPATH_SPLIT ? 1 / SPLIT_PARTS : 1;
}

uint64_t *congestion_channel_sum(struct congestion *engine)
{
	return engine->sum;
}
