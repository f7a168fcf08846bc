#include "engines/packet/packet_options.h"

#include "base/args.h"
#include "engines/failing_options.h"
#include "cli/usage.h"
#include "engines/packet/packet_coarse.h"
#include "fabric/fabric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs";

enum {
	REGIONS_MAX = 4096,
	THREADS_MAX = 256,
	MTU_MOST = 4096,
	CREDIT_BLOCK = 64
}; /* bytes; InfiniBand Architecture Specification, volume 1, chapter 7 */

/* Times, in the order of packet_options.time. */
enum { ROUTING_DELAY, ARBITRATION_DELAY, CREDIT_DELAY, INJECT_LATENCY, DELIVER_LATENCY, WARMUP, MEASURE, DRAIN };

enum {
	KEY_ROUTING = 0x400,
	KEY_LANES,
	KEY_MTU,
	KEY_BUFFER,
	KEY_EAGER,
	KEY_CONTROL_PACKET,
	KEY_INTERNAL_RATE,
	KEY_SPEEDUP,
	KEY_VOQ,
	KEY_STORE_FORWARD,
	KEY_CYCLES,
	KEY_DEADLOCK,
	KEY_ARBITER,
	KEY_ALLOCATOR,
	KEY_QPS,
	KEY_QP_BURST,
	KEY_HEADER,
	KEY_CREDIT_BLOCK,
	KEY_COARSEN,
	KEY_REGIONS,
	KEY_THREADS,
	KEY_CC,
	KEY_PRESET,
	KEY_INJECT_RATE,
	KEY_DELIVER_RATE,
	KEY_LOAD,
	KEY_INTERARRIVAL,
	KEY_SIZES,
	KEY_SWEEP,
	KEY_SATURATION,
	KEY_TRAFFIC,
	KEY_INJECTION,
	KEY_TIME, /* + what */
};

static const struct argp_option table[] = {
	{"packet-routing", KEY_ROUTING, "ROUTING", 0,
		"Routing of packets, e.g. adaptive; see --list=packet-routings (default: tables, the routes of the fabric; for computed routes dor or "
		"min)",
		0},
	{"virtual-lanes", KEY_LANES, "N", OPTION_NO_USAGE,
		"Virtual lanes of each port, also by tier of cables from the hosts, e.g. 2/2/4 (default: as many as the routing needs)", 0},
	{"lanes", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"mtu", KEY_MTU, "SIZE", OPTION_NO_USAGE, "Bytes of the MTU (default: 2048)", 0},
	{"buffer", KEY_BUFFER, "SIZES", OPTION_NO_USAGE,
		"Bytes of buffer per virtual lane and port, also by tier of cables from the hosts, e.g. 8k/8k/16k (default: 8 packets of one MTU, or more if the longest channel needs more to be full)",
		0},
	{"coarsen", KEY_COARSEN, "N", OPTION_NO_USAGE,
		"Make packets and buffers N times as large, up to 4, to simulate large messages faster and less exactly (default: 1)", 0},
	{"threads", KEY_THREADS, "N", OPTION_NO_USAGE,
		"Threads that simulate an open loop on a large fabric; no result depends on it (default: 1)", 0},
	{"regions", KEY_REGIONS, "N", OPTION_NO_USAGE,
		"Regions into which an open loop is divided, each of which should fit the cache; no result depends on it (default: as many as are "
		"useful)",
		0},
	{"voq", KEY_VOQ, 0, OPTION_NO_USAGE, "Use virtual output queues: each input has a queue per output (default: one queue)", 0},
	{"store-and-forward", KEY_STORE_FORWARD, 0, OPTION_NO_USAGE, "Use store-and-forward (default: virtual cut-through)", 0},
	{"store-forward", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"internal-rate", KEY_INTERNAL_RATE, "N", OPTION_NO_USAGE,
		"How many times faster than its link a switch takes packets from an input, e.g. 1.5 (default: 1)", 0},
	{"speedup", KEY_SPEEDUP, "N", OPTION_NO_USAGE,
		"Packets that can leave an input port simultaneously; 0: one per virtual lane (default: 1)", 0},
	{"arbiter", KEY_ARBITER, "NAME", OPTION_NO_USAGE,
		"Order of the packets that wait for an output: round-robin (default: of input ports, then of their lanes), matrix, age, priority "
		"or lane (round robin of all lanes)",
		0},
	{"allocator", KEY_ALLOCATOR, "output|input", OPTION_NO_USAGE,
		"Allocation of the crossbar: output-first or input-first (default: output)", 0},
	{"routing-delay", KEY_TIME + ROUTING_DELAY, "SECONDS", OPTION_NO_USAGE,
		"Time from header arrival at a switch to the output request, also by tier of cables, e.g. 100ns/100ns/200ns (default: 100ns)",
		0},
	{"arbitration-delay", KEY_TIME + ARBITRATION_DELAY, "SECONDS", OPTION_NO_USAGE,
		"Time from an output's decision to the departure of the packet, also by tier of cables (default: 0)", 0},
	{"credit-delay", KEY_TIME + CREDIT_DELAY, "SECONDS", OPTION_NO_USAGE,
		"Delay of credits, in addition to the latency of their channel, also by tier of cables (default: 0)", 0},
	{"injection-rate", KEY_INJECT_RATE, "BITS/S", OPTION_NO_USAGE, "Rate from host memory to HCA (default: no limit)", 0},
	{"injection-latency", KEY_TIME + INJECT_LATENCY, "SECONDS", OPTION_NO_USAGE, "Latency from host memory to HCA (default: 0)", 0},
	{"delivery-rate", KEY_DELIVER_RATE, "BITS/S", OPTION_NO_USAGE, "Rate from HCA to host memory (default: no limit)", 0},
	{"delivery-latency", KEY_TIME + DELIVER_LATENCY, "SECONDS", OPTION_NO_USAGE, "Latency from HCA to host memory (default: 0)", 0},
	{"qps", KEY_QPS, "pair|one", OPTION_NO_USAGE,
		"Queue pairs of a host: one per receiver, which take turns, or one for all its messages (default: pair; one in open loops whose "
		"messages are single packets, without congestion control)",
		0},
	{"qp-burst", KEY_QP_BURST, "N", OPTION_NO_USAGE, "Packets that a queue pair sends in its turn (default: 1)", 0},
	{"preset", KEY_PRESET, "edr|hdr|ndr", OPTION_NO_USAGE,
		"Set what InfiniBand of that speed has: rate of the links, MTU 4096, headers rc and blocks of credit of 64 bytes, where they are not "
		"given otherwise",
		0},
	{"header", KEY_HEADER, "BYTES|rc|ud|roce", OPTION_NO_USAGE,
		"Bytes of headers of every packet, and with BYTES+BYTES more of the first one of a message: rc (26+16), ud (34) or roce (82+16) "
		"(default: 0)",
		0},
	{"credit-block", KEY_CREDIT_BLOCK, "SIZE", OPTION_NO_USAGE,
		"Bytes of a credit: packets take whole blocks of a buffer, 64 in InfiniBand (default: 1)", 0},
	{"congestion-control", KEY_CC, "KIND", OPTION_NO_USAGE,
		"Congestion control: ib or dcqcn, with parameters; see --list=congestion-controls (default: none)", 0},
	{"cc", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"eager", KEY_EAGER, "SIZE", OPTION_NO_USAGE, "Use rendezvous for messages larger than SIZE; 0: for all (default: for none)", 0},
	{"rts-size", KEY_CONTROL_PACKET, "SIZE", OPTION_NO_USAGE, "Bytes of RTS and CTS packets of rendezvous (default: 64)", 0},
	{"control-packet", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	PACKET_QOS_ROWS{"cycles", KEY_CYCLES, 0, OPTION_NO_USAGE,
		"Use flits and cycles: every link carries one flit per cycle, sizes are in flits, times in cycles", 0},
	{"allow-deadlock", KEY_DEADLOCK, 0, OPTION_NO_USAGE, "Simulate even if the routing can deadlock", 0},

	{0, 0, 0, 0, "Open-loop traffic, with --engine packet:", 0},
	{"load", KEY_LOAD, "LOADS", 0, "Offered load, as a share of host links, e.g. 0.3; several load points: 0.1,0.2 or 0.1:0.9:0.1", 0},
	{"saturation", KEY_SATURATION, 0, 0, "Find the saturation load by bisection", 0},
	{"interarrival", KEY_INTERARRIVAL, "TIMES", OPTION_NO_USAGE,
		"Offered load, as the mean time between two messages of a host, e.g. 1us; several load points: as --load", 0},
	{"sizes", KEY_SIZES, "SIZES", OPTION_NO_USAGE,
		"Sizes of messages, instead of --bytes: uniform:MIN,MAX, websearch, datamining, or file:PATH with lines 'bytes share'", 0},
	{"sweep", KEY_SWEEP, "WHAT=VALUES", OPTION_NO_USAGE,
		"Set the points: load=LOADS, interarrival=TIMES, or bytes=SIZES (also without a load), such as bytes=4:128k:x2", 0},
	{"traffic", KEY_TRAFFIC, "TRAFFIC", OPTION_NO_USAGE,
		"The same as --pattern with --load: uniform (default), tornado, a pattern and others; see --list=patterns", 0},
	{"injection", KEY_INJECTION, "PROCESS", OPTION_NO_USAGE,
		"Arrivals of messages: bernoulli (default), poisson, periodic or onoff:MESSAGES", 0},
	{"warmup", KEY_TIME + WARMUP, "SECONDS", OPTION_NO_USAGE, "Time before the measurement (default: until the state is steady)", 0},
	{"measure", KEY_TIME + MEASURE, "SECONDS", OPTION_NO_USAGE, "Length of the measurement (default: until enough packets are seen)",
		0},
	{"drain", KEY_TIME + DRAIN, "SECONDS", OPTION_NO_USAGE,
		"Longest wait, after the measurement, for the packets sent during it (default: as long as the measurement)", 0},
	{0},
};

static uint32_t read_bytes(const char *option, const char *text, uint32_t least, uint32_t most)
{
	double bytes;
	if (!read_size(text, &bytes) || bytes < least)
		usage_error(program, "%s is '%s', not a size such as 2048 or 4k", option, text);
	if (bytes > most)
		usage_error(program, "%s is '%s', more than %" PRIu32, option, text, most);
	return (uint32_t)bytes;
}

/* Links of four lanes, by the data rate of a lane (Linux, drivers/infiniband/core: EDR 25, HDR 50, NDR 100 Gb/s). */
static const struct link_preset {
	const char *name;
	double capacity; /* bits/s */
} presets[] = {{"edr", 4 * 25e9}, {"hdr", 4 * 50e9}, {"ndr", 4 * 100e9}};

static const struct link_preset *read_preset(const char *text)
{
	const char *const names[] = {presets[0].name, presets[1].name, presets[2].name, NULL};
	return &presets[usage_choice(program, "--preset", text, names)];
}

/* Reads "BYTES", "BYTES+BYTES" or the name of a preset: InfiniBand Architecture Specification, volume 1, chapters 5 and 9. */
static void read_header(struct packet_options *o, const char *text)
{
	o->headers = true;
	static const struct {
		const char *name;
		uint32_t every, first;
	} preset[] = {
		{"rc", 8 + 12 + 4 + 2, 16},                      /* LRH, BTH, ICRC, VCRC; RETH: writes of reliable connections */
		{"ud", 8 + 12 + 8 + 4 + 2, 0},                   /* with DETH: datagrams */
		{"roce", 8 + 14 + 20 + 8 + 12 + 4 + 4 + 12, 16}, /* preamble, Ethernet, IPv4, UDP, BTH, ICRC, FCS, gap; RETH */
	};
	const double most = 4096;
	for (size_t i = 0; i < sizeof preset / sizeof *preset; i++)
		if (!strcmp(text, preset[i].name)) {
			o->header = preset[i].every;
			o->first_header = preset[i].first;
			return;
		}
	char *end, *more;
	double every = read_decimal(text, &end), first = *end == '+' ? read_decimal(end + 1, &more) : 0;
	if (end == text || (*end == '+' ? more == end + 1 || *more : *end) ||
		!(every >= 0 && every <= most && first >= 0 && first <= most) || every != floor(every) || first != floor(first))
		usage_error(program, "--header is '%s', not rc, ud, roce, or numbers of bytes up to %g such as 26 or 26+16", text, most);
	o->header = (uint32_t)every;
	o->first_header = (uint32_t)first;
}

static double read_buffer(const char *option, char *text)
{
	return read_bytes(option, text, 1, INT32_MAX);
}

static double read_lanes(const char *option, char *text)
{
	return usage_integer(program, option, text, 1, PACKET_LANES_MAX);
}

/* Reads --sweep. */
static void read_sweep(struct packet_options *o, const char *text)
{
	enum sweep sweep;
	const char *points = sweep_begin(text, &sweep);
	if (sweep == SWEEP_LOAD)
		o->loads = sweep_read(SWEEP_LOAD, "--load", points, 1, o->load);
	else if (sweep == SWEEP_BYTES)
		o->sizes = sweep_read(SWEEP_BYTES, "--sweep bytes", points, 1, o->size);
	else
		o->interarrival = points;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct packet_options *o = state->input;
	struct error error = {0};
	switch (key) {
	case KEY_ROUTING: o->routing = text; break;
	case KEY_LANES: tier_values_read(&o->of_channels[CHANNEL_LANES], "--virtual-lanes", text, read_lanes); break;
	case KEY_MTU: o->mtu = read_bytes("--mtu", text, 1, PACKET_LARGEST); break;
	case KEY_BUFFER: tier_values_read(&o->of_channels[CHANNEL_BUFFER], "--buffer", text, read_buffer); break;
	case KEY_EAGER:
		o->eager = read_bytes("--eager", text, 0, INT32_MAX);
		o->eager = o->eager ? o->eager : PACKET_ALL_RENDEZVOUS;
		break;
	case KEY_CONTROL_PACKET: o->control = read_bytes("--rts-size", text, 1, PACKET_LARGEST); break;
	case KEY_INTERNAL_RATE:
		if (!read_number(text, 1, 1000, &o->internal_rate))
			usage_error(program, "--internal-rate is '%s', not a number from 1 to 1000 such as 1.5", text);
		break;
	case KEY_SPEEDUP: o->speedup = (unsigned)usage_integer(program, "--speedup", text, 0, PACKET_LANES_MAX); break;
	case KEY_VOQ: o->voq = true; break;
	case KEY_STORE_FORWARD: o->store_forward = true; break;
	case KEY_CYCLES: o->cycles = true; break;
	case KEY_DEADLOCK: o->allow_deadlock = true; break;
	case KEY_ARBITER: o->arbiter = (enum packet_arbiter)usage_choice(program, "--arbiter", text, packet_arbiters); break;
	case KEY_ALLOCATOR: o->allocator = (enum packet_allocator)usage_choice(program, "--allocator", text, packet_allocators); break;
	case KEY_QPS:
		o->qps = usage_choice(program, "--qps", text, (const char *const[]){"pair", "one", NULL}) == 1 ? QPS_ONE : QPS_PAIR;
		break;
	case KEY_THREADS: o->threads = (uint32_t)usage_integer(program, "--threads", text, 1, THREADS_MAX); break;
	case KEY_REGIONS: o->regions = (uint32_t)usage_integer(program, "--regions", text, 1, REGIONS_MAX); break;
	case KEY_COARSEN: o->coarsen = (unsigned)usage_integer(program, "--coarsen", text, 1, COARSEN_MAX); break;
	case KEY_QP_BURST: o->qp_burst = (uint32_t)usage_integer(program, "--qp-burst", text, 1, INT32_MAX); break;
	case KEY_CC:
		if (control_check(text, &error))
			usage_error(program, "%s", error.text);
		o->congestion = text;
		break;
	case KEY_PRESET: o->preset = read_preset(text); break;
	case KEY_HEADER: read_header(o, text); break;
	case KEY_CREDIT_BLOCK: o->credit_block = read_bytes("--credit-block", text, 1, PACKET_LARGEST); break;
	case KEY_INJECT_RATE: o->inject_rate = usage_rate(program, "--injection-rate", text); break;
	case KEY_DELIVER_RATE: o->deliver_rate = usage_rate(program, "--delivery-rate", text); break;
	case KEY_LOAD: o->loads = sweep_read(SWEEP_LOAD, "--load", text, 1, o->load); break;
	case KEY_INTERARRIVAL: o->interarrival = text; break;
	case KEY_SIZES: o->drawn_sizes = text; break;
	case KEY_SWEEP: read_sweep(o, text); break;
	case KEY_SATURATION: o->saturation = true; break;
	case KEY_TRAFFIC: o->traffic = text; break;
	case KEY_INJECTION:
		if (injection_parse(text, &o->injection, &error))
			usage_error(program, "%s", error.text);
		break;
	default:
		if (packet_qos_parse(&o->qos, key, text))
			break;
		if (key < KEY_TIME || key > KEY_TIME + DRAIN)
			return ARGP_ERR_UNKNOWN;
		o->time[key - KEY_TIME] = text;
	}
	o->given = o->given ? o->given : usage_option_name(table, key);
	if (key == KEY_EAGER || key == KEY_CONTROL_PACKET)
		o->closed = true;
	if (key == KEY_TRAFFIC || key == KEY_SIZES || key == KEY_INJECTION || key == KEY_TIME + WARMUP || key == KEY_TIME + MEASURE ||
		key == KEY_TIME + DRAIN)
		o->open = true;
	return 0;
}

const struct argp packet_argp = {.options = table, .parser = parse_option};

void packet_options_begin(void *options)
{
	struct packet_options *o = options;
	*o = (struct packet_options){.speedup = 1, .internal_rate = 1, .coarsen = 1, .warmup = -1, .measure = -1, .drain = -1};
}

const char *packet_options_given(const void *options)
{
	return ((const struct packet_options *)options)->given;
}

static double read_span(const char *option, const char *text, double unit)
{
	const double longest = 1e6;
	double seconds = usage_seconds(program, option, text, unit);
	if (seconds > longest)
		usage_error(program, "%s is '%s', more than %g seconds", option, text, longest);
	return seconds;
}

static double read_delay(const char *option, char *text)
{
	return read_span(option, text, 1);
}

static double read_cycles(const char *option, char *text)
{
	return read_span(option, text, CYCLE_NS * 1e-9);
}

static const char *const time_option[] = {"--routing-delay", "--arbitration-delay", "--credit-delay", "--injection-latency",
	"--delivery-latency", "--warmup", "--measure", "--drain"};

/* Returns the time; with --cycles a number without a unit is in cycles. */
static double read_time(const struct packet_options *o, int which, double preset)
{
	return o->time[which] ? read_span(time_option[which], o->time[which], o->cycles ? CYCLE_NS * 1e-9 : 1) : preset;
}

/* Reads a time, or one for each tier. Returns the first. */
static double read_times(struct packet_options *o, int which, enum channel_value value, double preset)
{
	struct tier_values *v = &o->of_channels[value];
	if (o->time[which])
		tier_values_read(v, time_option[which], o->time[which], o->cycles ? read_cycles : read_delay);
	return v->count ? v->value[0] : preset;
}

/* Checks a specification of sizes as far as that is possible without its file. */
static void check_sizes(const char *spec)
{
	struct message_sizes sizes;
	struct error error = {0};
	if (!message_sizes_file(spec) && message_sizes_read(&sizes, spec, &error))
		usage_error(program, "%s", error.text);
	if (!message_sizes_file(spec))
		message_sizes_clear(&sizes);
}

/* Sets the defaults, and rejects options that cannot be combined. */
static void complete(struct packet_options *o)
{
	const double usual = 100e-9;
	if (o->preset && o->cycles)
		usage_error(program, "--preset and --cycles exclude each other: with --cycles every link carries one flit per cycle");
	o->mtu = o->mtu ? o->mtu : o->cycles ? 1 : o->preset ? MTU_MOST : 2048;
	o->credit_block = o->credit_block ? o->credit_block : o->preset ? CREDIT_BLOCK : 1;
	if (o->preset && !o->headers)
		read_header(o, "rc");
	o->control = o->control ? o->control : o->mtu < 64 ? o->mtu : 64;
	o->routing_delay = read_times(o, ROUTING_DELAY, CHANNEL_ROUTING, o->cycles ? CYCLE_NS * 1e-9 : usual);
	o->arbitration_delay = read_times(o, ARBITRATION_DELAY, CHANNEL_ARBITRATION, 0);
	o->credit_delay = read_times(o, CREDIT_DELAY, CHANNEL_CREDIT, 0);
	o->inject_latency = read_time(o, INJECT_LATENCY, 0);
	o->deliver_latency = read_time(o, DELIVER_LATENCY, 0);
	o->warmup = read_time(o, WARMUP, -1);
	o->measure = read_time(o, MEASURE, -1);
	o->drain = read_time(o, DRAIN, -1);
	if (o->drawn_sizes)
		check_sizes(o->drawn_sizes);
	if (o->interarrival && o->loads)
		usage_error(program, "--load and --interarrival both set the offered load: choose one");
	if (o->interarrival)
		o->loads = sweep_read(SWEEP_INTERARRIVAL, "--interarrival", o->interarrival, o->cycles ? CYCLE_NS * 1e-9 : 1, o->load);
	if (o->measure == 0)
		usage_error(program, "--measure is 0: choose a time above 0");
	packet_qos_settle(&o->qos, o->allocator);
	if (o->saturation && o->loads)
		usage_error(program, "--saturation and %s exclude each other", o->interarrival ? "--interarrival" : "--load");
	if (o->sizes && o->drawn_sizes)
		usage_error(program, "--sizes and --sweep bytes both set the size of messages: choose one");
	if (o->sizes && (o->loads > 1 || o->saturation))
		usage_error(program, "--sweep bytes requires one load, not %s", o->saturation ? "--saturation" : "several");
	if (!o->loads && !o->saturation && o->open)
		usage_error(program, "--traffic, --sizes, --injection, --warmup, --measure and --drain require --load or --saturation");
	if ((o->loads || o->saturation) && o->closed)
		usage_error(program,
			"--eager and --rts-size have no effect with --load or --saturation: in an open loop hosts send without rendezvous");
}

/* Sets the traffic; with loads --pattern names it, too. */
static void take_traffic(struct packet_options *o, const char *pattern)
{
	if (pattern && o->traffic)
		usage_error(program, "--pattern %s and --traffic %s both set the traffic of --load and --saturation: choose one", pattern,
			o->traffic);
	o->traffic = pattern ? pattern : o->traffic ? o->traffic : "uniform";
}

void packet_options_settle(void *options, const struct engine_request *request, struct engine_terms *terms)
{
	struct packet_options *o = options;
	complete(o);
	terms->open = o->loads || o->saturation;
	terms->cycles = o->cycles;
	terms->capacity = o->preset ? o->preset->capacity : 0;
	terms->lanes = true;
	terms->channels_topology = true;
	bool tiers = false;
	for (int i = 0; i < CHANNEL_VALUES; i++)
		tiers = tiers || o->of_channels[i].count > 1;
	terms->topology =
		terms->topology || terms->open || tiers || request->routing || (o->routing && strncmp(o->routing, "tables", 6) != 0);
	terms->chooses = o->routing && packet_routing_chooses(o->routing) ? o->routing : NULL;
	terms->search = o->saturation;
	terms->undivided = failing_options_given(request->failing);
	terms->sizes = o->sizes ? o->size : NULL;
	terms->drawn_sizes = o->drawn_sizes != NULL;
	terms->file = o->drawn_sizes ? message_sizes_file(o->drawn_sizes) : NULL;
	terms->load_points = o->sizes ? o->sizes : 1;
	if (!terms->open)
		return;
	take_traffic(o, request->pattern);
	terms->sent = o->traffic;
	terms->load_points = o->sizes ? o->sizes : o->loads ? o->loads : 1;
	terms->bytes = o->mtu;
	terms->metrics = "packet_latency,packet_throughput";
	terms->gives &= ~(unsigned)SEEN_TIMES;
	terms->gives_not =
		"metric %s is not available with --load; choose fct, packet_latency, packet_throughput, link_busy or packet_queues";
}
