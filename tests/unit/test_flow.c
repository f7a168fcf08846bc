/* The flow engine: exact times, rates that the hand finds, what waits for what, classes, failures, and that nothing is lost or made. */
#include "helpers.h"
#include "base/memory.h"

#include "fabric/route_choice.h"
#include "formats/cache.h"
#include "patterns/workload.h"
#include "engines/flow/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* Five hosts on one switch: only their own links can be full. */
static const char star[] =
	"digraph { H0; H1; H2; H3; H4;"
	"H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"]; H3 -> S [comment=\"*\"]; H4 -> S [comment=\"*\"];"
	"S -> H0 [comment=H0]; S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3]; S -> H4 [comment=H4]; }";

/* Two hosts, the direct way between whose switches is the shorter one; the other is by C. */
static const char detour[] =
	"digraph { H0; H1; H0 -> A [comment=\"*\"]; H1 -> B [comment=\"*\"]; A -> H0 [comment=H0]; B -> H1 [comment=H1];"
	"A -> B [comment=H1]; B -> A [comment=H0]; A -> C; C -> A; C -> B; B -> C; }";
static const char long_way[] =
	"digraph { H0; H1; H0 -> A [comment=\"*\"]; H1 -> B [comment=\"*\"]; A -> H0 [comment=H0]; B -> H1 [comment=H1];"
	"A -> B; B -> A; A -> C [comment=H1]; C -> A [comment=H0]; C -> B [comment=H1]; B -> C [comment=H0]; }";

/* An engine on a fabric whose channels are all alike, with a builder for what it is to run. */
struct network {
	struct world world;
	double *capacity, *latency;
	uint32_t host[1000]; /* task i on host i */
	struct flow_setup setup;
	struct flow_engine *engine;
	struct task_builder *builder;
	struct task_graph *graph;
	struct task_times times;
};

static void make_network(struct network *n, const char *text, uint32_t tasks)
{
	*n = (struct network){0};
	world_load(&n->world, text);
	uint32_t channels = n->world.fabric->channels;
	n->capacity = array_create(channels, sizeof *n->capacity, &error);
	n->latency = array_create(channels, sizeof *n->latency, &error);
	for (uint32_t c = 0; c < channels; c++)
		n->capacity[c] = 10e9;
	for (uint32_t t = 0; t < 1000; t++)
		n->host[t] = t % n->world.fabric->hosts;
	n->builder = task_builder_create(tasks, &error);
	n->setup = (struct flow_setup){.fabric = n->world.fabric,
		.forwarding = n->world.forwarding,
		.capacity = n->capacity,
		.latency = n->latency,
		.classes = {.classes = 1},
		.stop = &never_stop};
	assert_fine(&error);
}

static void clear_network(struct network *n)
{
	flow_free(n->engine);
	task_graph_free(n->graph);
	free(n->capacity);
	free(n->latency);
	world_clear(&n->world);
}

static enum run_status run_again(struct network *n)
{
	return flow_run(n->engine, 0, n->graph, n->host, &n->times, &error);
}

/* Ends what the builder has. */
static void end_graph(struct network *n)
{
	n->graph = task_builder_end(n->builder, &error);
	assert_fine(&error);
	n->engine = flow_create(&n->setup, &error);
	assert_fine(&error);
}

static void run(struct network *n)
{
	end_graph(n);
	assert_int_equal(run_again(n), RUN_OK);
	assert_fine(&error);
}

static uint32_t message(struct network *n, uint32_t sender, uint32_t receiver, double gigabits)
{
	return task_message(n->builder, sender, receiver, gigabits * 1e9 / 8);
}

static void assert_ended(const struct network *n, uint32_t operation, double seconds)
{
	assert_int_equal(n->times.ended[operation], llround(seconds * PICOSECONDS));
}

/* ---- times */

TEST(two_messages_into_one_port)
{
	struct network n;
	make_network(&n, star, 3);
	uint32_t small = message(&n, 0, 2, 1), large = message(&n, 1, 2, 10);
	run(&n);
	assert_ended(&n, small, 0.2);
	assert_ended(&n, large, 1.1);
	assert_int_equal(n.times.end, UINT64_C(1100000000000));
	assert_int_equal(n.times.messages, 2);
	assert_within(n.times.zero_load[large], 1, 1e-15);
	assert_int_equal(n.times.hops[large], 2);
	clear_network(&n);
}

/* Three messages share the way into H3, one of them the way out of H2 with a fourth: 10/3 each, the fourth gets the rest. */
TEST(a_message_that_is_held_elsewhere_leaves_room)
{
	struct network n;
	make_network(&n, star, 5);
	uint32_t a = message(&n, 0, 3, 10), b = message(&n, 1, 3, 10), c = message(&n, 2, 3, 10), d = message(&n, 2, 4, 20);
	run(&n);
	assert_ended(&n, a, 3);
	assert_ended(&n, b, 3);
	assert_ended(&n, c, 3);
	assert_ended(&n, d, 3);
	clear_network(&n);
}

/* When a message ends, those that it held have more at once, and so on along a chain. */
TEST(an_end_is_felt_along_a_chain)
{
	struct network n;
	make_network(&n, star, 5);
	uint32_t a = message(&n, 0, 1, 5), b = message(&n, 0, 2, 10), c = message(&n, 3, 2, 10), d = message(&n, 3, 4, 15);
	run(&n);
	assert_ended(&n, a, 1); /* 5 each until then */
	assert_ended(&n, b, 2); /* c holds it still */
	assert_ended(&n, c, 2);
	assert_ended(&n, d, 2.5); /* 10 sent by 2 s, 5 left */
	clear_network(&n);
}

TEST(latencies_come_on_top)
{
	struct network n;
	make_network(&n, star, 3);
	n.latency[channel_of(&n.world, "H0", "S")] = 0.25;
	n.latency[channel_of(&n.world, "S", "H1")] = 0.5;
	uint32_t full = message(&n, 0, 1, 10), empty = message(&n, 0, 1, 0), back = message(&n, 1, 0, 10);
	run(&n);
	assert_ended(&n, full, 1.75);
	assert_ended(&n, empty, 0.75);
	assert_ended(&n, back, 1);
	assert_within(n.times.zero_load[full], 1.75, 1e-15);
	/* what has been sent no longer holds others, though it has not arrived */
	clear_network(&n);
	make_network(&n, star, 3);
	n.latency[channel_of(&n.world, "H0", "S")] = 5;
	uint32_t early = message(&n, 0, 2, 1), late = message(&n, 1, 2, 10);
	run(&n);
	assert_ended(&n, early, 5.2);
	assert_ended(&n, late, 1.1);
	clear_network(&n);
}

TEST(messages_to_oneself)
{
	struct network n;
	make_network(&n, star, 2);
	uint32_t own = message(&n, 0, 0, 10);
	run(&n);
	assert_ended(&n, own, 0);
	clear_network(&n);
	make_network(&n, star, 2);
	n.setup.memory = 40e9;
	own = message(&n, 0, 0, 10);
	uint32_t second = message(&n, 0, 0, 30), other = message(&n, 0, 1, 10);
	run(&n);
	assert_ended(&n, own, 0.5);
	assert_ended(&n, second, 1);
	assert_ended(&n, other, 1);
	for (uint32_t c = 0; c < n.world.fabric->channels; c++) /* memory is no channel of the fabric */
		assert_true(n.times.sent[c] == 0 || n.times.sent[c] == 10e9);
	clear_network(&n);
}

TEST(operations_wait_for_ends_and_beginnings)
{
	struct network n;
	make_network(&n, star, 5);
	uint32_t work = task_compute(n.builder, 0, 0.5), first = message(&n, 0, 1, 10), answer = message(&n, 1, 0, 5);
	uint32_t along = message(&n, 2, 3, 10), join = task_join(n.builder, 4);
	task_after(n.builder, first, work);
	task_after(n.builder, answer, first);
	task_after_begun(n.builder, along, first);
	task_after(n.builder, join, along);
	task_after(n.builder, join, answer);
	run(&n);
	assert_ended(&n, work, 0.5);
	assert_ended(&n, first, 1.5);
	assert_ended(&n, answer, 2);
	assert_int_equal(n.times.begun[along], UINT64_C(500000000000));
	assert_ended(&n, along, 1.5);
	assert_ended(&n, join, 2);
	clear_network(&n);
}

TEST(nothing_takes_no_time)
{
	struct network n;
	make_network(&n, star, 2);
	run(&n);
	assert_int_equal(n.times.end, 0);
	assert_int_equal(n.times.messages, 0);
	clear_network(&n);
}

/* ---- what the definitions tell of workloads, on 10 Gb/s links, messages of 1,024,000 kbit */

static void run_workload(struct network *n, const char *spec, uint32_t tasks)
{
	struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = 1};
	struct workload_task task = {.tasks = tasks, .bytes = 128e6, .seed = 1};
	struct workload_call *call = workload_create(&request, &error);
	assert_fine(&error);
	task_graph_free(n->graph);
	n->graph = workload_graph(call, &task, &error);
	assert_fine(&error);
	workload_free(call);
	assert_int_equal(run_again(n), RUN_OK);
	assert_fine(&error);
}

static void assert_makespan(const char *topology, const char *spec, uint32_t tasks, double seconds)
{
	struct network n = {0};
	assert_int_equal(
		fabric_load(topology, DOT_TABLES, &n.world.fabric, &n.world.forwarding, &n.world.attributes, &n.world.report, &error), 0);
	n.capacity = array_create(n.world.fabric->channels, sizeof *n.capacity, &error);
	for (uint32_t c = 0; c < n.world.fabric->channels; c++)
		n.capacity[c] = 10e9;
	for (uint32_t t = 0; t < 1000; t++)
		n.host[t] = t;
	n.setup = (struct flow_setup){.fabric = n.world.fabric,
		.forwarding = n.world.forwarding,
		.capacity = n.capacity,
		.classes = {.classes = 1},
		.stop = &never_stop};
	n.engine = flow_create(&n.setup, &error);
	run_workload(&n, spec, tasks);
	if (n.times.end != (uint64_t)llround(seconds * PICOSECONDS))
		print_error("%s on %s\n", spec, topology);
	assert_int_equal(n.times.end, llround(seconds * PICOSECONDS));
	clear_network(&n);
}

TEST(the_exact_cases)
{
	assert_makespan("fattree:k=4,n=2", "alltoone", 16, 1.536);
	assert_makespan("fattree:k=4,n=2", "onetoall", 16, 1.536);
	assert_makespan("fattree:k=4,n=2", "mapreduce:100", 16, 4.5056);
	assert_makespan("torus:5x5,hosts=direct", "alltoall_flood", 25, 1.536);
	assert_makespan("torus:5x5,hosts=direct", "shift:3", 25, 0.2048);
	assert_makespan("torus:5x5,hosts=direct", "nbody", 25, 4.4032);
	assert_makespan("torus:5x5x5,hosts=direct", "stencil:5x5x5", 125, 0.1024);
	assert_makespan("torus:5x5x5,hosts=direct", "sweep:5x5x5", 125, 1.3312);
	assert_makespan("torus:5x5x5,hosts=direct", "allreduce_butterfly", 125, 1.4352);
	assert_makespan("fattree:k=4,n=3", "allreduce_butterfly", 64, 0.6144);
	assert_makespan("dragonfly:p=2,a=4,h=2", "shift:8", 72, 0.8192);
}

/* ---- conservation and causality */

static void assert_conserved(const struct network *n)
{
	const struct task_graph *g = n->graph;
	double sent = 0, passed = 0, used = 0;
	for (uint32_t c = 0; c < n->world.fabric->channels; c++)
		sent += n->times.sent[c];
	for (uint32_t o = 0; o < g->operations; o++)
		passed += g->kind[o] == OPERATION_MESSAGE ? 8 * g->size[o] * n->times.hops[o] : 0;
	assert_within(sent / passed, 1, 1e-12);
	for (int i = 0; n->times.used && i < LINK_BINS; i++)
		used += n->times.used[i];
	if (n->times.used)
		assert_within(used / passed, 1, 1e-9);
}

/* Nothing begins before what it waits for, nothing ends before it begins, and no message is faster than alone. */
static void assert_causal(const struct network *n)
{
	const struct task_graph *g = n->graph;
	for (uint32_t o = 0; o < g->operations; o++) {
		assert_true(n->times.begun[o] <= n->times.ended[o]);
		assert_true(n->times.ended[o] <= n->times.end);
		if (g->kind[o] == OPERATION_MESSAGE)
			assert_true(
				(double)(n->times.ended[o] - n->times.begun[o]) >= n->times.zero_load[o] * PICOSECONDS * (1 - 1e-12) - 1);
		for (uint64_t k = g->first ? g->first[o] : 0; g->first && k < g->first[o + 1]; k++)
			assert_true(n->times.begun[g->next[k]] >= n->times.ended[o]);
		for (uint64_t k = g->first_begun ? g->first_begun[o] : 0; g->first_begun && k < g->first_begun[o + 1]; k++)
			assert_true(n->times.begun[g->next_begun[k]] >= n->times.begun[o]);
	}
}

/* An operation begins the moment the last that it waits for has ended or begun. */
static void assert_prompt(const struct network *n)
{
	const struct task_graph *g = n->graph;
	uint64_t *due = calloc(g->operations, sizeof *due);
	for (uint32_t o = 0; o < g->operations; o++) {
		for (uint64_t k = g->first ? g->first[o] : 0; g->first && k < g->first[o + 1]; k++)
			due[g->next[k]] = due[g->next[k]] > n->times.ended[o] ? due[g->next[k]] : n->times.ended[o];
		for (uint64_t k = g->first_begun ? g->first_begun[o] : 0; g->first_begun && k < g->first_begun[o + 1]; k++)
			due[g->next_begun[k]] = due[g->next_begun[k]] > n->times.begun[o] ? due[g->next_begun[k]] : n->times.begun[o];
	}
	for (uint32_t o = 0; o < g->operations; o++)
		assert_int_equal(n->times.begun[o], due[o]);
	free(due);
}

TEST(workloads_are_conserved_and_causal)
{
	static const char *const specs[] = {"alltoall_flood", "random:200", "mapreduce:50", "allreduce_butterfly", "nbody", "barrier",
		"sweep:4x4", "flood:4x4", "unstructured:60,7", "phases:alltoall_flood,20", "recdbl", "bruck", "allreduce_rabenseifner",
		"dcntraffic:100"};
	struct network n = {0};
	world_tree(&n.world, 4, 2);
	n.capacity = array_create(n.world.fabric->channels, sizeof *n.capacity, &error);
	for (uint32_t c = 0; c < n.world.fabric->channels; c++)
		n.capacity[c] = c % 3 ? 10e9 : 4e9;
	for (uint32_t t = 0; t < 1000; t++)
		n.host[t] = t;
	n.setup = (struct flow_setup){.fabric = n.world.fabric,
		.forwarding = n.world.forwarding,
		.capacity = n.capacity,
		.classes = {.classes = 1},
		.link_times = true,
		.stop = &never_stop};
	n.engine = flow_create(&n.setup, &error);
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		run_workload(&n, specs[i], 16);
		assert_conserved(&n);
		assert_causal(&n);
		assert_prompt(&n);
	}
	clear_network(&n);
}

/* The slowest channel is some message's bottleneck all the time, those that are never full none. */
TEST(bottlenecks_are_timed)
{
	struct network n;
	make_network(&n, star, 3);
	n.setup.link_times = true;
	message(&n, 0, 2, 1);
	message(&n, 1, 2, 10);
	run(&n);
	uint32_t port = channel_of(&n.world, "S", "H2");
	assert_within(n.times.sent[port], 11e9, 0);
	assert_within(n.times.bottleneck[channel_of(&n.world, "H0", "S")], 0, 0);
	assert_true(n.times.bottleneck[port] >= 0.2);
	assert_true(n.times.bottleneck[port] + n.times.bottleneck[channel_of(&n.world, "H1", "S")] >= 1.1 - 1e-9);
	double used = 0;
	for (int i = 0; i < LINK_BINS; i++)
		used += n.times.used[i];
	assert_within(used, 22e9, 1);
	clear_network(&n);
}

/* ---- classes */

static void set_classes(struct network *n, enum class_policy policy, unsigned classes, double first, double second)
{
	n->setup.classes = (struct class_setup){.policy = policy, .classes = classes, .share = {first, second}};
}

TEST(a_lower_class_stops_where_classes_are_strict)
{
	struct network n;
	make_network(&n, star, 4);
	set_classes(&n, CLASSES_STRICT, CLASSES_MAX, 0, 0);
	task_priority(n.builder, 1);
	uint32_t low = message(&n, 0, 3, 10), aside = message(&n, 0, 2, 5);
	task_priority(n.builder, 0);
	uint32_t work = task_compute(n.builder, 1, 0.5), high = message(&n, 1, 3, 10);
	task_after(n.builder, high, work);
	run(&n);
	/* 5 each until low has to stop at 0.5 s; aside then has its link for itself; low goes on at 1.5 s */
	assert_ended(&n, high, 1.5);
	assert_ended(&n, aside, 0.75);
	assert_ended(&n, low, 2.25);
	clear_network(&n);
}

TEST(classes_divide_channels_where_both_are)
{
	struct network n;
	make_network(&n, star, 5);
	set_classes(&n, CLASSES_SHARE, 2, 75, 25);
	uint32_t first = message(&n, 0, 3, 7.5), second = message(&n, 1, 3, 7.5);
	task_priority(n.builder, 1);
	uint32_t third = message(&n, 2, 3, 10), zero_load = message(&n, 4, 0, 10);
	run(&n);
	assert_ended(&n, zero_load, 1);
	assert_ended(&n, first, 2); /* 3.75 each */
	assert_ended(&n, second, 2);
	assert_ended(&n, third, 2.5); /* 2.5, and all from 2 s on */
	clear_network(&n);
}

/* ---- failures */

static void fail_direct_way(struct network *n, struct cable_failure *failure, double seconds)
{
	*failure =
		(struct cable_failure){llround(seconds * PICOSECONDS), {channel_of(&n->world, "A", "B"), channel_of(&n->world, "B", "A")}};
	n->setup.failure = failure;
	n->setup.failures = 1;
}

TEST(a_failure_loses_what_meets_it)
{
	struct network n;
	struct cable_failure failure;
	make_network(&n, detour, 2);
	fail_direct_way(&n, &failure, 0.25);
	uint32_t cut = message(&n, 0, 1, 10), done = message(&n, 1, 0, 1), never = message(&n, 1, 0, 10),
		 after = task_compute(n.builder, 0, 1);
	task_after(n.builder, never, cut);
	task_after(n.builder, after, cut);
	end_graph(&n);
	for (int again = 0; again < 2; again++) { /* nothing remains of it */
		assert_int_equal(run_again(&n), RUN_OK);
		assert_ended(&n, done, 0.1);
		assert_ended(&n, cut, 0.25);
		assert_ended(&n, never, 0.25);
		assert_ended(&n, after, 1.25);
		assert_int_equal(n.times.messages, 1);
		assert_int_equal(n.times.unroutable, 2);
		assert_true(n.times.lost[cut] && n.times.lost[never] && !n.times.lost[done]);
		assert_within(n.times.sent[failure.channel[0]], 2.5e9, 1);
	}
	clear_network(&n);
}

TEST(a_failure_sends_messages_another_way)
{
	struct network n;
	struct world afterwards;
	struct cable_failure failure;
	make_network(&n, detour, 2);
	world_load(&afterwards, long_way);
	n.setup.afterwards = (struct forwarding *const[]){afterwards.forwarding};
	fail_direct_way(&n, &failure, 0.25);
	for (uint32_t c = 0; c < n.world.fabric->channels; c++)
		n.latency[c] = 0.125;
	n.capacity[channel_of(&n.world, "A", "C")] = 5e9;
	uint32_t cut = message(&n, 0, 1, 10), later = message(&n, 1, 0, 10);
	task_after(n.builder, later, cut);
	end_graph(&n);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(run_again(&n), RUN_OK);
		assert_ended(&n, cut, 0.25 + 1.5 + 4 * 0.125);
		assert_ended(&n, later, 2.25 + 1 + 4 * 0.125);
		assert_int_equal(n.times.rerouted, 1);
		assert_int_equal(n.times.messages, 2);
		assert_null(n.times.lost);
		assert_within(n.times.sent[failure.channel[0]], 2.5e9, 1);
		assert_within(n.times.sent[channel_of(&n.world, "A", "C")], 7.5e9, 1);
		assert_within(flow_zero_load(n.engine, 0, 1, 1.25e9), 1.375, 1e-12);
	}
	world_clear(&afterwards);
	clear_network(&n);
}

/* What has been sent by then arrives; a failure after the end of all, or of what nobody uses, changes nothing. */
TEST(a_failure_changes_nothing_else)
{
	struct network n;
	struct cable_failure failure;
	make_network(&n, detour, 2);
	for (uint32_t c = 0; c < n.world.fabric->channels; c++)
		n.latency[c] = 0.5;
	fail_direct_way(&n, &failure, 1.25);
	uint32_t sent = message(&n, 0, 1, 10);
	run(&n);
	assert_ended(&n, sent, 2.5);
	assert_int_equal(n.times.unroutable, 0);
	clear_network(&n);
	make_network(&n, detour, 2);
	fail_direct_way(&n, &failure, 9);
	sent = message(&n, 0, 1, 10);
	run(&n);
	assert_ended(&n, sent, 1);
	assert_int_equal(n.times.end, UINT64_C(1000000000000));
	clear_network(&n);
}

/* ---- routes */

static const char broken[] = "digraph { H0; H1; H2; H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"];"
			     "S -> H0 [comment=H0]; S -> H1 [comment=H1]; S -> H2; }";

TEST(pairs_without_a_route)
{
	struct network n;
	struct flow_shares shares;
	uint32_t source, destination;
	make_network(&n, broken, 3);
	uint32_t fine = message(&n, 0, 1, 10), bad = message(&n, 1, 2, 10);
	end_graph(&n);
	assert_int_equal(run_again(&n), RUN_UNROUTABLE);
	flow_bad_pair(n.engine, &source, &destination);
	assert_int_equal(source, 1);
	assert_int_equal(destination, 2);
	assert_int_equal(flow_share(n.engine, n.graph, n.host, true, &shares, &error), RUN_UNROUTABLE);
	assert_true(isnan(flow_zero_load(n.engine, 1, 2, 1)));
	flow_free(n.engine);
	n.setup.drop = true;
	n.engine = flow_create(&n.setup, &error);
	assert_int_equal(run_again(&n), RUN_OK);
	assert_ended(&n, fine, 1);
	assert_ended(&n, bad, 0);
	assert_int_equal(n.times.unroutable, 1);
	assert_int_equal(flow_share(n.engine, n.graph, n.host, true, &shares, &error), RUN_OK);
	assert_int_equal(shares.messages, 1);
	assert_int_equal(shares.unroutable, 1);
	assert_within(shares.max_min, 10e9, 1e-3);
	clear_network(&n);
}

/* Its channel has no capacity, but has not failed; all else ends before. */
TEST(a_message_that_gets_nothing_for_ever)
{
	struct network n;
	uint32_t source, destination;
	make_network(&n, star, 4);
	n.capacity[channel_of(&n.world, "S", "H2")] = 0;
	uint32_t fine = message(&n, 0, 1, 10);
	message(&n, 3, 2, 10);
	end_graph(&n);
	assert_int_equal(run_again(&n), RUN_STUCK);
	assert_ended(&n, fine, 1);
	flow_bad_pair(n.engine, &source, &destination);
	assert_int_equal(source, 3);
	assert_int_equal(destination, 2);
	clear_network(&n);
}

static volatile sig_atomic_t stop_now = 1;

TEST(a_signal_interrupts)
{
	struct network n;
	make_network(&n, star, 2);
	n.setup.stop = &stop_now;
	message(&n, 0, 1, 10);
	end_graph(&n);
	assert_int_equal(run_again(&n), RUN_INTERRUPTED);
	assert_int_equal(n.times.solved_whole, 0);
	assert_int_equal(n.times.zero_load[0], 0); /* it has not begun */
	clear_network(&n);
}

/* Two ways of equal weight through a switch each: a message is as fast as both, and others see its parts. */
static const char two_ways[] =
	"digraph { H0; H1; H2; H3; H0 -> A [comment=\"*\"]; H2 -> C [comment=\"*\"]; H1 -> B [comment=\"*\"]; H3 -> B [comment=\"*\"];"
	"A -> H0 [comment=H0]; B -> H1 [comment=H1]; B -> H3 [comment=H3]; C -> H2 [comment=H2];"
	"A -> C [comment=\"H1,H2,H3\"]; A -> D [comment=\"H1,H3\"]; C -> B [comment=\"H1,H3\"]; D -> B [comment=\"H1,H3\"];"
	"B -> C [comment=\"H0,H2\"]; C -> A [comment=H0]; B -> D; D -> A; }";

TEST(split_messages_use_all_ways)
{
	struct network n = {0};
	make_network(&n, two_ways, 4);
	world_clear(&n.world);
	assert_int_equal(world_read(&n.world, two_ways, DOT_TABLES | DOT_KEEP | DOT_ALTERNATIVES), 0);
	struct route_choice_setup ways = {.mode = MULTIPATH_SPLIT, .fabric = n.world.fabric, .forwarding = n.world.forwarding};
	n.setup.fabric = n.world.fabric;
	n.setup.forwarding = n.world.forwarding;
	n.setup.multipath = route_choice_create(&ways, &error);
	uint32_t inner = channel_of(&n.world, "C", "B");
	n.capacity[inner] = n.capacity[channel_of(&n.world, "D", "B")] = 4e9;
	uint32_t split = message(&n, 0, 1, 8), whole = message(&n, 2, 3, 4);
	run(&n);
	/* C to B: half of split, and whole: level r with r/2 + r = 4, until whole has its 4 at 1.5 s; split has 4 left, then at rate 8 */
	assert_ended(&n, whole, 1.5);
	assert_ended(&n, split, 2);
	assert_int_equal(n.times.hops[split], 4);
	assert_within(n.times.zero_load[split], 1, 1e-12);
	assert_within(n.times.sent[inner], 8e9, 1);
	assert_within(n.times.sent[channel_of(&n.world, "A", "D")], 4e9, 1);
	route_choice_free(n.setup.multipath);
	clear_network(&n);
}

/* ---- all at once */

TEST(shares_are_those_of_the_hand)
{
	struct network n;
	struct flow_shares shares;
	struct bin lengths[1], loads[4];
	make_network(&n, star, 5);
	message(&n, 0, 3, 1);
	message(&n, 1, 3, 7);
	message(&n, 2, 3, 1);
	message(&n, 2, 4, 2);
	message(&n, 4, 4, 2); /* does not enter the network */
	task_compute(n.builder, 0, 1);
	end_graph(&n);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(flow_share(n.engine, n.graph, n.host, true, &shares, &error), RUN_OK);
		assert_int_equal(shares.messages, 4);
		assert_within(shares.hops, 2, 0);
		assert_within(shares.max_load, 3, 0);
		assert_within(shares.restricted, 40e9 / 3, 1e-3);
		assert_within(shares.non_restricted, 15e9, 1e-3);
		assert_within(shares.max_min, 50e9 / 3, 1e-3);
		assert_within(shares.fairness, 25.0 / 28, 1e-12); /* 5^2 / (4 * (3 * 1 + 2^2)), in units of 10/3 */
		assert_int_equal(histogram_bins(&shares.lengths), 1);
		histogram_list(&shares.lengths, lengths);
		assert_within(lengths[0].value, 2, 0);
		assert_int_equal(lengths[0].count, 4);
		assert_int_equal(histogram_bins(&shares.loads), 4);
		histogram_list(&shares.loads, loads);
		assert_int_equal(loads[0].count, 5); /* of ten channels */
		assert_int_equal(loads[1].count, 3);
		assert_int_equal(loads[2].count, 1);
		assert_int_equal(loads[3].count, 1);
	}
	assert_int_equal(flow_share(n.engine, n.graph, n.host, false, &shares, &error), RUN_OK);
	assert_true(isnan(shares.max_min));
	assert_within(shares.non_restricted, 15e9, 1e-3);
	clear_network(&n);
}

TEST(shares_of_nothing)
{
	struct network n;
	struct flow_shares shares;
	make_network(&n, star, 2);
	message(&n, 0, 0, 1);
	end_graph(&n);
	assert_int_equal(flow_share(n.engine, n.graph, n.host, true, &shares, &error), RUN_OK);
	assert_within(shares.restricted, 0, 0);
	assert_within(shares.max_min, 0, 0);
	assert_within(shares.max_load, 0, 0);
	assert_true(isnan(shares.fairness));
	clear_network(&n);
}

TEST(alone_on_the_network)
{
	struct network n;
	make_network(&n, star, 2);
	n.capacity[channel_of(&n.world, "S", "H1")] = 2e9;
	n.latency[channel_of(&n.world, "H0", "S")] = 0.25;
	end_graph(&n);
	assert_within(flow_zero_load(n.engine, 0, 1, 1e9), 4.25, 1e-12);
	assert_within(flow_zero_load(n.engine, 0, 1, 0), 0.25, 1e-15);
	assert_within(flow_zero_load(n.engine, 1, 0, 1e9), 0.8, 1e-12);
	assert_within(flow_zero_load(n.engine, 1, 1, 1e9), 0, 0);
	clear_network(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_messages_into_one_port),
		cmocka_unit_test(a_message_that_is_held_elsewhere_leaves_room),
		cmocka_unit_test(an_end_is_felt_along_a_chain),
		cmocka_unit_test(latencies_come_on_top),
		cmocka_unit_test(messages_to_oneself),
		cmocka_unit_test(operations_wait_for_ends_and_beginnings),
		cmocka_unit_test(nothing_takes_no_time),
		cmocka_unit_test(the_exact_cases),
		cmocka_unit_test(workloads_are_conserved_and_causal),
		cmocka_unit_test(bottlenecks_are_timed),
		cmocka_unit_test(a_lower_class_stops_where_classes_are_strict),
		cmocka_unit_test(classes_divide_channels_where_both_are),
		cmocka_unit_test(a_failure_loses_what_meets_it),
		cmocka_unit_test(a_failure_sends_messages_another_way),
		cmocka_unit_test(a_failure_changes_nothing_else),
		cmocka_unit_test(pairs_without_a_route),
		cmocka_unit_test(a_message_that_gets_nothing_for_ever),
		cmocka_unit_test(a_signal_interrupts),
		cmocka_unit_test(split_messages_use_all_ways),
		cmocka_unit_test(shares_are_those_of_the_hand),
		cmocka_unit_test(shares_of_nothing),
		cmocka_unit_test(alone_on_the_network),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
