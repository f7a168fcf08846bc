#include "engines/flow/storage.h"

#include "base/memory.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* A job that takes its devices. */
struct taking {
	struct storage *storage;
	const uint32_t *host;      /* [tasks] */
	uint32_t first, end;       /* its tasks */
	uint8_t *held;             /* [hosts] HELD by a job; DEVICE of a job outside */
	uint32_t *device, devices; /* taken so far */
};

enum { HELD = 1, DEVICE = 2, OWN = 4, CHOSEN = 8 };

/* Takes hosts of the job itself, in the order of its tasks. */
static void take_inside(struct taking *t, uint32_t count)
{
	for (uint32_t i = t->first; i < t->end && t->devices < count; i++) {
		if (t->held[t->host[i]] & CHOSEN)
			continue;
		t->held[t->host[i]] |= CHOSEN;
		t->device[t->devices++] = t->host[i];
	}
}

/* Takes hosts outside the job, in the order of the fabric. */
static void take_outside(struct taking *t, uint32_t count, bool any)
{
	for (uint32_t h = 0; h < t->storage->hosts && t->devices < count; h++) {
		if (t->held[h] & OWN || (!any && t->held[h]))
			continue;
		t->held[h] |= DEVICE;
		t->device[t->devices++] = h;
	}
}

static int take_devices(struct taking *t, uint32_t job, struct error *error)
{
	const struct storage_options *o = t->storage->setup.options;
	bool outside = o->policy == STORAGE_EXTERNAL;
	t->devices = 0;
	for (uint32_t i = t->first; i < t->end; i++)
		t->held[t->host[i]] |= OWN;
	take_inside(t, outside ? o->inside : o->devices);
	if (outside)
		take_outside(t, o->devices, o->any);
	for (uint32_t i = t->first; i < t->end; i++)
		t->held[t->host[i]] &= (uint8_t) ~(OWN | CHOSEN);
	if (outside && t->devices < o->devices)
		return error_set(error, STATUS_USAGE,
			"--storage external: job %" PRIu32 " gets %" PRIu32 " of %" PRIu32
			" devices: too few hosts are free; fewer devices, or ',any' for hosts that others hold",
			job, t->devices, o->devices);
	for (uint32_t i = t->first; i < t->end; i++)
		t->storage->device[i] = t->device[(i - t->first) % t->devices];
	return 0;
}

int storage_assign(struct storage *s, const struct task_graph *graph, const uint32_t *host, uint64_t run, struct error *error)
{
	const struct storage_options *o = s->setup.options;
	s->run = run;
	if (!graph->transfers || (o->policy != STORAGE_INTERNAL && o->policy != STORAGE_EXTERNAL))
		return 0;
	struct taking taking = {
		.storage = s,
		.host = host,
		.held = array_create(s->hosts, sizeof *taking.held, error),
		.device = array_create(o->devices, sizeof *taking.device, error),
	};
	array_grow(&s->device, &s->device_room, graph->tasks, sizeof *s->device, error);
	for (uint32_t i = 0; i < graph->tasks && !error->status; i++)
		taking.held[host[i]] = HELD;
	for (uint32_t job = 0; job < (graph->jobs ? graph->jobs : 1) && !error->status; job++) {
		taking.first = graph->jobs ? graph->job[job] : 0;
		taking.end = job + 1 < graph->jobs ? graph->job[job + 1] : graph->tasks;
		take_devices(&taking, job, error);
	}
	free(taking.held);
	free(taking.device);
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
