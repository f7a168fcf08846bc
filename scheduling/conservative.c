/*
 * Conservative backfilling: each waiting job has a reservation, which those behind it must not delay (Mu'alem, Feitelson, TPDS 2001). All
 * reservations are planned anew in each pass, from the expected ends of the running jobs. A job without an estimate is placed after all
 * before it, and for ever.
 */
#include "base/memory.h"
#include "scheduling/scheduler.h"

#include <string.h>

/* The free hosts from a time on until the time of the next step; the last lasts for ever. */
struct step {
	uint64_t from;
	uint32_t unused;
};

/*
 * The place of a job. Reservations only take hosts away, so a later job that is as large and as long, or more so, finds none before it. Of
 * the jobs of one size and length, rounded down to powers of two, the latest place is kept.
 */
struct known_place {
	uint64_t time, length;
	uint32_t tasks; /* 0: there is none */
};

enum { SIZES = 32, LENGTHS = 64 };

struct profile {
	struct step *step;
	size_t steps;
	struct known_place place[SIZES][LENGTHS];
	unsigned sizes, shortest, longest; /* places are below so many sizes, and within these lengths */
};

/* Begins the profile with the ends of the running jobs. Returns 0, or -1. */
static int begin(struct profile *p, struct schedule *s, struct error *error)
{
	const struct expected *ends = expect_ends(s, error);
	size_t room = 2 * ((size_t)s->runs + s->waits) + 4;
	if (!ends || array_grow(&s->profile, &s->profile_room, room, sizeof *p->step, error))
		return -1;
	*p = (struct profile){.step = s->profile, .steps = 1, .shortest = LENGTHS};
	p->step[0] = (struct step){s->now, s->machine.unused};
	for (uint32_t i = 0; i < s->runs && ends[i].end != UINT64_MAX; i++) {
		struct step *last = &p->step[p->steps - 1];
		if (last->from == ends[i].end)
			last->unused += ends[i].tasks;
		else
			p->step[p->steps++] = (struct step){ends[i].end, last->unused + ends[i].tasks};
	}
	return 0;
}

/* Returns the end of a length of time, never for ever. */
static uint64_t end_of(uint64_t from, uint64_t length)
{
	return length < UINT64_MAX - from ? from + length : UINT64_MAX;
}

static unsigned log_of(uint64_t number)
{
	return 63 - (unsigned)__builtin_clzll(number);
}

/* Returns the latest time before which a job cannot have a place, by those of others. */
static uint64_t known_bound(const struct profile *p, uint32_t tasks, uint64_t length)
{
	uint64_t bound = 0;
	for (unsigned a = 0; a <= log_of(tasks) && a < p->sizes; a++)
		for (unsigned b = p->shortest; b <= log_of(length) && b <= p->longest; b++) {
			const struct known_place *k = &p->place[a][b];
			if (k->tasks && k->tasks <= tasks && k->length <= length && k->time > bound)
				bound = k->time;
		}
	return bound;
}

static void keep_place(struct profile *p, uint32_t tasks, uint64_t length, uint64_t time)
{
	unsigned a = log_of(tasks), b = log_of(length);
	struct known_place *k = &p->place[a][b];
	p->sizes = a >= p->sizes ? a + 1 : p->sizes;
	p->shortest = b < p->shortest ? b : p->shortest;
	p->longest = b > p->longest ? b : p->longest;
	if (!k->tasks || time >= k->time)
		*k = (struct known_place){time, length, tasks};
}

/* Returns the last step that begins at a time or before it. */
static size_t step_of(const struct profile *p, uint64_t time)
{
	size_t low = 0, high = p->steps;
	while (high - low > 1) { /* step[low].from <= time */
		size_t middle = (low + high) / 2;
		*(p->step[middle].from <= time ? &low : &high) = middle;
	}
	return low;
}

/* Returns the earliest time, not before earliest, from which so many hosts are free for the length; UINT64_MAX: never. */
static uint64_t find(const struct profile *p, uint32_t tasks, uint64_t earliest, uint64_t length)
{
	uint64_t from = UINT64_MAX;
	for (size_t i = step_of(p, earliest); i < p->steps; i++) {
		if (p->step[i].unused < tasks) {
			from = UINT64_MAX;
			continue;
		}
		if (from == UINT64_MAX)
			from = p->step[i].from > earliest ? p->step[i].from : earliest;
		if (i + 1 < p->steps && p->step[i + 1].from >= end_of(from, length))
			break;
	}
	return from;
}

/* Makes a step begin at the time. Returns its index; the number of steps if that is never. */
static size_t split(struct profile *p, uint64_t time)
{
	size_t low = step_of(p, time);
	if (time == UINT64_MAX)
		return p->steps;
	if (p->step[low].from == time)
		return low;
	memmove(p->step + low + 2, p->step + low + 1, (p->steps - low - 1) * sizeof *p->step);
	p->step[low + 1] = (struct step){time, p->step[low].unused};
	p->steps++;
	return low + 1;
}

/* Reserves the hosts from a time on for the length. */
static void occupy(struct profile *p, uint32_t tasks, uint64_t from, uint64_t length)
{
	size_t first = split(p, from), end = split(p, end_of(from, length));
	for (size_t i = first; i < end; i++)
		p->step[i].unused -= tasks;
}

/* Finds the number of tasks of the smallest job from each waiting one on. */
static void find_smallest(struct schedule *s)
{
	uint32_t least = UINT32_MAX;
	for (uint32_t i = s->waits; i-- > 0; s->smallest[i] = least)
		least = s->needs[s->waiting[i]] < least ? s->needs[s->waiting[i]] : least;
}

static int pass(struct schedule *s, struct error *error)
{
	struct profile p;
	uint64_t latest = s->now;
	find_smallest(s);
	if (s->smallest[0] > s->machine.unused)
		return 0;
	if (begin(&p, s, error))
		return -1;
	/* jobs that are too large to start now, and have only such jobs behind them, need no place */
	for (uint32_t i = 0; i < s->waits && s->smallest[i] <= s->machine.unused; i++) {
		uint32_t job = s->waiting[i], tasks = s->needs[job];
		uint64_t length = s->estimate[job] ? s->estimate[job] : UINT64_MAX;
		uint64_t bound = known_bound(&p, tasks, length), earliest = s->estimate[job] || bound > latest ? bound : latest;
		uint64_t time = find(&p, tasks, earliest > s->now ? earliest : s->now, length);
		if (s->estimate[job])
			keep_place(&p, tasks, length, time);
		latest = time > latest ? time : latest;
		if (time != UINT64_MAX)
			occupy(&p, tasks, time, length);
		if (time == s->now)
			schedule_start(s, job);
	}
	return 0;
}

const struct scheduler scheduler_conservative = {
	.name = "conservative",
	.summary = "backfilling in which every waiting job has a reservation, planned anew at each submission and end",
	.source = "INRFlow 3.4",
	.pass = pass,
};
