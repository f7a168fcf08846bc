#include "patterns/traffic.h"

#include "base/memory.h"
#include "fabric/service_levels.h"
#include "patterns/open/draw.h"
#include "patterns/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs */

/* 1 GiB of pairs: traffic that is much larger is all-to-all, which is uniform. */
static const uint64_t pairs_max = UINT64_C(1) << 28;

static int refuse_many(const char *spec, uint64_t pairs, struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"traffic '%s' has about %" PRIu64 " pairs, more than %" PRIu64 "; use 'uniform' for traffic to all ranks", spec, pairs,
		pairs_max);
}

/* A sink that counts pairs, or stores them: first becomes the place after the last of each rank. */
struct pairs_sink {
	struct sink sink;
	uint64_t *first; /* [ranks + 1] */
	uint32_t *pair;  /* NULL: count in first[sender + 1] */
	uint8_t *level;  /* NULL: not stored */
	bool own;        /* some pair has a service level of its own */
};

static void take(struct sink *sink)
{
	struct pairs_sink *pairs = (struct pairs_sink *)sink;
	for (size_t i = 0; i < sink->count; i++) {
		uint32_t sender = sink->pairs[i].sender;
		pairs->own |= sink->level[i] != SERVICE_LEVEL_OF_PAIR;
		if (pairs->level)
			pairs->level[pairs->first[sender]] = sink->level[i];
		if (pairs->pair)
			pairs->pair[pairs->first[sender]++] = sink->pairs[i].receiver;
		else
			pairs->first[sender + 1]++;
	}
	memset(sink->level, SERVICE_LEVEL_OF_PAIR, sink->capacity);
}

static void emit_all(const struct pattern_call *pattern, struct sink *sink)
{
	for (uint64_t level = 0, levels = pattern_levels(pattern); level < levels; level++)
		pattern_level(pattern, level, sink);
}

/* Fills first and pair of the call with every message of the levels, once each. Returns 0, or -1. Time O(pairs). */
static int collect(struct traffic_call *call, const struct pattern_call *pattern, struct error *error)
{
	enum { BLOCK = 256 };
	struct pair block[BLOCK];
	uint8_t level[BLOCK];
	uint32_t ranks = call->setup.ranks;
	memset(level, SERVICE_LEVEL_OF_PAIR, sizeof level);
	call->first = array_create((size_t)ranks + 1, sizeof *call->first, error);
	if (!call->first)
		return -1;
	struct pairs_sink pairs = {{.pairs = block, .level = level, .capacity = BLOCK, .take = take}, .first = call->first};
	emit_all(pattern, &pairs.sink);
	for (uint32_t i = 0; i < ranks; i++)
		call->first[i + 1] += call->first[i];
	if (call->first[ranks] > pairs_max)
		return refuse_many("pairs", call->first[ranks], error);
	call->pair = pairs.pair = array_create(call->first[ranks], sizeof *call->pair, error);
	if (pairs.own)
		call->level = pairs.level = array_create(call->first[ranks], sizeof *call->level, error);
	if (error->status)
		return -1;
	emit_all(pattern, &pairs.sink);
	memmove(call->first + 1, call->first, ranks * sizeof *call->first); /* back to the first of each */
	call->first[0] = 0;
	return 0;
}

static int fill_pairs(struct traffic_call *call, const struct pattern_request *request, struct error *error)
{
	struct pattern_call *pattern = pattern_create(request, call->setup.ranks, error);
	uint64_t pairs = pattern ? pattern_pairs(pattern, -1) : 0;
	if (pairs > pairs_max)
		refuse_many(request->spec, pairs, error);
	if (!error->status && !pattern_run(pattern, call->setup.run, error))
		collect(call, pattern, error);
	pattern_free(pattern);
	return error->status ? -1 : 0;
}

/* ---- receivers */

/* Uses the pattern's own receivers, or its pairs. Returns 0, or -1. */
static int set_up(struct traffic_call *call, const struct pattern_request *request, struct error *error)
{
	struct pattern_call *read = pattern_read(request, PATTERN_LOAD, error);
	if (read && read->pattern->receiver) {
		call->pattern = read->pattern;
		call->args = read->args; /* which the call frees */
		read->args = (struct arg_values){0};
	}
	pattern_free(read);
	if (error->status)
		return -1;
	if (!call->pattern)
		return fill_pairs(call, request, error);
	return call->pattern->open_setup ? call->pattern->open_setup(call, error) : 0;
}

struct traffic_call *traffic_create(
	const char *spec, const struct pattern_request *request, const struct traffic_setup *setup, struct error *error)
{
	struct pattern_request own = request ? *request : (struct pattern_request){.first_ranks = -1};
	struct traffic_call *call = array_create(1, sizeof *call, error);
	if (!call)
		return NULL;
	own.spec = spec;
	own.seed = setup->seed;
	call->setup = *setup;
	if (setup->ranks < 2)
		error_set(error, STATUS_USAGE, "traffic '%s' needs at least 2 ranks", spec);
	else
		set_up(call, &own, error);
	if (!error->status)
		return call;
	traffic_free(call);
	return NULL;
}

void traffic_free(struct traffic_call *call)
{
	if (!call)
		return;
	if (call->pattern && call->pattern->open_clear)
		call->pattern->open_clear(call);
	args_clear(&call->args);
	free(call->first);
	free(call->pair);
	free(call->level);
	free(call->data);
	free(call);
}

/* Returns which of its pairs the message is of, UINT64_MAX if the source has none. */
static uint64_t draw_pair(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	uint64_t first = call->first[source], count = call->first[source + 1] - first;
	return count ? first + draw_below(draw_bits(word + 2), (uint32_t)count) : UINT64_MAX;
}

static uint32_t pair_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	uint64_t pair = draw_pair(call, source, word);
	return pair < UINT64_MAX ? call->pair[pair] : NONE;
}

unsigned traffic_service_level(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	if (!call->first)
		return call->pattern->service_level ? call->pattern->service_level(call, source, word) : SERVICE_LEVEL_OF_PAIR;
	uint64_t pair = call->level ? draw_pair(call, source, word) : UINT64_MAX;
	return pair < UINT64_MAX ? call->level[pair] : SERVICE_LEVEL_OF_PAIR;
}

uint32_t traffic_service_levels(const struct traffic_call *call)
{
	uint32_t levels = 0;
	if (!call->first && call->pattern->service_levels)
		return call->pattern->service_levels(call);
	for (uint64_t i = 0; call->level && i < call->first[call->setup.ranks]; i++)
		levels |= 1u << call->level[i];
	return levels ? levels : 1u << SERVICE_LEVEL_OF_PAIR;
}

double traffic_share(const struct traffic_call *call, uint32_t source)
{
	return !call->first && call->pattern->share ? call->pattern->share(call, source) : 1;
}

uint32_t traffic_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	return call->first ? pair_receiver(call, source, word) : call->pattern->receiver(call, source, word);
}
