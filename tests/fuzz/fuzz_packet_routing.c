/*
 * Specifications of packet routings (--packet-routing) on a topology, with so many lanes: refused in one line, or every packet arrives,
 * whatever ways it takes of those it is shown.
 */
#include "target.h"
#include "base/random.h"
#include "engines/packet/routing/packet_routing.h"

enum { FABRIC_MOST = 250, HOSTS_WALKED = 8, HOPS_MOST = 500 };

static uint64_t some_queue(void *engine, uint32_t channel, uint32_t lanes, bool over)
{
	(void)lanes;
	(void)over;
	return (channel * UINT64_C(0x9e3779b97f4a7c15) + *(uint64_t *)engine) >> 44;
}

static uint32_t some_told(void *engine, uint32_t channel)
{
	return (uint32_t)some_queue(engine, channel, 0, false) % 8;
}

static uint64_t some_time(void *engine)
{
	return some_queue(engine, 0, 0, false) << 20;
}

static void check_ways(const struct packet_router *r, uint32_t node, const struct packet_candidate *candidates, unsigned count)
{
	const struct fabric *f = r->setup.fabric;
	CHECK(count <= PACKET_CANDIDATES_MAX);
	for (unsigned i = 0; i < count; i++) {
		CHECK(candidates[i].channel >= f->first_channel[node] && candidates[i].channel < f->first_channel[node + 1]);
		CHECK(candidates[i].lanes && candidates[i].lanes < 1u << r->lanes && !(candidates[i].bubble & ~candidates[i].lanes));
		for (unsigned j = 0; j < i; j++)
			CHECK(candidates[i].channel != candidates[j].channel);
	}
}

/* A packet goes by any of its ways until it is there; without a way the fabric has no route. */
static void walk(struct packet_router *r, uint32_t source, uint32_t destination, struct random *random)
{
	const struct fabric *f = r->setup.fabric;
	struct packet_head packet = {source, destination, source * 3 + destination, NONE, 0, 0, 0, 0, NONE};
	struct packet_candidate candidates[PACKET_CANDIDATES_MAX];
	uint32_t node = f->host_node[source];
	for (unsigned hops = 0; node != f->host_node[destination]; hops++) {
		unsigned count = r->routing->candidates(r, &packet, node, candidates);
		CHECK(hops <= HOPS_MOST && (count || !r->setup.forwarding->function));
		check_ways(r, node, candidates, count);
		if (!count)
			return;
		struct packet_candidate way = candidates[random_below(random, count)];
		do
			packet.lane = (uint8_t)random_below(random, r->lanes);
		while (!(way.lanes >> packet.lane & 1));
		way.lanes = (uint16_t)(1u << packet.lane);
		if (r->routing->taken)
			r->routing->taken(r, &packet, node, &way);
		packet.channel = way.channel;
		packet.hops = (uint8_t)(packet.hops < UINT8_MAX ? packet.hops + 1 : UINT8_MAX);
		node = f->head[way.channel];
	}
}

static void walk_all(struct packet_router *r)
{
	uint32_t hosts = r->setup.fabric->hosts;
	uint64_t queue_seed = 0;
	struct random random;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	r->view = (struct packet_view){.engine = &queue_seed,
		.queued = r->routing->looks ? some_queue : NULL,
		.queued_anywhere = r->remote ? some_queue : NULL,
		.told = r->group ? some_told : NULL,
		.now = some_time};
	for (uint32_t s = 0; s < hosts; s += hosts / HOSTS_WALKED + 1)
		for (uint32_t d = 0; d < hosts; d += hosts / HOSTS_WALKED + 1) {
			queue_seed = (uint64_t)random_bits(&random) << 32;
			if (s != d)
				walk(r, s, d, &random);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct error error = {0};
	bool checked;
	const char *topology;
	struct small_fabric small = small_fabric_create(lines.line[1], FABRIC_MOST, "torus:3x3", &topology);
	struct packet_router_setup setup = {
		.fabric = small.fabric,
		.forwarding = small.forwarding,
		.topology = topology,
		.lanes = line_number(lines.line[2], PACKET_LANES_MAX + 1),
		.buffer = 4096,
		.packet = 1024,
		.seed = 5,
	};
	struct packet_router *router = packet_router_create(lines.line[0], &setup, &error);
	if (!router) {
		check_refused(&error, REFUSED_FABRIC);
	} else {
		CHECK(router->lanes && router->lanes <= PACKET_LANES_MAX && (!setup.lanes || router->lanes == setup.lanes));
		CHECK(memchr(router->note, '\0', sizeof router->note));
		walk_all(router);
		if (packet_router_check(router, &checked, &error))
			check_refused(&error, REFUSED_FABRIC);
	}
	packet_router_free(router);
	small_fabric_free(&small);
	lines_free(&lines);
	return 0;
}
