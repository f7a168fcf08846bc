/*
 * Adaptive routing as InfiniBand switches do it: the switch has a group of ports for each destination, and sends each packet by one of
 * those that are least loaded. Loads are compared by grades, so ports of similar load share the packets at random, which keeps flows of
 * equal speed from taking turns in a fixed order. In the free mode every packet decides for itself, and packets can overtake each other; in
 * the bound mode a flow stays on its port as long as its packets follow each other closely (flowlets: Sinha, Kandula, Katabi: Harnessing
 * TCP's Burstiness with Flowlet Switching, HotNets 2004), as in the modes free and bounded of ConnectX and Quantum networks.
 *
 * Groups: all ports of shortest paths; those of legal paths, up, then down, on which packets cannot wait for each other in a cycle; or the
 * multipath entries of the graph.
 */
#include "base/memory.h"
#include "engines/packet/routing/distances.h"

#include "base/args.h"

#include <stdlib.h>
#include <string.h>

enum ar_groups { AR_MINIMAL, AR_LEGAL, AR_ENTRIES };

/* A flow at a switch, and the channel by which its last packet left. */
struct binding {
	uint32_t node, source, destination, channel; /* node NONE: free */
	uint64_t time;
};

struct ar {
	enum ar_groups groups;
	struct distances distances; /* unless AR_ENTRIES */
	uint32_t grade;             /* packets of a grade */
	bool bound;
	uint64_t flowlet; /* picoseconds between the packets of a flow, beyond which it may change its port */
	struct binding *binding;
	size_t bindings, places; /* a power of 2, or 0 */
};

static void ar_clear(struct packet_router *router)
{
	struct ar *a = router->data;
	distances_clear(&a->distances);
	free(a->binding);
	free(a);
}

static int ar_setup(struct packet_router *router, struct error *error)
{
	static const char *const groups[] = {"minimal", "updn", "entries"}, *const modes[] = {"free", "bound"};
	const struct arg_value *value = router->args.value;
	const double longest = 1, picoseconds = 1e12;
	double gap;
	struct ar *a = router->data = array_create(1, sizeof *a, error);
	int group = packet_word(router, "groups", value[0].text, groups, 3, error),
	    mode = group < 0 ? -1 : packet_word(router, "mode", value[2].text, modes, 2, error);
	if (!a || mode < 0)
		return -1;
	if (!read_seconds(value[3].text, 1, longest, &gap) || !is_time(gap))
		return error_set(
			error, STATUS_USAGE, "packet routing 'ar': flowlet is '%s', not a time up to 1 s, such as 2us", value[3].text);
	a->groups = (enum ar_groups)group;
	a->grade = (uint32_t)value[1].integer;
	a->bound = mode;
	a->flowlet = (uint64_t)(gap * picoseconds);
	router->alike = true;
	router->leaders = 1;
	if (a->groups != AR_ENTRIES &&
		distances_init(&a->distances, &router->setup, a->groups == AR_LEGAL ? DISTANCES_LEGAL : DISTANCES_SHORTEST, error))
		return -1;
	router->sources = a->distances.mixed;
	return packet_router_need(router, 1, "its packets", error);
}

static bool ar_chooses(const struct arg_value *value)
{
	return !strcmp(value[0].text, "entries");
}

static void ar_begin(struct packet_router *router)
{
	struct ar *a = router->data;
	a->bindings = 0;
	if (a->places)
		memset(a->binding, 0xff, a->places * sizeof *a->binding); /* NONE */
}

/* ---- flows */

static struct binding *place_of(const struct ar *a, const struct packet_head *packet, uint32_t node)
{
	uint64_t key = ((uint64_t)packet->source << 32 | packet->destination) * UINT64_C(0x9e3779b97f4a7c15) + node;
	size_t i = (size_t)((key ^ key >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) & (a->places - 1);
	while (a->binding[i].node != NONE &&
		(a->binding[i].node != node || a->binding[i].source != packet->source || a->binding[i].destination != packet->destination))
		i = (i + 1) & (a->places - 1);
	return &a->binding[i];
}

/* Keeps at least half of the places free. Returns whether there is room. */
static bool make_room(struct ar *a)
{
	enum { FEW = 1024 };
	if (2 * (a->bindings + 1) <= a->places)
		return true;
	struct error ignored = {0};
	size_t before = a->places, places = before ? 2 * before : FEW;
	struct binding *old = a->binding, *binding = array_create(places, sizeof *binding, &ignored);
	if (!binding) /* flows that are not noted are not bound */
		return false;
	memset(binding, 0xff, places * sizeof *binding); /* NONE */
	a->binding = binding;
	a->places = places;
	for (size_t i = 0; i < before; i++)
		if (old[i].node != NONE)
			*place_of(a, &(struct packet_head){.source = old[i].source, .destination = old[i].destination}, old[i].node) =
				old[i];
	free(old);
	return true;
}

/* Returns the channel to which the flow of the packet is bound at the node; NONE. */
static uint32_t bound_to(const struct packet_router *router, const struct packet_head *packet, uint32_t node)
{
	const struct ar *a = router->data;
	if (!a->bound || !a->places || router->checking)
		return NONE;
	const struct binding *b = place_of(a, packet, node);
	return b->node != NONE && router->view.now(router->view.engine) - b->time <= a->flowlet ? b->channel : NONE;
}

static void ar_taken(struct packet_router *router, struct packet_head *packet, uint32_t node, const struct packet_candidate *way)
{
	struct ar *a = router->data;
	if (!a->bound || router->checking || !make_room(a))
		return;
	struct binding *b = place_of(a, packet, node);
	a->bindings += b->node == NONE;
	*b = (struct binding){node, packet->source, packet->destination, way->channel, router->view.now(router->view.engine)};
}

/* ---- ports */

/* Lists the ports of the packet's group. Returns their number. */
static uint32_t list_group(const struct packet_router *router, const struct packet_head *packet, uint32_t node, uint32_t *channel)
{
	const struct ar *a = router->data;
	const struct distances *r = &a->distances;
	if (a->groups == AR_ENTRIES) {
		const uint32_t *listed = NULL;
		const double *share;
		uint32_t only, count = forwarding_ways(router->setup.forwarding, node, packet->destination, &listed, &share, &only);
		count = count < PACKET_CANDIDATES_MAX ? count : PACKET_CANDIDATES_MAX;
		if (count)
			memcpy(channel, listed, count * sizeof *channel);
		return count;
	}
	uint32_t target = r->target[packet->destination];
	if (node == r->root[target]) {
		*channel = r->last[packet->destination];
		return 1;
	}
	return a->groups == AR_LEGAL ? distances_legal(r, target, node, channel) : distances_nearer(r, target, node, channel);
}

/* Returns the index of a random port among those of the lowest grade. */
static uint32_t choose(const struct packet_router *router, const struct packet_head *packet, const uint32_t *channel, uint32_t count)
{
	const struct ar *a = router->data;
	uint64_t grade = (uint64_t)a->grade * router->setup.packet, best = UINT64_MAX;
	uint32_t least = 0, turn = packet_draw(router, packet, DRAW_WAY, count);
	for (uint32_t i = 0; i < count; i++, turn = turn + 1 < count ? turn + 1 : 0) {
		uint64_t queued = router->view.queued(router->view.engine, channel[turn], packet_lanes_all(router), true);
		if (queued / grade >= best)
			continue;
		best = queued / grade;
		least = turn;
	}
	return least;
}

static unsigned ar_candidates(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	uint32_t channel[PACKET_CANDIDATES_MAX], count = list_group(router, packet, node, channel);
	uint16_t lanes = packet_lanes_all(router);
	for (uint32_t i = 0; router->checking && i < count; i++)
		candidates[i] = (struct packet_candidate){channel[i], lanes, 0, 0};
	if (router->checking || !count)
		return count;
	uint32_t only = count > 1 ? bound_to(router, packet, node) : *channel;
	*candidates = (struct packet_candidate){only != NONE ? only : channel[choose(router, packet, channel, count)], lanes, 0, 0};
	return 1;
}

static const struct arg ar_args[] = {
	{"groups", ARG_WORD, "minimal", 0, 0,
		"ports of a destination, minimal: all of shortest paths; updn: those of paths that go up, then down; entries: the multipath "
		"entries of the graph"},
	{"threshold", ARG_INTEGER, "1", 1, 1000000, "packets of queue by which a port is worse than another: less is no difference"},
	{"mode", ARG_WORD, "free", 0, 0, "free: each packet takes one of the best ports; bound: a flow stays on its port in a flowlet"},
	{"flowlet", ARG_WORD, "2us", 0, 0, "time without a packet of the flow after which a flow in the bound mode takes a port anew"},
	{.type = ARG_END},
};

const struct packet_routing packet_routing_ar = {
	.name = "ar",
	.summary = "adaptive routing over groups of ports",
	.source = "NVIDIA: MLNX_OFED, Adaptive Routing; Sinha, Kandula, Katabi 2004",
	.args = ar_args,
	.looks = true,
	.chooses = ar_chooses,
	.setup = ar_setup,
	.clear = ar_clear,
	.begin = ar_begin,
	.candidates = ar_candidates,
	.taken = ar_taken,
};
