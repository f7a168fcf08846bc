#include "fabric/fabric.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct fabric *fabric_create(uint32_t nodes, uint32_t hosts, uint32_t channels, struct error *error)
{
	struct fabric *f = array_create(1, sizeof *f, error);
	struct fabric_labels *l = array_create(1, sizeof *l, error);
	if (!f || !l) {
		free(f);
		free(l);
		return NULL;
	}
	*f = (struct fabric){.nodes = nodes, .hosts = hosts, .channels = channels, .labels = l};
	f->first_channel = array_create((size_t)nodes + 1, sizeof *f->first_channel, error);
	f->head = array_create(channels, sizeof *f->head, error);
	f->host_node = array_create(hosts, sizeof *f->host_node, error);
	f->node_host = array_create(nodes, sizeof *f->node_host, error);
	f->speed = array_create(channels, sizeof *f->speed, error);
	l->name = array_create(nodes, sizeof *l->name, error);
	l->desc = array_create(nodes, sizeof *l->desc, error);
	l->guid = array_create(nodes, sizeof *l->guid, error);
	l->node_guid = array_create(nodes, sizeof *l->node_guid, error);
	l->lid = array_create(nodes, sizeof *l->lid, error);
	l->lmc = array_create(nodes, sizeof *l->lmc, error);
	l->port = array_create(channels, sizeof *l->port, error);
	l->peer_port = array_create(channels, sizeof *l->peer_port, error);
	l->width = array_create(channels, sizeof *l->width, error);
	if (!error->status && !name_table_init(&l->names, nodes, error))
		return f;
	fabric_free(f);
	return NULL;
}

void fabric_free(struct fabric *fabric)
{
	if (!fabric)
		return;
	if (fabric->labels) {
		free(fabric->labels->pool);
		free(fabric->labels->descriptions);
		free(fabric->labels->name);
		free(fabric->labels->desc);
		free(fabric->labels->guid);
		free(fabric->labels->node_guid);
		free(fabric->labels->lid);
		free(fabric->labels->lmc);
		free(fabric->labels->port);
		free(fabric->labels->peer_port);
		free(fabric->labels->width);
		name_table_clear(&fabric->labels->names);
		fabric_free(fabric->labels->removed);
		free(fabric->labels);
	}
	if (!fabric->shared) {
		free(fabric->first_channel);
		free(fabric->head);
		free(fabric->host_node);
		free(fabric->node_host);
		free(fabric->speed);
		free(fabric->latency);
	}
	free(fabric);
}

uint32_t fabric_tail(const struct fabric *fabric, uint32_t channel)
{
	uint32_t low = 0, high = fabric->nodes;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (fabric->first_channel[middle] <= channel)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* A channel as seen from its cable: when sorted, the two directions of a cable have the same index in their lists. */
struct direction {
	uint32_t near, far, near_port, far_port, channel;
};

static int compare_directions(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right; /* compared by the members in order */
	for (size_t i = 0; i < sizeof(struct direction) / sizeof *a; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

/* Pairs the channels that have no opposite yet: by their ports if both are known, or (by_ports false) in their order. */
static void pair_up(const struct fabric *fabric, bool by_ports, struct direction *out, struct direction *back, uint32_t *reverse)
{
	const struct fabric_labels *labels = fabric->labels;
	uint32_t count = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t port = by_ports ? labels->port[c] : 0, peer = by_ports ? labels->peer_port[c] : 0;
			if (reverse[c] != NONE || (by_ports && (!port || !peer)))
				continue;
			out[count] = (struct direction){v, fabric->head[c], port, peer, c};
			back[count++] = (struct direction){fabric->head[c], v, peer, port, c};
		}
	qsort(out, count, sizeof *out, compare_directions);
	qsort(back, count, sizeof *back, compare_directions);
	for (uint32_t i = 0, j = 0; i < count && j < count;) {
		struct direction a = out[i], b = back[j];
		a.channel = b.channel = 0;
		int order = compare_directions(&a, &b);
		if (!order && out[i].channel != back[j].channel)
			reverse[out[i].channel] = back[j].channel;
		i += order <= 0;
		j += order >= 0;
	}
}

uint32_t *fabric_reverse(const struct fabric *fabric, struct error *error)
{
	uint32_t *reverse = array_create(fabric->channels, sizeof *reverse, error);
	struct direction *out = array_create(fabric->channels, sizeof *out, error);
	struct direction *back = array_create(fabric->channels, sizeof *back, error);
	if (reverse && out && back) {
		memset(reverse, 0xff, fabric->channels * sizeof *reverse);
		pair_up(fabric, true, out, back, reverse);
		pair_up(fabric, false, out, back, reverse);
	} else {
		free(reverse);
		reverse = NULL;
	}
	free(out);
	free(back);
	return reverse;
}

uint32_t fabric_set_speeds(struct fabric *fabric, const double *gbps)
{
	uint32_t missing = 0;
	double slowest = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			bool host_link = fabric->node_host[v] != NONE || fabric->node_host[fabric->head[c]] != NONE;
			missing += gbps[c] <= 0;
			if (host_link && gbps[c] > 0 && (slowest == 0 || gbps[c] < slowest))
				slowest = gbps[c];
		}
	for (uint32_t c = 0; c < fabric->channels; c++)
		fabric->speed[c] = missing || slowest == 0 ? 1 : gbps[c] / slowest;
	fabric->slowest = missing ? 0 : slowest;
	return missing < fabric->channels ? missing : 0;
}

bool fabric_speeds_differ(const struct fabric *fabric)
{
	uint32_t c = 1;
	while (c < fabric->channels && !(fabric->speed[c] < fabric->speed[0]) && !(fabric->speed[c] > fabric->speed[0]))
		c++;
	return c < fabric->channels;
}

uint32_t fabric_most_channels(const struct fabric *fabric)
{
	uint32_t most = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->first_channel[v + 1] - fabric->first_channel[v] > most)
			most = fabric->first_channel[v + 1] - fabric->first_channel[v];
	return most;
}
