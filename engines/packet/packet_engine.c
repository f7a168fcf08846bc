/* The packet engine as a row of the table: its routing, the traffic or the graph of a run, and the processes that share one. */
#include "base/memory.h"
#include "base/shown.h"
#include "base/document.h"
#include "fabric/partition.h"
#include "fabric/walk.h"
#include "engines/packet/packet_coarse.h"
#include "engines/packet/packet_events.h"
#include "engines/packet/packet_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct packets {
	const struct engine_setup *setup;
	const struct packet_options *options;
	const char *name; /* of the routing */
	struct packet_router_setup routing;
	struct packet_router *router;
	struct packet_setup packet;
	struct packet_peers peers;
	struct control *control; /* congestion control; NULL: none */
	struct packet_qos qos;
	struct failing failing;
	struct packet_engine *engine;
	struct packet_channels own; /* what channels have of their own */
	uint32_t *buffers;          /* [channels] NULL: the same everywhere */
	struct channel_delays *delays;
	uint8_t *channel_lanes;
	struct lane_map lane_maps[PACKET_LANES_MAX + 1];
	struct message_sizes sizes; /* of open loops, if they are drawn */
	uint32_t *part;             /* [nodes] process of each node; NULL: every process has runs of its own */
	uint64_t passes, marked;    /* channels passed by packets in all runs so far; packets marked by congestion control */
	double coarse_error;        /* the estimated error of --coarsen, of the first run; NAN: there is none */
	struct channel_sums sums;
	/* of the last run */
	struct packet_seen seen;
	struct task_times times;
};

static int agree(const struct packets *p, struct error *error)
{
	return p->setup->peers->agree(p->setup->peers->data, error);
}

/* ---- setup */

/* Gives each process its part of the nodes. */
static int parallel(struct packets *p, struct error *error)
{
	const struct fabric *f = p->setup->fabric;
	const struct peers *peers = p->setup->peers;
	p->part = array_create(f->nodes, sizeof *p->part, error);
	if (p->part && !peers->rank)
		partition_make(f, p->setup->latency, p->router->group, (uint32_t)peers->count, p->part, error);
	if (agree(p, error))
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

/*
 * Creates the routing, checks for deadlocks (or reports them, if that is permitted), and creates the engine, divided between the processes
 * if they share runs.
 */
static int make(struct packets *p, struct error *error)
{
	const struct engine_setup *s = p->setup;
	packet_qos_make(&p->qos, &p->options->qos, s, error);
	if (agree(p, error) || failing_make(&p->failing, s, error))
		return -1;
	if (s->verbose)
		failing_tell(&p->failing, s->fabric, s->verbose);
	if (p->options->drawn_sizes)
		message_sizes_read(&p->sizes, p->options->drawn_sizes, error);
	if (agree(p, error))
		return -1;
	if (packet_channels_make(&p->own, p->options->of_channels, s, error))
		return -1;
	describe_setup(p);
	give_buffers(p, error);
	give_delays(p, error);
	if (agree(p, error))
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
	if (agree(p, error))
		return -1;
	if (!s->peers->rank && !check_lanes(p, error) && !check_afterwards(p, error) && s->notes && *p->router->note)
		fprintf(s->notes, "orcs: note: %s\n", SHOWN(p->router->note));
	if (agree(p, error))
		return -1;
	if (s->shared_run && p->router->remote)
		error_set(error, STATUS_USAGE,
			"packet routing '%s' reads queues of the whole network, so one run cannot be divided between processes", p->name);
	if (agree(p, error) || (s->shared_run && parallel(p, error)))
		return -1;
	p->packet.router = p->router;
	give_lanes(p, error);
	if (p->options->congestion)
		p->packet.congestion = p->control = control_create(p->options->congestion, p->packet.buffer, slowest_link(p), error);
	if (agree(p, error))
		return -1;
	p->engine = packet_create(&p->packet, error);
	return p->engine ? 0 : -1;
}

static void release(void *engine)
{
	struct packets *p = engine;
	if (!p)
		return;
	packet_free(p->engine);
	packet_router_free(p->router);
	message_sizes_clear(&p->sizes);
	packet_channels_clear(&p->own);
	free(p->buffers);
	free(p->delays);
	free(p->channel_lanes);
	control_free(p->control);
	packet_qos_clear(&p->qos);
	failing_clear(&p->failing);
	free(p->part);
	free(p->sums.sum);
	free(p->sums.limit);
	free(p->sums.carried);
	free(p);
}

static void *create(const struct engine_setup *s, struct error *error)
{
	struct packets *p = array_create(1, sizeof *p, error);
	if (!p)
		return NULL;
	p->setup = s;
	p->options = s->options;
	p->sums.unit = 1;
	p->coarse_error = NAN;
	if (s->wants & SEEN_CHANNELS) {
		p->sums.sum = array_create(s->fabric->channels, sizeof *p->sums.sum, error);
		p->sums.limit = array_create(s->fabric->channels, sizeof *p->sums.limit, error);
	}
	if (s->wants & SEEN_CARRIED)
		p->sums.carried = array_create(2 * (size_t)s->fabric->channels, sizeof *p->sums.carried, error);
	if (!agree(p, error) && !make(p, error))
		return p;
	release(p);
	return NULL;
}

/* ---- runs */

static uint64_t ticks(double seconds, uint64_t preset)
{
	return seconds < 0 ? preset : (uint64_t)llround(seconds * PICOSECONDS);
}

/* Bisects the interval of loads that contains the saturation load, until it is known to a fiftieth. */
static enum run_status find_saturation(
	struct packets *p, struct packet_load *load, struct packet_seen *seen, double limits[2], struct error *error)
{
	const double close = 0.02, least = 1e-4, digits = 1e6;
	double low = 0, high = 1;
	struct packet_seen last = {0};
	load->load = high;
	enum run_status ending = packet_run_load(p->engine, load, seen, error);
	if (ending == RUN_OK && !seen->saturated)
		low = high;
	while (ending == RUN_OK && high - low > close * high && high > least) {
		load->load = round((low + high) / 2 * digits) / digits;
		ending = packet_run_load(p->engine, load, &last, error);
		p->passes += last.passes;
		*(last.saturated ? &high : &low) = load->load;
	}
	if (ending == RUN_OK && low > 0 && low != load->load) {
		load->load = low;
		ending = packet_run_load(p->engine, load, seen, error);
	} else if (low < 1) {
		*seen = last;
	}
	limits[0] = low;
	limits[1] = high;
	return ending;
}

static enum run_status run_open(struct packets *p, const struct run_request *run, struct observation *seen, struct error *error)
{
	const struct packet_options *o = p->options;
	const struct engine_setup *s = p->setup;
	uint64_t load_points = s->terms->load_points;
	struct traffic_setup setup = {
		.fabric = s->fabric,
		.topology = s->topology,
		.ranks = s->ranks,
		.host = run->host,
		.seed = s->seed,
		.run = run->number / load_points,
	};
	struct traffic_call *traffic = traffic_create(o->traffic, s->request, &setup, error);
	if (!traffic)
		return RUN_FAILED;
	uint64_t point = run->number % load_points;
	double given = o->load[o->sizes ? 0 : point];
	struct packet_load load = {
		.traffic = traffic,
		.injection = o->injection,
		.load = o->interarrival ? 0 : given,
		.interarrival = o->interarrival ? (uint64_t)llround(given * PICOSECONDS) : 0,
		.bytes = o->drawn_sizes ? message_sizes_mean(&p->sizes)
			 : o->sizes     ? o->size[point]
					: s->bytes,
		.sizes = o->drawn_sizes ? &p->sizes : NULL,
		.ranks = s->ranks,
		.host = run->host,
		.oversubscribed = s->oversubscribed,
		.run = run->number / load_points,
		.warmup = ticks(o->warmup, NEVER),
		.measure = ticks(o->measure, 0),
		.precision = s->precision,
		.drain = ticks(o->drain, NEVER),
	};
	enum run_status status = o->saturation ? find_saturation(p, &load, &p->seen, seen->saturation, error)
					       : packet_run_load(p->engine, &load, &p->seen, error);
	traffic_free(traffic);
	return status;
}

/* Returns the bytes of the shortest message of an open loop. */
static double shortest_message(const struct packets *p, const struct run_request *run)
{
	const struct packet_options *o = p->options;
	if (o->drawn_sizes)
		return fmax(floor(p->sizes.point->bytes + 0.5), 1);
	return o->sizes ? o->size[run->number % p->setup->terms->load_points] : p->setup->bytes;
}

/* Checks the messages of a run of coarse packets, and tells the error of the first. Returns 0, or -1. */
static int look_at_messages(struct packets *p, const struct run_request *run, struct error *error)
{
	unsigned factor = p->options->coarsen;
	double shortest = factor == 1 ? INFINITY : run->graph ? packet_shortest(run->graph, run->host) : shortest_message(p, run);
	if (packet_coarse_check(&p->packet, factor, shortest, error))
		return -1;
	if (factor == 1 || !isnan(p->coarse_error))
		return 0;
	p->coarse_error = packet_coarse_error(&p->packet, factor, shortest);
	if (p->setup->notes)
		fprintf(p->setup->notes,
			"orcs: note: --coarsen %u: packets of %" PRIu32 " instead of %" PRIu32
			" bytes, and larger buffers: makespans can be %.2g%% too long, and latencies are those of larger packets\n",
			factor, p->packet.mtu, p->options->mtu, 100 * p->coarse_error);
	return 0;
}

static enum run_status make_run(void *engine, const struct run_request *run, struct observation *seen, struct error *error)
{
	struct packets *p = engine;
	if (look_at_messages(p, run, error))
		return RUN_FAILED;
	p->router->setup.run = run->number / p->setup->terms->load_points;
	enum run_status status =
		run->graph ? packet_run_graph(p->engine, run->graph, run->host, &p->times, &p->seen, error) : run_open(p, run, seen, error);
	p->seen.cycles = p->options->cycles;
	p->passes += p->seen.passes;
	p->marked += p->seen.marked;
	seen->packets = &p->seen;
	seen->topology = p->setup->topology;
	seen->times = run->graph ? &p->times : NULL;
	seen->connections = run->graph ? p->times.messages : p->seen.packets;
	seen->undelivered = run->graph ? p->times.unroutable : p->seen.unroutable + p->seen.lost;
	if (status == RUN_UNROUTABLE)
		packet_bad_pair(p->engine, &seen->source, &seen->destination);
	return status;
}

static void keep(void *engine, const struct observation *seen, bool kept)
{
	struct packets *p = engine;
	(void)seen;
	for (uint32_t c = 0; kept && p->sums.sum && c < p->setup->fabric->channels; c++) {
		p->sums.sum[c] += p->seen.busy[c];
		p->sums.limit[c] += p->seen.blocked[c];
	}
	for (size_t c = 0; kept && p->sums.carried && c < p->setup->fabric->channels; c++) {
		p->sums.carried[2 * c] += p->seen.sent[c];
		p->sums.carried[2 * c + 1] += p->seen.left[c];
	}
}

static struct channel_sums channels(const void *engine)
{
	return ((const struct packets *)engine)->sums;
}

/* ---- reports */

static void explain(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error)
{
	const struct packets *p = engine;
	const struct fabric *fabric = p->setup->fabric;
	const struct fabric_labels *labels = fabric->labels;
	char planes[200];
	if (status == RUN_ENDLESS) {
		engine_explain_endless(p->setup, EVENT_LAST, error);
	} else if (strncmp(p->name, "tables", 6) != 0) {
		walk_planes(fabric, source, destination, planes, sizeof planes);
		error_at(error, STATUS_FABRIC, labels->source, 0, "packet routing '%s' has no route from '%s' to '%s'%s", p->name,
			labels->name[fabric->host_node[source]], labels->name[fabric->host_node[destination]], planes);
	} else {
		engine_explain_route(p->setup, source, destination, error);
	}
}

/* Reports the speed of the simulation. */
static void describe(void *engine, double seconds, double used)
{
	struct packets *p = engine;
	const struct peers *peers = p->setup->peers;
	uint64_t passes = p->passes, marked = p->marked;
	uint32_t regions, threads;
	if (!p->setup->shared_run) { /* otherwise each process knows the sums */
		peers->sum(peers->data, &passes, 1);
		peers->sum(peers->data, &marked, 1);
	}
	if (p->setup->verbose)
		fprintf(p->setup->verbose,
			"packets passed %" PRIu64 " channels: %.3f million per second, %.3f million per second of user time\n", passes,
			(double)passes / seconds * 1e-6, used > 0 ? (double)passes / used * 1e-6 : 0);
	packet_divided(p->engine, &regions, &threads);
	if (p->setup->verbose && regions > 1)
		fprintf(p->setup->verbose, "simulated in %" PRIu32 " regions by %" PRIu32 " %s\n", regions, threads,
			threads == 1 ? "thread" : "threads");
	if (p->setup->verbose && p->control)
		fprintf(p->setup->verbose, "congestion control marked %" PRIu64 " packets\n", marked);
}

/* Adds the smallest and the largest value of the channels, as quantities with that unit. */
static void add_extremes(struct node *list, const double *values, uint32_t count, double unit)
{
	double least = count ? values[0] : NAN, largest = least;
	for (uint32_t i = 1; i < count; i++) {
		least = fmin(least, values[i]);
		largest = fmax(largest, values[i]);
	}
	add_number(list, NULL, least / unit);
	add_number(list, NULL, largest / unit);
}

/* Records the settings of the packet engine, including defaults. */
static void record(const void *engine, struct node *result)
{
	const struct packets *p = engine;
	const struct packet_setup *s = &p->packet;
	double second = p->options->cycles ? CYCLE_NS * 1e-9 : 1, bit = p->options->cycles ? CYCLE_RATE : 1;
	const struct {
		const char *key;
		double number; /* NAN: null */
	} number[] = {
		{"lanes", p->router->lanes},
		{"mtu", s->mtu},
		{"buffer", s->buffer},
		{"header", s->header},
		{"first_header", s->first_header},
		{"credit_block", s->credit_block},
		{"coarsen", p->options->coarsen},
		{"coarsen_error", p->coarse_error},
		{"qp_burst", s->qp_burst},
		{"eager", s->eager == PACKET_ALL_RENDEZVOUS ? 0
			  : s->eager                        ? s->eager
							    : NAN},
		{"control_packet", s->control},
		{"speedup", s->speedup},
		{"internal_rate", s->internal_rate},
		{"routing_delay", s->routing_delay / second},
		{"arbitration_delay", s->arbitration_delay / second},
		{"credit_delay", s->credit_delay / second},
		{"injection_rate", s->inject_rate > 0 ? s->inject_rate / bit : NAN},
		{"injection_latency", s->inject_latency / second},
		{"delivery_rate", s->deliver_rate > 0 ? s->deliver_rate / bit : NAN},
		{"delivery_latency", s->deliver_latency / second},
	};
	add_text(result, "packet_routing", p->name);
	struct node *to = add_object(result, "packets");
	add_bool(to, "cycles", p->options->cycles);
	add_extremes(add_list(to, "capacity"), s->capacity, s->fabric->channels, bit);
	if (s->latency)
		add_extremes(add_list(to, "latency"), s->latency, s->fabric->channels, second);
	else
		add_value(to, "latency", NO_VALUE);
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		add_number(to, number[i].key, number[i].number);
	add_bool(to, "voq", s->voq);
	add_bool(to, "store_forward", s->store_forward);
	add_text(to, "congestion_control", p->options->congestion);
	add_text(to, "qps", s->pairs ? "pair" : "one");
	tier_values_record(&p->options->of_channels[CHANNEL_BUFFER], "buffers", 1, to);
	tier_values_record(&p->options->of_channels[CHANNEL_LANES], "lanes_by_tier", 1, to);
	tier_values_record(&p->options->of_channels[CHANNEL_ROUTING], "routing_delays", second, to);
	tier_values_record(&p->options->of_channels[CHANNEL_ARBITRATION], "arbitration_delays", second, to);
	tier_values_record(&p->options->of_channels[CHANNEL_CREDIT], "credit_delays", second, to);
	if (p->options->drawn_sizes) {
		add_text(to, "sizes", p->options->drawn_sizes);
		add_number(to, "mean_bytes", message_sizes_mean(&p->sizes));
	}
	add_text(to, "arbiter", packet_arbiters[s->arbiter]);
	add_text(to, "allocator", packet_allocators[s->allocator]);
	packet_qos_record(&p->options->qos, to);
}

const struct engine engine_packet = {
	.name = "packet",
	.summary = "simulates packets and buffers",
	.source = "HiNetSim 2.3; Dally, Towles 2004, 24.3",
	.metrics = "makespan",
	.takes = TAKES_GRAPH | TAKES_OPEN | TAKES_FAILURES,
	.gives = SEEN_TIMES | SEEN_PACKETS | SEEN_CHANNELS | SEEN_ACCEPTED | SEEN_HOSTS | SEEN_CARRIED | SEEN_QUEUES | SEEN_LEVELS,
	.cable = 10e-9,
	.options = {&packet_argp, 0, "Packets, with --engine packet:", 0},
	.options_size = sizeof(struct packet_options),
	.options_begin = packet_options_begin,
	.options_given = packet_options_given,
	.settle = packet_options_settle,
	.create = create,
	.free = release,
	.run = make_run,
	.keep = keep,
	.channels = channels,
	.explain = explain,
	.describe = describe,
	.record = record,
};
