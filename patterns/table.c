/* The patterns that exist. A new one is one more file and one more line here. */
#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATTERNS(X) \
	X(null) \
	X(rand) \
	X(bisect) \
	X(bisect_fb_sym) \
	X(tree) \
	X(bruck) \
	X(gather) \
	X(scatter) \
	X(ring) \
	X(recdbl) \
	X(neighbor) \
	X(neighbor2) \
	X(neighbor4) \
	X(neighbor6) \
	X(ptrnvsptrn) \
	X(alltoall) \
	X(alltoall_flood) \
	X(shift) \
	X(allshifts) \
	X(bitrev) \
	X(bitcomp) \
	X(transpose) \
	X(shuffle) \
	X(tornado) \
	X(stencil) \
	X(hotspot) \
	X(allreduce_ring) \
	X(allreduce_rabenseifner) \
	X(bcast_binomial) \
	X(file)

#define DECLARE(name) extern const struct pattern pattern_##name;
#define LIST(name) &pattern_##name,

PATTERNS(DECLARE)
const struct pattern *const patterns[] = {PATTERNS(LIST) NULL};

static const struct pattern *find_pattern(const char *spec, struct error *error)
{
	const char *names[sizeof patterns / sizeof *patterns];
	size_t length = spec_name_length(spec), count = 0;
	char name[64];
	for (; patterns[count]; count++) {
		names[count] = patterns[count]->name;
		if (strlen(names[count]) == length && !strncmp(spec, names[count], length))
			return patterns[count];
	}
	snprintf(name, sizeof name, "%.*s", (int)length, spec);
	error_unknown(error, "pattern", name, names, count);
	return NULL;
}

void pattern_free(struct pattern_call *call)
{
	if (!call)
		return;
	if (call->pattern->cleanup)
		call->pattern->cleanup(call);
	pattern_free(call->first);
	pattern_free(call->second);
	args_clear(&call->args);
	free(call);
}

/* A pattern with its parameters read, not set up. */
static struct pattern_call *parse(const char *spec, const char *argument, uint64_t seed, unsigned part, struct error *error)
{
	const struct pattern *pattern = find_pattern(spec, error);
	const char *colon = strchr(spec, ':'), *text = colon ? colon + 1 : argument;
	if (!pattern)
		return NULL;
	if (colon && argument) {
		error_set(error, STATUS_USAGE, "pattern '%s' has its parameter already: --ptrnarg '%s' is one too many", spec, argument);
		return NULL;
	}
	if (pattern->preset && text && *text) {
		error_set(error, STATUS_USAGE, "pattern '%s' takes no parameter", pattern->name);
		return NULL;
	}
	struct pattern_call *call = array_create(1, sizeof *call, error);
	if (!call)
		return NULL;
	*call = (struct pattern_call){.pattern = pattern, .seed = seed, .part = part};
	if (args_parse(&call->args, pattern->args, pattern->preset ? pattern->preset : text, "pattern", pattern->name, error)) {
		args_clear(&call->args);
		free(call);
		return NULL;
	}
	return call;
}

/* The pattern and, for ptrnvsptrn, its two parts, none of them set up. */
static struct pattern_call *parse_all(const struct pattern_request *request, struct error *error)
{
	struct pattern_call *call = parse(request->spec, request->argument, request->seed, 0, error);
	bool parts = request->first || request->second || request->first_ranks >= 0;
	if (!call)
		return NULL;
	if (!strcmp(call->pattern->name, "ptrnvsptrn")) {
		if (!request->first || !request->second || request->first_ranks < 0)
			error_set(error, STATUS_USAGE, "pattern 'ptrnvsptrn' needs --frstptrn, --secptrn and --part_commsize");
		else if ((call->first = parse(request->first, NULL, request->seed, 1, error)))
			call->second = parse(request->second, NULL, request->seed, 2, error);
		if (call->second && (call->first->pattern == call->pattern || call->second->pattern == call->pattern))
			error_set(error, STATUS_USAGE, "pattern 'ptrnvsptrn' cannot be a part of itself");
	} else if (parts) {
		error_set(error, STATUS_USAGE, "--frstptrn, --secptrn and --part_commsize are for the pattern 'ptrnvsptrn', not for '%s'",
			call->pattern->name);
	}
	if (!error->status)
		return call;
	pattern_free(call);
	return NULL;
}

int pattern_check(const struct pattern_request *request, struct error *error)
{
	struct pattern_call *call = parse_all(request, error);
	pattern_free(call);
	return call ? 0 : -1;
}

static int name_files(const struct pattern_call *call, struct files *files, struct error *error)
{
	return call && call->pattern->files ? call->pattern->files(call->args.value, files, error) : 0;
}

int pattern_files(const struct pattern_request *request, struct files *files, struct error *error)
{
	struct pattern_call *call = parse_all(request, error);
	if (call && !name_files(call, files, error) && !name_files(call->first, files, error))
		name_files(call->second, files, error);
	pattern_free(call);
	return error->status ? -1 : 0;
}

static int set_up(struct pattern_call *call, uint32_t ranks, struct error *error)
{
	call->ranks = ranks;
	if (call->pattern->power_of_two && (ranks & (ranks - 1)))
		return error_set(error, STATUS_USAGE, "pattern '%s' needs a power of two as the number of ranks, not %" PRIu32,
			call->pattern->name, ranks);
	return call->pattern->setup ? call->pattern->setup(call, error) : 0;
}

struct pattern_call *pattern_create(const struct pattern_request *request, uint32_t ranks, struct error *error)
{
	struct pattern_call *call = parse_all(request, error);
	if (!call)
		return NULL;
	if (call->first && (request->first_ranks < 1 || request->first_ranks >= ranks))
		error_set(error, STATUS_USAGE,
			"--part_commsize is %" PRId64 ", and of the %" PRIu32
			" ranks at least one must be left to each of the two patterns",
			request->first_ranks, ranks);
	else if (call->first && !set_up(call->first, (uint32_t)request->first_ranks, error))
		set_up(call->second, ranks - (uint32_t)request->first_ranks, error);
	if (!error->status && !set_up(call, ranks, error))
		return call;
	pattern_free(call);
	return NULL;
}

uint64_t pattern_levels(const struct pattern_call *call)
{
	return call->pattern->levels ? call->pattern->levels(call) : 1;
}

void pattern_run(struct pattern_call *call, uint64_t run)
{
	if (call->pattern->run)
		call->pattern->run(call, run);
}

bool pattern_once(const struct pattern_call *call)
{
	return call->first ? call->first->pattern->once && call->second->pattern->once : call->pattern->once;
}

void pattern_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	sink->count = 0;
	sink->offset = 0;
	sink->part = 0;
	call->pattern->level(call, level, sink);
	sink_flush(sink);
}

/* Counts what it is given. */
struct counting_sink {
	struct sink sink;
	uint64_t pairs;
};

static void count_pairs(struct sink *sink)
{
	((struct counting_sink *)sink)->pairs += sink->count;
}

uint64_t pattern_level_pairs(const struct pattern_call *call, uint64_t level)
{
	enum { BLOCK = 256 };
	struct pair pairs[BLOCK];
	struct counting_sink count = {{.pairs = pairs, .capacity = BLOCK, .take = count_pairs}, 0};
	if (call->pattern->pairs)
		return call->pattern->pairs(call, level);
	pattern_level(call, level, &count.sink);
	return count.pairs;
}

uint64_t pattern_pairs(struct pattern_call *call, int64_t only_level)
{
	enum { SAMPLES = 8 };
	uint64_t levels = only_level < 0 ? pattern_levels(call) : 1, samples = levels < SAMPLES ? levels : SAMPLES, pairs = 0;
	pattern_run(call, 0);
	for (uint64_t i = 0; i < samples; i++)
		pairs += pattern_level_pairs(call, only_level < 0 ? i * levels / samples : (uint64_t)only_level);
	return samples ? (uint64_t)((double)pairs / (double)samples * (double)levels) : 0;
}
