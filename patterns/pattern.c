/* Patterns by name, and their uses. */
#include "patterns/pattern.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/pairs.h"
#include "patterns/task_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faces */

const struct pattern *pattern_meaning(const struct pattern *pattern, enum pattern_use use)
{
	return use == PATTERN_LOAD && pattern->with_load ? pattern->with_load : pattern;
}

bool pattern_serves(const struct pattern *pattern, enum pattern_use use)
{
	switch (use) {
	case PATTERN_QUEUE: return pattern->level || pattern->build;
	case PATTERN_GRAPH: return pattern->level || (pattern->build && !pattern->queued);
	case PATTERN_LOAD:
		if (pattern->receiver)
			return true;
		return pattern->level || (pattern->build && !pattern->ordered && !pattern->near);
	default: return pattern->level || (pattern->build && (!pattern->ordered || pattern->phases) && !pattern->near);
	}
}

/* Returns the word for the pattern in messages. */
static const char *kind_of(const struct pattern *pattern)
{
	return pattern->level ? "pattern" : pattern->build ? "workload" : "traffic";
}

/* Sets the error for a pattern that does not support the use: the reason, and what does. */
static int refuse(const struct pattern *pattern, const char *spec, enum pattern_use use, struct error *error)
{
	if (pattern->receiver)
		return error_set(error, STATUS_USAGE, "'%s' is open-loop traffic: it requires orcs --load or --saturation", spec);
	if (pattern->queued)
		return error_set(error, STATUS_USAGE, "'%s' is a queue of jobs: it requires orcs with --engine flow", spec);
	if (pattern->near)
		return error_set(error, STATUS_USAGE,
			"'%s' needs the hops between hosts, so its pairs cannot be counted; 'orcs --list=patterns' lists the engines for it (t)",
			spec);
	if (use == PATTERN_LOAD)
		return error_set(error, STATUS_USAGE,
			"'%s' has an order of its own and cannot be open-loop traffic: omit --load and --saturation", spec);
	return error_set(error, STATUS_USAGE,
		"'%s' has an order of its own, so its pairs cannot be counted; 'orcs --list=patterns' lists the engines for it (t)", spec);
}

static const struct pattern *look_up(const char *spec, struct error *error)
{
	const char *names[256];
	size_t length = spec_name_length(spec), count = 0;
	char name[64];
	for (; patterns[count] && count < 256; count++) {
		names[count] = patterns[count]->name;
		if (strlen(names[count]) == length && !strncmp(spec, names[count], length))
			return patterns[count];
	}
	snprintf(name, sizeof name, "%.*s", (int)length, spec);
	error_unknown(error, "pattern", name, names, count);
	return NULL;
}

const struct pattern *pattern_find(const char *spec, enum pattern_use use, struct error *error)
{
	const struct pattern *pattern = look_up(spec, error), *meaning = pattern ? pattern_meaning(pattern, use) : NULL;
	if (!meaning || pattern_serves(meaning, use))
		return meaning;
	refuse(meaning, spec, use, error);
	return NULL;
}

/* ---- parameters */

void pattern_free(struct pattern_call *call)
{
	if (!call)
		return;
	if (call->pattern->cleanup)
		call->pattern->cleanup(call);
	pattern_free(call->first);
	pattern_free(call->second);
	task_graph_free(call->graph);
	message_phases_clear(&call->phases);
	args_clear(&call->args);
	free(call);
}

/* Reads the parameters of a pattern after its colon, or beside it. Returns 0, or -1. */
static int read_args(struct pattern_call *call, const char *spec, const char *argument, struct error *error)
{
	const struct pattern *pattern = call->pattern;
	const char *colon = strchr(spec, ':'), *text = colon ? colon + 1 : argument;
	if (colon && argument)
		return error_set(
			error, STATUS_USAGE, "%s '%s' already has a parameter: omit --ptrnarg '%s'", kind_of(pattern), spec, argument);
	if (pattern->preset && text && *text)
		return error_set(error, STATUS_USAGE, "pattern '%s' takes no parameter", pattern->name);
	return args_parse(&call->args, pattern->args, pattern->preset ? pattern->preset : text, kind_of(pattern), pattern->name, error);
}

static struct pattern_call *read_one(
	const struct pattern *pattern, const char *spec, const char *argument, uint64_t seed, unsigned part, struct error *error)
{
	struct pattern_call *call = pattern ? array_create(1, sizeof *call, error) : NULL;
	if (!call)
		return NULL;
	*call = (struct pattern_call){.pattern = pattern, .seed = seed, .part = part};
	if (!read_args(call, spec, argument, error))
		return call;
	args_clear(&call->args);
	free(call);
	return NULL;
}

/* Reads one of two patterns side by side. NULL on errors. */
static struct pattern_call *read_part(const char *spec, uint64_t seed, unsigned part, struct error *error)
{
	struct pattern_call *call = read_one(pattern_find(spec, PATTERN_PAIRS, error), spec, NULL, seed, part, error);
	if (call && call->pattern->two)
		error_set(error, STATUS_USAGE, "pattern 'ptrnvsptrn' cannot be a part of itself");
	else if (call && !call->pattern->level)
		error_set(error, STATUS_USAGE, "pattern 'ptrnvsptrn' requires patterns that have levels, not '%s'", spec);
	return call;
}

struct pattern_call *pattern_read(const struct pattern_request *request, enum pattern_use use, struct error *error)
{
	const struct pattern *pattern = request->own ? request->own : pattern_find(request->spec, use, error);
	struct pattern_call *call = read_one(pattern, request->spec, request->argument, request->seed, 0, error);
	bool parts = request->first || request->second || request->first_ranks >= 0;
	if (!call)
		return NULL;
	call->data = request->own_data;
	if (!call->pattern->two && parts)
		error_set(error, STATUS_USAGE, "--first-pattern, --second-pattern and --first-ranks require --pattern ptrnvsptrn, not '%s'",
			call->pattern->name);
	else if (call->pattern->two && (!request->first || !request->second || request->first_ranks < 0))
		error_set(error, STATUS_USAGE, "pattern 'ptrnvsptrn' requires --first-pattern, --second-pattern and --first-ranks");
	else if (call->pattern->two && (call->first = read_part(request->first, request->seed, 1, error)))
		call->second = read_part(request->second, request->seed, 2, error);
	if (!error->status)
		return call;
	pattern_free(call);
	return NULL;
}

int pattern_check(const struct pattern_request *request, enum pattern_use use, struct error *error)
{
	struct pattern_call *call = pattern_read(request, use, error);
	pattern_free(call);
	return call ? 0 : -1;
}

static int name_files(const struct pattern_call *call, struct files *files, struct error *error)
{
	return call && call->pattern->files ? call->pattern->files(call->args.value, files, error) : 0;
}

int pattern_files(const struct pattern_request *request, enum pattern_use use, struct files *files, struct error *error)
{
	struct error own = {0};
	struct pattern_call *call = pattern_read(request, use, &own);
	if (own.status && own.status != STATUS_USAGE)
		error_set(error, own.status, "%s", own.text);
	if (call && !name_files(call, files, error) && !name_files(call->first, files, error))
		name_files(call->second, files, error);
	pattern_free(call);
	return error->status ? -1 : 0;
}

int pattern_fits(const struct pattern *pattern, uint32_t ranks, struct error *error)
{
	const char *kind = kind_of(pattern), *whose = pattern->level ? "ranks" : "tasks";
	if (pattern->power_of_two && (ranks & (ranks - 1)))
		return error_set(error, STATUS_USAGE, "%s '%s' needs a power of two as the number of %s, not %" PRIu32, kind, pattern->name,
			whose, ranks);
	if (pattern->several && ranks < 2)
		return error_set(error, STATUS_USAGE, "%s '%s' needs at least 2 %s, not %" PRIu32, kind, pattern->name, whose, ranks);
	return 0;
}
