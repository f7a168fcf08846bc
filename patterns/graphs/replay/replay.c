/* The beginning and the end of a replay, the course of a rank, messages and receives; see MPI 4.0, chapter 3. */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- beginning and end */

int replay_options_read(struct replay_options *options, const struct arg_value *collectives, const struct arg_value *eager,
	const char *workload, struct error *error)
{
	*options = (struct replay_options){.eager = (double)eager->integer, .compute.factor = 1};
	for (int set = 0; set < COLLECTIVE_SETS; set++)
		if (!strcmp(collectives->text, collective_set_names[set])) {
			options->collectives = (enum collective_set)set;
			return 0;
		}
	return error_set(error, STATUS_USAGE, "workload '%s': collectives is '%s', not none, simple, ring, openmpi or mpich", workload,
		collectives->text);
}

int replay_compute_read(struct replay_compute *compute, const struct arg_value *value, bool cpu, const char *workload, struct error *error)
{
	const char *text = value->text;
	*compute = (struct replay_compute){.factor = strcmp(text, "none") ? 1 : 0, .cpu = !strcmp(text, "cpu")};
	if (compute->cpu && !cpu)
		return error_set(error, STATUS_USAGE,
			"workload '%s': compute=cpu needs times of the processor, which the format does not have", workload);
	if (!compute->factor || compute->cpu || !strcmp(text, "wall"))
		return 0;
	if (!read_number(text, 0, 1e9, &compute->factor))
		return error_set(error, STATUS_USAGE, "workload '%s': compute is '%s', not a factor up to 1e9, %swall or none", workload,
			text, cpu ? "cpu, " : "");
	return 0;
}

static int create_ranks(struct replay *replay, struct error *error)
{
	replay->rank = array_create(replay->ranks, sizeof *replay->rank, error);
	replay->communicator = array_create(replay->communicator_capacity = 4, sizeof *replay->communicator, error);
	replay->request = array_create(16, sizeof *replay->request, error);
	if (error->status)
		return -1;
	replay->request_mask = 15;
	replay->communicators = 2;
	replay->communicator[0].size[0] = replay->ranks;
	replay->communicator[1].size[0] = 1;
	for (uint32_t r = 0; r < replay->ranks; r++) {
		struct rank *rank = &replay->rank[r];
		*rank = (struct rank){.point = OPERATION_NONE};
		if (array_grow(&rank->membership, &rank->membership_capacity, 2, sizeof *rank->membership, error))
			return -1;
		rank->memberships = 2;
		rank->membership[0] = (struct membership){.handle = 0, .communicator = 0, .rank = r};
		rank->membership[1] = (struct membership){.handle = 1, .communicator = 1};
	}
	return 0;
}

struct replay *replay_create(struct task_builder *builder, uint32_t ranks, const struct replay_options *options, struct error *error)
{
	struct replay *replay = array_create(1, sizeof *replay, error);
	if (!replay)
		return NULL;
	*replay = (struct replay){.builder = builder, .error = error, .options = *options, .ranks = ranks, .join = OPERATION_NONE};
	if (!create_ranks(replay, error))
		return replay;
	replay_free(replay);
	return NULL;
}

void replay_free(struct replay *replay)
{
	if (!replay)
		return;
	for (uint32_t r = 0; replay->rank && r < replay->ranks; r++) {
		free(replay->rank[r].membership);
		free(replay->rank[r].asleep);
		free(replay->rank[r].access);
	}
	for (uint32_t c = 0; c < replay->communicators; c++) {
		free(replay->communicator[c].group[0]);
		free(replay->communicator[c].group[1]);
		for (size_t s = 0; s < replay->communicator[c].steps; s++)
			free(replay->communicator[c].step[s].bytes);
		free(replay->communicator[c].step);
		free(replay->communicator[c].fence);
		free(replay->communicator[c].dimension);
	}
	for (size_t i = 0; i < replay->constructions; i++)
		free(replay->construction[i].list);
	for (uint32_t i = 0; i < replay->groups; i++)
		free(replay->group[i].range);
	for (size_t i = 0; i < replay->deferred_count; i++) {
		free(replay->deferred[i].count);
		free(replay->deferred[i].neighbours);
	}
	free(replay->rank);
	free(replay->communicator);
	free(replay->construction);
	free(replay->group);
	free(replay->deferred);
	free(replay->request);
	free(replay->prepared);
	free(replay->signal);
	free(replay->open_fence);
	pairing_clear(&replay->pairing);
	free(replay);
}

void replay_incomplete(struct replay *replay, bool incomplete)
{
	replay->options.incomplete = incomplete;
}

int replay_end(struct replay *replay)
{
	struct error *error = replay->error;
	replay->pairing.incomplete = replay->options.incomplete;
	if (error->status || task_builder_check(replay->builder, error) || replay_find_members(replay) || replay_resolve(replay) ||
		replay_end_collectives(replay) || replay_end_windows(replay) || (replay->wild && replay_match_wild(replay)) ||
		pairing_end(&replay->pairing, replay->builder, error))
		return -1;
	if (replay->pairing.alone)
		task_note(replay->builder, "%" PRIu64 " messages or receives have no counterpart", replay->pairing.alone);
	return task_builder_check(replay->builder, error);
}

void replay_error(struct replay *replay, const char *format, ...)
{
	char text[600];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (replay->file)
		error_at(replay->error, STATUS_FABRIC, replay->file, replay->line, "%s", text);
	else
		error_set(replay->error, STATUS_FABRIC, "%s", text);
}

/* ---- the course of a rank */

/* Changes to another thread of the current rank, which begins with the first call. */
static void change_thread(struct replay *replay, struct rank *rank, uint32_t thread)
{
	uint32_t i = 0;
	while (i < rank->sleepers && rank->asleep[i].thread != thread)
		i++;
	if (i == rank->sleepers) {
		if (array_grow(&rank->asleep, &rank->sleeper_capacity, i + 1, sizeof *rank->asleep, replay->error))
			return;
		rank->asleep[rank->sleepers++].point = OPERATION_NONE;
	}
	uint32_t point = rank->asleep[i].point;
	rank->asleep[i].thread = rank->thread;
	rank->asleep[i].point = rank->point;
	rank->thread = thread;
	rank->point = point;
}

void replay_at(struct replay *replay, uint32_t rank, uint32_t thread)
{
	replay->at = rank;
	if (replay->rank[rank].thread != thread)
		change_thread(replay, &replay->rank[rank], thread);
}

void replay_at_thread(struct replay *replay, uint32_t rank, uint32_t thread)
{
	const struct rank *r = &replay->rank[rank];
	uint32_t sleepers = r->sleepers, point = r->point;
	replay_at(replay, rank, thread);
	if (r->sleepers > sleepers)
		replay_go_on_from(replay, point);
}

uint32_t replay_point(const struct replay *replay)
{
	return replay->rank[replay->at].point;
}

void replay_go_on_from(struct replay *replay, uint32_t operation)
{
	replay->rank[replay->at].point = operation;
}

void replay_place(struct replay *replay, const char *file, unsigned long line)
{
	replay->file = file;
	replay->line = (uint32_t)line;
}

void replay_advance(struct replay *replay, uint32_t join)
{
	struct rank *rank = &replay->rank[replay->at];
	if (rank->point != OPERATION_NONE)
		task_after(replay->builder, join, rank->point);
	rank->point = join;
}

void replay_compute(struct replay *replay, double seconds)
{
	seconds *= replay->options.compute.factor;
	if (seconds > 0)
		replay_advance(replay, task_compute(replay->builder, replay->at, seconds));
}

/* ---- messages and receives */

void replay_add_half(struct replay *replay, struct half half)
{
	half.line = replay->line;
	pairing_add(&replay->pairing, half, replay->file, replay->error);
}

static uint32_t add_message(struct replay *replay, uint32_t receiver, struct half half, double bytes)
{
	uint32_t point = replay->rank[replay->at].point;
	half.sender = replay->at;
	half.operation = task_message(replay->builder, replay->at, half.unresolved ? replay->at : receiver, bytes);
	half.receiver = receiver;
	if (point != OPERATION_NONE)
		task_after(replay->builder, half.operation, point);
	replay_add_half(replay, half);
	return half.operation;
}

uint32_t replay_open_half(struct replay *replay, uint32_t sender, struct half half)
{
	half.posted = replay->rank[replay->at].point;
	half.operation = task_join(replay->builder, replay->at);
	half.sender = sender;
	half.receiver = replay->at;
	half.receive = true;
	if (half.posted != OPERATION_NONE)
		task_after(replay->builder, half.operation, half.posted);
	replay_add_half(replay, half);
	return half.operation;
}

uint32_t replay_add_message(struct replay *replay, uint32_t receiver, uint64_t tag, double bytes)
{
	return add_message(replay, receiver, (struct half){.tag = tag, .posted = OPERATION_NONE}, bytes);
}

uint32_t replay_add_receive(struct replay *replay, uint32_t sender, uint64_t tag)
{
	return replay_open_half(replay, sender, (struct half){.tag = tag});
}

int replay_address(struct replay *replay, const struct replay_message *message, struct half *half, uint32_t *peer)
{
	uint32_t m = replay_membership(replay, message->communicator);
	if (m == UNKNOWN)
		return -1;
	const struct membership *in = &replay->rank[replay->at].membership[m];
	half->any_sender = message->peer == REPLAY_ANY;
	half->any_tag = message->tag == REPLAY_ANY;
	half->unresolved = in->communicator == UNKNOWN;
	half->tag = separate_tag(half->unresolved ? m : in->communicator, half->any_tag ? 0 : (uint32_t)message->tag);
	*peer = half->any_sender ? 0 : (uint32_t)message->peer;
	if (half->unresolved || half->any_sender)
		return 0;
	if (replay->options.tasks)
		*peer = message->peer < replay->ranks ? (uint32_t)message->peer : UNKNOWN;
	else
		*peer = replay_task(replay, in, replay->at, (uint32_t)message->peer);
	if (*peer == UNKNOWN)
		replay_error(replay, "rank %" PRIu32 ": its communicator has no rank %" PRId64, replay->at, message->peer);
	return *peer == UNKNOWN ? -1 : 0;
}

void replay_open_send(struct replay *replay, const struct replay_message *message, uint32_t *wait)
{
	uint32_t peer;
	struct half half = {.posted = OPERATION_NONE};
	*wait = OPERATION_NONE;
	if (message->peer == REPLAY_NOBODY || replay->error->status || replay_address(replay, message, &half, &peer))
		return;
	half.rendezvous =
		message->mode == REPLAY_SYNCHRONOUS || (message->mode == REPLAY_STANDARD && message->bytes >= replay->options.eager);
	uint32_t operation = add_message(replay, peer, half, message->bytes);
	if (half.rendezvous)
		*wait = operation;
}

void replay_open_receive(struct replay *replay, const struct replay_message *message, uint32_t *wait, uint32_t *place)
{
	uint32_t peer;
	struct half half = {.tag = 0};
	*wait = OPERATION_NONE;
	*place = UNKNOWN;
	if (message->peer == REPLAY_NOBODY || replay->error->status || replay_address(replay, message, &half, &peer))
		return;
	*place = (uint32_t)replay->pairing.count;
	*wait = replay_open_half(replay, peer, half);
}

/* Returns the recorded source of a receive: a task if the members of its communicator are known, otherwise the rank; UNKNOWN: none. */
static uint32_t source_of(const struct replay *replay, const struct half *half, int64_t source)
{
	const struct rank *rank = &replay->rank[replay->at];
	if (half->unresolved)
		return (uint32_t)source;
	if (replay->options.tasks)
		return source < replay->ranks ? (uint32_t)source : UNKNOWN;
	for (uint32_t m = rank->memberships; m-- > 0;)
		if (rank->membership[m].communicator == half->tag >> 33)
			return replay_task(replay, &rank->membership[m], replay->at, (uint32_t)source);
	return UNKNOWN;
}

void replay_set_status(struct replay *replay, uint32_t place, const struct replay_status *status)
{
	if (place == UNKNOWN || replay->error->status)
		return;
	struct half *half = &replay->pairing.list[place];
	if (status && half->any_tag && status->tag != REPLAY_ANY) {
		half->tag |= (uint32_t)status->tag;
		half->any_tag = false;
	}
	if (status && half->any_sender && status->source != REPLAY_ANY) {
		half->sender = source_of(replay, half, status->source);
		half->any_sender = false;
		if (half->sender == UNKNOWN)
			replay_error(replay,
				"rank %" PRIu32 " received a message from rank %" PRId64 ", which its communicator does not have",
				replay->at, status->source);
	}
}

void replay_send(struct replay *replay, const struct replay_message *message)
{
	uint32_t wait;
	replay_open_send(replay, message, &wait);
	if (wait != OPERATION_NONE)
		replay->rank[replay->at].point = wait;
}

void replay_receive(struct replay *replay, const struct replay_message *message, const struct replay_status *status)
{
	uint32_t wait, place;
	replay_open_receive(replay, message, &wait, &place);
	replay_set_status(replay, place, status);
	if (wait != OPERATION_NONE)
		replay->rank[replay->at].point = wait;
}

/* ---- the end: what was not known */

int replay_resolve(struct replay *replay)
{
	for (size_t i = 0; i < replay->pairing.count && !replay->error->status; i++) {
		struct half *half = &replay->pairing.list[i];
		replay->wild += (half->any_sender || half->any_tag) && !half->dropped;
		if (!half->unresolved)
			continue;
		bool receives = half->receive || half->reversed;
		uint32_t own = receives ? half->receiver : half->sender, peer = receives ? half->sender : half->receiver;
		const struct membership *in = &replay->rank[own].membership[half->tag >> 33];
		uint32_t task = half->any_sender ? 0 : replay_task(replay, in, own, peer);
		if (task == UNKNOWN)
			return error_at(replay->error, STATUS_FABRIC, replay->pairing.file[half->file], half->line,
				"rank %" PRIu32 ": its communicator has no rank %" PRIu32, own, peer);
		half->tag = separate_tag(in->communicator, half->tag & UINT32_MAX);
		half->unresolved = false;
		*(receives ? &half->sender : &half->receiver) = task;
		if (!half->receive)
			task_address(replay->builder, half->operation, half->sender, half->receiver);
	}
	return replay->error->status ? -1 : 0;
}
