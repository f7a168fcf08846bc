/*
 * Non-minimal routing: via a random intermediate switch (Valiant: A scheme for fast parallel communication, SIAM Journal on Computing 11,
 * 1982), or only if the queues suggest that this is faster (UGAL: Singh: Load-Balanced Routing in Interconnection Networks, 2005). On
 * dragonflies, following Kim, Dally, Scott, Abts (Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008), via a random group,
 * and with a second decision within the source group (PAR: Jiang, Kim, Dally: Indirect adaptive routing on large scale interconnection
 * networks, ISCA 2009). A route is one minimal path after another (minimal.h), each on its own classes of lanes.
 */
#include "base/memory.h"
#include "engines/packet/routing/minimal.h"

#include <stdlib.h>

/*
 * packet->phase holds the class of lanes, which increases along the route, and flags: DECIDED; DETOUR; SECOND: the packet leaves its source
 * minimally, and can still be diverted; SETTLED: the check has decided for this node.
 */
enum { CLASS_BITS = 15, DECIDED = 16, DETOUR = 32, SECOND = 64, SETTLED = 128 };

enum detour_rule { DETOUR_NEVER, DETOUR_ALWAYS, DETOUR_LOCAL, DETOUR_LANES, DETOUR_GLOBAL, DETOUR_PIGGYBACK };

struct detour {
	struct minimal minimal;
	enum detour_rule rule;
	bool progressive;
	bool to_group;                   /* the intermediate place is a group of a dragonfly, otherwise a switch */
	unsigned classes;                /* total number */
	unsigned straight;               /* the first class, in packet->phase, of packets that are not diverted */
	bool over;                       /* of a queue only what exceeds the round trip of its channel counts */
	unsigned weight;                 /* of the non-minimal queue; 0: queues count times the hops of their path */
	uint64_t threshold;              /* bytes */
	uint32_t margin;                 /* packets, for DETOUR_PIGGYBACK */
	uint16_t mask[PACKET_LANES_MAX]; /* [classes] */
};

/* ---- candidates */

/* Returns whether a packet via that host's switch, or group, turns towards the destination at this node. */
static inline bool is_turn(const struct detour *d, uint32_t node, uint32_t via)
{
	const struct minimal *m = &d->minimal;
	return d->to_group ? m->group[node] == m->group[m->at[via]] : node == m->at[via];
}

static inline bool is_global(const struct minimal *m, uint32_t node, uint32_t channel)
{
	return m->group[node] != m->group[m->fabric->head[channel]];
}

/* A path from a switch to a host's switch, or only to its group. */
struct glance {
	uint32_t first, global; /* its first channel, and its first channel between groups; NONE */
	uint32_t hops, end;     /* switch at the end of the path */
	uint64_t fullest;       /* bytes queued at its fullest channel, if requested */
};

static struct glance look(const struct packet_router *router, uint32_t node, uint32_t host, bool turns, bool load)
{
	const struct detour *d = router->data;
	const struct minimal *m = &d->minimal;
	struct glance way = {.first = NONE, .global = NONE};
	unsigned class;
	while (turns ? !is_turn(d, node, host) : node != m->at[host]) {
		uint32_t channel = minimal_next(m, node, host, NONE, &class);
		if (channel == NONE)
			break;
		way.first = way.first == NONE ? channel : way.first;
		if (m->rule == MINIMAL_GROUPS && way.global == NONE && is_global(m, node, channel))
			way.global = channel;
		if (load) {
			uint64_t queued = router->view.queued_anywhere(router->view.engine, channel, packet_lanes_all(router), d->over);
			way.fullest = queued > way.fullest ? queued : way.fullest;
		}
		way.hops++;
		node = m->fabric->head[channel];
	}
	way.end = node;
	return way;
}

/* Returns the bytes that represent the load of a path; lanes: those of its own that count at its first channel. */
static uint64_t load_of(const struct packet_router *router, const struct glance *way, uint16_t lanes)
{
	const struct detour *d = router->data;
	if (d->rule != DETOUR_GLOBAL)
		return router->view.queued(router->view.engine, way->first, lanes, d->over);
	if (d->minimal.rule != MINIMAL_GROUPS)
		return way->fullest;
	return router->view.queued_anywhere(router->view.engine, way->global == NONE ? way->first : way->global, lanes, d->over);
}

/* Returns the lanes of the classes from that class in packet->phase on. */
static uint16_t lanes_from(const struct packet_router *router, unsigned class)
{
	const struct detour *d = router->data;
	switch (d->minimal.rule) {
	case MINIMAL_GROUPS: return d->mask[class];
	case MINIMAL_HOPS: return packet_lanes_all(router);
	default: return packet_lanes_of(router, 0, class, 2);
	}
}

/*
 * Returns whether more packets wait for the first channel between groups of one path than for that of the other, by more than the margin,
 * as the switches of the group have told each other.
 */
static bool is_fuller(const struct packet_router *router, const struct glance *way, const struct glance *other)
{
	const struct detour *d = router->data;
	if (d->rule != DETOUR_PIGGYBACK || way->global == NONE || other->global == NONE)
		return false;
	return router->view.told(router->view.engine, way->global) > router->view.told(router->view.engine, other->global) + d->margin;
}

/* Returns whether the minimal path is better. */
static bool prefers_minimal(const struct packet_router *router, const struct packet_head *packet, uint32_t node, uint32_t via)
{
	const struct detour *d = router->data;
	bool load = d->rule == DETOUR_GLOBAL && d->minimal.rule != MINIMAL_GROUPS;
	struct glance minimal = look(router, node, packet->destination, false, load), there = look(router, node, via, true, load);
	struct glance back = look(router, there.end, packet->destination, false, load);
	if (minimal.first == NONE || there.first == NONE)
		return true;
	there.fullest = back.fullest > there.fullest ? back.fullest : there.fullest;
	there.global = there.global == NONE ? back.global : there.global;
	if (is_fuller(router, &minimal, &there) || is_fuller(router, &there, &minimal))
		return is_fuller(router, &there, &minimal);
	uint16_t straight = packet_lanes_all(router), detour = straight;
	if (d->rule == DETOUR_LANES && minimal.first == there.first) {
		unsigned class = packet->phase & CLASS_BITS;
		straight = lanes_from(router, d->progressive ? class : d->straight);
		detour = lanes_from(router, class + ((packet->phase & SECOND) != 0));
	}
	unsigned weight = d->weight ? 1 : minimal.hops, other = d->weight ? d->weight : there.hops + back.hops;
	return load_of(router, &minimal, straight) * weight <= load_of(router, &there, detour) * other + d->threshold;
}

/* Returns whether the path via that place differs from the minimal path. */
static bool is_detour(const struct detour *d, uint32_t node, uint32_t destination, uint32_t via)
{
	return !is_turn(d, node, via) && !is_turn(d, d->minimal.at[destination], via);
}

/* ---- decisions */

/* Returns whether the packet is at a node where it can be diverted. */
static bool may_decide(const struct detour *d, const struct packet_head *packet, uint32_t node)
{
	const struct minimal *m = &d->minimal;
	uint32_t from = m->at[packet->source], to = m->at[packet->destination];
	if (d->rule == DETOUR_NEVER || (packet->phase & DECIDED) || node == to)
		return false;
	if (d->to_group && m->group[from] == m->group[to])
		return false;
	return node == from || (d->progressive && (packet->phase & SECOND) && m->group[node] == m->group[from]);
}

/* Sets the decision; via: a host at the intermediate place, NONE: minimal. */
static void settle(const struct detour *d, struct packet_head *packet, uint32_t node, uint32_t via)
{
	if (via != NONE && is_detour(d, node, packet->destination, via)) {
		if (packet->phase & SECOND) /* it has left the source, on lanes of a class that packets from this switch use too */
			packet->phase++;
		packet->via = via;
		packet->phase = (uint8_t)((packet->phase & ~SECOND) | DECIDED | DETOUR);
	} else if (d->progressive && !(packet->phase & SECOND)) {
		packet->phase |= SECOND;
	} else {
		packet->phase = (uint8_t)((packet->phase & ~SECOND) | DECIDED);
		packet->phase += (uint8_t)(d->progressive ? 0 : d->straight);
	}
}

static bool detour_decide(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice)
{
	const struct detour *d = router->data;
	if (!may_decide(d, packet, node) || choice > d->minimal.targets)
		return false;
	settle(d, packet, node, choice ? d->minimal.some[choice - 1] : NONE);
	packet->phase |= SETTLED;
	return true;
}

static void decide(const struct packet_router *router, struct packet_head *packet, uint32_t node)
{
	const struct detour *d = router->data;
	uint32_t via = d->minimal.some[packet_draw(router, packet, DRAW_VIA, d->minimal.targets)];
	if (d->rule != DETOUR_ALWAYS && is_detour(d, node, packet->destination, via) && prefers_minimal(router, packet, node, via))
		via = NONE;
	settle(d, packet, node, via);
}

/* ---- candidates */

/* Returns the class of the lanes of the next channel; class: what its location requires. */
static unsigned class_of(const struct minimal *m, const struct packet_head *packet, unsigned class)
{
	switch (m->rule) {
	case MINIMAL_GROUPS: return packet->phase & CLASS_BITS;
	case MINIMAL_HOPS: return minimal_hop(m, packet);
	default: return (packet->phase & CLASS_BITS) * m->classes + class;
	}
}

static unsigned detour_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct detour *d = router->data;
	const struct minimal *m = &d->minimal;
	uint32_t to = packet->destination;
	unsigned class;
	if (node == m->at[to] || (!packet->hops && m->at[packet->source] != node)) { /* no packet waits after, or before, these channels */
		uint32_t only = node == m->at[to] ? minimal_last(m, node, to) : m->fabric->first_channel[node];
		*candidates = (struct packet_candidate){only, packet_lanes_all(router), 0, 0};
		return only != NONE;
	}
	if (packet->phase & SETTLED)
		packet->phase &= (uint8_t)~SETTLED;
	else if (may_decide(d, packet, node))
		decide(router, packet, node);
	if ((packet->phase & DETOUR) && is_turn(d, node, packet->via)) {
		packet->phase = (uint8_t)((packet->phase & ~DETOUR) + !d->to_group);
		packet->via = NONE;
	}
	uint32_t channel = minimal_next(m, node, packet->phase & DETOUR ? packet->via : to, packet->channel, &class);
	if (channel == NONE)
		return 0;
	*candidates = (struct packet_candidate){channel, d->mask[class_of(m, packet, class)], 0, 0};
	if (m->rule == MINIMAL_GROUPS && is_global(m, node, channel))
		packet->phase++; /* after it */
	return 1;
}

/* ---- setup */

static void detour_clear(struct packet_router *router)
{
	struct detour *d = router->data;
	minimal_clear(&d->minimal);
	free(d);
}

static int setup(struct packet_router *router, enum detour_rule rule, bool progressive, const char *via, struct error *error)
{
	static const char *const turns[] = {"group", "switch"};
	struct detour *d = router->data = array_create(1, sizeof *d, error);
	if (!d || minimal_init(&d->minimal, &router->setup, rule == DETOUR_NEVER, error))
		return -1;
	const struct minimal *m = &d->minimal;
	bool fly = m->rule == MINIMAL_GROUPS;
	d->rule = rule == DETOUR_PIGGYBACK && !fly ? DETOUR_LANES : rule;
	d->progressive = progressive;
	int turn = packet_word(router, "via", via, turns, 2, error);
	if (turn < 0)
		return -1;
	d->to_group = fly && !turn;
	if (progressive && !fly)
		return error_set(
			error, STATUS_FABRIC, "packet routing '%s' requires a dragonfly (attribute topology)", router->routing->name);
	if (rule != DETOUR_NEVER && !m->targets)
		return error_set(error, STATUS_FABRIC, "packet routing '%s' requires switches with single-port hosts; this fabric has none",
			router->routing->name);
	d->classes = m->classes;
	if (rule != DETOUR_NEVER)
		d->classes = fly ? 3U + !d->to_group + progressive : 2 * m->classes;
	/*
	 * On the last classes, which leaves the others to non-minimal routes; with piggyback on the first, where packets that wait for a
	 * full channel between groups hold back only others of their group, not those that have come from other groups.
	 */
	if (rule != DETOUR_NEVER && d->rule != DETOUR_PIGGYBACK)
		d->straight = fly ? d->classes - 2 : m->rule != MINIMAL_HOPS;
	router->remote = rule == DETOUR_GLOBAL;
	router->alike = m->alike;
	router->sources = progressive || m->distances.mixed;
	router->forgets = m->distances.mixed ? 0 : DECIDED;
	router->counted = m->rule == MINIMAL_HOPS ? UINT8_MAX : 0;
	if (packet_router_need(router, d->classes, m->rule == MINIMAL_HOPS ? "the hops of a route" : "deadlock freedom", error))
		return -1;
	for (unsigned c = 0; c < d->classes; c++) {
		d->mask[c] = packet_lanes_of(router, 0, c, d->classes);
		router->leaders |= packet_first_lane(d->mask[c]);
	}
	return 0;
}

static int min_setup(struct packet_router *router, struct error *error)
{
	return setup(router, DETOUR_NEVER, false, "group", error);
}

static int valiant_setup(struct packet_router *router, struct error *error)
{
	return setup(router, DETOUR_ALWAYS, false, router->args.value[0].text, error);
}

/* The arguments of ugal and par, in the order of ADAPTIVE_ARGS. */
enum { ARG_LOAD, ARG_THRESHOLD, ARG_VIA, ARG_WEIGHT, ARG_CREDITS, ARG_MARGIN };

static int adaptive_setup(struct packet_router *router, bool progressive, struct error *error)
{
	enum { USUAL = 3, INFORMED = 12 }; /* thresholds that suit uniform and worst-case traffic, see doc/validation.md */
	const struct arg_value *value = router->args.value;
	static const char *const loads[] = {"local", "lanes", "global", "piggyback"}, *const credits[] = {"over", "all"};
	int load = packet_word(router, "load", value[ARG_LOAD].text, loads, 4, error);
	int all = load < 0 ? -1 : packet_word(router, "credits", value[ARG_CREDITS].text, credits, 2, error);
	if (all < 0 || setup(router, (enum detour_rule)(DETOUR_LOCAL + load), progressive, value[ARG_VIA].text, error))
		return -1;
	struct detour *d = router->data;
	router->group = d->rule == DETOUR_PIGGYBACK ? d->minimal.group : NULL;
	int64_t threshold = value[ARG_THRESHOLD].integer;
	threshold = threshold >= 0 ? threshold : router->group || progressive ? INFORMED : USUAL;
	d->threshold = (uint64_t)threshold * router->setup.packet;
	d->weight = (unsigned)value[ARG_WEIGHT].integer;
	d->margin = (uint32_t)value[ARG_MARGIN].integer;
	d->over = !all;
	return 0;
}

static int ugal_setup(struct packet_router *router, struct error *error)
{
	return adaptive_setup(router, false, error);
}

static int par_setup(struct packet_router *router, struct error *error)
{
	return adaptive_setup(router, true, error);
}

#define VIA \
	{ \
		"via", ARG_WORD, "group", 0, 0, "intermediate place on dragonflies: a group, or a switch" \
	}

static const struct arg valiant_args[] = {VIA, {.type = ARG_END}};

#define ADAPTIVE_ARGS(load) \
	{"load", ARG_WORD, load, 0, 0, \
		"queues compared: local: those of the switch; lanes: the same, but those of their lanes if both paths begin with one " \
		"channel; global: on dragonflies those of the channels between groups, elsewhere the fullest of each path; piggyback: on " \
		"dragonflies first the packets that wait for the channels between groups, which the switches of a group tell each other, " \
		"then as local; elsewhere as lanes"}, \
		{"threshold", ARG_INTEGER, "-1", -1, 1000000, \
			"packets (times hops) by which the minimal path must be worse (default: 12 with par, or piggyback on dragonflies; else 3)"}, \
		VIA, {"weight", ARG_INTEGER, "0", 0, 1000, "of the non-minimal queue; 0: each queue counts times the hops of its path"}, \
		{"credits", ARG_WORD, "over", 0, 0, "of the credits in use count those over a round trip of the channel, or all"}, \
		{"margin", ARG_INTEGER, "2", 0, 1000000, "packets by which more must wait for a channel between groups, with piggyback"}, \
	{ \
		.type = ARG_END \
	}

static const struct arg ugal_args[] = {ADAPTIVE_ARGS("piggyback")}, par_args[] = {ADAPTIVE_ARGS("lanes")};

const struct packet_routing packet_routing_min = {
	.name = "min",
	.summary = "one minimal path",
	.source = "Kim, Dally, Scott, Abts 2008; CODES 4.3.1",
	.setup = min_setup,
	.clear = detour_clear,
	.candidates = detour_candidates,
};

const struct packet_routing packet_routing_valiant = {
	.name = "valiant",
	.summary = "minimal via a random intermediate place",
	.source = "Valiant 1982; Kim, Dally, Scott, Abts 2008",
	.args = valiant_args,
	.setup = valiant_setup,
	.clear = detour_clear,
	.candidates = detour_candidates,
	.decide = detour_decide,
};

const struct packet_routing packet_routing_ugal = {
	.name = "ugal",
	.summary = "minimal or Valiant, by the smaller queue at the source's switch",
	.source = "Singh 2005; Kim, Dally, Scott, Abts 2008; piggyback: Jiang, Kim, Dally 2009",
	.args = ugal_args,
	.looks = true,
	.setup = ugal_setup,
	.clear = detour_clear,
	.candidates = detour_candidates,
	.decide = detour_decide,
};

const struct packet_routing packet_routing_par = {
	.name = "par",
	.summary = "as ugal, decided again at each switch of the source's group",
	.source = "Jiang, Kim, Dally 2009; CODES 2.2",
	.args = par_args,
	.looks = true,
	.setup = par_setup,
	.clear = detour_clear,
	.candidates = detour_candidates,
	.decide = detour_decide,
};
