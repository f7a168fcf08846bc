/* What a run of the packet engine takes: options as numbers, the routing and its check, the processes that share it. */
#include "engines/packet/packet_row.h"

#include "base/memory.h"
#include "base/shown.h"
#include "engines/packet/packet_coarse.h"
#include "fabric/partition.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gives each process its part of the nodes. */
static int parallel(struct packets *p, struct error *error)
{
	const struct fabric *f = p->setup->fabric;
	const struct peers *peers = p->setup->peers;
	p->part = array_create(f->nodes, sizeof *p->part, error);
	if (p->part && !peers->rank)
		partition_make(f, p->setup->latency, p->router->group, (uint32_t)peers->count, p->part, error);
	if (packets_agree(p, error))
		return -1;
	peers->broadcast(peers->data, p->part, f->nodes * sizeof *p->part);
	p->peers = (struct packet_peers){
		.rank = peers->rank,
		.count = peers->count,
		.part = p->part,
		.data = peers->data,
		.exchange = peers->exchange,
		.least = peers->least,
		.sum = peers->sum,
	};
	p->packet.peers = &p->peers;
	return 0;
}

/* Checks that packets cannot wait for one another in a cycle. In process 0. */
static int check_lanes(struct packets *p, struct error *error)
{
	struct error found = {0};
	bool checked = true;
	if (!packet_router_check(p->router, &checked, &found)) {
		p->packet.proved = checked && !p->own.value[CHANNEL_LANES] && !p->failing.count;
		if (!checked && p->setup->notes)
			fprintf(p->setup->notes, "orcs: note: the fabric is too large for a deadlock check before the run\n");
		return 0;
	}
	bool unknown = p->router->levels && p->qos.lanes && p->qos.lanes->unknown;
	if (found.status != STATUS_FABRIC || !(unknown || p->options->allow_deadlock))
		return error_set(error, found.status, "%s%s", found.text,
			found.status == STATUS_FABRIC ? "; choose another routing, or add --allow-deadlock" : "");
	if (p->setup->notes)
		fprintf(p->setup->notes, "orcs: warning: %s%s\n",
			unknown ? "service levels are unknown (see --service-levels); on level 0, " : "", found.text);
	return 0;
}

/* Checks the tables that follow failures in the same way. In process 0. */
static int check_afterwards(struct packets *p, struct error *error)
{
	const struct forwarding *whole = p->router->setup.forwarding;
	struct forwarding *const *after = p->failing.afterwards;
	if (after && (!p->router->levels || p->routing.multipath))
		return error_set(
			error, STATUS_USAGE, "--reroute replaces tables: it needs --packet-routing tables, and one route for each pair");
	for (size_t i = 0; after && i < p->failing.count && !error->status; i++) {
		p->router->setup.forwarding = after[i];
		if (!i || after[i] != after[i - 1])
			check_lanes(p, error);
	}
	p->router->setup.forwarding = whole;
	return error->status ? -1 : 0;
}

/* Returns the default routing: for computed routes the one that follows them, with the number of lanes that it needs, otherwise tables. */
static const char *usual_routing(const struct packets *p)
{
	const struct routing_function *function = p->routing.forwarding->function;
	for (const struct packet_routing *const *r = packet_routings; function && *r; r++)
		if (!strcmp((*r)->name, function->routing))
			return (*r)->name;
	return "tables";
}

/* Returns the delays of a channel. */
static struct channel_delays delays_of(const struct packets *p, uint32_t channel)
{
	const struct packet_options *o = p->options;
	return (struct channel_delays){
		packet_channel_value(&p->own, CHANNEL_ROUTING, channel, o->routing_delay),
		packet_channel_value(&p->own, CHANNEL_ARBITRATION, channel, o->arbitration_delay),
		packet_channel_value(&p->own, CHANNEL_CREDIT, channel, o->credit_delay),
	};
}

/* Returns the default bytes of a lane's buffer: several packets, and at least as many as can be in transit until credits return. */
static uint32_t usual_buffer(const struct packets *p, uint32_t packet)
{
	const double few = 8, most = UINT32_MAX / 2;
	const struct engine_setup *s = p->setup;
	double packets = few;
	for (uint32_t c = 0; c < s->fabric->channels; c++) {
		struct channel_delays delays = delays_of(p, c);
		double way = 2 * (s->latency ? s->latency[c] : 0) + delays.routing + delays.arbitration + delays.credit;
		packets = fmax(packets, ceil(way * s->capacity[c] / 8 / packet - 1e-9) + 2);
	}
	return (uint32_t)fmin(packets * packet, most);
}

/* Returns the bytes of the longest message of an open loop. */
static double longest_message(const struct packets *p)
{
	const struct packet_options *o = p->options;
	double longest = o->drawn_sizes ? p->sizes.point[p->sizes.points - 1].bytes : p->setup->bytes;
	for (uint32_t i = 0; i < o->sizes; i++)
		longest = fmax(i ? longest : 0, o->size[i]);
	return longest;
}

/*
 * Returns whether hosts have a queue pair for each receiver. In an open loop of single packets they have one queue by default, as in the
 * literature: with turns of receivers a host that is overloaded would send to all of them equally, not as the traffic says.
 */
static bool has_pairs(const struct packets *p)
{
	const struct packet_options *o = p->options;
	if (o->qps != QPS_DEFAULT)
		return o->qps == QPS_PAIR;
	return !p->setup->terms->open || o->congestion || o->qp_burst || longest_message(p) > o->mtu;
}

/* Returns the bytes of a buffer with that many: coarser, and whole blocks of credit. */
static uint32_t whole_blocks(const struct packets *p, double bytes)
{
	const struct packet_options *o = p->options;
	return (uint32_t)fmin(bytes * o->coarsen, INT32_MAX) / o->credit_block * o->credit_block;
}

/* Sets the parameters of the routing and the packets. */
static void describe_setup(struct packets *p)
{
	const struct engine_setup *s = p->setup;
	const struct packet_options *o = p->options;
	p->packet = (struct packet_setup){
		.fabric = s->fabric,
		.capacity = s->capacity,
		.latency = s->latency,
		.mtu = o->mtu,
		.header = o->header,
		.first_header = o->first_header,
		.credit_block = o->credit_block,
		.pairs = has_pairs(p),
		.qp_burst = o->qp_burst ? o->qp_burst : 1,
		.eager = o->eager,
		.control = o->control,
		.routing_delay = o->routing_delay,
		.arbitration_delay = o->arbitration_delay,
		.credit_delay = o->credit_delay,
		.internal_rate = o->internal_rate,
		.speedup = o->speedup,
		.voq = o->voq,
		.store_forward = o->store_forward,
		.arbiter = o->arbiter,
		.allocator = o->allocator,
		.arbitrations = p->qos.arbitrations,
		.service_level = o->qos.leveled ? o->qos.level : SERVICE_LEVEL_OF_PAIR,
		.inject_rate = o->inject_rate,
		.deliver_rate = o->deliver_rate,
		.inject_latency = o->inject_latency,
		.deliver_latency = o->deliver_latency,
		.memory = s->memory,
		.failure = p->failing.failure,
		.failures = p->failing.count,
		.afterwards = p->failing.afterwards,
		.drop = s->drop,
		.link_times = s->wants & (SEEN_CHANNELS | SEEN_HOSTS),
		.accepted = s->wants & SEEN_ACCEPTED,
		.hosts = s->wants & SEEN_HOSTS,
		.queues = s->wants & SEEN_QUEUES,
		.levels = s->wants & SEEN_LEVELS,
		.message_times = s->terms->open && (s->wants & SEEN_TIMES || (s->wants & SEEN_ACCEPTED && longest_message(p) > o->mtu)),
		.open = s->terms->open,
		.regions = o->regions,
		.threads = o->threads,
		.seed = s->seed,
		.stop = s->stop,
	};
	const struct tier_values *buffer = &o->of_channels[CHANNEL_BUFFER], *lanes = &o->of_channels[CHANNEL_LANES];
	p->packet.buffer = whole_blocks(p, buffer->count ? buffer->value[0] : usual_buffer(p, packet_largest(&p->packet)));
	packet_coarsen(&p->packet, o->coarsen);
	p->routing = (struct packet_router_setup){
		.fabric = s->fabric,
		.forwarding = s->forwarding,
		.multipath = s->multipath,
		.service = p->qos.lanes,
		.service_levels = p->qos.levels,
		.topology = s->topology,
		.lanes = (unsigned)(lanes->count                  ? tier_values_largest(lanes)
				    : p->own.value[CHANNEL_LANES] ? packet_channels_largest(&p->own, CHANNEL_LANES, s->fabric->channels, 0)
								  : 0),
		.buffer = p->packet.buffer,
		.packet = packet_largest(&p->packet),
		.seed = s->seed,
	};
}

/* Gives channels the buffers of their own, and buffer the smallest of all. */
static void give_buffers(struct packets *p, struct error *error)
{
	const struct fabric *f = p->setup->fabric;
	uint32_t usual = p->packet.buffer;
	if (!p->own.value[CHANNEL_BUFFER] || !(p->buffers = array_create(f->channels, sizeof *p->buffers, error)))
		return;
	p->packet.buffers = p->buffers;
	for (uint32_t c = 0; c < f->channels; c++) {
		p->buffers[c] = p->own.value[CHANNEL_BUFFER][c] > 0 ? whole_blocks(p, p->own.value[CHANNEL_BUFFER][c]) : usual;
		p->packet.buffer = p->buffers[c] < p->packet.buffer || !c ? p->buffers[c] : p->packet.buffer;
	}
	p->routing.buffer = p->packet.buffer;
}

/* The same for delays. */
static void give_delays(struct packets *p, struct error *error)
{
	struct packet_setup *s = &p->packet;
	if (!p->own.value[CHANNEL_ROUTING] && !p->own.value[CHANNEL_ARBITRATION] && !p->own.value[CHANNEL_CREDIT])
		return;
	s->delays = p->delays = array_create(s->fabric->channels, sizeof *p->delays, error);
	for (uint32_t c = 0; p->delays && c < s->fabric->channels; c++) {
		struct channel_delays d = p->delays[c] = delays_of(p, c);
		s->routing_delay = c ? fmin(s->routing_delay, d.routing) : d.routing;
		s->arbitration_delay = c ? fmin(s->arbitration_delay, d.arbitration) : d.arbitration;
		s->credit_delay = c ? fmin(s->credit_delay, d.credit) : d.credit;
	}
}

/* The same for virtual lanes. */
static void give_lanes(struct packets *p, struct error *error)
{
	const struct fabric *f = p->setup->fabric;
	if (!p->own.value[CHANNEL_LANES] || !(p->channel_lanes = array_create(f->channels, sizeof *p->channel_lanes, error)))
		return;
	p->packet.channel_lanes = p->channel_lanes;
	p->packet.lane_maps = p->lane_maps;
	for (uint32_t c = 0; c < f->channels; c++)
		p->channel_lanes[c] = (uint8_t)packet_channel_value(&p->own, CHANNEL_LANES, c, p->router->lanes);
	packet_lane_maps_make(p->lane_maps, &p->own, p->name, p->router, &p->routing, error);
}

/* Returns the bits/s of the slowest link of a host. */
static double slowest_link(const struct packets *p)
{
	const struct fabric *f = p->setup->fabric;
	double slowest = INFINITY;
	for (uint32_t h = 0; h < f->hosts; h++)
		for (uint32_t c = f->first_channel[f->host_node[h]]; c < f->first_channel[f->host_node[h] + 1]; c++)
			slowest = fmin(slowest, p->setup->capacity[c]);
	return slowest;
}

int packets_make(struct packets *p, struct error *error)
{
	const struct engine_setup *s = p->setup;
	packet_qos_make(&p->qos, &p->options->qos, s, error);
	if (packets_agree(p, error) || failing_make(&p->failing, s, error))
		return -1;
	if (s->verbose)
		failing_tell(&p->failing, s->fabric, s->verbose);
	if (p->options->drawn_sizes)
		message_sizes_read(&p->sizes, p->options->drawn_sizes, error);
	if (packets_agree(p, error))
		return -1;
	if (packet_channels_make(&p->own, p->options->of_channels, s, error))
		return -1;
	describe_setup(p);
	give_buffers(p, error);
	give_delays(p, error);
	if (packets_agree(p, error))
		return -1;
	p->name = p->options->routing ? p->options->routing : usual_routing(p);
	struct error unsuited = {0};
	p->router = packet_router_create(p->name, &p->routing, &unsuited);
	if (unsuited.status == STATUS_FABRIC && !p->options->routing) {
		unsuited = (struct error){0};
		p->router = packet_router_create(p->name = "tables", &p->routing, &unsuited);
	}
	if (unsuited.status)
		error_set(error, unsuited.status, "%s", unsuited.text);
	else
		packet_qos_check(&p->qos, &p->options->qos, p->router, p->options->allocator, error);
	if (packets_agree(p, error))
		return -1;
	if (!s->peers->rank && !check_lanes(p, error) && !check_afterwards(p, error) && s->notes && *p->router->note)
		fprintf(s->notes, "orcs: note: %s\n", SHOWN(p->router->note));
	if (packets_agree(p, error))
		return -1;
	s->peers->broadcast(s->peers->data, &p->packet.proved, sizeof p->packet.proved);
	if (s->shared_run && p->router->remote)
		error_set(error, STATUS_USAGE,
			"packet routing '%s' reads queues of the whole network, so one run cannot be divided between processes", p->name);
	if (packets_agree(p, error) || (s->shared_run && parallel(p, error)))
		return -1;
	p->packet.router = p->router;
	give_lanes(p, error);
	if (p->options->congestion)
		p->packet.congestion = p->control = control_create(p->options->congestion, p->packet.buffer, slowest_link(p), error);
	if (packets_agree(p, error))
		return -1;
	p->engine = packet_create(&p->packet, error);
	return p->engine ? 0 : -1;
}
