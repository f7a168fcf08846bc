/* The events of a task graph that runs without a network, in a heap; the first is the next one. */
#ifndef PATTERNS_GRAPHS_EVENT_HEAP_H
#define PATTERNS_GRAPHS_EVENT_HEAP_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The beginning or the end of an operation. */
struct graph_event {
	uint64_t time;     /* picoseconds */
	uint32_t messages; /* of that time before it */
	uint32_t place;    /* order among events of one time and number of messages */
	uint32_t operation;
	bool end;
};

static inline bool event_is_before(const struct graph_event *a, const struct graph_event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->messages != b->messages)
		return a->messages < b->messages;
	return a->place < b->place;
}

/* Returns the time so many seconds later, but at most 53 days. */
static inline uint64_t event_later(uint64_t time, double seconds)
{
	const uint64_t most = UINT64_C(1) << 62;
	uint64_t end = time + (uint64_t)fmin(round(seconds * 1e12), (double)most);
	return end < most ? end : most;
}

/* Adds an event to the heap of *used, which has room for it. Time O(log *used). */
static inline void event_push(struct graph_event *heap, size_t *used, struct graph_event event)
{
	size_t at = (*used)++;
	for (; at && event_is_before(&event, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = event;
}

/* Takes the next event from the heap, which is not empty. Time O(log *used). */
static inline struct graph_event event_pop(struct graph_event *heap, size_t *used)
{
	struct graph_event first = heap[0], last = heap[--*used];
	size_t at = 0;
	for (size_t next; (next = 2 * at + 1) < *used; at = next) {
		next += next + 1 < *used && event_is_before(&heap[next + 1], &heap[next]);
		if (!event_is_before(&heap[next], &last))
			break;
		heap[at] = heap[next];
	}
	heap[at] = last;
	return first;
}

#endif
