#include "patterns/graphs/goal_schedule.h"

#include "base/memory.h"

#include <stdlib.h>

uint32_t goal_message(struct goal_schedule *schedule, uint32_t rank, uint32_t other, bool receive, double bytes, uint32_t tag,
	const char *file, unsigned long line)
{
	uint32_t operation = receive ? task_join(schedule->builder, rank) : task_message(schedule->builder, rank, other, bytes);
	pairing_add(&schedule->pairing,
		(struct half){.tag = tag,
			.sender = receive ? other : rank,
			.receiver = receive ? rank : other,
			.receive = receive,
			.operation = operation,
			.posted = OPERATION_NONE,
			.line = (uint32_t)line},
		file, schedule->error);
	return operation;
}

/*
 * Returns the receive with that number, NULL if the operation is something else. Time O(log receives): the list is in the order of the
 * numbers.
 */
static struct half *find_receive(const struct goal_schedule *schedule, uint32_t operation)
{
	size_t from = 0, to = schedule->pairing.count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (schedule->pairing.list[middle].operation < operation)
			from = middle + 1;
		else
			to = middle;
	}
	struct half *half = &schedule->pairing.list[from];
	return from < schedule->pairing.count && half->operation == operation && half->receive ? half : NULL;
}

/*
 * Adds an operation for the posting of a receive, if another requires its beginning: the join of the receive begins only when the message
 * has arrived too.
 */
static void require_posted(struct goal_schedule *schedule, uint32_t operation, struct half *receive)
{
	if (receive->posted == OPERATION_NONE)
		receive->posted = task_join(schedule->builder, receive->receiver);
	schedule->posts = true;
	task_after(schedule->builder, operation, receive->posted);
}

static void add_order(struct goal_schedule *schedule, struct goal_order order)
{
	struct half *receive = order.begun ? find_receive(schedule, order.other) : NULL;
	if (receive)
		require_posted(schedule, order.operation, receive);
	else if (order.begun)
		task_after_begun(schedule->builder, order.operation, order.other);
	else
		task_after(schedule->builder, order.operation, order.other);
}

int goal_require(struct goal_schedule *schedule, struct goal_order order)
{
	if (array_grow(&schedule->order, &schedule->order_capacity, schedule->orders + 1, sizeof *schedule->order, schedule->error))
		return -1;
	schedule->order[schedule->orders++] = order;
	add_order(schedule, order);
	return 0;
}

void goal_end_rank(struct goal_schedule *schedule)
{
	for (size_t i = 0; schedule->posts && i < schedule->orders; i++) {
		struct goal_order order = schedule->order[i];
		const struct half *receive = find_receive(schedule, order.operation);
		if (!receive || receive->posted == OPERATION_NONE)
			continue;
		order.operation = receive->posted;
		add_order(schedule, order);
	}
	schedule->orders = 0;
	schedule->posts = false;
}

void goal_schedule_clear(struct goal_schedule *schedule)
{
	pairing_clear(&schedule->pairing);
	free(schedule->order);
}
