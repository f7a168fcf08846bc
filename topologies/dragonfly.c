/*
 * Dragonflies: g groups of a switches, all joined to one another, with p hosts and h ports to other groups each (Kim, Dally, Scott, Abts:
 * Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008; arrangements: Hastings, Rincon-Cruz, Spehlmann, Meyers, Xu, Bunde,
 * Leung: Comparing Global Link Arrangements for Dragonfly Networks, CLUSTER 2015).
 *
 * Global ports of a group count o = switch h + j. The first g-1 lead to one of each other group, and so do the next g-1, and so on; those
 * too few for another round, (a h) mod (g-1), have no cable. Of every round, port r of group c leads
 *   absolute:  to group r if r < c, else r+1;
 *   relative:  to group (c + r + 1) mod g;
 *   circulant: to c + r/2 + 1 for even r, c - (r+1)/2 for odd r (mod g);
 * and its peer is the port of the same round there that leads to c.
 *
 * Ports of a switch: hosts, the other switches of the group in their order, then its global ports with a cable. Switches and hosts are
 * numbered group by group.
 *
 * Routes (minimal): to a switch of the group that has a cable to the destination's group, over that, to the destination's switch. A switch
 * with such cables of its own uses one of them, otherwise one of the group's: number (d mod count) in the order of the ports, d the
 * destination.
 */
#include "base/memory.h"
#include "base/spelling.h"
#include "topologies/node_name.h"
#include "topologies/place.h"
#include "topologies/reciprocal.h"
#include "topologies/topology.h"

#include <inttypes.h>
#include <string.h>

enum arrangement { ABSOLUTE, RELATIVE, CIRCULANT };

static const char *const arrangements[] = {"absolute", "relative", "circulant"};

struct dragonfly {
	struct reciprocal p, a, h;
	uint32_t g;
	uint32_t rounds;              /* cables from a group to each other group */
	struct reciprocal others;     /* g-1, at least 1 */
	struct reciprocal all;        /* rounds, at least 1 */
	uint32_t fewest;              /* a switch with several cables to one group has fewest to fewest + 2 ... */
	struct reciprocal several[3]; /* ... of them */
	enum arrangement arrangement;
};

/* A switch. */
struct place {
	uint32_t group, member;
};

/* ---- setup */

static int dragonfly_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	uint64_t p = (uint64_t)value[0].integer, a = (uint64_t)value[1].integer, h = (uint64_t)value[2].integer;
	uint64_t ports = a * h, g = value[3].integer ? (uint64_t)value[3].integer : ports + 1, hosts, switches, ends;
	struct dragonfly *fly = array_create(1, sizeof *fly, error);
	unsigned arrangement = 0;
	topology->data = fly;
	if (!fly)
		return -1;
	while (arrangement < 3 && strcmp(arrangements[arrangement], value[4].text))
		arrangement++;
	if (arrangement == 3)
		return error_unknown(error, "arrangement", value[4].text, arrangements, 3);
	if (g > ports + 1)
		return error_set(error, STATUS_USAGE,
			"g is %" PRIu64 ", but the a h ports of a group reach only %" PRIu64 " groups, including itself", g, ports + 1);
	topology->channels = UINT64_MAX; /* too many until setup succeeds; table.c refuses it */
	uint64_t rounds = g > 1 ? ports / (g - 1) : 0;
	if (__builtin_mul_overflow(a, g, &switches) || switches > TOPOLOGY_CHANNELS_MAX || __builtin_mul_overflow(switches, p, &hosts) ||
		__builtin_mul_overflow(rounds * (g - 1), g, &ends) || hosts > TOPOLOGY_CHANNELS_MAX || ends > TOPOLOGY_CHANNELS_MAX)
		return 0;
	topology->tiers = 3;
	topology->hosts = (uint32_t)hosts;
	topology->switches = (uint32_t)switches;
	topology->channels = 2 * hosts + switches * (a - 1) + ends; /* no sum of such numbers overflows */
	uint32_t some = (uint32_t)(g > 1 ? h / (g - 1) : 0);
	*fly = (struct dragonfly){
		.p = reciprocal_of((uint32_t)p),
		.a = reciprocal_of((uint32_t)a),
		.h = reciprocal_of(g > 1 ? (uint32_t)h : 1),
		.g = (uint32_t)g,
		.rounds = (uint32_t)rounds,
		.others = reciprocal_of((uint32_t)(g > 1 ? g - 1 : 1)),
		.all = reciprocal_of((uint32_t)(rounds ? rounds : 1)),
		.fewest = some > 1 ? some - 1 : 1,
		.arrangement = (enum arrangement)arrangement,
	};
	for (uint32_t i = 0; i < 3; i++)
		fly->several[i] = reciprocal_of(fly->fewest + i);
	return 0;
}

static void dragonfly_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct dragonfly *fly = topology->data;
	structure->blocks = fly->g;
	structure->hosts = fly->p.divisor * fly->a.divisor;
	structure->switches = fly->a.divisor;
	structure->between = fly->rounds;
}

/* ---- positions of switches and ports */

static inline struct place place_of(const struct dragonfly *fly, uint32_t node)
{
	uint32_t group = quotient(node, fly->a);
	return (struct place){group, node - group * fly->a.divisor};
}

static inline uint32_t node_at(const struct dragonfly *fly, struct place at)
{
	return at.group * fly->a.divisor + at.member;
}

/* Returns the port of a round, 0..g-2, that leads from one group to another. */
static inline uint32_t slot(const struct dragonfly *fly, uint32_t from, uint32_t to)
{
	uint32_t ahead = to > from ? to - from : to + fly->g - from;
	switch (fly->arrangement) {
	case ABSOLUTE: return to < from ? to : to - 1;
	case RELATIVE: return ahead - 1;
	default: return ahead <= fly->g / 2 ? 2 * (ahead - 1) : 2 * (fly->g - ahead) - 1;
	}
}

/* Returns the group to which that port leads: the inverse of slot. */
static inline uint32_t group_at(const struct dragonfly *fly, uint32_t from, uint32_t slot)
{
	uint32_t ahead = fly->arrangement == RELATIVE ? slot + 1 : slot % 2 ? fly->g - (slot + 1) / 2 : slot / 2 + 1;
	if (fly->arrangement == ABSOLUTE)
		return slot < from ? slot : slot + 1;
	return from + ahead < fly->g ? from + ahead : from + ahead - fly->g;
}

/* Returns the other end of a group's global port: its port, and its group in *far_group. */
static inline uint32_t far_end(const struct dragonfly *fly, uint32_t group, uint32_t port, uint32_t *far_group)
{
	uint32_t round = quotient(port, fly->others), first = round * fly->others.divisor;
	*far_group = group_at(fly, group, port - first);
	return first + slot(fly, *far_group, group);
}

/* Returns the number of global ports with a cable of a group's switch: they are its first ones. */
static uint32_t global_ports(const struct dragonfly *fly, uint32_t member)
{
	uint32_t cabled = fly->rounds * fly->others.divisor, first = member * fly->h.divisor;
	uint32_t left = cabled > first ? cabled - first : 0;
	return left < fly->h.divisor ? left : fly->h.divisor;
}

/* Returns the port to another switch of the group. */
static inline uint32_t local_port(const struct dragonfly *fly, uint32_t member, uint32_t other)
{
	return fly->p.divisor + (other < member ? other : other - 1);
}

static inline uint32_t first_global(const struct dragonfly *fly)
{
	return fly->p.divisor + fly->a.divisor - 1;
}

static uint32_t dragonfly_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct dragonfly *fly = topology->data;
	return host ? 1 : first_global(fly) + global_ports(fly, place_of(fly, node).member);
}

static struct topology_port dragonfly_peer(const struct topology *topology, struct topology_port port)
{
	const struct dragonfly *fly = topology->data;
	uint32_t p = fly->p.divisor;
	if (port.host) {
		uint32_t node = quotient(port.node, fly->p);
		return (struct topology_port){false, node, port.node - node * p};
	}
	if (port.port < p)
		return (struct topology_port){true, port.node * p + port.port, 0};
	struct place at = place_of(fly, port.node), far;
	if (port.port < first_global(fly)) {
		far = (struct place){at.group, port.port - p + (port.port - p >= at.member)};
		return (struct topology_port){false, node_at(fly, far), local_port(fly, far.member, at.member)};
	}
	uint32_t end = far_end(fly, at.group, at.member * fly->h.divisor + port.port - first_global(fly), &far.group);
	far.member = quotient(end, fly->h);
	return (struct topology_port){false, node_at(fly, far), first_global(fly) + end - far.member * fly->h.divisor};
}

static unsigned dragonfly_tier(const struct topology *topology, struct topology_port port)
{
	const struct dragonfly *fly = topology->data;
	return port.host || port.port < fly->p.divisor ? 0 : port.port < first_global(fly) ? 1 : 2;
}

/* ---- routes */

/* Returns the number of rounds whose port of that slot precedes the group's port end. */
static inline uint32_t rounds_before(const struct dragonfly *fly, uint32_t slot, uint32_t end)
{
	uint32_t rounds = end > slot ? quotient(end - slot + fly->others.divisor - 1, fly->others) : 0;
	return rounds < fly->rounds ? rounds : fly->rounds;
}

/* Returns the global port by which the group is left for another. */
static inline uint32_t global_towards(const struct dragonfly *fly, struct place at, uint32_t group, uint32_t destination)
{
	uint32_t port = slot(fly, at.group, group), first = at.member * fly->h.divisor;
	uint32_t before = rounds_before(fly, port, first), own = rounds_before(fly, port, first + fly->h.divisor) - before;
	uint32_t round = own ? before + remainder_of(destination, fly->several[own - fly->fewest]) : remainder_of(destination, fly->all);
	return port + round * fly->others.divisor;
}

/*
 * Returns the port by which a switch is left for another switch, with a packet for the destination; *at becomes the switch at its other
 * end.
 */
static inline uint32_t move(const struct dragonfly *fly, struct place *at, struct place target, uint32_t destination)
{
	uint32_t member = at->member, other = target.member;
	if (at->group != target.group) {
		uint32_t global = global_towards(fly, *at, target.group, destination);
		other = quotient(global, fly->h);
		if (other == member) {
			uint32_t port = first_global(fly) + global - member * fly->h.divisor;
			at->member = quotient(far_end(fly, at->group, global, &at->group), fly->h);
			return port;
		}
	}
	at->member = other;
	return local_port(fly, member, other);
}

static uint32_t dragonfly_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct dragonfly *fly = topology->data;
	uint32_t target = quotient(destination, fly->p);
	if (host)
		return 0;
	if (node == target)
		return destination - target * fly->p.divisor;
	struct place at = place_of(fly, node);
	return move(fly, &at, place_of(fly, target), destination);
}

static uint32_t dragonfly_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct dragonfly *fly = topology->data;
	uint32_t target = quotient(destination, fly->p), length = 0;
	struct place at = place_of(fly, quotient(source, fly->p)), goal = place_of(fly, target);
	steps[length++] = (struct topology_step){source, 0};
	while (at.group != goal.group || at.member != goal.member) {
		uint32_t node = node_at(fly, at);
		steps[length++] = (struct topology_step){node, move(fly, &at, goal, destination)};
	}
	steps[length++] = (struct topology_step){target, destination - target * fly->p.divisor};
	return length;
}

static uint32_t dragonfly_longest(const struct topology *topology)
{
	const struct dragonfly *fly = topology->data;
	uint32_t local = fly->a.divisor > 1;
	return fly->g > 1 ? 3 + 2 * local : 2 + local;
}

/* Returns the position: groups in a ring, and each group a ring with the hosts outside. */
static struct topology_place dragonfly_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct dragonfly *fly = topology->data;
	uint32_t p = fly->p.divisor, a = fly->a.divisor, number = host ? quotient(node, fly->p) : node;
	struct place at = place_of(fly, number);
	struct place_group group = place_group(a, p);
	struct topology_place centre = place_on_circle((struct topology_place){0, 0}, place_ring(fly->g, group.outer), at.group, fly->g);
	return place_in_group(centre, group, at.member, host, node);
}

/* Writes the name: by group and number in it; hosts also by their port. */
static void dragonfly_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct dragonfly *fly = topology->data;
	uint32_t number = host ? quotient(node, fly->p) : node;
	struct place at = place_of(fly, number);
	text = put_number(put_number(text, host ? 'H' : 'S', at.group), '_', at.member);
	if (host)
		put_number(text, '_', node - number * fly->p.divisor);
}

static const struct arg dragonfly_args[] = {
	{"p", ARG_INTEGER, NULL, 1, UINT32_MAX, "hosts of each switch"},
	{"a", ARG_INTEGER, NULL, 1, UINT32_MAX, "switches of each group"},
	{"h", ARG_INTEGER, NULL, 1, UINT32_MAX, "ports of each switch to other groups"},
	{"g", ARG_INTEGER, "0", 0, UINT32_MAX, "groups (default: a h + 1)"},
	{"arrangement", ARG_WORD, "absolute", 0, 0, "arrangement of the cables between groups: absolute, relative or circulant"},
	{.type = ARG_END},
};

const struct topology_kind topology_dragonfly = {
	.name = "dragonfly",
	.summary = "groups of switches, fully connected within each group and between groups",
	.source = "Kim, Dally, Scott, Abts 2008; arrangements: Hastings et al. 2015",
	.formulae = "g groups, a h + 1 by default: p a g hosts, a g switches; p a g cables to hosts, g a (a-1)/2 within groups and "
		    "g (g-1)/2 floor(a h/(g-1)) between them; at most 3 of these two kinds",
	.args = dragonfly_args,
	.routing = "min",
	.form = STRUCTURE_GROUPS,
	.setup = dragonfly_setup,
	.structure = dragonfly_structure,
	.ports = dragonfly_ports,
	.peer = dragonfly_peer,
	.tier = dragonfly_tier,
	.next = dragonfly_next,
	.route = dragonfly_route,
	.longest = dragonfly_longest,
	.place = dragonfly_place,
	.node_name = dragonfly_name,
};
