/*
 * The routes that the fabric has: its forwarding tables, or computed routing, with the service levels and lanes that the graph tells (see
 * lanes.h). Of
 * multipath entries and source routes a pair, or each packet, draws one; or packets choose among the channels of each entry.
 */
#include "lanes.h"
#include "packet_routing.h"
#include "routes.h"

#include <stdlib.h>
#include <string.h>

/* Which of the lanes that the graph does not tell apart a packet takes. */
enum lane_choice { LANE_ONE, LANE_SPREAD, LANE_ANY };
static const char *const lane_choices[] = {"one", "spread", "any"};

struct tables {
	bool packets; /* each draws its route */
	enum lane_choice lane;
	unsigned classes;                /* lanes that the graph tells of */
	uint16_t mask[PACKET_LANES_MAX]; /* [classes] */
};

/* The place of a word among the names, -1: none. */
static int find_word(const struct packet_router *router, unsigned arg, const char *const *names, size_t count, struct error *error)
{
	const char *text = router->args.value[arg].text;
	for (size_t i = 0; i < count; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	return error_unknown(error, router->routing->args[arg].key, text, names, count);
}

/* lanes, packets: as the arguments have them, -1: they are wrong. */
static int setup(struct packet_router *router, int lanes, int packets, struct error *error)
{
	const struct lanes *service = router->setup.service;
	struct tables *t = router->data = lanes < 0 || packets < 0 ? NULL : array_create(1, sizeof *t, error);
	if (!t)
		return -1;
	*t = (struct tables){.packets = packets, .lane = (enum lane_choice)lanes, .classes = service ? service->count : 1};
	if (packet_router_need(router, t->classes, "the service levels of the graph", error))
		return -1;
	for (unsigned c = 0; c < t->classes; c++)
		t->mask[c] = t->lane == LANE_ONE ? (uint16_t)(1u << c) : packet_lanes_of(router, 0, c, t->classes);
	return 0;
}

static int tables_setup(struct packet_router *router, struct error *error)
{
	static const char *const who[] = {"pair", "packet"};
	if (router->setup.multipath && router->setup.multipath->setup.mode == MULTIPATH_SPLIT)
		return error_set(error, STATUS_USAGE, "a packet takes one route: multipath loads cannot be split");
	return setup(router, find_word(router, 0, lane_choices, 3, error), find_word(router, 1, who, 2, error), error);
}

static int entries_setup(struct packet_router *router, struct error *error)
{
	return setup(router, find_word(router, 0, lane_choices, 3, error), 0, error);
}

static void free_data(struct packet_router *router)
{
	free(router->data);
}

/* One of the lanes, by the destination; as good as by chance. */
static uint16_t spread_lane(uint16_t mask, uint32_t destination)
{
	uint32_t first = (uint32_t)__builtin_ctz(mask), count = (uint32_t)__builtin_popcount(mask);
	return (uint16_t)(1u << (first + (uint32_t)((uint64_t)(destination * UINT32_C(2654435769)) * count >> 32)));
}

/* The lanes of a packet on a channel; 0: it is thrown away there. */
static inline uint16_t lanes_on(const struct tables *t, const struct lanes *service, const struct packet_head *packet, uint32_t channel)
{
	unsigned lane = 0;
	if (service)
		lane = packet->channel == NONE ? lanes_first(service, packet->level)
					       : lanes_get(service, packet->channel, channel, packet->level);
	uint16_t mask = lane < t->classes ? t->mask[lane] : 0;
	return t->lane == LANE_SPREAD && mask ? spread_lane(mask, packet->destination) : mask;
}

/* At its source the packet gets its service level. */
static inline void set_level(const struct lanes *service, struct packet_head *packet)
{
	if (packet->channel == NONE && service && service->levels)
		packet->level = (uint8_t)levels_get(service->levels, packet->source, packet->destination);
}

/* The channel of the packet's own route, which is found again at each node. */
static uint32_t own_route(const struct packet_router *router, const struct packet_head *packet)
{
	const struct tables *t = router->data;
	struct multipath *m = router->setup.multipath;
	m->run = router->setup.run;
	if (t->packets) /* the numbers of other runs, of which there are 2^40 */
		m->run = ((router->setup.run + 1) * UINT64_C(0x9e3779b97f) + packet->number * UINT64_C(0x5851f42d4d)) &
			 UINT64_C(0xffffffffff);
	int length = multipath_route(m, packet->source, packet->destination);
	if (length <= 0)
		return NONE;
	if (packet->hops < UINT8_MAX)
		return packet->hops < length ? m->channel[packet->hops] : NONE;
	for (int i = UINT8_MAX; i < length; i++)
		if (m->channel[i - 1] == packet->channel)
			return m->channel[i];
	return NONE;
}

/* All channels of a multipath entry. */
static unsigned entries_ways(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_way *ways)
{
	const struct tables *t = router->data;
	const uint32_t *channel = NULL;
	const double *share;
	uint32_t only, count = forwarding_ways(router->setup.forwarding, node, packet->destination, &channel, &share, &only);
	set_level(router->setup.service, packet);
	uint32_t turn = count > 1 ? packet_draw(router, packet, DRAW_WAY, count) : 0, used = 0;
	for (uint32_t i = 0; i < count && used < PACKET_WAYS_MAX; i++, turn = turn + 1 < count ? turn + 1 : 0) {
		uint16_t mask = lanes_on(t, router->setup.service, packet, channel[turn]);
		if (mask)
			ways[used++] =
				(struct packet_way){channel[turn], mask, count > 1 ? packet_rank(router, channel[turn], mask) : 0, 0};
	}
	return used;
}

static unsigned tables_ways(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_way *ways)
{
	const struct tables *t = router->data;
	const struct forwarding *f = router->setup.forwarding;
	const struct lanes *service = router->setup.service;
	uint32_t channel;
	set_level(service, packet);
	if (router->setup.multipath)
		channel = own_route(router, packet);
	else
		channel = forwarding_next(f, node, f->column[node], packet->destination);
	if (channel == NONE)
		return 0;
	*ways = (struct packet_way){channel, lanes_on(t, service, packet, channel), 0, 0};
	return ways->lanes != 0;
}

#define LANES \
	{ \
		"lanes", ARG_WORD, "one", 0, 0, \
			"of the lanes that the graph does not tell apart, one: the first; spread: one by the destination; any: whichever has room" \
	}

static const struct arg tables_args[] = {
	LANES,
	{"by", ARG_WORD, "pair", 0, 0, "where a pair has several routes, each pair draws one, or each packet"},
	{.type = ARG_END},
};

static const struct arg entries_args[] = {LANES, {.type = ARG_END}};

const struct packet_routing packet_routing_tables = {
	.name = "tables",
	.summary = "the routes, service levels and lanes that the fabric has",
	.source = "InfiniBand Architecture Specification 1, 7.6.6; HiNetSim 3.3",
	.args = tables_args,
	.setup = tables_setup,
	.clear = free_data,
	.ways = tables_ways,
};

const struct packet_routing packet_routing_entries = {
	.name = "entries",
	.summary = "of the channels that the tables have for a destination, that with least queued",
	.source = "InfiniBand Architecture Specification 1, 18.2.4.3",
	.args = entries_args,
	.looks = true,
	.setup = entries_setup,
	.clear = free_data,
	.ways = entries_ways,
};
