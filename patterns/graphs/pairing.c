#include "patterns/graphs/pairing.h"

#include "base/memory.h"
#include "patterns/graphs/posting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void pairing_add(struct pairing *pairing, struct half half, struct error *error)
{
	if (array_grow(&pairing->list, &pairing->capacity, pairing->count + 1, sizeof *pairing->list, error))
		return;
	half.order = (uint32_t)pairing->count;
	pairing->list[pairing->count++] = half;
}

/* Compares by sender, receiver and tag. */
int pairing_compare(const struct half *a, const struct half *b)
{
	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	if (a->receiver != b->receiver)
		return a->receiver < b->receiver ? -1 : 1;
	return (a->tag > b->tag) - (a->tag < b->tag);
}

/* Orders messages before receives, each by the order of posting, otherwise by the order in which they were added. */
static int compare(const void *left, const void *right)
{
	const struct half *a = left, *b = right;
	int order = pairing_compare(a, b);
	if (order)
		return order;
	if (a->receive != b->receive)
		return a->receive - b->receive;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Sets the error for the first unpaired one in the trace. */
static int tell_alone(const struct half *half, struct error *error)
{
	char tag[40] = "";
	if (!(half->tag >> 32))
		snprintf(tag, sizeof tag, " with tag %" PRIu64, half->tag);
	if (half->receive)
		return error_at(error, STATUS_FABRIC, half->file, half->line,
			"task %" PRIu32 " waits for a message from task %" PRIu32 "%s that is never sent", half->receiver, half->sender,
			tag);
	return error_at(error, STATUS_FABRIC, half->file, half->line,
		"task %" PRIu32 " never receives this message from task %" PRIu32 "%s", half->receiver, half->sender, tag);
}

static void join(struct task_builder *builder, const struct half *message, const struct half *receive)
{
	task_after(builder, receive->operation, message->operation);
	if (message->rendezvous && receive->posted != OPERATION_NONE)
		task_after(builder, message->operation, receive->posted);
}

/* Returns whether two messages in the sorted list have the same sender, receiver and tag. */
static bool has_equals(const struct pairing *pairing)
{
	const struct half *list = pairing->list;
	for (size_t i = 1; i < pairing->count; i++)
		if (!list[i].receive && !list[i - 1].receive && !pairing_compare(&list[i - 1], &list[i]))
			return true;
	return false;
}

/* Sorts messages and receives so that those of one kind are together, in their order. Returns 0, or -1. */
static int sort(struct pairing *pairing, struct task_builder *builder, struct error *error)
{
	if (!pairing->count)
		return 0;
	qsort(pairing->list, pairing->count, sizeof *pairing->list, compare);
	if (!pairing->by_posting || !has_equals(pairing))
		return 0;
	if (posting_order(pairing->list, pairing->count, builder, error))
		return -1;
	qsort(pairing->list, pairing->count, sizeof *pairing->list, compare);
	return 0;
}

int pairing_end(struct pairing *pairing, struct task_builder *builder, struct error *error)
{
	struct half *list = pairing->list;
	const struct half *alone = NULL;
	bool failed = sort(pairing, builder, error);
	for (size_t i = 0, end; !failed && i < pairing->count; i = end) {
		size_t receive = i;
		for (end = i; end < pairing->count && !pairing_compare(&list[i], &list[end]); end++)
			receive += !list[end].receive;
		size_t messages = receive - i, receives = end - receive, both = messages < receives ? messages : receives;
		for (size_t j = 0; j < both; j++)
			join(builder, &list[i + j], &list[receive + j]);
		const struct half *left = messages > both ? &list[i + both] : receives > both ? &list[receive + both] : NULL;
		if (left && (!alone || left->order < alone->order))
			alone = left;
	}
	if (alone)
		tell_alone(alone, error);
	pairing_clear(pairing);
	return error->status ? -1 : 0;
}

void pairing_clear(struct pairing *pairing)
{
	free(pairing->list);
	*pairing = (struct pairing){0};
}
