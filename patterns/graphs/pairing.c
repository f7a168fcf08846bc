#include "patterns/graphs/pairing.h"

#include "base/memory.h"
#include "patterns/graphs/posting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of a file, usually that of the half before. */
static unsigned file_number(struct pairing *pairing, const char *file, struct error *error)
{
	if (pairing->files && pairing->file[pairing->files - 1] == file)
		return (unsigned)pairing->files - 1;
	if (!array_grow(&pairing->file, &pairing->file_capacity, pairing->files + 1, sizeof *pairing->file, error))
		pairing->file[pairing->files++] = file;
	return (unsigned)pairing->files - 1;
}

void pairing_add(struct pairing *pairing, struct half half, const char *file, struct error *error)
{
	if (pairing->count == UINT32_MAX)
		error_set(error, STATUS_FABRIC, "the programs have more than %" PRIu32 " messages and receives", UINT32_MAX);
	half.file = file_number(pairing, file, error);
	if (error->status || (pairing->count == pairing->capacity &&
				     array_grow(&pairing->list, &pairing->capacity, pairing->count + 1, sizeof *pairing->list, error)))
		return;
	half.order = (uint32_t)pairing->count;
	pairing->list[pairing->count++] = half;
}

int pairing_compare(const struct half *a, const struct half *b)
{
	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	if (a->receiver != b->receiver)
		return a->receiver < b->receiver ? -1 : 1;
	return (a->tag > b->tag) - (a->tag < b->tag);
}

/* Orders messages of one sender and receiver by tags, messages before receives, each by the order of posting. */
static int compare_tags(const struct half *a, const struct half *b)
{
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	if (a->receive != b->receive)
		return a->receive - b->receive;
	return (a->order > b->order) - (a->order < b->order);
}

static int compare_places(const void *left, const void *right, void *data)
{
	const struct half *list = data;
	return compare_tags(&list[*(const uint32_t *)left], &list[*(const uint32_t *)right]);
}

static int compare_halves(const void *left, const void *right)
{
	int order = pairing_compare(left, right);
	return order ? order : compare_tags(left, right);
}

/* ---- sorting by sender and receiver, with counting sorts */

static void count_places(uint32_t *place, uint32_t tasks)
{
	for (uint32_t task = 0; task < tasks; task++)
		place[task + 1] += place[task];
}

/*
 * Lists the indices of all halves by sender, then receiver, messages before receives, each in their order. Returns their number; *sorted is
 * NULL if out of memory.
 */
static size_t sort_by_tasks(const struct pairing *pairing, uint32_t tasks, uint32_t **sorted, struct error *error)
{
	const struct half *list = pairing->list;
	uint32_t *place = array_create((size_t)tasks + 1, sizeof *place, error),
		 *first = array_create(pairing->count, sizeof *first, error);
	uint32_t *other = array_create((size_t)tasks + 1, sizeof *other, error),
		 *second = array_create(pairing->count, sizeof *second, error);
	size_t count = 0;
	*sorted = NULL;
	if (!error->status) {
		for (size_t i = 0; i < pairing->count; i++) {
			if (list[i].dropped)
				continue;
			place[list[i].receiver + 1]++;
			other[list[i].sender + 1]++;
			count++;
		}
		count_places(place, tasks);
		count_places(other, tasks);
		for (int receive = 0; receive < 2; receive++)
			for (size_t i = 0; i < pairing->count; i++)
				if (list[i].receive == receive && !list[i].dropped)
					first[place[list[i].receiver]++] = (uint32_t)i;
		for (size_t i = 0; i < count; i++)
			second[other[list[first[i]].sender]++] = first[i];
		*sorted = second;
		second = NULL;
	}
	free(place);
	free(other);
	free(first);
	free(second);
	return count;
}

/* ---- the pairs */

/* Sets the error for the first unpaired one in the trace. */
static int tell_alone(const struct pairing *pairing, const struct half *half, struct error *error)
{
	const char *file = pairing->file[half->file];
	char tag[40] = "";
	if (!(half->tag >> 32))
		snprintf(tag, sizeof tag, " with tag %" PRIu64, half->tag);
	if (half->receive)
		return error_at(error, STATUS_FABRIC, file, half->line,
			"task %" PRIu32 " waits for a message from task %" PRIu32 "%s that is never sent", half->receiver, half->sender,
			tag);
	return error_at(error, STATUS_FABRIC, file, half->line, "task %" PRIu32 " never receives this message from task %" PRIu32 "%s",
		half->receiver, half->sender, tag);
}

static void join(struct task_builder *builder, const struct half *message, const struct half *receive)
{
	task_after(builder, receive->operation, message->operation);
	if (message->rendezvous && receive->posted != OPERATION_NONE)
		task_after(builder, message->operation, receive->posted);
}

static bool is_earlier(const struct half *a, const struct half *b)
{
	if (a->file != b->file)
		return a->file < b->file;
	return a->line != b->line ? a->line < b->line : a->order < b->order;
}

/* Pairs those of one sender, receiver and tag: messages, then receives. Returns the first that is left; NULL: none. */
static const struct half *pair(struct pairing *pairing, const uint32_t *at, size_t count, struct task_builder *builder)
{
	const struct half *list = pairing->list;
	size_t messages = 0;
	while (messages < count && !list[at[messages]].receive)
		messages++;
	size_t receives = count - messages, both = messages < receives ? messages : receives;
	for (size_t i = 0; i < both; i++)
		join(builder, &list[at[i]], &list[at[messages + i]]);
	pairing->alone += count - 2 * both;
	return messages > both ? &list[at[both]] : receives > both ? &list[at[messages + both]] : NULL;
}

enum { TAGS_MOST = 64 };

/* Lists the tags, ascending, if they are few. Returns their number; 0: they are many. */
static size_t list_tags(const struct half *list, const uint32_t *at, size_t count, uint64_t tag[TAGS_MOST])
{
	size_t tags = 0, last = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t wanted = list[at[i]].tag;
		if (tags && tag[last] == wanted)
			continue;
		size_t low = 0, high = tags;
		while (low < high) {
			size_t middle = (low + high) / 2;
			if (tag[middle] < wanted)
				low = middle + 1;
			else
				high = middle;
		}
		last = low;
		if (low < tags && tag[low] == wanted)
			continue;
		if (tags == TAGS_MOST)
			return 0;
		memmove(&tag[low + 1], &tag[low], (tags++ - low) * sizeof *tag);
		tag[low] = wanted;
	}
	return tags;
}

static size_t place_of(const uint64_t *tag, size_t tags, uint64_t wanted)
{
	size_t low = 0;
	for (size_t high = tags; low + 1 < high;) {
		size_t middle = (low + high) / 2;
		*(tag[middle] <= wanted ? &low : &high) = middle;
	}
	return low;
}

/* Sorts by tags, keeping the order of equal ones: by counting if tags are few and nothing else decides. */
static void sort_by_tags(struct pairing *pairing, uint32_t *at, size_t count, struct error *error)
{
	const struct half *list = pairing->list;
	uint64_t tag[TAGS_MOST];
	size_t first[TAGS_MOST + 1] = {0}, tags = pairing->by_posting || count < TAGS_MOST ? 0 : list_tags(list, at, count, tag);
	uint32_t *sorted = tags ? array_create(count, sizeof *sorted, error) : NULL;
	if (!sorted) {
		qsort_r(at, count, sizeof *at, compare_places, pairing->list);
		return;
	}
	for (size_t i = 0; i < count; i++)
		first[place_of(tag, tags, list[at[i]].tag) + 1]++;
	for (size_t t = 0; t < tags; t++)
		first[t + 1] += first[t];
	for (size_t i = 0; i < count; i++)
		sorted[first[place_of(tag, tags, list[at[i]].tag)]++] = at[i];
	memcpy(at, sorted, count * sizeof *at);
	free(sorted);
}

/* Sorts those of one sender and receiver by their tags, and pairs them. Returns the first that is left; NULL: none. */
static const struct half *pair_tags(struct pairing *pairing, uint32_t *at, size_t count, struct task_builder *builder, struct error *error)
{
	const struct half *list = pairing->list, *alone = NULL;
	bool sorted = true;
	for (size_t i = 1; i < count && sorted; i++)
		sorted = compare_tags(&list[at[i - 1]], &list[at[i]]) < 0;
	if (!sorted)
		sort_by_tags(pairing, at, count, error);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && list[at[i]].tag == list[at[end]].tag;)
			end++;
		const struct half *left = pair(pairing, at + i, end - i, builder);
		if (left && (!alone || is_earlier(left, alone)))
			alone = left;
	}
	return alone;
}

static int pair_all(struct pairing *pairing, struct task_builder *builder, struct error *error)
{
	uint32_t *at;
	size_t count = sort_by_tasks(pairing, task_builder_graph(builder)->tasks, &at, error);
	const struct half *list = pairing->list, *alone = NULL;
	for (size_t i = 0, end; at && i < count && task_builder_goes_on(builder); i = end) {
		for (end = i + 1;
			end < count && list[at[i]].sender == list[at[end]].sender && list[at[i]].receiver == list[at[end]].receiver;)
			end++;
		const struct half *left = pair_tags(pairing, at + i, end - i, builder, error);
		if (left && (!alone || is_earlier(left, alone)))
			alone = left;
	}
	free(at);
	return alone && !pairing->incomplete ? tell_alone(pairing, alone, error) : error->status ? -1 : 0;
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

/* Orders messages and receives of one sender, receiver and tag by their posting. Returns 0, or -1. */
static int order_by_posting(struct pairing *pairing, struct task_builder *builder, struct error *error)
{
	if (!pairing->by_posting || !pairing->count)
		return 0;
	qsort(pairing->list, pairing->count, sizeof *pairing->list, compare_halves);
	return has_equals(pairing) ? posting_order(pairing->list, pairing->count, builder, error) : 0;
}

int pairing_end(struct pairing *pairing, struct task_builder *builder, struct error *error)
{
	if (!order_by_posting(pairing, builder, error))
		pair_all(pairing, builder, error);
	pairing_clear(pairing);
	return error->status ? -1 : 0;
}

void pairing_clear(struct pairing *pairing)
{
	free(pairing->list);
	free(pairing->file);
	*pairing = (struct pairing){.alone = pairing->alone};
}
