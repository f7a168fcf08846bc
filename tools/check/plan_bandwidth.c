#include "tools/check/plan_bandwidth.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "tools/check/plan_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AS_PLANNED, AS_FOUND, SPOILT };

/* Joins the nodes that cables join, of which only switches pass packets on: a host is on the plane of its first cable. */
static void join_planes(const struct plan_bench *b, uint32_t *planes)
{
	for (uint32_t p = 0; p < b->ports; p++) {
		uint32_t q = b->port[p].peer;
		bool ends = b->node[b->owner[p]].kind != OPENSM_SWITCH;
		if (q != OPENSM_NONE)
			disjoint_join(planes, ends ? b->nodes + p : b->owner[p],
				b->node[b->owner[q]].kind != OPENSM_SWITCH ? b->nodes + q : b->owner[q]);
	}
}

/* Draws the pairs of all runs: the ends of each plane as planned in a random order, one after another. */
static int draw_pairs(struct plan_bench *b, struct error *error)
{
	uint32_t vertices = b->nodes + b->ports, *order = array_create(b->ends, sizeof *order, error),
		 *planes = array_create(vertices, sizeof *planes, error), *waiting = array_create(vertices, sizeof *waiting, error);
	b->pair = array_create((size_t)PLAN_RUNS * b->ends + 2, sizeof *b->pair, error);
	if (!error->status) {
		disjoint_init(planes, vertices);
		join_planes(b, planes);
		for (uint64_t run = 0; run < PLAN_RUNS; run++) {
			struct random random;
			uint32_t pairs = 0, *pair = b->pair + run * 2 * b->pairs;
			random_start(&random, 1, RANDOM_MAPPING, run);
			memcpy(order, b->end, b->ends * sizeof *order);
			random_shuffle(&random, order, b->ends);
			memset(waiting, 0xff, vertices * sizeof *waiting); /* OPENSM_NONE */
			for (uint32_t i = 0; i < b->ends; i++) {
				uint32_t *other = &waiting[disjoint_root(planes, b->nodes + order[i])];
				if (*other == OPENSM_NONE) {
					*other = order[i];
					continue;
				}
				pair[2 * pairs] = *other;
				pair[2 * pairs++ + 1] = order[i];
				*other = OPENSM_NONE;
			}
			b->pairs = pairs; /* the same in all runs */
		}
	}
	free(order);
	free(planes);
	free(waiting);
	return error->status ? -1 : 0;
}

/*
 * Follows a route, and adds `by` to the counts of its ports. Returns its bandwidth by the counts as a share of what its ends could do
 * alone; 0 without a route.
 */
static double follow(struct plan_bench *b, const struct opensm_tables *tables, const uint32_t *pair, uint32_t by)
{
	uint32_t p = pair[0];
	double least = INFINITY;
	for (uint32_t hops = 0; hops <= b->nodes; hops++) {
		uint32_t q = b->port[p].peer;
		if (q == OPENSM_NONE)
			return 0;
		b->count[p] += by;
		least = fmin(least, b->count[p] ? b->gbps[p] / b->count[p] : INFINITY);
		if (q == pair[1])
			return least / fmin(b->mended_gbps[pair[0]], b->mended_gbps[pair[1]]);
		const struct opensm_node *node = &b->node[b->owner[q]];
		unsigned out = node->kind == OPENSM_SWITCH ? opensm_entry(tables, tables->number[b->owner[q]], b->port[pair[1]].lid)
							   : OPENSM_NO_PORT;
		if (!out || out > node->ports)
			return 0;
		p = node->port + out;
	}
	return 0;
}

/* Routes the subnet as it is now, and finds the bandwidth of each run. Returns 0, or -1 if out of memory. */
static int measure(struct plan_bench *b, double *value, struct error *error)
{
	const struct opensm_subnet subnet = {.node = b->node, .port = b->port, .nodes = b->nodes, .ports = b->ports};
	const struct opensm_options options = {.ends_only = true};
	struct opensm_tables tables = {0};
	if (!opensm_compute_tables(&tables, "minhop", &subnet, &options, error))
		for (uint32_t run = 0; run < PLAN_RUNS; run++) {
			const uint32_t *pair = b->pair + (size_t)run * 2 * b->pairs;
			memset(b->count, 0, b->ports * sizeof *b->count);
			for (uint32_t i = 0; i < b->pairs; i++)
				follow(b, &tables, pair + 2 * i, 1);
			value[run] = 0;
			for (uint32_t i = 0; i < b->pairs; i++)
				value[run] += follow(b, &tables, pair + 2 * i, 0) / b->pairs;
		}
	opensm_tables_clear(&tables);
	return error->status ? -1 : 0;
}

/* The mean of the differences of runs, as a share of the bandwidth as planned. */
static struct plan_share share_between(const struct plan_bench *b, int more, int less)
{
	double difference[PLAN_RUNS], sorted[PLAN_RUNS], all = b->plan->bandwidth.planned;
	for (uint32_t run = 0; run < PLAN_RUNS; run++)
		sorted[run] = difference[run] = (b->value[more][run] - b->value[less][run]) / all;
	sort_values(sorted, PLAN_RUNS);
	struct statistics s = statistics_of(difference, sorted, PLAN_RUNS);
	return (struct plan_share){s.mean, s.low, s.high};
}

static double mean(const double *value)
{
	double sum = 0;
	for (uint32_t run = 0; run < PLAN_RUNS; run++)
		sum += value[run];
	return sum / PLAN_RUNS;
}

static int compare(struct plan_bench *b, uint64_t most, struct error *error)
{
	struct cable_plan *plan = b->plan;
	for (int i = 0; i < 3; i++)
		b->value[i] = array_create(PLAN_RUNS, sizeof(double), error);
	if (error->status)
		return -1;
	plan_bench_mend(b);
	memcpy(b->mended, b->port, b->ports * sizeof *b->port);
	memcpy(b->mended_gbps, b->gbps, b->ports * sizeof *b->gbps);
	if (draw_pairs(b, error) || measure(b, b->value[AS_PLANNED], error))
		return -1;
	memcpy(b->port, b->intact, b->ports * sizeof *b->port);
	memcpy(b->gbps, b->intact_gbps, b->ports * sizeof *b->gbps);
	if (measure(b, b->value[AS_FOUND], error))
		return -1;
	if (!b->pairs || !(mean(b->value[AS_PLANNED]) > 0)) {
		plan_bench_refuse(b, "no two hosts can reach each other");
		return 0;
	}
	plan->bandwidth.planned = mean(b->value[AS_PLANNED]);
	plan->bandwidth.found = mean(b->value[AS_FOUND]);
	plan->bandwidth.lost = share_between(b, AS_PLANNED, AS_FOUND);
	for (uint32_t i = 0; i < plan->differences && i < most; i++) {
		if (plan_bench_is_new_host(b, &plan->difference[i]))
			continue;
		memcpy(b->port, b->mended, b->ports * sizeof *b->port);
		memcpy(b->gbps, b->mended_gbps, b->ports * sizeof *b->gbps);
		plan_bench_spoil(b, &plan->difference[i]);
		if (measure(b, b->value[SPOILT], error))
			return -1;
		plan->difference[i].bandwidth = share_between(b, AS_PLANNED, SPOILT);
	}
	return 0;
}

int plan_bandwidth_find(struct cable_plan *plan, const struct cabled_fabric *found, const bool *hosts, uint64_t most, struct error *error)
{
	struct plan_bench b = {.plan = plan, .found = found->fabric, .hosts = hosts};
	struct routing_graph graph;
	plan->bandwidth = (struct plan_bandwidth){.planned = NAN, .found = NAN, .lost = {NAN, NAN, NAN}};
	for (uint32_t i = 0; i < plan->differences; i++)
		plan->difference[i].bandwidth = (struct plan_share){NAN, NAN, NAN};
	if (!plan->differences)
		return 0;
	if (!routing_graph_init(&graph, found->fabric, error) && plan_bench_build(&b, &graph, found->attributes, error))
		compare(&b, most, error);
	routing_graph_clear(&graph);
	plan_bench_clear(&b);
	return error->status ? -1 : 0;
}
