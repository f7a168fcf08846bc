/* Runs a task graph without a network; each receive takes the message that was posted at the same position among those of their kind. */
#include "patterns/graphs/posting.h"

#include "base/memory.h"
#include "patterns/graphs/event_heap.h"

#include <stdlib.h>

/* The messages from one task to another with one tag. */
struct channel {
	size_t first[2];  /* index in the list of its first message, and of its first receive */
	size_t posted[2]; /* number of each so far */
};

struct run {
	const struct task_graph *graph;
	struct task_waits waits;
	struct half *list;
	uint32_t *half;           /* [operations] index in the list, + 1; 0: none */
	struct channel *channel;  /* [channels] */
	uint32_t *channel_of;     /* [count] */
	size_t *number;           /* [count] number within its channel in the order of posting */
	uint32_t *slot;           /* [count] indices in the list: of a channel as they were posted, messages, then receives */
	bool *arrived;            /* [count] whether the message has arrived */
	struct graph_event *heap; /* [used] the first is the next event */
	size_t used;
	uint32_t places; /* number of places assigned so far */
	struct graph_event now;
};

/* Joins that are not receives come first. */
static void push(struct run *r, uint64_t time, uint32_t messages, uint32_t operation, bool end)
{
	bool joins = r->graph->kind[operation] == OPERATION_JOIN && !r->half[operation];
	event_push(r->heap, &r->used, (struct graph_event){time, messages, joins ? 0 : operation + 1, operation, end});
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

/* Lets a receive take its message if both have been posted. */
static void take(struct run *r, const struct channel *c, size_t number)
{
	if (number < c->posted[0] && number < c->posted[1] && r->arrived[r->slot[c->first[0] + number]])
		end(r, r->list[r->slot[c->first[1] + number]].operation);
}

/* Makes the message or receive the next one of its channel. */
static void post(struct run *r, uint32_t place)
{
	struct half *half = &r->list[place];
	struct channel *c = &r->channel[r->channel_of[place]];
	half->order = r->places++;
	r->number[place] = c->posted[half->receive]++;
	r->slot[c->first[half->receive] + r->number[place]] = place;
	if (half->receive)
		take(r, c, r->number[place]);
	else
		push(r, r->now.time, r->now.messages + 1, half->operation, true);
}

static void arrive(struct run *r, uint32_t place)
{
	r->arrived[place] = true;
	end(r, r->list[place].operation);
	take(r, &r->channel[r->channel_of[place]], r->number[place]);
}

static void begin(struct run *r, uint32_t operation)
{
	const struct task_graph *g = r->graph;
	bool passes = g->kind[operation] == OPERATION_COMPUTE || g->kind[operation] == OPERATION_PAUSE;
	release(r, r->waits.first_begun, r->waits.next_begun, operation);
	if (r->half[operation])
		post(r, r->half[operation] - 1);
	else if (passes)
		push(r, event_later(r->now.time, g->size[operation]), r->now.messages, operation, true);
	else
		end(r, operation);
}

static void run_all(struct run *r)
{
	for (uint32_t o = 0; o < r->graph->operations; o++)
		if (!r->waits.left[o])
			push(r, 0, 0, o, false);
	while (r->used) {
		r->now = event_pop(r->heap, &r->used);
		if (!r->now.end)
			begin(r, r->now.operation);
		else if (r->half[r->now.operation])
			arrive(r, r->half[r->now.operation] - 1);
		else
			end(r, r->now.operation);
	}
}

/* Finds the channels of the list, and the index of each operation in it. */
static void find_channels(struct run *r, size_t count)
{
	uint32_t channels = 0;
	for (size_t i = 0; i < count; i++) {
		bool other = !i || pairing_compare(&r->list[i - 1], &r->list[i]);
		channels += other;
		struct channel *c = &r->channel[channels - 1];
		if (other)
			*c = (struct channel){.first = {i, i}};
		c->first[1] += !r->list[i].receive;
		r->channel_of[i] = channels - 1;
		r->half[r->list[i].operation] = (uint32_t)i + 1;
		r->list[i].order = UINT32_MAX;
	}
}

int posting_order(struct half *list, size_t count, struct task_builder *builder, struct error *error)
{
	struct run r = {.graph = task_builder_graph(builder), .list = list};
	uint32_t operations = r.graph->operations;
	r.half = array_create(operations, sizeof *r.half, error);
	r.heap = array_create(operations, sizeof *r.heap, error);
	r.channel_of = array_create(count, sizeof *r.channel_of, error);
	r.channel = array_create(count, sizeof *r.channel, error);
	r.number = array_create(count, sizeof *r.number, error);
	r.slot = array_create(count, sizeof *r.slot, error);
	r.arrived = array_create(count, sizeof *r.arrived, error);
	if (!task_builder_waits(builder, &r.waits, error) && !error->status) {
		find_channels(&r, count);
		run_all(&r);
	}
	task_waits_clear(&r.waits);
	free(r.half);
	free(r.heap);
	free(r.channel_of);
	free(r.channel);
	free(r.number);
	free(r.slot);
	free(r.arrived);
	return error->status ? -1 : 0;
}
