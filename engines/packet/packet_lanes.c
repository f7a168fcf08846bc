/*
 * Virtual lanes: those of channels with fewer than the routing uses; and their arbitration at an output, by the tables of its port
 * (InfiniBand Architecture Specification 1, 7.6.9). An entry of a table may send as many bytes as its weight says, and then the packet that
 * it has begun; without a packet it passes its turn. High priority goes first until it has sent what the limit allows; then low priority
 * may send one packet.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

/* Whose turn it is in a table. */
struct lane_turn {
	uint32_t entry;
	int64_t left; /* bytes that it may still begin to send */
};

struct lane_arbiter {
	const struct lane_arbitration *table; /* NULL: the arbitration ignores lanes */
	struct lane_turn high, low;
	int64_t allowance; /* bytes that high priority may begin to send before low priority has a chance */
	bool is_high;      /* of the last choice, with its entry: */
	uint32_t entry;
	uint32_t turn[PACKET_LANES_MAX]; /* the queue served last on each lane, see struct packet_output */
};

/* ---- channels with fewer lanes than the routing uses */

uint16_t packet_lanes_meant(const struct packet_engine *e, uint32_t channel, uint16_t lanes)
{
	const struct lane_map *map = e->setup.channel_lanes ? &e->setup.lane_maps[e->setup.channel_lanes[channel]] : NULL;
	uint16_t meant = 0;
	if (!map)
		return lanes;
	for (uint32_t rest = lanes & map->leaders; rest; rest &= rest - 1)
		meant |= map->to[__builtin_ctz(rest)];
	return meant;
}

uint16_t packet_lanes_seen(const struct packet_engine *e, uint32_t channel, uint16_t lanes)
{
	const struct lane_map *map = e->setup.channel_lanes ? &e->setup.lane_maps[e->setup.channel_lanes[channel]] : NULL;
	uint16_t seen = 0;
	if (!map)
		return lanes;
	for (uint32_t rest = lanes; rest; rest &= rest - 1)
		seen |= (uint16_t)(1u << map->from[__builtin_ctz(rest)]);
	return seen;
}

unsigned packet_few_lanes(struct packet_engine *e, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	uint8_t lane = packet->lane;
	if (packet->channel != NONE)
		packet->lane = (uint8_t)__builtin_ctz(packet_lanes_seen(e, packet->channel, (uint16_t)(1u << lane)));
	unsigned count = e->router->routing->candidates(e->router, packet, node, candidates);
	packet->lane = lane;
	for (unsigned i = 0; i < count; i++) {
		candidates[i].lanes = packet_lanes_meant(e, candidates[i].channel, candidates[i].lanes);
		candidates[i].bubble = packet_lanes_meant(e, candidates[i].channel, candidates[i].bubble);
	}
	return count;
}

/* ---- arbitration */

int packet_lanes_create(struct packet_engine *e, struct error *error)
{
	const struct lane_arbitrations *a = e->setup.arbitrations;
	e->lane_arbiter = a ? array_create(e->channels, sizeof *e->lane_arbiter, error) : NULL;
	for (uint32_t c = 0; e->lane_arbiter && c < e->channels; c++) {
		const struct lane_arbitration *table = a->table_of[c] == NONE ? NULL : &a->table[a->table_of[c]];
		e->lane_arbiter[c].table = table && lane_arbitration_lanes(table) ? table : NULL;
	}
	return error->status ? -1 : 0;
}

void packet_lanes_free(struct packet_engine *e)
{
	free(e->lane_arbiter);
}

/* Returns the bytes that high priority may send before low priority; with a limit of 0 one packet. */
static int64_t full_allowance(const struct lane_arbitration *table)
{
	return table->limit ? (int64_t)table->limit * HIGH_LIMIT_BYTES : 1;
}

void packet_lanes_begin(struct packet_engine *e)
{
	for (uint32_t c = 0; e->lane_arbiter && c < e->channels; c++) {
		struct lane_arbiter *a = &e->lane_arbiter[c];
		a->high = a->low = (struct lane_turn){0};
		a->allowance = a->table ? full_allowance(a->table) : 0;
		memset(a->turn, 0xff, sizeof a->turn); /* NONE */
	}
}

bool packet_lanes_ruled(const struct packet_engine *e, uint32_t channel)
{
	return e->lane_arbiter[channel].table != NULL;
}

uint32_t *packet_lanes_turn(struct packet_engine *e, uint32_t channel, uint32_t lane)
{
	return &e->lane_arbiter[channel].turn[lane];
}

/* Returns the entry whose turn it is among those with a packet: the same as before while it has bytes left; NONE: there is no packet. */
static uint32_t find_entry(const struct lane_weights *weights, const struct lane_turn *turn, uint32_t ready)
{
	uint32_t skip = turn->left > 0 ? 0 : 1;
	for (uint32_t i = skip; i < weights->entries + skip; i++) {
		uint32_t at = (turn->entry + i) % weights->entries;
		const struct lane_weight *entry = &weights->entry[at];
		if (entry->weight && ready >> entry->lane & 1)
			return at;
	}
	return NONE;
}

uint32_t packet_lanes_choose(struct packet_engine *e, uint32_t channel, uint32_t ready)
{
	struct lane_arbiter *a = &e->lane_arbiter[channel];
	uint32_t high = find_entry(&a->table->high, &a->high, ready), low = find_entry(&a->table->low, &a->low, ready);
	if (a->allowance <= 0 && low == NONE) /* it had its chance */
		a->allowance = full_allowance(a->table);
	a->is_high = high != NONE && (low == NONE || a->allowance > 0 || a->table->limit == HIGH_LIMIT_UNBOUNDED);
	a->entry = a->is_high ? high : low;
	if (a->entry == NONE)
		return NONE;
	return (a->is_high ? &a->table->high : &a->table->low)->entry[a->entry].lane;
}

void packet_lanes_sent(struct packet_engine *e, uint32_t channel, uint32_t bytes)
{
	struct lane_arbiter *a = &e->lane_arbiter[channel];
	struct lane_turn *turn = a->is_high ? &a->high : &a->low;
	const struct lane_weights *weights = a->is_high ? &a->table->high : &a->table->low;
	if (turn->entry != a->entry || turn->left <= 0)
		*turn = (struct lane_turn){a->entry, (int64_t)weights->entry[a->entry].weight * WEIGHT_BYTES};
	turn->left -= bytes;
	a->allowance = a->is_high ? a->allowance - bytes : full_allowance(a->table);
}
