#include "fabric/route_choice.h"

#include "base/memory.h"
#include "base/random.h"
#include "fabric/walk.h"

#include <stdlib.h>
#include <string.h>

const char *const multipath_modes[] = {"first", "random", "split", NULL};

/* Returns the switch that the host is attached to by its only cable, NONE if its cabling differs. */
static uint32_t switch_of(const struct fabric *fabric, uint32_t host)
{
	uint32_t node = fabric->host_node[host], first = fabric->first_channel[node];
	bool hangs = fabric->first_channel[node + 1] - first == 1 && fabric->node_host[fabric->head[first]] == NONE;
	return hangs ? fabric->head[first] : NONE;
}

bool route_choice_can_detour(const struct fabric *fabric)
{
	for (uint32_t h = 0; h < fabric->hosts && fabric->hosts < fabric->nodes; h++)
		if (switch_of(fabric, h) == NONE)
			return false;
	return true;
}

/*
 * Finds the nodes where routes begin, and the possible intermediate nodes: the switches that hosts are attached to, or the hosts in fabrics
 * without switches. Returns 0, or -1.
 */
static int find_vias(struct route_choice *m, struct error *error)
{
	const struct fabric *fabric = m->setup.fabric;
	if (m->setup.forwarding->via && !route_choice_can_detour(fabric))
		return error_at(error, STATUS_FABRIC, fabric->labels ? fabric->labels->source : "the fabric", 0,
			"routing via random switches (via=random) requires every host to be attached to one switch by one cable");
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t hangs_on = switch_of(fabric, h);
		m->start[h] = hangs_on == NONE ? fabric->host_node[h] : hangs_on;
		if (m->mark[m->start[h]])
			continue;
		m->mark[m->start[h]] = 1;
		m->via_host[m->vias++] = h;
	}
	memset(m->mark, 0, fabric->nodes * sizeof *m->mark);
	if (!m->setup.forwarding->via || m->setup.mode == MULTIPATH_FIRST)
		m->vias = 0;
	return 0;
}

struct route_choice *route_choice_create(const struct route_choice_setup *setup, struct error *error)
{
	const struct fabric *fabric = setup->fabric;
	struct route_choice *m = array_create(1, sizeof *m, error);
	if (!m)
		return NULL;
	size_t longest = 2 * (size_t)fabric->nodes,
	       room = longest + fabric->channels; /* of several routes the channels, and one route more */
	m->setup = *setup;
	m->via_host = array_create(fabric->hosts, sizeof *m->via_host, error);
	m->start = array_create(fabric->hosts, sizeof *m->start, error);
	m->channel = array_create(room, sizeof *m->channel, error);
	m->share = array_create(fabric->channels, sizeof *m->share, error);
	m->load = array_create(fabric->channels, sizeof *m->load, error);
	m->inflow = array_create(fabric->nodes, sizeof *m->inflow, error);
	m->mark = array_create(fabric->nodes, sizeof *m->mark, error);
	m->order = array_create(fabric->nodes, sizeof *m->order, error);
	m->stack = array_create(fabric->nodes, sizeof *m->stack, error);
	m->branch = array_create(fabric->nodes, sizeof *m->branch, error);
	m->first = array_create(fabric->nodes, sizeof *m->first, error);
	m->ways = array_create(fabric->nodes, sizeof *m->ways, error);
	m->way = array_create(fabric->channels, sizeof *m->way, error);
	m->part = array_create(fabric->channels, sizeof *m->part, error);
	m->epoch = 1;
	if (!error->status && !find_vias(m, error))
		return m;
	route_choice_free(m);
	return NULL;
}

void route_choice_free(struct route_choice *m)
{
	if (!m)
		return;
	free(m->via_host);
	free(m->start);
	free(m->channel);
	free(m->share);
	free(m->load);
	free(m->inflow);
	free(m->mark);
	free(m->order);
	free(m->stack);
	free(m->branch);
	free(m->first);
	free(m->ways);
	free(m->way);
	free(m->part);
	free(m);
}

/* ---- one route */

/* The random numbers of one pair in one run. */
struct draw {
	const struct route_choice *multipath;
	uint32_t source, destination, block, used;
	uint32_t word[4];
};

static struct draw draw_start(const struct route_choice *m, uint32_t source, uint32_t destination)
{
	return (struct draw){.multipath = m, .source = source, .destination = destination, .used = 4};
}

static uint32_t draw_bits(struct draw *draw)
{
	if (draw->used == 4) {
		random_pair(draw->word, draw->multipath->setup.seed, draw->multipath->run, draw->source, draw->destination, draw->block++);
		draw->used = 0;
	}
	return draw->word[draw->used++];
}

/* Draws an index by shares that sum to 1. */
static uint64_t draw_share(struct draw *draw, const double *share, uint64_t count)
{
	double left = draw_bits(draw) * 0x1p-32;
	uint64_t i = 0;
	while (i + 1 < count && left >= share[i])
		left -= share[i++];
	return i;
}

/* Draws the channel by which the node forwards, NONE if it has no entry. */
static uint32_t draw_channel(struct draw *draw, uint32_t node, uint32_t destination)
{
	const struct route_choice *m = draw->multipath;
	const struct forwarding *f = m->setup.forwarding;
	const uint32_t *channel;
	const double *share;
	uint32_t only;
	if (m->setup.mode != MULTIPATH_RANDOM)
		return forwarding_next(f, node, f->column[node], destination);
	uint32_t count = forwarding_ways(f, node, destination, &channel, &share, &only);
	return count > 1 ? channel[draw_share(draw, share, count)] : count ? channel[0] : NONE;
}

/* Appends the path from a node to another, which routes to the destination reach. Returns 0, ROUTE_NO_ENTRY or ROUTE_LOOP. */
static int go(struct route_choice *m, struct draw *draw, uint32_t node, uint32_t to, uint32_t destination)
{
	for (uint32_t left = m->setup.fabric->nodes; node != to; left--) {
		uint32_t channel = left ? draw_channel(draw, node, destination) : NONE;
		if (channel == NONE) {
			m->bad_node = node;
			return left ? ROUTE_NO_ENTRY : ROUTE_LOOP;
		}
		m->channel[m->count++] = channel;
		node = m->setup.fabric->head[channel];
	}
	return 0;
}

/* Finds the source routes of a pair in the current run. */
static bool find_routes(const struct route_choice *m, uint32_t source, uint32_t destination, uint64_t *first, uint64_t *end)
{
	const struct source_routes *routes = m->setup.routes;
	struct source_demand *demand = routes ? routes->demand : NULL;
	if (demand && demand->begin && demand->run != m->run) {
		demand->begin(demand, m->run);
		demand->run = m->run;
	}
	return routes && source_routes_find(routes, source, destination, first, end);
}

/* Appends a route. Returns 0, ROUTE_NO_ENTRY or ROUTE_LOOP. */
static int add_route(struct route_choice *m, struct draw draw)
{
	const uint32_t *host_node = m->setup.fabric->host_node;
	uint32_t source = draw.source, destination = draw.destination;
	uint64_t first, end;
	if (find_routes(m, source, destination, &first, &end)) {
		if (m->setup.mode == MULTIPATH_RANDOM)
			first += draw_share(&draw, m->setup.routes->share + first, end - first);
		m->count += source_routes_channels(m->setup.routes, source, destination, first, m->channel + m->count);
		return 0;
	}
	uint32_t via = m->vias ? m->via_host[(uint64_t)draw_bits(&draw) * m->vias >> 32] : NONE, node = host_node[source];
	if (via != NONE && m->start[via] != m->start[source] && m->start[via] != m->start[destination]) {
		int failed = go(m, &draw, node, m->start[via], via);
		if (failed)
			return failed;
		node = m->start[via];
	}
	return go(m, &draw, node, host_node[destination], destination);
}

int route_choice_route(struct route_choice *m, uint32_t source, uint32_t destination)
{
	m->count = 0;
	int failed = add_route(m, draw_start(m, source, destination));
	return failed ? failed : (int)m->count;
}

int route_choice_several(struct route_choice *m, uint32_t source, uint32_t destination, uint32_t draws)
{
	enum { BLOCKS = 0x10000 / ROUTE_DRAWS }; /* of random numbers for each */
	uint32_t kept = 0;
	int failed = 0;
	for (uint32_t i = 0; i < draws && !failed; i++) {
		struct draw draw = draw_start(m, source, destination);
		draw.block = i * BLOCKS;
		m->count = kept;
		failed = add_route(m, draw);
		for (uint32_t k = kept, end = m->count; k < end; k++) {
			uint32_t channel = m->channel[k];
			if (m->load[channel] == 0)
				m->channel[kept++] = channel;
			m->load[channel] += 1.0 / draws;
		}
	}
	m->count = kept;
	for (uint32_t i = 0; i < kept; i++) {
		m->share[i] = m->load[m->channel[i]];
		m->load[m->channel[i]] = 0;
	}
	return failed ? failed : (int)kept;
}

/* ---- all routes */

static void add_load(struct route_choice *m, uint32_t channel, double share)
{
	if (m->load[channel] == 0)
		m->channel[m->count++] = channel;
	m->load[channel] += share;
}

/* Notes the channels by which a node forwards, none at the end; used: number of those noted so far. */
static void open_node(struct route_choice *m, uint32_t node, uint32_t to, uint32_t destination, uint32_t *used)
{
	const uint32_t *channel = NULL;
	const double *share = NULL;
	uint32_t only, ways = node == to ? 0 : forwarding_ways(m->setup.forwarding, node, destination, &channel, &share, &only);
	m->first[node] = *used;
	m->ways[node] = ways;
	for (uint32_t i = 0; i < ways; i++, ++*used) {
		m->way[*used] = channel[i];
		m->part[*used] = share[i];
	}
}

/*
 * Orders the nodes between two by depth-first search, each after all those that its channels lead to. Returns their number, ROUTE_NO_ENTRY,
 * or ROUTE_LOOP for a cycle.
 */
static int order_nodes(struct route_choice *m, uint32_t from, uint32_t to, uint32_t destination)
{
	const struct fabric *fabric = m->setup.fabric;
	uint32_t depth = 0, count = 0, open = m->epoch, done = open + 1, used = 0;
	m->epoch += 2;
	m->mark[from] = open;
	open_node(m, from, to, destination, &used);
	m->branch[0] = 0;
	m->stack[depth++] = from;
	while (depth) {
		uint32_t node = m->stack[depth - 1], branches = m->ways[node];
		m->bad_node = node;
		if (!branches && node != to)
			return ROUTE_NO_ENTRY;
		if (m->branch[depth - 1] == branches) {
			m->mark[node] = done;
			m->order[count++] = node;
			depth--;
			continue;
		}
		uint32_t head = fabric->head[m->way[m->first[node] + m->branch[depth - 1]++]];
		if (m->mark[head] == open) {
			m->bad_node = head;
			return ROUTE_LOOP;
		}
		if (m->mark[head] == done)
			continue;
		m->mark[head] = open;
		open_node(m, head, to, destination, &used);
		m->branch[depth] = 0;
		m->stack[depth++] = head;
	}
	return (int)count;
}

/* Adds a share of the load to all channels between two nodes. Returns 0, ROUTE_NO_ENTRY or ROUTE_LOOP. */
static int spread(struct route_choice *m, uint32_t from, uint32_t to, uint32_t destination, double part)
{
	int count = order_nodes(m, from, to, destination);
	if (count < 0)
		return count;
	m->inflow[from] = part;
	while (count-- > 0) {
		uint32_t node = m->order[count];
		for (uint32_t i = m->first[node]; i < m->first[node] + m->ways[node]; i++) {
			double here = m->inflow[node] * m->part[i];
			add_load(m, m->way[i], here);
			m->inflow[m->setup.fabric->head[m->way[i]]] += here;
		}
		m->inflow[node] = 0;
	}
	return 0;
}

/* Adds the load of all source routes of a pair. */
static void spread_routes(struct route_choice *m, uint32_t source, uint32_t destination, uint64_t first, uint64_t end)
{
	for (uint64_t r = first; r < end; r++) {
		uint32_t *route = m->stack; /* long enough for any route */
		uint32_t length = source_routes_channels(m->setup.routes, source, destination, r, route);
		for (uint32_t i = 0; i < length; i++)
			add_load(m, route[i], m->setup.routes->share[r]);
	}
}

/* Splits the load equally over the intermediate nodes. Returns 0, ROUTE_NO_ENTRY or ROUTE_LOOP. */
static int spread_vias(struct route_choice *m, uint32_t source, uint32_t destination)
{
	const uint32_t *host_node = m->setup.fabric->host_node;
	uint32_t from = host_node[source], to = host_node[destination], straight = 0;
	double part = 1.0 / m->vias;
	int failed = 0;
	for (uint32_t v = 0; v < m->vias && !failed; v++) {
		uint32_t host = m->via_host[v], by = m->start[host];
		if (by == m->start[source] || by == m->start[destination]) {
			straight++;
			continue;
		}
		failed = spread(m, from, by, host, part);
		if (!failed)
			failed = spread(m, by, to, destination, part);
	}
	return failed || !straight ? failed : spread(m, from, to, destination, straight * part);
}

int route_choice_spread(struct route_choice *m, uint32_t source, uint32_t destination)
{
	const uint32_t *host_node = m->setup.fabric->host_node;
	uint64_t first, end;
	int failed = 0;
	m->count = 0;
	if (find_routes(m, source, destination, &first, &end))
		spread_routes(m, source, destination, first, end);
	else if (m->vias)
		failed = spread_vias(m, source, destination);
	else
		failed = spread(m, host_node[source], host_node[destination], destination, 1);
	for (uint32_t i = 0; i < m->count; i++) {
		m->share[i] = m->load[m->channel[i]];
		m->load[m->channel[i]] = 0;
	}
	return failed ? failed : (int)m->count;
}

int route_choice_explain(struct route_choice *m, uint32_t source, uint32_t destination, struct error *error)
{
	int failed =
		m->setup.mode == MULTIPATH_SPLIT ? route_choice_spread(m, source, destination) : route_choice_route(m, source, destination);
	return walk_tell(m->setup.fabric, source, destination, m->bad_node, failed == ROUTE_LOOP, error);
}
