/* The hosts that send in an open loop, and the load that they offer to the network. The ranks of a host take turns. */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include "base/random.h"

#include <stdlib.h>

/* Adds the rank to the others of its host, in a circular list; the host points to the last. Ranks that take turns send equal shares. */
static void join_host(struct packet_engine *e, uint32_t rank, struct error *error)
{
	struct packet_source *s = &e->source[e->load.host[rank]];
	if (s->rank != NONE && traffic_share(e->load.traffic, s->rank) != traffic_share(e->load.traffic, rank))
		error_set(error, STATUS_USAGE,
			"ranks of jobs with different shares of the load are on one host: give each rank a host of its own");
	e->next_rank[rank] = s->rank == NONE ? rank : e->next_rank[s->rank];
	if (s->rank != NONE)
		e->next_rank[s->rank] = rank;
	s->rank = rank;
}

/*
 * Returns the share of the rank's messages that go to other hosts, estimated from a sample: messages to ranks of the same host do not leave
 * it.
 */
static double share_that_leaves(const struct packet_engine *e, uint32_t rank)
{
	enum { DRAWS = 1 << 20, DRAWS_LEAST = 64 };
	const struct packet_load *load = &e->load;
	uint32_t leave = 0, draws = DRAWS / load->ranks > DRAWS_LEAST ? DRAWS / load->ranks : DRAWS_LEAST;
	for (uint32_t message = 0; message < draws; message++) {
		uint32_t word[4];
		random_message(word, e->setup.seed, load->run, rank, message);
		leave += load->host[traffic_receiver(load->traffic, rank, word)] != load->host[rank];
	}
	return (double)leave / draws;
}

/* Returns the mean share over the ranks of a host, which take turns. */
static double host_leaving(const struct packet_engine *e, uint32_t host)
{
	uint32_t last = e->source[host].rank, ranks = 0;
	double sum = 0;
	if (!e->load.oversubscribed)
		return traffic_share(e->load.traffic, last);
	for (uint32_t rank = last; !ranks || rank != last; rank = e->next_rank[rank], ranks++)
		sum += share_that_leaves(e, rank);
	return sum / ranks * traffic_share(e->load.traffic, last);
}

/* Counts the senders; hosts that send nothing to other hosts do not count. */
static void count_senders(struct packet_engine *e)
{
	e->leaving = 0;
	for (uint32_t h = 0; h < e->fabric->hosts; h++) {
		double share = e->source[h].rank == NONE ? 0 : host_leaving(e, h);
		e->leaving += share;
		e->seen.senders += share > 0;
		e->source[h].rank = share > 0 ? e->source[h].rank : NONE;
	}
	e->seen.bytes_offered = e->seen.link * e->load.load * e->leaving;
}

/* Returns the mean bytes of the packets of a message, with their headers. */
static double wire_bytes(const struct packet_engine *e)
{
	const struct packet_load *load = &e->load;
	if (!load->sizes)
		return (double)packet_wire_bytes(e, (uint64_t)load->bytes);
	return load->bytes + message_sizes_packets(load->sizes, e->setup.mtu) * e->setup.header + e->setup.first_header;
}

/* Sets the injection slot: the slowest link determines the time of a message. Returns 0, or -1. */
static int set_injection(struct packet_engine *e, struct error *error)
{
	const double most = 10; /* as for --load */
	const struct packet_load *load = &e->load;
	uint64_t slowest = 0;
	for (uint32_t r = 0; r < load->ranks; r++) {
		uint32_t node = e->fabric->host_node[load->host[r]];
		uint64_t rate = packet_speed(e, e->fabric->first_channel[node])->rate;
		slowest = rate > slowest ? rate : slowest;
	}
	e->injection = load->injection;
	double bytes = wire_bytes(e);
	e->injection.slot =
		load->sizes ? (uint64_t)llround(bytes * (double)slowest / (1 << RATE_BITS)) : transfer_time(slowest, (uint64_t)bytes);
	if (load->interarrival)
		e->load.load = (double)e->injection.slot / (double)load->interarrival;
	if (load->load > most)
		return error_set(error, STATUS_USAGE,
			"--interarrival: hosts would offer %.4g times what their slowest link carries, more than %g: choose longer times",
			load->load, most);
	e->injection.load = load->load;
	e->seen.link = bytes / (double)e->injection.slot;
	e->seen.load = load->load;
	if (load->injection.burst > 1 && load->load < 1)
		e->seen.burst = load->injection.burst * (double)e->injection.slot / load->load;
	return 0;
}

int packet_start_senders(struct packet_engine *e, struct error *error)
{
	const struct packet_load *load = &e->load;
	static const uint32_t any[4];
	bool sends = false;
	free(e->next_rank);
	e->next_rank = array_create(load->ranks, sizeof *e->next_rank, error);
	if (!e->next_rank)
		return -1;
	if (set_injection(e, error))
		return -1;
	for (uint32_t r = 0; r < load->ranks; r++)
		if (traffic_receiver(load->traffic, r, any) != NONE) {
			join_host(e, r, error);
			sends = true;
		}
	if (error->status)
		return -1;
	count_senders(e);
	if (!sends)
		return error_set(error, STATUS_USAGE, "the traffic has no message from one host to another");
	if (e->messages)
		packet_messages_begin(e);
	for (uint32_t r = 0; r < load->ranks; r++) {
		const struct packet_source *s = &e->source[load->host[r]];
		uint32_t node = e->fabric->host_node[load->host[r]];
		if (s->rank == NONE || s->messages || !is_here(e, node))
			continue;
		packet_enter_node(e, node);
		packet_draw_message(e, load->host[r], 0);
	}
	return 0;
}
