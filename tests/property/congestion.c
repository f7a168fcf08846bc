/*
 * Reference, part three: congestion. Per level, every channel is held against the route of every
 * message: O(levels x channels x messages x hops).
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

/* A message that entered the network. */
struct sent {
	int level, from, to;
	bool first;
	int hops;
	int path[MAX_NODES];
	double weight;
	double gbps; /* its rate, if speeds count */
};

/* ---- series and histograms ---- */

void histogram_add(struct histogram *h, double key, long count)
{
	int at = 0;

	while (at < h->bins && h->key[at] < key)
		at++;
	if (at == h->bins || h->key[at] > key) {
		if (h->bins == MAX_BINS)
			abort();
		for (int i = h->bins++; i > at; i--) {
			h->key[i] = h->key[i - 1];
			h->count[i] = h->count[i - 1];
		}
		h->key[at] = key;
		h->count[at] = 0;
	}
	h->count[at] += count;
}

/* The values stay sorted: the quantiles need it, and nothing needs the order of the runs. */
void series_add(struct series *s, double value)
{
	int at = s->count;

	if (s->count == MAX_RUNS)
		abort();
	for (; at > 0 && s->value[at - 1] > value; at--)
		s->value[at] = s->value[at - 1];
	s->value[at] = value;
	s->count++;
}

double series_min(const struct series *s)
{
	return s->value[0];
}

double series_max(const struct series *s)
{
	return s->value[s->count - 1];
}

double series_mean(const struct series *s)
{
	long double total = 0;

	for (int i = 0; i < s->count; i++)
		total += s->value[i];
	return (double)(total / s->count);
}

double series_variance(const struct series *s)
{
	long double total = 0;

	for (int i = 0; i < s->count; i++) {
		long double off = s->value[i] - (long double)series_mean(s);
		total += off * off;
	}
	return (double)(total / s->count);
}

double series_quantile(const struct series *s, double q)
{
	double at = (s->count - 1) * q;
	int below = (int)floor(at);
	int above = below + 1 < s->count ? below + 1 : below;

	return s->value[below] + (at - below) * (s->value[above] - s->value[below]);
}

/* ---- one run ---- */

/* The messages of the run that have a route; who sends to itself is no connection. */
static int send_all(
	const struct fabric *f, const struct pattern *p, const int host[], const struct rules *rules, struct sent sent[], long *unroutable)
{
	int count = 0;

	for (int m = 0; m < p->count; m++) {
		const struct message *message = &p->message[m];
		struct sent *s = &sent[count];
		if (message->from == message->to || (rules->level >= 0 && message->level != rules->level))
			continue;
		*s = (struct sent){.level = message->level, .from = message->from, .to = message->to, .first = message->first};
		s->hops = fabric_route(f, host[s->from], host[s->to], s->path);
		if (s->hops < 0)
			++*unroutable;
		else
			count++;
	}
	return count;
}

/* c(e): how many of the level's routes use the channel. */
static int load(const struct sent sent[], int count, int level, int channel)
{
	int uses = 0;

	for (int m = 0; m < count; m++)
		for (int hop = 0; hop < sent[m].hops && sent[m].level == level; hop++)
			uses += sent[m].path[hop] == channel;
	return uses;
}

/* The channel's speed relative to the slowest host link; 1 when speeds do not count. */
static double relative_speed(const struct fabric *f, int channel, const struct rules *rules)
{
	double slowest = INFINITY;

	for (int c = 0; c < f->channels; c++)
		if (f->node[f->channel[c].tail].host || f->node[f->channel[c].head].host)
			slowest = fmin(slowest, f->channel[c].speed);
	if (!rules->speed_aware || slowest == 0)
		return 1;
	return f->channel[channel].speed / slowest;
}

bool fabric_speeds_differ(const struct fabric *f)
{
	bool differ = false;

	for (int c = 1; c < f->channels; c++)
		differ |= f->channel[c].speed != f->channel[0].speed;
	return differ;
}

/* Finds the weight of every message and adds the congestion of every channel to its sum. */
static void weigh(struct tally *t, const struct fabric *f, struct sent sent[], int count, int levels, const struct rules *rules)
{
	for (int level = 0; level < levels; level++)
		for (int c = 0; c < f->channels; c++) {
			double congestion = load(sent, count, level, c) / relative_speed(f, c, rules);
			t->channel_sum[c] += congestion;
			for (int m = 0; m < count; m++)
				for (int hop = 0; hop < sent[m].hops && sent[m].level == level; hop++)
					if (sent[m].path[hop] == c)
						sent[m].weight = fmax(sent[m].weight, congestion);
		}
	for (int m = 0; m < count; m++) {
		sent[m].gbps = INFINITY;
		for (int hop = 0; hop < sent[m].hops; hop++)
			sent[m].gbps = fmin(
				sent[m].gbps, f->channel[sent[m].path[hop]].speed / load(sent, count, sent[m].level, sent[m].path[hop]));
	}
	for (int m = 0; m < count; m++) { /* what the two ends could carry alone, by the rate */
		double up = relative_speed(f, sent[m].path[0], rules), down = relative_speed(f, sent[m].path[sent[m].hops - 1], rules);
		sent[m].weight *= fmin(up, down);
	}
}

static double sum_of_largest(const struct sent sent[], int count, int levels)
{
	double sum = 0;

	for (int level = 0; level < levels; level++) {
		double largest = 0;
		for (int m = 0; m < count; m++)
			if (sent[m].level == level)
				largest = fmax(largest, sent[m].weight);
		sum += largest;
	}
	return sum;
}

/* The longest path through the communication graph of the first pattern. */
static double delay(const struct sent sent[], int count, int levels, bool serialise_sends)
{
	double time[MAX_NODES] = {0};
	double last = 0;

	for (int level = 0; level < levels; level++) {
		double before[MAX_NODES];
		for (int rank = 0; rank < MAX_NODES; rank++)
			before[rank] = time[rank];
		for (int m = 0; m < count; m++) {
			const struct sent *s = &sent[m];
			if (s->level != level || !s->first)
				continue;
			time[s->to] = fmax(time[s->to], before[s->from] + s->weight);
			if (serialise_sends)
				time[s->from] = fmax(time[s->from], before[s->from] + s->weight);
		}
	}
	for (int rank = 0; rank < MAX_NODES; rank++)
		last = fmax(last, time[rank]);
	return last;
}

/* Histograms show six decimals at most; equal weights that differ in their last bits are one. */
static double shown(double value)
{
	return round(value * 1e6) / 1e6;
}

static void tally_connections(struct tally *t, const struct sent sent[], int count)
{
	double total = 0;

	for (int m = 0; m < count; m++) {
		histogram_add(&t->weights, shown(sent[m].weight), 1);
		total += fmin(1, 1 / sent[m].weight);
		t->gbps_total += sent[m].gbps;
	}
	t->connections += count;
	t->bandwidth_total += total;
	if (count > 0)
		series_add(&t->bandwidth, total / count);
}

void tally_run(struct tally *t, const struct fabric *f, const struct pattern *p, const int host[], const struct rules *rules)
{
	struct sent *sent = calloc((size_t)p->count + 1, sizeof sent[0]);

	if (sent == NULL)
		abort();
	int count = send_all(f, p, host, rules, sent, &t->unroutable);
	weigh(t, f, sent, count, p->levels, rules);
	tally_connections(t, sent, count);
	if (p->levels > 0) {
		series_add(&t->sum, sum_of_largest(sent, count, p->levels));
		series_add(&t->delay, delay(sent, count, p->levels, rules->serialise_sends));
	}
	free(sent);
}
