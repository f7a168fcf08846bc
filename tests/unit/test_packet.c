/* The packet engine by itself: exact times, what is counted, loads, deadlocks, and that nothing of a run is left in the next one. */
#include "helpers.h"
#include "base/memory.h"

#include "engines/packet/packet.h"
#include "engines/packet/packet_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static const char star[] =
	"digraph { H0; H1; H2; H3; H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"]; H3 -> S [comment=\"*\"];"
	"S -> H0 [comment=H0]; S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3]; }";

/* A ring one way: each sends to the host after the next. */
static const char ring[] = "digraph { H0; H1; H2; H0 -> A [comment=\"*\"]; H1 -> B [comment=\"*\"]; H2 -> C [comment=\"*\"];"
			   "A -> H0 [comment=H0]; B -> H1 [comment=H1]; C -> H2 [comment=H2];"
			   "A -> B [comment=\"H1,H2\"]; B -> C [comment=\"H2,H0\"]; C -> A [comment=\"H0,H1\"]; }";

/* To H1 there is no way from the switch. */
static const char gap[] = "digraph { H0; H1; H2; H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"];"
			  "S -> H0 [comment=H0]; S -> H1; S -> H2 [comment=H2]; }";

/* Channels of 8 Gb/s, a byte a nanosecond, 10 ns long; packets of 1000 bytes; switches take 100 ns. */
struct network {
	struct world world;
	double *capacity, *latency;
	uint32_t host[64]; /* task i on host i */
	struct packet_router *router;
	struct packet_setup setup;
	struct packet_engine *engine;
	struct task_builder *builder;
	struct task_graph *graph;
	struct traffic_call *traffic;
	struct packet_load load;
	struct task_times times;
	struct packet_seen seen;
};

static void make_network(struct network *n, const char *text, const char *routing, unsigned lanes)
{
	*n = (struct network){0};
	world_load(&n->world, text);
	const struct fabric *f = n->world.fabric;
	n->capacity = array_create(f->channels, sizeof *n->capacity, &error);
	n->latency = array_create(f->channels, sizeof *n->latency, &error);
	for (uint32_t c = 0; c < f->channels; c++) {
		n->capacity[c] = 8e9;
		n->latency[c] = 10e-9;
	}
	for (uint32_t t = 0; t < ARRAY_LENGTH(n->host); t++)
		n->host[t] = t % f->hosts;
	n->builder = task_builder_create(f->hosts, &error);
	struct packet_router_setup router = {
		.fabric = f, .forwarding = n->world.forwarding, .lanes = lanes, .buffer = 8000, .packet = 1000, .seed = 1};
	n->router = packet_router_create(routing, &router, &error);
	assert_fine(&error);
	n->setup = (struct packet_setup){.fabric = f,
		.router = n->router,
		.capacity = n->capacity,
		.latency = n->latency,
		.buffer = 8000,
		.mtu = 1000,
		.credit_block = 1,
		.pairs = true,
		.qp_burst = 1,
		.routing_delay = 100e-9,
		.speedup = 1,
		.link_times = true,
		.seed = 1,
		.stop = &never_stop};
}

static void clear_network(struct network *n)
{
	packet_free(n->engine);
	packet_router_free(n->router);
	traffic_free(n->traffic);
	task_graph_free(n->graph);
	task_builder_free(n->builder);
	free(n->capacity);
	free(n->latency);
	world_clear(&n->world);
}

static void make_engine_of(struct network *n)
{
	packet_free(n->engine);
	n->engine = packet_create(&n->setup, &error);
	assert_fine(&error);
}

static enum run_status run_graph(struct network *n)
{
	if (!n->engine)
		make_engine_of(n);
	if (!n->graph)
		n->graph = task_builder_end(n->builder, &error);
	n->builder = NULL;
	return packet_run_graph(n->engine, n->graph, n->host, &n->times, &n->seen, &error);
}

/* Every host sends by the pattern at that load. */
static enum run_status run_load(struct network *n, const char *traffic, double load)
{
	struct traffic_setup setup = {.fabric = n->world.fabric, .ranks = n->world.fabric->hosts, .host = n->host, .seed = 1};
	traffic_free(n->traffic);
	n->traffic = traffic_create(traffic, NULL, &setup, &error);
	assert_fine(&error);
	if (!n->engine)
		make_engine_of(n);
	n->load.traffic = n->traffic;
	n->load.load = load;
	n->load.bytes = n->load.bytes ? n->load.bytes : 1000;
	n->load.ranks = setup.ranks;
	n->load.host = n->host;
	n->load.drain = NEVER;
	return packet_run_load(n->engine, &n->load, &n->seen, &error);
}

/* ---- task graphs */

TEST(one_message)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	uint32_t m = task_message(n.builder, 0, 1, 2500);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.ended[m], (2500 + 2 * 10 + 100) * 1000);
	assert_within(n.times.zero_load[m], 2620e-9, 1e-18);
	assert_int_equal(n.times.end, n.times.ended[m]);
	assert_int_equal(n.times.hops[m], 2);
	assert_int_equal(n.times.messages, 1);
	assert_int_equal(n.seen.packets, 3);
	assert_int_equal(n.seen.hops, 6);
	assert_int_equal(n.seen.all.packets, 3);
	assert_int_equal(n.seen.all.bytes, 2500);
	assert_int_equal(n.seen.all.zero_load, 3 * 120000 + 2500 * 1000);
	assert_int_equal(n.seen.all.latency, 3 * 120000 + (1000 + 2000 + 2500) * 1000);
	assert_int_equal(n.seen.out_of_order, 0);
	uint32_t up = channel_of(&n.world, "H0", "S"), down = channel_of(&n.world, "S", "H1"), other = channel_of(&n.world, "S", "H2");
	assert_int_equal(n.seen.sent[up], 2500);
	assert_int_equal(n.seen.busy[down], 2500 * 1000);
	assert_int_equal(n.seen.sent[other], 0);
	assert_within(n.times.sent[down], 8 * 2500, 0);
	clear_network(&n);
}

/* Three into one port in turn, whatever else the switch does; and the same once more. */
TEST(three_into_one_port)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	uint32_t m[3];
	for (uint32_t t = 0; t < 3; t++)
		m[t] = task_message(n.builder, t, 3, 4000);
	task_message(n.builder, 3, 0, 9000);
	for (int again = 0; again < 3; again++) {
		assert_int_equal(run_graph(&n), RUN_OK);
		for (uint32_t t = 0; t < 3; t++)
			assert_int_equal(n.times.ended[m[t]], (120 + 1000 * (10 + t)) * 1000);
		assert_int_equal(n.seen.sent[channel_of(&n.world, "S", "H3")], 12000);
	}
	clear_network(&n);
}

/* Room that a packet to a slow host takes for long, and one to a fast host, which came later, gives back first: for the third, at 320 ns.
 */
TEST(room_comes_back_in_any_order)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	n.capacity[channel_of(&n.world, "H0", "S")] = n.capacity[channel_of(&n.world, "S", "H2")] = 80e9;
	n.setup.buffer = 2000;
	n.setup.voq = true;
	n.setup.speedup = 0;
	uint32_t slow = task_message(n.builder, 0, 1, 1000), first = task_message(n.builder, 0, 2, 1000),
		 second = task_message(n.builder, 0, 2, 1000);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.ended[slow], (120 + 1000) * 1000);
	assert_int_equal(n.times.ended[first], (220 + 100) * 1000);
	assert_int_equal(n.times.ended[second], (320 + 120 + 100) * 1000);
	clear_network(&n);
}

/* A host with two ports sends by both at once, and sends through what it gets for others. */
TEST(two_ports)
{
	struct network n;
	make_network(&n,
		"digraph { node [type=host]; H0; H1; H2; H0 -> H1 [comment=\"H1\"]; H0 -> H2 [comment=\"H2\"];"
		"H1 -> H0 [comment=\"H0,H2\"]; H2 -> H0 [comment=\"H0,H1\"]; }",
		"tables", 0);
	uint32_t left = task_message(n.builder, 0, 1, 1000), right = task_message(n.builder, 0, 2, 1000),
		 through = task_message(n.builder, 1, 2, 1000);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.ended[left], 1010 * 1000);
	assert_int_equal(n.times.ended[right], 1010 * 1000);
	assert_int_equal(n.times.ended[through], (1000 + 1010) * 1000); /* when H0's own has left */
	clear_network(&n);
}

/* A message to the own host takes the memory's time, one without bytes that of the way. */
TEST(small_and_own_messages)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	n.setup.memory = 80e9;
	uint32_t own = task_message(n.builder, 0, 0, 1000), none = task_message(n.builder, 0, 1, 0), one = task_message(n.builder, 1, 2, 1);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.ended[own], 100 * 1000);
	assert_int_equal(n.times.ended[none], 120 * 1000);
	assert_int_equal(n.times.ended[one], 121 * 1000);
	clear_network(&n);
}

/* One buffer of a packet at each port of a ring, and everybody sends two hops: all wait for the next one for ever. */
TEST(deadlock)
{
	struct network n;
	make_network(&n, ring, "tables", 0);
	n.setup.buffer = 1000;
	for (uint32_t t = 0; t < 3; t++)
		task_message(n.builder, t, (t + 2) % 3, 10000);
	assert_int_equal(run_graph(&n), RUN_DEADLOCK);
	assert_error(&error, STATUS_FABRIC, "3 packets wait for one another in a cycle", "'A'-'B' lane 0 (packet 'H0' to 'H2')");
	n.setup.buffer = 20000; /* nobody has to wait for room */
	make_engine_of(&n);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.messages, 3);
	clear_network(&n);
}

/* An engine that has ended badly begins anew. */
TEST(after_a_deadlock)
{
	struct network n;
	make_network(&n, ring, "tables", 0);
	n.setup.buffer = 1000;
	n.load.injection.process = INJECTION_POISSON;
	n.load.measure = UINT64_C(100000000000);
	assert_int_equal(run_load(&n, "shift:2", 0.2), RUN_DEADLOCK);
	assert_error(&error, STATUS_FABRIC, "wait for one another in a cycle");
	uint32_t m = task_message(n.builder, 0, 1, 1000);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.ended[m], (1000 + 3 * 10 + 2 * 100) * 1000);
	clear_network(&n);
}

TEST(no_route)
{
	struct network n;
	uint32_t source = NONE, destination = NONE;
	make_network(&n, gap, "tables", 0);
	uint32_t m = task_message(n.builder, 0, 1, 3000), other = task_message(n.builder, 0, 2, 1000);
	assert_int_equal(run_graph(&n), RUN_UNROUTABLE);
	packet_bad_pair(n.engine, &source, &destination);
	assert_int_equal(source, 0);
	assert_int_equal(destination, 1);
	n.setup.drop = true;
	make_engine_of(&n);
	assert_int_equal(run_graph(&n), RUN_OK);
	assert_int_equal(n.times.unroutable, 1);
	assert_int_equal(n.times.messages, 1);
	assert_true(n.times.lost[m] && !n.times.lost[other]);
	assert_int_equal(n.seen.unroutable, 3);
	clear_network(&n);
}

TEST(no_end)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	task_compute(n.builder, 0, 3e6);
	assert_int_equal(run_graph(&n), RUN_ENDLESS);
	clear_network(&n);
}

TEST(interrupted)
{
	static volatile sig_atomic_t stop = 1;
	struct network n;
	make_network(&n, star, "tables", 0);
	n.setup.stop = &stop;
	task_message(n.builder, 0, 1, 1000);
	assert_int_equal(run_graph(&n), RUN_INTERRUPTED);
	assert_int_equal(run_load(&n, "uniform", 0.5), RUN_INTERRUPTED);
	clear_network(&n);
}

/* ---- loads */

/* What was sent while measuring arrives, is counted once, and is found again in every sum. */
static void assert_sums(const struct network *n)
{
	struct packet_batch sum = {0};
	uint64_t binned = 0, sent = 0;
	for (int b = 0; b < PACKET_BATCHES; b++) {
		const struct packet_batch *batch = &n->seen.batch[b];
		assert_int_equal(batch->created, batch->packets);
		assert_true(batch->zero_load <= batch->network && batch->network <= batch->latency);
		sum.packets += batch->packets;
		sum.bytes += batch->bytes;
		sum.latency += batch->latency;
		sum.accepted += batch->accepted;
	}
	for (unsigned bin = 0; bin < LATENCY_BINS; bin++) {
		binned += n->seen.latency_bins[bin];
		assert_true(!n->seen.latency_bins[bin] || packet_bin_floor(bin) <= n->seen.longest);
	}
	for (uint32_t c = 0; c < n->world.fabric->channels; c++)
		sent += n->seen.sent[c];
	assert_int_equal(binned, n->seen.all.packets);
	assert_int_equal(sum.packets, n->seen.all.packets);
	assert_int_equal(sum.bytes, n->seen.all.bytes);
	assert_int_equal(sum.latency, n->seen.all.latency);
	assert_int_equal(sum.accepted, n->seen.all.accepted);
	assert_in_range(n->seen.packets, n->seen.all.packets, UINT64_MAX);
	assert_within((double)sent / (double)n->seen.all.bytes, 2, 0.02); /* by two channels each */
}

TEST(light_load)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	n.load.injection.process = INJECTION_PERIODIC;
	n.load.warmup = 1000000;
	n.load.measure = UINT64_C(3000000000);
	assert_int_equal(run_load(&n, "shift:1", 0.25), RUN_OK); /* nobody is in the way of another */
	assert_sums(&n);
	assert_int_equal(n.seen.senders, 4);
	assert_true(n.seen.open && n.seen.steady && !n.seen.saturated);
	assert_int_equal(n.seen.measured, n.load.measure);
	assert_int_equal(n.seen.all.packets, 4 * 3000000 / 4000);
	assert_int_equal(n.seen.all.zero_load, n.seen.all.packets * 1120 * 1000);
	assert_int_equal(n.seen.all.latency, n.seen.all.zero_load);
	assert_int_equal(n.seen.longest, 1120 * 1000);
	assert_within(n.seen.link, 1e-3, 1e-15);
	assert_within(n.seen.bytes_offered, 1e-3, 1e-12);
	clear_network(&n);
}

/* The same twice, and after other runs. */
TEST(loads_are_repeatable)
{
	static const enum injection_process processes[] = {INJECTION_BERNOULLI, INJECTION_POISSON, INJECTION_PERIODIC};
	struct network n;
	make_network(&n, star, "tables", 0);
	n.load.measure = UINT64_C(500000000);
	n.load.warmup = NEVER;
	for (size_t p = 0; p < ARRAY_LENGTH(processes); p++) {
		n.load.injection.process = processes[p];
		assert_int_equal(run_load(&n, "uniform", 0.5), RUN_OK);
		assert_sums(&n);
		assert_within((double)n.seen.all.accepted / (double)n.seen.measured / n.seen.link / 4, 0.5, 0.03);
		struct packet_seen before = n.seen;
		assert_int_equal(run_load(&n, "shift:1", 1), RUN_OK);
		n.load.run++;
		assert_int_equal(run_load(&n, "uniform", 0.5), RUN_OK);
		if (processes[p] != INJECTION_PERIODIC)
			assert_int_not_equal(n.seen.all.latency, before.all.latency);
		n.load.run--;
		assert_int_equal(run_load(&n, "uniform", 0.5), RUN_OK);
		assert_int_equal(n.seen.end, before.end);
		assert_memory_equal(n.seen.batch, before.batch, sizeof before.batch);
	}
	clear_network(&n);
}

/* Everybody to one: its link is full, everybody gets a share, and what waits is said. */
TEST(saturated)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	n.load.warmup = 20000000;
	n.load.measure = UINT64_C(1000000000);
	assert_int_equal(run_load(&n, "gather", 1), RUN_OK);
	assert_true(n.seen.saturated);
	assert_int_equal(n.seen.senders, 3);
	assert_in_range(n.seen.all.accepted, 999000, 1001000);
	uint32_t full = channel_of(&n.world, "S", "H0");
	assert_int_equal(n.seen.busy[full], n.seen.measured);
	assert_int_equal(n.seen.blocked[full], 0);
	for (uint32_t h = 1; h < 4; h++) { /* a third each: busy for as long, and held back for as long as not busy */
		uint32_t up = n.world.fabric->first_channel[n.world.fabric->host_node[h]];
		assert_within((double)n.seen.sent[up] / 1e6, 1 / 3., 0.002);
		assert_within((double)(n.seen.busy[up] + n.seen.blocked[up]) / (double)n.seen.measured, 1, 0.01);
	}
	clear_network(&n);
}

/* ---- small things */

TEST(what_cannot_be)
{
	struct network n;
	make_network(&n, star, "tables", 0);
	n.setup.buffer = 999;
	assert_null(packet_create(&n.setup, &error));
	assert_error(&error, STATUS_USAGE, "--buffer is 999 bytes, less than one MTU (--mtu, 1000 bytes)");
	n.setup.mtu = 0;
	assert_null(packet_create(&n.setup, &error));
	assert_error(&error, STATUS_USAGE, "--mtu is 0 bytes");
	n.setup.mtu = n.setup.buffer = PACKET_LARGEST + 1;
	assert_null(packet_create(&n.setup, &error));
	assert_error(&error, STATUS_USAGE, "--mtu is 268435457 bytes");
	n.setup.mtu = n.setup.buffer = 100;
	n.setup.eager = 1;
	n.setup.control = 101;
	assert_null(packet_create(&n.setup, &error));
	assert_error(&error, STATUS_USAGE, "--rts-size is 101 bytes");
	clear_network(&n);
}

/* Every latency is in the bin whose floor it does not fall below, and that is at most a 64th narrower. */
TEST(bins_of_latencies)
{
	unsigned last = 0;
	for (uint64_t latency = 0; latency < UINT64_C(1) << 44; latency += 1 + latency / 100) {
		unsigned bin = packet_bin(latency);
		assert_in_range(bin, last, LATENCY_BINS - 1);
		assert_true(packet_bin_floor(bin) <= latency && packet_bin_floor(bin + 1) > latency);
		assert_true((packet_bin_floor(bin + 1) - packet_bin_floor(bin)) * 64 <= latency || latency < 64);
		last = bin;
	}
	for (unsigned bin = 0; bin < LATENCY_BINS; bin++) {
		assert_int_equal(packet_bin(packet_bin_floor(bin)), bin);
		assert_true(!bin || packet_bin(packet_bin_floor(bin) - 1) == bin - 1);
	}
	assert_int_equal(packet_bin(UINT64_MAX), LATENCY_BINS - 1);
}

/* Switches A and B tell each other what waits for the channel to C, after the 10 ns of their cable and the 100 ns of a switch. */
TEST(what_switches_tell_takes_time)
{
	struct network n;
	uint32_t group[16], leaving = NONE, inside = NONE;
	make_network(&n, ring, "tables", 1);
	const struct fabric *f = n.world.fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		group[v] = f->labels->name[v][0] == 'C' || !strcmp(f->labels->name[v], "H2");
	for (uint32_t c = 0; c < f->channels; c++) {
		const char *tail = f->labels->name[fabric_tail(f, c)], *head = f->labels->name[f->head[c]];
		leaving = tail[0] == 'B' && head[0] == 'C' ? c : leaving;
		inside = tail[0] == 'A' && head[0] == 'B' ? c : inside;
	}
	n.router->group = group;
	make_engine_of(&n);
	struct packet_engine *e = n.engine;
	e->error = &error;
	e->now = 1000;
	packet_told_changes(e, leaving, 1);
	packet_told_changes(e, leaving, 1);
	packet_told_changes(e, inside, 1); /* is not told */
	assert_int_equal(packet_told_waiting(e, leaving), 0);
	e->now = 50000;
	packet_told_changes(e, leaving, -1);
	assert_int_equal(packet_told_now(e, leaving), 1);
	e->now = 1000 + 110000 - 1;
	assert_int_equal(packet_told_waiting(e, leaving), 0);
	e->now = 1000 + 110000;
	assert_int_equal(packet_told_waiting(e, leaving), 2);
	e->now = 50000 + 110000;
	assert_int_equal(packet_told_waiting(e, leaving), 1);
	for (unsigned i = 0; i < 1000; i++) { /* old changes are forgotten, whether anybody asks or not */
		e->now += 1000;
		packet_told_changes(e, leaving, i % 2 ? -1 : 1);
	}
	e->now += 110000;
	assert_int_equal(packet_told_waiting(e, leaving), 1);
	assert_int_equal(packet_told_waiting(e, inside), 0);
	packet_told_begin(e);
	assert_int_equal(packet_told_waiting(e, leaving), 0);
	clear_network(&n);
}

/* Memory is what large fabrics cost. */
TEST(packets_are_small)
{
	assert_int_equal(sizeof(struct packet), 64);
	assert_in_range(sizeof(struct credit) + sizeof(struct queue), 16, 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_message),
		cmocka_unit_test(three_into_one_port),
		cmocka_unit_test(room_comes_back_in_any_order),
		cmocka_unit_test(two_ports),
		cmocka_unit_test(small_and_own_messages),
		cmocka_unit_test(deadlock),
		cmocka_unit_test(after_a_deadlock),
		cmocka_unit_test(no_route),
		cmocka_unit_test(no_end),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(light_load),
		cmocka_unit_test(loads_are_repeatable),
		cmocka_unit_test(saturated),
		cmocka_unit_test(what_cannot_be),
		cmocka_unit_test(bins_of_latencies),
		cmocka_unit_test(what_switches_tell_takes_time),
		cmocka_unit_test(packets_are_small),
	};
	return cmocka_run_group_tests_name("packet", tests, make_scratch, remove_scratch);
}
