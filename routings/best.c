/*
 * Tables by destination that deliver more than those of one rule: all routes are improved, one destination's tree at a time, on shortest
 * paths. The tree is taken out; then a path costs what its channels cost, and the tree with the least cost is put in again:
 *
 * 1. Nodes near the destination first, each takes the channel whose path costs least, for its own hosts exactly.
 * 2. Nodes far from it first, all routes that pass a node change together to the path that costs them least, until none changes.
 * 3. The tree stays only if it costs less than the one before.
 *
 * A pass does so for all destinations. When passes gain little, the search starts again, the second time from the tables of ftree-orcs,
 * which are the best there are in complete fat trees, then from the best tables with random paths to some destinations, and from nothing
 * when that has been in vain for some time (alltoall: always); the best result stays. The cost of a channel for the hosts of a leaf (a node
 * where routes begin), divided by its speed:
 *
 * bisect: what a further route costs the messages of a random bisection. Of R routes on a channel, a leaf's host has r of its own, so its
 *   message meets a number of others there that is about Poisson, with a mean proportional to R - r; see damp().
 * both: the pairs of routes with other senders and other receivers on it, to which the expected number of collisions is proportional: each
 *   new route adds R - r. And a part of the cost of shifts, with a weight at which, on real fabrics, both come near to what each alone
 *   reaches.
 * shifts: the pairs of routes that are on it in the same shift of all hosts, in an order of them; later higher powers of their number, for
 * the largest loads.
 * alltoall: the sum of R^p over the channels, with p = 4, 8, 16 in later passes, for the smallest of the largest loads.
 *
 * Time O(leaves * hops * choices) per destination and pass, for shifts O(hosts * hops * choices). Memory: 2 bytes per channel and leaf, for
 * shifts 2 per channel and host.
 */
#include "base/files.h"
#include "base/memory.h"
#include "base/random.h"
#include "fabric/placement.h"
#include "routings/lane_fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum objective { FOR_BOTH, FOR_BISECTIONS, FOR_ALL, FOR_SHIFTS };

static const char *const objective_names[] = {"both", "bisect", "alltoall", "shifts", NULL};

enum { OBJECTIVE, TIME, PASSES, ORDER, IGNORE_SPEEDS };
enum { MEETINGS = 10, MET_SCALE = 64, MET_STEPS = 8 * MET_SCALE }; /* at most so many messages on a channel make a difference */
enum { PASSES_USUAL = 24, SWEEPS = 20, POWERS = 256, SAMPLES = 3000 };
enum {
	PASSES_EASY = 4,
	PASSES_LEAST = 7,
	PASSES_AGAIN = 2,
	PASSES_MOST = 16,
	VAIN_MOST = 60
}; /* of a start: before higher powers count, before it can end, and in all */

static const double gain_least = 2e-3, model_gain_least = 1e-4; /* of a pass: with less the start ends; of the expected bandwidth */
/* Others that a message of a bisection meets for each route, times the hosts: half of them if each host could take part in many messages.
 */
static const double meetings = 0.35;
static const double changed_share = 0.05; /* of the destinations, when a start begins with tables of an earlier one */
static const double shift_weight =
	0.2; /* of shifts beside bisections, times the hosts: a pair of routes meets in 1 / hosts of all shifts */

struct best {
	const struct routing_task *task;
	const struct routing_graph *graph;
	struct routed *routed;
	struct error *error;
	enum objective objective;
	struct choices choices;

	uint32_t *slot; /* [channels] the number of a channel that routes choose; NONE: of the others */
	uint32_t slots;
	double *scale;  /* [slots] 1 / speed */
	uint32_t *load; /* [slots] routes */

	uint32_t leaves;
	uint32_t *leaf_node;   /* [leaves] */
	uint32_t *leaf_of;     /* [nodes] NONE: none */
	uint32_t *first;       /* [leaves + 1] hosts of a leaf: position[first[l]] .. */
	uint32_t *position;    /* [hosts] in the order of hosts, leaf by leaf */
	uint32_t *position_of; /* [hosts] the same by host */
	uint16_t *own;         /* [slots][leaves] destinations for which a leaf uses a channel */
	uint16_t *shift;       /* [slots][hosts] routes in a shift; NULL: not wanted */
	double *damping;       /* [slots] of bisect: see damp() */
	double power[POWERS];  /* what a further route in a shift costs by their number */
	unsigned exponent;     /* of alltoall */
	double largest;        /* load, which powers are relative to */

	/* of the destination */
	uint32_t *row, target; /* its row of tables, and position */
	uint32_t *before;      /* [columns] the row before */
	double *length;        /* [nodes] cost of the path from a node, of an average route */
	uint32_t *tree;        /* [slots] routes of the tree; of alltoall */
	uint32_t *head, *last; /* [nodes] list of the leaves whose routes pass */
	uint32_t *link;        /* [leaves] the next in the list */
};

/* ---- costs */

static double power_of(double base, unsigned exponent)
{
	double result = 1;
	for (; exponent; exponent /= 2, base *= base)
		result *= exponent % 2 ? base : 1;
	return result;
}

/* The cost of a slot for all hosts of a leaf. */
static double cost(const struct best *b, uint32_t leaf, uint32_t channel)
{
	uint32_t s = b->slot[channel], begin = b->first[leaf], end = b->first[leaf + 1];
	double sum = 0;
	if (s == NONE)
		return 0;
	if (b->objective == FOR_BISECTIONS) {
		double others =
			meetings / b->graph->fabric->hosts * b->scale[s] * (double)(b->load[s] - b->own[(size_t)s * b->leaves + leaf]);
		return (double)(end - begin) * b->damping[s] * -expm1(-others);
	}
	if (b->objective != FOR_SHIFTS)
		sum = (double)(end - begin) * (double)(b->load[s] - b->own[(size_t)s * b->leaves + leaf]);
	if (!b->shift)
		return sum * b->scale[s];
	uint32_t hosts = b->graph->fabric->hosts;
	const uint16_t *shift = b->shift + (size_t)s * hosts;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t k = b->target >= b->position[i] ? b->target - b->position[i] : b->target + hosts - b->position[i];
		sum += b->power[shift[k] < POWERS ? shift[k] : POWERS - 1];
	}
	return sum * b->scale[s];
}

static double path_cost(const struct best *b, uint32_t leaf, uint32_t node)
{
	const struct routing_graph *n = b->graph;
	double sum = 0;
	while (node != b->choices.root) {
		uint32_t c = b->row[n->column[node]];
		sum += cost(b, leaf, c);
		node = n->fabric->head[c];
	}
	return sum;
}

/* What so many further routes of the tree add to the powers of the loads on the path from a node. */
static double added_powers(const struct best *b, uint32_t node, uint32_t routes)
{
	const struct routing_graph *n = b->graph;
	double sum = 0;
	while (node != b->choices.root) {
		uint32_t c = b->row[n->column[node]], s = b->slot[c];
		if (s != NONE) {
			double from = (double)(b->load[s] + b->tree[s]) * b->scale[s] / b->largest;
			double to = from + routes * b->scale[s] / b->largest;
			sum += power_of(to, b->exponent) - power_of(from, b->exponent);
		}
		node = n->fabric->head[c];
	}
	return sum;
}

static uint32_t hosts_of(const struct best *b, uint32_t leaf)
{
	return b->first[leaf + 1] - b->first[leaf];
}

/* Adds routes of the tree to the path from a node, or removes them; of alltoall. */
static void add_to_tree(struct best *b, uint32_t node, uint32_t routes, bool add)
{
	const struct routing_graph *n = b->graph;
	while (node != b->choices.root) {
		uint32_t c = b->row[n->column[node]], s = b->slot[c];
		if (s != NONE)
			b->tree[s] += add ? routes : -routes;
		node = n->fabric->head[c];
	}
}

/* ---- trees */

/* Puts the tree of the row into the loads, or takes it out. */
static void put_tree(struct best *b, bool in)
{
	const struct routing_graph *n = b->graph;
	uint32_t hosts = n->fabric->hosts;
	for (uint32_t l = 0; l < b->leaves; l++) {
		uint32_t node = b->leaf_node[l];
		if (b->choices.distance[node] == NONE)
			continue;
		while (node != b->choices.root) {
			uint32_t c = b->row[n->column[node]], s = b->slot[c];
			node = n->fabric->head[c];
			if (s == NONE)
				continue;
			b->load[s] += in ? hosts_of(b, l) : -hosts_of(b, l);
			b->own[(size_t)s * b->leaves + l] += in ? 1 : -1;
			for (uint32_t i = b->first[l]; b->shift && i < b->first[l + 1]; i++)
				b->shift[(size_t)s * hosts + (b->target + hosts - b->position[i]) % hosts] += in ? 1 : -1;
		}
	}
}

/* The cost of the tree of the row, while it is out. */
static double tree_cost(struct best *b)
{
	double sum = 0;
	for (uint32_t l = 0; l < b->leaves; l++) {
		uint32_t node = b->leaf_node[l];
		if (b->choices.distance[node] == NONE)
			continue;
		if (b->objective != FOR_ALL) {
			sum += path_cost(b, l, node);
			continue;
		}
		sum += added_powers(b, node, hosts_of(b, l));
		add_to_tree(b, node, hosts_of(b, l), true);
	}
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			add_to_tree(b, b->leaf_node[l], hosts_of(b, l), false);
	return sum;
}

/* Step 1. */
static void grow(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct choices *choices = &b->choices;
	b->length[choices->root] = 0;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i], leaf = b->leaf_of[u], best = NONE;
		double least = INFINITY;
		for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
			uint32_t c = choices->channel[k], head = n->fabric->head[c], s = b->slot[c];
			double price = leaf != NONE && b->objective != FOR_ALL
					       ? cost(b, leaf, c) + path_cost(b, leaf, head)
					       : (s == NONE ? 0 : b->load[s] * b->scale[s]) + b->length[head];
			if (price < least) {
				least = price;
				best = c;
			}
		}
		uint32_t s = b->slot[best];
		b->row[n->column[u]] = best;
		b->length[u] = (s == NONE ? 0 : b->load[s] * b->scale[s]) + b->length[n->fabric->head[best]];
	}
}

/* Returns the cost of all routes that pass a node, and of so many hosts, by a channel. */
static double price_by(const struct best *b, uint32_t node, uint32_t channel, uint32_t routes)
{
	uint32_t head = b->graph->fabric->head[channel], s = b->slot[channel];
	double sum = 0;
	if (b->objective == FOR_ALL) {
		double from = s == NONE ? 0 : (double)(b->load[s] + b->tree[s]) * b->scale[s] / b->largest;
		double to = s == NONE ? 0 : from + routes * b->scale[s] / b->largest;
		return power_of(to, b->exponent) - power_of(from, b->exponent) + added_powers(b, head, routes);
	}
	for (uint32_t l = b->head[node]; l != NONE; l = b->link[l])
		sum += cost(b, l, channel) + path_cost(b, l, head);
	return sum;
}

/* Step 2, once. Returns whether a path changed. */
static bool sweep(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct choices *choices = &b->choices;
	bool changed = false;
	for (uint32_t i = 0; i < choices->count; i++)
		b->head[choices->order[i]] = NONE;
	b->head[choices->root] = NONE;
	for (uint32_t l = 0; l < b->leaves; l++) {
		uint32_t node = b->leaf_node[l];
		if (choices->distance[node] == NONE)
			continue;
		b->head[node] = b->last[node] = l;
		b->link[l] = NONE;
	}
	for (uint32_t i = choices->count; i--;) {
		uint32_t u = choices->order[i], *entry = &b->row[n->column[u]], before = *entry, routes = 0;
		if (b->head[u] == NONE)
			continue;
		if (choices->first[i + 1] - choices->first[i] > 1) {
			for (uint32_t l = b->head[u]; l != NONE; l = b->link[l])
				routes += hosts_of(b, l);
			if (b->objective == FOR_ALL)
				add_to_tree(b, u, routes, false);
			double least = price_by(b, u, before, routes);
			for (uint32_t k = choices->first[i]; k < choices->first[i + 1]; k++) {
				uint32_t c = choices->channel[k];
				double price = c == before ? INFINITY : price_by(b, u, c, routes);
				if (price < least * (1 - 1e-12)) {
					least = price;
					*entry = c;
				}
			}
			if (b->objective == FOR_ALL)
				add_to_tree(b, u, routes, true);
			changed |= *entry != before;
		}
		uint32_t to = n->fabric->head[*entry];
		if (b->head[to] == NONE)
			b->head[to] = b->head[u];
		else
			b->link[b->last[to]] = b->head[u];
		b->last[to] = b->last[u];
	}
	return changed;
}

/* Finds a tree for the destination. first: there is none before. Returns the cost of the one that stays. */
static double improve(struct best *b, uint32_t host, bool first)
{
	const struct routing_graph *n = b->graph;
	double old = INFINITY;
	b->row = routed_row(b->routed, n, host);
	b->target = b->position_of[host];
	if (!first) {
		put_tree(b, false);
		old = tree_cost(b);
		memcpy(b->before, b->row, n->columns * sizeof *b->row);
	}
	grow(b);
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			add_to_tree(b, b->leaf_node[l], hosts_of(b, l), true);
	for (int s = 0; s < SWEEPS && sweep(b); s++)
		;
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			add_to_tree(b, b->leaf_node[l], hosts_of(b, l), false);
	double new = tree_cost(b);
	if (new >= old) {
		memcpy(b->row, b->before, n->columns * sizeof *b->row);
		new = old;
	}
	put_tree(b, true);
	return new;
}

/* ---- passes */

/* The probabilities that a message meets at most, and exactly so many others on a channel; by their expected number, in steps. */
struct met {
	double most[MEETINGS], exactly[MEETINGS];
};

static void find_met(struct met met[MET_STEPS])
{
	for (int i = 0; i < MET_STEPS; i++) {
		double others = (double)i / MET_SCALE, term = exp(-others), sum = 0;
		for (int m = 0; m < MEETINGS; m++) {
			met[i].exactly[m] = term;
			met[i].most[m] = sum += term;
			term *= others / (m + 1);
		}
	}
}

/* The expected number of others that a message of the leaf to the destination of the row, whose routes are in tree, meets on a slot. */
static double others_of(const struct best *b, uint32_t leaf, uint32_t s)
{
	double routes = (double)b->load[s] - (double)b->own[(size_t)s * b->leaves + leaf] - (double)b->tree[s] + 1;
	return routes > 0 ? meetings / b->graph->fabric->hosts * routes * b->scale[s] : 0;
}

/* Adds what the path of the leaf's hosts to the destination of the row loses on each of its channels, if the others are there. Returns
 * their bandwidth. */
static double add_losses(const struct best *b, uint32_t leaf, const struct met *met, double *loss, double *alone)
{
	const struct routing_graph *n = b->graph;
	double all[MEETINGS], bandwidth = 1.0 / (MEETINGS + 1);
	uint32_t hosts = hosts_of(b, leaf);
	for (int m = 0; m < MEETINGS; m++)
		all[m] = 1.0 / ((m + 1) * (m + 2));
	for (int twice = 0; twice < 2; twice++)
		for (uint32_t node = b->leaf_node[leaf]; node != b->choices.root;) {
			uint32_t c = b->row[n->column[node]], s = b->slot[c];
			node = n->fabric->head[c];
			if (s == NONE)
				continue;
			double others = others_of(b, leaf, s), sum = 0;
			double step = others * MET_SCALE + 0.5;
			const struct met *now = &met[step < MET_STEPS ? (int)step : MET_STEPS - 1];
			for (int m = 0; m < MEETINGS; m++) {
				if (!twice)
					all[m] *= now->most[m];
				else
					sum += all[m] / now->most[m] * (1 - now->most[m] + others * now->exactly[m]);
			}
			loss[s] += twice ? hosts * sum : 0;
			alone[s] += twice ? hosts * -expm1(-others) : 0;
		}
	for (int m = 0; m < MEETINGS; m++)
		bandwidth += all[m];
	return bandwidth * hosts;
}

/*
 * Of bisect: a message that meets X others on a channel has 1 / (1 + X) of its bandwidth there, X about Poisson; but what counts is the
 * largest X on its path. The damping of a channel is what one more route really costs its messages, divided by what it would cost if the
 * channel were alone on their paths. Returns the expected bandwidth.
 */
static double damp(struct best *b)
{
	const struct routing_graph *n = b->graph;
	struct met *met = array_create(MET_STEPS, sizeof *met, b->error);
	double *loss = array_create(b->slots, sizeof *loss, b->error), *alone = array_create(b->slots, sizeof *alone, b->error);
	double bandwidth = 0, messages = 0;
	if (!b->error->status)
		find_met(met);
	for (uint32_t g = 0; g < n->groups && !b->error->status; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			b->row = routed_row(b->routed, n, n->member[m]);
			for (int add = 1; add >= 0; add--)
				for (uint32_t l = 0; l < b->leaves; l++) {
					if (b->choices.distance[b->leaf_node[l]] == NONE)
						continue;
					if (!add) {
						bandwidth += add_losses(b, l, met, loss, alone);
						messages += hosts_of(b, l);
					} else {
						add_to_tree(b, b->leaf_node[l], hosts_of(b, l), true);
					}
				}
			for (uint32_t l = 0; l < b->leaves; l++)
				if (b->choices.distance[b->leaf_node[l]] != NONE)
					add_to_tree(b, b->leaf_node[l], hosts_of(b, l), false);
		}
	}
	for (uint32_t s = 0; s < b->slots && !b->error->status; s++)
		b->damping[s] = alone[s] > 0 ? loss[s] / alone[s] : 1;
	free(met);
	free(loss);
	free(alone);
	return messages > 0 ? bandwidth / messages : 0;
}

/* Prepares the costs of a pass. */
static void prepare(struct best *b, unsigned pass)
{
	double shape = pass < PASSES_EASY ? 2 : b->objective == FOR_SHIFTS ? 6 : 3;
	double weight = b->objective == FOR_BOTH ? shift_weight * b->graph->fabric->hosts : 1;
	for (int i = 0; i < POWERS; i++)
		b->power[i] = weight * (pow(i + 1.0, shape) - pow(i, shape) - 1) / 2;
	b->exponent = pass < 3 ? 4 : pass < 6 ? 8 : pass < 9 ? 16 : 32;
	b->largest = 1;
	for (uint32_t s = 0; s < b->slots; s++)
		b->largest = fmax(b->largest, b->load[s] * b->scale[s]);
}

/* Returns what the pass reached: half the cost of all trees, the largest load, or the sum of the largest loads of all shifts. */
static double reached(const struct best *b, double total)
{
	uint32_t hosts = b->graph->fabric->hosts;
	double sum = 0, most = 0;
	if (b->objective == FOR_BOTH || b->objective == FOR_BISECTIONS)
		return total / 2;
	for (uint32_t k = 1; k < (b->objective == FOR_SHIFTS ? hosts : 2); k++) {
		most = 0;
		for (uint32_t s = 0; s < b->slots; s++)
			most = fmax(most, (b->shift ? b->shift[(size_t)s * hosts + k] : b->load[s]) * b->scale[s]);
		sum += most;
	}
	return sum;
}

/* Improves all destinations once, in a random order of their groups; first: they have no trees. Returns the objective. */
static double pass(struct best *b, unsigned start, unsigned number, bool first, uint32_t *order)
{
	const struct routing_graph *n = b->graph;
	struct random random;
	double total = 0;
	prepare(b, number);
	for (uint32_t s = 0; b->objective == FOR_BISECTIONS && first && s < b->slots; s++)
		b->damping[s] = 1;
	random_start(&random, b->task->seed, RANDOM_ROUTE, (uint64_t)start << 32 | number);
	for (uint32_t i = 0; i < n->groups; i++) {
		uint32_t j = (uint32_t)((uint64_t)random_bits(&random) * (i + 1) >> 32);
		order[i] = order[j];
		order[j] = i;
	}
	for (uint32_t i = 0; i < n->groups; i++) {
		uint32_t g = order[i];
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++)
			total += improve(b, n->member[m], first);
	}
	if (b->objective == FOR_BISECTIONS)
		return -damp(b);
	return reached(b, total);
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Empties the loads. */
static void reset(struct best *b)
{
	memset(b->load, 0, b->slots * sizeof *b->load);
	memset(b->own, 0, (size_t)b->slots * b->leaves * sizeof *b->own);
	if (b->shift)
		memset(b->shift, 0, (size_t)b->slots * b->graph->fabric->hosts * sizeof *b->shift);
}

/* Returns whether the row leads every leaf to the root, on a shortest path. */
static bool is_whole(const struct best *b)
{
	const struct routing_graph *n = b->graph;
	for (uint32_t l = 0; l < b->leaves; l++) {
		uint32_t node = b->leaf_node[l];
		while (node != b->choices.root && b->choices.distance[node] != NONE) {
			uint32_t c = n->column[node] == NONE ? NONE : b->row[n->column[node]];
			if (c == NONE || b->choices.distance[n->fabric->head[c]] + 1 != b->choices.distance[node])
				return false;
			node = n->fabric->head[c];
		}
	}
	return true;
}

/* Takes the tables of another engine as the start. Returns whether it has a shortest route for every pair that can have one. */
static bool start_from(struct best *b, const char *engine)
{
	const struct routing_graph *n = b->graph;
	struct routing_task task = *b->task;
	struct routed made = {0};
	struct error ignored = {0};
	task.whole = false;
	bool whole = !routing_run(&made, engine, &task, &ignored) && made.next;
	for (uint32_t g = 0; g < n->groups && whole; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1] && whole; m++) {
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			memcpy(b->row, routed_row(&made, n, n->member[m]), n->columns * sizeof *b->row);
			if ((whole = is_whole(b)))
				put_tree(b, true);
		}
	}
	routed_clear(&made);
	if (!whole)
		reset(b);
	return whole;
}

/* Returns the node of a leaf where the routes of a host begin, NONE if there is none. */
static uint32_t start_of(const struct best *b, uint32_t host)
{
	uint32_t column = routing_start_column(b->graph, host);
	return column == NONE || b->leaf_of[b->graph->node[column]] == NONE ? NONE : b->graph->node[column];
}

/* Returns the time of a message on the first link of a host. */
static double link_time(const struct best *b, uint32_t host)
{
	const struct fabric *f = b->graph->fabric;
	uint32_t c = f->first_channel[f->host_node[host]];
	return b->task->args[IGNORE_SPEEDS].integer || c == f->first_channel[f->host_node[host] + 1] ? 1 : 1 / f->speed[c];
}

/* Adds a route to the loads of a run, or returns the largest load on it, divided by speeds: at least that of its ends alone. */
static double follow(const struct best *b, uint32_t source, uint32_t destination, double ends, uint32_t *load, bool add)
{
	const struct routing_graph *n = b->graph;
	const uint32_t *row = routed_row(b->routed, n, destination);
	uint32_t node = start_of(b, source), column;
	double most = ends;
	while (node != NONE && (column = n->column[node]) != NONE && row[column] != NONE) {
		uint32_t s = b->slot[row[column]];
		if (s != NONE && add)
			load[s]++;
		else if (s != NONE)
			most = fmax(most, load[s] * b->scale[s]);
		node = n->fabric->head[row[column]];
	}
	return most;
}

/* Returns the mean bandwidth of random bisections, which are the same for all tables. */
static double sampled(const struct best *b, uint32_t *host, uint32_t *load)
{
	uint32_t hosts = b->graph->fabric->hosts;
	double sum = 0;
	for (uint32_t run = 0; run < SAMPLES; run++) {
		struct random random;
		random_start(&random, b->task->seed, RANDOM_ROUTE, UINT64_C(1) << 63 | run);
		for (uint32_t i = 0; i < hosts; i++) {
			uint32_t j = (uint32_t)((uint64_t)random_bits(&random) * (i + 1) >> 32);
			host[i] = host[j];
			host[j] = i;
		}
		memset(load, 0, b->slots * sizeof *load);
		for (int add = 1; add >= 0; add--)
			for (uint32_t i = 0; i + 1 < hosts; i += 2) {
				double ends = fmax(link_time(b, host[i]), link_time(b, host[i + 1]));
				double most = follow(b, host[i], host[i + 1], ends, load, add);
				sum += add ? 0 : ends / most;
			}
	}
	return sum / SAMPLES / (hosts / 2);
}

/* The passes over all starts. */
struct search {
	double begun, limit; /* seconds; limit 0: none */
	uint64_t passes, most;
	double first, best;    /* objectives: of the first pass, and of the best start */
	double value;          /* by which that is the best: for bisections their mean bandwidth, negative; otherwise what a pass reached */
	uint32_t *next;        /* its tables */
	double since_value;    /* the same of the starts since the last one from nothing */
	uint32_t *since;       /* their best tables */
	unsigned vain;         /* starts that did not improve them */
	uint32_t *order;       /* [groups] */
	uint32_t *host, *load; /* [hosts], [slots] of samples */
};

/* Returns the objective of the tables: of bisections their mean bandwidth, otherwise by the costs of the last passes: those of the first
 * ones have other powers, and the first of all costs each tree without the trees that follow. */
static double measure(struct best *b, struct search *s)
{
	const struct routing_graph *n = b->graph;
	double total = 0;
	if (b->objective == FOR_BISECTIONS)
		return sampled(b, s->host, s->load);
	prepare(b, PASSES_EASY);
	for (uint32_t g = 0; g < n->groups && b->objective == FOR_BOTH; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			put_tree(b, false);
			total += tree_cost(b);
			put_tree(b, true);
		}
	}
	return reached(b, total);
}

static bool goes_on(const struct search *s)
{
	return s->passes < s->most && (!s->passes || !(s->limit > 0) || seconds() - s->begun < s->limit);
}

/* Keeps the tables if they are the best of all, or of the starts since one from nothing. */
static void keep_best(struct best *b, struct search *s, double reached)
{
	size_t bytes = (size_t)b->graph->fabric->hosts * b->graph->columns * sizeof *s->next;
	bool models = b->objective == FOR_BISECTIONS;
	double value = models ? -measure(b, s) : reached;
	s->vain = value < s->since_value ? 0 : s->vain + 1;
	if (value < s->since_value) {
		s->since_value = value;
		memcpy(s->since, b->routed->next, bytes);
	}
	if (value < s->value) {
		s->best = models ? -value : measure(b, s);
		s->value = value;
		memcpy(s->next, b->routed->next, bytes);
	}
}

/* Puts the best tables since a start from nothing in, and random paths to some destinations. */
static void start_again(struct best *b, const struct search *s, unsigned start)
{
	const struct routing_graph *n = b->graph;
	const struct choices *choices = &b->choices;
	struct random random;
	random_start(&random, b->task->seed, RANDOM_ROUTE, (uint64_t)start << 32 | UINT32_MAX);
	memcpy(b->routed->next, s->since, (size_t)n->fabric->hosts * n->columns * sizeof *s->since);
	for (uint32_t g = 0; g < n->groups; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			bool other = random_bits(&random) < changed_share * UINT32_MAX;
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			for (uint32_t i = 0; i < choices->count && other; i++) {
				uint32_t count = choices->first[i + 1] - choices->first[i];
				uint32_t chosen = (uint32_t)((uint64_t)random_bits(&random) * count >> 32);
				b->row[n->column[choices->order[i]]] = choices->channel[choices->first[i] + chosen];
			}
			put_tree(b, true);
		}
	}
}

enum beginning { FROM_NOTHING, FROM_ENGINE, FROM_BEST };

/* Begins a start: the first from nothing, the second from another engine, later ones from the best tables until that was in vain. */
static enum beginning begin_start(struct best *b, struct search *s, unsigned start)
{
	reset(b);
	if (start == 1 && start_from(b, "ftree-orcs"))
		return FROM_ENGINE;
	if (start > 1 && b->objective != FOR_ALL && s->vain < VAIN_MOST) {
		start_again(b, s, start);
		return FROM_BEST;
	}
	if (start > 1) {
		s->vain = 0;
		s->since_value = INFINITY;
	}
	return FROM_NOTHING;
}

/* Runs the passes of a start, and keeps its tables if they are the best. */
static void run_start(struct best *b, struct search *s, unsigned start)
{
	enum beginning from = begin_start(b, s, start);
	bool models = b->objective == FOR_BISECTIONS, again = from == FROM_BEST;
	unsigned least = again ? PASSES_AGAIN : PASSES_LEAST, p = 0;
	double now = INFINITY, before = INFINITY, gain = models ? model_gain_least : gain_least;
	if (from == FROM_ENGINE && models)
		keep_best(b, s, 0);
	if (from != FROM_NOTHING && models)
		damp(b);
	for (; p < PASSES_MOST && goes_on(s); p++) {
		before = now;
		now = pass(b, start, p + (again ? PASSES_EASY : 0), from == FROM_NOTHING && !p, s->order);
		if (!s->passes++)
			s->first = measure(b, s);
		if (b->task->progress) {
			char text[120];
			snprintf(text, sizeof text, "start %u, pass %u: %s %.9g after %.1f s", start + 1, p + 1,
				objective_names[b->objective], measure(b, s), seconds() - s->begun);
			b->task->progress(text);
		}
		if (p + 1 >= least && before - now < gain * fabs(now))
			break;
	}
	if (p + 1 >= least || !start) /* one that was cut short is not comparable */
		keep_best(b, s, now);
}

static void run_passes(struct best *b)
{
	const struct arg_value *args = b->task->args;
	size_t entries = (size_t)b->graph->fabric->hosts * b->graph->columns;
	struct search s = {.begun = seconds(), .limit = (double)args[TIME].integer, .value = INFINITY, .since_value = INFINITY};
	s.most = args[PASSES].integer ? (uint64_t)args[PASSES].integer : s.limit > 0 ? UINT64_MAX : PASSES_USUAL;
	s.order = array_create(b->graph->groups, sizeof *s.order, b->error);
	s.next = array_create(entries, sizeof *s.next, b->error);
	s.since = array_create(entries, sizeof *s.since, b->error);
	s.host = array_create(b->graph->fabric->hosts, sizeof *s.host, b->error);
	s.load = array_create(b->slots, sizeof *s.load, b->error);
	for (unsigned start = 0; !b->error->status && goes_on(&s); start++)
		run_start(b, &s, start);
	if (!b->error->status) {
		memcpy(b->routed->next, s.next, entries * sizeof *s.next);
		snprintf(b->routed->note, sizeof b->routed->note, "objective %s: %.9g after the first pass, %.9g after %" PRIu64 " passes",
			objective_names[b->objective], s.first, s.best, s.passes);
	}
	if (!b->error->status && s.limit > 0) {
		size_t used = strlen(b->routed->note);
		snprintf(b->routed->note + used, sizeof b->routed->note - used, "; passes=%" PRIu64 " repeats this", s.passes);
	}
	free(s.order);
	free(s.next);
	free(s.since);
	free(s.host);
	free(s.load);
}

/* ---- set-up */

/* Numbers the channels that routes choose: those between nodes with columns. */
static void number_slots(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct fabric *f = n->fabric;
	for (uint32_t c = 0; c < f->channels; c++) {
		bool chosen = n->column[n->tail[c]] != NONE && n->column[f->head[c]] != NONE;
		b->slot[c] = chosen ? b->slots : NONE;
		if (chosen)
			b->scale[b->slots++] = b->task->args[IGNORE_SPEEDS].integer ? 1 : 1 / f->speed[c];
	}
}

/* Lists the leaves with the positions of their hosts. */
static void list_leaves(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct fabric *f = n->fabric;
	for (uint32_t v = 0; v < f->nodes; v++) {
		b->leaf_of[v] = n->senders[v] && n->column[v] != NONE ? b->leaves : NONE;
		if (b->leaf_of[v] != NONE)
			b->leaf_node[b->leaves++] = v;
	}
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			uint32_t column = routing_start_column(n, h), leaf = column == NONE ? NONE : b->leaf_of[n->node[column]];
			if (leaf == NONE)
				continue;
			if (fill)
				b->position[b->first[leaf]++] = b->position_of[h];
			else
				b->first[leaf + 1]++;
		}
		for (uint32_t l = 0; l < b->leaves && !fill; l++)
			b->first[l + 1] += b->first[l];
	}
	memmove(b->first + 1, b->first, b->leaves * sizeof *b->first);
	b->first[0] = 0;
}

/* Sets the position of each host: by order=FILE, then the others; without it as ranks are placed by linear_bfs. */
static int place_hosts(struct best *b)
{
	const struct fabric *f = b->graph->fabric;
	const char *file = b->task->args[ORDER].text;
	struct placement placement = {0};
	char subset[4200] = "linear_bfs";
	uint32_t next = 0;
	if (file && *file)
		snprintf(subset, sizeof subset, "file:%s", file);
	if (file && *file && b->task->files && files_read(b->task->files, file, b->error))
		return -1;
	memset(b->position_of, 0xff, f->hosts * sizeof *b->position_of);
	if (!placement_init(&placement, f, subset, "linear", 0, b->task->seed, b->error))
		for (uint32_t r = 0; r < placement.ranks; r++)
			if (b->position_of[placement.host[r]] == NONE)
				b->position_of[placement.host[r]] = next++;
	for (uint32_t h = 0; h < f->hosts; h++)
		if (b->position_of[h] == NONE)
			b->position_of[h] = next++;
	placement_clear(&placement);
	return b->error->status ? -1 : 0;
}

static int find_objective(struct best *b)
{
	const char *text = b->task->args[OBJECTIVE].text;
	for (int i = 0; objective_names[i]; i++)
		if (!strcmp(text, objective_names[i])) {
			b->objective = (enum objective)i;
			return 0;
		}
	return error_set(b->error, STATUS_USAGE, "best: the objective is '%s', not both, bisect, alltoall or shifts", text);
}

static int init(struct best *b)
{
	const struct routing_graph *n = b->graph;
	uint32_t nodes = n->fabric->nodes, hosts = n->fabric->hosts, channels = n->fabric->channels;
	struct error *error = b->error;
	b->slot = array_create(channels, sizeof *b->slot, error);
	b->scale = array_create(channels, sizeof *b->scale, error);
	b->load = array_create(channels, sizeof *b->load, error);
	b->tree = array_create(channels, sizeof *b->tree, error);
	b->leaf_node = array_create(nodes, sizeof *b->leaf_node, error);
	b->leaf_of = array_create(nodes, sizeof *b->leaf_of, error);
	b->first = array_create((size_t)nodes + 2, sizeof *b->first, error);
	b->position = array_create(hosts, sizeof *b->position, error);
	b->position_of = array_create(hosts, sizeof *b->position_of, error);
	b->before = array_create(n->columns, sizeof *b->before, error);
	b->length = array_create(nodes, sizeof *b->length, error);
	b->head = array_create(nodes, sizeof *b->head, error);
	b->last = array_create(nodes, sizeof *b->last, error);
	b->link = array_create(nodes, sizeof *b->link, error);
	if (choices_init(&b->choices, n, error) || error->status || place_hosts(b))
		return -1;
	number_slots(b);
	list_leaves(b);
	b->damping = array_create(b->slots, sizeof *b->damping, error);
	b->own = array_create((size_t)b->slots * b->leaves, sizeof *b->own, error);
	if (b->objective == FOR_SHIFTS || b->objective == FOR_BOTH)
		b->shift = array_create((size_t)b->slots * hosts, sizeof *b->shift, error);
	return error->status ? -1 : 0;
}

static void clear(struct best *b)
{
	choices_clear(&b->choices);
	free(b->slot);
	free(b->scale);
	free(b->load);
	free(b->tree);
	free(b->leaf_node);
	free(b->leaf_of);
	free(b->first);
	free(b->position);
	free(b->position_of);
	free(b->own);
	free(b->damping);
	free(b->shift);
	free(b->before);
	free(b->length);
	free(b->head);
	free(b->last);
	free(b->link);
}

/* Sets the last channels, from the switches to their hosts. */
static void set_last(struct best *b)
{
	const struct routing_graph *n = b->graph;
	for (uint32_t g = 0; g < n->groups; g++)
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			uint32_t last = routing_last(n, g, n->member[m]);
			if (last != NONE)
				routed_row(b->routed, n, n->member[m])[n->column[n->root[g]]] = last;
		}
}

static int best_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct best b = {.task = task, .graph = task->graph, .routed = routed, .error = error};
	if (!find_objective(&b) && !init(&b)) {
		run_passes(&b);
		set_last(&b);
	}
	clear(&b);
	if (error->status || lane_fit_all(routed, task, "best", 0, error))
		return -1;
	if (routed->lanes < 2) {
		free(routed->level);
		routed->level = NULL;
	}
	return 0;
}

static const struct arg best_args[] = {
	[OBJECTIVE] = {"objective", ARG_WORD, "both", 0, 0, "what is improved: both, bisect, alltoall or shifts"},
	[TIME] = {"time", ARG_INTEGER, "0", 0, 1000000, "seconds after which no pass begins; 0: no limit"},
	[PASSES] = {"passes", ARG_INTEGER, "0", 0, 1000000, "passes over all destinations (default: 24, with a time no limit)"},
	[ORDER] = {"order", ARG_WORD, "", 0, 0, "file with the hosts in the order of the ranks, for shifts (default: as linear_bfs)"},
	[IGNORE_SPEEDS] = {"ignore-speeds", ARG_FLAG, NULL, 0, 0, "all links count as equally fast"},
	{.type = ARG_END},
};

const struct routing routing_best = {
	.name = "best",
	.summary = "shortest paths improved tree by tree for bisections, shifts or all-to-all; deadlock-free on virtual lanes",
	.source = "orcs",
	.needs = "any fabric; lanes",
	.args = best_args,
	.route = best_route,
};
