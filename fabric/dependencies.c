#include "fabric/dependencies.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool dependencies_forwards(const struct dependencies *dependencies, uint32_t node)
{
	uint32_t host = dependencies->trees->fabric->node_host[node];
	return host == NONE || dependencies->passed[host];
}

/* Returns the index of the pair of channels in a matrix whose rows start at base. */
static inline uint64_t pair_of(const struct dependencies *d, const uint64_t *base, uint32_t in, uint32_t out)
{
	const struct fabric *fabric = d->trees->fabric;
	return base[in] + (out - fabric->first_channel[fabric->head[in]]);
}

/* Returns whether some switch may discard packets. Without tables, the lane is the level. */
static bool may_discard(const struct dependencies *d)
{
	const struct virtual_lanes *lanes = d->lanes;
	for (uint32_t i = 0; lanes && i < lanes->tables; i++)
		for (uint32_t port = 0; port < lanes->table[i].ports; port++)
			if (memchr(lanes->table[i].lane[port], LANE_DISCARD, SERVICE_LEVELS_MOST))
				return true;
	if (!lanes || lanes->tables || d->level != LEVEL_TOLD)
		return lanes && !lanes->tables && (d->level == EVERY_LEVEL || d->level == LANE_DISCARD);
	return memchr(lanes->levels->level, LANE_DISCARD, (size_t)lanes->levels->rows * lanes->levels->hosts);
}

/*
 * Packets that arrive by a channel may leave its head by any other. Packets that hosts send by their own channels count only if they may be
 * discarded; otherwise a switch with many hosts would need the square of their number.
 */
static void lay_out(struct dependencies *d)
{
	const struct fabric *fabric = d->trees->fabric;
	bool discards = may_discard(d);
	for (uint32_t u = 0; u < fabric->nodes; u++)
		for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++) {
			uint32_t v = fabric->head[c];
			uint32_t out = dependencies_forwards(d, v) ? fabric->first_channel[v + 1] - fabric->first_channel[v] : 0;
			d->base[c + 1] = d->base[c] + (dependencies_forwards(d, u) ? out : 0);
			d->turns[c + 1] = d->turns[c] + (discards ? out : 0);
		}
}

static void sort_members(struct dependencies *d)
{
	const struct destination_trees *trees = d->trees;
	for (uint32_t s = 0; s < trees->starts; s++)
		d->first_member[s + 1] = d->first_member[s] + trees->start[s].hosts;
	for (uint32_t h = trees->starts ? trees->fabric->hosts : 0; h--;)
		d->member[--d->first_member[trees->start_of[h] + 1]] = h;
	for (uint32_t s = 0; s < trees->starts; s++) /* each end was decremented down to the beginning */
		d->first_member[s] = d->first_member[s + 1];
	d->first_member[trees->starts] = trees->starts ? trees->fabric->hosts : 0;
}

/* Returns the port at which the host's packets arrive, as SL-to-VL tables distinguish it. */
static uint32_t port_of(const struct dependencies *d, uint32_t host)
{
	uint32_t link = d->trees->link[host], port = link == NONE ? PORT_LAST + 1 : d->lanes->in_port[link];
	return port <= PORT_LAST ? port : PORT_LAST + 1;
}

/* Members of a start whose packets arrive at the same port use the same lane. */
static void sort_by_port(struct dependencies *d, uint32_t from, uint32_t to)
{
	uint32_t end[PORT_LAST + 3] = {[0] = from};
	for (uint32_t i = from; i < to; i++)
		end[port_of(d, d->member[i]) + 1]++;
	for (uint32_t port = 0; port <= PORT_LAST + 1; port++)
		end[port + 1] += end[port];
	for (uint32_t i = from; i < to; i++)
		d->by_port[end[port_of(d, d->member[i])]++] = d->member[i];
	for (uint32_t i = from; i < to; i++)
		d->others[i] = end[port_of(d, d->by_port[i])];
}

/* Finds the hosts that have the same service levels. */
static void compare_members(struct dependencies *d)
{
	memset(d->levels, 0xff, d->trees->starts * sizeof *d->levels);
	for (uint32_t s = 0; s < d->trees->starts; s++) {
		d->alike[s] = true;
		for (uint32_t i = d->first_member[s]; d->level == LEVEL_TOLD && i < d->first_member[s + 1]; i++)
			d->alike[s] &= d->lanes->levels->row[d->member[i]] == d->lanes->levels->row[d->member[d->first_member[s]]];
	}
}

int dependencies_init(struct dependencies *dependencies, const struct destination_trees *trees, const struct virtual_lanes *lanes,
	int level, const bool *passed, struct error *error)
{
	const struct fabric *fabric = trees->fabric;
	struct dependencies *d = dependencies;
	*d = (struct dependencies){
		.trees = trees,
		.lanes = lanes,
		.level = level,
		.lane_count = lanes ? lanes->count : 1,
		.base = array_create((size_t)fabric->channels + 1, sizeof *d->base, error),
		.turns = array_create((size_t)fabric->channels + 1, sizeof *d->turns, error),
		.mask = array_create(fabric->channels, sizeof *d->mask, error),
		.start_mask = array_create(lanes ? fabric->channels : 0, sizeof *d->start_mask, error),
		.levels = array_create(trees->starts, sizeof *d->levels, error),
		.alike = array_create(trees->starts, sizeof *d->alike, error),
		.member = array_create(fabric->hosts, sizeof *d->member, error),
		.first_member = array_create((size_t)trees->starts + 1, sizeof *d->first_member, error),
		.by_port = array_create(lanes ? fabric->hosts : 0, sizeof *d->by_port, error),
		.others = array_create(lanes ? fabric->hosts : 0, sizeof *d->others, error),
		.passed = array_create(fabric->hosts, sizeof *d->passed, error),
	};
	if (error->status)
		return -1;
	if ((uint64_t)fabric->channels * d->lane_count >= NONE)
		return error_set(error, STATUS_FABRIC, "too many channels for %u virtual lanes", d->lane_count);
	memcpy(d->passed, passed, fabric->hosts * sizeof *d->passed);
	lay_out(d);
	sort_members(d);
	compare_members(d);
	for (uint32_t s = 0; lanes && s < trees->starts; s++)
		sort_by_port(d, d->first_member[s], d->first_member[s + 1]);
	uint64_t pairs = d->base[fabric->channels];
	d->bits = array_create(pairs / 64 * d->lane_count * d->lane_count + (size_t)d->lane_count * d->lane_count, sizeof *d->bits, error);
	d->discarded = array_create(d->turns[fabric->channels] / 64 + 1, sizeof *d->discarded, error);
	return error->status ? -1 : 0;
}

void dependencies_clear(struct dependencies *dependencies)
{
	free(dependencies->base);
	free(dependencies->turns);
	free(dependencies->bits);
	free(dependencies->discarded);
	free(dependencies->mask);
	free(dependencies->start_mask);
	free(dependencies->levels);
	free(dependencies->alike);
	free(dependencies->member);
	free(dependencies->first_member);
	free(dependencies->by_port);
	free(dependencies->others);
	free(dependencies->passed);
	*dependencies = (struct dependencies){0};
}

/*
 * A host that forwards for others, but not to this destination, also sends to it, by the link that it shares with the forwarded packets.
 * Returns that link, which depends on the outputs of the node behind it; NONE if there is no such dependency.
 */
static uint32_t own_link(const struct dependencies *d, uint32_t host)
{
	const struct destination_trees *t = d->trees;
	uint32_t node = t->fabric->host_node[host];
	if (!d->passed[host] || host == t->destination || t->link[host] == NONE || t->distance[node] < TREE_DISTANCE_END)
		return NONE;
	uint32_t v = t->fabric->head[t->link[host]];
	return v != t->order[0] && t->distance[v] < TREE_DISTANCE_END ? t->link[host] : NONE;
}

static inline void set(uint64_t *bits, uint64_t at)
{
	bits[at / 64] |= UINT64_C(1) << at % 64;
}

bool dependencies_counts(const struct dependencies *dependencies, uint32_t in, uint32_t out)
{
	const struct fabric *fabric = dependencies->trees->fabric;
	return dependencies_forwards(dependencies, fabric_tail(fabric, in)) && dependencies_forwards(dependencies, fabric->head[out]);
}

void dependencies_join(struct dependencies *dependencies, uint32_t in, uint32_t out)
{
	if (dependencies_counts(dependencies, in, out))
		set(dependencies->bits, pair_of(dependencies, dependencies->base, in, out));
}

/* Adds the dependencies of a channel on all outputs of the node that it leads to, regardless of lanes. */
static void join_ways(struct dependencies *d, uint32_t in)
{
	const uint32_t *head = d->trees->fabric->head, *out;
	uint32_t ways = head[in] == d->trees->order[0] ? 0 : destination_trees_ways(d->trees, head[in], &out);
	for (uint32_t i = 0; i < ways; i++)
		if (dependencies_forwards(d, head[out[i]]))
			set(d->bits, pair_of(d, d->base, in, out[i]));
}

static void join_all(struct dependencies *d)
{
	const struct destination_trees *t = d->trees;
	for (uint32_t i = t->count; i-- > 1;) {
		const uint32_t *in;
		uint32_t u = t->order[i];
		bool used = !t->several || t->flow[u] > 0;
		uint32_t ways = used && dependencies_forwards(d, u) ? destination_trees_ways(t, u, &in) : 0;
		for (uint32_t k = 0; k < ways; k++)
			join_ways(d, in[k]);
	}
	for (uint32_t h = 0; t->passes && h < t->fabric->hosts; h++)
		if (own_link(d, h) != NONE)
			join_ways(d, own_link(d, h));
}

/* Returns whether the host's packets to the destination may have the service level. */
static inline bool sends(const struct dependencies *d, uint32_t host, unsigned level)
{
	return host != d->trees->destination &&
	       (d->level != LEVEL_TOLD || service_levels_get(d->lanes->levels, host, d->trees->destination) == level);
}

/* Finds the service levels on which each start sends to the destination. Returns the union, one bit per level. */
static unsigned find_levels(struct dependencies *d)
{
	const struct destination_trees *t = d->trees;
	unsigned all = 0;
	if (d->level != LEVEL_TOLD)
		return d->level == EVERY_LEVEL ? (1U << SERVICE_LEVELS_MOST) - 1 : 1U << d->level;
	for (uint32_t s = 0; s < t->starts; s++) {
		uint32_t end = d->alike[s] ? d->first_member[s] + 1 : d->first_member[s + 1];
		d->levels[s] = 0;
		for (uint32_t i = d->first_member[s]; destination_trees_senders(t, s) && i < end; i++)
			d->levels[s] |= (uint16_t)(1U << service_levels_get(d->lanes->levels, d->member[i], t->destination));
		all |= d->levels[s];
	}
	return all;
}

/* Returns the lanes of the packets that the start's hosts send to the destination by channel out. */
static uint16_t lanes_of_start(struct dependencies *d, uint32_t start, uint32_t out, unsigned level)
{
	const struct destination_trees *t = d->trees;
	bool own = start == t->start_of[t->destination];
	uint16_t mask = 0;
	if (!t->start[start].before) /* no packet waits before them */
		return (uint16_t)(1U << virtual_lanes_first(d->lanes, out, level));
	if (d->start_mask[out][level] && !own && d->alike[start])
		return d->start_mask[out][level];
	for (uint32_t i = d->first_member[start], next; i < d->first_member[start + 1]; i = next) {
		uint32_t in = t->link[d->by_port[i]];
		unsigned lane = virtual_lanes_get(d->lanes, in, out, level);
		next = i + 1;
		if (!sends(d, d->by_port[i], level))
			continue;
		mask = (uint16_t)(mask | 1U << lane);
		if (lane == LANE_DISCARD)
			set(d->discarded, pair_of(d, d->turns, in, out));
		else
			next = d->others[i]; /* other hosts of this port use the same lane */
	}
	if (!own && d->alike[start])
		d->start_mask[out][level] = mask;
	return mask;
}

/* Computes the lanes of packets after a channel into the node, from their lanes on it. */
static void pass_on(struct dependencies *d, uint32_t u, uint32_t in, unsigned level)
{
	const struct destination_trees *t = d->trees;
	const uint32_t *head = t->fabric->head, *out;
	unsigned from = d->mask[in] & ~(1U << LANE_DISCARD);
	uint32_t v = head[in], lanes = d->lane_count, ways = v == t->order[0] || !from ? 0 : destination_trees_ways(t, v, &out);
	for (uint32_t i = 0; i < ways; i++) {
		unsigned lane = virtual_lanes_get(d->lanes, in, out[i], level);
		uint64_t pair = pair_of(d, d->base, in, out[i]);
		d->mask[out[i]] = (uint16_t)(d->mask[out[i]] | 1U << lane);
		if (lane == LANE_DISCARD)
			set(d->discarded, pair_of(d, d->turns, in, out[i]));
		else if (dependencies_forwards(d, u) && dependencies_forwards(d, head[out[i]]))
			for (unsigned l = 0; l < lanes; l++)
				if (from >> l & 1)
					set(d->bits, (pair * lanes + l) * lanes + lane);
	}
}

/* Adds the dependencies of a host's link that it shares with forwarded packets. */
static void add_own(struct dependencies *d, uint32_t in, unsigned level)
{
	const uint32_t *head = d->trees->fabric->head, *out;
	unsigned first = virtual_lanes_first(d->lanes, in, level);
	uint32_t lanes = d->lane_count, ways = destination_trees_ways(d->trees, head[in], &out);
	for (uint32_t i = 0; i < ways; i++) {
		unsigned lane = virtual_lanes_get(d->lanes, in, out[i], level);
		if (first != LANE_DISCARD && lane != LANE_DISCARD && dependencies_forwards(d, head[out[i]]))
			set(d->bits, (pair_of(d, d->base, in, out[i]) * lanes + first) * lanes + lane);
	}
}

static void add_level(struct dependencies *d, unsigned level)
{
	const struct destination_trees *t = d->trees;
	const uint32_t *out;
	uint32_t root = t->order[0];
	for (uint32_t i = t->count; i-- > 1;)
		for (uint32_t k = destination_trees_ways(t, t->order[i], &out); k--;)
			d->mask[out[k]] = 0;
	for (uint32_t s = 0; s < t->starts; s++) {
		uint32_t v = t->start[s].node;
		bool sent = d->levels[s] >> level & 1 && destination_trees_senders(t, s) && v != root && t->distance[v] < TREE_DISTANCE_END;
		for (uint32_t k = sent ? destination_trees_ways(t, v, &out) : 0; k--;)
			d->mask[out[k]] |= lanes_of_start(d, s, out[k], level);
	}
	for (uint32_t h = 0; t->passes && h < t->fabric->hosts; h++) { /* hosts that forward for others send by the same channel */
		uint32_t v = t->fabric->host_node[h];
		bool sent = d->passed[h] && t->link[h] != NONE && t->distance[v] < TREE_DISTANCE_END && sends(d, h, level);
		for (uint32_t k = sent ? destination_trees_ways(t, v, &out) : 0; k--;)
			d->mask[out[k]] = (uint16_t)(d->mask[out[k]] | 1U << virtual_lanes_first(d->lanes, out[k], level));
	}
	for (uint32_t i = t->count; i-- > 1;)
		for (uint32_t k = destination_trees_ways(t, t->order[i], &out); k--;)
			pass_on(d, t->order[i], out[k], level);
	for (uint32_t h = 0; t->passes && h < t->fabric->hosts; h++)
		if (own_link(d, h) != NONE && sends(d, h, level))
			add_own(d, own_link(d, h), level);
}

void dependencies_add(struct dependencies *dependencies)
{
	struct dependencies *d = dependencies;
	if (d->lanes) {
		unsigned levels = find_levels(d);
		for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++)
			if (levels >> level & 1)
				add_level(d, level);
	} else {
		join_all(d);
	}
}

int dependencies_graph(const struct dependencies *dependencies, struct digraph *graph, struct error *error)
{
	const struct dependencies *d = dependencies;
	const struct fabric *fabric = d->trees->fabric;
	uint32_t lanes = d->lane_count;
	uint64_t count = 0, bits = d->base[fabric->channels] * lanes * lanes;
	for (uint64_t word = 0; word <= bits / 64 && bits; word++)
		count += (uint64_t)__builtin_popcountll(d->bits[word]);
	if (digraph_init(graph, fabric->channels * lanes, count, error))
		return -1;
	uint64_t edges = 0;
	for (uint32_t c = 0; c < fabric->channels; c++) {
		uint32_t first = fabric->first_channel[fabric->head[c]], width = (uint32_t)(d->base[c + 1] - d->base[c]);
		for (uint32_t l = 0; l < lanes; l++) {
			graph->first[(size_t)c * lanes + l] = edges;
			for (uint32_t k = 0; k < width; k++)
				for (uint32_t m = 0; m < lanes; m++) {
					uint64_t at = ((d->base[c] + k) * lanes + l) * lanes + m;
					if (d->bits[at / 64] >> at % 64 & 1)
						graph->to[edges++] = (first + k) * lanes + m;
				}
		}
	}
	graph->first[graph->vertices] = edges;
	return 0;
}

int dependencies_cyclic(const struct dependencies *dependencies, bool *cyclic, struct error *error)
{
	struct digraph graph = {0};
	uint32_t *list = NULL;
	*cyclic = false;
	if (!dependencies_graph(dependencies, &graph, error) && (list = digraph_cyclic(&graph, error)))
		for (uint32_t v = 0; v < graph.vertices; v++)
			*cyclic |= list[v] != 0;
	free(list);
	digraph_clear(&graph);
	return error->status ? -1 : 0;
}
