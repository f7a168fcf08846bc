#include "engines/flow/storage.h"

#include "base/memory.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers channels for a limit, if there is one. */
static uint32_t number(double limit, uint32_t count, uint32_t *next)
{
	uint32_t first = *next;
	if (!(limit > 0))
		return NONE;
	*next += count;
	return first;
}

uint32_t storage_init(struct storage *s, const struct storage_setup *setup, uint32_t hosts, uint32_t first)
{
	const struct storage_options *o = setup->options;
	*s = (struct storage){.setup = *setup, .hosts = hosts};
	s->read = number(o->read, hosts, &first);
	s->write = number(o->write, hosts, &first);
	s->controller = number(o->controller, hosts, &first);
	s->link = number(o->san_link, hosts, &first);
	s->san_read = number(o->san_read, 1, &first);
	s->san_write = number(o->san_write, 1, &first);
	return first;
}

void storage_clear(struct storage *s)
{
	free(s->device);
	free(s->mark);
	free(s->chosen);
	free(s->user);
}

static void fill(double *capacity, uint32_t first, uint32_t count, double limit)
{
	for (uint32_t i = 0; first != NONE && i < count; i++)
		capacity[first + i] = limit;
}

void storage_fill(const struct storage *s, double *capacity)
{
	const struct storage_options *o = s->setup.options;
	fill(capacity, s->read, s->hosts, o->read);
	fill(capacity, s->write, s->hosts, o->write);
	fill(capacity, s->controller, s->hosts, o->controller);
	fill(capacity, s->link, s->hosts, o->san_link);
	fill(capacity, s->san_read, 1, o->san_read);
	fill(capacity, s->san_write, 1, o->san_write);
}

/* ---- devices of jobs */

/* Marks the jobs that read or write. Returns 0, or -1 if out of memory. */
static int find_users(struct storage *s, const struct task_graph *graph, struct error *error)
{
	uint32_t jobs = graph->jobs ? graph->jobs : 1;
	if (array_grow(&s->user, &s->user_room, jobs, sizeof *s->user, error))
		return -1;
	memset(s->user, 0, jobs * sizeof *s->user);
	for (uint32_t o = 0; o < graph->operations; o++) {
		uint32_t low = 0, high = jobs;
		if (!is_transfer(graph, o))
			continue;
		while (high - low > 1) { /* the job's first task <= the task */
			uint32_t middle = low + (high - low) / 2;
			*(graph->job[middle] <= graph->task[o] ? &low : &high) = middle;
		}
		s->user[low] = true;
	}
	return 0;
}

int storage_begin(struct storage *s, const struct task_graph *graph, uint64_t run, struct error *error)
{
	const struct storage_options *o = s->setup.options;
	s->run = run;
	s->by_job = graph->transfers && (o->policy == STORAGE_INTERNAL || o->policy == STORAGE_EXTERNAL);
	if (!s->by_job)
		return 0;
	if (!s->mark)
		s->mark = array_create(s->hosts, sizeof *s->mark, error);
	return find_users(s, graph, error) || array_grow(&s->device, &s->device_room, graph->tasks, sizeof *s->device, error) ||
			       array_grow(&s->chosen, &s->chosen_room, o->devices, sizeof *s->chosen, error)
		       ? -1
		       : 0;
}

bool storage_uses(const struct storage *s, uint32_t job)
{
	return s->by_job && s->user[job];
}

uint32_t storage_outside(const struct storage *s, uint32_t job, uint32_t hosts)
{
	const struct storage_options *o = s->setup.options;
	if (!storage_uses(s, job) || o->policy != STORAGE_EXTERNAL || o->any)
		return 0;
	return o->devices - (hosts < o->inside ? hosts : o->inside);
}

uint32_t storage_take(struct storage *s, uint32_t first, uint32_t tasks, const uint32_t *host, const uint32_t *outside, uint32_t outsides)
{
	const struct storage_options *o = s->setup.options;
	uint32_t count = 0, used = 0, inside = o->policy == STORAGE_INTERNAL ? o->devices : o->inside;
	for (uint32_t i = first; i < first + tasks; i++) {
		if (count < inside && !s->mark[host[i]])
			s->chosen[count++] = host[i];
		s->mark[host[i]] = true;
	}
	for (; o->policy == STORAGE_EXTERNAL && used < outsides && count < o->devices; used++)
		if (!s->mark[outside[used]])
			s->chosen[count++] = outside[used];
	for (uint32_t i = first; i < first + tasks; i++)
		s->mark[host[i]] = false;
	if (o->policy == STORAGE_EXTERNAL && count < o->devices)
		return UINT32_MAX;
	for (uint32_t i = 0; i < tasks; i++)
		s->device[first + i] = s->chosen[i % count];
	return used;
}

/* Lists the hosts that hold neither tasks nor, so far, devices; with any, all hosts. */
static uint32_t *list_outside(
	const struct storage *s, const struct task_graph *graph, const uint32_t *host, uint32_t *count, struct error *error)
{
	bool *held = array_create(s->hosts, sizeof *held, error);
	uint32_t *list = array_create(s->hosts, sizeof *list, error);
	*count = 0;
	for (uint32_t i = 0; !error->status && i < graph->tasks && !s->setup.options->any; i++)
		held[host[i]] = true;
	for (uint32_t h = 0; !error->status && h < s->hosts; h++)
		if (!held[h])
			list[(*count)++] = h;
	free(held);
	return list;
}

/* Sets the error that a job, or all tasks if there are no jobs, has too few hosts outside for its devices. Returns -1. */
static int refuse(const struct storage *s, const struct task_graph *graph, uint32_t job, struct error *error)
{
	char whose[40] = "";
	if (graph->jobs)
		snprintf(whose, sizeof whose, " for job %" PRIu32, job);
	return s->setup.options->any
		       ? error_set(error, STATUS_USAGE,
				 "--storage external: too few hosts%s are outside the job; choose fewer devices or ranks", whose)
		       : error_set(error, STATUS_USAGE,
				 "--storage external: too few hosts%s hold neither tasks nor devices; choose fewer devices or "
				 "ranks, or ',any' for hosts of other jobs",
				 whose);
}

int storage_take_all(struct storage *s, const struct task_graph *graph, const uint32_t *host, struct error *error)
{
	uint32_t outsides, used = 0, jobs = graph->jobs ? graph->jobs : 1;
	if (!s->by_job)
		return 0;
	uint32_t *outside = list_outside(s, graph, host, &outsides, error);
	for (uint32_t job = 0; job < jobs && !error->status; job++) {
		if (!s->user[job])
			continue;
		uint32_t first = graph->jobs ? graph->job[job] : 0, end = job + 1 < jobs ? graph->job[job + 1] : graph->tasks;
		uint32_t more = storage_take(s, first, end - first, host, outside + used, outsides - used);
		if (more == UINT32_MAX)
			refuse(s, graph, job, error);
		else if (!s->setup.options->any)
			used += more;
	}
	free(outside);
	return error->status ? -1 : 0;
}

/* ---- transfers */

/* Whether memory answers the read. */
static bool is_cached(const struct storage *s, const struct task_graph *graph, uint32_t operation)
{
	uint32_t word[4];
	if (graph->kind[operation] != OPERATION_READ || s->setup.options->cached == 0)
		return false;
	random_message(word, s->setup.seed, s->run, graph->task[operation], operation);
	return word[0] < s->setup.options->cached * 0x1p32;
}

static void pass(struct transfer *t, uint32_t first, uint32_t index)
{
	if (first != NONE)
		t->channel[t->count++] = first + index;
}

struct transfer storage_transfer(const struct storage *s, const struct task_graph *graph, uint32_t operation, uint32_t host)
{
	bool read = graph->kind[operation] == OPERATION_READ;
	struct transfer t = {.host = NONE};
	switch (s->setup.options->policy) {
	case STORAGE_LOCAL: t.host = is_cached(s, graph, operation) ? NONE : host; break;
	case STORAGE_NAS: t.host = s->setup.nas; break;
	case STORAGE_INTERNAL:
	case STORAGE_EXTERNAL: t.host = s->device[graph->task[operation]]; break;
	case STORAGE_SAN:
		pass(&t, read ? s->san_read : s->san_write, 0);
		pass(&t, s->link, host);
		break;
	}
	if (t.host != NONE) {
		pass(&t, read ? s->read : s->write, t.host);
		pass(&t, s->controller, t.host);
	}
	return t;
}
