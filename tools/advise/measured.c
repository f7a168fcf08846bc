#include "tools/advise/measured.h"

#include "base/memory.h"
#include "fabric/pair_loads.h"
#include "infiniband/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void measured_clear(struct measured *measured)
{
	free(measured->bytes);
	free(measured->wait);
	free(measured->excess);
	free(measured->expected);
	free(measured->listed);
	*measured = (struct measured){0};
}

/* ---- ports of the fabric */

/* A port by a GUID of its node or its own, or by its LID. */
struct port_key {
	uint64_t id; /* a LID is below 2^16, a GUID above */
	uint32_t number, channel;
};

static int by_key(const void *left, const void *right)
{
	const struct port_key *a = left, *b = right;
	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static struct port_key *list_keys(const struct fabric *f, size_t *count, struct error *error)
{
	const struct fabric_labels *l = f->labels;
	struct port_key *key = array_create(3 * (size_t)f->channels, sizeof *key, error);
	*count = 0;
	for (uint32_t v = 0; v < f->nodes && key; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			const uint64_t id[] = {l->guid[v], l->node_guid[v] == l->guid[v] ? 0 : l->node_guid[v], l->lid[v]};
			for (int i = 0; i < 3; i++)
				if (id[i] && l->port[c])
					key[(*count)++] = (struct port_key){id[i], l->port[c], c};
		}
	if (key)
		qsort(key, *count, sizeof *key, by_key);
	return key;
}

/* ---- readings */

struct reading {
	double *value[COUNTERS]; /* [channels] NAN: unknown */
};

static void reading_clear(struct reading *r)
{
	for (int i = 0; i < COUNTERS; i++)
		free(r->value[i]);
}

static int read_counters(struct reading *r, struct measured *m, const struct fabric *f, const struct port_key *key, size_t keys,
	const uint32_t *reverse, const char *path, struct error *error)
{
	struct counters counters = {0};
	uint64_t strangers = 0, known = 0;
	for (int i = 0; i < COUNTERS; i++) {
		r->value[i] = array_create(f->channels, sizeof *r->value[i], error);
		for (uint32_t c = 0; c < f->channels && r->value[i]; c++)
			r->value[i][c] = NAN;
	}
	if (!error->status)
		counters_read(&counters, path, error);
	for (size_t p = 0; p < counters.ports && !error->status; p++) {
		const struct port_counters *port = &counters.port[p];
		struct port_key wanted = {port->guid ? port->guid : port->lid, port->number, 0};
		const struct port_key *found = bsearch(&wanted, key, keys, sizeof *key, by_key);
		if (!found && port->guid && port->lid) {
			wanted.id = port->lid;
			found = bsearch(&wanted, key, keys, sizeof *key, by_key);
		}
		strangers += !found && port->number; /* port 0 is a switch's own */
		for (int i = 0; i < COUNTERS && found; i++) {
			uint32_t c = i == COUNTER_RCV_BYTES ? reverse[found->channel] : found->channel;
			m->full += port->full[i];
			if (c == NONE || !port->has[i] || port->full[i])
				continue;
			r->value[i][c] = (double)port->value[i];
			known++;
		}
	}
	m->form = counters.form;
	m->strangers = strangers;
	counters_clear(&counters);
	if (!error->status && !known)
		error_at(error, STATUS_USAGE, path, 0,
			"has no counters of ports of this fabric, which has the numbers of ports, and LIDs or GUIDs of %s",
			keys ? "others" : "none");
	return error->status ? -1 : 0;
}

/* What a counter has counted between the readings. */
static double difference(struct measured *m, const struct reading *r, enum counter counter, uint32_t c)
{
	double more = r[1].value[counter][c] - r[0].value[counter][c];
	m->reset += more < 0;
	return more < 0 ? NAN : more;
}

static void take_differences(struct measured *m, const struct fabric *f, const struct reading *r)
{
	for (uint32_t c = 0; c < f->channels; c++) {
		m->bytes[c] = difference(m, r, COUNTER_XMIT_BYTES, c);
		if (isnan(m->bytes[c])) /* what arrives at the other end */
			m->bytes[c] = difference(m, r, COUNTER_RCV_BYTES, c);
		m->wait[c] = difference(m, r, COUNTER_XMIT_WAIT, c);
	}
}

/* ---- what is expected */

static int expect(struct measured *m, const struct fabric *f, const struct forwarding *forwarding, struct error *error)
{
	struct destination_trees trees;
	struct pair_loads loads = {0};
	uint32_t *host = array_create(f->hosts, sizeof *host, error);
	for (uint32_t h = 0; h < f->hosts && host; h++)
		host[h] = h;
	if (!destination_trees_init(&trees, f, forwarding, error) && !error->status && !destination_trees_take_all(&trees, error) &&
		!pair_loads_init(&loads, &trees, host, f->hosts, error)) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			destination_trees_make(&trees, h);
			pair_loads_add(&loads, &trees);
		}
		double sum = 0;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				bool between = f->node_host[v] == NONE && f->node_host[f->head[c]] == NONE;
				m->all += between;
				m->expected[c] = between ? (double)loads.load[c] : NAN;
				if (!between || isnan(m->bytes[c]))
					continue;
				m->listed[m->channels++] = c;
				m->sum += m->bytes[c];
				sum += m->expected[c];
			}
		for (uint32_t c = 0; c < f->channels; c++)
			m->expected[c] *= sum > 0 ? m->sum / sum : 0;
	}
	pair_loads_clear(&loads);
	destination_trees_clear(&trees);
	free(host);
	return error->status ? -1 : 0;
}

/* How two values of the channels between switches go together, where both are known. */
struct together {
	double x, y, xx, yy, xy; /* means; sums of squares and of products of the differences from them */
};

static struct together compare(const struct measured *m, const double *x, const double *y)
{
	struct together t = {0};
	double n = 0;
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < m->channels; i++) {
			uint32_t c = m->listed[i];
			if (isnan(x[c]) || isnan(y[c]))
				continue;
			if (!round) {
				n++;
				t.x += (x[c] - t.x) / n;
				t.y += (y[c] - t.y) / n;
				continue;
			}
			t.xx += (x[c] - t.x) * (x[c] - t.x);
			t.yy += (y[c] - t.y) * (y[c] - t.y);
			t.xy += (x[c] - t.x) * (y[c] - t.y);
		}
	return t;
}

/* Finds which channels wait longer than a straight line through all of them has it for what they carried. */
static void find_excess(struct measured *m, const struct fabric *f)
{
	struct together t = compare(m, m->bytes, m->wait);
	double slope = t.xx > 0 ? t.xy / t.xx : 0;
	for (uint32_t c = 0; c < f->channels; c++)
		m->excess[c] = isnan(m->expected[c]) ? NAN : m->wait[c] - t.y - slope * (m->bytes[c] - t.x);
}

int measured_make(struct measured *measured, const struct fabric *fabric, const struct forwarding *forwarding, const char *before,
	const char *after, struct error *error)
{
	struct measured *m = measured;
	struct reading r[2] = {{{0}}};
	size_t keys = 0;
	*m = (struct measured){.bytes = array_create(fabric->channels, sizeof *m->bytes, error),
		.wait = array_create(fabric->channels, sizeof *m->wait, error),
		.excess = array_create(fabric->channels, sizeof *m->excess, error),
		.expected = array_create(fabric->channels, sizeof *m->expected, error),
		.listed = array_create(fabric->channels, sizeof *m->listed, error)};
	struct port_key *key = list_keys(fabric, &keys, error);
	uint32_t *reverse = fabric_reverse(fabric, error);
	if (!error->status && !read_counters(&r[0], m, fabric, key, keys, reverse, before, error) &&
		!read_counters(&r[1], m, fabric, key, keys, reverse, after, error)) {
		take_differences(m, fabric, r);
		expect(m, fabric, forwarding, error);
		struct together t = compare(m, m->bytes, m->expected);
		m->correlation = t.xx > 0 && t.yy > 0 ? t.xy / sqrt(t.xx * t.yy) : NAN;
		find_excess(m, fabric);
	}
	free(key);
	free(reverse);
	reading_clear(&r[0]);
	reading_clear(&r[1]);
	if (!error->status && !m->channels)
		error_at(error, STATUS_USAGE, after, 0, "no channel between switches was counted in both readings");
	return error->status ? -1 : 0;
}
