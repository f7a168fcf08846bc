/*
 * The events of the packet engine, by time. Events in the near future are in the buckets of a timing wheel (Varghese, Lauck: Hashed and
 * hierarchical timing wheels, SOSP 1987) whose width follows the density of events; a bucket is sorted when its time comes. Heaps hold the
 * events beyond the wheel, and those added to the current bucket. Simultaneous events have no defined order, but it is the same in every
 * run.
 */
#ifndef ENGINES_PACKET_PACKET_EVENTS_H
#define ENGINES_PACKET_PACKET_EVENTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum packet_event_kind {
	EVENT_DELIVER,   /* the tail of a packet reaches its host; target: channel */
	EVENT_OPERATION, /* an operation ends, or its RTS or CTS has arrived: enum packet_kind in packet; target: operation */
	EVENT_WAKE,      /* an output may be able to send; target: channel */
	EVENT_LANE,      /* the next packet of a queue becomes its first; target: lane */
	EVENT_HEAD,      /* the head of a packet has reached a node and is routed; target: channel */
	EVENT_SOURCE,    /* a host may send its next packet; target: host */
	EVENT_PAIR,      /* of queue pairs: enum pair_event in packet; target: pair, or host */
	EVENT_REFUND,    /* in mailboxes only: room has become free; target: lane; packet: bytes */
};

/*
 * A pair is told of a marked packet; the flow of a pair has rested; so has that of a send queue (the target), of which all pairs belong to
 * it; a host has created its current message of an open loop.
 */
enum pair_event { PAIR_NOTICE, PAIR_RESTED, PAIR_QUEUE_RESTED, PAIR_CREATED };

enum { EVENT_KIND_BITS = 3 };
#define EVENT_LAST (UINT64_MAX >> EVENT_KIND_BITS) /* 26 days in picoseconds */

struct packet_event {
	uint64_t when; /* time and kind */
	uint32_t target;
	uint32_t packet;
};

static inline uint64_t event_when(uint64_t time, enum packet_event_kind kind)
{
	return (time < EVENT_LAST ? time : EVENT_LAST) << EVENT_KIND_BITS | kind;
}

static inline uint64_t event_time_of(uint64_t when)
{
	return when >> EVENT_KIND_BITS;
}

static inline enum packet_event_kind event_kind_of(uint64_t when)
{
	return (enum packet_event_kind)(when & ((1 << EVENT_KIND_BITS) - 1));
}

static inline uint64_t event_time(const struct packet_event *event)
{
	return event_time_of(event->when);
}

static inline enum packet_event_kind event_kind(const struct packet_event *event)
{
	return event_kind_of(event->when);
}

enum { WHEEL_BUCKETS = 4096, EVENTS_OF_CHUNK = 15 };

struct event_heap {
	struct packet_event *event;
	size_t count, room;
};

/* Some events of a bucket. */
struct event_chunk {
	struct packet_event event[EVENTS_OF_CHUNK];
	uint32_t count, next;
	uint64_t unused;
};

struct packet_events {
	unsigned shift;                       /* log2 of the width of a bucket in picoseconds */
	uint64_t bucket;                      /* number of the current bucket */
	struct packet_event *today, *sorting; /* the current bucket, sorted by time; events from index at on are pending */
	size_t at, count, today_room, sorting_room;
	size_t seen;                 /* events of the current bucket that have been asked for by packet_events_unseen() */
	struct event_heap late, far; /* events added to the current bucket; events beyond the wheel */
	uint32_t *first;             /* [WHEEL_BUCKETS] first chunk of each bucket; NONE: empty */
	uint64_t *filled;            /* [WHEEL_BUCKETS / 64] a bit per bucket: not empty */
	struct event_chunk *chunk;
	size_t chunks, chunk_room;
	uint32_t free_chunk;
	uint64_t last; /* time of the last event taken */
	uint64_t buckets, times, added,
		fars;        /* since the width was last adapted: buckets emptied, times of events, events added, those beyond the wheel */
	struct error *error; /* out of memory; events are then lost */
};

/* Removes all events; the first bucket begins at time 0. The arrays are kept. If out of memory no event may be added. */
void packet_events_begin(struct packet_events *events, struct error *error);
void packet_events_clear(struct packet_events *events);

/* Adds an event, at a time not before the last one taken. Time O(1), or O(log n) beyond the wheel. */
void packet_events_add(struct packet_events *events, uint64_t time, enum packet_event_kind kind, uint32_t target, uint32_t packet);

/* The same, whatever the current bucket holds; time: that of the next event. */
uint64_t packet_events_find(struct packet_events *events);
struct packet_event packet_events_get(struct packet_events *events, uint64_t time);

/* Returns the time of the next event; UINT64_MAX: there is none. */
static inline uint64_t packet_events_next(struct packet_events *events)
{
	if (events->at < events->count && !events->late.count)
		return event_time(&events->today[events->at]);
	return packet_events_find(events);
}

/* Takes the next event, which must exist and is at that time. */
static inline struct packet_event packet_events_take(struct packet_events *events, uint64_t time)
{
	if (events->late.count)
		return packet_events_get(events, time);
	events->times += time != events->last;
	events->last = time;
	return events->today[events->at++];
}

/* Returns an event a few places after the next one; NULL: none is known. */
enum { EVENTS_AHEAD = 12 };
static inline const struct packet_event *packet_events_ahead(const struct packet_events *events)
{
	return events->at + EVENTS_AHEAD < events->count ? &events->today[events->at + EVENTS_AHEAD] : NULL;
}

/* Returns the next event that has not been asked for in this way, if it is at most so many places after the next one; NULL. */
static inline const struct packet_event *packet_events_unseen(struct packet_events *events, size_t places)
{
	return events->seen < events->count && events->seen <= events->at + places ? &events->today[events->seen++] : NULL;
}

#endif
