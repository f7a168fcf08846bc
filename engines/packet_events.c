#include "packet_events.h"

#include "fabric.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SHIFT = 12, LAST_SHIFT = 40, CROWDED = 6, LOOK_AFTER = 4096, FEW_FAR = 64 };

static inline bool is_before(const struct packet_event *a, const struct packet_event *b)
{
	return event_time(a) < event_time(b);
}

static void heap_add(struct packet_events *events, struct event_heap *heap, struct packet_event event)
{
	if (heap->count == heap->room && array_grow(&heap->event, &heap->room, heap->count + 1, sizeof event, events->error))
		return;
	size_t i = heap->count++;
	for (; i && is_before(&event, &heap->event[(i - 1) / 2]); i = (i - 1) / 2)
		heap->event[i] = heap->event[(i - 1) / 2];
	heap->event[i] = event;
}

static struct packet_event heap_take(struct event_heap *heap)
{
	struct packet_event first = heap->event[0], last = heap->event[--heap->count];
	size_t i = 0;
	for (size_t child; (child = 2 * i + 1) < heap->count; i = child) {
		child += child + 1 < heap->count && is_before(&heap->event[child + 1], &heap->event[child]);
		if (!is_before(&heap->event[child], &last))
			break;
		heap->event[i] = heap->event[child];
	}
	heap->event[i] = last;
	return first;
}

static inline uint64_t bucket_of(const struct packet_events *events, uint64_t when)
{
	return when >> (EVENT_KIND_BITS + events->shift);
}

/* Into the heap of the bucket that is being emptied, the wheel, or beyond. */
static void place(struct packet_events *events, struct packet_event event)
{
	uint64_t bucket = bucket_of(events, event.when);
	if (bucket <= events->bucket) {
		heap_add(events, &events->now, event);
		return;
	}
	if (bucket - events->bucket >= WHEEL_BUCKETS) {
		heap_add(events, &events->far, event);
		events->fars++;
		return;
	}
	uint32_t link = events->free_link, slot = bucket % WHEEL_BUCKETS;
	if (link != NONE) {
		events->free_link = events->link[link].next;
	} else {
		if (events->links == events->link_room &&
			array_grow(&events->link, &events->link_room, events->links + 1, sizeof *events->link, events->error))
			return;
		link = (uint32_t)events->links++;
	}
	events->link[link] = (struct event_link){event, events->first[slot]};
	events->first[slot] = link;
	events->filled[slot / 64] |= UINT64_C(1) << slot % 64;
}

void packet_events_add(struct packet_events *events, uint64_t time, enum packet_event_kind kind, uint32_t target, uint32_t packet)
{
	events->added++;
	place(events, (struct packet_event){time << EVENT_KIND_BITS | kind, target, packet});
}

static void empty_wheel(struct packet_events *events)
{
	memset(events->first, 0xff, sizeof events->first); /* NONE */
	memset(events->filled, 0, sizeof events->filled);
	events->links = 0;
	events->free_link = NONE;
}

/* All events in the wheel once more, as its buckets have another width now. */
static void set_width(struct packet_events *events, unsigned shift)
{
	struct event_link *old = events->link;
	uint32_t first[WHEEL_BUCKETS];
	memcpy(first, events->first, sizeof first);
	uint64_t begin = events->bucket << events->shift;
	events->link = NULL;
	events->link_room = 0;
	empty_wheel(events);
	if (shift > events->shift) { /* those of the first bucket follow */
		events->shift = shift;
		events->bucket = begin >> shift;
	} else {
		begin += (UINT64_C(1) << events->shift) - 1;
		events->shift = shift;
		events->bucket = begin >> shift;
	}
	for (uint32_t slot = 0; slot < WHEEL_BUCKETS; slot++)
		for (uint32_t link = first[slot]; link != NONE; link = old[link].next)
			place(events, old[link].event);
	free(old);
}

/* The next filled bucket of the wheel; UINT64_MAX: none. */
static uint64_t next_filled(const struct packet_events *events)
{
	uint64_t start = events->bucket + 1;
	uint32_t slot = start % WHEEL_BUCKETS, word = slot / 64;
	uint64_t bits = events->filled[word] & UINT64_MAX << slot % 64;
	for (uint32_t i = 0; i <= WHEEL_BUCKETS / 64; i++) {
		if (bits) {
			uint32_t found = word * 64 + (uint32_t)__builtin_ctzll(bits);
			return start + (found - slot) % WHEEL_BUCKETS;
		}
		word = (word + 1) % (WHEEL_BUCKETS / 64);
		bits = events->filled[word];
	}
	return UINT64_MAX;
}

/* Buckets so narrow that they hold few times, but so wide that few events are beyond the wheel. */
static void adapt(struct packet_events *events)
{
	if (events->added < LOOK_AFTER)
		return;
	if (events->fars > events->added / FEW_FAR && events->shift < LAST_SHIFT)
		set_width(events, events->shift + 1);
	else if (events->times > CROWDED * events->buckets && events->fars < events->added / FEW_FAR / 4 && events->shift)
		set_width(events, events->shift - 1);
	events->buckets = events->times = events->added = events->fars = 0;
}

/* Goes on to the next bucket that has events, if there is one. */
static void turn(struct packet_events *events)
{
	adapt(events);
	if (events->now.count)
		return; /* the width has changed */
	uint64_t bucket = next_filled(events);
	if (events->far.count && bucket_of(events, events->far.event[0].when) < bucket)
		bucket = bucket_of(events, events->far.event[0].when);
	if (bucket == UINT64_MAX)
		return;
	events->bucket = bucket;
	uint32_t slot = bucket % WHEEL_BUCKETS;
	for (uint32_t link = events->first[slot], next; link != NONE; link = next) {
		next = events->link[link].next;
		heap_add(events, &events->now, events->link[link].event);
		events->link[link].next = events->free_link;
		events->free_link = link;
	}
	events->first[slot] = NONE;
	events->filled[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	while (events->far.count && bucket_of(events, events->far.event[0].when) - bucket < WHEEL_BUCKETS)
		place(events, heap_take(&events->far));
	events->buckets++;
	events->fresh = true;
}

uint64_t packet_events_next(struct packet_events *events)
{
	if (!events->now.count)
		turn(events);
	return events->now.count ? event_time(&events->now.event[0]) : UINT64_MAX;
}

struct packet_event packet_events_take(struct packet_events *events)
{
	if (!events->now.count)
		turn(events);
	struct packet_event event = heap_take(&events->now);
	events->times += event_time(&event) != events->last;
	events->last = event_time(&event);
	return event;
}

void packet_events_begin(struct packet_events *events, struct error *error)
{
	empty_wheel(events);
	events->now.count = events->far.count = 0;
	events->shift = FIRST_SHIFT;
	events->bucket = events->buckets = events->times = events->added = events->fars = events->last = 0;
	events->error = error;
}

void packet_events_clear(struct packet_events *events)
{
	free(events->now.event);
	free(events->far.event);
	free(events->link);
	*events = (struct packet_events){0};
}
