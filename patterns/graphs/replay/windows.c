/* One-sided communication of ranks, and what waits for it; see MPI 4.0, chapter 12. */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Adds the message of an access. Returns it; OPERATION_NONE: there is none. */
static uint32_t add_access(struct replay *replay, replay_handle communicator, int64_t peer, double bytes, bool get)
{
	const struct replay_message message = {.communicator = communicator, .peer = peer};
	struct rank *rank = &replay->rank[replay->at];
	struct half half = {.posted = OPERATION_NONE, .reversed = get, .dropped = true};
	uint32_t task;
	if (peer == REPLAY_NOBODY || replay->error->status || replay_address(replay, &message, &half, &task))
		return OPERATION_NONE;
	bool reversed = get && !half.unresolved;
	uint32_t own = replay->at, to = half.unresolved ? own : task;
	half.operation = task_message(replay->builder, reversed ? to : own, reversed ? own : to, bytes);
	half.sender = get ? task : own;
	half.receiver = get ? own : task;
	if (rank->point != OPERATION_NONE)
		task_after(replay->builder, half.operation, rank->point);
	if (half.unresolved)
		replay_add_half(replay, half);
	if (!array_grow(&rank->access, &rank->access_capacity, (size_t)rank->accesses + 1, sizeof *rank->access, replay->error))
		rank->access[rank->accesses++] = half.operation;
	return half.operation;
}

void replay_access(struct replay *replay, replay_handle communicator, int64_t peer, double bytes, bool get)
{
	add_access(replay, communicator, peer, bytes, get);
}

void replay_begin_access(struct replay *replay, replay_handle communicator, int64_t peer, double bytes, bool get, replay_handle request)
{
	replay_own_request(replay, request, add_access(replay, communicator, peer, bytes, get));
}

void replay_complete(struct replay *replay)
{
	struct rank *rank = &replay->rank[replay->at];
	if (!rank->accesses)
		return;
	uint32_t join = task_join(replay->builder, replay->at);
	for (uint32_t i = 0; i < rank->accesses; i++)
		task_after(replay->builder, join, rank->access[i]);
	rank->accesses = 0;
	replay_advance(replay, join);
}

/* ---- fences */

/* Returns the join of the nth fence of a communicator; OPERATION_NONE if out of memory. */
static uint32_t fence_of(struct replay *replay, uint32_t communicator, uint32_t number, uint32_t task)
{
	struct communicator *c = &replay->communicator[communicator];
	while (number >= c->fences) {
		if (array_grow(&c->fence, &c->fence_capacity, (size_t)c->fences + 1, sizeof *c->fence, replay->error))
			return OPERATION_NONE;
		c->fence[c->fences++] = task_join(replay->builder, task);
	}
	return c->fence[number];
}

/* Makes the fence wait for the entry of a member, OPERATION_NONE: its beginning, and the exit for the fence. */
static void pass_fence(struct replay *replay, uint32_t fence, uint32_t entry, uint32_t exit)
{
	if (fence == OPERATION_NONE)
		return;
	if (entry != OPERATION_NONE)
		task_after(replay->builder, fence, entry);
	task_after(replay->builder, exit, fence);
}

void replay_fence(struct replay *replay, replay_handle communicator)
{
	uint32_t m = replay->error->status ? UNKNOWN : replay_membership(replay, communicator);
	replay_complete(replay);
	if (m == UNKNOWN)
		return;
	struct rank *rank = &replay->rank[replay->at];
	struct membership *in = &rank->membership[m];
	if (in->communicator == 1)
		return;
	uint32_t number = in->fences++, entry = rank->point, fence = OPERATION_NONE;
	if (in->communicator != UNKNOWN)
		fence = fence_of(replay, in->communicator, number, replay->at);
	uint32_t exit = task_join(replay->builder, replay->at);
	pass_fence(replay, fence, entry, exit);
	replay_advance(replay, exit);
	if (in->communicator == UNKNOWN && !array_grow(&replay->open_fence, &replay->open_fence_capacity, replay->open_fences + 1,
						   sizeof *replay->open_fence, replay->error))
		replay->open_fence[replay->open_fences++] = (struct open_fence){replay->at, m, number, entry, exit};
}

static void end_fences(struct replay *replay)
{
	for (size_t i = 0; i < replay->open_fences && !replay->error->status; i++) {
		const struct open_fence *open = &replay->open_fence[i];
		uint32_t communicator = replay->rank[open->task].membership[open->membership].communicator;
		pass_fence(replay, fence_of(replay, communicator, open->number, open->task), open->entry, open->exit);
	}
}

/* ---- epochs of some ranks */

static void add_signal(struct replay *replay, struct signal signal)
{
	if (replay->error->status ||
		array_grow(&replay->signal, &replay->signal_capacity, replay->signals + 1, sizeof *replay->signal, replay->error))
		return;
	signal.order = (uint32_t)replay->signals;
	replay->signal[replay->signals++] = signal;
}

/* Returns a signal of the current rank, or its wait for one, and makes the rank wait. */
static struct signal begin_epoch(struct replay *replay, enum replay_epoch epoch)
{
	bool waits = epoch == REPLAY_START || epoch == REPLAY_WAIT;
	if (epoch == REPLAY_END)
		replay_complete(replay);
	if (waits)
		replay_advance(replay, task_join(replay->builder, replay->at));
	return (struct signal){.from = replay->at,
		.to = replay->at,
		.group = UNKNOWN,
		.operation = replay_point(replay),
		.line = replay->line,
		.file = replay->file,
		.waits = waits,
		.ends = epoch == REPLAY_END || epoch == REPLAY_WAIT};
}

static struct signal with_peer(struct signal signal, uint32_t task)
{
	signal.group = UNKNOWN;
	*(signal.waits ? &signal.from : &signal.to) = task;
	return signal;
}

void replay_epoch(struct replay *replay, enum replay_epoch epoch, const uint32_t *tasks, uint32_t count)
{
	struct signal signal = begin_epoch(replay, epoch);
	for (uint32_t i = 0; i < count; i++)
		add_signal(replay, with_peer(signal, tasks[i]));
}

void replay_epoch_of_group(struct replay *replay, enum replay_epoch epoch, uint32_t group)
{
	struct signal signal = begin_epoch(replay, epoch);
	signal.group = group;
	add_signal(replay, signal);
}

/* Replaces signals to groups, or waits for them, by those of their tasks. */
static void find_peers(struct replay *replay)
{
	for (size_t i = 0, end = replay->signals; i < end && !replay->error->status; i++) {
		struct signal signal = replay->signal[i];
		uint32_t count = 0, *task = signal.group == UNKNOWN ? NULL : replay_group_tasks(replay, signal.group, &count);
		for (uint32_t k = 0; task && k < count; k++)
			add_signal(replay, with_peer(signal, task[k]));
		free(task);
	}
	size_t kept = 0;
	for (size_t i = 0; i < replay->signals; i++)
		if (replay->signal[i].group == UNKNOWN)
			replay->signal[kept++] = replay->signal[i];
	replay->signals = kept;
}

/* Compares those that may belong together: by tasks and kind. */
static int compare_signals(const struct signal *a, const struct signal *b)
{
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->ends - b->ends;
}

static int by_tasks(const void *left, const void *right)
{
	const struct signal *a = left, *b = right;
	int order = compare_signals(a, b);
	if (order)
		return order;
	return a->waits != b->waits ? a->waits - b->waits : a->order < b->order ? -1 : a->order > b->order;
}

/* The signals and waits at list that belong together: the first wait is for the first signal, the second for the second. */
static void match_signals(struct replay *replay, const struct signal *list, size_t count)
{
	size_t signals = 0;
	while (signals < count && !list[signals].waits)
		signals++;
	for (size_t i = 0; signals + i < count; i++) {
		const struct signal *wait = &list[signals + i];
		if (i < signals && list[i].operation != OPERATION_NONE)
			task_after(replay->builder, wait->operation, list[i].operation);
		if (i < signals || replay->options.incomplete)
			continue;
		replay_place(replay, wait->file, wait->line);
		replay_error(replay, "rank %" PRIu32 " waits for rank %" PRIu32 ", which does not %s", wait->to, wait->from,
			wait->ends ? "end its accesses" : "post its window");
		return;
	}
}

int replay_end_windows(struct replay *replay)
{
	end_fences(replay);
	find_peers(replay);
	if (!replay->error->status && replay->signals)
		qsort(replay->signal, replay->signals, sizeof *replay->signal, by_tasks);
	for (size_t i = 0, end; i < replay->signals && !replay->error->status; i = end) {
		for (end = i + 1; end < replay->signals && !compare_signals(&replay->signal[end], &replay->signal[i]);)
			end++;
		match_signals(replay, &replay->signal[i], end - i);
	}
	return replay->error->status ? -1 : 0;
}
