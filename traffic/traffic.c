/* Traffic by name: the kinds of the table, and patterns and workloads, of which the pairs are. */
#include "traffic/traffic.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "traffic/draw.h"
#include "traffic/pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool named(const char *spec, const char *name)
{
	size_t length = spec_name_length(spec);
	return strlen(name) == length && !strncmp(spec, name, length);
}

static const struct traffic *find_traffic(const char *spec)
{
	const struct traffic *const *traffic = traffics;
	while (*traffic && !named(spec, (*traffic)->name))
		traffic++;
	return *traffic;
}

/* Refuses a name that is none of all those there are. Returns 0, or -1. */
static int check_pairs(const char *spec, struct error *error)
{
	const char *names[256];
	size_t count = 0;
	char name[64];
	for (size_t i = 0; traffics[i] && count < 256; i++)
		names[count++] = traffics[i]->name;
	for (size_t i = 0; workloads[i] && count < 256; i++)
		if (!workloads[i]->ordered || named(spec, workloads[i]->name)) /* which says what is wrong with it */
			names[count++] = workloads[i]->name;
	for (size_t i = 0; patterns[i] && count < 256; i++)
		names[count++] = patterns[i]->name;
	for (size_t i = 0; i < count; i++)
		if (named(spec, names[i]))
			return 0;
	snprintf(name, sizeof name, "%.*s", (int)spec_name_length(spec), spec);
	return error_unknown(error, "traffic", name, names, count);
}

/* A kind of the table: its parameters, and what it prepares. Returns 0, or -1. */
static int set_up(struct traffic_call *call, const struct pattern_request *request, struct error *error)
{
	const struct traffic *traffic = call->traffic;
	const char *colon = strchr(request->spec, ':');
	if (colon && request->argument)
		return error_set(error, STATUS_USAGE, "traffic '%s' has its parameter already: '%s' is one too many", request->spec,
			request->argument);
	if (request->first || request->second || request->first_ranks >= 0)
		return error_set(error, STATUS_USAGE,
			"--frstptrn, --secptrn and --part_commsize are for the pattern 'ptrnvsptrn', not for '%s'", traffic->name);
	if (args_parse(&call->args, traffic->args, colon ? colon + 1 : request->argument, "traffic", traffic->name, error))
		return -1;
	return traffic->setup ? traffic->setup(call, error) : 0;
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
	call->traffic = find_traffic(spec);
	if (setup->ranks < 2)
		error_set(error, STATUS_USAGE, "traffic '%s' needs at least 2 ranks", spec);
	else if (call->traffic)
		set_up(call, &own, error);
	else if (!check_pairs(spec, error))
		pairs_fill(call, &own, error);
	if (!error->status)
		return call;
	traffic_free(call);
	return NULL;
}

int traffic_files(const char *spec, const struct pattern_request *request, struct files *files, struct error *error)
{
	struct pattern_request own = *request;
	struct error wrong = {0};
	own.spec = spec;
	struct workload_call *call = find_traffic(spec) ? NULL : workload_create(&own, &wrong);
	if (call)
		workload_files(call, files, error);
	workload_free(call);
	return error->status ? -1 : 0;
}

void traffic_free(struct traffic_call *call)
{
	if (!call)
		return;
	if (call->traffic && call->traffic->clear)
		call->traffic->clear(call);
	args_clear(&call->args);
	free(call->first);
	free(call->pair);
	free(call->data);
	free(call);
}

static uint32_t pair_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	uint64_t first = call->first[source], count = call->first[source + 1] - first;
	return count ? call->pair[first + draw_below(draw_bits(word + 2), (uint32_t)count)] : NONE;
}

uint32_t traffic_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	return call->first ? pair_receiver(call, source, word) : call->traffic->receiver(call, source, word);
}
