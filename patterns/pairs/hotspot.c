/* Every rank sends to one of the first K ranks, drawn for every run. */
#include "base/memory.h"
#include "patterns/pairs.h"
#include "patterns/traffic.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct arg hotspot_args[] = {
	{"K", ARG_INTEGER, NULL, 1, UINT32_MAX - 1, "number of ranks that receive"},
	{.type = ARG_END},
};

static int hotspot_setup(struct pattern_call *call, struct error *error)
{
	if (call->args.value[0].integer > call->ranks)
		return error_set(error, STATUS_USAGE, "pattern 'hotspot': K is %" PRId64 ", more than the %" PRIu32 " ranks",
			call->args.value[0].integer, call->ranks);
	call->data = array_create(call->ranks, sizeof(uint32_t), error);
	return call->data ? 0 : -1;
}

static void hotspot_run(struct pattern_call *call, uint64_t run)
{
	uint32_t *receiver = call->data;
	struct random random;
	random_start(&random, call->seed, RANDOM_PATTERN + call->part, run);
	for (uint32_t i = 0; i < call->ranks; i++)
		receiver[i] = random_below(&random, (uint32_t)call->args.value[0].integer);
}

static void hotspot_cleanup(struct pattern_call *call)
{
	free(call->data);
}

static void hotspot_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	const uint32_t *receiver = call->data;
	for (uint32_t i = 0; i < call->ranks; i++)
		emit(sink, i, receiver[i]);
}

const struct pattern pattern_hotspot = {
	.name = "hotspot",
	.summary = "every rank to a random one of ranks 0..K-1, drawn for every run",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.with_load = &hotspot_with_load,
	.args = hotspot_args,
	.setup = hotspot_setup,
	.run = hotspot_run,
	.cleanup = hotspot_cleanup,
	.level = hotspot_level,
};
