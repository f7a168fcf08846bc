/* The ends of operations, and of the first messages of queues: a heap by time. */
#include "base/memory.h"
#include "engines/flow/flow_workspace.h"

static void place_event(struct flow_engine *e, size_t i, struct event event)
{
	e->event[i] = event;
	e->place[event.number] = (uint32_t)i;
}

/* Orders equal times by number, so that the order does not depend on the heap's history. */
static bool is_before(struct event a, struct event b)
{
	return a.time < b.time || (a.time == b.time && a.number < b.number);
}

static void rise(struct flow_engine *e, size_t i, struct event event)
{
	for (; i && is_before(event, e->event[(i - 1) / 2]); i = (i - 1) / 2)
		place_event(e, i, e->event[(i - 1) / 2]);
	place_event(e, i, event);
}

static void sink(struct flow_engine *e, size_t i, struct event event)
{
	for (size_t child; (child = 2 * i + 1) < e->events; i = child) {
		child += child + 1 < e->events && is_before(e->event[child + 1], e->event[child]);
		if (is_before(event, e->event[child]))
			break;
		place_event(e, i, e->event[child]);
	}
	place_event(e, i, event);
}

void flow_remove_event(struct flow_engine *e, uint32_t number)
{
	size_t i = e->place[number];
	if (i == NONE)
		return;
	e->place[number] = NONE;
	struct event last = e->event[--e->events];
	if (last.number == number)
		return;
	if (i && is_before(last, e->event[(i - 1) / 2]))
		rise(e, i, last);
	else
		sink(e, i, last);
}

void flow_set_event(struct flow_engine *e, uint32_t number, uint64_t time)
{
	struct event event = {time, number};
	size_t i = e->place[number];
	if (time == NEVER) { /* another rate may change that */
		flow_remove_event(e, number);
	} else if (i == NONE) {
		if (array_grow(&e->event, &e->event_room, e->events + 1, sizeof *e->event, e->error)) {
			e->ending = RUN_FAILED;
			return;
		}
		rise(e, e->events++, event);
	} else if (is_before(event, e->event[i])) {
		rise(e, i, event);
	} else {
		sink(e, i, event);
	}
}

void flow_end_after(struct flow_engine *e, uint32_t operation, double seconds)
{
	uint64_t time = time_after(e->now, seconds, LONGEST_TIME);
	if (time == NEVER)
		e->ending = RUN_ENDLESS;
	else
		flow_set_event(e, operation, time);
}
