/*
 * Specifications of traffic and of injections (--traffic, --injection) on a topology, the third line: refused in one line, or receivers
 * among the ranks, and times that pass; then some microseconds of packets. The fourth line is the load, the fifth the packet routing.
 */
#include "target.h"
#include "base/random.h"
#include "patterns/traffic.h"
#include "engines/packet/packet.h"

enum { FABRIC_MOST = 250, DRAWS = 50, MTU = 1024 };

static void check_receivers(const struct traffic_call *call, struct random *random)
{
	for (uint32_t s = 0; s < call->setup.ranks; s++)
		for (int i = 0; i < DRAWS; i++) {
			uint32_t word[4] = {random_bits(random), random_bits(random), random_bits(random), random_bits(random)};
			uint32_t receiver = traffic_receiver(call, s, word);
			CHECK(receiver == NONE || (receiver < call->setup.ranks && receiver != s));
			CHECK(receiver == traffic_receiver(call, s, word));
		}
}

static void check_injection(struct injection injection, double load, struct random *random)
{
	injection.load = load;
	injection.slot = 1000;
	for (int i = 0; i < DRAWS; i++) {
		uint32_t word[4] = {random_bits(random), random_bits(random), random_bits(random), random_bits(random)};
		CHECK(injection_interval(&injection, i == 0, word) < NEVER / 4);
	}
	CHECK(injection.process != INJECTION_ONOFF || injection.burst >= 1);
}

static void run(const struct traffic_call *call, const struct forwarding *forwarding, const struct injection *injection, double load,
	const char *routing)
{
	const struct fabric *f = call->setup.fabric;
	struct error error = {0};
	struct packet_seen seen;
	bool checked;
	double *capacity = malloc(f->channels * sizeof *capacity + 1);
	for (uint32_t c = 0; c < f->channels; c++)
		capacity[c] = 1e11;
	struct packet_router_setup router = {
		.fabric = f, .forwarding = forwarding, .topology = call->setup.topology, .buffer = 4 * MTU, .packet = MTU, .seed = 1};
	struct packet_setup setup = {.fabric = f,
		.router = packet_router_create(routing, &router, &error),
		.capacity = capacity,
		.buffer = 4 * MTU,
		.mtu = MTU,
		.control = 64,
		.credit_block = 1,
		.qp_burst = 1,
		.service_level = SERVICE_LEVEL_OF_PAIR,
		.speedup = 1,
		.drop = true,
		.seed = 1,
		.stop = &never_stop};
	if (!setup.router) {
		check_refused(&error, REFUSED_FABRIC);
	} else {
		bool free_of_deadlock = !packet_router_check(setup.router, &checked, &error) && checked;
		struct packet_load offered = {.traffic = call,
			.injection = *injection,
			.load = load,
			.bytes = MTU,
			.ranks = call->setup.ranks,
			.host = call->setup.host,
			.warmup = 1000000,
			.measure = 3000000,
			.drain = 1000000};
		error = (struct error){0};
		struct packet_engine *engine = packet_create(&setup, &error);
		enum run_status ending = engine ? packet_run_load(engine, &offered, &seen, &error) : RUN_FAILED;
		CHECK(ending == RUN_OK || ending == RUN_ENDLESS || (ending == RUN_FAILED && error.status) || !free_of_deadlock);
		packet_free(engine);
	}
	packet_router_free(setup.router);
	free(capacity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct error error = {0};
	struct injection injection = {0};
	struct random random;
	const char *topology;
	double load = strtod(lines.line[3], NULL);
	struct small_fabric small = small_fabric_create(lines.line[2], FABRIC_MOST, "dragonfly:p=2,a=2,h=1", &topology);
	uint32_t ranks = small.fabric->hosts, *host = malloc((ranks + 1) * sizeof *host);
	CHECK(host && freopen("/dev/null", "r", stdin)); /* which a specification may name */
	for (uint32_t h = 0; h < ranks; h++)
		host[h] = ranks - 1 - h;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	load = load > 0 && load <= 10 ? load : 0.3;
	if (injection_parse(lines.line[1], &injection, &error))
		check_refused(&error, REFUSED_USAGE);
	else
		check_injection(injection, load, &random);
	error = (struct error){0};
	struct traffic_setup setup = {.fabric = small.fabric, .topology = topology, .ranks = ranks, .host = host, .seed = 1};
	struct traffic_call *call = names_files(lines.line[0]) ? NULL : traffic_create(lines.line[0], NULL, &setup, &error);
	if (error.status)
		check_refused(&error, REFUSED_FABRIC);
	if (call)
		check_receivers(call, &random);
	if (call && (injection.process != INJECTION_ONOFF || injection.burst >= 1))
		run(call, small.forwarding, &injection, load, *lines.line[4] ? lines.line[4] : "tables");
	traffic_free(call);
	free(host);
	small_fabric_free(&small);
	lines_free(&lines);
	return 0;
}
