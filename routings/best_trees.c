#include "routings/best.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 20 };

static double power_of(double base, unsigned exponent)
{
	double result = 1;
	for (; exponent; exponent /= 2, base *= base)
		result *= exponent % 2 ? base : 1;
	return result;
}

double best_met(const struct best *b, double scale, uint32_t routes)
{
	return -expm1(-(BEST_MEETINGS / b->graph->fabric->hosts * scale * (double)routes));
}

/* The cost of a slot for all hosts of a leaf. */
static double cost(const struct best *b, uint32_t leaf, uint32_t channel)
{
	uint32_t s = b->slot[channel], begin = b->first[leaf], end = b->first[leaf + 1];
	double sum = 0;
	if (s == NONE)
		return 0;
	if (b->objective == FOR_BISECTIONS) {
		uint32_t routes = b->load[s] - b->own[(size_t)s * b->leaves + leaf];
		double met =
			b->speed[s] < BEST_SPEEDS && routes < BEST_ROUTES ? b->met[b->speed[s]][routes] : best_met(b, b->scale[s], routes);
		return (double)(end - begin) * b->damping[s] * met;
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

void best_add_to_tree(struct best *b, uint32_t node, uint32_t routes, bool add)
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

void best_put_tree(struct best *b, bool in)
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
			b->load[s] += in ? best_hosts_of(b, l) : -best_hosts_of(b, l);
			b->own[(size_t)s * b->leaves + l] += in ? 1 : -1;
			for (uint32_t i = b->first[l]; b->shift && i < b->first[l + 1]; i++)
				b->shift[(size_t)s * hosts + (b->target + hosts - b->position[i]) % hosts] += in ? 1 : -1;
		}
	}
}

double best_tree_cost(struct best *b)
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
		sum += added_powers(b, node, best_hosts_of(b, l));
		best_add_to_tree(b, node, best_hosts_of(b, l), true);
	}
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			best_add_to_tree(b, b->leaf_node[l], best_hosts_of(b, l), false);
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
				routes += best_hosts_of(b, l);
			if (b->objective == FOR_ALL)
				best_add_to_tree(b, u, routes, false);
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
				best_add_to_tree(b, u, routes, true);
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

double best_improve(struct best *b, uint32_t host, bool first)
{
	const struct routing_graph *n = b->graph;
	double old = INFINITY;
	b->row = routed_row(b->routed, n, host);
	b->target = b->position_of[host];
	if (!first) {
		best_put_tree(b, false);
		old = best_tree_cost(b);
		memcpy(b->before, b->row, n->columns * sizeof *b->row);
	}
	grow(b);
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			best_add_to_tree(b, b->leaf_node[l], best_hosts_of(b, l), true);
	for (int s = 0; s < SWEEPS && sweep(b); s++)
		;
	for (uint32_t l = 0; l < b->leaves && b->objective == FOR_ALL; l++)
		if (b->choices.distance[b->leaf_node[l]] != NONE)
			best_add_to_tree(b, b->leaf_node[l], best_hosts_of(b, l), false);
	double new = best_tree_cost(b);
	if (new >= old) {
		memcpy(b->row, b->before, n->columns * sizeof *b->row);
		new = old;
	}
	best_put_tree(b, true);
	return new;
}
