/* Collective operations as ranks call them: that all members of a communicator call the same ones, and what messages they become. */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the error for a call that is not that of the first rank. */
static void tell_other(struct replay *replay, uint32_t number, const char *name, uint32_t root, const struct collective_step *step)
{
	char first[600] = "";
	if (step->line)
		snprintf(first, sizeof first, " (%s:%" PRIu32 ")", step->file, step->line);
	error_at(replay->error, STATUS_USAGE, replay->file, replay->line,
		"collective operation %" PRIu32 " of rank %" PRIu32 " is '%s' with root %" PRIu32 ", that of rank %" PRIu32
		"%s '%s' with root %" PRIu32,
		number + 1, replay->at, name, root, step->task, first, step->name, step->root);
}

/* Returns the place of a call's root among the members of both groups; UNKNOWN if another rank must say. */
static uint32_t place_of_root(const struct communicator *c, const struct membership *in, const struct replay_collective *call)
{
	if (!c->group[1])
		return call->root;
	if (!collective_is_rooted(call->collective))
		return 0;
	return call->root == REPLAY_ROOT_OWN ? UNKNOWN : in->side ? call->root : c->size[0] + call->root;
}

/* Checks the root and the numbers of blocks of a call. */
static void check_call(
	struct replay *replay, const struct communicator *c, const struct membership *in, const struct replay_collective *call)
{
	uint32_t other = c->group[1] ? 1 - in->side : 0, blocks = collective_is_local(call->collective) ? call->tos : c->size[0];
	bool from_root = c->group[1] && (call->root == REPLAY_ROOT_OWN || !collective_is_rooted(call->collective));
	if (call->root >= c->size[other] && !from_root)
		replay_error(replay, "'%s' of rank %" PRIu32 ": the communicator has no rank %" PRIu32, call->name, replay->at, call->root);
	if (c->group[1])
		blocks = c->size[call->collective == COLLECTIVE_REDUCESCATTER ? in->side : other];
	if (call->count && call->counts < blocks)
		replay_error(replay, "'%s' of rank %" PRIu32 " has %" PRIu32 " counts for %" PRIu32 " blocks", call->name, replay->at,
			call->counts, blocks);
	for (uint32_t i = 0; i < call->tos + call->froms; i++) {
		uint32_t rank = i < call->tos ? call->to[i] : call->from[i - call->tos];
		if (rank >= c->size[0])
			replay_error(
				replay, "'%s' of rank %" PRIu32 ": the communicator has no rank %" PRIu32, call->name, replay->at, rank);
	}
	if (c->group[1] &&
		(collective_is_local(call->collective) || call->collective == COLLECTIVE_SCAN || call->collective == COLLECTIVE_EXSCAN))
		replay_error(replay, "rank %" PRIu32 ": '%s' is not an operation of intercommunicators", replay->at, call->name);
}

/* Enters the rank into its next collective operation, which must be that of the other members. Returns it; NULL on errors. */
static struct collective_step *enter(
	struct replay *replay, const struct membership *in, uint32_t number, const struct replay_collective *call)
{
	struct communicator *c = &replay->communicator[in->communicator];
	uint32_t root = place_of_root(c, in, call);
	while (c->steps <= number) {
		if (array_grow(&c->step, &c->step_capacity, c->steps + 1, sizeof *c->step, replay->error))
			return NULL;
		c->step[c->steps++] = (struct collective_step){.name = NULL};
	}
	struct collective_step *step = &c->step[number];
	if (!step->name)
		*step = (struct collective_step){call->name, root, 0, replay->line, replay->at, replay->file, NULL};
	if (step->root == UNKNOWN)
		step->root = root;
	step->arrived++;
	if (strcmp(step->name, call->name) || (root != UNKNOWN && step->root != root))
		tell_other(replay, number, call->name, root, step);
	else
		check_call(replay, c, in, call);
	return replay->error->status ? NULL : step;
}

/* Returns the task with a rank of the operation: the members of the other group follow those of the own. */
static uint32_t task_of(const struct replay *replay, uint32_t rank)
{
	const struct membership *in = replay->in;
	const struct communicator *c = &replay->communicator[in->communicator];
	if (!c->group[1])
		return replay_task(replay, in, replay->at, rank);
	uint32_t own = c->size[in->side];
	return rank < own ? c->group[in->side][rank] : c->group[1 - in->side][rank - own];
}

static void give(void *data, uint32_t rank, double bytes)
{
	struct replay *replay = data;
	replay_add_message(replay, task_of(replay, rank), replay->tag, bytes);
}

static void take(void *data, uint32_t rank)
{
	struct replay *replay = data;
	replay->rank[replay->at].point = replay_add_receive(replay, task_of(replay, rank), replay->tag);
}

/* Sets the other group of an intercommunicator, the root among the ranks of both, and what all members have. */
static void set_groups(const struct replay *replay, const struct collective_step *step, struct collective_call *run)
{
	const struct communicator *c = &replay->communicator[replay->in->communicator];
	uint32_t side = replay->in->side;
	run->ranks = c->size[side];
	run->remote = c->size[1 - side];
	run->own = step->bytes + (side ? c->size[0] : 0);
	run->other = step->bytes + (side ? 0 : c->size[0]);
	if (side)
		run->root = step->root < c->size[0] ? run->ranks + step->root : step->root - c->size[0];
	else
		run->root = step->root;
}

/* Adds the messages of the current rank in a collective operation of a communicator whose members are known. */
static void expand(struct replay *replay, uint32_t membership, const struct collective_step *step, uint32_t number,
	const struct replay_collective *call)
{
	struct membership *in = &replay->rank[replay->at].membership[membership];
	const struct communicator *c = &replay->communicator[in->communicator];
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
		.nonblocking = call->begins && !call->device,
		.to = call->to,
		.from = call->from,
		.tos = call->tos,
		.froms = call->froms,
		.give = give,
		.take = take,
		.data = replay,
	};
	if (c->group[1])
		set_groups(replay, step, &run);
	collective_run(&run);
}

/* Enters the current rank into an operation of a communicator with one group, and adds its messages. */
static void enter_and_expand(struct replay *replay, uint32_t membership, uint32_t number, const struct replay_collective *call)
{
	const struct membership *in = &replay->rank[replay->at].membership[membership];
	bool alone = in->communicator == 1; /* steps of this communicator would be those of all ranks */
	if (alone)
		check_call(replay, &replay->communicator[1], in, call);
	if (alone ? !replay->error->status : enter(replay, in, number, call) != NULL)
		expand(replay, membership, NULL, number, call);
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
	if (array_grow(
		    &replay->deferred, &replay->deferred_capacity, replay->deferred_count + 1, sizeof *replay->deferred, replay->error) ||
		(call->count && !(later.count = array_copy(call->count, call->counts, sizeof *later.count, replay->error))))
		return;
	size_t neighbours = (size_t)call->tos + call->froms;
	if (neighbours && (later.neighbours = array_create(neighbours, sizeof *later.neighbours, replay->error))) {
		memcpy(later.neighbours, call->to, call->tos * sizeof *call->to);
		memcpy(later.neighbours + call->tos, call->from, call->froms * sizeof *call->from);
	}
	later.call.count = later.count;
	later.call.to = later.neighbours;
	later.call.from = later.neighbours + call->tos;
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
	uint32_t c = rank->membership[m].communicator;
	if (c == UNKNOWN || replay->communicator[c].group[1])
		defer(replay, m, number, call);
	else
		enter_and_expand(replay, m, number, call);
	if (!call->begins)
		return;
	replay_own_request(replay, call->request, rank->point == before ? OPERATION_NONE : rank->point);
	rank->point = before;
}

/* ---- the end */

/* Returns the membership of a deferred call, whose rank becomes the current one; NULL on errors. */
static const struct membership *resume(struct replay *replay, const struct deferred *later)
{
	struct rank *rank = &replay->rank[later->task];
	replay_at(replay, later->task, rank->thread);
	replay_place(replay, later->file, later->line);
	rank->point = later->entry;
	const struct membership *in = &rank->membership[later->membership];
	if (in->communicator != UNKNOWN)
		return in;
	replay_error(replay, "rank %" PRIu32 " calls '%s' on a communicator that it does not have", later->task, later->call.name);
	return NULL;
}

/* Enters a rank into an operation of an intercommunicator: what it has must be known before that becomes messages. */
static void enter_deferred(struct replay *replay, const struct deferred *later)
{
	const struct membership *in = resume(replay, later);
	if (!in || !replay->communicator[in->communicator].group[1])
		return;
	const struct communicator *c = &replay->communicator[in->communicator];
	struct collective_step *step = enter(replay, in, later->number, &later->call);
	if (step && !step->bytes)
		step->bytes = array_create((size_t)c->size[0] + c->size[1], sizeof *step->bytes, replay->error);
	if (step && step->bytes)
		step->bytes[in->rank + (in->side ? c->size[0] : 0)] = later->call.bytes;
}

static void expand_deferred(struct replay *replay, const struct deferred *later)
{
	const struct membership *in = resume(replay, later);
	const struct communicator *c = in ? &replay->communicator[in->communicator] : NULL;
	if (c && !c->group[1])
		enter_and_expand(replay, later->membership, later->number, &later->call);
	else if (c && c->step[later->number].root == UNKNOWN)
		replay_error(replay, "'%s' of rank %" PRIu32 ": no rank of the other group names a root", later->call.name, later->task);
	else if (c)
		expand(replay, later->membership, &c->step[later->number], later->number, &later->call);
	if (replay->rank[later->task].point != OPERATION_NONE)
		task_after(replay->builder, later->exit, replay->rank[later->task].point);
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
		enter_deferred(replay, &replay->deferred[i]);
	for (size_t i = 0; i < replay->deferred_count && !replay->error->status; i++)
		expand_deferred(replay, &replay->deferred[i]);
	if (replay->error->status)
		return -1;
	return replay->options.incomplete ? 0 : check_all_called(replay);
}
