#include "tools/advise/measured.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/statistics.h"
#include "fabric/destination_trees.h"
#include "infiniband/counters.h"

#include <math.h>
#include <stdlib.h>

enum { UNIT_BYTES = 4 };             /* of data counters */
static const double surely = 5;      /* standard deviations of a finding */
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
	double *sent, *received; /* [hosts] bytes; all 1: every pair alike */
	double total;
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

/* Adds what goes to the destination of the current tree. flow: [nodes]; pairs: add to these, instead of expected loads. */
static void add_tree(struct measured *m, const struct destination_trees *t, const struct demand *demand, double *flow)
{
	const struct fabric *f = m->fabric;
	uint32_t d = t->destination;
	for (uint32_t i = 0; i < t->count; i++)
		flow[t->order[i]] = 0;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t start = t->start[t->start_of[h]].node;
		if (h == d || t->distance[start] >= TREE_DISTANCE_END)
			continue;
		double all = demand ? demand->total - demand->received[h] : 0;
		double sent = !demand ? 1 : all > 0 ? demand->sent[h] * demand->received[d] / all : 0;
		flow[start] += sent;
		if (t->link[h] != NONE)
			*(demand ? &m->channel[t->link[h]].expected : &m->channel[t->link[h]].pairs) += sent;
	}
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t v = t->order[i], c = t->next[v];
		flow[f->head[c]] += flow[v];
		*(demand ? &m->channel[c].expected : &m->channel[c].pairs) += flow[v];
	}
}

static int expect(struct measured *m, struct destination_trees *trees, struct error *error)
{
	const struct fabric *f = m->fabric;
	struct demand demand = {array_create(f->hosts, sizeof(double), error), array_create(f->hosts, sizeof(double), error), 0};
	double *flow = array_create(f->nodes, sizeof *flow, error);
	if (demand.sent && demand.received && flow) {
		m->by_hosts = take_hosts(&demand, m);
		double pairs = 0;
		for (uint32_t h = 0; h < f->hosts; h++) {
			destination_trees_make(trees, h);
			add_tree(m, trees, NULL, flow);
			if (m->by_hosts)
				add_tree(m, trees, &demand, flow);
		}
		for (uint32_t c = 0; c < f->channels; c++)
			pairs += isnan(m->channel[c].bytes) ? 0 : m->channel[c].pairs;
		for (uint32_t c = 0; c < f->channels && !m->by_hosts && pairs > 0; c++)
			m->channel[c].expected = m->channel[c].pairs * (m->total / pairs);
	}
	free(demand.sent);
	free(demand.received);
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

static void find_slowness(struct measured *m, double *values)
{
	const struct fabric *f = m->fabric;
	size_t count = 0;
	double data = 0;
	for (uint32_t c = 0; c < f->channels; c++) {
		m->wait_total += isnan(m->channel[c].wait) ? 0 : m->channel[c].wait;
		data += isnan(m->channel[c].wait) || isnan(m->channel[c].bytes) ? 0 : m->channel[c].bytes / UNIT_BYTES;
		if (!isnan(waiting(m, c)))
			values[count++] = waiting(m, c);
	}
	m->lost = m->wait_total + data > 0 ? m->wait_total / (m->wait_total + data) : NAN;
	double middle = median(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - middle);
	double spread = fmax(normal * median(values, count), fmax(0.05 * middle, 1e-3));
	for (uint32_t c = 0; c < f->channels; c++)
		m->channel[c].slowness = (waiting(m, c) - middle) / spread;
}

/* ---- findings */

/* The route of a wrong entry has less than expected, so the host it leads to is that whose route over the channel lacks most. */
static int find_host(struct measured *m, struct finding *finding, struct destination_trees *trees, const double *variance)
{
	const struct fabric *f = m->fabric;
	uint32_t v = fabric_tail(f, finding->channel);
	double least = INFINITY;
	for (uint32_t h = 0; h < f->hosts; h++) {
		double sum = 0, weight = 0;
		uint32_t hops = 0;
		destination_trees_make(trees, h);
		if (trees->distance[v] >= TREE_DISTANCE_END || trees->next[v] != finding->channel)
			continue;
		for (uint32_t w = v; w != f->host_node[h] && hops++ < f->nodes; w = f->head[trees->next[w]]) {
			const struct measured_channel *k = &m->channel[trees->next[w]];
			if (!isnan(k->bytes) && variance[trees->next[w]] > 0 && between_switches(f, trees->next[w])) {
				sum += (k->bytes - k->expected) / sqrt(variance[trees->next[w]]);
				weight++;
			}
		}
		double lack = weight > 0 ? sum / sqrt(weight) : 0;
		if (lack < least - 1e-9 * fabs(least)) {
			least = lack;
			finding->host = h;
			finding->others = 0;
		} else if (lack <= least + 1e-9 * fabs(least)) {
			finding->others++;
		}
	}
	return 0;
}

static void add_finding(struct measured *m, struct finding finding)
{
	if (m->findings < FINDINGS_MAX)
		m->finding[m->findings++] = finding;
}

/* Finds switches out of which loads differ, but not into which. */
static void find_entries(struct measured *m, const double *variance, double *out, double *in, double *noise)
{
	const struct fabric *f = m->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			double differs = isnan(m->channel[c].bytes) ? 0 : fabs(m->channel[c].bytes - m->channel[c].expected);
			out[v] += differs;
			in[f->head[c]] += differs;
			noise[v] += variance[c];
			noise[f->head[c]] += variance[c];
		}
	for (uint32_t v = 0; v < f->nodes; v++) {
		if (f->node_host[v] != NONE || !(out[v] - in[v] > surely * sqrt(noise[v])))
			continue;
		struct finding found = {FINDING_ENTRY, NONE, NONE, NONE, 0, (out[v] - in[v]) / sqrt(noise[v])};
		double less = 0, more = 0;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			double differs = isnan(m->channel[c].bytes) ? 0 : m->channel[c].bytes - m->channel[c].expected;
			if (differs < less) {
				less = differs;
				found.channel = c;
			}
			if (differs > more) {
				more = differs;
				found.instead = c;
			}
		}
		if (more < -0.3 * less) {
			found.kind = FINDING_LESS;
			found.instead = NONE;
		} else if (-less < 0.3 * more) {
			found.kind = FINDING_MORE;
			found.channel = found.instead;
			found.instead = NONE;
		}
		add_finding(m, found);
	}
}

static void find_slow(struct measured *m)
{
	for (uint32_t c = 0; c < m->fabric->channels; c++)
		if (m->channel[c].slowness > surely)
			add_finding(m, (struct finding){FINDING_SLOW, c, NONE, NONE, 0, m->channel[c].slowness});
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

static int judge(struct measured *m, struct destination_trees *trees, struct error *error)
{
	const struct fabric *f = m->fabric;
	double *variance = array_create(f->channels, sizeof *variance, error), *values = array_create(f->channels, sizeof *values, error);
	double *node = array_create((size_t)3 * f->nodes, sizeof *node, error);
	uint32_t place = 0;
	if (variance && values && node) {
		m->correlation = correlate(m, false);
		m->inner = correlate(m, true);
		deviate(m, variance, values);
		find_slowness(m, values);
		find_entries(m, variance, node, node + f->nodes, node + (size_t)2 * f->nodes);
		find_slow(m);
		qsort(m->finding, m->findings, sizeof *m->finding, compare_findings);
		for (uint32_t c = 0; c < f->channels; c++)
			m->order[c] = c;
		qsort_r(m->order, f->channels, sizeof *m->order, compare_channels, m);
		for (unsigned i = 0; i < m->findings; i++) {
			if (m->finding[i].kind == FINDING_ENTRY && i < 5)
				find_host(m, &m->finding[i], trees, variance);
			put_first(m, &place, m->finding[i].channel);
			put_first(m, &place, m->finding[i].instead);
		}
	}
	free(variance);
	free(values);
	free(node);
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
	*measured = (struct measured){.fabric = fabric,
		.channel = array_create(fabric->channels, sizeof *measured->channel, error),
		.order = array_create(fabric->channels, sizeof *measured->order, error)};
	struct readings readings = {.measured = measured};
	if (!error->status && !counters_read(&readings.before, before, error) && !counters_read(&readings.after, after, error)) {
		measure(&readings);
		if (!measured->known)
			error_at(error, STATUS_USAGE, after, 0,
				"no port of the fabric has counters of data in both files, by GUID or LID and number of port");
		else if (!destination_trees_init(&trees, fabric, tables, error) && !expect(measured, &trees, error))
			judge(measured, &trees, error);
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
