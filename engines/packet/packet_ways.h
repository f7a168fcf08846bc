/* The candidates of packets that are routed, and which of them they request; for packet_switch.c. */
#ifndef ENGINES_PACKET_PACKET_WAYS_H
#define ENGINES_PACKET_PACKET_WAYS_H

#include "engines/packet/packet_output.h"

/* Drops a packet without a candidate. */
static void go_nowhere(struct packet_engine *e, const struct routee *r)
{
	packet_lost(e, r->packet);
	leave_queue(e, r->packet, r->queue, e->now, e->arbitration, false);
	packet_drop(e, r->packet);
}

/* Finds the candidates of the packet. Returns their number. */
static unsigned find_ways(struct packet_engine *e, uint32_t packet, struct packet_candidate *way)
{
	struct packet_head *head = &e->packet[packet].head;
	e->router->view.left = NULL;
	uint32_t node = head->channel == NONE ? e->fabric->host_node[head->source] : e->fabric->head[head->channel];
	unsigned count = packet_candidates(e, head, node, way);
	return e->failures ? packet_failures_leave(e, way, count) : count;
}

/* Writes the candidates that the routing has left to the engine. */
static void write_ways(struct packet_engine *e, struct packet_candidate *way, unsigned count)
{
	if (e->router->view.left)
		e->router->view.rank_all(e, e->router->view.left, count, 1, way);
}

/* Requests all candidates except one. */
static void ask_all(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way, unsigned count, uint32_t but)
{
	for (unsigned w = 0; w < count; w++) {
		assert(way[w].lanes && way[w].lanes < 1u << e->lanes);
		if (way[w].channel != but)
			ask(e, r->packet, r->queue, &way[w], false);
	}
}

/* Returns whether the candidate can be served at once. */
static bool is_servable(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way)
{
	uint32_t lane, size = packet_space(e, &e->packet[r->packet]);
	struct packet_request request = {.packet = r->packet,
		.queue = r->queue,
		.output = way->channel,
		.size = (uint16_t)(size < UINT16_MAX ? size : UINT16_MAX),
		.lanes = way->lanes,
		.bubble = way->bubble};
	return servable(e, &request, e->mixed ? ready_time(e, r->packet, way->channel) : 0, &lane) <= e->now;
}

/*
 * Returns the best of the candidates that is free and has no other request, and whose order is not less than from; NULL: none. *order: its
 * order.
 */
static const struct packet_candidate *best_free(
	const struct packet_engine *e, const struct packet_candidate *way, unsigned count, uint64_t from, uint64_t *order)
{
	const struct packet_candidate *best = NULL;
	const struct packet_output *output = e->output;
	uint64_t best_order = UINT64_MAX, now = e->now;
	for (unsigned w = 0; w < count; w++) {
		if (way[w].rank > best_order >> 48)
			continue;
		const struct packet_output *o = &output[way[w].channel];
		if (o->busy > now || o->first != NONE)
			continue;
		uint64_t own = (uint64_t)way[w].rank << 48 | mix_of(now, way[w].channel);
		if (own >= best_order || own < from)
			continue;
		best = &way[w];
		best_order = own;
	}
	*order = best_order;
	return best;
}

/* Returns the best that can also be served at once. */
static const struct packet_candidate *free_way(
	struct packet_engine *e, const struct routee *r, const struct packet_candidate *way, unsigned count)
{
	uint64_t order;
	const struct packet_candidate *best = best_free(e, way, count, 0, &order);
	while (best && !is_servable(e, r, best))
		best = best_free(e, way, count, order + 1, &order);
	return best;
}

/*
 * Returns the best of the candidates left to the engine that is free and has no other request, as best_free() would; *way gets it. NULL:
 * there is none.
 */
static const struct packet_candidate *best_left(struct packet_engine *e, unsigned count, struct packet_candidate *way)
{
	const uint32_t *channel = e->router->view.left;
	struct packet_output *output = e->output;
	uint64_t best = UINT64_MAX, limit = e->router->rank_limit, scale = e->router->rank_scale, now = e->now;
	uint32_t buffer = e->setup.buffer, most = UINT32_MAX; /* bytes queued of those whose rank is at most that of the best */
	for (unsigned w = 0; w < count; w++) {
		struct packet_output *o = &output[channel[w]];
		if (o->busy > now || o->first != NONE)
			continue;
		packet_settle(e, &o->credit);
		uint32_t queued = buffer - o->credit.bytes;
		if (queued > most)
			continue;
		uint64_t rank = queued ? packet_rank_of(queued, limit, scale) : 0, own = rank << 48 | mix_of(now, channel[w]);
		if (own >= best)
			continue;
		best = own;
		most = rank < PACKET_RANK_MAX - 1 ? (uint32_t)((((rank + 1) << 32) - 1) / scale) : UINT32_MAX;
	}
	*way = (struct packet_candidate){(uint32_t)best, 1, (uint16_t)(best >> 48), 0};
	return best < UINT64_MAX ? way : NULL;
}

/* The same; if the routing has left the candidates to the engine, *way or all of them are written. */
static const struct packet_candidate *any_free(
	struct packet_engine *e, const struct routee *r, struct packet_candidate *way, unsigned count)
{
	const struct packet_candidate *best = e->router->view.left ? best_left(e, count, way) : NULL;
	if (best && is_servable(e, r, best))
		return best;
	write_ways(e, way, count);
	return free_way(e, r, way, count);
}

/* Requests that candidate only; if another packet gets it, all others are requested too. */
static void try(struct packet_engine *e, const struct routee *r, const struct packet_candidate *way)
{
	if (!packet_room(e, &e->trial, e->trials, &e->trial_room, sizeof *e->trial))
		return;
	ask(e, r->packet, r->queue, way, false);
	e->trial[e->trials++] = (struct load_trial){*r, e->packet[r->packet].request, way->channel};
}

/* Requests the other candidates of packets whose trial failed. */
static void ask_more(struct packet_engine *e)
{
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	for (size_t i = 0; i < e->trials; i++) {
		const struct load_trial *t = &e->trial[i];
		if (e->packet[t->routee.packet].request != t->request || e->request[t->request].packet != t->routee.packet)
			continue;
		unsigned count = find_ways(e, t->routee.packet, way);
		write_ways(e, way, count);
		ask_all(e, &t->routee, way, count, t->channel);
	}
	e->trials = 0;
}

/*
 * Requests all candidates that the routing finds for the packets. While it finds those of one packet, the data of another one is
 * prefetched; but a routing that reads queue lengths has to see all earlier requests.
 */
SPECIAL void route_all(struct packet_engine *e, const bool plain)
{
	enum { BLOCK = 16 };
	struct packet_candidate way[BLOCK][PACKET_CANDIDATES_MAX];
	unsigned count[BLOCK];
	size_t step = e->router->routing->looks ? 1 : BLOCK;
	if (e->router->routing->looks)
		packet_sort(e, e->routee, e->routees);
	for (size_t i = 0; i < e->routees; i += step) {
		const struct routee *r = &e->routee[i];
		size_t block = e->routees - i < step ? e->routees - i : step;
		for (size_t k = 0; k < block; k++) {
			count[k] = find_ways(e, r[k].packet, way[k]);
			if (count[k]) {
				__builtin_prefetch(&e->output[way[k][0].channel]);
			}
		}
		for (size_t k = 0; k < block; k++) {
			const struct packet_candidate *free = count[k] > 1 ? any_free(e, &r[k], way[k], count[k]) : NULL;
			if (!count[k])
				go_nowhere(e, &r[k]);
			else if (count[k] == 1)
				ask(e, r[k].packet, r[k].queue, way[k], plain);
			else if (free)
				try(e, &r[k], free);
			else
				ask_all(e, &r[k], way[k], count[k], NONE);
		}
	}
	e->routees = 0;
}

#endif
