/*
 * Specifications of workloads, and of patterns as workloads: the specification, tasks, bytes, level or data, a topology, and one to place
 * tasks. It is refused in one line, or a graph that is in order, which the flow and the packet engine bring to its end.
 */
#include "target.h"
#include "task_graph_checks.h"
#include "patterns/workload.h"
#include "engines/flow/flow.h"
#include "engines/packet/packet.h"

enum { TASKS_MOST = 40, OPERATIONS_MOST = 600, FABRIC_MOST = 300, PACKETS_MOST = 4000, MTU = 2048 };

static uint32_t distance(const void *data, uint32_t task, uint32_t other)
{
	(void)data;
	return task > other ? task - other : other - task;
}

struct engines {
	struct small_fabric small;
	double *capacity;
	uint32_t host[TASKS_MOST];
};

static void check_times(const struct task_graph *graph, const struct task_times *times)
{
	uint64_t messages = 0;
	for (uint32_t o = 0; o < graph->operations; o++) {
		messages += flow_enters(graph, times->host, o);
		CHECK(times->begun[o] <= times->ended[o] && times->ended[o] <= times->end);
	}
	CHECK(times->messages + times->unroutable == messages);
}

static void run_flows(const struct engines *e, const struct task_graph *graph, bool strict)
{
	struct error error = {0};
	struct task_times times;
	struct flow_shares shares;
	struct flow_setup setup = {
		.fabric = e->small.fabric,
		.forwarding = e->small.forwarding,
		.capacity = e->capacity,
		.classes = {strict ? CLASSES_STRICT : CLASSES_ALIKE, strict ? CLASSES_MAX : 1, {1}},
		.drop = true,
		.stop = &never_stop,
	};
	struct flow_engine *engine = flow_create(&setup, &error);
	CHECK(engine);
	enum run_status ending = flow_run(engine, 0, graph, e->host, &times, &error);
	CHECK(ending == RUN_OK || ending == RUN_ENDLESS);
	if (ending == RUN_OK)
		check_times(graph, &times);
	CHECK(flow_share(engine, graph, e->host, true, &shares, &error) == RUN_OK);
	CHECK(isfinite(shares.max_min) && shares.restricted <= shares.max_min * (1 + 1e-9));
	flow_free(engine);
}

static void run_packets(const struct engines *e, const struct task_graph *graph, const char *topology)
{
	struct error error = {0};
	struct task_times times;
	struct packet_seen seen;
	struct packet_router_setup routing = {.fabric = e->small.fabric,
		.forwarding = e->small.forwarding,
		.topology = topology,
		.buffer = 8 * MTU,
		.packet = MTU,
		.seed = 1};
	struct packet_setup setup = {.fabric = e->small.fabric,
		.router = packet_router_create("tables", &routing, &error),
		.capacity = e->capacity,
		.buffer = 8 * MTU,
		.mtu = MTU,
		.control = 64,
		.credit_block = 1,
		.pairs = true,
		.qp_burst = 1,
		.service_level = SERVICE_LEVEL_OF_PAIR,
		.speedup = 1,
		.drop = true,
		.seed = 1,
		.stop = &never_stop};
	CHECK(setup.router);
	struct packet_engine *engine = packet_create(&setup, &error);
	CHECK(engine);
	enum run_status ending = packet_run_graph(engine, graph, e->host, &times, &seen, &error);
	CHECK(ending == RUN_OK || ending == RUN_ENDLESS || ending == RUN_DEADLOCK);
	if (ending == RUN_OK)
		check_times(graph, &times);
	packet_free(engine);
	packet_router_free(setup.router);
}

static void run(const struct task_graph *graph, const char *spec, uint32_t stride)
{
	struct engines e;
	const char *used;
	double packets = 0;
	e.small = small_fabric_create(spec, FABRIC_MOST, "fattree:k=4,n=2", &used);
	CHECK((e.capacity = malloc(e.small.fabric->channels * sizeof *e.capacity + 1)));
	for (uint32_t c = 0; c < e.small.fabric->channels; c++)
		e.capacity[c] = 1e10;
	for (uint32_t t = 0; t < graph->tasks; t++)
		e.host[t] = (t * stride + t) % e.small.fabric->hosts;
	for (uint32_t o = 0; o < graph->operations; o++)
		packets += graph->kind[o] == OPERATION_MESSAGE ? graph->size[o] / MTU + 1 : 0;
	run_flows(&e, graph, stride % 2);
	if (packets < PACKETS_MOST)
		run_packets(&e, graph, used);
	free(e.capacity);
	small_fabric_free(&e.small);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct error error = {0};
	struct pattern_request request = {.spec = lines.line[0], .first_ranks = -1, .seed = 1};
	struct workload_task task = {.tasks = 1 + line_number(lines.line[1], TASKS_MOST), .bytes = 1, .seed = 1, .distance = distance};
	struct task_graph *graph = NULL;
	uint32_t tasks = 0;
	CHECK(freopen("/dev/null", "r", stdin)); /* which a specification may name */
	read_size(lines.line[2], &task.bytes);
	task.sync = (enum workload_sync)line_number(lines.line[3], 3);
	struct workload_call *call = names_files(request.spec) ? NULL : workload_create(&request, &error);
	if (call && !workload_count(call, &tasks, &error) && tasks <= TASKS_MOST) {
		task.tasks = tasks ? tasks : task.tasks;
		graph = workload_graph(call, &task, &error);
	}
	if (error.status)
		check_refused(&error, REFUSED_FABRIC);
	if (graph)
		check_graph(graph);
	if (graph && graph->operations < OPERATIONS_MOST)
		run(graph, lines.line[4], line_number(lines.line[5], 100));
	task_graph_free(graph);
	workload_free(call);
	lines_free(&lines);
	return 0;
}
