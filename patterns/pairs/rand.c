/* A uniformly random permutation, drawn for every run; a rank that is its own partner sends nothing. */
#include "base/memory.h"
#include "patterns/pairs.h"

#include <stdlib.h>

static int rand_setup(struct pattern_call *call, struct error *error)
{
	call->data = array_create(call->ranks, sizeof(uint32_t), error);
	return call->data ? 0 : -1;
}

static void rand_run(struct pattern_call *call, uint64_t run)
{
	uint32_t *receiver = call->data;
	struct random random;
	for (uint32_t i = 0; i < call->ranks; i++)
		receiver[i] = i;
	random_start(&random, call->seed, RANDOM_PATTERN + call->part, run);
	random_shuffle(&random, receiver, call->ranks);
}

static void rand_cleanup(struct pattern_call *call)
{
	free(call->data);
}

static void rand_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	const uint32_t *receiver = call->data;
	for (uint32_t i = 0; i < call->ranks; i++)
		emit(sink, i, receiver[i]);
}

const struct pattern pattern_rand = {
	.name = "rand",
	.summary = "a random permutation, drawn for every run",
	.source = "ORCS paper 2.4",
	.once = true,
	.setup = rand_setup,
	.run = rand_run,
	.cleanup = rand_cleanup,
	.level = rand_level,
};
