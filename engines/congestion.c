/*
 * Two passes over a level's pairs. The first walks each route, counts its channels and keeps it; the second takes the maximum over the
 * counts of each kept route. When a level's routes do not fit into the buffer (all pairs of a large fabric), the second pass lets the
 * pattern emit the pairs again and walks them again, as the paper does.
 */
#include "congestion.h"

#include "routes.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, LANES = 16, AHEAD = 24, FUNNEL_LEAST = 128, ROUTE_BUFFER = 1 << 24 };

/* A routed pair; its channels stand in the buffer one after another. */
struct record {
	struct pair pair;
	uint32_t length;
};

/* A block of pairs with one receiver. */
struct funnel {
	uint32_t *senders; /* [starts] how many of the block begin there; all 0 between blocks */
	uint32_t *weight;  /* [starts] the largest congestion behind the first channel */
	uint32_t *start;   /* [starts + 1] those that occur */
	uint32_t starts;
};

struct congestion {
	struct congestion_setup setup;
	uint32_t *count;   /* [channels] of the level */
	uint64_t *run_sum; /* [channels] of the run */
	uint64_t *sum;     /* [channels] of all runs kept */
	uint32_t *route;   /* [route_capacity] channels */
	size_t route_used, route_capacity;
	struct record *record; /* [record_capacity] */
	size_t records, record_capacity;
	size_t second_part; /* records from here on are of part 1 */
	struct histogram weights;
	struct walk lane[LANES];
	uint32_t *lane_channels; /* [LANES][nodes] */
	struct pair pairs[BLOCK];
	struct weighed weighed[BLOCK];

	/* of the level being run */
	const uint32_t *host;
	const struct pair_taker *take;
	struct level *level;
	bool counting; /* first pass */
	bool spilled;  /* the routes did not fit */
	bool alike;    /* all routes are entries of the table, of one length */
	enum congestion_result result;
	struct error *error;
	struct funnel funnel;
	const struct pair *bad_pair; /* of the block, the first without a route */
	uint32_t bad_source, bad_destination;
};

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

/* Appends a route that has ended to the buffer, and counts it in the first pass; or notes that there is none. */
static void end_route(struct congestion *e, const struct pair *pair, const struct walk *walk, int ending)
{
	if (ending != ROUTE_ARRIVED) {
		e->level->unroutable += e->counting;
		if (!e->setup.drop && (!e->bad_pair || pair < e->bad_pair))
			e->bad_pair = pair;
		return;
	}
	if (array_grow(&e->route, &e->route_capacity, e->route_used + walk->length, sizeof *e->route, e->error)) {
		e->result = CONGESTION_FAILED;
		return;
	}
	uint32_t *route = e->route + e->route_used;
	for (uint32_t hop = 0; hop < walk->length; hop++) {
		route[hop] = walk->channels[hop];
		e->count[route[hop]] += e->counting;
	}
	e->record[e->records++] = (struct record){*pair, walk->length};
	e->route_used += walk->length;
}

/* After a block: a pair without a route ends it all. The first counts, whichever way the routes are found. */
static void refuse_bad_pair(struct congestion *e)
{
	if (!e->bad_pair)
		return;
	e->bad_source = e->host[e->bad_pair->sender];
	e->bad_destination = e->host[e->bad_pair->receiver];
	e->result = CONGESTION_UNROUTABLE;
}

/* Starts the next pair of the block that needs the network. Returns whether there was one. */
static bool start_route(struct congestion *e, struct walk *walk, const struct pair *pairs, size_t *next, size_t count, size_t *pair)
{
	while (*next < count && !e->bad_pair) {
		*pair = (*next)++;
		uint32_t source = e->host[pairs[*pair].sender], destination = e->host[pairs[*pair].receiver];
		if (source != destination) {
			walk_start(walk, e->setup.fabric, e->setup.forwarding, source, destination);
			return true;
		}
	}
	return false;
}

/* Walks the routes of a block of pairs, LANES at a time: the walks wait for memory nearly always, so they had better wait together. */
static void walk_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	size_t next = 0, pair[LANES];
	int lanes = 0;
	if (array_grow(&e->record, &e->record_capacity, e->records + count, sizeof *e->record, e->error))
		e->result = CONGESTION_FAILED;
	while (lanes < LANES && start_route(e, &e->lane[lanes], pairs, &next, count, &pair[lanes]))
		lanes++;
	while (lanes && e->result == CONGESTION_FINE) {
		for (int l = 0; l < lanes; l++) {
			int ending = walk_step(&e->lane[l], e->setup.fabric, e->setup.forwarding);
			if (ending == ROUTE_GOES_ON)
				continue;
			end_route(e, &pairs[pair[l]], &e->lane[l], ending);
			if (start_route(e, &e->lane[l], pairs, &next, count, &pair[l]))
				continue;
			struct walk ended = e->lane[l]; /* the last lane moves here, and takes its step in the next round */
			e->lane[l] = e->lane[--lanes];
			e->lane[lanes] = ended;
			pair[l] = pair[lanes];
		}
	}
}

/* One route alone; there is room for its record. */
static void walk_pair(struct congestion *e, const struct pair *pair)
{
	struct walk *walk = &e->lane[0];
	int ending = ROUTE_GOES_ON;
	walk_start(walk, e->setup.fabric, e->setup.forwarding, e->host[pair->sender], e->host[pair->receiver]);
	while (ending == ROUTE_GOES_ON)
		ending = walk_step(walk, e->setup.fabric, e->setup.forwarding);
	end_route(e, pair, walk, ending);
}

/* Looks the routes of a block of pairs up, each a fixed number of channels; those that the table does not hold are walked. */
static inline __attribute__((always_inline)) void look_up_block(
	struct congestion *e, const struct pair *pairs, size_t count, uint32_t inner)
{
	const struct paths *paths = e->setup.paths;
	const uint32_t *host = e->host, *entry[BLOCK + AHEAD];
	uint32_t *counts = e->count;
	size_t length = inner + 2;
	if (array_grow(&e->record, &e->record_capacity, e->records + count, sizeof *e->record, e->error) ||
		array_grow(&e->route, &e->route_capacity, e->route_used + count * length, sizeof *e->route, e->error))
		e->result = CONGESTION_FAILED;
	if (e->result != CONGESTION_FINE)
		return;
	for (size_t i = 0; i < count + AHEAD && !e->bad_pair; i++) {
		if (i < count) {
			uint32_t source = host[pairs[i].sender], destination = host[pairs[i].receiver];
			entry[i] = source == destination ? NULL : paths_entry(paths, source, destination);
			__builtin_prefetch(entry[i]);
		}
		if (i < AHEAD || !entry[i - AHEAD])
			continue;
		const struct pair *pair = &pairs[i - AHEAD];
		const uint32_t *from = entry[i - AHEAD];
		if (from[0] >= PATH_LONG) {
			e->alike = false;
			walk_pair(e, pair);
			continue;
		}
		uint32_t *route = e->route + e->route_used;
		for (uint32_t k = 0; k < inner; k++)
			route[k] = from[k];
		route[inner] = paths->end[host[pair->sender]].first;
		route[inner + 1] = paths->end[host[pair->receiver]].last;
		if (e->counting)
			for (uint32_t k = 0; k < length; k++)
				counts[route[k]]++;
		e->record[e->records++] = (struct record){*pair, (uint32_t)length};
		e->route_used += length;
	}
}

static void route_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	e->bad_pair = NULL;
	if (!e->setup.paths)
		walk_block(e, pairs, count);
	else if (e->setup.paths->inner == 4)
		look_up_block(e, pairs, count, 4);
	else
		look_up_block(e, pairs, count, e->setup.paths->inner);
	refuse_bad_pair(e);
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

/* ---- many senders, one receiver: what lies behind their first channels is looked at once for each start */

/* Whether the table holds all routes of pairs with one receiver; then funnel tells what starts occur, until clear_funnel(). */
static bool is_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host;
	uint32_t destination = host[pairs[0].receiver], *senders = e->funnel.senders, *list = e->funnel.start, starts = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender], start = end[source].start;
		list[starts] = start;
		starts += !senders[start] && source != destination;
		senders[start] += source != destination;
	}
	e->funnel.starts = starts;
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	bool held = true;
	for (uint32_t i = 0; i < starts; i++)
		held &= row[(size_t)list[i] * paths->inner] < PATH_LONG;
	return held;
}

static void clear_funnel(struct congestion *e)
{
	for (uint32_t i = 0; i < e->funnel.starts; i++)
		e->funnel.senders[e->funnel.start[i]] = 0;
	e->funnel.starts = 0;
}

static void count_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	const struct funnel *f = &e->funnel;
	uint32_t destination = e->host[pairs[0].receiver], routed = 0;
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	for (uint32_t i = 0; i < f->starts; i++) {
		uint32_t start = f->start[i];
		for (uint32_t k = 0; k < paths->inner; k++)
			e->count[row[(size_t)start * paths->inner + k]] += f->senders[start];
		routed += f->senders[start];
	}
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host;
	uint32_t *counts = e->count;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender];
		counts[end[source].first] += source != destination;
	}
	counts[end[destination].last] += routed;
	e->level->connections += routed;
}

static void weigh_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	struct funnel *f = &e->funnel;
	uint32_t destination = e->host[pairs[0].receiver], last = e->count[paths->end[destination].last];
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	for (uint32_t i = 0; i < f->starts; i++) {
		uint32_t start = f->start[i], largest = last;
		for (uint32_t k = 0; k < paths->inner; k++) {
			uint32_t here = e->count[row[(size_t)start * paths->inner + k]];
			largest = here > largest ? here : largest;
		}
		f->weight[start] = largest;
	}
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host, *counts = e->count, *behind = f->weight;
	uint32_t same = 0, weight = 0, most = 0; /* neighbours often weigh the same */
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender], first = counts[end[source].first], then = behind[end[source].start];
		if (source == destination)
			continue;
		uint32_t now = first > then ? first : then;
		if (now != weight) {
			if (same && histogram_add(&e->weights, weight, same, e->error))
				e->result = CONGESTION_FAILED;
			same = 0;
			weight = now;
			most = now > most ? now : most;
		}
		same++;
	}
	if (same && histogram_add(&e->weights, weight, same, e->error))
		e->result = CONGESTION_FAILED;
	if (most > e->level->largest)
		e->level->largest = most;
}

/* Deals with pairs of one receiver. Returns false where it cannot. */
static bool take_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	bool funnel = is_funnel(e, pairs, count);
	if (funnel && e->counting)
		count_funnel(e, pairs, count);
	else if (funnel)
		weigh_funnel(e, pairs, count);
	clear_funnel(e);
	if (funnel) {
		e->level->connections += e->counting ? e->records : 0; /* those kept so far go: there will be a second pass */
		e->records = e->route_used = 0;
		e->spilled = true;
	}
	return funnel;
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
		if (same >= FUNNEL_LEAST && take_funnel(e, pairs, same)) {
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
