/*
 * Adds all flows together, for rates that are computed once: flows that share channels are numbered consecutively, and channels that are
 * never a bottleneck are left out (in a tree with one route per host: all but the last of those that lead down). Time O(channels of all
 * flows).
 */
#include "base/memory.h"
#include "engines/flow/max_min_workspace.h"

#include <stdlib.h>
#include <string.h>

/*
 * The use of a channel once all flows are known: the number of flows, and the channel to which all of them continue; MANY: there is no such
 * channel.
 */
struct passing {
	uint32_t count, next;
};

enum { AHEAD = 64 };
#define MANY_NEXT (NONE - 1)

/* Computes the use of all channels; NULL if out of memory. */
static struct passing *find_passing(
	const struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	struct passing *passing = large_create(m->channels, sizeof *passing, error);
	if (!passing)
		return NULL;
	memset(passing, 0, m->channels * sizeof *passing);
	for (uint32_t f = 0; f < flows && !*m->stop; f++)
		for (size_t i = start[f]; i < start[f + 1]; i++) {
			struct passing *p = &passing[channel[i]];
			uint32_t next = i + 1 < start[f + 1] ? channel[i + 1] : MANY_NEXT;
			if (i + AHEAD < start[flows])
				__builtin_prefetch(&passing[channel[i + AHEAD]], 1);
			p->next = !p->count++ || p->next == next ? next : MANY_NEXT;
		}
	return passing;
}

/* Orders flows by their first channels: those that share one usually share more. Returns the order; NULL if out of memory. */
static uint32_t *order_flows(const struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	uint32_t *end = array_create((size_t)m->channels + 2, sizeof *end, error), *order = array_create(flows, sizeof *order, error);
	for (uint32_t f = 0; order && end && f < flows; f++)
		end[start[f] < start[f + 1] ? channel[start[f]] + 2 : 1]++;
	for (uint32_t c = 0; end && c <= m->channels; c++)
		end[c + 1] += end[c];
	for (uint32_t f = 0; order && end && f < flows; f++)
		order[end[start[f] < start[f + 1] ? channel[start[f]] + 1 : 0]++] = f;
	free(end);
	if (order && !error->status)
		return order;
	free(order);
	return NULL;
}

/*
 * Finds the channels that can be a bottleneck, a bit each: a channel cannot if all its flows continue to another one that is no faster.
 * Counts the flows of these.
 */
static uint64_t *find_bottlenecks(struct max_min *m, const struct passing *passing, size_t *places, struct error *error)
{
	uint64_t *may = array_create((size_t)m->channels / 64 + 1, sizeof *may, error);
	*places = 0;
	for (uint32_t c = 0; may && c < m->channels; c++) {
		uint32_t next = passing[c].next;
		if (!passing[c].count || (next != MANY_NEXT && m->capacity[next] <= m->capacity[c]))
			continue;
		may[c / 64] |= (uint64_t)1 << c % 64;
		*places += m->members[c] = passing[c].count;
	}
	return may;
}

/* Adds the flows in that order, with the channels of their routes that can be a bottleneck. */
static void take_flows(
	struct max_min *m, uint32_t flows, const uint32_t *order, const uint64_t *may, const size_t *start, const uint32_t *channel)
{
	for (uint32_t k = 0; k < flows && !*m->stop; k++) {
		uint32_t f = order[k];
		size_t first = m->route_used;
		if (k + AHEAD < flows)
			__builtin_prefetch(&start[order[k + AHEAD]]);
		if (k + AHEAD / 2 < flows) {
			const size_t *next = &start[order[k + AHEAD / 2]];
			for (size_t i = next[0]; i < next[1]; i += LINE)
				__builtin_prefetch(&channel[i]);
		}
		for (size_t i = start[f]; i < start[f + 1]; i++) {
			uint32_t c = channel[i];
			m->route[m->route_used] = c;
			m->route_used += may[c / 64] >> c % 64 & 1;
		}
		m->flow[k] = (struct fair_flow){start[f] < start[f + 1] ? 0 : INFINITY, first, (uint32_t)(m->route_used - first), NONE};
	}
}

/* Adds flows and routes. Returns 0, or -1. */
static int take_routes(struct max_min *m, uint32_t flows, const size_t *start, const uint32_t *channel, struct error *error)
{
	struct passing *passing = find_passing(m, flows, start, channel, error);
	uint64_t *may = passing ? find_bottlenecks(m, passing, &m->route_room, error) : NULL;
	free(passing);
	uint32_t *order = may ? order_flows(m, flows, start, channel, error) : NULL;
	m->route = order ? large_create(m->route_room + 1, sizeof *m->route, error) : NULL; /* one extra element is written and ignored */
	m->flow = m->route ? large_create(flows, sizeof *m->flow, error) : NULL;
	if (m->flow)
		take_flows(m, flows, order, may, start, channel);
	free(order);
	free(may);
	return m->flow && !*m->stop ? 0 : -1;
}

int max_min_take(struct max_min *m, uint32_t flows, size_t *start, uint32_t *channel, struct error *error)
{
	int taken = take_routes(m, flows, start, channel, error);
	free(start);
	free(channel);
	m->block = taken ? NULL : large_create(m->route_used, sizeof *m->block, error);
	if (!m->block)
		return -1;
	uint32_t *end = m->block;
	for (uint32_t c = 0; c < m->channels; c++) {
		m->member[c] = end;
		end += m->members[c];
		if (m->members[c])
			m->used[m->useds++] = c;
	}
	for (uint32_t f = 0; f < flows && !*m->stop; f++)
		for (size_t i = m->flow[f].start, last = i + m->flow[f].length; i < last; i++)
			*m->member[m->route[i]]++ = f;
	for (uint32_t c = 0; c < m->channels; c++)
		m->member[c] -= m->members[c];
	m->flows = m->active = flows;
	m->once = true;
	return 0;
}
