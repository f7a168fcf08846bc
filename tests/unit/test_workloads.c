/*
 * Workloads: what each sends, by hand and by formulae; when each message begins, from the definition; how long the chains are when every
 * message takes a second; the chances of what is drawn; and what is refused.
 */
#include "run_tasks.h"

#include "patterns/workload.h"

#include <math.h>
#include <string.h>

static struct error error;

/* Hops on a ring of 64. */
static uint32_t ring_distance(const void *data, uint32_t task, uint32_t other)
{
	uint32_t up = (other - task) % 64;
	assert_string_equal(data, "ring");
	return up < 32 ? up : 64 - up;
}

static struct task_graph *make(const char *spec, uint32_t tasks, enum workload_sync sync, uint64_t seed, uint64_t run)
{
	struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = seed};
	if (!strncmp(spec, "two:", 4)) { /* "two:bisect recdbl": two patterns, the first on a third of the tasks */
		static char names[2][64];
		assert_int_equal(sscanf(spec, "two:%63s %63s", names[0], names[1]), 2);
		request = (struct pattern_request){
			.spec = "ptrnvsptrn", .first = names[0], .second = names[1], .first_ranks = tasks / 3, .seed = seed};
	}
	struct workload_task task = {
		.tasks = tasks, .bytes = 1000, .sync = sync, .seed = seed, .run = run, .distance = ring_distance, .data = "ring"};
	struct workload_call *call = workload_create(&request, &error);
	struct task_graph *graph = call ? workload_graph(call, &task, &error) : NULL;
	workload_free(call);
	return graph;
}

static struct task_graph *make_fine(const char *spec, uint32_t tasks)
{
	struct task_graph *graph = make(spec, tasks, SYNC_DEFAULT, 1, 0);
	assert_fine(&error);
	return graph;
}

static uint32_t count_kind(const struct task_graph *graph, enum operation kind)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < graph->operations; i++)
		count += graph->kind[i] == kind;
	return count;
}

static unsigned log2_down(uint32_t number)
{
	unsigned digits = 0;
	while (number >>= 1)
		digits++;
	return digits;
}

static unsigned log2_up(uint32_t number)
{
	return number > 1 ? log2_down(number - 1) + 1 : 0;
}

/* ---- messages and chains */

/* So many messages, and so many of them one after the other at most. */
static void check_size(const char *spec, uint32_t tasks, uint64_t messages, double chain)
{
	struct task_graph *graph = make_fine(spec, tasks);
	uint32_t sent = count_kind(graph, OPERATION_MESSAGE);
	double last = last_end(graph, cost_one);
	if (sent != messages || last != chain)
		fail_msg("%s of %u tasks: %u messages, not %u; %g in a chain, not %g", spec, (unsigned)tasks, (unsigned)sent,
			(unsigned)messages, last, chain);
	for (uint32_t i = 0; i < graph->operations; i++)
		assert_true(graph->kind[i] != OPERATION_MESSAGE || graph->task[i] != graph->receiver[i]);
	task_graph_free(graph);
}

TEST(sizes_by_hand)
{
	check_size("random:1000", 7, 1000, 1);
	check_size("hotspot_random:1000", 7, 1000, 1);
	check_size("hotregion:1000", 7, 1000, 1);
	check_size("local:1000,0.5", 64, 1000, 1);
	check_size("local:1000", 64, 1000, 1);
	check_size("dcntraffic:1000", 7, 1000, 1);
	check_size("alltoone:3", 7, 6, 1);
	check_size("alltoone", 7, 6, 1);
	check_size("onetoall:6", 7, 6, 1);
	check_size("manyalltoall:4", 10, 26, 1); /* 4, 4 and 2 tasks */
	check_size("manyalltoall_random:4", 10, 26, 1);
	check_size("manyalltoall:100", 10, 90, 1);
	check_size("bisection_all", 9, 40, 1);
	check_size("perfectshuffle", 8, 6, 1);
	check_size("butterfly", 6, 14, 1); /* 0-1 2-3 4-5, 0-2 1-3, 0-4 1-5 */
	check_size("allreduce_butterfly", 6, 14, 3);
	check_size("mapreduce:100", 5, 20, 3);
	check_size("mapreduce:0", 5, 8, 2);
	check_size("mapreduce", 2, 2, 2);
	check_size("unstructured:100,7", 5, 100, 15);
	check_size("unstructured:7,7", 5, 7, 1);
	check_size("unstructured:7,100", 5, 7, 1);
	check_size("phases:alltoall_flood,30", 10, 90, 3);
	check_size("phases:random:100,1", 10, 100, 100);
	check_size("phases:local:64,0.5,16", 64, 64, 4);
	check_size("phases:alltoall,100", 10, 90, 1); /* levels are no phases */
	check_size("sweep:1", 1, 0, 0);
	check_size("sweep:2", 2, 2, 2);
	check_size("sweep:5x5x5", 125, 301, 13);
	check_size("flood:2x2", 4, 4, 2);
	check_size("flood:3", 3, 4, 2); /* 1 and 2 send to each other */
	check_size("flood:4x4", 16, 32, 4);
	check_size("flood:5x5", 25, 60, 5);
	check_size("nbody", 5, 15, 3);
	check_size("stencil:4x4,torus", 16, 64, 1);
	check_size("ring", 10, 10, 10);
	check_size("alltoall", 10, 90, 9);
	check_size("gather", 10, 9, 1);
	check_size("null", 10, 0, 0);
}

TEST(sizes_by_formulae)
{
	for (uint32_t n = 1; n <= 70; n++) {
		uint64_t partners = 0, together = 0;
		unsigned most = 0;
		for (uint32_t i = 0; i < n; i++) {
			for (uint32_t digit = 1; digit < n; digit *= 2)
				partners += (i ^ digit) < n;
			if ((unsigned)__builtin_popcount(i) > most)
				most = (unsigned)__builtin_popcount(i);
		}
		for (uint32_t first = 0; first < n; first += 6)
			together += (uint64_t)(n - first < 6 ? n - first : 6) * ((n - first < 6 ? n - first : 6) - 1);
		check_size("reduce_tree", n, n - 1, log2_down(n));
		check_size("bcast_tree", n, n - 1, log2_down(n));
		check_size("barrier", n, 2 * (n - 1), 2 * log2_down(n));
		check_size("butterfly", n, partners, n > 1);
		check_size("allreduce_butterfly", n, partners, log2_up(n));
		check_size("nbody", n, (uint64_t)n * log2_up(n), log2_up(n));
		check_size("manyalltoall:6", n, together, n > 1);
		check_size("bisection_all", n, 2 * (uint64_t)(n / 2) * (n - n / 2), n > 1);
		check_size("recdbl", n, partners, log2_up(n));
		check_size("bruck", n, (uint64_t)n * log2_up(n), log2_up(n));
		check_size("bcast_binomial", n, n - 1, most); /* on the way to a rank one message for each digit 1 */
		check_size("tree", n, n - 1, most);
		check_size("allreduce_ring", n, n > 1 ? 2 * (uint64_t)(n - 1) * n : 0, 2 * (n - 1));
		check_size("mapreduce:100", n, n > 1 ? 2 * (uint64_t)(n - 1) + (uint64_t)(n - 1) * (n - 2) : 0, n > 2 ? 3 : n > 1 ? 2 : 0);
	}
}

/* Each link of the grid once and the message at the end; on a torus the middle of odd rings twice. */
TEST(waves_by_formulae)
{
	for (uint32_t a = 1; a <= 6; a++)
		for (uint32_t b = 1; b <= 6; b++)
			for (uint32_t c = 1; c <= 4; c++) {
				const uint32_t length[] = {a, b, c};
				uint32_t cells = a * b * c, links = 0, arcs = 0, depth = 0;
				bool odd = false;
				char spec[40];
				for (int d = 0; d < 3; d++) {
					links += cells / length[d] * (length[d] - 1);
					arcs += cells / length[d] * (length[d] < 3 ? length[d] - 1 : length[d] + length[d] % 2);
					depth += length[d] / 2;
					odd |= length[d] > 1 && length[d] % 2;
				}
				snprintf(spec, sizeof spec, "sweep:%ux%ux%u", a, b, c);
				check_size(spec, cells, links + (cells > 1), cells > 1 ? a + b + c - 2 : 0);
				snprintf(spec, sizeof spec, "flood:%ux%ux%u", a, b, c);
				check_size(spec, cells, arcs, depth + odd);
			}
}

/* min(i, n - i) times the bytes at stride i: 1 + 2 + 4 + 8 + 9 for 25 tasks. */
TEST(nbody_sends_more_the_farther)
{
	struct task_graph *graph = make_fine("nbody", 25);
	assert_true(last_end(graph, cost_size) == 24 * 1000);
	assert_int_equal(count_kind(graph, OPERATION_JOIN), 25); /* all programs end with a receive */
	for (uint32_t i = 0; i < graph->operations; i++) {
		if (graph->kind[i] != OPERATION_MESSAGE)
			continue;
		uint32_t stride = (graph->receiver[i] + 25 - graph->task[i]) % 25;
		assert_int_equal(stride, 1U << graph->level[i]);
		assert_true(graph->size[i] == 1000.0 * (stride < 25 - stride ? stride : 25 - stride));
	}
	assert_int_equal(graph->levels, 5);
	task_graph_free(graph);
}

/* The messages in the order in which they were added. */
static void check_messages(const char *spec, uint32_t tasks, const char *wanted)
{
	struct task_graph *graph = make_fine(spec, tasks);
	char text[1000] = "";
	size_t length = 0;
	for (uint32_t i = 0; i < graph->operations; i++)
		if (graph->kind[i] == OPERATION_MESSAGE)
			length += (size_t)snprintf(text + length, sizeof text - length, "%s%u>%u", length ? " " : "",
				(unsigned)graph->task[i], (unsigned)graph->receiver[i]);
	assert_string_equal(text, wanted);
	task_graph_free(graph);
}

TEST(messages_by_hand)
{
	check_messages("alltoone:1", 4, "0>1 2>1 3>1");
	check_messages("onetoall:2", 4, "2>0 2>1 2>3");
	check_messages("perfectshuffle", 8, "1>2 2>4 3>6 4>1 5>3 6>5");
	check_messages("shuffle", 8, "1>2 2>4 3>6 4>1 5>3 6>5");
	check_messages("perfectshuffle", 1, "");
	check_messages("perfectshuffle", 2, "");
	check_messages("butterfly", 3, "0>1 1>0 0>2 2>0");
	check_messages("manyalltoall:2", 5, "1>0 0>1 3>2 2>3");
	check_messages("mapreduce:100", 3, "0>1 0>2 1>2 2>1 1>0 2>0");
	check_messages("reduce_tree", 6, "1>0 2>0 3>1 4>1 5>2");
	check_messages("bcast_tree", 6, "0>1 0>2 1>3 1>4 2>5");
	check_messages("sweep:2x2", 4, "0>1 0>2 1>3 2>3 3>0");
	check_messages("flood:3x1", 3, "0>2 0>1 1>2 2>1");
	check_messages("nbody", 3, "0>1 1>2 2>0 0>2 1>0 2>1");
}

/* ---- patterns */

static int compare_pairs(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct pair));
}

/* By level, all messages are the pairs of the pattern. */
static void check_pairs(const struct task_graph *graph, const char *spec, uint32_t tasks, uint64_t run)
{
	struct pattern_call *call = make_pattern(spec, tasks);
	draw_run(call, run);
	assert_true(graph->levels == (pattern_levels(call) ? pattern_levels(call) : 1));
	for (uint32_t level = 0; level < pattern_levels(call); level++) {
		struct pairs pairs = pairs_of_level(call, level, 7);
		struct pair *sent = calloc(graph->operations + 1, sizeof *sent);
		size_t count = 0;
		for (uint32_t i = 0; i < graph->operations; i++)
			if (graph->kind[i] == OPERATION_MESSAGE && (graph->level ? graph->level[i] : 0) == level)
				sent[count++] = (struct pair){graph->task[i], graph->receiver[i]};
		assert_int_equal(count, pairs.count);
		qsort(sent, count, sizeof *sent, compare_pairs);
		if (count)
			qsort(pairs.list, count, sizeof *pairs.list, compare_pairs);
		assert_true(!count || !memcmp(sent, pairs.list, count * sizeof *sent));
		free(sent);
		pairs_clear(&pairs);
	}
	pattern_free(call);
}

/* Of the tasks from..to-1, each message begins when the messages that it waits for have ended: by level, or what its sender was sent. */
static void check_begins(const struct task_graph *graph, uint32_t from, uint32_t to, bool data)
{
	struct times times = run_tasks(graph, cost_mixed);
	for (uint32_t i = 0; i < graph->operations; i++) {
		double moment = 0;
		if (graph->kind[i] != OPERATION_MESSAGE || graph->task[i] < from || graph->task[i] >= to)
			continue;
		for (uint32_t j = 0; j < i; j++)
			if (graph->kind[j] == OPERATION_MESSAGE && graph->task[j] >= from && graph->task[j] < to && graph->level &&
				graph->level[j] < graph->level[i] && (!data || graph->receiver[j] == graph->task[i]) &&
				times.end[j] > moment)
				moment = times.end[j];
		if (times.begin[i] != moment)
			fail_msg("%u>%u of level %u begins at %g, not %g", graph->task[i], graph->receiver[i], graph->level[i],
				times.begin[i], moment);
	}
	times_clear(&times);
}

/* Whether it needs parameters. */
static bool needs_parameters(const struct pattern *pattern)
{
	for (const struct arg *arg = pattern->args; arg && !pattern->preset && arg->type != ARG_END; arg++)
		if (!arg->preset && arg->type != ARG_FLAG)
			return true;
	return false;
}

/* With parameters, where it needs any. */
static const char *spec_of(const struct pattern *pattern)
{
	static const char *const specs[] = {"stencil:4x4", "multigrid:4x4"};
	static char text[200];
	const char *spec = spec_of_name(pattern->name, specs, ARRAY_LENGTH(specs));
	if (!needs_parameters(pattern))
		return pattern->name;
	if (!spec && !(spec = example_spec(text, sizeof text, pattern->name, pattern->args)))
		fail_msg("pattern %s has no test", pattern->name);
	return spec;
}

TEST(patterns_are_workloads)
{
	static const char *const passing[] = {"tree", "bruck", "ring", "recdbl", "allreduce_ring", "allreduce_rabenseifner",
		"bcast_binomial", "multigrid", "crystal_router"};
	for (const struct pattern *const *pattern = patterns; *pattern; pattern++)
		for (enum workload_sync sync = SYNC_DEFAULT; sync <= SYNC_DATA; sync++) {
			bool data = sync == SYNC_DATA;
			if (!(*pattern)->level || (*pattern)->two || !strcmp((*pattern)->name, "file")) /* which have tests of their own */
				continue;
			for (size_t i = 0; sync == SYNC_DEFAULT && i < ARRAY_LENGTH(passing); i++)
				data |= !strcmp((*pattern)->name, passing[i]);
			struct task_graph *graph = make(spec_of(*pattern), 16, sync, 1, 0);
			assert_fine(&error);
			check_pairs(graph, spec_of(*pattern), 16, 0);
			check_begins(graph, 0, 16, data);
			task_graph_free(graph);
		}
}

/* The levels of one do not wait for those of the other. */
TEST(two_patterns_go_side_by_side)
{
	static const char *const specs[] = {
		"two:bisect alltoall", "two:recdbl alltoall", "two:alltoall recdbl", "two:null bruck", "two:bruck null"};
	static const bool data[][2] = {{false, false}, {true, false}, {false, true}, {false, true}, {true, false}};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++)
		for (enum workload_sync sync = SYNC_DEFAULT; sync <= SYNC_DATA; sync++) {
			struct task_graph *graph = make(specs[i], 24, sync, 1, 0);
			assert_fine(&error);
			check_begins(graph, 0, 8, sync == SYNC_DEFAULT ? data[i][0] : sync == SYNC_DATA);
			check_begins(graph, 8, 24, sync == SYNC_DEFAULT ? data[i][1] : sync == SYNC_DATA);
			task_graph_free(graph);
		}
}

/* A level without messages is passed over. */
TEST(files_of_patterns_are_workloads)
{
	struct path path = write_text("pattern", "0 0 1\n0 2 3\n5 1 2\n5 3 0\n7 0 3\n");
	char spec[400];
	snprintf(spec, sizeof spec, "file:%s", path.text);
	struct task_graph *graph = make_fine(spec, 4);
	assert_int_equal(graph->levels, 8);
	check_begins(graph, 0, 4, false);
	assert_true(last_end(graph, cost_one) == 3);
	task_graph_free(graph);
	graph = make(spec, 4, SYNC_DATA, 1, 0);
	check_begins(graph, 0, 4, true);
	task_graph_free(graph);
}

/* A message without bytes is as large as all, also behind one to the own rank, which is none, and across blocks. */
TEST(messages_of_files_have_sizes)
{
	enum { LINES = 1000 };
	char text[LINES * 24], spec[400];
	for (int i = 0, used = 0; i < LINES; i++)
		used += sprintf(text + used, i % 3 ? "0 %d %d %d.5k\n" : "0 %d %d #%d\n", i % 4, i % 5 == 4 ? i % 4 : (i + 1) % 4, i);
	snprintf(spec, sizeof spec, "file:%s", write_text("pattern", text).text);
	for (enum workload_sync sync = SYNC_LEVEL; sync <= SYNC_DATA; sync++) {
		struct task_graph *graph = make(spec, 4, sync, 1, 0);
		uint32_t message = 0;
		for (int i = 0; i < LINES; i++)
			if (i % 5 != 4)
				assert_true(graph->size[message++] == (i % 3 ? 1000 * (i + .5) : 1000));
		assert_int_equal(count_kind(graph, OPERATION_MESSAGE), message);
		task_graph_free(graph);
	}
}

TEST(large_ones_have_few_waits)
{
	struct task_graph *graph = make_fine("alltoall", 512);
	assert_int_equal(count_kind(graph, OPERATION_MESSAGE), 512 * 511);
	assert_int_equal(count_kind(graph, OPERATION_BARRIER), 510);
	assert_true(graph->first[graph->operations] == 2 * 512 * 510);
	task_graph_free(graph);
	graph = make_fine("allreduce_butterfly", 32768);
	assert_int_equal(count_kind(graph, OPERATION_MESSAGE), 32768 * 15);
	assert_int_equal(count_kind(graph, OPERATION_JOIN), 32768);
	assert_true(graph->first[graph->operations] + graph->first_begun[graph->operations] <= UINT64_C(2) * 32768 * 16);
	assert_true(last_end(graph, cost_one) == 15);
	task_graph_free(graph);
}

/* ---- groups, phases */

TEST(a_group_begins_when_the_one_before_has_arrived)
{
	static const char *const specs[] = {"unstructured:100,7", "phases:random:100,7", "phases:butterfly,13", "phases:recdbl,13"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct task_graph *graph = make_fine(specs[i], 16);
		uint32_t size = i < 2 ? 7 : 13, count = 0;
		for (uint32_t o = 0; o < graph->operations; o++)
			if (graph->kind[o] == OPERATION_MESSAGE)
				assert_int_equal(graph->level[o], count++ / size);
		check_begins(graph, 0, 16, false);
		task_graph_free(graph);
	}
}

/* ---- what is drawn */

static bool same_graph(const struct task_graph *a, const struct task_graph *b)
{
	uint32_t n = a->operations;
	return n == b->operations && !memcmp(a->kind, b->kind, n) && !memcmp(a->task, b->task, n * sizeof *a->task) &&
	       !memcmp(a->receiver, b->receiver, n * sizeof *a->receiver) && !memcmp(a->size, b->size, n * sizeof *a->size) &&
	       !a->waits == !b->waits && (!a->waits || !memcmp(a->waits, b->waits, n * sizeof *a->waits));
}

static const struct {
	const char *spec;
	bool drawn, ordered;
} kinds[] = {
	{"random:300", true, false},
	{"hotspot_random:300", true, false},
	{"hotregion:300", true, false},
	{"local:300,0.9", true, false},
	{"perfectshuffle", false, false},
	{"butterfly", false, false},
	{"bisection_all", true, false},
	{"alltoone:5", false, false},
	{"onetoall:5", false, false},
	{"manyalltoall:9", false, false},
	{"manyalltoall_random:9", true, false},
	{"dcntraffic:300", true, false},
	{"mapreduce:30", true, true},
	{"allreduce_butterfly", false, true},
	{"reduce_tree", false, true},
	{"bcast_tree", false, true},
	{"barrier", false, true},
	{"sweep:4x4x4", false, true},
	{"flood:8x8", false, true},
	{"nbody", false, true},
	{"rail_ring:8,pieces=3", false, true},
	{"rail_tree:8", false, true},
	{"rail_hierarchical:8", false, true},
	{"rail_scatter:8", false, true},
	{"moe:8,skew=1", true, true},
	{"train:tp=8,pp=2,dp=4", false, true},
	{"unstructured:300,10", true, true},
	{"phases:random:300,10", true, true},
	{"rand", true, false},
	{"hotspot:7", true, false},
	{"ring", false, false},
	{"two:bisect rand", true, false},
	{"two:rand bisect", true, false},
	{"two:bisect bisect", false, false},
};

/* A graph is a function of seed and run; and of neither where nothing is drawn. All pass through run_tasks(): nothing waits for ever. */
static void check_seeds(const char *spec, bool drawn)
{
	struct task_graph *graph = make(spec, 64, SYNC_DEFAULT, 1, 0);
	static const uint64_t others[][2] = {{1, 0}, {1, 1}, {2, 0}};
	assert_fine(&error);
	last_end(graph, cost_one);
	for (size_t k = 0; k < ARRAY_LENGTH(others); k++) {
		struct task_graph *other = make(spec, 64, SYNC_DEFAULT, others[k][0], others[k][1]);
		assert_fine(&error);
		if (same_graph(graph, other) != (k == 0 || !drawn))
			fail_msg("%s, seed %u, run %u", spec, (unsigned)others[k][0], (unsigned)others[k][1]);
		task_graph_free(other);
	}
	task_graph_free(graph);
}

TEST(graphs_are_functions_of_seed_and_run)
{
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		check_seeds(kinds[i].spec, kinds[i].drawn);
	for (size_t i = 0; patterns[i]; i++)
		if (patterns[i]->build && !patterns[i]->drawn && !needs_parameters(patterns[i]))
			check_seeds(patterns[i]->name, false);
}

TEST(kinds_say_what_they_are)
{
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		struct pattern_request request = {.spec = kinds[i].spec, .first_ranks = -1};
		if (!strncmp(kinds[i].spec, "two:", 4))
			request = (struct pattern_request){.spec = "ptrnvsptrn",
				.first = strstr(kinds[i].spec, "two:rand") ? "rand" : "bisect",
				.second = strstr(kinds[i].spec, " rand") ? "rand" : "bisect",
				.first_ranks = 8,
				.seed = 1};
		struct workload_call *call = workload_create(&request, &error);
		uint32_t tasks = 1000;
		assert_fine(&error);
		assert_int_equal(workload_drawn(call), kinds[i].drawn);
		assert_int_equal(workload_ordered(call), kinds[i].ordered);
		assert_int_equal(workload_count(call, &tasks, &error), 0);
		assert_int_equal(tasks,
			!strncmp(kinds[i].spec, "sweep", 5) || !strncmp(kinds[i].spec, "flood", 5) || !strncmp(kinds[i].spec, "train", 5)
				? 64
				: 0);
		workload_free(call);
	}
}

/* One call makes the graphs of many runs and numbers of tasks. */
TEST(calls_can_be_used_again)
{
	struct pattern_request request = {.spec = "rand", .first_ranks = -1, .seed = 1};
	struct workload_call *call = workload_create(&request, &error);
	assert_fine(&error);
	for (uint32_t i = 0; i < 12; i++) {
		struct workload_task task = {.tasks = i % 4 < 2 ? 10 : 20, .bytes = 1000, .seed = 1 + i % 2, .run = i / 4};
		struct task_graph *graph = workload_graph(call, &task, &error), *other = make("rand", task.tasks, 0, task.seed, task.run);
		assert_fine(&error);
		assert_true(same_graph(graph, other));
		task_graph_free(graph);
		task_graph_free(other);
	}
	workload_free(call);
}

/* A count of so many trials, each a hit by that chance, is within five standard deviations. */
static void check_hits(double hits, double trials, double chance)
{
	assert_within(hits, trials * chance, 5 * sqrt(trials * chance * (1 - chance)));
}

/* How often each task sends and receives. */
static void count_ends(const struct task_graph *graph, uint32_t *sends, uint32_t *receives)
{
	for (uint32_t i = 0; i < graph->operations; i++) {
		sends[graph->task[i]]++;
		receives[graph->receiver[i]]++;
		assert_true(graph->task[i] != graph->receiver[i]);
	}
}

TEST(random_flows_are_uniform)
{
	enum { N = 9, FLOWS = 720000 };
	struct task_graph *graph = make_fine("random:720000", N);
	uint32_t pair[N * N] = {0};
	for (uint32_t i = 0; i < FLOWS; i++) {
		assert_true(graph->size[i] == 1000);
		pair[graph->task[i] * N + graph->receiver[i]]++;
	}
	for (uint32_t i = 0; i < N * N; i++)
		check_hits(pair[i], FLOWS, i % (N + 1) ? 1.0 / (N * (N - 1)) : 0);
	task_graph_free(graph);
}

/* From a source d != 0 the chance of task 0 is 100 of 100 + n - 2, from task 0 all others are alike. */
TEST(the_hot_spot_is_hot)
{
	enum { N = 50, FLOWS = 1000000 };
	struct task_graph *graph = make_fine("hotspot_random:1000000", N);
	uint32_t sends[N] = {0}, receives[N] = {0};
	count_ends(graph, sends, receives);
	for (uint32_t i = 0; i < N; i++) {
		check_hits(sends[i], FLOWS, 1.0 / N);
		check_hits(receives[i], FLOWS, i ? (N - 2.0) / N / (100 + N - 2) + 1.0 / N / (N - 1) : (N - 1.0) / N * 100 / (100 + N - 2));
	}
	task_graph_free(graph);
}

/* Of the first eighth, r tasks, each has the weight 1/4r + 3/4n, any other 3/4n; those of a source are out of its own draw. */
TEST(the_hot_region_is_warm)
{
	enum { N = 40, REGION = 5, FLOWS = 1000000 };
	struct task_graph *graph = make_fine("hotregion:1000000", N);
	uint32_t sends[N] = {0}, receives[N] = {0};
	const double cold = 0.75 / N, hot = 0.25 / REGION + cold;
	count_ends(graph, sends, receives);
	for (uint32_t i = 0; i < N; i++) {
		double mine = i < REGION ? hot : cold, chance = 0;
		for (uint32_t source = 0; source < N; source++)
			if (source != i)
				chance += mine / (1 - (source < REGION ? hot : cold)) / N;
		check_hits(sends[i], FLOWS, 1.0 / N);
		check_hits(receives[i], FLOWS, chance);
	}
	task_graph_free(graph);
}

/* On a ring of 64: two tasks at each of 1..31 hops, one at 32. */
TEST(local_flows_fall_geometrically)
{
	static const struct {
		const char *spec;
		double decay;
	} examples[] = {{"local:400000,0.5", 0.5}, {"local:400000,0.9", 0.9}, {"local:400000,1", 1}, {"local:400000,1e-9", 1e-9}};
	for (size_t e = 0; e < ARRAY_LENGTH(examples); e++) {
		struct task_graph *graph = make_fine(examples[e].spec, 64);
		uint32_t sends[64] = {0}, receives[64] = {0}, hops[33] = {0};
		double sum = 0;
		count_ends(graph, sends, receives);
		for (uint32_t i = 0; i < graph->operations; i++)
			hops[ring_distance("ring", graph->task[i], graph->receiver[i])]++;
		for (int h = 1; h <= 32; h++)
			sum += (h < 32 ? 2 : 1) * pow(examples[e].decay, h);
		for (int h = 1; h <= 32; h++)
			check_hits(hops[h], 400000, (h < 32 ? 2 : 1) * pow(examples[e].decay, h) / sum);
		for (uint32_t i = 0; i < 64; i++) {
			check_hits(sends[i], 400000, 1.0 / 64);
			check_hits(receives[i], 400000, 1.0 / 64);
		}
		task_graph_free(graph);
	}
}

/* Units of 1000 bytes: 1..16 of the short, 16..1501 of the long. */
TEST(traffic_of_data_centres_is_short_and_long)
{
	enum { FLOWS = 1000000 };
	struct task_graph *graph = make_fine("dcntraffic:1000000", 10);
	uint32_t units[1502] = {0};
	for (uint32_t i = 0; i < FLOWS; i++) {
		uint32_t unit = (uint32_t)(graph->size[i] / 1000);
		assert_in_range(unit, 1, 1501);
		assert_true(graph->size[i] == 1000.0 * unit);
		units[unit]++;
	}
	for (uint32_t u = 1; u <= 1501; u++)
		check_hits(units[u], FLOWS, (u <= 16 ? 0.8 / 16 : 0) + (u >= 16 ? 0.2 / 1486 : 0));
	task_graph_free(graph);
}

/* Each half sends to the other: 4 of 9 tasks have 5 partners each way, 5 have 4. Over runs all pairs are apart equally often. */
TEST(halves_are_random)
{
	uint32_t apart[9] = {0};
	for (uint32_t run = 0; run < 3000; run++) {
		struct task_graph *graph = make("bisection_all", 9, SYNC_DEFAULT, 1, run);
		uint32_t sends[9] = {0}, receives[9] = {0}, five = 0;
		count_ends(graph, sends, receives);
		assert_int_equal(graph->operations, 40);
		for (uint32_t i = 0; i < 9; i++) {
			assert_int_equal(sends[i], receives[i]);
			assert_true(sends[i] == 4 || sends[i] == 5);
			five += sends[i] == 5;
		}
		assert_int_equal(five, 4);
		for (uint32_t i = 0; i < 40; i++)
			if (graph->task[i] == 0) {
				assert_true(sends[graph->receiver[i]] + sends[0] == 9);
				apart[graph->receiver[i]]++;
			}
		task_graph_free(graph);
	}
	for (uint32_t i = 1; i < 9; i++)
		check_hits(apart[i], 3000, 2.0 * 4 * 5 / (9 * 8));
}

/* Groups of 4, 4 and 2 of 10 tasks: any two are in one by the chance (12 + 12 + 2) / 90. */
TEST(groups_are_random)
{
	uint32_t together[10] = {0};
	for (uint32_t run = 0; run < 3000; run++) {
		struct task_graph *graph = make("manyalltoall_random:4", 10, SYNC_DEFAULT, 1, run);
		bool sent[10][10] = {{false}};
		assert_int_equal(graph->operations, 26);
		for (uint32_t i = 0; i < 26; i++) {
			assert_false(sent[graph->task[i]][graph->receiver[i]]);
			sent[graph->task[i]][graph->receiver[i]] = true;
		}
		for (uint32_t i = 0; i < 10; i++)
			for (uint32_t j = 0; j < 10; j++)
				for (uint32_t k = 0; k < 10; k++)
					assert_true(i == k || !sent[i][j] || !sent[j][k] || sent[i][k]);
		for (uint32_t i = 1; i < 10; i++)
			together[i] += sent[0][i];
		task_graph_free(graph);
	}
	for (uint32_t i = 1; i < 10; i++)
		check_hits(together[i], 3000, 26.0 / 90);
}

TEST(pairs_of_mapreduce_are_drawn)
{
	static const struct {
		const char *spec;
		double chance;
	} examples[] = {{"mapreduce:30", 0.3}, {"mapreduce:1", 0.01}, {"mapreduce:99", 0.99}};
	for (size_t e = 0; e < ARRAY_LENGTH(examples); e++) {
		struct task_graph *graph = make_fine(examples[e].spec, 301);
		double pairs = 0;
		for (uint32_t i = 0; i < graph->operations; i++)
			pairs += graph->level[i] == 1;
		check_hits(pairs, 300 * 299, examples[e].chance);
		assert_int_equal(graph->levels, 3);
		task_graph_free(graph);
	}
}

/* ---- names and errors */

TEST(kinds_are_described_and_tried)
{
	for (size_t i = 0; patterns[i]; i++) {
		const struct pattern *workload = patterns[i];
		bool tried = false;
		assert_true(strlen(workload->summary) > 10);
		assert_true(strlen(workload->source) > 3);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(patterns[k]->name, workload->name);
		for (size_t k = 0; workload->build && k < ARRAY_LENGTH(kinds); k++)
			if (strlen(workload->name) == spec_name_length(kinds[k].spec) &&
				!strncmp(workload->name, kinds[k].spec, spec_name_length(kinds[k].spec))) {
				tried = true;
				assert_int_equal(kinds[k].drawn, workload->drawn);
			}
		if (workload->build && !workload->queued && !tried && needs_parameters(workload) &&
			!workload->count) /* those of files have tests of their own */
			check_seeds(spec_of(workload), workload->drawn);
	}
}

#define ASSERT_REFUSED(spec, tasks, ...) \
	do { \
		assert_null(make(spec, tasks, SYNC_DEFAULT, 1, 0)); \
		assert_error(&error, STATUS_USAGE, __VA_ARGS__); \
	} while (0)

TEST(parameters_are_checked)
{
	ASSERT_REFUSED("bogus", 8, "unknown pattern 'bogus'", "mapreduce", "recdbl");
	ASSERT_REFUSED("nbdy:3", 8, "unknown pattern 'nbdy'; did you mean 'nbody'?");
	ASSERT_REFUSED("recdb", 8, "did you mean 'recdbl'?");
	ASSERT_REFUSED("random", 8, "workload 'random'", "F");
	ASSERT_REFUSED("random:0", 8, "workload 'random'");
	ASSERT_REFUSED("random:x", 8, "workload 'random'");
	ASSERT_REFUSED("random:5,6", 8, "workload 'random'");
	ASSERT_REFUSED("random:5", 1, "at least 2 tasks");
	ASSERT_REFUSED("local:5", 1, "at least 2 tasks");
	ASSERT_REFUSED("local:5,0", 8, "decay is '0'");
	ASSERT_REFUSED("local:5,1.5", 8, "decay is '1.5'");
	ASSERT_REFUSED("local:5,nan", 8, "decay is 'nan'");
	ASSERT_REFUSED("local:5,0.5x", 8, "decay is '0.5x'");
	ASSERT_REFUSED("perfectshuffle", 12, "workload 'perfectshuffle' needs a power of two as the number of tasks, not 12");
	ASSERT_REFUSED("bitrev", 12, "pattern 'bitrev' needs a power of two");
	ASSERT_REFUSED("transpose", 8, "power of four");
	ASSERT_REFUSED("alltoone:8", 8, "the root is task 8, but the number of tasks is 8");
	ASSERT_REFUSED("onetoall:-1", 8, "workload 'onetoall'");
	ASSERT_REFUSED("manyalltoall:0", 8, "workload 'manyalltoall'");
	ASSERT_REFUSED("mapreduce:101", 8, "workload 'mapreduce'");
	ASSERT_REFUSED("nbody:3", 8, "workload 'nbody'");
	ASSERT_REFUSED("sweep:3x3", 8, "9 cells, but there are 8 tasks");
	ASSERT_REFUSED("flood:4294967294x4294967294", 8, "too many cells");
	ASSERT_REFUSED("unstructured:10", 8, "workload 'unstructured'", "G");
	ASSERT_REFUSED("phases:shift:4", 8, "is not phases:PATTERN,SIZE");
	ASSERT_REFUSED("phases:shift:4,0", 8, "is not phases:PATTERN,SIZE");
	ASSERT_REFUSED("phases", 8, "workload 'phases'");
	ASSERT_REFUSED("phases:nbody,5", 8, "requires a pattern without an order of its own, not 'nbody'");
	ASSERT_REFUSED("phases:phases:shift:1,2,3", 8, "without an order of its own");
	ASSERT_REFUSED("phases:bogus,5", 8, "unknown pattern 'bogus'");
	ASSERT_REFUSED("ptrnvsptrn", 8, "requires --first-pattern");
}

TEST(requests_are_checked)
{
	const struct pattern_request twice = {.spec = "random:5", .argument = "6", .first_ranks = -1};
	const struct pattern_request parts = {.spec = "nbody", .first = "bisect", .first_ranks = -1};
	const struct pattern_request ranks = {.spec = "nbody", .first_ranks = 4};
	const struct pattern_request beside = {.spec = "random", .argument = "6", .first_ranks = -1};
	assert_null(workload_create(&twice, &error));
	assert_error(&error, STATUS_USAGE, "workload 'random:5' already has a parameter");
	assert_null(workload_create(&parts, &error));
	assert_error(&error, STATUS_USAGE, "require --pattern ptrnvsptrn, not 'nbody'");
	assert_null(workload_create(&ranks, &error));
	assert_error(&error, STATUS_USAGE, "require --pattern ptrnvsptrn, not 'nbody'");
	struct workload_call *call = workload_create(&beside, &error);
	struct task_graph *graph = workload_graph(call, &(struct workload_task){.tasks = 5}, &error);
	assert_fine(&error);
	assert_int_equal(graph->operations, 6);
	task_graph_free(graph);
	workload_free(call);
	workload_free(NULL);
}

/* What has no order of its own is a level of pairs; each run draws its own. */
TEST(workloads_are_pairs)
{
	static const char *const specs[] = {"random:50", "hotspot_random:50", "hotregion:50", "perfectshuffle", "butterfly",
		"bisection_all", "alltoone:3", "onetoall", "manyalltoall:5", "manyalltoall_random:5", "dcntraffic:50"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++)
		for (uint64_t run = 0; run < 3; run++) {
			struct task_graph *graph = make(specs[i], 16, SYNC_DEFAULT, 1, run);
			check_pairs(graph, specs[i], 16, run);
			task_graph_free(graph);
		}
}

/* A pattern serves what it has a face for, and what that can become. */
TEST(patterns_are_for)
{
	static const struct {
		const char *spec;
		enum pattern_use use;
		const char *why; /* it is not; NULL: it is */
	} cases[] = {
		{"tornado", PATTERN_PAIRS, NULL},
		{"tornado:each", PATTERN_PAIRS, "one parameter too many"},
		{"tornado:each", PATTERN_GRAPH, "one parameter too many"},
		{"tornado:each", PATTERN_LOAD, NULL},
		{"hotspot", PATTERN_GRAPH, "requires the parameter K"},
		{"hotspot", PATTERN_LOAD, NULL},
		{"local:5", PATTERN_GRAPH, NULL},
		{"local:5", PATTERN_PAIRS, "'local:5' needs the hops between hosts, so its pairs cannot be counted"},
		{"local:0.5", PATTERN_LOAD, NULL},
		{"butterfly", PATTERN_PAIRS, NULL},
		{"butterfly", PATTERN_LOAD, NULL},
		{"sweep:4x4", PATTERN_GRAPH, NULL},
		{"sweep:4x4", PATTERN_PAIRS, "'sweep:4x4' has an order of its own, so its pairs cannot be counted"},
		{"sweep:4x4", PATTERN_LOAD,
			"'sweep:4x4' has an order of its own and cannot be open-loop traffic: omit --load and --saturation"},
		{"uniform", PATTERN_PAIRS, "'uniform' is open-loop traffic: it requires orcs --load or --saturation"},
		{"uniform", PATTERN_GRAPH, "it requires orcs --load or --saturation"},
		{"unifrom", PATTERN_PAIRS, "unknown pattern 'unifrom'; did you mean 'uniform'?"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct pattern_request request = {.spec = cases[i].spec, .first_ranks = -1};
		assert_int_equal(pattern_check(&request, cases[i].use, &error), cases[i].why ? -1 : 0);
		if (cases[i].why)
			assert_error(&error, STATUS_USAGE, cases[i].why);
	}
	struct pattern_request two = {.spec = "ptrnvsptrn", .first = "bisect", .second = "butterfly", .first_ranks = 4};
	assert_int_equal(pattern_check(&two, PATTERN_PAIRS, &error), -1);
	assert_error(&error, STATUS_USAGE, "requires patterns that have levels, not 'butterfly'");
}

TEST(near_tasks_need_distances)
{
	struct workload_call *call = workload_create(&(struct pattern_request){.spec = "local:5", .first_ranks = -1}, &error);
	assert_null(workload_graph(call, &(struct workload_task){.tasks = 5}, &error));
	assert_error(&error, STATUS_USAGE, "'local' needs known distances between hosts");
	workload_free(call);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_by_hand),
		cmocka_unit_test(sizes_by_formulae),
		cmocka_unit_test(waves_by_formulae),
		cmocka_unit_test(nbody_sends_more_the_farther),
		cmocka_unit_test(messages_by_hand),
		cmocka_unit_test(patterns_are_workloads),
		cmocka_unit_test(two_patterns_go_side_by_side),
		cmocka_unit_test(files_of_patterns_are_workloads),
		cmocka_unit_test(messages_of_files_have_sizes),
		cmocka_unit_test(large_ones_have_few_waits),
		cmocka_unit_test(a_group_begins_when_the_one_before_has_arrived),
		cmocka_unit_test(graphs_are_functions_of_seed_and_run),
		cmocka_unit_test(kinds_say_what_they_are),
		cmocka_unit_test(calls_can_be_used_again),
		cmocka_unit_test(random_flows_are_uniform),
		cmocka_unit_test(the_hot_spot_is_hot),
		cmocka_unit_test(the_hot_region_is_warm),
		cmocka_unit_test(local_flows_fall_geometrically),
		cmocka_unit_test(traffic_of_data_centres_is_short_and_long),
		cmocka_unit_test(halves_are_random),
		cmocka_unit_test(groups_are_random),
		cmocka_unit_test(pairs_of_mapreduce_are_drawn),
		cmocka_unit_test(kinds_are_described_and_tried),
		cmocka_unit_test(parameters_are_checked),
		cmocka_unit_test(requests_are_checked),
		cmocka_unit_test(workloads_are_pairs),
		cmocka_unit_test(patterns_are_for),
		cmocka_unit_test(near_tasks_need_distances),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
