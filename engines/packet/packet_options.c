#include "engines/packet/packet_options.h"

#include "base/args.h"
#include "cli/usage.h"
#include "fabric/fabric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs";

/* Times, in the order of packet_options.time. */
enum { ROUTING_DELAY, ARBITRATION_DELAY, CREDIT_DELAY, INJECT_LATENCY, DELIVER_LATENCY, WARMUP, MEASURE, DRAIN };

enum {
	KEY_ROUTING = 0x400,
	KEY_LANES,
	KEY_MTU,
	KEY_BUFFER,
	KEY_EAGER,
	KEY_CONTROL_PACKET,
	KEY_SPEEDUP,
	KEY_VOQ,
	KEY_STORE_FORWARD,
	KEY_CYCLES,
	KEY_DEADLOCK,
	KEY_ARBITER,
	KEY_ALLOCATOR,
	KEY_INJECT_RATE,
	KEY_DELIVER_RATE,
	KEY_LOAD,
	KEY_SWEEP,
	KEY_SATURATION,
	KEY_TRAFFIC,
	KEY_INJECTION,
	KEY_TIME, /* + what */
};

static const struct argp_option table[] = {
	{"packet-routing", KEY_ROUTING, "ROUTING", 0,
		"How packets find their ways: tables, what the fabric says; dor, min, adaptive, valiant, ugal and others that --list=packet-routings names (default: "
		"tables; of computed routes dor or min)",
		0},
	{"virtual-lanes", KEY_LANES, "N", OPTION_NO_USAGE, "Virtual lanes of each port (default: as many as the routing needs)", 0},
	{"lanes", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"mtu", KEY_MTU, "SIZE", OPTION_NO_USAGE, "Bytes of the largest packet (default: 2048)", 0},
	{"buffer", KEY_BUFFER, "SIZE", OPTION_NO_USAGE,
		"Bytes that each lane can hold at each port (default: 8 of the largest packets, or more where the longest channel needs more to be full)",
		0},
	{"voq", KEY_VOQ, 0, OPTION_NO_USAGE, "A queue for each output at each input, so that none waits behind another's packet", 0},
	{"store-and-forward", KEY_STORE_FORWARD, 0, OPTION_NO_USAGE, "Packets go on only when they are there as a whole", 0},
	{"store-forward", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"speedup", KEY_SPEEDUP, "N", OPTION_NO_USAGE, "Packets that leave an input port at a time; 0: one of each lane (default: 1)", 0},
	{"arbiter", KEY_ARBITER, "NAME", OPTION_NO_USAGE, "Who of those that wait is next: round-robin (default), matrix, age or priority",
		0},
	{"allocator", KEY_ALLOCATOR, "output|input", OPTION_NO_USAGE, "Who chooses first (default: output)", 0},
	{"routing-delay", KEY_TIME + ROUTING_DELAY, "SECONDS", OPTION_NO_USAGE,
		"From a packet's head at a switch until it asks for an output (default: 100ns)", 0},
	{"arbitration-delay", KEY_TIME + ARBITRATION_DELAY, "SECONDS", OPTION_NO_USAGE,
		"From an output's choice until the packet leaves (default: 0)", 0},
	{"credit-delay", KEY_TIME + CREDIT_DELAY, "SECONDS", OPTION_NO_USAGE,
		"Of credits, beside the latency of their channel (default: 0)", 0},
	{"injection-rate", KEY_INJECT_RATE, "BITS/S", OPTION_NO_USAGE, "From the memory of a host to its adapter (default: no limit)", 0},
	{"injection-latency", KEY_TIME + INJECT_LATENCY, "SECONDS", OPTION_NO_USAGE, "On that way (default: 0)", 0},
	{"delivery-rate", KEY_DELIVER_RATE, "BITS/S", OPTION_NO_USAGE, "From the adapter to the memory (default: no limit)", 0},
	{"delivery-latency", KEY_TIME + DELIVER_LATENCY, "SECONDS", OPTION_NO_USAGE, "On that way (default: 0)", 0},
	{"eager", KEY_EAGER, "SIZE", OPTION_NO_USAGE,
		"Larger messages first ask whether their receiver is ready; 0: all do (default: none does)", 0},
	{"rts-size", KEY_CONTROL_PACKET, "SIZE", OPTION_NO_USAGE, "Bytes of the question, and of the answer (default: 64)", 0},
	{"control-packet", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"cycles", KEY_CYCLES, 0, OPTION_NO_USAGE,
		"Count in cycles, in which every link carries one flit: sizes are in flits, times in cycles (of 1 ns inside)", 0},
	{"allow-deadlock", KEY_DEADLOCK, 0, OPTION_NO_USAGE, "Run also where packets could wait for each other in a circle", 0},

	{0, 0, 0, 0, "Open-loop traffic, with --engine packet:", 0},
	{"load", KEY_LOAD, "LOADS", 0,
		"What hosts offer, as a share of what their links carry: 0.3, or a point for each of 0.1,0.2 or 0.1:0.9:0.1", 0},
	{"saturation", KEY_SATURATION, 0, 0, "Look for the load that the network just takes", 0},
	{"sweep", KEY_SWEEP, "load=LOADS", OPTION_NO_USAGE, "The same", 0},
	{"traffic", KEY_TRAFFIC, "TRAFFIC", OPTION_NO_USAGE,
		"The same as --pattern with --load: uniform (default), tornado, a pattern and others; see --list=patterns", 0},
	{"injection", KEY_INJECTION, "PROCESS", OPTION_NO_USAGE, "When they come: bernoulli (default), poisson, periodic or onoff:MESSAGES",
		0},
	{"warmup", KEY_TIME + WARMUP, "SECONDS", OPTION_NO_USAGE, "Before measuring (default: until the state is steady)", 0},
	{"measure", KEY_TIME + MEASURE, "SECONDS", OPTION_NO_USAGE, "How long to measure (default: so that enough packets are seen)", 0},
	{"drain", KEY_TIME + DRAIN, "SECONDS", OPTION_NO_USAGE,
		"How long to wait for what was sent meanwhile (default: as long as the measurement)", 0},
	{0},
};

static uint32_t read_bytes(const char *option, const char *text, uint32_t least, uint32_t most)
{
	double bytes;
	if (!read_size(text, &bytes) || bytes < least)
		usage_error(program, "%s is '%s', not a size such as 2048 or 4k", option, text);
	if (bytes > most)
		usage_error(program, "%s is '%s': at most %" PRIu32, option, text, most);
	return (uint32_t)bytes;
}

/* The smallest load, and step from one to the next: more than rounding leaves of either. */
#define LOAD_LEAST 1e-9

/* Loads as "0.3", "0.1,0.2" or "0.1:0.9:0.1". */
static void read_loads(struct packet_options *o, const char *text)
{
	const char *at = text;
	char *end;
	o->loads = 0;
	do {
		double low = read_decimal(at, &end), high = low, step = 1;
		bool fine = end > at;
		if (fine && *end == ':') {
			high = read_decimal(at = end + 1, &end);
			fine = end > at && *end == ':';
			step = fine ? read_decimal(at = end + 1, &end) : 1;
			fine = fine && end > at;
		}
		if (!fine || (*end && *end != ',') ||
			!(low >= LOAD_LEAST && high >= low && high <= 10 && step >= LOAD_LEAST && isfinite(step)))
			usage_error(program, "--load is '%s', not loads such as 0.3, 0.1,0.2 or 0.1:0.9:0.1 (from 1e-9 to 10)", text);
		double count = floor((high - low) / step * (1 + 1e-12) + 1e-9) + 1;
		if (o->loads + count > LOADS_MAX)
			usage_error(program, "--load gives more than %d loads", LOADS_MAX);
		o->load[o->loads++] = low;
		for (int i = 1; i < (int)count; i++) /* as decimal numbers, not as sums of what is a little off */
			o->load[o->loads++] = round((low + i * step) * 1e9) / 1e9;
		at = end + 1;
	} while (*end == ',');
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct packet_options *o = state->input;
	struct error error = {0};
	switch (key) {
	case KEY_ROUTING: o->routing = text; break;
	case KEY_LANES: o->lanes = (unsigned)usage_integer(program, "--virtual-lanes", text, 1, PACKET_LANES_MAX); break;
	case KEY_MTU: o->mtu = read_bytes("--mtu", text, 1, PACKET_LARGEST); break;
	case KEY_BUFFER: o->buffer = read_bytes("--buffer", text, 1, INT32_MAX); break;
	case KEY_EAGER:
		o->eager = read_bytes("--eager", text, 0, INT32_MAX);
		o->eager = o->eager ? o->eager : PACKET_ALL_ASK;
		break;
	case KEY_CONTROL_PACKET: o->control = read_bytes("--rts-size", text, 1, PACKET_LARGEST); break;
	case KEY_SPEEDUP: o->speedup = (unsigned)usage_integer(program, "--speedup", text, 0, PACKET_LANES_MAX); break;
	case KEY_VOQ: o->voq = true; break;
	case KEY_STORE_FORWARD: o->store_forward = true; break;
	case KEY_CYCLES: o->cycles = true; break;
	case KEY_DEADLOCK: o->allow_deadlock = true; break;
	case KEY_ARBITER: o->arbiter = (enum packet_arbiter)usage_choice(program, "--arbiter", text, packet_arbiters); break;
	case KEY_ALLOCATOR: o->allocator = (enum packet_allocator)usage_choice(program, "--allocator", text, packet_allocators); break;
	case KEY_INJECT_RATE: o->inject_rate = usage_rate(program, "--injection-rate", text); break;
	case KEY_DELIVER_RATE: o->deliver_rate = usage_rate(program, "--delivery-rate", text); break;
	case KEY_LOAD: read_loads(o, text); break;
	case KEY_SWEEP:
		if (strncmp(text, "load=", 5))
			usage_error(program, "--sweep is '%s', not load=LOADS", text);
		read_loads(o, text + 5);
		break;
	case KEY_SATURATION: o->saturation = true; break;
	case KEY_TRAFFIC: o->traffic = text; break;
	case KEY_INJECTION:
		if (injection_parse(text, &o->injection, &error))
			usage_error(program, "%s", error.text);
		break;
	default:
		if (key < KEY_TIME || key > KEY_TIME + DRAIN)
			return ARGP_ERR_UNKNOWN;
		o->time[key - KEY_TIME] = text;
	}
	o->given = o->given ? o->given : usage_option_name(table, key);
	if (key == KEY_EAGER || key == KEY_CONTROL_PACKET)
		o->closed = true;
	if (key == KEY_TRAFFIC || key == KEY_INJECTION || key == KEY_TIME + WARMUP || key == KEY_TIME + MEASURE || key == KEY_TIME + DRAIN)
		o->open = true;
	return 0;
}

const struct argp packet_argp = {.options = table, .parser = parse_option};

void packet_options_begin(void *options)
{
	struct packet_options *o = options;
	*o = (struct packet_options){.speedup = 1, .warmup = -1, .measure = -1, .drain = -1};
}

const char *packet_options_given(const void *options)
{
	return ((const struct packet_options *)options)->given;
}

/* The time; of cycles a number without a unit counts them. */
static double read_time(const struct packet_options *o, int which, double preset)
{
	const char *name[] = {"--routing-delay", "--arbitration-delay", "--credit-delay", "--injection-latency", "--delivery-latency",
		"--warmup", "--measure", "--drain"};
	const double longest = 1e6;
	double seconds = o->time[which] ? usage_seconds(program, name[which], o->time[which], o->cycles ? CYCLE_NS * 1e-9 : 1) : preset;
	if (seconds > longest)
		usage_error(program, "%s is '%s': at most %g seconds", name[which], o->time[which], longest);
	return seconds;
}

/* What is left out, and what does not go together. */
static void complete(struct packet_options *o)
{
	const double usual = 100e-9;
	o->mtu = o->mtu ? o->mtu : o->cycles ? 1 : 2048;
	o->control = o->control ? o->control : o->mtu < 64 ? o->mtu : 64;
	o->routing_delay = read_time(o, ROUTING_DELAY, o->cycles ? CYCLE_NS * 1e-9 : usual);
	o->arbitration_delay = read_time(o, ARBITRATION_DELAY, 0);
	o->credit_delay = read_time(o, CREDIT_DELAY, 0);
	o->inject_latency = read_time(o, INJECT_LATENCY, 0);
	o->deliver_latency = read_time(o, DELIVER_LATENCY, 0);
	o->warmup = read_time(o, WARMUP, -1);
	o->measure = read_time(o, MEASURE, -1);
	o->drain = read_time(o, DRAIN, -1);
	if (o->measure == 0)
		usage_error(program, "--measure 0 measures nothing");
	if (o->saturation && o->loads)
		usage_error(program, "--saturation looks for a load: --load gives one");
	if (!o->loads && !o->saturation && o->open)
		usage_error(program, "--traffic, --injection, --warmup, --measure and --drain need --load or --saturation");
	if ((o->loads || o->saturation) && o->closed)
		usage_error(program, "--eager and --rts-size are for messages of --pattern: with --load and --saturation none asks");
}

/* With loads --ptrn names the traffic, too. */
static void take_traffic(struct packet_options *o, const char *pattern)
{
	if (pattern && o->traffic)
		usage_error(program,
			"--pattern %s and --traffic %s both name where messages go with --load and --saturation: give one of them", pattern,
			o->traffic);
	o->traffic = pattern ? pattern : o->traffic ? o->traffic : "uniform";
}

void packet_options_settle(void *options, const struct engine_request *request, struct engine_terms *terms)
{
	struct packet_options *o = options;
	complete(o);
	terms->open = o->loads || o->saturation;
	terms->cycles = o->cycles;
	terms->lanes = true;
	terms->channels_topology = true;
	terms->topology = terms->open || request->routing || (o->routing && strncmp(o->routing, "tables", 6) != 0);
	terms->chooses = o->routing && packet_routing_chooses(o->routing) ? o->routing : NULL;
	terms->search = o->saturation;
	if (!terms->open)
		return;
	take_traffic(o, request->pattern);
	terms->sent = o->traffic;
	terms->load_points = o->loads ? o->loads : 1;
	terms->bytes = o->mtu;
	terms->metrics = "packet_latency,packet_throughput";
	terms->gives &= ~(unsigned)SEEN_TIMES;
	terms->gives_not = "the metric %s is of messages that end; with --load there are packet_latency, packet_throughput and link_busy";
}
