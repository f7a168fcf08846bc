/* What becomes of the jobs of a queue, and of the machine. */
#include "metrics/queue.h"

#include "base/memory.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <math.h>

enum { JOBS_SHOWN = 40 }; /* in text */

static void queue_cleanup(struct metric_call *call)
{
	queue_record_free(call->data);
	call->data = NULL;
}

static int queue_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct schedule *s = seen->times->schedule;
	size_t scheduler = 0, allocation = 0, mapping = 0;
	(void)call;
	while (schedulers[scheduler] != s->policy.scheduler)
		scheduler++;
	while (allocations[allocation] != s->policy.allocation)
		allocation++;
	while (job_mappings[mapping] != s->policy.mapping)
		mapping++;
	numbers[QUEUE_POINT] = (double)(seen->run % seen->points);
	numbers[QUEUE_SEED] = (double)(seen->run / seen->points);
	numbers[QUEUE_SCHEDULER] = (double)scheduler;
	numbers[QUEUE_ALLOCATION] = (double)allocation;
	numbers[QUEUE_MAPPING] = (double)mapping;
	return queue_numbers(s, numbers, error);
}

static int queue_first(struct metric_call *call, const struct observation *seen, struct error *error)
{
	call->data = queue_record_create(seen->times->schedule, seen->fabric, error);
	return call->data ? 0 : -1;
}

/* Adds the state of the machine over time. Returns 0, or -1. */
static int add_parts(const struct samples *samples, struct result *result, struct error *error)
{
	static const struct table_column column[] = {
		{"part", "part"}, {"from", "from"}, {"to", "to"}, {"utilisation", "utilisation"}, {"queue", "waiting jobs"}};
	enum { COLUMNS = sizeof column / sizeof *column };
	double *table = array_create(TIME_PARTS * COLUMNS, sizeof *table, error), whole = mean_number(samples, QUEUE_MAKESPAN);
	if (!table)
		return -1;
	for (unsigned i = 0; i < TIME_PARTS; i++) {
		const double cells[COLUMNS] = {i + 1, whole * i / TIME_PARTS, whole * (i + 1) / TIME_PARTS,
			mean_number(samples, QUEUE_USED + i), mean_number(samples, QUEUE_LENGTH + i)};
		for (unsigned c = 0; c < COLUMNS; c++)
			table[i * COLUMNS + c] = cells[c];
	}
	result_table(result, "over_time", "twentieths of the time, in seconds from the first submission", column, COLUMNS, table,
		samples->runs ? TIME_PARTS * COLUMNS : 0);
	return 0;
}

static int queue_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	static const char *const fates[QUEUE_FATES][4] = {
		{"wait.mean", "waiting time, seconds (mean)", "wait.max", "maximum"},
		{"run.mean", "run time, seconds (mean)", "run.max", "maximum"},
		{"turnaround.mean", "time from submission to end, seconds (mean)", "turnaround.max", "maximum"},
		{"slowdown.mean", "slowdown (mean)", "slowdown.max", "maximum"},
		{"bounded_slowdown.mean", "bounded slowdown (mean)", "bounded_slowdown.max", "maximum"},
	};
	struct queue_record *record = call->data;
	if (call->points > 1)
		return queue_compare(samples, call->points, result, error);
	if (record)
		result_rows(
			result, "jobs", record->jobs <= JOBS_SHOWN ? "jobs of the first run, in seconds" : NULL, queue_record_rows(record));
	for (unsigned i = 0; i < QUEUE_FATES; i++) {
		finish_number(samples, QUEUE_MEANS + i, fates[i][0], fates[i][1], result);
		finish_number(samples, QUEUE_MAXIMA + i, fates[i][2], fates[i][3], result);
	}
	finish_number(samples, QUEUE_MAKESPAN, "makespan", "makespan, seconds", result);
	finish_number(samples, QUEUE_THROUGHPUT, "throughput", "throughput, jobs per second", result);
	finish_number(samples, QUEUE_UTILISATION, "utilisation", "utilisation of the hosts", result);
	finish_number(samples, QUEUE_IDLE, "fragmentation.idle_while_waiting", "hosts that are free while jobs wait", result);
	finish_number(samples, QUEUE_PIECES, "fragmentation.pieces", "pieces of consecutive hosts of a job (mean)", result);
	finish_number(samples, QUEUE_LEAVES, "fragmentation.leaves", "leaves of a job (mean)", result);
	finish_number(samples, QUEUE_SPREAD, "fragmentation.spread", "leaves of a job to the fewest possible (mean)", result);
	return add_parts(samples, result, error);
}

const struct metric metric_queue = {
	.name = "queue",
	.summary = "waiting, run and turnaround times of the jobs of a queue, utilisation, throughput, fragmentation",
	.source = "INRFlow paper 3.4",
	.gathers = METRIC_VALUES,
	.wants = SEEN_TIMES | SEEN_QUEUE,
	.numbers = QUEUE_NUMBERS,
	.cleanup = queue_cleanup,
	.flow = queue_flow,
	.first = queue_first,
	.finish = queue_finish,
};
