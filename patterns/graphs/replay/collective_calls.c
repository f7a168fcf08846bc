/* Collective operations as ranks call them: that all members of a communicator call the same ones, and what messages they become. */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the error for a call that is not that of the first rank. */
static void tell_other(struct replay *replay, uint32_t number, const struct replay_collective *call, const struct collective_step *step)
{
	char first[600] = "";
	if (step->line)
		snprintf(first, sizeof first, " (%s:%" PRIu32 ")", step->file, step->line);
	error_at(replay->error, STATUS_USAGE, replay->file, replay->line,
		"collective operation %" PRIu32 " of rank %" PRIu32 " is '%s' with root %" PRIu32 ", that of rank %" PRIu32
		"%s '%s' with root %" PRIu32,
		number + 1, replay->at, call->name, call->root, step->task, first, step->name, step->root);
}

/* Enters the rank into its next collective operation, which must be that of the other members. Returns 0, or -1. */
static int enter(struct replay *replay, struct membership *in, uint32_t number, const struct replay_collective *call)
{
	struct communicator *c = &replay->communicator[in->communicator];
	while (c->steps <= number) {
		if (array_grow(&c->step, &c->step_capacity, c->steps + 1, sizeof *c->step, replay->error))
			return -1;
		c->step[c->steps++] = (struct collective_step){.name = NULL};
	}
	struct collective_step *step = &c->step[number];
	if (!step->name)
		*step = (struct collective_step){call->name, call->root, 0, replay->line, replay->at, replay->file};
	step->arrived++;
	if (strcmp(step->name, call->name) || step->root != call->root)
		tell_other(replay, number, call, step);
	else if (call->root >= c->size[0])
		replay_error(replay, "'%s' of rank %" PRIu32 ": the communicator has no rank %" PRIu32, call->name, replay->at, call->root);
	return replay->error->status ? -1 : 0;
}

static void give(void *data, uint32_t rank, double bytes)
{
	struct replay *replay = data;
	replay_add_message(replay, replay_task(replay, replay->in, replay->at, rank), replay->tag, bytes);
}

static void take(void *data, uint32_t rank)
{
	struct replay *replay = data;
	replay->rank[replay->at].point = replay_add_receive(replay, replay_task(replay, replay->in, replay->at, rank), replay->tag);
}

/* Adds the messages of the current rank in a collective operation of a communicator whose members are known. */
static void expand(struct replay *replay, uint32_t membership, uint32_t number, const struct replay_collective *call)
{
	struct membership *in = &replay->rank[replay->at].membership[membership];
	const struct communicator *c = &replay->communicator[in->communicator];
	if (c->group[1]) {
		replay_error(replay, "rank %" PRIu32 ": '%s' of an intercommunicator is not supported", replay->at, call->name);
		return;
	}
	if (in->communicator == 1 || enter(replay, in, number, call))
		return;
	replay->in = in;
	/* the tags of ranks are below 2^32 */
	replay->tag = separate_tag(in->communicator, UINT64_C(1) << 32 | number);
	struct collective_call run = {
		.set = replay->options.collectives,
		.collective = call->collective,
		.ranks = c->size[0],
		.rank = in->rank,
		.root = call->root,
		.bytes = call->bytes,
		.count = call->count,
		.datatype = call->datatype,
		.give = give,
		.take = take,
		.data = replay,
	};
	collective_run(&run);
}

/* Keeps an operation until the members are known; what follows waits for a join that it will end with. */
static void defer(struct replay *replay, uint32_t membership, uint32_t number, const struct replay_collective *call)
{
	struct rank *rank = &replay->rank[replay->at];
	struct deferred later = {.call = *call,
		.task = replay->at,
		.membership = membership,
		.number = number,
		.entry = rank->point,
		.line = replay->line,
		.file = replay->file};
	later.counts = call->count ? replay->ranks : 0; /* more than the members need */
	if (array_grow(
		    &replay->deferred, &replay->deferred_capacity, replay->deferred_count + 1, sizeof *replay->deferred, replay->error) ||
		(call->count && !(later.count = array_copy(call->count, later.counts, sizeof *later.count, replay->error))))
		return;
	later.exit = task_join(replay->builder, replay->at);
	rank->point = later.exit;
	replay->deferred[replay->deferred_count++] = later;
}

void replay_collective(struct replay *replay, const struct replay_collective *call)
{
	uint32_t m = replay->error->status ? UNKNOWN : replay_membership(replay, call->communicator);
	if (m == UNKNOWN)
		return;
	struct rank *rank = &replay->rank[replay->at];
	uint32_t number = rank->membership[m].collectives++, before = rank->point;
	if (rank->membership[m].communicator == UNKNOWN)
		defer(replay, m, number, call);
	else
		expand(replay, m, number, call);
	if (!call->begins)
		return;
	replay_own_request(replay, call->request, rank->point == before ? OPERATION_NONE : rank->point);
	rank->point = before;
}

/* ---- the end */

static void expand_deferred(struct replay *replay, struct deferred *later)
{
	struct rank *rank = &replay->rank[later->task];
	replay_at(replay, later->task, rank->thread);
	replay_place(replay, later->file, later->line);
	rank->point = later->entry;
	later->call.count = later->count;
	if (rank->membership[later->membership].communicator == UNKNOWN)
		replay_error(replay, "rank %" PRIu32 " calls '%s' on a communicator that it does not have", later->task, later->call.name);
	else
		expand(replay, later->membership, later->number, &later->call);
	if (rank->point != OPERATION_NONE)
		task_after(replay->builder, later->exit, rank->point);
}

/* Checks that each rank has called all collective operations of its communicators. */
static int check_all_called(struct replay *replay)
{
	for (uint32_t r = 0; r < replay->ranks; r++)
		for (uint32_t m = 0; m < replay->rank[r].memberships; m++) {
			const struct membership *in = &replay->rank[r].membership[m];
			if (in->communicator == UNKNOWN || in->collectives >= replay->communicator[in->communicator].steps)
				continue;
			const struct collective_step *step = &replay->communicator[in->communicator].step[in->collectives];
			return error_at(replay->error, STATUS_FABRIC, step->file ? step->file : "trace", step->line,
				"rank %" PRIu32 " waits in '%s' for rank %" PRIu32 ", which never calls this collective operation",
				step->task, step->name, r);
		}
	return 0;
}

int replay_end_collectives(struct replay *replay)
{
	for (size_t i = 0; i < replay->deferred_count && !replay->error->status; i++)
		expand_deferred(replay, &replay->deferred[i]);
	if (replay->error->status)
		return -1;
	return replay->options.incomplete ? 0 : check_all_called(replay);
}
