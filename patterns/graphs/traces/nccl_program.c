#include "patterns/graphs/traces/nccl_program.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

uint32_t nccl_device(struct nccl_program *p, const char *name)
{
	for (uint32_t d = p->devices; d-- > 0;)
		if (!strcmp(p->device[d], name))
			return d;
	char *copy = strdup(name);
	if (!copy || array_grow(&p->device, &p->device_capacity, (size_t)p->devices + 1, sizeof *p->device, p->error) ||
		array_grow(&p->global, &p->global_capacity, (size_t)p->devices + 1, sizeof *p->global, p->error)) {
		free(copy);
		error_set(p->error, STATUS_IO, "out of memory");
		return NCCL_NONE;
	}
	p->device[p->devices] = copy;
	p->global[p->devices] = -1;
	return p->devices++;
}

uint32_t nccl_communicator(struct nccl_program *p, const char *id, uint32_t ranks)
{
	for (uint32_t c = p->communicators; c-- > 0;)
		if (!strcmp(p->communicator[c].id, id)) {
			if (p->communicator[c].ranks == ranks)
				return c;
			error_set(p->error, STATUS_FABRIC, "communicator %.60s has %" PRIu32 " ranks, and %" PRIu32, id,
				p->communicator[c].ranks, ranks);
			return NCCL_NONE;
		}
	struct nccl_communicator made = {.id = strdup(id), .ranks = ranks};
	made.device = array_create(ranks, sizeof *made.device, p->error);
	if (!made.id || !made.device ||
		array_grow(&p->communicator, &p->communicator_capacity, (size_t)p->communicators + 1, sizeof *p->communicator, p->error)) {
		free(made.id);
		free(made.device);
		error_set(p->error, STATUS_IO, "out of memory");
		return NCCL_NONE;
	}
	for (uint32_t r = 0; r < ranks; r++)
		made.device[r] = NCCL_NONE;
	p->communicator[p->communicators] = made;
	return p->communicators++;
}

void nccl_ring(struct nccl_program *p, uint32_t communicator, uint32_t channel, uint32_t rank, uint32_t next)
{
	struct nccl_communicator *c = &p->communicator[communicator];
	enum { CHANNELS_MOST = 1024 };
	if (channel >= CHANNELS_MOST || rank >= c->ranks || next >= c->ranks)
		return;
	while (c->channels <= channel) {
		if (array_grow(&c->next, &c->channel_capacity, (size_t)c->channels + 1, sizeof *c->next, p->error) ||
			!(c->next[c->channels] = array_create(c->ranks, sizeof **c->next, p->error)))
			return;
		for (uint32_t r = 0; r < c->ranks; r++)
			c->next[c->channels][r] = NCCL_NONE;
		c->channels++;
	}
	c->next[channel][rank] = next;
}

void nccl_add(struct nccl_program *p, struct nccl_call call)
{
	if (!array_grow(&p->call, &p->call_capacity, p->calls + 1, sizeof *p->call, p->error))
		p->call[p->calls++] = call;
}

bool nccl_operation(const char *name, struct nccl_call *call, bool *all)
{
	static const struct {
		const char *name;
		enum nccl_kind kind;
		enum collective collective;
		bool all;
	} operations[] = {
		{"AllReduce", NCCL_COLLECTIVE, COLLECTIVE_ALLREDUCE, false},
		{"Broadcast", NCCL_COLLECTIVE, COLLECTIVE_BCAST, false},
		{"Reduce", NCCL_COLLECTIVE, COLLECTIVE_REDUCE, false},
		{"AllGather", NCCL_COLLECTIVE, COLLECTIVE_ALLGATHER, true},
		{"ReduceScatter", NCCL_COLLECTIVE, COLLECTIVE_REDUCESCATTER_BLOCK, true},
		{"AlltoAll", NCCL_COLLECTIVE, COLLECTIVE_ALLTOALL, true},
		{"Gather", NCCL_COLLECTIVE, COLLECTIVE_GATHER, true},
		{"Scatter", NCCL_COLLECTIVE, COLLECTIVE_SCATTER, true},
		{"Send", NCCL_SEND, 0, false},
		{"Recv", NCCL_RECEIVE, 0, false},
	};
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (!strcasecmp(name, operations[i].name)) {
			call->kind = operations[i].kind;
			call->collective = operations[i].collective;
			*all = operations[i].all;
			return true;
		}
	return false;
}

void nccl_clear(struct nccl_program *p)
{
	for (uint32_t d = 0; d < p->devices; d++)
		free(p->device[d]);
	for (uint32_t c = 0; c < p->communicators; c++) {
		for (uint32_t k = 0; k < p->communicator[c].channels; k++)
			free(p->communicator[c].next[k]);
		free(p->communicator[c].next);
		free(p->communicator[c].device);
		free(p->communicator[c].id);
	}
	free(p->device);
	free(p->global);
	free(p->communicator);
	free(p->call);
}

/* ---- tasks */

/* Returns the largest communicator, the first of equal ones; NULL: there is none. */
static const struct nccl_communicator *largest(const struct nccl_program *p)
{
	const struct nccl_communicator *found = NULL;
	for (uint32_t c = 0; c < p->communicators; c++)
		if (!found || p->communicator[c].ranks > found->ranks)
			found = &p->communicator[c];
	return found;
}

static bool is_member(const struct nccl_communicator *c, uint32_t device)
{
	for (uint32_t r = 0; r < c->ranks; r++)
		if (c->device[r] == device)
			return true;
	return false;
}

void nccl_complete(struct nccl_program *p)
{
	const struct nccl_communicator *world = largest(p);
	uint32_t known = p->devices;
	char name[40];
	for (uint32_t r = 0; world && r < world->ranks && !p->error->status; r++)
		if (world->device[r] == NCCL_NONE) {
			snprintf(name, sizeof name, "rank %" PRIu32 " without lines", r);
			world->device[r] = nccl_device(p, name);
			p->silent++;
		}
	for (uint32_t c = 0; c < p->communicators; c++) {
		struct nccl_communicator *other = &p->communicator[c];
		uint32_t next = known;
		for (uint32_t r = 0; r < other->ranks; r++) {
			if (other->device[r] != NCCL_NONE)
				continue;
			while (next < p->devices && is_member(other, next))
				next++;
			other->device[r] = next < p->devices ? next : NCCL_NONE;
		}
	}
}

/* Numbers the devices as tasks: by global rank if the log tells it, by the rank in the largest communicator, the others behind. */
static uint32_t number_tasks(const struct nccl_program *p, uint32_t *task)
{
	const struct nccl_communicator *world = largest(p);
	uint32_t tasks = world ? world->ranks : 0;
	for (uint32_t d = 0; d < p->devices; d++) {
		task[d] = NCCL_NONE;
		for (uint32_t r = 0; world && r < world->ranks; r++)
			if (world->device[r] == d)
				task[d] = r;
	}
	for (uint32_t d = 0; d < p->devices; d++)
		if (p->global[d] >= 0 && p->global[d] < tasks)
			task[d] = (uint32_t)p->global[d];
	for (uint32_t d = 0; d < p->devices; d++)
		if (task[d] == NCCL_NONE)
			task[d] = tasks++;
	return tasks;
}

uint32_t nccl_tasks(const struct nccl_program *p)
{
	struct error error = {0};
	uint32_t *task = array_create(p->devices, sizeof *task, &error), tasks = task ? number_tasks(p, task) : 0;
	free(task);
	return tasks;
}

/* ---- replay */

struct playing {
	struct nccl_program *program;
	struct replay *replay;
	enum collective_set set;
	uint32_t *task;      /* [devices] */
	uint32_t *member;    /* [ranks of the largest communicator] those of one that is being defined */
	replay_handle rings; /* handle of the first channel's communicator of the current one; 0: it has no rings */
	uint64_t filled;     /* calls that a rank's log lacks, taken from others */
};

/* Returns the task with a rank of a communicator; NCCL_NONE: the log does not tell it. */
static uint32_t task_of(const struct playing *g, const struct nccl_communicator *c, uint32_t rank)
{
	return c->device[rank] != NCCL_NONE ? g->task[c->device[rank]] : NCCL_NONE;
}

/* Defines a communicator in the order of its ranks, or of a ring. Returns false if a member is not known, or the ring does not close. */
static bool define(struct playing *g, const struct nccl_communicator *c, const uint32_t *next, replay_handle handle)
{
	uint32_t rank = 0;
	for (uint32_t i = 0; i < c->ranks; i++) {
		g->member[i] = rank == NCCL_NONE ? NCCL_NONE : task_of(g, c, rank);
		if (g->member[i] == NCCL_NONE)
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (g->member[k] == g->member[i])
				return false;
		rank = next ? next[rank] : rank + 1;
	}
	return (!next || rank == 0) && !replay_define(g->replay, handle, g->member, c->ranks, NULL, 0);
}

/* Returns the rank's place in a ring. */
static uint32_t place_in_ring(const uint32_t *next, uint32_t rank)
{
	uint32_t place = 0;
	for (uint32_t r = 0; r != rank; r = next[r])
		place++;
	return place;
}

/* A collective operation of one rank: along the rings of all channels together if it has some, each with its share. */
static void play(struct playing *g, const struct nccl_communicator *c, replay_handle handle, const struct nccl_call *call)
{
	struct replay_collective collective = {.name = collective_names[call->collective],
		.collective = call->collective,
		.communicator = handle,
		.root = call->peer,
		.bytes = call->bytes,
		.datatype = 1};
	bool along = g->set == COLLECTIVES_RING && g->rings && call->collective != COLLECTIVE_ALLTOALL &&
		     call->collective != COLLECTIVE_GATHER && call->collective != COLLECTIVE_SCATTER;
	if (!along) {
		replay_collective(g->replay, &collective);
		return;
	}
	double share = floor(call->bytes / c->channels), rest = call->bytes - share * c->channels;
	for (uint32_t k = 0; k < c->channels; k++) {
		collective.communicator = g->rings + k;
		collective.root = call->peer < c->ranks ? place_in_ring(c->next[k], call->peer) : 0;
		collective.bytes = share + (k < rest);
		collective.begins = collective.device = true;
		collective.request = k;
		replay_collective(g->replay, &collective);
	}
	for (uint32_t k = 0; k < c->channels; k++)
		replay_wait_for(g->replay, k, NULL);
	replay_wait(g->replay);
}

static int compare_calls(const void *left, const void *right)
{
	const struct nccl_call *a = *(const struct nccl_call *const *)left, *b = *(const struct nccl_call *const *)right;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* All ranks of a communicator call each of its operations, also those whose log lacks it. */
static void play_collectives(struct playing *g, uint32_t number, replay_handle handle)
{
	struct nccl_program *p = g->program;
	const struct nccl_communicator *c = &p->communicator[number];
	const struct nccl_call **call = array_create(p->calls, sizeof *call, p->error);
	size_t calls = 0;
	for (size_t i = 0; call && i < p->calls; i++)
		if (p->call[i].communicator == number && p->call[i].kind == NCCL_COLLECTIVE)
			call[calls++] = &p->call[i];
	if (calls)
		qsort(call, calls, sizeof *call, compare_calls);
	for (size_t i = 0, end; i < calls && !p->error->status; i = end) {
		for (end = i + 1; end < calls && call[end]->number == call[i]->number; end++)
			if (call[end]->collective != call[i]->collective)
				error_set(p->error, STATUS_FABRIC,
					"operation %" PRIu64 " of communicator %.60s is '%s' of rank %" PRIu32 " and '%s' of rank %" PRIu32,
					call[i]->number, c->id, collective_names[call[i]->collective], call[i]->rank,
					collective_names[call[end]->collective], call[end]->rank);
		g->filled += end - i < c->ranks ? c->ranks - (end - i) : 0;
		for (uint32_t r = 0; r < c->ranks && !p->error->status; r++) {
			replay_at(g->replay, task_of(g, c, r), number);
			play(g, c, handle, call[i]);
		}
	}
	free(call);
}

/* Messages of the communicator: all begin together, as a log does not tell which are one group. */
static void play_messages(struct playing *g, uint32_t number, replay_handle handle)
{
	struct nccl_program *p = g->program;
	const struct nccl_communicator *c = &p->communicator[number];
	for (size_t i = 0; i < p->calls && !p->error->status; i++) {
		const struct nccl_call *call = &p->call[i];
		if (call->communicator != number || call->kind == NCCL_COLLECTIVE || call->peer >= c->ranks)
			continue;
		const struct replay_message message = {handle, call->peer, 0, call->bytes, REPLAY_STANDARD};
		replay_at(g->replay, task_of(g, c, call->rank), p->communicators + number);
		replay_handle request = (UINT64_C(1) << 32) + i;
		if (call->kind == NCCL_SEND)
			replay_begin_send(g->replay, &message, request);
		else
			replay_begin_receive(g->replay, &message, request);
	}
}

static void play_communicator(struct playing *g, uint32_t number, replay_handle *handle)
{
	struct nccl_program *p = g->program;
	const struct nccl_communicator *c = &p->communicator[number];
	replay_handle own = (*handle)++;
	bool closed = c->channels;
	if (!define(g, c, NULL, own)) {
		error_set(p->error, STATUS_FABRIC, "the log does not tell which devices are the ranks of communicator %.60s", c->id);
		return;
	}
	g->rings = *handle;
	for (uint32_t k = 0; k < c->channels && closed; k++)
		closed = define(g, c, c->next[k], (*handle)++);
	if (!closed)
		g->rings = 0;
	play_collectives(g, number, own);
	play_messages(g, number, own);
}

int nccl_replay(struct nccl_program *p, struct replay *replay, struct task_builder *builder, enum collective_set set)
{
	struct playing g = {.program = p, .replay = replay, .set = set};
	replay_handle handle = 2;
	uint64_t unringed = 0;
	g.task = array_create(p->devices, sizeof *g.task, p->error);
	g.member = array_create(largest(p) ? largest(p)->ranks : 0, sizeof *g.member, p->error);
	if (g.task)
		number_tasks(p, g.task);
	for (uint32_t c = 0; c < p->communicators && !p->error->status; c++) {
		play_communicator(&g, c, &handle);
		unringed += !g.rings;
	}
	if (set == COLLECTIVES_RING && unringed)
		task_note(builder, "the log has no rings of %" PRIu64 " communicators: they follow their ranks", unringed);
	if (p->silent)
		task_note(builder, "the log has no lines of %" PRIu64 " ranks", p->silent);
	if (g.filled)
		task_note(
			builder, "%" PRIu64 " calls are missing of ranks that others have called with, and are taken from those", g.filled);
	if (p->trees)
		task_note(builder, "%" PRIu64 " operations used trees and are replayed as the others", p->trees);
	free(g.task);
	free(g.member);
	return p->error->status ? -1 : 0;
}
