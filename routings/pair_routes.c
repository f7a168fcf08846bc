/*
 * Routes computed pair by pair, as source routes, where tables by destination cannot represent them:
 *
 * smodk: fat trees, up by the source: at level l by parent (s div W_l) mod w_(l+1), see topologies/fattree.c; then down. It is D-mod-K
 * with source and destination exchanged, so all messages of a host go up one path (Rodriguez, Beivide, Duato: Exploring Pattern-aware
 * Routing in Generalized Fat Tree Networks, ICS 2009).
 *
 * updown: fat trees, up by a random port of each switch, or by its ports in turn, until the destination is below; then down (the trees of
 * INRFlow: Navaridas et al., JPDC 130, 2019). Drawn for each pair and run; turns begin anew in each run, and a pair keeps its route.
 *
 * valiant-group: dragonflies, to a random group, into which the packet goes at whatever switch its cable leads to, and on from there (Kim,
 * Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008). If that is the group of an end, and within a
 * group: directly.
 */
#include "base/memory.h"
#include "base/number_table.h"
#include "base/random.h"
#include "base/spelling.h"
#include "routings/routing.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

enum rule { RULE_SOURCE, RULE_RANDOM, RULE_TURNS, RULE_GROUP };

/* What all switches of a level have, the hosts being level 0. */
struct tree_ports {
	uint32_t children, parents, cables; /* ports down; nodes above, and cables to each */
	uint32_t copies;                    /* W_l */
};

struct pair_routes {
	struct source_demand demand;
	const struct fabric *fabric;
	struct routing_function *function;
	struct topology_structure structure;
	enum rule rule;
	uint64_t seed, run;
	struct tree_ports level[STRUCTURE_LEVELS_MAX + 1];
	uint32_t *turn; /* [nodes] RULE_TURNS: ports used so far, by number in the topology */
	struct number_table
		pairs; /* source << 32 | destination, RULE_TURNS: first of the channels of its route in kept, after their number */
	uint32_t *kept;
	size_t kept_count, kept_room;
	uint32_t *route; /* [longest] */
	uint32_t length;
	uint64_t start[2];
	double share;
	uint32_t *none; /* [hosts] NONE */
};

/* A node of the topology: a host, or a switch by its number after the hosts. */
struct at {
	bool host;
	uint32_t node;
};

static uint32_t level_of(const struct pair_routes *r, struct at at)
{
	uint32_t level = at.host ? 0 : r->structure.levels;
	while (!at.host && level > 1 && at.node < r->structure.first[level - 1])
		level--;
	return level;
}

static struct at go(struct pair_routes *r, struct at at, uint32_t port)
{
	const struct topology *t = r->function->topology;
	struct topology_port to = t->kind->peer(t, (struct topology_port){at.host, at.node, port});
	uint32_t place = r->function->first[at.node + (at.host ? 0 : t->hosts)] + port;
	r->route[r->length++] = routing_function_channel(r->function, place);
	return (struct at){to.host, to.node};
}

static uint32_t next_port(const struct pair_routes *r, struct at at, uint32_t destination)
{
	const struct topology *t = r->function->topology;
	return t->kind->next(t, at.host, at.node, destination);
}

/* Reads the ports of each level from its first node. */
static void measure_tree(struct pair_routes *r)
{
	const struct topology *t = r->function->topology;
	uint32_t copies = 1;
	for (uint32_t l = 0; l <= r->structure.levels; l++) {
		struct at at = {l == 0, l ? r->structure.first[l - 1] : 0}, above = {false, NONE};
		struct tree_ports *ports = &r->level[l];
		uint32_t count = t->kind->ports(t, at.host, at.node);
		*ports = (struct tree_ports){.cables = 1};
		for (uint32_t port = 0; port < count; port++) {
			struct topology_port to = t->kind->peer(t, (struct topology_port){at.host, at.node, port});
			bool down = l && level_of(r, (struct at){to.host, to.node}) < l;
			ports->children += down;
			ports->parents += !down && to.node != above.node;
			ports->cables = !down && to.node == above.node && ports->parents == 1 ? ports->cables + 1 : ports->cables;
			above.node = down ? above.node : to.node;
		}
		ports->copies = copies;
		copies *= ports->parents ? ports->parents : 1;
	}
}

/* Returns the port up by the rule. */
static uint32_t port_up(struct pair_routes *r, struct at at, uint32_t level, uint32_t source, struct random *random)
{
	const struct tree_ports *ports = &r->level[level];
	uint32_t all = ports->parents * ports->cables;
	if (r->rule == RULE_RANDOM)
		return ports->children + random_below(random, all);
	if (r->rule == RULE_TURNS)
		return ports->children + r->turn[at.node + (at.host ? 0 : r->function->topology->hosts)]++ % all;
	uint32_t digit = source / ports->copies;
	return ports->children + digit % ports->parents * ports->cables + digit % ports->cables;
}

static void route_up_down(struct pair_routes *r, uint32_t source, uint32_t destination, struct random *random)
{
	struct at at = {true, source};
	for (bool below = false; !(at.host && at.node == destination);) {
		uint32_t level = level_of(r, at), port = next_port(r, at, destination);
		below |= port < r->level[level].children;
		at = go(r, at, below ? port : port_up(r, at, level, source, random));
	}
}

static uint32_t group_of(const struct pair_routes *r, struct at at)
{
	return at.host ? at.node / r->structure.hosts : at.node / r->structure.switches;
}

static void route_by_group(struct pair_routes *r, uint32_t source, uint32_t destination, struct random *random)
{
	uint32_t via = random_below(random, r->structure.blocks),
		 host = via * r->structure.hosts + random_below(random, r->structure.hosts);
	struct at at = {true, source}, end = {true, destination};
	bool detour = group_of(r, at) != group_of(r, end) && via != group_of(r, at) && via != group_of(r, end);
	while (detour && group_of(r, at) != via)
		at = go(r, at, next_port(r, at, host));
	while (!(at.host && at.node == destination))
		at = go(r, at, next_port(r, at, destination));
}

static void compute(struct pair_routes *r, uint32_t source, uint32_t destination)
{
	const struct fabric *f = r->fabric;
	uint32_t from = r->function->number[f->host_node[source]], to = r->function->number[f->host_node[destination]];
	struct random random;
	if (r->rule == RULE_RANDOM || r->rule == RULE_GROUP)
		random_start(&random, r->seed ^ r->run * UINT64_C(0x9e3779b97f4a7c15), RANDOM_ROUTE, (uint64_t)from << 32 | to);
	r->length = 0;
	if (r->rule == RULE_GROUP)
		route_by_group(r, from, to, &random);
	else
		route_up_down(r, from, to, &random);
}

/* ---- kept routes, of turns */

/* Finds the route of a pair that has one in this run, or computes and keeps it. Returns 0, or -1. */
static int keep(struct pair_routes *r, uint32_t source, uint32_t destination, struct error *error)
{
	uint64_t wanted = (uint64_t)source << 32 | destination;
	uint64_t start = number_table_find(&r->pairs, wanted);
	if (start != NUMBER_NONE) {
		r->length = r->kept[start];
		memcpy(r->route, r->kept + start + 1, r->length * sizeof *r->route);
		return 0;
	}
	compute(r, source, destination);
	if (number_table_reserve(&r->pairs, r->pairs.count + 1, error) ||
		array_grow(&r->kept, &r->kept_room, r->kept_count + r->length + 1, sizeof *r->kept, error))
		return -1;
	number_table_add(&r->pairs, wanted, r->kept_count);
	r->kept[r->kept_count++] = r->length;
	memcpy(r->kept + r->kept_count, r->route, r->length * sizeof *r->route);
	r->kept_count += r->length;
	return 0;
}

/* ---- as source routes on demand */

static void begin_run(struct source_demand *demand, uint64_t run)
{
	struct pair_routes *r = (struct pair_routes *)demand;
	r->run = run;
	if (r->turn)
		memset(r->turn, 0, r->fabric->nodes * sizeof *r->turn);
	number_table_empty(&r->pairs);
	r->kept_count = 0;
}

static bool find(struct source_demand *demand, uint32_t source, uint32_t destination, uint64_t *from, uint64_t *to)
{
	struct pair_routes *r = (struct pair_routes *)demand;
	*from = *to = 0;
	if (demand->error.status)
		return false;
	if (r->rule != RULE_TURNS)
		compute(r, source, destination);
	else if (keep(r, source, destination, &demand->error))
		return false;
	r->start[1] = r->length;
	*to = 1;
	return true;
}

static void free_routes(struct source_demand *demand)
{
	struct pair_routes *r = (struct pair_routes *)demand;
	routing_function_free(r->function);
	free(r->turn);
	number_table_clear(&r->pairs);
	free(r->kept);
	free(r->route);
	free(r->none);
	free(r);
}

static int init(struct pair_routes *r, const struct routing_task *task, enum rule rule, struct error *error)
{
	const struct fabric *fabric = task->graph->fabric;
	static const char *const names[] = {"smodk", "updown", "updown", "valiant-group"};
	const char *wanted = rule == RULE_GROUP ? "min" : "dmodk";
	const struct topology_kind *kind = task->topology ? topology_find(task->topology) : NULL;
	*r = (struct pair_routes){.demand = {.find = find, .begin = begin_run, .free = free_routes},
		.fabric = fabric,
		.rule = rule,
		.seed = task->seed,
		.share = 1};
	if (!kind || !kind->routing || strcmp(kind->routing, wanted) != 0)
		return error_at(error, STATUS_FABRIC, fabric->labels ? fabric->labels->source : "", 0, "%s needs %s of orcs-topology",
			names[rule], rule == RULE_GROUP ? "a dragonfly" : "a fat tree");
	r->function = routing_function_create(fabric, task->topology, wanted, error);
	if (!r->function)
		return -1;
	topology_structure(r->function->topology, &r->structure);
	r->route = array_create(2 * (size_t)routing_function_longest(r->function) + 2, sizeof *r->route, error);
	r->none = array_create(fabric->hosts, sizeof *r->none, error);
	if (rule == RULE_TURNS)
		r->turn = array_create(fabric->nodes, sizeof *r->turn, error);
	if (error->status)
		return -1;
	memset(r->none, 0xff, fabric->hosts * sizeof *r->none); /* NONE */
	if (rule != RULE_GROUP)
		measure_tree(r);
	return 0;
}

static int prepare(const struct routing_task *task, enum rule rule, struct routing_demand *demand, struct error *error)
{
	struct pair_routes *r = array_create(1, sizeof *r, error);
	struct source_routes *set = array_create(1, sizeof *set, error);
	if (!r || !set) {
		free(r);
		free(set);
		return -1;
	}
	bool failed = init(r, task, rule, error);
	*set = (struct source_routes){.hosts = task->graph->fabric->hosts,
		.first = r->none,
		.last = r->none,
		.start = r->start,
		.share = &r->share,
		.channel = r->route,
		.shared = true,
		.demand = &r->demand};
	demand->routes = set;
	if (!failed)
		demand->forwarding = forwarding_without_entries(task->graph->fabric, error);
	return error->status ? -1 : 0;
}

/* Makes the routes of all pairs, in their order. */
static int make_all(const struct routing_task *task, enum rule rule, struct routed *routed, struct error *error)
{
	struct pair_routes *r = array_create(1, sizeof *r, error);
	struct route_builder builder = {0};
	const struct fabric *f = task->graph->fabric;
	if (r && !init(r, task, rule, error) && !route_builder_init(&builder, f, false, error)) {
		for (uint32_t s = 0; s < f->hosts && !error->status; s++)
			for (uint32_t d = 0; d < f->hosts && !error->status; d++)
				if (s != d) {
					compute(r, s, d);
					route_builder_add(&builder, s, d, 1, r->route, r->length, error);
				}
		if (!error->status)
			routed->routes = route_builder_end(&builder, error);
	}
	route_builder_clear(&builder);
	routed->deadlocks = rule == RULE_GROUP;
	if (r)
		free_routes(&r->demand);
	return error->status ? -1 : 0;
}

/* ---- engines */

static int smodk_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return make_all(task, RULE_SOURCE, routed, error);
}

static int smodk_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return prepare(task, RULE_SOURCE, demand, error);
}

/* Returns the rule that the parameter names; -1 on errors. */
static int updown_rule(const struct routing_task *task, struct error *error)
{
	static const char *const rules[] = {"random", "roundrobin"};
	for (int i = 0; i < 2; i++)
		if (!strcmp(task->args[0].text, rules[i]))
			return RULE_RANDOM + i;
	return error_unknown(error, "rule for ports up", task->args[0].text, rules, 2);
}

static int updown_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	int rule = updown_rule(task, error);
	return rule < 0 ? -1 : make_all(task, (enum rule)rule, routed, error);
}

static int updown_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	int rule = updown_rule(task, error);
	return rule < 0 ? -1 : prepare(task, (enum rule)rule, demand, error);
}

static int group_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	return make_all(task, RULE_GROUP, routed, error);
}

static int group_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	return prepare(task, RULE_GROUP, demand, error);
}

static const struct arg updown_args[] = {
	{"rule", ARG_WORD, "random", 0, 0,
		"choice of the port up: random, drawn for each pair, or roundrobin, the ports of a switch in turn"},
	{.type = ARG_END},
};

const struct routing routing_smodk = {
	.name = "smodk",
	.summary = "fat trees, up by the number of the source: all messages of a host go up one path; as source routes",
	.source = "Rodriguez, Beivide, Duato 2009; INRFlow paper 3.2",
	.needs = "star, tree, fattree, mport, thintree, gtree, xgft or pgft of orcs-topology, complete; --routes",
	.source_routes = true,
	.route = smodk_route,
	.demand = smodk_prepare,
};

const struct routing routing_updown = {
	.name = "updown",
	.summary = "fat trees, up by random ports or by ports in turn, as source routes",
	.source = "INRFlow paper 3.2",
	.needs = "as smodk; --routes",
	.args = updown_args,
	.source_routes = true,
	.route = updown_route,
	.demand = updown_prepare,
};

const struct routing routing_valiant_group = {
	.name = "valiant-group",
	.summary = "dragonflies, via a random group, as source routes",
	.source = "Kim, Dally, Scott, Abts 2008",
	.needs = "dragonfly of orcs-topology, complete; --routes",
	.source_routes = true,
	.route = group_route,
	.demand = group_prepare,
};
