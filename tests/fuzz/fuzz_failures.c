/*
 * Any bytes as a list of what fails of a torus (--fail-list), and each line as a cable that fails in a run of the flow and the packet
 * engine
 * (--fail-at): refused in one line, or messages go round what has failed, or are lost.
 */
#include "target.h"
#include "topologies/failures.h"
#include "engines/failing.h"
#include "engines/flow/flow.h"
#include "engines/packet/packet.h"
#include "orcs/peers.h"

static const char spec[] = "torus:3x3,hosts=1";

static void read_list(const char *path)
{
	struct failures failures;
	struct error error = {0};
	struct topology *topology = topology_create("torus:3x3,hosts=2", &error);
	CHECK(topology && !failures_init(&failures, topology, 1, false, &error));
	if (failures_file(&failures, path, &error) || failures_count(&failures, &error))
		check_refused(&error, REFUSED_USAGE);
	failures_clear(&failures);
	topology_free(topology);
}

/* Packets are delivered or lost, unless they wait for one another. */
static void run_packets(const struct small_fabric *small, const struct failing *failing, const double *capacity,
	const struct task_graph *graph, const uint32_t *host)
{
	struct error error = {0};
	struct task_times times;
	struct packet_seen seen;
	struct packet_router_setup routing = {
		.fabric = small->fabric, .forwarding = small->forwarding, .buffer = 8 * 2048, .packet = 2048, .seed = 1};
	struct packet_setup setup = {.fabric = small->fabric,
		.router = packet_router_create("tables", &routing, &error),
		.capacity = capacity,
		.buffer = 8 * 2048,
		.mtu = 2048,
		.control = 64,
		.credit_block = 1,
		.pairs = true,
		.qp_burst = 1,
		.speedup = 1,
		.service_level = SERVICE_LEVEL_OF_PAIR,
		.failure = failing->failure,
		.failures = failing->count,
		.afterwards = failing->afterwards,
		.drop = true,
		.seed = 1,
		.stop = &never_stop};
	CHECK(setup.router);
	struct packet_engine *engine = packet_create(&setup, &error);
	CHECK(engine);
	enum run_status ending = packet_run_graph(engine, graph, host, &times, &seen, &error);
	CHECK(ending == RUN_OK || ending == RUN_DEADLOCK || ending == RUN_ENDLESS);
	CHECK(ending != RUN_OK || (seen.made == seen.packets + seen.lost && times.messages + times.unroutable == graph->operations));
	packet_free(engine);
	packet_router_free(setup.router);
}

/* Every host sends to one on the other side while the cables fail. */
static void run(const struct small_fabric *small, const struct failing *failing)
{
	struct error error = {0};
	uint32_t hosts = small->fabric->hosts, host[16];
	double capacity[200];
	for (uint32_t c = 0; c < small->fabric->channels; c++)
		capacity[c] = 1e9;
	struct task_builder *builder = task_builder_create(hosts, &error);
	CHECK(builder && small->fabric->channels <= 200 && hosts <= 16);
	for (uint32_t h = 0; h < hosts; h++) {
		host[h] = h;
		task_message(builder, h, (h + 4) % hosts, 1e6);
	}
	struct task_graph *graph = task_builder_end(builder, &error);
	struct flow_setup setup = {
		.fabric = small->fabric,
		.forwarding = small->forwarding,
		.capacity = capacity,
		.classes = {CLASSES_ALIKE, 1, {1}},
		.failure = failing->failure,
		.failures = failing->count,
		.afterwards = failing->afterwards,
		.drop = true,
		.stop = &never_stop,
	};
	struct flow_engine *engine = flow_create(&setup, &error);
	struct task_times times;
	CHECK(graph && engine && flow_run(engine, 0, graph, host, &times, &error) == RUN_OK);
	CHECK(times.messages + times.unroutable == hosts && times.end < LONGEST_TIME);
	flow_free(engine);
	run_packets(small, failing, capacity, graph, host);
	task_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct comm *comm;
	struct comm_peers peers;
	struct failing failing = {0};
	struct error error = {0};
	struct small_fabric small = {0};
	struct lines lines = lines_create(data, size);
	struct memory_file memory = memory_file_create(data, size);
	read_list(memory.path);
	memory_file_close(&memory);
	CHECK((comm = comm ? comm : comm_create(&error)) && !topology_fabric_load(spec, &small.fabric, &small.forwarding, &error));
	peers_init(&peers, comm);
	struct failing_options options = {.reroute = size % 2 ? "minhop" : NULL};
	const struct engine_setup setup = {
		.failing = &options, .fabric = small.fabric, .forwarding = small.forwarding, .seed = 1, .peers = &peers.peers};
	for (size_t i = 0; i < lines.count && options.failures < 6; i++)
		if (*lines.line[i])
			options.fail_at[options.failures++] = lines.line[i];
	if (failing_make(&failing, &setup, &error))
		check_refused(&error, REFUSED_FABRIC);
	else if (options.failures)
		run(&small, &failing);
	failing_clear(&failing);
	peers_clear(&peers);
	small_fabric_free(&small);
	lines_free(&lines);
	return 0;
}
