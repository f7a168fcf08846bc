/*
 * Congestion control in the packet engine (control/): switches count what waits for each output and lane, from when a head has arrived
 * until the packet leaves, and mark packets. A notice of a marked packet takes the idle time of the way back, as if it were in an
 * acknowledgement, which the engine does not simulate. The queue pairs of a flow that rests do not take turns.
 */
#include "base/memory.h"
#include "engines/packet/control/control.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

int packet_control_begin(struct packet_engine *e, struct error *error)
{
	if (!e->setup.congestion)
		return 0;
	if (!e->waiting)
		e->waiting = array_create(e->sources, sizeof *e->waiting, error);
	if (!e->unmarked)
		e->unmarked = array_create(e->sources, sizeof *e->unmarked, error);
	if (error->status)
		return -1;
	memset(e->waiting, 0, e->sources * sizeof *e->waiting);
	memset(e->unmarked, 0, e->sources * sizeof *e->unmarked);
	e->flows = 0;
	return 0;
}

/* ---- switches */

void packet_control_comes(struct packet_engine *e, uint32_t packet)
{
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	struct packet *p = &e->packet[packet];
	struct packet_head head = p->head;
	if (!packet_room(e, &e->wanted, packet, &e->wanted_room, sizeof *e->wanted))
		return;
	e->wanted[packet] = NONE;
	if (!packet_candidates(e, &head, e->output[head.channel].head, way))
		return;
	e->wanted[packet] = (way->channel << e->shift) + (uint32_t)__builtin_ctz(way->lanes);
	e->waiting[e->wanted[packet]] += p->size;
}

void packet_control_leaves(struct packet_engine *e, uint32_t packet)
{
	if (e->wanted[packet] != NONE)
		e->waiting[e->wanted[packet]] -= e->packet[packet].size;
}

void packet_control_marks(struct packet_engine *e, uint32_t packet, uint32_t lane)
{
	struct packet *p = &e->packet[packet];
	struct control_sight sight = {
		.others = e->waiting[lane] - (e->wanted[packet] == lane ? p->size : 0),
		.bytes = p->size,
		.credits = packet_credit(e, lane)->bytes >= packet_largest(&e->setup),
		.draw = packet_draw(e->router, &p->head, DRAW_MARK, UINT32_MAX),
		.unmarked = &e->unmarked[lane],
	};
	if (p->marked || !e->setup.congestion->kind->marks(e->setup.congestion, &sight))
		return;
	p->marked = true;
	e->seen.marked++;
}

/* ---- hosts */

struct control_flow *packet_flow(struct packet_engine *e, uint32_t pair)
{
	const struct queue_pair *p = &e->pair[pair];
	size_t flow = e->setup.congestion->by_level
			      ? (size_t)p->host * SERVICE_LEVELS_MOST + packet_level(e, p->level, p->host, p->receiver)
			      : pair;
	for (; e->flows <= flow; e->flow[e->flows++] = (struct control_flow){.resting = NONE})
		if (!packet_room(e, &e->flow, e->flows, &e->flow_room, sizeof *e->flow))
			return NULL;
	return &e->flow[flow];
}

void packet_control_told(struct packet_engine *e, const struct packet *p, uint64_t time)
{
	if (!is_here(e, e->fabric->host_node[p->head.source]))
		packet_parallel_notice(e, p, time);
	else
		packet_events_add(&e->events, time, EVENT_PAIR, packet_pair_of(e, p), PAIR_NOTICE);
}

void packet_control_notice(struct packet_engine *e, uint32_t pair)
{
	struct control_flow *flow = packet_flow(e, pair);
	if (flow)
		e->setup.congestion->kind->notice(e->setup.congestion, flow, e->now);
}

void packet_control_sent(struct packet_engine *e, uint32_t pair, uint32_t bytes, uint64_t until)
{
	struct control_flow *flow = packet_flow(e, pair);
	if (flow)
		flow->rest_until = until + e->setup.congestion->kind->rest(e->setup.congestion, flow, e->now, bytes, until - e->now);
}
