#include "engines/packet/packet_events.h"

#include "base/memory.h"
#include "fabric/fabric.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SHIFT = 12, LAST_SHIFT = 40, CROWDED = 6, LOOK_AFTER = 4096, FEW_FAR = 64 };

static inline bool is_before(const struct packet_event *a, const struct packet_event *b)
{
	return event_time(a) < event_time(b);
}

/* ---- heaps */

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

/* ---- the wheel */

static inline uint64_t bucket_of(const struct packet_events *events, uint64_t when)
{
	return when >> (EVENT_KIND_BITS + events->shift);
}

/* Adds a chunk to the bucket in that slot. Returns it, NONE if out of memory. */
static uint32_t add_chunk(struct packet_events *events, uint32_t slot)
{
	uint32_t chunk = events->free_chunk;
	if (chunk != NONE) {
		events->free_chunk = events->chunk[chunk].next;
	} else {
		if (events->chunks == events->chunk_room &&
			block_grow(&events->chunk, &events->chunk_room, events->chunks + 1, sizeof *events->chunk, events->error))
			return NONE;
		chunk = (uint32_t)events->chunks++;
	}
	events->chunk[chunk].count = 0;
	events->chunk[chunk].next = events->first[slot];
	events->first[slot] = chunk;
	events->filled[slot / 64] |= UINT64_C(1) << slot % 64;
	return chunk;
}

/* Adds an event to the current bucket, another one of the wheel, or the heap beyond. */
static void place(struct packet_events *events, struct packet_event event)
{
	uint64_t bucket = bucket_of(events, event.when);
	if (bucket <= events->bucket) {
		heap_add(events, &events->late, event);
	} else if (bucket - events->bucket >= WHEEL_BUCKETS) {
		heap_add(events, &events->far, event);
		events->fars++;
	} else {
		uint32_t slot = bucket % WHEEL_BUCKETS, chunk = events->first[slot];
		if (chunk == NONE || events->chunk[chunk].count == EVENTS_OF_CHUNK)
			chunk = add_chunk(events, slot);
		if (chunk != NONE)
			events->chunk[chunk].event[events->chunk[chunk].count++] = event;
	}
}

void packet_events_add(struct packet_events *events, uint64_t time, enum packet_event_kind kind, uint32_t target, uint32_t packet)
{
	events->added++;
	place(events, (struct packet_event){event_when(time, kind), target, packet});
}

static void empty_wheel(struct packet_events *events)
{
	memset(events->first, 0xff, WHEEL_BUCKETS * sizeof *events->first); /* NONE */
	memset(events->filled, 0, WHEEL_BUCKETS / 64 * sizeof *events->filled);
	events->chunks = 0;
	events->free_chunk = NONE;
}

/* Distributes all events of the wheel again, for buckets of another width. */
static void set_width(struct packet_events *events, unsigned shift)
{
	struct event_chunk *old = events->chunk;
	uint32_t first[WHEEL_BUCKETS];
	uint64_t end = ((events->bucket + 1) << events->shift) - 1; /* of the bucket that has been emptied */
	memcpy(first, events->first, sizeof first);
	events->chunk = NULL;
	events->chunk_room = 0;
	empty_wheel(events);
	events->shift = shift;
	events->bucket = end >> shift;
	for (uint32_t slot = 0; slot < WHEEL_BUCKETS; slot++)
		for (uint32_t c = first[slot]; c != NONE; c = old[c].next)
			for (uint32_t i = 0; i < old[c].count; i++)
				place(events, old[c].event[i]);
	free(old);
}

/* Returns the next bucket of the wheel that is not empty; UINT64_MAX: none. */
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

/* Adapts the width so that buckets hold few distinct times, but few events are beyond the wheel. */
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

/* Sorts the events of the current bucket: by insertion, or by radix if they are many. */
static void sort(struct packet_events *events)
{
	enum { FEW = 48, DIGIT = 8 };
	if (events->count <= FEW) {
		for (size_t i = 1; i < events->count; i++) {
			struct packet_event event = events->today[i];
			size_t k = i;
			for (; k && is_before(&event, &events->today[k - 1]); k--)
				events->today[k] = events->today[k - 1];
			events->today[k] = event;
		}
		return;
	}
	for (unsigned digit = EVENT_KIND_BITS; digit < EVENT_KIND_BITS + events->shift; digit += DIGIT) {
		size_t place[1 << DIGIT] = {0}, sum = 0;
		for (size_t i = 0; i < events->count; i++)
			place[events->today[i].when >> digit & ((1 << DIGIT) - 1)]++;
		if (place[events->today[0].when >> digit & ((1 << DIGIT) - 1)] == events->count)
			continue; /* all equal */
		for (size_t i = 0; i < 1 << DIGIT; i++) {
			size_t count = place[i];
			place[i] = sum;
			sum += count;
		}
		for (size_t i = 0; i < events->count; i++)
			events->sorting[place[events->today[i].when >> digit & ((1 << DIGIT) - 1)]++] = events->today[i];
		struct packet_event *sorted = events->sorting;
		events->sorting = events->today;
		events->today = sorted;
		size_t room = events->sorting_room;
		events->sorting_room = events->today_room;
		events->today_room = room;
	}
}

/* Moves all events of a slot of the wheel to the current bucket. */
static void empty_slot(struct packet_events *events, uint32_t slot)
{
	events->at = events->count = events->seen = 0;
	for (uint32_t c = events->first[slot]; c != NONE; c = events->chunk[c].next)
		events->count += events->chunk[c].count;
	if (block_grow(&events->today, &events->today_room, events->count, sizeof *events->today, events->error) ||
		block_grow(&events->sorting, &events->sorting_room, events->count, sizeof *events->sorting, events->error)) {
		events->count = 0;
		return;
	}
	size_t at = 0;
	for (uint32_t c = events->first[slot], next; c != NONE; c = next) {
		struct event_chunk *chunk = &events->chunk[c];
		next = chunk->next;
		memcpy(events->today + at, chunk->event, chunk->count * sizeof *chunk->event);
		at += chunk->count;
		chunk->next = events->free_chunk;
		events->free_chunk = c;
	}
	events->first[slot] = NONE;
	events->filled[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	sort(events);
}

/* Advances to the next bucket that has events, if there is one. */
static void turn(struct packet_events *events)
{
	adapt(events);
	if (events->late.count)
		return; /* the width has changed */
	uint64_t bucket = next_filled(events);
	if (events->far.count && bucket_of(events, events->far.event[0].when) < bucket)
		bucket = bucket_of(events, events->far.event[0].when);
	if (bucket == UINT64_MAX)
		return;
	events->bucket = bucket;
	empty_slot(events, bucket % WHEEL_BUCKETS);
	while (events->far.count && bucket_of(events, events->far.event[0].when) - bucket < WHEEL_BUCKETS)
		place(events, heap_take(&events->far));
	events->buckets++;
}

uint64_t packet_events_find(struct packet_events *events)
{
	if (events->at == events->count && !events->late.count)
		turn(events);
	uint64_t next = events->at < events->count ? event_time(&events->today[events->at]) : UINT64_MAX;
	return events->late.count && event_time(&events->late.event[0]) < next ? event_time(&events->late.event[0]) : next;
}

struct packet_event packet_events_get(struct packet_events *events, uint64_t time)
{
	bool today = events->at < events->count && event_time(&events->today[events->at]) == time;
	struct packet_event event = today ? events->today[events->at++] : heap_take(&events->late);
	events->times += time != events->last;
	events->last = time;
	return event;
}

void packet_events_begin(struct packet_events *events, struct error *error)
{
	if (!events->first)
		events->first = array_create(WHEEL_BUCKETS, sizeof *events->first, error);
	if (!events->filled)
		events->filled = array_create(WHEEL_BUCKETS / 64, sizeof *events->filled, error);
	if (error->status)
		return;
	empty_wheel(events);
	events->late.count = events->far.count = events->at = events->count = events->seen = 0;
	events->shift = FIRST_SHIFT;
	events->bucket = events->buckets = events->times = events->added = events->fars = events->last = 0;
	events->error = error;
}

void packet_events_clear(struct packet_events *events)
{
	free(events->today);
	free(events->sorting);
	free(events->first);
	free(events->filled);
	free(events->late.event);
	free(events->far.event);
	free(events->chunk);
	*events = (struct packet_events){0};
}
