/*
 * Many senders, one receiver: all senders with one start share the rest of the route after their first channels, so that rest is counted
 * and weighed once per start and receiver, and the first channels once per sender. Per pair, only its sender and its start are counted.
 * Makes all-to-all and gather cheap.
 */
#include "base/memory.h"
#include "engines/congestion/congestion_workspace.h"

#include <string.h>

/*
 * Begins a pass: looks up the data of each rank in the mapping and, in the second pass, the counts of the first channels. Returns 0, or -1.
 */
static int begin_pass(struct congestion *e)
{
	struct incast *f = &e->incast;
	const struct route_cache *route_cache = e->setup.route_cache;
	uint32_t ranks = e->ranks;
	if (array_grow(&f->start, &f->start_capacity, ranks, sizeof *f->start, e->error) ||
		array_grow(&f->first, &f->first_capacity, ranks, sizeof *f->first, e->error) ||
		array_grow(&f->sent, &f->sent_capacity, ranks, sizeof *f->sent, e->error))
		return -1;
	for (uint32_t rank = 0; rank < ranks; rank++) {
		f->start[rank] = route_cache->start[e->host[rank]];
		f->first[rank] = route_cache->first[e->host[rank]];
		f->sent[rank] = e->counting ? 0 : count_of(e, false, f->first[rank]);
	}
	f->ranks = ranks;
	f->receiver = NONE;
	return 0;
}

/* Returns the entries of all routes to a receiver; those of a tree stay until the next receiver begins. */
static const uint32_t *row_of(const struct congestion *e, uint32_t receiver)
{
	const struct route_cache *route_cache = e->setup.route_cache;
	if (route_cache->tree)
		return e->incast.row;
	return route_cache->entry + (size_t)e->host[receiver] * route_cache->starts * route_cache->inner;
}

/* Counts the channels after the first ones for the pairs to the last receiver. */
static void end_receiver(struct congestion *e)
{
	const struct route_cache *route_cache = e->setup.route_cache;
	struct incast *f = &e->incast;
	uint32_t routed = 0;
	if (f->receiver == NONE || !f->held || !e->counting)
		return;
	const uint32_t *entry = row_of(e, f->receiver);
	for (uint32_t s = 0; s < route_cache->starts; s++, entry += route_cache->inner) {
		for (uint32_t k = 0; k < route_cache->inner; k++)
			count_add(e, false, entry[k], f->senders[s]);
		routed += f->senders[s];
	}
	count_add(e, false, route_cache->last[e->host[f->receiver]], routed);
	memset(f->senders, 0, route_cache->starts * sizeof *f->senders);
}

/* Ensures that the table has all routes to the receiver and, in the second pass, weighs the channels after the first ones. */
static void begin_receiver(struct congestion *e, uint32_t receiver)
{
	const struct route_cache *route_cache = e->setup.route_cache;
	struct incast *f = &e->incast;
	if (route_cache->tree)
		route_cache_row(route_cache, e->host[receiver], f->row);
	const uint32_t *entry = row_of(e, receiver);
	uint32_t last = e->counting ? 0 : count_of(e, false, route_cache->last[e->host[receiver]]);
	f->receiver = receiver;
	f->held = true;
	for (uint32_t s = 0; s < route_cache->starts && f->held; s++, entry += route_cache->inner) {
		f->held = entry[0] < ROUTE_CACHE_LONG;
		uint32_t largest = last;
		for (uint32_t k = 0; k < route_cache->inner && f->held && !e->counting; k++) {
			uint32_t here = count_of(e, false, entry[k]);
			largest = here > largest ? here : largest;
		}
		f->weight[s] = largest;
	}
}

static void count_pairs(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct incast *f = &e->incast;
	const uint32_t *start = f->start;
	uint32_t *sent = f->sent, *senders = f->senders;
	for (size_t i = 0; i < count; i++) {
		uint32_t sender = pairs[i].sender;
		sent[sender]++;
		senders[start[sender]]++;
	}
	e->level->connections += count + e->routes; /* the routes kept so far are discarded: there will be a second pass */
	e->routes = e->route_used = 0;
	e->spilled = true;
}

static void weigh_pairs(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct incast *f = &e->incast;
	const uint32_t *start = f->start, *first = f->sent, *behind = f->weight;
	uint32_t weight = 0, most = 0;
	size_t same = 0; /* neighbours often have the same weight */
	for (size_t i = 0; i < count; i++) {
		uint32_t here = first[pairs[i].sender], then = behind[start[pairs[i].sender]], now = here > then ? here : then;
		if (now != weight) {
			if (same && histogram_add(&e->weights, weight, same, e->error))
				e->result = RUN_FAILED;
			same = 0;
			weight = now;
			most = now > most ? now : most;
		}
		same++;
	}
	if (same && histogram_add(&e->weights, weight, same, e->error))
		e->result = RUN_FAILED;
	if (most > e->level->largest)
		e->level->largest = most;
}

bool incast_take(struct congestion *e, const struct pair *pairs, size_t count)
{
	struct incast *f = &e->incast;
	if (!f->ranks && begin_pass(e)) {
		e->result = RUN_FAILED;
		return true;
	}
	if (f->receiver != pairs[0].receiver) {
		end_receiver(e);
		begin_receiver(e, pairs[0].receiver);
	}
	if (f->held && e->counting)
		count_pairs(e, pairs, count);
	else if (f->held)
		weigh_pairs(e, pairs, count);
	return f->held;
}

void incast_end(struct congestion *e)
{
	struct incast *f = &e->incast;
	if (f->ranks)
		end_receiver(e);
	for (uint32_t rank = 0; e->counting && rank < f->ranks; rank++)
		count_add(e, false, f->first[rank], f->sent[rank]);
	f->ranks = 0;
}
