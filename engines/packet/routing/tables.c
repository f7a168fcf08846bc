/*
 * The fabric's own routes: its forwarding tables, or computed routing, with the service levels and lanes of the graph (see lanes.h). With
 * multipath entries and source routes each pair, or each packet, draws one route; or packets choose among the channels of each entry.
 */
#include "base/memory.h"
#include "fabric/virtual_lanes.h"
#include "engines/packet/routing/packet_routing.h"

#include <stdlib.h>
#include <string.h>

/* The lane that a packet takes among those that the graph does not distinguish. */
enum lane_choice { LANE_ONE, LANE_SPREAD, LANE_ANY };
static const char *const lane_choices[] = {"one", "spread", "any"};

struct tables {
	bool packets; /* each packet draws its route */
	enum lane_choice lane;
	unsigned classes;                /* lanes that the graph distinguishes */
	uint16_t mask[PACKET_LANES_MAX]; /* [classes] */
};

/* lanes, packets: values of the arguments, -1: invalid. */
static int setup(struct packet_router *router, int lanes, int packets, struct error *error)
{
	const struct virtual_lanes *service = router->setup.service;
	struct tables *t = router->data = lanes < 0 || packets < 0 ? NULL : array_create(1, sizeof *t, error);
	if (!t)
		return -1;
	*t = (struct tables){.packets = packets, .lane = (enum lane_choice)lanes, .classes = service ? service->count : 1};
	if (packet_router_need(router, t->classes, "the service levels of the graph", error))
		return -1;
	router->levels = true;
	router->lanes_of = t->mask;
	router->sources = router->setup.multipath && router->setup.multipath->setup.routes;
	router->counted = router->sources ? UINT8_MAX : 0;
	for (unsigned c = 0; c < t->classes; c++) {
		t->mask[c] = t->lane == LANE_ONE ? (uint16_t)(1u << c) : packet_lanes_of(router, 0, c, t->classes);
		router->leaders |= t->lane == LANE_SPREAD ? t->mask[c] : packet_first_lane(t->mask[c]);
	}
	return 0;
}

static int tables_setup(struct packet_router *router, struct error *error)
{
	static const char *const who[] = {"pair", "packet"};
	if (router->setup.multipath && router->setup.multipath->setup.mode == MULTIPATH_SPLIT)
		return error_set(error, STATUS_USAGE, "--multipath split is not possible with --engine packet: a packet takes one route");
	return setup(router, packet_word(router, "lanes", router->args.value[0].text, lane_choices, 3, error),
		packet_word(router, "by", router->args.value[1].text, who, 2, error), error);
}

static int entries_setup(struct packet_router *router, struct error *error)
{
	return setup(router, packet_word(router, "lanes", router->args.value[0].text, lane_choices, 3, error), 0, error);
}

static bool tables_choose(const struct arg_value *args)
{
	return !strcmp(args[1].text, "packet");
}

static bool entries_choose(const struct arg_value *args)
{
	(void)args;
	return true;
}

static void free_data(struct packet_router *router)
{
	free(router->data);
}

/* Returns one of the lanes, pseudo-random by the destination. */
static uint16_t spread_lane(uint16_t mask, uint32_t destination)
{
	uint32_t first = (uint32_t)__builtin_ctz(mask), count = (uint32_t)__builtin_popcount(mask);
	return (uint16_t)(1u << (first + (uint32_t)((uint64_t)(destination * UINT32_C(2654435769)) * count >> 32)));
}

/* Returns the lanes of a packet on a channel; 0: it is discarded there. */
static inline uint16_t lanes_on(
	const struct tables *t, const struct virtual_lanes *service, const struct packet_head *packet, uint32_t channel)
{
	unsigned lane = 0;
	if (service)
		lane = packet->channel == NONE ? virtual_lanes_first(service, channel, packet->level)
					       : virtual_lanes_get(service, packet->channel, channel, packet->level);
	uint16_t mask = lane < t->classes ? t->mask[lane] : 0;
	return t->lane == LANE_SPREAD && mask ? spread_lane(mask, packet->destination) : mask;
}

/* Sets the service level of the packet, at its source, if it has none of its own. */
static inline void set_level(const struct virtual_lanes *service, struct packet_head *packet)
{
	if (packet->level == SERVICE_LEVEL_OF_PAIR)
		packet->level =
			service && service->levels ? (uint8_t)service_levels_get(service->levels, packet->source, packet->destination) : 0;
}

/* ---- several routes */

/*
 * packet->phase holds the kind of route that was selected; via is the route, counted from the pair's first, or a host at the intermediate
 * switch.
 */
enum { UNDECIDED, BY_TABLES, BY_ROUTE, BY_VIA };

/* Returns the pair's own route, which is found again at each node. */
static uint32_t route_of_pair(const struct packet_router *router, const struct packet_head *packet)
{
	struct route_choice *m = router->setup.multipath;
	m->run = router->setup.run;
	int length = route_choice_route(m, packet->source, packet->destination);
	if (packet->hops < UINT8_MAX)
		return packet->hops < length ? m->channel[packet->hops] : NONE;
	for (int i = UINT8_MAX; i < length; i++)
		if (m->channel[i - 1] == packet->channel)
			return m->channel[i];
	return NONE;
}

/* Returns a random index by its share; the shares of the list sum to 1. */
static uint32_t draw_share(const struct packet_router *router, const struct packet_head *packet, const double *share, uint64_t count)
{
	double left = packet_draw(router, packet, DRAW_WAY, UINT32_MAX) / (double)UINT32_MAX;
	uint32_t i = 0;
	while (i + 1 < count && left >= share[i])
		left -= share[i++];
	return i;
}

/* Selects the route of the packet by the choice. Returns whether there is that choice. */
static bool tables_decide(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice)
{
	const struct route_choice *m = router->setup.multipath;
	uint64_t first, end;
	(void)node;
	if (!m || packet->phase != UNDECIDED)
		return false;
	packet->phase = BY_TABLES;
	if (m->setup.routes && source_routes_find(m->setup.routes, packet->source, packet->destination, &first, &end)) {
		packet->phase = BY_ROUTE;
		packet->via = choice;
		return choice < (m->setup.mode == MULTIPATH_RANDOM ? end - first : 1);
	}
	if (!m->vias)
		return choice == 0;
	if (choice < m->vias) {
		uint32_t via = m->start[m->via_host[choice]];
		packet->phase = via == m->start[packet->source] || via == m->start[packet->destination] ? BY_TABLES : BY_VIA;
		packet->via = m->via_host[choice];
	}
	return choice < m->vias;
}

static void draw(const struct packet_router *router, struct packet_head *packet, uint32_t node)
{
	const struct route_choice *m = router->setup.multipath;
	uint64_t first, end;
	uint32_t choice = 0;
	if (m->setup.mode == MULTIPATH_RANDOM && m->setup.routes &&
		source_routes_find(m->setup.routes, packet->source, packet->destination, &first, &end))
		choice = draw_share(router, packet, m->setup.routes->share + first, end - first);
	else if (m->vias)
		choice = packet_draw(router, packet, DRAW_VIA, m->vias);
	tables_decide(router, packet, node, choice);
}

/* Lists all channels by which the packet can leave. */
static uint32_t next_channels(const struct packet_router *router, struct packet_head *packet, uint32_t node, const uint32_t **channel,
	const double **share, uint32_t *only)
{
	const struct forwarding *f = router->setup.forwarding;
	struct route_choice *m = router->setup.multipath;
	uint64_t first = 0, end;
	if (packet->phase == BY_ROUTE) {
		static const double all = 1;
		source_routes_find(m->setup.routes, packet->source, packet->destination, &first, &end);
		uint32_t length =
			source_routes_channels(m->setup.routes, packet->source, packet->destination, first + packet->via, m->channel);
		if (packet->hops >= length)
			return 0;
		*only = m->channel[packet->hops];
		*channel = only;
		*share = &all;
		return 1;
	}
	if (packet->phase == BY_VIA && node == m->start[packet->via])
		packet->phase = BY_TABLES;
	uint32_t to = packet->phase == BY_VIA ? packet->via : packet->destination;
	uint32_t count = forwarding_ways(f, node, to, channel, share, only);
	return count && m->setup.mode == MULTIPATH_FIRST ? 1 : count;
}

/* Adds a candidate for the channel unless the packet is discarded there. */
static unsigned add_way(const struct packet_router *router, const struct packet_head *packet, uint32_t channel,
	struct packet_candidate *candidates, unsigned count)
{
	uint16_t mask = lanes_on(router->data, router->setup.service, packet, channel);
	if (mask)
		candidates[count++] = (struct packet_candidate){channel, mask, 0, 0};
	return count;
}

/* Adds the candidate that the packet draws, or all of them for the check. */
static unsigned multipath_candidates(
	const struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const uint32_t *channel = NULL;
	const double *share = NULL;
	uint32_t only;
	unsigned used = 0;
	if (packet->phase == UNDECIDED)
		draw(router, packet, node);
	uint32_t count = next_channels(router, packet, node, &channel, &share, &only);
	if (!router->checking)
		return count ? add_way(router, packet, channel[count > 1 ? draw_share(router, packet, share, count) : 0], candidates, 0)
			     : 0;
	for (uint32_t i = 0; i < count && used < PACKET_CANDIDATES_MAX; i++)
		used = add_way(router, packet, channel[i], candidates, used);
	return used;
}

/* Returns whether the entries never lead from the node to the packet's destination, so that it would circulate forever. */
static bool goes_round(const struct packet_router *router, const struct packet_head *packet, uint32_t node)
{
	const struct fabric *fabric = router->setup.fabric;
	const struct forwarding *f = router->setup.forwarding;
	uint32_t target = fabric->host_node[packet->destination];
	for (uint32_t steps = 0; node != target && steps < fabric->nodes; steps++) {
		uint32_t channel = forwarding_next(f, node, f->column[node], packet->destination);
		if (channel == NONE)
			return false;
		node = fabric->head[channel];
	}
	return node != target;
}

static unsigned tables_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct tables *t = router->data;
	const struct forwarding *f = router->setup.forwarding;
	const struct virtual_lanes *service = router->setup.service;
	uint32_t channel;
	set_level(service, packet);
	if (router->setup.multipath && (t->packets || router->checking))
		return multipath_candidates(router, packet, node, candidates);
	if (router->setup.multipath)
		channel = route_of_pair(router, packet);
	else
		channel = forwarding_next(f, node, f->column[node], packet->destination);
	if (packet->hops == UINT8_MAX && !router->setup.multipath && goes_round(router, packet, node))
		return 0;
	return channel == NONE ? 0 : add_way(router, packet, channel, candidates, 0);
}

/* Adds all channels of a multipath entry. */
static unsigned entries_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct tables *t = router->data;
	const uint32_t *channel = NULL;
	const double *share;
	uint32_t only, count = forwarding_ways(router->setup.forwarding, node, packet->destination, &channel, &share, &only);
	set_level(router->setup.service, packet);
	uint32_t turn = count > 1 ? packet_draw(router, packet, DRAW_WAY, count) : 0, used = 0;
	for (uint32_t i = 0; i < count && used < PACKET_CANDIDATES_MAX; i++, turn = turn + 1 < count ? turn + 1 : 0) {
		uint16_t mask = lanes_on(t, router->setup.service, packet, channel[turn]);
		if (mask)
			candidates[used++] =
				(struct packet_candidate){channel[turn], mask, count > 1 ? packet_rank(router, channel[turn], mask) : 0, 0};
	}
	return used;
}

#define LANES \
	{ \
		"lanes", ARG_WORD, "one", 0, 0, \
			"lanes that the graph does not distinguish, one: the first; spread: one by the destination; any: any with room" \
	}

static const struct arg tables_args[] = {
	LANES,
	{"by", ARG_WORD, "pair", 0, 0, "with several routes, each pair draws one, or each packet"},
	{.type = ARG_END},
};

static const struct arg entries_args[] = {LANES, {.type = ARG_END}};

const struct packet_routing packet_routing_tables = {
	.name = "tables",
	.summary = "the routes, service levels and lanes of the fabric",
	.source = "InfiniBand Architecture Specification 1, 7.6.6; HiNetSim 3.3",
	.args = tables_args,
	.chooses = tables_choose,
	.setup = tables_setup,
	.clear = free_data,
	.candidates = tables_candidates,
	.decide = tables_decide,
};

const struct packet_routing packet_routing_entries = {
	.name = "entries",
	.summary = "the channel with the shortest queue among those of a multipath entry",
	.source = "InfiniBand Architecture Specification 1, 18.2.4.3",
	.args = entries_args,
	.looks = true,
	.chooses = entries_choose,
	.setup = entries_setup,
	.clear = free_data,
	.candidates = entries_candidates,
};
