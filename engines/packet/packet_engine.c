/* The packet engine as a row of the table: the traffic or the graph of a run, and what is reported of it. */
#include "base/memory.h"
#include "base/document.h"
#include "fabric/walk.h"
#include "engines/packet/packet_coarse.h"
#include "engines/packet/packet_events.h"
#include "engines/packet/packet_row.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	if (!packets_agree(p, error) && !packets_make(p, error))
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
	unsigned turns;
	if (!p->setup->shared_run) { /* otherwise each process knows the sums */
		peers->sum(peers->data, &passes, 1);
		peers->sum(peers->data, &marked, 1);
	}
	if (p->setup->verbose)
		fprintf(p->setup->verbose,
			"packets passed %" PRIu64 " channels: %.3f million per second, %.3f million per second of user time\n", passes,
			(double)passes / seconds * 1e-6, used > 0 ? (double)passes / used * 1e-6 : 0);
	packet_divided(p->engine, &regions, &threads, &turns);
	if (p->setup->verbose && regions > 1)
		fprintf(p->setup->verbose, "simulated in %" PRIu32 " regions by %" PRIu32 " %s%s\n", regions, threads,
			threads == 1 ? "thread" : "threads", turns > 1 ? ", in two turns" : "");
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
