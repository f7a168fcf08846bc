#include "tools/advise/measured.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/statistics.h"
#include "fabric/destination_trees.h"
#include "infiniband/counters.h"

#include <math.h>
#include <stdlib.h>

enum { UNIT_BYTES = 4 };             /* of data counters */
static const double chance = 0.05;   /* probability of a finding without a fault, roughly */
static const double fits = 4;        /* a host fits if its likelihood is less by this logarithm at most */
static const double slowly = 3;      /* of waiting */
enum { HOPS_MOST = 64 };             /* of a path by nodes that no route enters */
enum { ROUNDS = 10 };                /* of the search for wrong entries */
static const double normal = 1.4826; /* standard deviations per median distance from the median */

struct readings {
	struct counters before, after;
	struct measured *measured;
};

/* ---- counters of ports */

/* Finds a port of a node in a reading: by the node's GUIDs, by its LID. */
static const struct port_counters *find_port(const struct counters *counters, const struct fabric *f, uint32_t node, uint32_t port)
{
	const struct fabric_labels *l = f->labels;
	const struct port_counters *found = counters_find(counters, l->guid[node], 0, port);
	if (!found)
		found = counters_find(counters, l->node_guid[node], 0, port);
	if (!found && f->node_host[node] != NONE && l->guid[node] > port)
		found = counters_find(counters, l->guid[node] - port, 0, port);
	return found ? found : counters_find(counters, 0, l->lid[node], port);
}

/* Returns how much a counter grew; NAN: unknown. */
static double growth(struct readings *r, uint32_t node, uint32_t port, enum counter counter)
{
	const struct fabric *f = r->measured->fabric;
	const struct port_counters *after = port ? find_port(&r->after, f, node, port) : NULL;
	const struct port_counters *before = after ? find_port(&r->before, f, node, port) : NULL;
	if (!after || !after->bits[counter])
		return NAN;
	if (after->bits[counter] == 32 && after->value[counter] == UINT32_MAX) {
		r->measured->full++;
		return NAN;
	}
	if (!before || !before->bits[counter])
		return r->before.ports ? NAN : (double)after->value[counter];
	if (after->value[counter] <
		before->value[counter]) { /* neither kind wraps around in practice: 32 bits stay at their largest value */
		r->measured->reset++;
		return (double)after->value[counter];
	}
	return (double)(after->value[counter] - before->value[counter]);
}

/* Counts the ports with counters that no node of the fabric has. */
static void count_strangers(struct readings *r)
{
	const struct fabric *f = r->measured->fabric;
	uint64_t ours = 0;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			ours += f->labels->port[c] && find_port(&r->after, f, v, f->labels->port[c]);
	r->measured->strangers = r->after.ports > ours ? r->after.ports - ours : 0;
}

static void measure(struct readings *r)
{
	struct measured *m = r->measured;
	const struct fabric *f = m->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			struct measured_channel *to = &m->channel[c];
			to->bytes = UNIT_BYTES * growth(r, v, f->labels->port[c], COUNTER_SENT);
			if (isnan(to->bytes))
				to->bytes = UNIT_BYTES * growth(r, f->head[c], f->labels->peer_port[c], COUNTER_RECEIVED);
			to->wait = growth(r, v, f->labels->port[c], COUNTER_WAIT);
			to->deviation = to->slowness = NAN;
			m->known += !isnan(to->bytes);
			m->waits += !isnan(to->wait);
			m->total += isnan(to->bytes) ? 0 : to->bytes;
		}
	count_strangers(r);
}

/* ---- expected loads */

struct demand {
	double *sent, *received; /* [hosts] bytes */
	double total;            /* received */
	double each;             /* bytes of every pair, if they are not known */
	bool known;
};

/* Takes what hosts send and receive. Returns false if it is not known of all, or if hosts forward what others send. */
static bool take_hosts(struct demand *demand, const struct measured *m)
{
	const struct fabric *f = m->fabric;
	for (uint32_t c = 0; c < f->channels; c++) {
		uint32_t from = f->node_host[fabric_tail(f, c)], to = f->node_host[f->head[c]];
		if (from != NONE)
			demand->sent[from] += m->channel[c].bytes;
		if (to != NONE)
			demand->received[to] += m->channel[c].bytes;
	}
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h];
		if (isnan(demand->sent[h]) || isnan(demand->received[h]) || f->first_channel[v + 1] - f->first_channel[v] > 1)
			return false;
		demand->total += demand->received[h];
	}
	return demand->total > 0;
}

/*
 * Sets flow[v] of the nodes of the current tree to the data to its destination that leave v; demand NULL: to the number of hosts. add: adds
 * them to the loads of channels.
 */
static void add_tree(struct measured *m, const struct destination_trees *t, const struct demand *demand, double *flow, bool add)
{
	const struct fabric *f = m->fabric;
	uint32_t d = t->destination;
	for (uint32_t i = 0; i < t->count; i++)
		flow[t->order[i]] = 0;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t start = t->start[t->start_of[h]].node;
		if (h == d || t->distance[start] >= TREE_DISTANCE_END)
			continue;
		double all = demand && demand->known ? demand->total - demand->received[h] : 0;
		double sent = !demand ? 1 : !demand->known ? demand->each : all > 0 ? demand->sent[h] * demand->received[d] / all : 0;
		flow[start] += sent;
		if (t->link[h] != NONE && add)
			*(demand ? &m->channel[t->link[h]].expected : &m->channel[t->link[h]].pairs) += sent;
	}
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t v = t->order[i], c = t->next[v];
		flow[f->head[c]] += flow[v];
		if (add)
			*(demand ? &m->channel[c].expected : &m->channel[c].pairs) += flow[v];
	}
}

static int expect(struct measured *m, struct destination_trees *trees, struct demand *demand, struct error *error)
{
	const struct fabric *f = m->fabric;
	double *flow = array_create(f->nodes, sizeof *flow, error);
	demand->sent = array_create(f->hosts, sizeof *demand->sent, error);
	demand->received = array_create(f->hosts, sizeof *demand->received, error);
	if (demand->sent && demand->received && flow) {
		m->by_hosts = demand->known = take_hosts(demand, m);
		double pairs = 0;
		for (uint32_t h = 0; h < f->hosts; h++) {
			destination_trees_make(trees, h);
			add_tree(m, trees, NULL, flow, true);
			if (m->by_hosts)
				add_tree(m, trees, demand, flow, true);
		}
		for (uint32_t c = 0; c < f->channels; c++)
			pairs += isnan(m->channel[c].bytes) ? 0 : m->channel[c].pairs;
		demand->each = pairs > 0 ? m->total / pairs : 0;
		for (uint32_t c = 0; c < f->channels && !m->by_hosts; c++)
			m->channel[c].expected = m->channel[c].pairs * demand->each;
	}
	free(flow);
	return error->status ? -1 : 0;
}

/* ---- chance */

static bool between_switches(const struct fabric *f, uint32_t channel)
{
	return f->node_host[fabric_tail(f, channel)] == NONE && f->node_host[f->head[channel]] == NONE;
}

static double median(double *values, size_t count)
{
	sort_values(values, count);
	return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : NAN;
}

static double correlate(const struct measured *m, bool inner)
{
	double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t c = 0; c < m->fabric->channels; c++) {
			const struct measured_channel *k = &m->channel[c];
			if (isnan(k->bytes) || (inner && !between_switches(m->fabric, c)))
				continue;
			if (!pass) {
				n++;
				x += k->bytes;
				y += k->expected;
			} else {
				double dx = k->bytes - x / n, dy = k->expected - y / n;
				xx += dx * dx;
				yy += dy * dy;
				xy += dx * dy;
			}
		}
	/* what differs by rounding alone is equal */
	return xx > 1e-18 * x * x / n && yy > 1e-18 * y * y / n ? xy / sqrt(xx * yy) : NAN;
}

/* Computes the variance of each difference, and the deviations. */
static void deviate(struct measured *m, double *variance, double *values)
{
	const struct fabric *f = m->fabric;
	size_t count = 0;
	double mean = m->known ? m->total / m->known : 0;
	for (uint32_t c = 0; c < f->channels; c++) {
		const struct measured_channel *k = &m->channel[c];
		if (!isnan(k->bytes) && k->expected > 0 && between_switches(f, c))
			values[count++] = (k->bytes - k->expected) * (k->bytes - k->expected) / k->expected;
	}
	double factor = count ? median(values, count) * normal * normal : 0;
	for (uint32_t c = 0; c < f->channels; c++) {
		struct measured_channel *k = &m->channel[c];
		double load = fmax(k->expected, 0.01 * mean);
		variance[c] = factor * load + 1e-4 * load * load;
		if (!isnan(k->bytes) && variance[c] > 0)
			k->deviation = (k->bytes - k->expected) / sqrt(variance[c]);
	}
}

/* Waiting per data, at the same speed. */
static double waiting(const struct measured *m, uint32_t channel)
{
	const struct measured_channel *k = &m->channel[channel];
	return k->bytes > 0 ? k->wait * UNIT_BYTES / k->bytes * m->fabric->speed[channel] : NAN;
}

/* Sets the slowness of the channels between switches, or of the others. */
static void compare_waiting(struct measured *m, bool inner, double *values)
{
	const struct fabric *f = m->fabric;
	size_t count = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		if (between_switches(f, c) == inner && !isnan(waiting(m, c)))
			values[count++] = waiting(m, c);
	double middle = median(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - middle);
	double spread = fmax(normal * median(values, count), fmax(0.05 * middle, 0.1)); /* less is not worth a finding */
	for (uint32_t c = 0; c < f->channels; c++)
		if (between_switches(f, c) == inner)
			m->channel[c].slowness = (waiting(m, c) - middle) / spread;
}

static void find_slowness(struct measured *m, double *values)
{
	double data = 0;
	for (uint32_t c = 0; c < m->fabric->channels; c++) {
		const struct measured_channel *k = &m->channel[c];
		m->wait_total += isnan(k->wait) ? 0 : k->wait;
		data += isnan(k->wait) || isnan(k->bytes) ? 0 : k->bytes / UNIT_BYTES;
	}
	m->lost = m->wait_total + data > 0 ? m->wait_total / (m->wait_total + data) : NAN;
	compare_waiting(m, false, values);
	compare_waiting(m, true, values);
}

/* ---- findings */

static void add_finding(struct measured *m, struct finding finding)
{
	if (m->findings < FINDINGS_MAX)
		m->finding[m->findings++] = finding;
}

/* What wrong entries are looked for with. */
struct search {
	struct measured *m;
	struct destination_trees *trees;
	const struct demand *demand;
	const double *variance;
	double *rest; /* [channels] measured minus expected, without what findings explain; 0: unknown */
	double *flow, *sum,
		*weight; /* [nodes] data to the destination that pass the node; sums over its path: of rest / variance, 1 / variance */
	struct finding best;
	uint32_t destination; /* of the best */
	double likelihood;    /* logarithm of the likelihood ratio of the best */
	double amount;        /* bytes that it moves */
};

static bool counts(const struct search *s, uint32_t c)
{
	return !isnan(s->m->channel[c].bytes) && s->variance[c] > 0;
}

/* Returns the node where the paths of two nodes of the tree meet. */
static uint32_t meeting(const struct destination_trees *t, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (t->distance[a] >= t->distance[b])
			a = t->fabric->head[t->next[a]];
		else
			b = t->fabric->head[t->next[b]];
	}
	return a;
}

/* Returns the channel by which a node forwards to the destination of the current tree, whether it is in the tree or not; NONE: there is
 * none. */
static uint32_t next_channel(const struct destination_trees *t, uint32_t v)
{
	return t->distance[v] < TREE_DISTANCE_END ? t->next[v]
						  : forwarding_next(t->forwarding, v, t->forwarding->column[v], t->destination);
}

/*
 * Computes the logarithm of the likelihood ratio of an entry of the node for the current destination that leads to another channel; 0: it
 * moves nothing, or nowhere.
 */
static double likelihood_of(const struct search *s, uint32_t v, uint32_t other)
{
	const struct destination_trees *t = s->trees;
	uint32_t u = t->fabric->head[other], hops = 0;
	if (other == t->next[v] || !counts(s, other) || t->fabric->node_host[u] != NONE)
		return 0;
	double sum = s->rest[other] / s->variance[other], weight = 1 / s->variance[other];
	while (t->distance[u] >= TREE_DISTANCE_END) { /* no route enters the node so far, but its table leads on */
		uint32_t c = next_channel(t, u);
		if (c == NONE || hops++ == HOPS_MOST)
			return 0;
		sum += counts(s, c) ? s->rest[c] / s->variance[c] : 0;
		weight += counts(s, c) ? 1 / s->variance[c] : 0;
		u = t->fabric->head[c];
	}
	uint32_t m = meeting(t, u, v);
	if (m == v) /* a loop */
		return 0;
	sum += s->sum[u] - s->sum[m] - (s->sum[v] - s->sum[m]);
	weight += s->weight[u] + s->weight[v] - 2 * s->weight[m];
	return s->flow[v] * sum - s->flow[v] * s->flow[v] * weight / 2;
}

/* Compares an entry with those found so far. */
static void try_entry(struct search *s, uint32_t v, uint32_t other)
{
	double likelihood = likelihood_of(s, v, other);
	if (likelihood > s->likelihood) {
		s->likelihood = likelihood;
		s->amount = s->flow[v];
		s->best = (struct finding){
			.kind = FINDING_ENTRY, .channel = s->trees->next[v], .instead = other, .deviations = sqrt(2 * likelihood)};
		s->destination = s->trees->destination;
	}
}

/* Adds up what differs on the path of each node of the tree of a destination. */
static void make_tree(struct search *s, uint32_t destination)
{
	const struct destination_trees *t = s->trees;
	const struct fabric *f = t->fabric;
	destination_trees_make(s->trees, destination);
	add_tree(s->m, t, s->demand, s->flow, false);
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t v = t->order[i], c = i ? t->next[v] : NONE;
		s->sum[v] = s->weight[v] = 0;
		if (c == NONE)
			continue;
		s->sum[v] = s->sum[f->head[c]] + (counts(s, c) ? s->rest[c] / s->variance[c] : 0);
		s->weight[v] = s->weight[f->head[c]] + (counts(s, c) ? 1 / s->variance[c] : 0);
	}
}

/* Tries all entries for the destination of the current tree. */
static void try_tree(struct search *s)
{
	const struct destination_trees *t = s->trees;
	const struct fabric *f = t->fabric;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t v = t->order[i];
		if (f->node_host[v] != NONE || !counts(s, t->next[v]) || !(s->flow[v] > 0))
			continue;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			try_entry(s, v, c);
	}
}

/* Takes what the best finding explains out of the rest. */
static void explain(struct search *s)
{
	const struct destination_trees *t = s->trees;
	const struct fabric *f = t->fabric;
	if (s->best.kind != FINDING_ENTRY) {
		s->rest[s->best.channel] = 0;
		return;
	}
	/* the destinations that are not much less likely, the likeliest first */
	uint32_t v = fabric_tail(f, s->best.channel), likeliest = s->destination;
	s->best.host[s->best.hosts++] = likeliest;
	for (uint32_t h = 0; h < f->hosts; h++) {
		make_tree(s, h);
		if (h == likeliest || t->distance[v] >= TREE_DISTANCE_END || t->next[v] != s->best.channel ||
			likelihood_of(s, v, s->best.instead) < s->likelihood - fits)
			continue;
		if (s->best.hosts < FINDING_HOSTS)
			s->best.host[s->best.hosts] = h;
		s->best.hosts++;
	}
	make_tree(s, likeliest);
	s->rest[s->best.instead] -= s->amount;
	for (uint32_t w = f->head[s->best.instead], c; w != f->host_node[likeliest] && (c = next_channel(t, w)) != NONE; w = f->head[c])
		s->rest[c] -= s->amount;
	for (uint32_t w = v; w != f->host_node[likeliest]; w = f->head[t->next[w]])
		s->rest[t->next[w]] += s->amount;
}

/*
 * Finds wrong entries and single channels, the likeliest first: a wrong entry moves all data of its destination that pass the switch from
 * one path to another, which is compared with differences as they are expected by chance.
 */
static int find_entries(
	struct measured *m, const struct demand *demand, struct destination_trees *trees, const double *variance, struct error *error)
{
	const struct fabric *f = m->fabric;
	double *rest = array_create(f->channels, sizeof *rest, error), *node = array_create((size_t)3 * f->nodes, sizeof *node, error);
	for (uint32_t c = 0; c < f->channels && rest; c++)
		rest[c] = isnan(m->channel[c].bytes) ? 0 : m->channel[c].bytes - m->channel[c].expected;
	double tried = 1;
	for (uint32_t c = 0; c < f->channels; c++)
		tried += between_switches(f, c) ? f->hosts : 0;
	const double enough = log(tried / chance);
	for (int i = 0; i < ROUNDS && rest && node; i++) {
		struct search s = {.m = m,
			.trees = trees,
			.demand = demand,
			.variance = variance,
			.rest = rest,
			.flow = node,
			.sum = node + f->nodes,
			.weight = node + (size_t)2 * f->nodes,
			.likelihood = enough};
		for (uint32_t c = 0; c < f->channels; c++) {
			double likelihood = counts(&s, c) && between_switches(f, c) ? rest[c] * rest[c] / variance[c] / 2 - 5 : 0;
			if (likelihood > s.likelihood) {
				s.likelihood = likelihood;
				s.best = (struct finding){.kind = rest[c] < 0 ? FINDING_LESS : FINDING_MORE,
					.channel = c,
					.instead = NONE,
					.deviations = fabs(rest[c]) / sqrt(variance[c])};
			}
		}
		for (uint32_t h = 0; h < f->hosts; h++) {
			make_tree(&s, h);
			try_tree(&s);
		}
		if (!(s.likelihood > enough))
			break;
		explain(&s);
		add_finding(m, s.best);
	}
	free(rest);
	free(node);
	return error->status ? -1 : 0;
}

static void find_slow(struct measured *m)
{
	for (uint32_t c = 0; c < m->fabric->channels; c++)
		if (m->channel[c].slowness > slowly && waiting(m, c) > 1.02)
			add_finding(m, (struct finding){
					       .kind = FINDING_SLOW, .channel = c, .instead = NONE, .deviations = m->channel[c].slowness});
}

/* Wrong entries first, then by deviations; equal ones by channel. */
static int compare_findings(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	bool slow_x = x->kind == FINDING_SLOW, slow_y = y->kind == FINDING_SLOW;
	if (slow_x != slow_y)
		return slow_x ? 1 : -1;
	if (x->deviations != y->deviations)
		return x->deviations > y->deviations ? -1 : 1;
	return (x->channel > y->channel) - (x->channel < y->channel);
}

static int compare_channels(const void *a, const void *b, void *data)
{
	const struct measured *m = data;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double dx = isnan(m->channel[x].deviation) ? -1 : fabs(m->channel[x].deviation);
	double dy = isnan(m->channel[y].deviation) ? -1 : fabs(m->channel[y].deviation);
	return dx != dy ? (dx > dy ? -1 : 1) : (x > y) - (x < y);
}

/* Moves a channel to the front of those that are not ordered yet. */
static void put_first(struct measured *m, uint32_t *place, uint32_t channel)
{
	for (uint32_t i = *place; i < m->fabric->channels && channel != NONE; i++)
		if (m->order[i] == channel) {
			for (; i > *place; i--)
				m->order[i] = m->order[i - 1];
			m->order[(*place)++] = channel;
			return;
		}
}

static int judge(struct measured *m, struct destination_trees *trees, const struct demand *demand, struct error *error)
{
	const struct fabric *f = m->fabric;
	double *variance = array_create(f->channels, sizeof *variance, error), *values = array_create(f->channels, sizeof *values, error);
	uint32_t place = 0;
	if (variance && values) {
		m->correlation = correlate(m, false);
		m->inner = correlate(m, true);
		deviate(m, variance, values);
		find_slowness(m, values);
		find_entries(m, demand, trees, variance, error);
		find_slow(m);
		qsort(m->finding, m->findings, sizeof *m->finding, compare_findings);
		for (uint32_t c = 0; c < f->channels; c++)
			m->order[c] = c;
		qsort_r(m->order, f->channels, sizeof *m->order, compare_channels, m);
		for (unsigned i = 0; i < m->findings; i++) {
			put_first(m, &place, m->finding[i].channel);
			put_first(m, &place, m->finding[i].instead);
		}
	}
	free(variance);
	free(values);
	return error->status ? -1 : 0;
}

double measured_lost(const struct measured_channel *channel)
{
	double ticks = channel->wait + channel->bytes / UNIT_BYTES;
	return ticks > 0 ? channel->wait / ticks : NAN;
}

int measured_make(struct measured *measured, const struct fabric *fabric, const struct forwarding *tables, const char *before,
	const char *after, struct error *error)
{
	struct destination_trees trees = {0};
	struct demand demand = {0};
	*measured = (struct measured){.fabric = fabric,
		.channel = array_create(fabric->channels, sizeof *measured->channel, error),
		.order = array_create(fabric->channels, sizeof *measured->order, error)};
	struct readings readings = {.measured = measured};
	if (!error->status && !counters_read(&readings.before, before, error) && !counters_read(&readings.after, after, error)) {
		measure(&readings);
		if (!measured->known)
			error_at(error, STATUS_USAGE, after, 0,
				"no port of the fabric has counters of data in both files, by GUID or LID and number of port");
		else if (!(measured->total > 0))
			error_at(error, STATUS_USAGE, after, 0, "no counter of data is larger than before: read the ports again, later");
		else if (!destination_trees_init(&trees, fabric, tables, error) && !expect(measured, &trees, &demand, error))
			judge(measured, &trees, &demand, error);
		free(demand.sent);
		free(demand.received);
		destination_trees_clear(&trees);
	}
	counters_clear(&readings.before);
	counters_clear(&readings.after);
	return error->status ? -1 : 0;
}

void measured_clear(struct measured *measured)
{
	free(measured->channel);
	free(measured->order);
}
