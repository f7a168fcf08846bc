/*
 * What is gathered by host: the bytes that arrive of each host's packets, and on request the latencies of these. The 99% quantile of a host
 * needs the distribution of its latencies: counts of the bins of packet_bin(), of each host only between its shortest and longest latency.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include <stdlib.h>
#include <string.h>

/* The latencies of a host's packets: counts of the bins first .. first + bins - 1. */
struct latencies {
	uint32_t *count;
	uint32_t first, bins;
};

struct packet_hosts {
	uint32_t hosts;
	uint64_t *accepted;          /* [hosts] */
	bool *sends;                 /* [hosts] */
	struct packet_host *host;    /* [hosts] NULL: not requested */
	struct latencies *latencies; /* [hosts] the same */
};

struct packet_hosts *packet_hosts_create(uint32_t hosts, bool latencies, struct error *error)
{
	struct packet_hosts *h = array_create(1, sizeof *h, error);
	if (!h)
		return NULL;
	h->hosts = hosts;
	h->accepted = array_create(hosts, sizeof *h->accepted, error);
	h->sends = array_create(hosts, sizeof *h->sends, error);
	if (latencies) {
		h->host = array_create(hosts, sizeof *h->host, error);
		h->latencies = array_create(hosts, sizeof *h->latencies, error);
	}
	if (!error->status)
		return h;
	packet_hosts_free(h);
	return NULL;
}

static void clear_latencies(struct packet_hosts *h)
{
	for (uint32_t i = 0; h->latencies && i < h->hosts; i++) {
		free(h->latencies[i].count);
		h->latencies[i] = (struct latencies){0};
	}
}

void packet_hosts_free(struct packet_hosts *h)
{
	if (!h)
		return;
	clear_latencies(h);
	free(h->accepted);
	free(h->sends);
	free(h->host);
	free(h->latencies);
	free(h);
}

void packet_hosts_begin(struct packet_engine *e)
{
	struct packet_hosts *h = e->hosts;
	clear_latencies(h);
	memset(h->accepted, 0, h->hosts * sizeof *h->accepted);
	memset(h->sends, 0, h->hosts * sizeof *h->sends);
	if (h->host)
		memset(h->host, 0, h->hosts * sizeof *h->host);
	e->seen.accepted = h->accepted;
	e->seen.sends = h->sends;
	e->seen.host = h->host;
}

/* Adds packets to a bin, with room for some more on the side where it was missing. Returns 0, or -1 if out of memory. */
static int count_latency(struct latencies *l, uint32_t bin, uint32_t packets, struct error *error)
{
	enum { SPARE = 32 };
	if (bin < l->first || bin >= l->first + l->bins) {
		uint32_t low = bin > SPARE ? bin - SPARE : 0, high = bin + SPARE < LATENCY_BINS ? bin + SPARE : LATENCY_BINS;
		low = l->bins && (l->first < low || bin >= l->first) ? l->first : low;
		high = l->bins && (l->first + l->bins > high || bin < l->first) ? l->first + l->bins : high;
		uint32_t *count = array_create(high - low, sizeof *count, error);
		if (!count)
			return -1;
		if (l->bins)
			memcpy(count + l->first - low, l->count, l->bins * sizeof *count);
		free(l->count);
		*l = (struct latencies){count, low, high - low};
	}
	l->count[bin - l->first] += packets;
	return 0;
}

void packet_hosts_note(struct packet_engine *e, const struct packet *p, uint64_t time)
{
	struct packet_hosts *h = e->hosts;
	bool arrives = is_measured(e, time);
	if (arrives)
		h->accepted[p->head.source] += p->size;
	if (!h->host)
		return;
	if (arrives)
		h->host[p->head.destination].received += p->size;
	if (!is_measured(e, p->created))
		return;
	struct packet_host *host = &h->host[p->head.source];
	host->packets++;
	host->latency += time - p->created;
	host->hops += p->head.hops;
	if (count_latency(&h->latencies[p->head.source], packet_bin(time - p->created), 1, e->error))
		e->ending = RUN_FAILED;
}

void packet_hosts_move(struct packet_hosts *to, struct packet_hosts *from)
{
	for (uint32_t i = 0; i < to->hosts; i++)
		to->accepted[i] += from->accepted[i];
	memset(from->accepted, 0, from->hosts * sizeof *from->accepted);
}

/* ---- at the end */

/* A bin of a host, for another process. */
struct host_bin {
	uint32_t host, bin, packets;
};

/* Appends the bins of a host. Returns the number of all. */
static size_t list_bins(const struct packet_hosts *h, uint32_t host, struct host_bin *list, size_t count)
{
	const struct latencies *l = &h->latencies[host];
	for (uint32_t i = 0; i < l->bins; i++) {
		if (list && l->count[i])
			list[count] = (struct host_bin){host, l->first + i, l->count[i]};
		count += l->count[i] > 0;
	}
	return count;
}

/* Adds the latencies of all processes to those of process 0: sources and destinations are in different ones. */
static void merge_latencies(struct packet_engine *e)
{
	const struct packet_peers *p = e->setup.peers;
	struct packet_hosts *h = e->hosts;
	size_t count = 0, total = 0;
	for (uint32_t i = 0; i < h->hosts && p->rank; i++)
		count = list_bins(h, i, NULL, count);
	struct host_bin *list = array_create(count, sizeof *list, e->error);
	void **send = array_create((size_t)p->count, sizeof *send, e->error);
	size_t *bytes = array_create((size_t)p->count, sizeof *bytes, e->error);
	bool fine = p->least(p->data, list && send && bytes);
	for (uint32_t i = 0; fine && i < h->hosts && p->rank; i++)
		total = list_bins(h, i, list, total);
	if (fine) {
		send[0] = list;
		bytes[0] = count * sizeof *list;
		const struct host_bin *all = p->exchange(p->data, send, bytes, &total, e->error);
		for (size_t i = 0; all && i < total / sizeof *all; i++)
			if (count_latency(&h->latencies[all[i].host], all[i].bin, all[i].packets, e->error))
				break;
	}
	if (e->error->status)
		e->ending = RUN_FAILED;
	free(list);
	free(send);
	free(bytes);
}

/* Returns the latency that 99% of a host's packets do not exceed: the middle of its bin, but within the extremes of the run. */
static uint64_t find_p99(const struct packet_seen *seen, const struct latencies *l, uint64_t packets)
{
	uint64_t wanted = packets - packets / 100, count = 0;
	for (uint32_t i = 0; i < l->bins; i++) {
		count += l->count[i];
		uint64_t middle = (packet_bin_floor(l->first + i) + packet_bin_floor(l->first + i + 1) - 1) / 2;
		if (count >= wanted && count)
			return middle < seen->shortest ? seen->shortest : middle > seen->longest ? seen->longest : middle;
	}
	return 0;
}

void packet_hosts_end(struct packet_engine *e)
{
	enum { NUMBERS = sizeof(struct packet_host) / sizeof(uint64_t) };
	struct packet_hosts *h = e->hosts;
	for (uint32_t i = 0; i < h->hosts; i++)
		h->sends[i] = e->source[i].rank != NONE;
	if (e->parallel)
		e->setup.peers->sum(e->setup.peers->data, h->accepted, h->hosts);
	if (!h->host)
		return;
	if (e->parallel) {
		e->setup.peers->sum(e->setup.peers->data, (uint64_t *)h->host, (size_t)h->hosts * NUMBERS);
		merge_latencies(e);
	}
	for (uint32_t i = 0; i < h->hosts; i++)
		h->host[i].p99 = find_p99(&e->seen, &h->latencies[i], h->host[i].packets);
}
