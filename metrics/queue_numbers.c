/* The numbers of a queue's run: INRFlow paper, 3.4; bounded slowdown: Feitelson, Rudolph 1998. */
#include "metrics/queue.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static int by_time(const void *left, const void *right)
{
	const struct queue_change *a = left, *b = right;
	return (a->time > b->time) - (a->time < b->time);
}

void queue_fate(const struct placed_job *job, double shortest, double *fate)
{
	double run = (double)(job->end - job->start) / PICOSECONDS, whole = (double)(job->end - job->submit) / PICOSECONDS;
	fate[QUEUE_WAIT] = (double)(job->start - job->submit) / PICOSECONDS;
	fate[QUEUE_RUN] = run;
	fate[QUEUE_TURNAROUND] = whole;
	fate[QUEUE_SLOWDOWN] = run > 0 ? whole / run : NAN;
	fate[QUEUE_BOUNDED] = fmax(1, whole / fmax(run, shortest));
}

/* Fills the means and maxima of what becomes of the jobs. */
static void add_fates(const struct schedule *s, double *numbers)
{
	double count[QUEUE_FATES] = {0}, sum[QUEUE_FATES] = {0}, fate[QUEUE_FATES];
	for (int i = 0; i < QUEUE_FATES; i++)
		numbers[QUEUE_MAXIMA + i] = NAN;
	for (uint32_t j = 0; j < s->queue->jobs; j++) {
		queue_fate(&s->placed[j], s->policy.shortest, fate);
		for (int i = 0; i < QUEUE_FATES; i++) {
			count[i] += !isnan(fate[i]);
			sum[i] += isnan(fate[i]) ? 0 : fate[i];
			numbers[QUEUE_MAXIMA + i] = fmax(numbers[QUEUE_MAXIMA + i], fate[i]);
		}
	}
	for (int i = 0; i < QUEUE_FATES; i++)
		numbers[QUEUE_MEANS + i] = count[i] > 0 ? sum[i] / count[i] : NAN;
}

/* Fills how the jobs lie on the hosts. */
static void add_places(const struct schedule *s, double *numbers)
{
	double pieces = 0, leaves = 0, spread = 0, jobs = s->queue->jobs;
	for (uint32_t j = 0; j < s->queue->jobs; j++) {
		pieces += s->placed[j].pieces;
		leaves += s->placed[j].leaves;
		spread += (double)s->placed[j].leaves / s->placed[j].fewest;
	}
	numbers[QUEUE_PIECES] = pieces / jobs;
	numbers[QUEUE_LEAVES] = leaves / jobs;
	numbers[QUEUE_SPREAD] = spread / jobs;
}

struct queue_change *queue_changes(
	const struct queued_job *job, const struct placed_job *placed, const uint32_t *needs, uint32_t jobs, struct error *error)
{
	struct queue_change *change = array_create(3 * (size_t)jobs, sizeof *change, error);
	for (uint32_t j = 0; change && j < jobs; j++) {
		const struct placed_job *p = &placed[j];
		int64_t tasks = job[j].tasks, held = needs[j];
		change[3 * (size_t)j] = (struct queue_change){p->submit, 0, 1, 0};
		change[3 * (size_t)j + 1] = (struct queue_change){p->start, tasks, -1, held};
		change[3 * (size_t)j + 2] = (struct queue_change){p->end, -tasks, 0, -held};
	}
	if (change)
		qsort(change, 3 * (size_t)jobs, sizeof *change, by_time);
	return change;
}

/* Adds what lasts from one time to another, in seconds from the beginning, to the parts of the whole time. */
static void add_parts(double *numbers, double from, double to, double whole, double used, double waiting)
{
	double length = whole / TIME_PARTS;
	for (int i = (int)fmin(from / length, TIME_PARTS - 1); i < TIME_PARTS && i * length < to; i++) {
		double share = (fmin(to, (i + 1) * length) - fmax(from, i * length)) / length;
		numbers[QUEUE_USED + i] += fmax(share, 0) * used;
		numbers[QUEUE_LENGTH + i] += fmax(share, 0) * waiting;
	}
}

/* Fills what depends on the state of the machine over time. */
static void add_times(const struct schedule *s, const struct queue_change *change, double *numbers)
{
	size_t changes = 3 * (size_t)s->queue->jobs;
	double hosts = s->machine.hosts, idle = 0, worked = 0;
	double whole = (double)(change[changes - 1].time - change[0].time) / PICOSECONDS;
	int64_t used = 0, waiting = 0, held = 0;
	for (int i = 0; i < TIME_PARTS; i++)
		numbers[QUEUE_USED + i] = numbers[QUEUE_LENGTH + i] = whole > 0 ? 0 : NAN;
	for (size_t i = 0; i + 1 < changes; i++) {
		used += change[i].used;
		waiting += change[i].waiting;
		held += change[i].held;
		double from = (double)(change[i].time - change[0].time) / PICOSECONDS;
		double length = (double)(change[i + 1].time - change[i].time) / PICOSECONDS;
		if (!(length > 0))
			continue;
		worked += (double)used * length;
		idle += waiting ? (hosts - (double)held) * length : 0;
		add_parts(numbers, from, from + length, whole, (double)used / hosts, (double)waiting);
	}
	numbers[QUEUE_MAKESPAN] = whole;
	numbers[QUEUE_THROUGHPUT] = whole > 0 ? s->queue->jobs / whole : NAN;
	numbers[QUEUE_UTILISATION] = whole > 0 ? worked / (hosts * whole) : NAN;
	numbers[QUEUE_IDLE] = whole > 0 ? idle / (hosts * whole) : NAN;
}

int queue_numbers(const struct schedule *s, double *numbers, struct error *error)
{
	struct queue_change *change = queue_changes(s->queue->job, s->placed, s->needs, s->queue->jobs, error);
	if (!change)
		return -1;
	add_fates(s, numbers);
	add_places(s, numbers);
	add_times(s, change, numbers);
	free(change);
	return 0;
}
