/*
 * The packet engine: open loops, and the phases of a measurement: warm-up until the state is steady, measurement, and drain until all
 * packets sent during the measurement have arrived (Dally, Towles: Principles and Practices of Interconnection Networks, 2004, section
 * 24.3).
 */
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include "base/statistics.h"

#include <math.h>
#include <string.h>

enum { EPOCHS_MAX = 30, CALM = 2, FEW_PACKETS = 1000, SOME_PACKETS = 20000, MANY_PACKETS = 2000000, MOST_PACKETS = 200000000 };
enum { FEW_MESSAGES = 50, SOME_MESSAGES = 500 }; /* if their sizes are drawn */

/* Returns the sums since the last call, over all processes, and resets them. */
static struct packet_batch take_epoch(struct packet_engine *e)
{
	struct packet_batch epoch = e->epoch;
	e->epoch = (struct packet_batch){0};
	if (e->parallel)
		e->setup.peers->sum(e->setup.peers->data, (uint64_t *)&epoch, BATCH_NUMBERS);
	return epoch;
}

/* Returns the picoseconds in which this number of packets is offered. */
static uint64_t time_for(const struct packet_engine *e, double packets)
{
	double each = e->load.sizes ? message_sizes_packets(e->load.sizes, e->setup.mtu) : ceil(e->load.bytes / e->setup.mtu);
	return (uint64_t)(packets / each * (double)e->injection.slot / (e->injection.load * e->leaving)) + 1;
}

/* Returns the picoseconds in which this number of packets is offered, and if sizes are drawn at least this number of messages. */
static uint64_t time_for_both(const struct packet_engine *e, double packets, double messages)
{
	double each = e->load.sizes ? message_sizes_packets(e->load.sizes, e->setup.mtu) : 0;
	return time_for(e, fmax(packets, messages * each));
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * Returns whether packets wait for one another in a cycle, which ends the run. An examination of all channels takes time, so it is made
 * only after as many packets have moved, or none; only then if the routing has been proved free of deadlocks.
 */
static bool stalled(struct packet_engine *e)
{
	uint64_t moved[2] = {
		e->moved - e->looked_moved, e->moved - e->asked_moved}; /* since the last examination, and since the last call */
	e->asked_moved = e->moved;
	if (e->parallel)
		e->setup.peers->sum(e->setup.peers->data, moved, 2);
	if (e->ending != RUN_OK || (moved[1] && (e->setup.proved || moved[0] < e->channels)))
		return e->ending != RUN_OK;
	e->looked_moved = e->moved;
	if (packet_stalled(e))
		e->ending = RUN_DEADLOCK;
	return e->ending != RUN_OK;
}

/*
 * Waits until the state is steady, if it becomes so: mean latency and throughput of an epoch are as in the one before, twice. Returns the
 * mean latency at the beginning, when queues are short.
 */
static uint64_t warm_up(struct packet_engine *e)
{
	const double alike = 0.03;
	double before = 0, accepted_before = 0;
	uint64_t epoch = clamp(time_for_both(e, FEW_PACKETS, FEW_MESSAGES), 20 * e->injection.slot, NEVER / 4), latency = 0;
	bool given = e->load.warmup != NEVER;
	int calm = 0;
	for (int k = 0; k < EPOCHS_MAX && !e->seen.steady; k++) {
		uint64_t from = e->now, to = from + epoch;
		packet_go_on(e, given && to > e->load.warmup ? e->load.warmup : to);
		if (stalled(e))
			break;
		struct packet_batch b = take_epoch(e);
		if (!b.packets && !given) {
			epoch *= 2;
			continue;
		}
		double mean = b.packets ? (double)b.latency / (double)b.packets : 0, accepted = (double)b.accepted / (double)epoch;
		if (!latency) {
			latency = (uint64_t)mean;
			epoch = clamp(time_for(e, SOME_PACKETS), 2 * latency, 10 * latency);
			epoch = clamp(epoch, time_for_both(e, FEW_PACKETS, FEW_MESSAGES), NEVER / 4);
		}
		calm = fabs(mean - before) <= alike * before && fabs(accepted - accepted_before) <= alike * accepted_before ? calm + 1 : 0;
		before = mean;
		accepted_before = accepted;
		e->seen.steady = given ? e->now >= e->load.warmup : calm == CALM;
		k -= given;
	}
	return latency;
}

/* Returns the number of packets of the measurement that have not arrived, or may still have to be sent; over all processes. */
static uint64_t outstanding(const struct packet_engine *e)
{
	uint64_t count = 0;
	for (int b = 0; b < PACKET_BATCHES; b++)
		count += e->seen.batch[b].created - e->seen.batch[b].packets;
	for (uint32_t h = 0; h < e->fabric->hosts; h++)
		count += e->source[h].rank != NONE && is_here(e, e->fabric->host_node[h]) && e->source[h].created < e->until;
	count += e->unsent;
	if (e->parallel) /* below 0 if packets arrived that were created in other processes: modulo 2^64 */
		e->setup.peers->sum(e->setup.peers->data, &count, 1);
	return count;
}

static void sum_levels(const struct packet_peers *p, struct packet_seen *s, uint32_t channels)
{
	p->sum(p->data, s->level_bins, SERVICE_LEVELS_MOST * LATENCY_BINS);
	p->sum(p->data, s->lane_bytes, (size_t)channels * s->lanes);
	for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++) {
		struct packet_level *l = &s->level[level];
		uint64_t totals[] = {l->packets, l->latency, l->accepted};
		p->sum(p->data, totals, 3);
		*l = (struct packet_level){totals[0], totals[1], ~p->least(p->data, ~l->longest), totals[2]};
	}
}

static void sum_all(struct packet_engine *e)
{
	const struct packet_peers *p = e->parallel ? e->setup.peers : NULL;
	struct packet_seen *s = &e->seen;
	s->passes = e->moved;
	if (p) {
		uint64_t totals[] = {s->packets, s->hops, s->unroutable, s->out_of_order, s->passes, s->made, s->marked};
		p->sum(p->data, totals, 7);
		s->packets = totals[0];
		s->hops = totals[1];
		s->unroutable = totals[2];
		s->out_of_order = totals[3];
		s->passes = totals[4];
		s->made = totals[5];
		s->marked = totals[6];
		p->sum(p->data, (uint64_t *)s->batch, PACKET_BATCHES * BATCH_NUMBERS);
		p->sum(p->data, s->latency_bins, LATENCY_BINS);
		s->shortest = p->least(p->data, s->shortest);
		s->longest = ~p->least(p->data, ~s->longest);
		if (s->level)
			sum_levels(p, s, e->channels);
		uint64_t *const by_channel[] = {s->sent, s->left, s->busy, s->blocked};
		for (size_t i = 0; s->sent && i < sizeof by_channel / sizeof *by_channel; i++)
			p->sum(p->data, by_channel[i], e->channels);
		if (e->messages)
			packet_messages_sum(e);
	}
	packet_sum_batches(s);
}

/*
 * Waits, up to a time, for the packets that were sent during the measurement. If they do not arrive, more is offered than accepted; without
 * a time they tell nothing.
 */
static void drain(struct packet_engine *e, uint64_t latency)
{
	if (!e->load.drain)
		return;
	uint64_t span = e->load.drain != NEVER ? e->load.drain : clamp(e->until - e->begin, 50 * latency, NEVER / 4);
	uint64_t end = e->until + span, step = clamp(span / 16, 1, 5 * (latency + 1));
	e->seen.saturated = true;
	for (;;) {
		if (stalled(e))
			return;
		if (!outstanding(e)) {
			e->seen.saturated = false;
			return;
		}
		if (e->now >= end)
			return;
		packet_go_on(e, e->now + step < end ? e->now + step : end);
	}
}

/* Counts packets that are being sent when the measurement begins, or goes on, from then on. */
static void begin_busy(struct packet_engine *e)
{
	for (uint32_t c = 0; e->seen.busy && c < e->channels; c++) {
		uint64_t until = e->output[c].busy < e->until ? e->output[c].busy : e->until;
		e->seen.busy[c] += until > e->now ? until - e->now : 0;
	}
}

/* Begins the measurement now: batches of so many picoseconds. */
static void begin_measuring(struct packet_engine *e, uint64_t span)
{
	e->batch_time = (span + PACKET_BATCHES - 1) / PACKET_BATCHES;
	e->begin = e->seen.warmup = e->now;
	e->until = e->begin + e->batch_time * PACKET_BATCHES;
	begin_busy(e);
}

/* Doubles the length of the measurement, whose end is now: two batches become one. */
static void measure_longer(struct packet_engine *e)
{
	struct packet_batch *batch = e->seen.batch;
	for (int b = 0; b < PACKET_BATCHES / 2; b++)
		for (size_t i = 0; i < BATCH_NUMBERS; i++)
			((uint64_t *)&batch[b])[i] = ((uint64_t *)&batch[2 * b])[i] + ((uint64_t *)&batch[2 * b + 1])[i];
	memset(batch + PACKET_BATCHES / 2, 0, PACKET_BATCHES / 2 * sizeof *batch);
	e->batch_time *= 2;
	e->until = e->begin + e->batch_time * PACKET_BATCHES;
	begin_busy(e);
}

/*
 * Returns whether the bytes of so many packets, accepted during the measurement, are fewer than was offered, by more than four standard
 * deviations: of independent packets, or of messages of sizes that are drawn.
 */
static bool overloaded(const struct packet_engine *e, double accepted, double packets)
{
	const double least = 0.03, offered = e->seen.bytes_offered * (double)(e->until - e->begin) - (double)e->lost_bytes;
	double noise = e->load.sizes ? 4 * sqrt(message_sizes_spread(e->load.sizes) * e->load.bytes / offered)
		       : packets > 0 ? 4 / sqrt(packets)
				     : 1;
	return accepted < offered * (1 - fmax(noise, least));
}

/* How well the measurement is known so far. */
enum precision { PRECISE, VAGUE, HOPELESS /* less is accepted than offered, so latencies grow without end */ };

/*
 * Compares the larger of the two relative half widths with the precision. An interval can be too narrow by chance, and the first such one
 * would end the measurement: so that of half the time, *before, must have been within the precision, too.
 */
static enum precision precision_of(const struct packet_engine *e, double *before)
{
	struct packet_batch batch[PACKET_BATCHES];
	double latency[PACKET_BATCHES], packets[PACKET_BATCHES], bytes[PACKET_BATCHES], time[PACKET_BATCHES], sums[3] = {0};
	memcpy(batch, e->seen.batch, sizeof batch);
	if (e->parallel)
		e->setup.peers->sum(e->setup.peers->data, (uint64_t *)batch, PACKET_BATCHES * BATCH_NUMBERS);
	for (int b = 0; b < PACKET_BATCHES; b++) {
		sums[0] += latency[b] = (double)batch[b].latency;
		sums[1] += packets[b] = (double)batch[b].packets;
		sums[2] += bytes[b] = (double)batch[b].accepted;
		time[b] = (double)e->batch_time;
	}
	double mean = sums[0] / sums[1], accepted = sums[2] / ((double)e->batch_time * PACKET_BATCHES), last = *before;
	if (overloaded(e, sums[2], sums[2] / e->setup.mtu))
		return sums[2] / e->setup.mtu > MANY_PACKETS / 10 ? HOPELESS : VAGUE;
	double half =
		fmax(batch_half_width(latency, packets, PACKET_BATCHES) / mean, batch_half_width(bytes, time, PACKET_BATCHES) / accepted);
	*before = isfinite(half) ? half : INFINITY;
	return *before <= e->load.precision && last <= e->load.precision ? PRECISE : VAGUE;
}

/* Measures for that time, or until the precision is reached; then the measurement is as long as it took, but at most longest. */
static void measure(struct packet_engine *e, uint64_t span, uint64_t longest)
{
	int first = 1;
	double before = INFINITY;
	begin_measuring(e, span);
	for (;;) {
		for (int b = first; b <= PACKET_BATCHES && !stalled(e); b++)
			packet_go_on(e, e->begin + (uint64_t)b * e->batch_time);
		if (e->ending != RUN_OK || e->load.precision <= 0)
			break;
		enum precision known = precision_of(e, &before);
		e->seen.precise = known == PRECISE;
		if (known != VAGUE || e->until - e->begin > longest / 2)
			break;
		measure_longer(e);
		first = PACKET_BATCHES / 2 + 1;
	}
	e->seen.measured = e->until - e->begin;
}

/* Returns the bytes of the smallest packet. */
static uint32_t smallest_packet(const struct packet_engine *e)
{
	uint32_t rest = (uint32_t)fmod(e->load.bytes, e->setup.mtu);
	return e->load.sizes ? 1 : rest ? rest : e->setup.mtu;
}

enum run_status packet_run_load(struct packet_engine *e, const struct packet_load *load, struct packet_seen *seen, struct error *error)
{
	packet_begin(e, error);
	packet_free_graph(e);
	e->run.graph = NULL;
	e->load = *load;
	e->paired = e->setup.pairs || e->setup.congestion;
	if (e->paired && (packet_pairs_begin(e, error) || packet_control_begin(e, error)))
		return RUN_FAILED;
	e->seen.open = true;
	e->seen.precise = load->precision <= 0;
	e->begin = e->until = e->batch_time = NEVER;
	if (e->regions)
		packet_regions_look_ahead(e, smallest_packet(e) + e->setup.header);
	if (error->status || packet_start_senders(e, error))
		return RUN_FAILED;
	if (!e->seen.senders) { /* all messages are host-local: there is nothing to wait for */
		e->seen.steady = true;
		*seen = e->seen;
		return RUN_OK;
	}
	uint64_t latency = warm_up(e);
	if (e->ending == RUN_OK) {
		uint64_t span = clamp(time_for(e, load->precision > 0 ? SOME_PACKETS : MANY_PACKETS), 20 * latency, 300 * latency);
		uint64_t least = time_for_both(e, SOME_PACKETS, SOME_MESSAGES),
			 longest = load->measure ? load->measure : time_for(e, MOST_PACKETS);
		span = span > least ? span : least;
		span = load->measure && (load->precision <= 0 || load->measure < span) ? load->measure : span;
		measure(e, span, longest);
		drain(e, latency);
	}
	packet_end_blocks(e);
	sum_all(e);
	if (e->hosts)
		packet_hosts_end(e);
	if (e->samples)
		packet_samples_end(e);
	struct packet_seen *s = &e->seen;
	s->end = e->now;
	s->saturated |= e->begin != NEVER && overloaded(e, (double)s->all.accepted, (double)s->all.packets);
	*seen = *s;
	return e->ending;
}
