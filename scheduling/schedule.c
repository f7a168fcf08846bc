#include "scheduling/schedule.h"

#include "base/memory.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Converts the estimates; one that is too short or too long for ticks becomes the nearest possible. */
static void set_estimates(struct schedule *s, double second)
{
	const double longest = 0x1p62;
	for (uint32_t j = 0; j < s->queue->jobs; j++) {
		double ticks = round(s->queue->job[j].estimate * second);
		s->estimate[j] = s->queue->job[j].estimate > 0 ? (uint64_t)fmax(1, fmin(ticks, longest)) : 0;
	}
}

int schedule_init(struct schedule *s, const struct scheduling *policy, const struct job_queue *queue, const struct fabric *fabric,
	const uint32_t *host, uint32_t hosts, double second, uint64_t seed, uint64_t run, struct error *error)
{
	size_t jobs = queue->jobs, tasks = jobs ? (size_t)queue->job[jobs - 1].first + queue->job[jobs - 1].tasks : 0;
	*s = (struct schedule){.policy = *policy, .queue = queue};
	random_start(&s->random, seed, RANDOM_QUEUE, run);
	s->estimate = array_create(jobs, sizeof *s->estimate, error);
	s->placed = array_create(jobs, sizeof *s->placed, error);
	s->waiting = array_create(jobs, sizeof *s->waiting, error);
	s->running = array_create(jobs, sizeof *s->running, error);
	s->place = array_create(jobs, sizeof *s->place, error);
	s->started = array_create(jobs, sizeof *s->started, error);
	s->begun = array_create(jobs, sizeof *s->begun, error);
	s->smallest = array_create(jobs, sizeof *s->smallest, error);
	s->needs = array_create(jobs, sizeof *s->needs, error);
	for (size_t j = 0; s->needs && j < jobs; j++)
		s->needs[j] = queue->job[j].tasks;
	s->position = array_create(tasks, sizeof *s->position, error);
	s->host = array_create(tasks, sizeof *s->host, error);
	if (machine_init(&s->machine, fabric, host, hosts, error))
		return -1;
	s->leaf_mark = array_create(s->machine.leaves, sizeof *s->leaf_mark, error);
	if (!error->status)
		set_estimates(s, second);
	return error->status ? -1 : 0;
}

void schedule_clear(struct schedule *s)
{
	machine_clear(&s->machine);
	free(s->estimate);
	free(s->placed);
	free(s->waiting);
	free(s->running);
	free(s->place);
	free(s->started);
	free(s->begun);
	free(s->smallest);
	free(s->needs);
	free(s->device);
	free(s->position);
	free(s->host);
	free(s->leaf_mark);
	free(s->expected);
	free(s->profile);
}

int schedule_hold_devices(struct schedule *s, const uint32_t *devices, uint32_t most, struct error *error)
{
	s->devices = most;
	s->device = array_create((size_t)s->queue->jobs * most, sizeof *s->device, error);
	for (uint32_t j = 0; j < s->queue->jobs && !error->status; j++) {
		if (devices[j] > s->machine.hosts - s->needs[j])
			return error_set(error, STATUS_USAGE,
				"job '%s' needs %" PRIu32 " hosts and %" PRIu32 " more for its devices, but there are %" PRIu32,
				queued_id(s->queue, j), s->needs[j], devices[j], s->machine.hosts);
		s->needs[j] += devices[j];
	}
	return error->status ? -1 : 0;
}

void schedule_submit(struct schedule *s, uint32_t job, uint64_t now)
{
	uint32_t at = s->waits++;
	for (; at && s->placed[s->waiting[at - 1]].submit == now && s->waiting[at - 1] > job; at--)
		s->waiting[at] = s->waiting[at - 1];
	s->waiting[at] = job;
	s->placed[job].submit = now;
	s->changed = true;
}

void schedule_end(struct schedule *s, uint32_t job, uint64_t now)
{
	const struct queued_job *j = &s->queue->job[job];
	uint32_t last = s->running[--s->runs];
	s->running[s->place[job]] = last;
	s->place[last] = s->place[job];
	for (uint32_t t = 0; t < j->tasks; t++)
		machine_give(&s->machine, s->position[j->first + t]);
	for (uint32_t d = 0; d < s->needs[job] - j->tasks; d++)
		machine_give(&s->machine, s->device[(size_t)job * s->devices + d]);
	s->placed[job].end = now;
	s->changed = true;
}

int schedule_pass(struct schedule *s, uint64_t now, struct error *error)
{
	s->begins = 0;
	if (!s->changed)
		return 0;
	s->changed = false;
	s->now = now;
	int failed = s->waits ? s->policy.scheduler->pass(s, error) : 0;
	if (s->begins)
		forget_started(s);
	return failed;
}

static int ascending(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Counts the pieces and the leaves of the hosts of a job, which ascend. */
static void count_pieces(struct schedule *s, uint32_t job, const uint32_t *position)
{
	struct placed_job *placed = &s->placed[job];
	for (uint32_t t = 0; t < s->queue->job[job].tasks; t++) {
		uint32_t leaf = s->machine.leaf[position[t]];
		placed->pieces += !t || position[t] != position[t - 1] + 1;
		placed->leaves += s->leaf_mark[leaf] != job + 1;
		s->leaf_mark[leaf] = job + 1;
	}
	placed->fewest = machine_fewest_leaves(&s->machine, s->queue->job[job].tasks);
}

/* Takes the lowest free hosts for the devices of a job. */
static void take_devices(struct schedule *s, uint32_t job)
{
	uint32_t count = s->needs[job] - s->queue->job[job].tasks, taken = 0;
	for (uint32_t h = 0; taken < count; h++)
		if (!s->machine.busy[h]) {
			machine_take(&s->machine, h);
			s->device[(size_t)job * s->devices + taken++] = h;
		}
}

void schedule_start(struct schedule *s, uint32_t job)
{
	const struct queued_job *j = &s->queue->job[job];
	uint32_t *position = s->position + j->first;
	s->policy.allocation->choose(&s->machine, j->tasks, &s->random, position);
	take_devices(s, job);
	qsort(position, j->tasks, sizeof *position, ascending);
	count_pieces(s, job, position);
	s->policy.mapping->order(&s->random, position, j->tasks);
	for (uint32_t t = 0; t < j->tasks; t++)
		s->host[j->first + t] = s->machine.host[position[t]];
	s->placed[job].start = s->now;
	s->started[job] = true;
	s->place[job] = s->runs;
	s->running[s->runs++] = job;
	s->begun[s->begins++] = job;
}

/* ---- for schedulers and allocations */

void start_first(struct schedule *s)
{
	for (uint32_t i = s->begins; i < s->waits && fits_now(s, s->waiting[i]); i++)
		schedule_start(s, s->waiting[i]);
}

void forget_started(struct schedule *s)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < s->waits; i++)
		if (!s->started[s->waiting[i]])
			s->waiting[kept++] = s->waiting[i];
	s->waits = kept;
}

static int by_end(const void *left, const void *right)
{
	const struct expected *a = left, *b = right;
	return (a->end > b->end) - (a->end < b->end);
}

const struct expected *expect_ends(struct schedule *s, struct error *error)
{
	if (array_grow(&s->expected, &s->expected_room, (size_t)s->runs + 1, sizeof *s->expected, error))
		return NULL;
	for (uint32_t i = 0; i < s->runs; i++) {
		uint32_t job = s->running[i];
		uint64_t start = s->placed[job].start, estimate = s->estimate[job], end = UINT64_MAX;
		if (estimate)
			end = start + ((s->now - start) / estimate + 1) * estimate;
		s->expected[i] = (struct expected){end, s->needs[job]};
	}
	qsort(s->expected, s->runs, sizeof *s->expected, by_end);
	return s->expected;
}

void take_of_leaf(struct machine *machine, uint32_t leaf, uint32_t hosts, uint32_t *chosen)
{
	for (uint32_t i = machine->first[leaf], taken = 0; taken < hosts; i++)
		if (!machine->busy[machine->under[i]]) {
			chosen[taken++] = machine->under[i];
			machine_take(machine, machine->under[i]);
		}
}
