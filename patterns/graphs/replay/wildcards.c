/*
 * Receives whose status has not been recorded: what they would receive if computations took their time and messages none, but arrived after
 * everything else of that time. All receives take part, each with the first message that fits; MPI 4.0, section 3.5.
 */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"
#include "patterns/graphs/event_heap.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NOTHING = UINT32_MAX };

/* A queue of messages, or of receives, of one task; the first is next[none]. */
struct queue {
	uint32_t first, last;
};

struct run {
	struct replay *replay;
	const struct task_graph *graph;
	struct task_waits waits;
	struct half *list;
	uint32_t *half;         /* [operations] index in the list; NOTHING */
	struct queue *queue[2]; /* [tasks] unreceived messages that were posted; receives without a message */
	uint32_t *next;         /* [count] in their queue */
	uint32_t *pair;         /* [count] the message of a receive, the receive of a message; NOTHING */
	bool *arrived;          /* [count] */
	struct graph_event *heap;
	size_t used;
	struct graph_event now;
};

static void push(struct run *r, uint64_t time, uint32_t messages, uint32_t operation, bool end)
{
	event_push(r->heap, &r->used, (struct graph_event){time, messages, operation, operation, end});
}

static void release(struct run *r, const uint64_t *first, const uint32_t *next, uint32_t operation)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++)
		if (!--r->waits.left[next[i]])
			push(r, r->now.time, r->now.messages, next[i], false);
}

static void end(struct run *r, uint32_t operation)
{
	release(r, r->waits.first, r->waits.next, operation);
}

/* Returns whether the receive takes the message: the same communicator, and source and tag, unless it accepts any. */
static bool fits(const struct half *receive, const struct half *message)
{
	bool same = receive->any_tag ? receive->tag >> 32 == message->tag >> 32 : receive->tag == message->tag;
	return same && receive->receiver == message->receiver && (receive->any_sender || receive->sender == message->sender);
}

/* Removes the first half of a queue that fits. Returns it; NOTHING if there is none. */
static uint32_t take_first(struct run *r, struct queue *queue, uint32_t place)
{
	const struct half *list = r->list;
	for (uint32_t before = NOTHING, i = queue->first; i != NOTHING; before = i, i = r->next[i]) {
		if (!(list[i].receive ? fits(&list[i], &list[place]) : fits(&list[place], &list[i])))
			continue;
		*(before == NOTHING ? &queue->first : &r->next[before]) = r->next[i];
		if (queue->last == i)
			queue->last = before;
		return i;
	}
	return NOTHING;
}

static void append(struct run *r, struct queue *queue, uint32_t place)
{
	r->next[place] = NOTHING;
	*(queue->first == NOTHING ? &queue->first : &r->next[queue->last]) = place;
	queue->last = place;
}

/* Begins a message or posts a receive: it finds its counterpart among those that were posted before. */
static void post(struct run *r, uint32_t place)
{
	struct half *half = &r->list[place];
	uint32_t other = take_first(r, &r->queue[!half->receive][half->receiver], place);
	if (!half->receive)
		push(r, r->now.time, r->now.messages + 1, half->operation, true);
	if (other == NOTHING) {
		append(r, &r->queue[half->receive][half->receiver], place);
		return;
	}
	r->pair[place] = other;
	r->pair[other] = place;
	struct half *receive = half->receive ? half : &r->list[other];
	const struct half *message = half->receive ? &r->list[other] : half;
	receive->sender = message->sender;
	receive->tag = message->tag;
	receive->any_sender = receive->any_tag = false;
	if (half->receive && r->arrived[other])
		end(r, half->operation);
}

static void arrive(struct run *r, uint32_t place)
{
	r->arrived[place] = true;
	end(r, r->list[place].operation);
	if (r->pair[place] != NOTHING)
		end(r, r->list[r->pair[place]].operation);
}

static void begin(struct run *r, uint32_t operation)
{
	const struct task_graph *g = r->graph;
	release(r, r->waits.first_begun, r->waits.next_begun, operation);
	if (r->half[operation] != NOTHING)
		post(r, r->half[operation]);
	else if (g->kind[operation] == OPERATION_COMPUTE)
		push(r, event_later(r->now.time, g->size[operation]), r->now.messages, operation, true);
	else
		end(r, operation);
}

static void run_all(struct run *r)
{
	for (uint32_t o = 0; o < r->graph->operations; o++)
		if (!r->waits.left[o])
			push(r, 0, 0, o, false);
	while (r->used && task_builder_goes_on(r->replay->builder)) {
		r->now = event_pop(r->heap, &r->used);
		if (!r->now.end)
			begin(r, r->now.operation);
		else if (r->half[r->now.operation] != NOTHING)
			arrive(r, r->half[r->now.operation]);
		else
			end(r, r->now.operation);
	}
}

static void set_up(struct run *r, size_t count)
{
	for (uint32_t o = 0; o < r->graph->operations; o++)
		r->half[o] = NOTHING;
	for (uint32_t t = 0; t < r->graph->tasks; t++)
		r->queue[0][t] = r->queue[1][t] = (struct queue){NOTHING, NOTHING};
	for (size_t i = 0; i < count; i++) {
		r->pair[i] = NOTHING;
		if (!r->list[i].dropped)
			r->half[r->list[i].operation] = (uint32_t)i;
	}
}

int replay_match_wild(struct replay *replay)
{
	struct error *error = replay->error;
	size_t count = replay->pairing.count;
	struct run r = {.replay = replay, .graph = task_builder_graph(replay->builder), .list = replay->pairing.list};
	r.half = array_create(r.graph->operations, sizeof *r.half, error);
	r.heap = array_create(r.graph->operations, sizeof *r.heap, error);
	r.queue[0] = array_create(r.graph->tasks, sizeof *r.queue[0], error);
	r.queue[1] = array_create(r.graph->tasks, sizeof *r.queue[1], error);
	r.next = array_create(count, sizeof *r.next, error);
	r.pair = array_create(count, sizeof *r.pair, error);
	r.arrived = array_create(count, sizeof *r.arrived, error);
	if (!task_builder_waits(replay->builder, &r.waits, error) && !error->status) {
		set_up(&r, count);
		run_all(&r);
	}
	task_note(replay->builder,
		"%" PRIu64
		" receives of any source or tag have no recorded status; each takes the first message that would arrive if messages "
		"took no time",
		replay->wild);
	task_waits_clear(&r.waits);
	free(r.half);
	free(r.heap);
	free(r.queue[0]);
	free(r.queue[1]);
	free(r.next);
	free(r.pair);
	free(r.arrived);
	return error->status ? -1 : 0;
}
