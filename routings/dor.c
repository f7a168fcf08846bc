/*
 * Dimension order on meshes, tori and similar topologies of orcs-topology (Dally, Seitz: Deadlock-free message routing in multiprocessor
 * interconnection networks, IEEE Transactions on Computers 1987): dimensions in order, the shorter direction in each. In a ring of more
 * than three switches packets can form a cyclic wait. Therefore routes that cross the dateline, the cable from the last switch to the
 * first, use another virtual lane in that ring; all other routes of the ring never do. As no route goes more than half way round, neither
 * lane has a cycle. The service level of a pair has a bit for each such dimension, and the lane of a channel is the bit of its dimension,
 * as in OpenSM's torus-2QoS. If cables are missing, or there are more such dimensions than a level has bits, lanes are found as for dfsssp
 * (see lane_fit.h).
 */
#include "base/memory.h"
#include "base/random.h"
#include "base/spelling.h"
#include "routings/lane_fit.h"
#include "routings/topology_match.h"

#include <stdlib.h>
#include <string.h>

static const char *const ties_names[] = TIES_NAMES;

struct dimension {
	uint32_t width, stride;
	bool wraps;  /* the dimension is a ring */
	uint8_t bit; /* of the service level, LANE_BIT_ZERO: none */
};

enum { LEVEL_UNKNOWN = 0xff };

struct dor {
	const struct topology_match *match;
	enum ties ties;
	uint64_t seed;
	struct dimension dimension[STRUCTURE_DIMENSIONS_MAX];
	unsigned dimensions, bits;
	uint32_t *coordinates; /* [switches][dimensions] */
	uint8_t *bit;          /* [channels] bit of the service level */
	uint8_t *crossing;     /* [channels] channels across the dateline: that bit, otherwise 0 */
};

/* Returns the coordinates of a switch. */
static const uint32_t *coordinates(const struct dor *dor, uint32_t number)
{
	return dor->coordinates + (size_t)number * dor->dimensions;
}

/* Returns the number of the first switch; without switches, of the first host, as hosts then have the coordinates. */
static uint32_t first_switch(const struct topology_match *p)
{
	return p->topology->switches ? p->topology->hosts : 0;
}

/* Returns the number of a switch, counted from the first one. */
static uint32_t number_of(const struct topology_match *p, uint32_t node)
{
	return p->number[node] - first_switch(p);
}

static uint32_t switch_of(const struct topology_match *p, uint32_t host)
{
	uint32_t number = p->number[p->graph->fabric->host_node[host]];
	return !p->topology->switches ? number : p->topology->kind->peer(p->topology, (struct topology_port){true, number, 0}).node;
}

static int find_coordinates(struct dor *dor, struct error *error)
{
	const struct topology *t = dor->match->topology;
	uint32_t switches = t->switches ? t->switches : t->hosts, *next;
	dor->coordinates = next = array_create((size_t)switches * dor->dimensions, sizeof *next, error);
	for (uint32_t number = 0; next && number < switches; number++)
		for (unsigned i = 0; i < dor->dimensions; i++)
			*next++ = number / dor->dimension[i].stride % dor->dimension[i].width;
	return next ? 0 : -1;
}

static bool goes_one_way(const struct topology_structure *structure)
{
	bool one_way = false;
	for (uint32_t i = 0; i < structure->dimensions; i++)
		one_way |= structure->dimension[i].one_way;
	return one_way;
}

/* Reads the structure of the topology. Returns 0, or -1. */
static int measure(struct dor *dor, struct error *error)
{
	struct topology_structure structure;
	uint32_t stride = 1;
	topology_structure(dor->match->plain, &structure);
	if (structure.form != STRUCTURE_GRID || goes_one_way(&structure))
		return 0; /* lane_fit_all() handles cycles there */
	dor->dimensions = structure.dimensions;
	for (unsigned i = 0; i < dor->dimensions; i++) {
		struct dimension *d = &dor->dimension[i];
		*d = (struct dimension){structure.dimension[i].width, stride, structure_goes_round(&structure.dimension[i]), LANE_BIT_ZERO};
		if (d->wraps && d->width > 3)
			d->bit = (uint8_t)dor->bits++;
		stride *= d->width;
	}
	return find_coordinates(dor, error);
}

/* Returns whether a tie is broken upwards at a node with that coordinate. */
static bool goes_up(const struct dor *dor, uint32_t node, uint32_t coordinate, uint32_t host)
{
	struct random random;
	if (dor->ties != TIES_RANDOM)
		return dor->ties == TIES_BALANCED ? ties_go_up(coordinate) : dor->ties == TIES_POSITIVE;
	random_start(&random, dor->seed, RANDOM_PATTERN, (uint64_t)node << 32 | host);
	return !(random_bits(&random) & 1);
}

/* The rule if ties are not balanced: the channel of the topology, except for ties broken the other way. */
static uint32_t next_channel(const struct topology_match *p, const void *data, uint32_t node, uint32_t host)
{
	const struct dor *dor = data;
	uint32_t from = number_of(p, node);
	const uint32_t *at = coordinates(dor, from), *to = coordinates(dor, switch_of(p, host));
	for (unsigned i = 0; i < dor->dimensions; i++) {
		const struct dimension *d = &dor->dimension[i];
		uint32_t a = at[i], b = to[i];
		if (a == b)
			continue;
		bool up = !ties_go_up(a);
		if (!d->wraps || 2 * (a < b ? b - a : a - b) != d->width || goes_up(dor, node, a, host) != up)
			break;
		uint32_t c = up ? (a + 1 < d->width ? a + 1 : 0) : (a ? a : d->width) - 1;
		uint32_t head = p->node[first_switch(p) + from + (c - a) * d->stride];
		return head == NONE ? NONE : topology_match_channel(p, node, head);
	}
	return topology_match_next(p, node, host);
}

/* Sets, for each channel between switches, the bit of the service level that is its lane, and whether it crosses the dateline. */
static void mark_channels(struct dor *dor)
{
	const struct topology_match *p = dor->match;
	const struct routing_graph *n = p->graph;
	for (uint32_t c = 0; c < n->fabric->channels; c++) {
		uint32_t head = n->fabric->head[c];
		dor->bit[c] = LANE_BIT_ZERO;
		if (!routing_is_switch(n, n->tail[c]) || !routing_is_switch(n, head))
			continue;
		const uint32_t *at = coordinates(dor, number_of(p, n->tail[c])), *to = coordinates(dor, number_of(p, head));
		for (unsigned i = 0; i < dor->dimensions; i++) {
			const struct dimension *d = &dor->dimension[i];
			uint32_t a = at[i], b = to[i];
			if (a == b)
				continue;
			dor->bit[c] = d->bit;
			if (d->bit != LANE_BIT_ZERO && (a > b ? a - b : b - a) > 1)
				dor->crossing[c] = (uint8_t)(1 << d->bit);
		}
	}
}

/*
 * Sets the levels of all nodes to a destination: the bits that a node's channel crosses, combined with the level of the next node. way:
 * [columns]
 */
static void set_level_row(const struct dor *dor, const uint32_t *row, uint8_t *level, uint32_t *way)
{
	const struct routing_graph *n = dor->match->graph;
	memset(level, LEVEL_UNKNOWN, n->columns);
	for (uint32_t i = 0; i < n->columns; i++) {
		uint32_t length = 0, at = i;
		for (; at != NONE && level[at] == LEVEL_UNKNOWN && row[at] != NONE; at = n->column[n->fabric->head[row[at]]])
			way[length++] = at;
		uint8_t behind = at == NONE || level[at] == LEVEL_UNKNOWN ? 0 : level[at];
		if (at != NONE)
			level[at] = behind;
		while (length) {
			at = way[--length];
			level[at] = behind |= dor->crossing[row[at]];
		}
	}
}

/* Sets the level of every pair: the datelines that its route crosses. */
static void set_levels(const struct dor *dor, struct routed *routed, uint32_t *way)
{
	const struct routing_graph *n = dor->match->graph;
	for (uint32_t host = 0; host < n->fabric->hosts; host++)
		set_level_row(dor, routed_row(routed, n, host), routed_levels(routed, n, host), way);
	routed->levels = 1U << dor->bits;
	routed->lanes = 2;
}

static int add_lanes(struct dor *dor, const struct routing_task *task, struct routed *routed, bool whole, struct error *error)
{
	const struct routing_graph *n = task->graph;
	bool torus = dor->dimensions != 0;
	bool datelines = whole && torus && 1 << dor->bits <= ROUTING_LEVELS_MAX;
	if ((whole && torus && !dor->bits) || task->lanes_use == LANES_NOT_NEEDED)
		return 0;
	if (!datelines || task->lanes == 1)
		return lane_fit_all(routed, task, "dor", datelines ? 2 : 0, error);
	dor->bit = array_create(n->fabric->channels, sizeof *dor->bit, error);
	dor->crossing = array_create(n->fabric->channels, sizeof *dor->crossing, error);
	uint32_t *way = array_create(n->columns, sizeof *way, error);
	if (!error->status && !routed_add_levels(routed, n, error)) {
		mark_channels(dor);
		set_levels(dor, routed, way);
		routed->lane_bit = dor->bit;
		dor->bit = NULL;
	}
	free(way);
	return error->status ? -1 : 0;
}

static int dor_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct topology_match match;
	struct dor dor = {.match = &match, .seed = task->seed};
	const char *ties = task->args[0].text;
	uint32_t detours;
	while (dor.ties < TIES_RANDOM && strcmp(ties, ties_names[dor.ties]))
		dor.ties++;
	topology_match_rule *rule = dor.ties == TIES_BALANCED ? NULL : next_channel; /* the topology's own routing is balanced */
	if (!task->topology && dor.ties == TIES_BALANCED)
		return routing_opensm_dor(task, routed, error);
	if (strcmp(ties, ties_names[dor.ties]))
		return error_unknown(error, "rule for ties", ties, ties_names, sizeof ties_names / sizeof *ties_names);
	if (!topology_match_init(&match, task, "dor", error) && !measure(&dor, error) &&
		!topology_match_route(&match, routed, rule, &dor, &detours, error) && !add_lanes(&dor, task, routed, !detours, error))
		topology_match_note(&match, routed, "hosts behind them are reached by shortest paths");
	free(dor.coordinates);
	free(dor.bit);
	free(dor.crossing);
	topology_match_clear(&match);
	return error->status ? -1 : 0;
}

static int dor_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	bool balanced = !strcmp(task->args[0].text, ties_names[TIES_BALANCED]);
	return balanced ? routing_prepare_function(task, "dor", demand, error) : 0;
}

static const struct arg dor_args[] = {
	{"ties", ARG_WORD, "balanced", 0, 0, TIES_HELP},
	{.type = ARG_END},
};

const struct routing routing_dor = {
	.name = "dor",
	.summary = "dimension order on meshes, tori and similar topologies, on two virtual lanes if they have rings",
	.source = "Dally, Seitz 1987; lanes: OpenSM's torus-2QoS",
	.needs =
		"a topology of orcs-topology with this routing (mesh, torus, hyperx, ...); cables may be missing or parallel; two lanes. A graph that "
		"states no topology gets the tables of osm-dor",
	.args = dor_args,
	.route = dor_route,
	.demand = dor_prepare,
};
