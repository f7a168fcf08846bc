#include "scheduling/scheduler.h"

/* Returns the waiting job with the shortest estimate, the first of several, unknown ones last; waits: none. Places of jobs, not numbers. */
static uint32_t shortest(const struct schedule *s)
{
	uint32_t best = s->waits;
	uint64_t least = 0;
	for (uint32_t i = 0; i < s->waits; i++) {
		uint64_t length = s->estimate[s->waiting[i]] - 1; /* unknown, 0, becomes the largest */
		if (!s->started[s->waiting[i]] && (best == s->waits || length < least)) {
			best = i;
			least = length;
		}
	}
	return best;
}

static int pass(struct schedule *s, struct error *error)
{
	(void)error;
	for (uint32_t i; s->machine.unused && (i = shortest(s)) < s->waits && fits_now(s, s->waiting[i]);)
		schedule_start(s, s->waiting[i]);
	return 0;
}

const struct scheduler scheduler_sjf = {
	.name = "sjf",
	.summary = "shortest job first, by the estimates: the shortest job starts while it fits",
	.source = "INRFlow 3.4",
	.pass = pass,
};
