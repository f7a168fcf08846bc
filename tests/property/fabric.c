/*
 * Reference, part one: the fabric. A forwarding set is looked up by reading all channels of the
 * tail; a route is walked step by step.
 */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

/* cgraph walks the out-edges of a node by the first appearance of their heads; parallel channels
 * keep the order of their creation. */
int fabric_out_channels(const struct fabric *f, int node, int out[])
{
	int count = 0;

	for (int c = 0; c < f->channels; c++) {
		if (f->channel[c].tail != node)
			continue;
		int at = count++;
		for (; at > 0 && f->channel[out[at - 1]].head > f->channel[c].head; at--)
			out[at] = out[at - 1];
		out[at] = c;
	}
	return count;
}

void fabric_channel_ids(const struct fabric *f, int order[])
{
	int id = 0;

	for (int node = 0; node < f->nodes; node++)
		id += fabric_out_channels(f, node, order + id);
}

int fabric_ambiguous_entries(const struct fabric *f)
{
	int entries = 0;

	for (int node = 0; node < f->nodes; node++)
		for (int d = 0; d < f->nodes; d++) {
			int listed = 0;
			for (int c = 0; c < f->channels; c++)
				listed += f->channel[c].tail == node && f->channel[c].lists[d];
			entries += listed > 1 && f->node[d].host;
		}
	return entries;
}

int fabric_unknown_names(const struct fabric *f)
{
	int names = 0;

	for (int c = 0; c < f->channels; c++)
		names += f->channel[c].unknown;
	return names;
}

/* The channel by which a packet for d leaves the node: the first that lists d; "*" stands for what
 * no channel of the node lists. -1 when there is none. */
static int next_channel(const struct fabric *f, int node, int d)
{
	int out[MAX_CHANNELS];
	int count = fabric_out_channels(f, node, out);

	for (int i = 0; i < count; i++)
		if (f->channel[out[i]].lists[d])
			return out[i];
	for (int i = 0; i < count; i++)
		if (f->channel[out[i]].star)
			return out[i];
	return -1;
}

int fabric_route(const struct fabric *f, int from, int to, int path[MAX_NODES])
{
	bool entered[MAX_NODES] = {false};
	int hops = 0;

	for (int node = from; node != to; node = f->channel[path[hops - 1]].head) {
		int c = entered[node] ? -1 : next_channel(f, node, to);
		if (c < 0)
			return -1;
		entered[node] = true;
		path[hops++] = c;
	}
	return hops;
}

/* ---- the orders in which hosts are taken ---- */

/* Breadth-first from the first node, over out-channels in cgraph's order. */
static int breadth_first(const struct fabric *f, int queue[MAX_NODES])
{
	bool found[MAX_NODES] = {[0] = true};
	int out[MAX_CHANNELS];
	int last = 1;

	queue[0] = 0;
	for (int at = 0; at < last; at++) {
		int count = fabric_out_channels(f, queue[at], out);
		for (int i = 0; i < count; i++) {
			int head = f->channel[out[i]].head;
			if (!found[head])
				queue[last++] = head;
			found[head] = true;
		}
	}
	for (int node = 0; node < f->nodes; node++) /* what the search does not reach */
		if (!found[node])
			queue[last++] = node;
	return last;
}

/* The attribute, else the hexadecimal digits of the name. */
static uint64_t effective_guid(const struct node *node)
{
	char digits[sizeof node->name] = "";
	size_t used = 0;

	if (node->guid != 0)
		return node->guid;
	for (const char *c = node->name; *c != '\0'; c++)
		if (strchr("0123456789abcdefABCDEF", *c) != NULL)
			digits[used++] = *c;
	return strtoull(digits, NULL, 16);
}

static void sort_by_guid(const struct fabric *f, int host[], int count, bool descending)
{
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0; j--) {
			uint64_t left = effective_guid(&f->node[host[j - 1]]);
			uint64_t right = effective_guid(&f->node[host[j]]);
			if (descending ? left >= right : left <= right)
				break;
			int kept = host[j];
			host[j] = host[j - 1];
			host[j - 1] = kept;
		}
}

int fabric_hosts(const struct fabric *f, enum subset subset, int host[MAX_NODES])
{
	int node[MAX_NODES];
	int count = 0;

	for (int i = 0; i < f->nodes; i++)
		node[i] = i;
	if (subset == LINEAR_BFS)
		breadth_first(f, node);
	for (int i = 0; i < f->nodes; i++)
		if (f->node[node[i]].host)
			host[count++] = node[i];
	if (subset == GUID_ASC || subset == GUID_DESC)
		sort_by_guid(f, host, count, subset == GUID_DESC);
	return count;
}
