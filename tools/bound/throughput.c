/*
 * A host with one link has no choice of paths: the link bounds the throughput, and its traffic begins and ends at the switch. So the
 * network for the path search has switches only, and parallel channels are one arc.
 */
#include "tools/bound/throughput.h"

#include "base/memory.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double searched_arcs = 5e9, phases_min = 30, phases_max = 1e6;

struct throughput_side {
	uint32_t *node; /* [hosts] node where the host's traffic enters and leaves the network */
	double *link;   /* [hosts] capacity of its single link; INFINITY if its links are part of the network */
	double *rate;   /* [hosts] of its fastest link; 0 without one */
};

struct possible {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct loads *loads;
	struct network network;
	struct throughput_side out, in;
	bool *gap; /* [starts][hosts] whether there is no route; NULL: every pair has one */
	struct source_groups groups;
};

/* ---- along the routes */

/* What a pair could send alone. */
static double rate_of(const struct possible *p, uint32_t sender, uint32_t receiver)
{
	return fmin(p->out.rate[sender], p->in.rate[receiver]);
}

/* Whether pairs have different rates. */
static bool rates_differ(const struct possible *p)
{
	for (uint32_t h = 0; h < p->fabric->hosts; h++)
		if (rate_of(p, h, 0) != rate_of(p, 0, 0) || rate_of(p, 0, h) != rate_of(p, 0, 0))
			return true;
	return false;
}

/* Adds the rates of all pairs with a route to its channels, load [channels]: O(hosts^2). */
static int weigh_all(const struct possible *p, double *load, struct error *error)
{
	const struct fabric *f = p->fabric;
	struct destination_trees t;
	double *flow = array_create(f->nodes, sizeof *flow, error);
	int failed = destination_trees_init(&t, f, p->forwarding, error);
	for (uint32_t d = 0; !failed && flow && d < f->hosts; d++) {
		destination_trees_make(&t, d);
		for (uint32_t i = 0; i < t.count; i++)
			flow[t.order[i]] = 0;
		for (uint32_t s = 0; s < f->hosts; s++) {
			uint32_t node = t.start[t.start_of[s]].node;
			if (s == d || t.distance[node] >= TREE_DISTANCE_END)
				continue;
			flow[node] += rate_of(p, s, d);
			if (t.link[s] != NONE)
				load[t.link[s]] += rate_of(p, s, d);
		}
		for (uint32_t i = t.count; i-- > 1;) {
			uint32_t channel = t.next[t.order[i]];
			load[channel] += flow[t.order[i]];
			flow[f->head[channel]] += flow[t.order[i]];
		}
	}
	destination_trees_clear(&t);
	free(flow);
	return error->status ? -1 : 0;
}

static double routed_all(const struct possible *p, struct error *error)
{
	const struct fabric *f = p->fabric;
	double share = INFINITY, *load = array_create(f->channels, sizeof *load, error);
	bool differ = rates_differ(p);
	if (load && differ)
		weigh_all(p, load, error);
	for (uint32_t c = 0; load && c < f->channels; c++) {
		double sent = differ ? load[c] : (double)p->loads->load[c].routes * rate_of(p, 0, 0);
		if (sent > 0)
			share = fmin(share, f->speed[c] * (f->hosts - 1) / sent);
	}
	free(load);
	return share;
}

static double routed_pairs(const struct possible *p, const struct demand *traffic, struct error *error)
{
	const struct fabric *fabric = p->fabric;
	double *load = array_create(fabric->channels, sizeof *load, error);
	uint32_t *route = array_create(fabric->nodes, sizeof *route, error);
	double share = INFINITY;
	for (size_t i = 0; i < traffic->count && !error->status; i++) {
		struct pair pair = traffic->pairs[i];
		int length = walk_route(fabric, p->forwarding, pair.sender, pair.receiver, route);
		for (int k = 0; k < length; k++)
			load[route[k]] += rate_of(p, pair.sender, pair.receiver);
	}
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++)
		if (load[c] > 0)
			share = fmin(share, fabric->speed[c] / load[c]);
	free(load);
	free(route);
	return share;
}

/* ---- the network */

/* Returns whether a host forwards packets of others. */
static bool hosts_forward(const struct fabric *fabric, const struct loads *loads)
{
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t node = fabric->host_node[h];
		uint64_t routes = 0;
		for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++) {
			routes += loads->load[c].routes;
			if (loads->load[c].sources > 1)
				return true;
		}
		if (routes >= fabric->hosts)
			return true;
	}
	return false;
}

/* Places hosts at nodes. Their single links, which are then not arcs, are marked in single. */
static void place_hosts(struct possible *p, bool forward, bool *single, uint32_t *in_count, uint32_t *in_channel)
{
	const struct fabric *f = p->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			in_count[f->head[c]]++;
			in_channel[f->head[c]] = c;
		}
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t node = f->host_node[h], up = f->first_channel[node], down = in_channel[node];
		p->out.node[h] = p->in.node[h] = node;
		p->out.link[h] = p->in.link[h] = INFINITY;
		if (!forward && f->first_channel[node + 1] - up == 1 && f->node_host[f->head[up]] == NONE) {
			p->out.node[h] = f->head[up];
			p->out.link[h] = f->speed[up];
			single[up] = true;
		}
		if (!forward && in_count[node] == 1 && f->node_host[fabric_tail(f, down)] == NONE) {
			p->in.node[h] = fabric_tail(f, down);
			p->in.link[h] = f->speed[down];
			single[down] = true;
		}
	}
}

static int compare_ids(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Builds the arcs: all channels except single links, with parallel channels combined. place: [nodes] all 0. */
static void make_arcs(struct possible *p, const bool *single, uint32_t *place)
{
	const struct fabric *f = p->fabric;
	struct network *n = &p->network;
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t first = n->first[v] = n->arcs;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (!single[c] && !(place[f->head[c]] > first && n->head[place[f->head[c]] - 1] == f->head[c])) {
				n->head[n->arcs++] = f->head[c];
				place[f->head[c]] = n->arcs;
			}
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (!single[c])
				n->capacity[place[f->head[c]] - 1] += f->speed[c];
	}
	n->first[f->nodes] = n->arcs;
}

static int make_network(struct possible *p, struct error *error)
{
	const struct fabric *f = p->fabric;
	struct network *n = &p->network;
	bool *single = array_create(f->channels, sizeof *single, error);
	uint32_t *place = array_create(f->nodes, sizeof *place, error), *in_channel = array_create(f->nodes, sizeof *in_channel, error);
	uint32_t *in_count = array_create(f->nodes, sizeof *in_count, error);
	p->out.node = array_create(f->hosts, sizeof *p->out.node, error);
	p->out.link = array_create(f->hosts, sizeof *p->out.link, error);
	p->in.node = array_create(f->hosts, sizeof *p->in.node, error);
	p->in.link = array_create(f->hosts, sizeof *p->in.link, error);
	n->nodes = f->nodes;
	n->first = array_create((size_t)f->nodes + 1, sizeof *n->first, error);
	n->head = array_create(f->channels, sizeof *n->head, error);
	n->capacity = array_create(f->channels, sizeof *n->capacity, error);
	n->closed = array_create(f->nodes, sizeof *n->closed, error);
	if (!error->status) {
		bool forward = hosts_forward(f, p->loads);
		place_hosts(p, forward, single, in_count, in_channel);
		make_arcs(p, single, place);
		for (uint32_t h = 0; h < f->hosts; h++)
			n->closed[f->host_node[h]] = !forward;
	}
	free(single);
	free(place);
	free(in_channel);
	free(in_count);
	return error->status ? -1 : 0;
}

static int find_rates(struct possible *p, struct error *error)
{
	const struct fabric *f = p->fabric;
	p->out.rate = array_create(f->hosts, sizeof *p->out.rate, error);
	p->in.rate = array_create(f->hosts, sizeof *p->in.rate, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t sender = f->node_host[v], receiver = f->node_host[f->head[c]];
			if (sender != NONE)
				p->out.rate[sender] = fmax(p->out.rate[sender], f->speed[c]);
			if (receiver != NONE)
				p->in.rate[receiver] = fmax(p->in.rate[receiver], f->speed[c]);
		}
	return error->status ? -1 : 0;
}

/* Finds the pairs without a route, if there are any. */
static int find_gaps(struct possible *p, struct error *error)
{
	if (!p->loads->unreachable)
		return 0;
	if (source_groups_init(&p->groups, p->fabric, p->forwarding, p->loads->split, error))
		return -1;
	p->gap = array_create((size_t)p->groups.trees.starts * p->fabric->hosts, sizeof *p->gap, error);
	for (uint32_t d = 0; p->gap && d < p->fabric->hosts; d++)
		for (uint32_t s = 0; s < p->groups.trees.starts; s++) {
			const uint32_t *route;
			if (source_groups_to(&p->groups, s, d) && source_groups_walk(&p->groups, s, d, &route) < 0)
				p->gap[(size_t)s * p->fabric->hosts + d] = true;
		}
	return error->status ? -1 : 0;
}

/* ---- demands */

/* A row of demands under construction, and the totals that hosts send and receive. */
struct throughput_row {
	double *amount;            /* [nodes] */
	uint32_t *target, targets; /* [nodes] with an amount */
	double *sent, *received;   /* [hosts] */
	double unit;               /* divisor of all rates: pairs per host */
	size_t target_capacity, amount_capacity;
};

static void demand(const struct possible *p, struct throughput_row *row, uint32_t sender, uint32_t receiver)
{
	uint32_t target = p->in.node[receiver];
	double rate = rate_of(p, sender, receiver);
	row->sent[sender] += rate;
	row->received[receiver] += rate;
	if (target == p->out.node[sender])
		return;
	if (row->amount[target] <= 0)
		row->target[row->targets++] = target;
	row->amount[target] += rate;
}

/* Completes the row of a source. */
static int end_row(struct throughput_row *row, struct demands *d, uint32_t source, struct error *error)
{
	size_t at = d->first[d->sources];
	if (!row->targets)
		return 0;
	if (array_grow(&d->target, &row->target_capacity, at + row->targets, sizeof *d->target, error) ||
		array_grow(&d->amount, &row->amount_capacity, at + row->targets, sizeof *d->amount, error))
		return -1;
	qsort(row->target, row->targets, sizeof *row->target, compare_ids);
	for (uint32_t i = 0; i < row->targets; i++) {
		d->target[at + i] = row->target[i];
		d->amount[at + i] = row->amount[row->target[i]] / row->unit;
		row->amount[row->target[i]] = 0;
	}
	d->source[d->sources++] = source;
	d->first[d->sources] = at + row->targets;
	row->targets = 0;
	return 0;
}

/* Adds the demands of one host. */
static void demand_of_host(const struct possible *p, struct throughput_row *row, const struct demand *traffic, const size_t *first_pair,
	const uint32_t *pair_of, uint32_t host)
{
	uint32_t hosts = p->fabric->hosts;
	if (traffic->pairs) {
		for (size_t i = first_pair[host]; i < first_pair[host + 1]; i++)
			demand(p, row, host, traffic->pairs[pair_of[i]].receiver);
		return;
	}
	const bool *gap = p->gap ? p->gap + (size_t)p->groups.trees.start_of[host] * hosts : NULL;
	for (uint32_t d = 0; d < hosts; d++)
		if (d != host && !(gap && gap[d]))
			demand(p, row, host, d);
}

/* Compares hosts by the nodes where their traffic enters. */
static int compare_places(const void *left, const void *right, void *data)
{
	const uint32_t *node = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return node[a] != node[b] ? node[a] < node[b] ? -1 : 1 : (a > b) - (a < b);
}

/* Fills the rows, source by source, and the ceiling set by single links. */
static void fill_demands(const struct possible *p, const struct demand *traffic, struct throughput_row *row, uint32_t *host,
	size_t *first_pair, uint32_t *pair_of, struct demands *d, double *ceiling, struct error *error)
{
	uint32_t hosts = p->fabric->hosts;
	for (size_t i = 0; i < traffic->count; i++)
		first_pair[traffic->pairs[i].sender + 2]++;
	for (uint32_t h = 0; h < hosts; h++) {
		first_pair[h + 2] += first_pair[h + 1];
		host[h] = h;
	}
	for (size_t i = 0; i < traffic->count; i++)
		pair_of[first_pair[traffic->pairs[i].sender + 1]++] = (uint32_t)i;
	qsort_r(host, hosts, sizeof *host, compare_places, p->out.node);
	for (uint32_t i = 0; i < hosts && !error->status; i++) {
		demand_of_host(p, row, traffic, first_pair, pair_of, host[i]);
		if (i + 1 == hosts || p->out.node[host[i + 1]] != p->out.node[host[i]])
			end_row(row, d, p->out.node[host[i]], error);
	}
	*ceiling = INFINITY;
	for (uint32_t h = 0; h < hosts; h++) {
		if (row->sent[h] > 0)
			*ceiling = fmin(*ceiling, p->out.link[h] * row->unit / row->sent[h]);
		if (row->received[h] > 0)
			*ceiling = fmin(*ceiling, p->in.link[h] * row->unit / row->received[h]);
	}
}

static int make_demands(const struct possible *p, const struct demand *traffic, struct demands *d, double *ceiling, struct error *error)
{
	uint32_t hosts = p->fabric->hosts, nodes = p->fabric->nodes;
	struct throughput_row row = {
		.amount = array_create(nodes, sizeof *row.amount, error),
		.target = array_create(nodes, sizeof *row.target, error),
		.sent = array_create(hosts, sizeof *row.sent, error),
		.received = array_create(hosts, sizeof *row.received, error),
		.unit = traffic->pairs ? 1 : hosts - 1,
	};
	uint32_t *host = array_create(hosts, sizeof *host, error), *pair_of = array_create(traffic->count, sizeof *pair_of, error);
	size_t *first_pair = array_create((size_t)hosts + 2, sizeof *first_pair, error);
	d->source = array_create(hosts, sizeof *d->source, error);
	d->first = array_create((size_t)hosts + 1, sizeof *d->first, error);
	if (!error->status)
		fill_demands(p, traffic, &row, host, first_pair, pair_of, d, ceiling, error);
	free(row.amount);
	free(row.target);
	free(row.sent);
	free(row.received);
	free(host);
	free(pair_of);
	free(first_pair);
	return error->status ? -1 : 0;
}

/* ---- one traffic, and all of them */

/* Returns a number of phases that takes minutes at most. */
static uint32_t affordable_phases(const struct network *network, const struct demands *demands)
{
	double phases = searched_arcs / ((double)demands->sources * network->arcs + 1);
	return (uint32_t)fmin(fmax(phases, phases_min), phases_max);
}

static void find_one(
	struct throughput *t, const struct possible *p, const struct demand *traffic, struct flow_limits limits, struct error *error)
{
	struct demands demands = {0};
	struct flow_bounds bounds;
	limits.known = traffic->pairs ? routed_pairs(p, traffic, error) : routed_all(p, error);
	*t = (struct throughput){.any = isfinite(limits.known), .routed = limits.known};
	if (t->any && !error->status)
		make_demands(p, traffic, &demands, &limits.ceiling, error);
	if (!limits.phases)
		limits.phases = affordable_phases(&p->network, &demands);
	if (t->any && !error->status && !flow_bounds_find(&bounds, &p->network, &demands, &limits, error)) {
		/* the throughput of the routes is possible, whatever the rounding of a bound */
		t->lower = fmax(bounds.lower, t->routed);
		t->upper = fmax(bounds.upper, t->lower);
		if (t->lower > bounds.upper * (1 + 1e-6))
			error_set(error, STATUS_IO,
				"the bounds of the possible throughput contradict each other, %.9g .. %.9g: rounding errors are too large",
				t->lower, bounds.upper);
		t->phases = bounds.phases;
	}
	demands_clear(&demands);
}

static void possible_clear(struct possible *p)
{
	network_clear(&p->network);
	free(p->out.node);
	free(p->out.link);
	free(p->in.node);
	free(p->in.link);
	free(p->out.rate);
	free(p->in.rate);
	free(p->gap);
	source_groups_clear(&p->groups);
}

/* A result sent to process 0. */
struct parcel {
	int traffic;
	struct throughput throughput;
};

int throughputs_find(struct throughput *throughput, const struct demand *traffic, int count, struct comm *comm, const struct fabric *fabric,
	const struct forwarding *forwarding, const struct loads *loads, const struct flow_limits *limits, struct error *error)
{
	struct possible p = {.fabric = fabric, .forwarding = forwarding, .loads = loads};
	struct parcel *mine = array_create((size_t)count, sizeof *mine, error);
	size_t found = 0, bytes;
	if (!error->status && !make_network(&p, error) && !find_rates(&p, error) && !find_gaps(&p, error))
		for (int i = comm_rank(comm); i < count && !error->status; i += comm_size(comm), found++) {
			mine[found].traffic = i;
			find_one(&mine[found].throughput, &p, &traffic[i], *limits, error);
		}
	possible_clear(&p);
	if (!comm_agree(comm, error)) {
		struct parcel *all = comm_gather(comm, mine, found * sizeof *mine, &bytes, error);
		for (size_t i = 0; all && i < bytes / sizeof *all; i++)
			throughput[all[i].traffic] = all[i].throughput;
		free(all);
	}
	free(mine);
	return error->status ? -1 : 0;
}

/* ---- the pairs of a pattern */

struct collector {
	struct sink sink; /* first */
	struct pair block[256];
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	uint32_t *route;
	bool drop;
	struct pair *pairs;
	size_t count, capacity;
	uint64_t unroutable;
	struct error *error;
};

static void take(struct sink *sink)
{
	struct collector *c = (struct collector *)sink;
	for (size_t i = 0; i < sink->count && !c->error->status; i++) {
		struct pair pair = sink->pairs[i];
		if (walk_route(c->fabric, c->forwarding, pair.sender, pair.receiver, c->route) < 0) {
			c->unroutable++;
			if (!c->drop)
				walk_explain(c->fabric, c->forwarding, pair.sender, pair.receiver, c->error);
		} else if (!array_grow(&c->pairs, &c->capacity, c->count + 1, sizeof *c->pairs, c->error)) {
			c->pairs[c->count++] = pair;
		}
	}
}

int traffic_of_pattern(struct pattern_call *call, const struct fabric *fabric, const struct forwarding *forwarding, bool drop,
	struct pair **pairs, size_t *count, uint64_t *unroutable, struct error *error)
{
	struct collector c = {
		.sink = {.capacity = 256, .take = take},
		.fabric = fabric,
		.forwarding = forwarding,
		.route = array_create(fabric->nodes, sizeof *c.route, error),
		.drop = drop,
		.error = error,
	};
	c.sink.pairs = c.block;
	if (c.route && pattern_levels(call) && !pattern_run(call, 0, error))
		pattern_level(call, 0, &c.sink);
	free(c.route);
	*pairs = c.pairs;
	*count = c.count;
	*unroutable = c.unroutable;
	return error->status ? -1 : 0;
}
