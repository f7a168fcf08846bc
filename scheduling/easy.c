/*
 * Aggressive backfilling: the first job that does not fit has a reservation, which later jobs must not delay (Lifka: The ANL/IBM SP
 * Scheduling System, 1995; Mu'alem, Feitelson: Utilization, Predictability, Workloads, and User Runtime Estimates in Scheduling the IBM SP2
 * with Backfilling, TPDS 2001). Jobs without an estimate overtake none.
 */
#include "scheduling/scheduler.h"

/* Finds when so many tasks are expected to fit, and the hosts that are left over then; never: UINT64_MAX and 0. */
static int reserve(struct schedule *s, uint32_t tasks, uint64_t *shadow, uint32_t *extra, struct error *error)
{
	const struct expected *ends = expect_ends(s, error);
	uint32_t unused = s->machine.unused;
	*shadow = UINT64_MAX;
	*extra = 0;
	for (uint32_t i = 0; ends && i < s->runs && ends[i].end != UINT64_MAX; i++) {
		unused += ends[i].tasks;
		if (unused >= tasks && (*shadow == UINT64_MAX || ends[i].end == *shadow)) {
			*shadow = ends[i].end;
			*extra = unused - tasks;
		} else if (*shadow != UINT64_MAX) {
			break;
		}
	}
	return ends ? 0 : -1;
}

static int pass(struct schedule *s, struct error *error)
{
	uint64_t shadow;
	uint32_t extra;
	start_first(s);
	uint32_t head = s->begins;
	if (head + 1 >= s->waits || !s->machine.unused)
		return 0;
	if (reserve(s, s->needs[s->waiting[head]], &shadow, &extra, error))
		return -1;
	for (uint32_t i = head + 1; i < s->waits && s->machine.unused; i++) {
		uint32_t job = s->waiting[i], tasks = s->needs[job];
		uint64_t estimate = s->estimate[job];
		if (!estimate || !fits_now(s, job))
			continue;
		if (s->now + estimate > shadow) {
			if (tasks > extra)
				continue;
			extra -= tasks;
		}
		schedule_start(s, job);
	}
	return 0;
}

const struct scheduler scheduler_easy = {
	.name = "easy",
	.summary = "aggressive backfilling: as fcfs, but jobs that do not delay the first one overtake it",
	.source = "INRFlow 3.4",
	.pass = pass,
};
