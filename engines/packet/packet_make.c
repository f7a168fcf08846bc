/* The packet engine: its construction. */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const packet_arbiters[] = {"round-robin", "matrix", "age", "priority", "lane", NULL};
const char *const packet_allocators[] = {"output", "input", NULL};

/* Returns picoseconds per byte, times 2^RATE_BITS; 0: no time. */
static uint64_t rate_of(double bits_per_second)
{
	return bits_per_second > 0 ? (uint64_t)llround(8 * PICOSECONDS / bits_per_second * (1 << RATE_BITS)) : 0;
}

static uint64_t ticks(double seconds)
{
	return (uint64_t)llround(seconds * PICOSECONDS);
}

/* Returns the bytes that occupy the buffer at the far end of a channel, or are on their way, while it is always busy but never waits. */
static uint64_t round_trip(const struct packet_engine *e, uint32_t channel)
{
	const struct channel_speed *s = packet_speed(e, channel);
	uint64_t delays = packet_routing_delay(e, channel) + packet_arbitration_delay(e, channel) + packet_credit_delay(e, channel);
	uint64_t packet = transfer_time(s->rate, e->largest), times = e->setup.store_forward ? 2 : 1;
	uint64_t time = 2 * s->latency + delays + times * packet;
	return (uint64_t)(((unsigned __int128)time << RATE_BITS) / s->rate);
}

static uint64_t time_now(void *data)
{
	return ((const struct packet_engine *)data)->now;
}

static uint64_t queued(void *data, uint32_t channel, uint32_t lanes, bool over)
{
	struct packet_engine *e = data;
	uint64_t bytes = 0;
	lanes &= (1u << e->lanes) - 1;
	for (uint32_t rest = packet_lanes_meant(e, channel, (uint16_t)lanes); rest; rest &= rest - 1) {
		struct credit *credit = packet_credit(e, (channel << e->shift) + (uint32_t)__builtin_ctz(rest));
		packet_settle(e, credit);
		bytes += packet_buffer(e, channel) - credit->bytes;
	}
	uint64_t usual = over ? round_trip(e, channel) : 0;
	return e->backlog[channel] + (bytes > usual ? bytes - usual : 0);
}

static void rank_all(void *data, const uint32_t *channel, uint32_t count, uint16_t lanes, struct packet_candidate *way)
{
	struct packet_engine *e = data;
	struct packet_output *output = e->output;
	const uint32_t *backlog = e->backlog, *buffers = e->setup.buffers, buffer = e->setup.buffer;
	uint64_t limit = e->router->rank_limit, scale = e->router->rank_scale;
	if (lanes != 1 || e->setup.channel_lanes) {
		for (uint32_t i = 0; i < count; i++)
			way[i] = (struct packet_candidate){
				channel[i], lanes, packet_rank_of(queued(e, channel[i], lanes, false), limit, scale), 0};
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct credit *credit = &output[channel[i]].credit;
		packet_settle(e, credit);
		uint64_t bytes = backlog[channel[i]] + ((buffers ? buffers[channel[i]] : buffer) - credit->bytes);
		way[i] = (struct packet_candidate){channel[i], 1, packet_rank_of(bytes, limit, scale), 0};
	}
}

/* Numbers the input ports of each node, and the crosspoints of outputs and inputs. */
static void make_crosspoints(struct packet_engine *e, struct error *error)
{
	const struct fabric *f = e->fabric;
	uint32_t *inputs = array_create(f->nodes, sizeof *inputs, error), ports = e->channels + f->hosts;
	e->port_place = array_create(ports, sizeof *e->port_place, error);
	e->cross_first = array_create(e->channels, sizeof *e->cross_first, error);
	e->port_lanes = e->host_queues > 1u << e->shift ? e->host_queues : 1u << e->shift;
	if (!error->status) {
		for (uint32_t p = 0; p < ports; p++)
			e->port_place[p] = inputs[p < e->channels ? f->head[p] : f->host_node[p - e->channels]]++;
		for (uint32_t c = 0; c < e->channels; c++) {
			e->cross_first[c] = e->crosspoints;
			e->crosspoints += inputs[e->output[c].credit.tail];
		}
		if (e->arbiter == ARBITER_MATRIX)
			e->stamp = array_create(e->crosspoints * e->port_lanes, sizeof *e->stamp, error);
		else
			e->lane_turn = array_create(e->crosspoints, sizeof *e->lane_turn, error);
	}
	free(inputs);
}

/* Returns the queues of each sending host: one for each lane of its ports, if queue pairs take turns. */
static uint32_t count_host_queues(const struct packet_engine *e)
{
	const struct fabric *f = e->fabric;
	uint32_t ports = 1;
	for (uint32_t h = 0; e->setup.pairs && h < f->hosts; h++) {
		uint32_t of_host = f->first_channel[f->host_node[h] + 1] - f->first_channel[f->host_node[h]];
		ports = of_host > ports ? of_host : ports;
	}
	return e->setup.pairs ? ports * e->lanes : 1;
}

static void make_arrays(struct packet_engine *e, struct error *error)
{
	const struct packet_setup *s = &e->setup;
	e->output = block_create(e->channels * sizeof *e->output, error);
	if (e->shift)
		e->credit = block_create(e->sources * sizeof *e->credit, error);
	if (e->router->routing->looks || s->queues)
		e->backlog = array_create(e->channels, sizeof *e->backlog, error);
	e->waited = array_create(e->channels, sizeof *e->waited, error);
	e->queue = block_create(e->sources * sizeof *e->queue, error);
	e->first_look = array_create(e->fabric->nodes, sizeof *e->first_look, error);
	e->source = array_create(e->fabric->hosts, sizeof *e->source, error);
	e->seen.latency_bins = array_create(LATENCY_BINS, sizeof *e->seen.latency_bins, error);
	if (s->speedup && (s->voq || s->speedup < e->lanes)) /* otherwise its queues limit a port as much */
		e->port = array_create((size_t)e->channels * s->speedup, sizeof *e->port, error);
	if (s->allocator == ALLOCATOR_INPUT) {
		e->served = array_create((size_t)e->channels + e->fabric->hosts, sizeof *e->served, error);
		e->choice = array_create((size_t)e->channels + e->fabric->hosts, sizeof *e->choice, error);
	}
	if (s->levels) {
		e->seen.lanes = e->lanes;
		e->seen.level = array_create(SERVICE_LEVELS_MOST, sizeof *e->seen.level, error);
		e->seen.level_bins = array_create((size_t)SERVICE_LEVELS_MOST * LATENCY_BINS, sizeof *e->seen.level_bins, error);
		e->seen.lane_bytes = array_create((size_t)e->channels * e->lanes, sizeof *e->seen.lane_bytes, error);
	}
	if (s->link_times) {
		e->seen.sent = array_create(e->channels, sizeof *e->seen.sent, error);
		e->seen.left = array_create(e->channels, sizeof *e->seen.left, error);
		e->seen.busy = array_create(e->channels, sizeof *e->seen.busy, error);
		e->seen.blocked = array_create(e->channels, sizeof *e->seen.blocked, error);
		e->blocked_since = array_create(e->channels, sizeof *e->blocked_since, error);
	}
	if (s->accepted || s->hosts)
		e->hosts = packet_hosts_create(e->fabric->hosts, s->hosts, error);
	if (s->queues)
		e->samples = packet_samples_create(e->channels, error);
}

static int compare_speeds(const void *left, const void *right)
{
	const struct channel_speed *a = left, *b = right;
	if (a->rate != b->rate)
		return a->rate < b->rate ? -1 : 1;
	return (a->latency > b->latency) - (a->latency < b->latency);
}

/* Keeps each speed once, and numbers those of the channels, if that makes them few. */
static void number_speeds(struct packet_engine *e, struct error *error)
{
	struct channel_speed *few = array_copy(e->speed, e->channels, sizeof *few, error);
	uint32_t kept = 0;
	if (!few)
		return;
	qsort(few, e->channels, sizeof *few, compare_speeds);
	for (uint32_t c = 0; c < e->channels; c++)
		if (!c || compare_speeds(&few[c], &few[kept - 1]))
			few[kept++] = few[c];
	e->speeds = kept;
	if (kept > SPEEDS_MOST) {
		free(few);
		return;
	}
	for (uint32_t c = 0; c < e->channels; c++) {
		const struct channel_speed *found = bsearch(&e->speed[c], few, kept, sizeof *few, compare_speeds);
		e->output[c].speed = (uint16_t)(found - few) & SPEEDS_MOST;
	}
	free(e->speed);
	e->speed = few;
}

static void make_channels(struct packet_engine *e, struct error *error)
{
	const struct fabric *f = e->fabric;
	e->speed = array_create(e->channels, sizeof *e->speed, error);
	for (uint32_t node = 0; e->speed && node < f->nodes; node++)
		for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++) {
			e->output[c].credit.tail = node;
			e->output[c].head = f->head[c];
			e->speed[c] =
				(struct channel_speed){rate_of(e->setup.capacity[c]), e->setup.latency ? ticks(e->setup.latency[c]) : 0};
			e->mixed |= e->speed[c].rate != e->speed[0].rate;
		}
	if (e->speed)
		number_speeds(e, error);
}

static void make_delays(struct packet_engine *e, struct error *error)
{
	const struct channel_delays *d = e->setup.delays;
	e->delay = array_create(e->channels, sizeof *e->delay, error);
	for (uint32_t c = 0; e->delay && c < e->channels; c++)
		e->delay[c] = (struct packet_delay){ticks(d[c].routing), ticks(d[c].arbitration), ticks(d[c].credit)};
}

/* Rejects delays of which a few in a row would reach the longest time. Returns 0, or -1. */
static int check_time(double seconds, const char *what, struct error *error)
{
	const double longest = 1000;
	if (seconds <= longest)
		return 0;
	return error_set(error, STATUS_USAGE, "%s is %g seconds, more than %g", what, seconds, longest);
}

/* The same for the time of an MTU at a rate; 0: no limit. */
static int check_rate(const struct packet_setup *s, double rate, struct error *error)
{
	const double longest = 1e5, seconds = rate > 0 ? 8.0 * s->mtu / rate : 0;
	if (rate > 0 && rate < 1)
		return error_set(error, STATUS_USAGE, "a rate is %g bits/s, less than 1", rate);
	if (seconds <= longest)
		return 0;
	return error_set(
		error, STATUS_USAGE, "at %g bits/s a packet of %u bytes takes %g seconds, more than %g", rate, s->mtu, seconds, longest);
}

static int check_times(const struct packet_setup *s, struct error *error)
{
	if (check_time(s->routing_delay, "--routing-delay", error) || check_time(s->arbitration_delay, "--arbitration-delay", error) ||
		check_time(s->credit_delay, "--credit-delay", error) || check_time(s->inject_latency, "--injection-latency", error) ||
		check_time(s->deliver_latency, "--delivery-latency", error) || check_rate(s, s->inject_rate, error) ||
		check_rate(s, s->deliver_rate, error))
		return -1;
	for (uint32_t c = 0; c < s->fabric->channels; c++)
		if ((s->latency && check_time(s->latency[c], "the latency of a channel", error)) || check_rate(s, s->capacity[c], error))
			return -1;
	for (uint32_t c = 0; s->delays && c < s->fabric->channels; c++)
		if (check_time(s->delays[c].routing, "--routing-delay", error) ||
			check_time(s->delays[c].arbitration, "--arbitration-delay", error) ||
			check_time(s->delays[c].credit, "--credit-delay", error))
			return -1;
	return 0;
}

static int check(const struct packet_setup *s, struct error *error)
{
	if (!s->mtu || s->mtu > PACKET_LARGEST)
		return error_set(error, STATUS_USAGE, "--mtu is %u bytes, not 1 to %d", s->mtu, PACKET_LARGEST);
	uint32_t largest = packet_largest(s);
	if (s->buffer < largest && largest == s->mtu)
		return error_set(error, STATUS_USAGE, "--buffer is %u bytes, less than one MTU (--mtu, %u bytes)", s->buffer, s->mtu);
	if (s->buffer < largest)
		return error_set(error, STATUS_USAGE,
			"--buffer is %u bytes, less than the room of one packet (%u bytes: --mtu, --header and --credit-block)", s->buffer,
			largest);
	if (s->eager && s->control > s->mtu)
		return error_set(error, STATUS_USAGE, "--rts-size is %u bytes, more than one MTU (--mtu)", s->control);
	return check_times(s, error);
}

/* Returns whether packets wait and go without what has to be looked at for each of them: then the switches branch once. */
static bool packet_is_plain(const struct packet_engine *e)
{
	const struct packet_setup *s = &e->setup;
	return !e->mixed && !e->told && !e->failures && !e->lane_arbiter && !e->blocked_since && !e->seen.lane_bytes && !e->choice &&
	       !e->stamp && !s->congestion && !s->voq && !s->store_forward && !e->delay && !e->router->routing->taken;
}

struct packet_engine *packet_create(const struct packet_setup *setup, struct error *error)
{
	struct packet_engine *e = check(setup, error) ? NULL : array_create(1, sizeof *e, error);
	if (!e)
		return NULL;
	e->setup = *setup;
	e->fabric = setup->fabric;
	e->router = setup->router;
	e->channels = e->fabric->channels;
	e->lanes = e->router->lanes;
	if (!e->router->levels)
		e->setup.service_level = 0;
	while (1u << e->shift < e->lanes)
		e->shift++;
	e->host_queues = count_host_queues(e);
	e->arbiter = setup->arbiter == ARBITER_ROUND_ROBIN && e->lanes == 1 && e->host_queues == 1 ? ARBITER_LANE : setup->arbiter;
	e->largest = setup->mtu + setup->header + setup->first_header;
	if (((uint64_t)e->channels << e->shift) + (uint64_t)e->fabric->hosts * e->host_queues >= NONE)
		error_set(error, STATUS_USAGE, "%u channels with %u virtual lanes each are too many: reduce --virtual-lanes", e->channels,
			e->lanes);
	e->sources = e->channels << e->shift;
	e->queues = e->sources + e->fabric->hosts * e->host_queues;
	e->routing = ticks(setup->routing_delay);
	e->arbitration = ticks(setup->arbitration_delay);
	e->credit_delay = ticks(setup->credit_delay);
	e->inject_rate = rate_of(setup->inject_rate);
	e->deliver_rate = rate_of(setup->deliver_rate);
	e->inject_latency = ticks(setup->inject_latency);
	e->deliver_latency = ticks(setup->deliver_latency);
	e->mixed = setup->inject_rate > 0 || setup->inject_latency > 0 || setup->internal_rate > 1;
	e->router->view = (struct packet_view){.engine = e,
		.queued = queued,
		.queued_anywhere = setup->peers ? NULL : queued,
		.told = packet_told_waiting,
		.now = time_now,
		.rank_all = rank_all};
	if (!error->status)
		make_arrays(e, error);
	if (!error->status)
		make_channels(e, error);
	if (!error->status && setup->delays)
		make_delays(e, error);
	if (!error->status && (e->arbiter == ARBITER_MATRIX || e->arbiter == ARBITER_ROUND_ROBIN))
		make_crosspoints(e, error);
	if (!error->status && setup->message_times)
		e->messages = packet_messages_create(e, error);
	if (!error->status && !packet_lanes_create(e, error))
		packet_failures_create(e, error);
	if (!error->status && e->router->group)
		e->told = packet_told_create(e, error);
	e->plain = packet_is_plain(e);
	e->router->view.any_order = e->plain && !setup->pairs; /* queue pairs take the first candidate for their port */
	e->router->view.late =
		e->router->view.any_order && e->lanes == 1 && !setup->buffers && !setup->channel_lanes && e->router->routing->late;
	if (!error->status && !packet_regions_create(e, error) && setup->peers)
		e->parallel = packet_parallel_create(e, error);
	if (error->status) {
		packet_free(e);
		return NULL;
	}
	return e;
}

void packet_free_graph(struct packet_engine *e)
{
	free(e->left);
	free(e->slowest);
	free(e->next_message);
	free(e->first_number);
	free(e->furthest);
	free(e->rendezvous);
	free(e->others);
	free(e->stage);
	e->next_message = e->first_number = e->furthest = e->rendezvous = e->others = NULL;
	e->left = e->slowest = NULL;
	e->stage = NULL;
}

void packet_region_free(struct packet_engine *e)
{
	packet_events_clear(&e->events);
	free(e->request);
	free(e->ready);
	free(e->refund);
}

void packet_scratch_free(struct packet_engine *e)
{
	free(e->look);
	free(e->order);
	free(e->routee);
	free(e->sorting);
	free(e->trial);
	free(e->comer);
	free(e->due);
}

void packet_free(struct packet_engine *e)
{
	if (!e)
		return;
	packet_free_graph(e);
	task_run_clear(&e->run);
	free(e->run.times.sent);
	packet_regions_free(e);
	packet_region_free(e);
	packet_scratch_free(e);
	packet_parallel_free(e->parallel);
	packet_messages_free(e->messages);
	packet_lanes_free(e);
	packet_told_free(e->told);
	packet_failures_free(e);
	free(e->packet);
	free(e->arrived);
	free(e->slow);
	free(e->output);
	free(e->speed);
	free(e->delay);
	free(e->backlog);
	free(e->waited);
	free(e->credit);
	free(e->queue);
	free(e->port);
	free(e->served);
	free(e->choice);
	free(e->stamp);
	free(e->lane_turn);
	free(e->cross_first);
	free(e->port_place);
	free(e->waiting);
	free(e->unmarked);
	free(e->wanted);
	free(e->flow);
	free(e->pair);
	free(e->pair_slot);
	free(e->send);
	free(e->queued);
	free(e->source);
	free(e->next_rank);
	free(e->first_look);
	free(e->seen.latency_bins);
	free(e->seen.level);
	free(e->seen.level_bins);
	free(e->seen.lane_bytes);
	free(e->seen.sent);
	free(e->seen.left);
	free(e->seen.busy);
	free(e->seen.blocked);
	free(e->blocked_since);
	packet_hosts_free(e->hosts);
	packet_samples_free(e->samples);
	free(e);
}
