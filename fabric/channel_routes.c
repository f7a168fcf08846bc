#include "fabric/channel_routes.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether routes to the destination that reach the tail of one of the channels continue on it. */
static bool is_needed(const struct source_groups *groups, const uint32_t *tail, const struct channel_routes *crossing, uint32_t count,
	uint32_t destination)
{
	const struct forwarding *f = groups->trees.forwarding;
	for (uint32_t i = 0; i < count; i++)
		if (forwarding_next(f, tail[i], f->column[tail[i]], destination) == crossing[i].channel)
			return true;
	return false;
}

static int add(struct channel_routes *c, uint32_t destination, uint32_t start, struct error *error)
{
	uint32_t last = c->destinations;
	if (!last || c->destination[last - 1] != destination) {
		if (array_grow(&c->destination, &c->destination_capacity, (size_t)last + 1, sizeof *c->destination, error) ||
			array_grow(&c->first, &c->first_capacity, (size_t)last + 2, sizeof *c->first, error))
			return -1;
		if (!last)
			c->first[0] = 0;
		c->destination[last] = destination;
		c->first[last + 1] = c->first[last];
		c->destinations = ++last;
	}
	if (array_grow(&c->start, &c->start_capacity, c->first[last] + 1, sizeof *c->start, error))
		return -1;
	c->start[c->first[last]++] = start;
	return 0;
}

static int collect_destination(const struct source_groups *groups, struct channel_routes *crossing, const uint32_t *slot,
	uint32_t destination, struct error *error)
{
	for (uint32_t s = 0; s < groups->trees.starts; s++) {
		if (!source_groups_to(groups, s, destination))
			continue;
		const uint32_t *channels;
		int length = source_groups_walk(groups, s, destination, &channels);
		for (int i = 0; i < length; i++)
			if (slot[channels[i]] != NONE && add(&crossing[slot[channels[i]]], destination, s, error))
				return -1;
	}
	return 0;
}

int channel_routes_collect(const struct source_groups *groups, struct channel_routes *crossing, uint32_t count, struct error *error)
{
	const struct fabric *fabric = groups->trees.fabric;
	uint32_t *slot = array_create(fabric->channels, sizeof *slot, error);
	uint32_t *tail = array_create(count, sizeof *tail, error);
	if (!error->status)
		memset(slot, 0xff, fabric->channels * sizeof *slot);
	for (uint32_t i = 0; i < count && !error->status; i++) {
		slot[crossing[i].channel] = i;
		tail[i] = fabric_tail(fabric, crossing[i].channel);
	}
	for (uint32_t d = 0; d < fabric->hosts && !error->status; d++)
		if (is_needed(groups, tail, crossing, count, d))
			collect_destination(groups, crossing, slot, d, error);
	free(slot);
	free(tail);
	return error->status ? -1 : 0;
}

void channel_routes_clear(struct channel_routes *crossing, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(crossing[i].destination);
		free(crossing[i].first);
		free(crossing[i].start);
		crossing[i] = (struct channel_routes){.channel = crossing[i].channel};
	}
}
