#include "base/memory.h"
#include "base/random.h"
#include "routings/best.h"

#include <math.h>
#include <stdlib.h>

enum { MEETINGS = 10, MET_SCALE = 64, MET_STEPS = 8 * MET_SCALE }; /* at most so many messages on a channel make a difference */

/* Of shifts beside bisections, times the hosts: a pair of routes meets in 1 / hosts of all shifts. */
static const double shift_weight = 0.2;

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
	return routes > 0 ? BEST_MEETINGS / b->graph->fabric->hosts * routes * b->scale[s] : 0;
}

/* Adds what the path of the leaf's hosts to the destination of the row loses on each of its channels, if the others are there. Returns
 * their bandwidth. */
static double add_losses(const struct best *b, uint32_t leaf, const struct met *met, double *loss, double *alone)
{
	const struct routing_graph *n = b->graph;
	double all[MEETINGS], bandwidth = 1.0 / (MEETINGS + 1);
	uint32_t hosts = best_hosts_of(b, leaf);
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

double best_damp(struct best *b)
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
						messages += best_hosts_of(b, l);
					} else {
						best_add_to_tree(b, b->leaf_node[l], best_hosts_of(b, l), true);
					}
				}
			for (uint32_t l = 0; l < b->leaves; l++)
				if (b->choices.distance[b->leaf_node[l]] != NONE)
					best_add_to_tree(b, b->leaf_node[l], best_hosts_of(b, l), false);
		}
	}
	for (uint32_t s = 0; s < b->slots && !b->error->status; s++)
		b->damping[s] = alone[s] > 0 ? loss[s] / alone[s] : 1;
	free(met);
	free(loss);
	free(alone);
	return messages > 0 ? bandwidth / messages : 0;
}

void best_prepare(struct best *b, unsigned pass)
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

double best_reached(const struct best *b, double total)
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

double best_pass(struct best *b, unsigned start, unsigned number, bool first, uint32_t *order)
{
	const struct routing_graph *n = b->graph;
	struct random random;
	double total = 0;
	best_prepare(b, number);
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
			total += best_improve(b, n->member[m], first);
	}
	if (b->objective == FOR_BISECTIONS)
		return -best_damp(b);
	return best_reached(b, total);
}
