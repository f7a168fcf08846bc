/* The engine: counts on channels, weights of pairs. */
#include "helpers.h"

#include "fabric/placement.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two switches with two hosts each and one cable between them. Trunk and host 4 have speeds of their own. */
#define DUMBBELL(there, back, host4) \
	"digraph { H1; H2; H3; H4; S; T;" \
	"H1->S [comment=\"*\", speed=10]; H2->S [comment=\"*\", speed=10]; H3->T [comment=\"*\", speed=10];" \
	"H4->T [comment=\"*\", speed=" host4 "];" \
	"S->H1 [comment=H1, speed=10]; S->H2 [comment=H2, speed=10]; S->T [comment=\"*\", speed=" there "];" \
	"T->H3 [comment=H3, speed=10]; T->H4 [comment=H4, speed=" host4 "]; T->S [comment=\"*\", speed=" back "] }"

static const uint32_t straight[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* One level of a pattern on the first so many hosts, rank i on host i. */
static struct level run_level(struct congestion *engine, const char *spec, uint32_t ranks, uint64_t index, enum run_status expected)
{
	struct level level;
	struct error error = {0};
	struct pattern_call *call = make_pattern(spec, ranks);
	draw_run(call, 0);
	enum run_status result = congestion_level(engine, call, index, straight, &level, NULL, &error);
	assert_fine(&error);
	assert_int_equal(result, expected);
	pattern_free(call);
	return level;
}

/* The level has these weights, a list "value*count …". */
static void assert_weights(const struct level *level, const char *expected)
{
	char text[200] = "";
	size_t count = histogram_bins(level->weights), length = 0;
	struct bin bins[20];
	uint64_t total = 0;
	assert_in_range(count, 0, ARRAY_LENGTH(bins));
	histogram_list(level->weights, bins);
	for (size_t i = 0; i < count; i++) {
		length += (size_t)snprintf(
			text + length, sizeof text - length, "%s%g*%u", i ? " " : "", bins[i].value, (unsigned)bins[i].count);
		total += bins[i].count;
	}
	assert_string_equal(text, expected);
	assert_int_equal(total, level->connections);
	assert_true(level->largest == (count ? bins[count - 1].value : 0));
}

TEST(weights_by_hand)
{
	static const struct {
		const char *spec, *weights;
	} cases[] = {
		{"bisect", "1*2"},             /* stays below the switches */
		{"shift:2", "2*4"},            /* two routes each way over the trunk */
		{"shift:1", "1*4"},            /* one each way */
		{"gather", "3*3"},             /* all three share the last channel */
		{"scatter", "3*3"},            /* and the first */
		{"alltoall_flood", "3*4 4*8"}, /* host channels carry 3, the trunk 4 */
		{"shift:0", ""},
	};
	struct world world;
	world_load(&world, DUMBBELL("10", "10", "10"));
	struct congestion *engine = make_engine(&world, false, false, false);
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct level level = run_level(engine, cases[i].spec, 4, 0, RUN_OK);
		assert_weights(&level, cases[i].weights);
		assert_int_equal(level.unroutable, 0);
	}
	assert_null(congestion_channel_sum(engine));
	congestion_free(engine);
	world_clear(&world);
}

TEST(levels_do_not_disturb_one_another)
{
	struct world world;
	world_load(&world, DUMBBELL("10", "10", "10"));
	struct congestion *engine = make_engine(&world, false, false, true);
	for (int turn = 0; turn < 3; turn++) {
		struct level level = run_level(engine, "alltoall", 4, 0, RUN_OK);
		assert_weights(&level, "1*4");
		assert_int_equal(level.index, 0);
		level = run_level(engine, "alltoall", 4, 1, RUN_OK);
		assert_weights(&level, "2*4");
		assert_int_equal(level.index, 1);
		level = run_level(engine, "tree", 4, 0, RUN_OK);
		assert_weights(&level, "1*1");
	}
	congestion_free(engine);
	world_clear(&world);
}

static uint64_t sum_of(struct congestion *engine, const struct world *world, const char *from, const char *to)
{
	return congestion_channel_sum(engine)[channel_of(world, from, to)];
}

TEST(channel_sums_add_up_over_levels_and_runs_kept)
{
	struct world world;
	world_load(&world, DUMBBELL("10", "10", "10"));
	struct congestion *engine = make_engine(&world, false, false, true);
	run_level(engine, "gather", 4, 0, RUN_OK);
	run_level(engine, "shift:2", 4, 0, RUN_OK);
	assert_int_equal(sum_of(engine, &world, "T", "S"), 0); /* not before the run is kept */
	congestion_keep_run(engine);
	assert_int_equal(sum_of(engine, &world, "T", "S"), 2 + 2);
	assert_int_equal(sum_of(engine, &world, "S", "T"), 0 + 2);
	assert_int_equal(sum_of(engine, &world, "S", "H1"), 3 + 1);
	assert_int_equal(sum_of(engine, &world, "H1", "S"), 0 + 1);
	run_level(engine, "gather", 4, 0, RUN_OK);
	congestion_drop_run(engine);
	congestion_keep_run(engine);
	assert_int_equal(sum_of(engine, &world, "S", "H1"), 4);
	run_level(engine, "gather", 4, 0, RUN_OK);
	congestion_keep_run(engine);
	assert_int_equal(sum_of(engine, &world, "S", "H1"), 7);
	congestion_free(engine);
	world_clear(&world);
}

/* A weight is the speed of the slower of a pair's host links, divided by its rate. */
TEST(speeds_make_weights)
{
	static const struct {
		const char *text, *spec, *weights;
	} cases[] = {
		{DUMBBELL("40", "10", "10"), "shift:2", "1*2 2*2"}, /* there 2/4, so the host channels decide; back 2/1 */
		{DUMBBELL("5", "10", "10"), "shift:2", "2*2 4*2"},  /* there 2/0.5 */
		{DUMBBELL("40", "40", "5"), "shift:2", "1*4"},      /* each has its host link alone, host 4 with half the speed */
		{DUMBBELL("10", "10", "5"), "shift:2", "1*2 2*2"},  /* half the trunk is all that host 4 can carry */
		{DUMBBELL("15", "15", "10"), "gather", "3*3"},
		{DUMBBELL("15", "15", "10"), "shift:2", "1.33333*4"},
		{DUMBBELL("10", "10", "10"), "shift:2", "2*4"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct world world;
		world_load(&world, cases[i].text);
		struct congestion *engine = make_engine(&world, true, false, false);
		struct level level = run_level(engine, cases[i].spec, 4, 0, RUN_OK);
		assert_weights(&level, cases[i].weights);
		congestion_free(engine);
		world_clear(&world);
	}
}

TEST(speeds_do_not_matter_where_ignored)
{
	struct world world;
	world_load(&world, DUMBBELL("40", "5", "2"));
	struct congestion *engine = make_engine(&world, false, false, false);
	struct level level = run_level(engine, "shift:2", 4, 0, RUN_OK);
	assert_weights(&level, "2*4");
	congestion_free(engine);
	world_clear(&world);
}

/* The trunk knows no way to H3: shift:2 loses one of its four. */
static const char broken[] =
	"digraph { H1; H2; H3; H4; S; T; H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; H3->T [comment=\"*\"]; H4->T [comment=\"*\"];"
	"S->H1 [comment=H1]; S->H2 [comment=H2]; S->T [comment=\"H3,H4\"]; T->H4 [comment=H4]; T->S [comment=\"H1,H2\"] }";

TEST(a_pair_without_route_ends_the_level)
{
	struct world world;
	uint32_t source, destination;
	world_load(&world, broken);
	struct congestion *engine = make_engine(&world, false, false, true);
	run_level(engine, "shift:2", 4, 0, RUN_UNROUTABLE);
	congestion_bad_pair(engine, &source, &destination);
	assert_int_equal(source, host_of(&world, "H1"));
	assert_int_equal(destination, host_of(&world, "H3"));
	congestion_drop_run(engine);
	struct level level = run_level(engine, "gather", 2, 0, RUN_OK); /* nothing of it is left behind */
	assert_weights(&level, "1*1");
	congestion_keep_run(engine);
	assert_int_equal(sum_of(engine, &world, "S", "T"), 0);
	congestion_free(engine);
	world_clear(&world);
}

/* What is left out burdens no channel, not even those of the part of the way that it could have gone. */
TEST(a_pair_without_route_may_be_left_out)
{
	struct world world;
	world_load(&world, broken);
	struct congestion *engine = make_engine(&world, false, true, true);
	struct level level = run_level(engine, "shift:2", 4, 0, RUN_OK);
	assert_weights(&level, "1*1 2*2");
	assert_int_equal(level.connections, 3);
	assert_int_equal(level.unroutable, 1);
	congestion_keep_run(engine);
	assert_int_equal(sum_of(engine, &world, "S", "T"), 1);
	assert_int_equal(sum_of(engine, &world, "H1", "S"), 0);
	congestion_free(engine);
	world_clear(&world);
}

TEST(ranks_on_one_host_need_no_network)
{
	static const uint32_t host[] = {0, 0, 0, 3};
	struct world world;
	struct level level;
	struct error error = {0};
	world_load(&world, broken);
	struct congestion *engine = make_engine(&world, false, false, false);
	struct pattern_call *call = make_pattern("gather", 4);
	assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &error), RUN_OK);
	assert_weights(&level, "1*1");
	assert_int_equal(level.unroutable, 0);
	pattern_free(call);
	congestion_free(engine);
	world_clear(&world);
}

TEST(a_signal_ends_the_level)
{
	struct world world;
	struct level level;
	struct error error = {0};
	volatile sig_atomic_t stop = 1;
	world_load(&world, DUMBBELL("10", "10", "10"));
	struct congestion_setup setup = {.fabric = world.fabric, .forwarding = world.forwarding, .stop = &stop};
	struct congestion *engine = congestion_create(&setup, &error);
	struct pattern_call *call = make_pattern("gather", 4);
	assert_int_equal(congestion_level(engine, call, 0, straight, &level, NULL, &error), RUN_INTERRUPTED);
	stop = 0;
	assert_int_equal(congestion_level(engine, call, 0, straight, &level, NULL, &error), RUN_OK);
	assert_weights(&level, "3*3");
	pattern_free(call);
	congestion_free(engine);
	congestion_free(NULL);
	world_clear(&world);
}

/* ---- against the definition, pair by pair */

/* The weight of every pair of a level by its definition: count[] of all routes, then the largest on each route. */
struct naive {
	const struct world *world;
	const uint32_t *host;
	double *count; /* [channels], divided by speeds where they count */
	bool speeds;
	uint32_t *route;
	size_t pairs;
};

static int naive_route(const struct naive *naive, struct pair pair)
{
	uint32_t source = naive->host[pair.sender], destination = naive->host[pair.receiver];
	return source == destination ? 0 : walk_route(naive->world->fabric, naive->world->forwarding, source, destination, naive->route);
}

static void naive_count(struct naive *naive, const struct pairs *pairs, bool speed_aware)
{
	const struct fabric *fabric = naive->world->fabric;
	memset(naive->count, 0, fabric->channels * sizeof *naive->count);
	naive->pairs = 0;
	naive->speeds = speed_aware;
	for (size_t i = 0; i < pairs->count; i++) {
		int length = naive_route(naive, pairs->list[i]);
		assert_true(length >= 0);
		naive->pairs += length > 0;
		for (int hop = 0; hop < length; hop++)
			naive->count[naive->route[hop]]++;
	}
	for (uint32_t c = 0; speed_aware && c < fabric->channels; c++)
		naive->count[c] /= fabric->speed[c];
}

static double naive_weight(const struct naive *naive, struct pair pair)
{
	double largest = 0;
	int length = naive_route(naive, pair);
	for (int hop = 0; hop < length; hop++)
		largest = fmax(largest, naive->count[naive->route[hop]]);
	const double *speed = naive->world->fabric->speed;
	return naive->speeds ? largest * fmin(speed[naive->route[0]], speed[naive->route[length - 1]]) : largest;
}

/* Takes what the engine weighed and holds it against the naive weight; part 1 has the ranks from border on. */
struct checker {
	const struct naive *naive;
	uint32_t border;
	size_t seen;
};

static void check_pairs(void *data, const struct weighed *pairs, size_t count, int part)
{
	struct checker *checker = data;
	for (size_t i = 0; i < count; i++) {
		assert_within(pairs[i].weight, naive_weight(checker->naive, pairs[i].pair), 1e-9);
		assert_int_equal(part, pairs[i].pair.sender >= checker->border);
	}
	checker->seen += count;
}

/* Every level of a run weighs what it should. */
static void assert_like_naive(
	const struct world *world, struct congestion *engine, struct pattern_call *call, const uint32_t *host, bool speed_aware)
{
	struct naive naive = {.world = world, .host = host};
	struct error error = {0};
	naive.count = calloc(world->fabric->channels, sizeof *naive.count);
	naive.route = calloc(world->fabric->nodes, sizeof *naive.route);
	for (uint64_t index = 0; index < pattern_levels(call); index++) {
		struct pairs pairs = pairs_of_level(call, index, 100);
		struct checker checker = {.naive = &naive, .border = call->first ? call->first->ranks : UINT32_MAX};
		struct pair_taker taker = {check_pairs, &checker};
		struct level level;
		naive_count(&naive, &pairs, speed_aware);
		assert_int_equal(congestion_level(engine, call, index, host, &level, &taker, &error), RUN_OK);
		assert_int_equal(checker.seen, naive.pairs);
		assert_int_equal(level.connections, naive.pairs);
		pairs_clear(&pairs);
	}
	free(naive.count);
	free(naive.route);
}

TEST(random_mappings_weigh_what_they_should)
{
	static const char *const specs[] = {
		"bisect", "bruck", "rand", "gather", "alltoall_flood", "2neighbor", "hotspot:3", "allreduce_rabenseifner"};
	struct world world;
	struct placement placement;
	struct error error = {0};
	uint32_t host[64];
	world_tree(&world, 4, 3);
	struct congestion *engine = make_engine(&world, false, false, true);
	assert_int_equal(placement_init(&placement, world.fabric, "file_order", "random", 0, 1, &error), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct pattern_call *call = make_pattern(specs[i], 64);
		for (uint64_t run = 0; run < 3; run++) {
			placement_run(&placement, 1, run, host);
			draw_run(call, run);
			assert_like_naive(&world, engine, call, host, false);
		}
		pattern_free(call);
	}
	struct pattern_call *call = make_two_patterns("recdbl", "alltoall", 40, 64);
	assert_like_naive(&world, engine, call, host, false);
	pattern_free(call);
	placement_clear(&placement);
	congestion_free(engine);
	world_clear(&world);
}

TEST(random_speeds_weigh_what_they_should)
{
	struct world world;
	struct random random;
	uint32_t host[64];
	world_tree(&world, 4, 3);
	random_start(&random, 1, 0, 0);
	for (uint32_t c = 0; c < world.fabric->channels; c++)
		world.fabric->speed[c] = (1 + random_below(&random, 16)) / 4.0;
	for (uint32_t h = 0; h < 64; h++)
		host[h] = 63 - h;
	struct congestion *engine = make_engine(&world, true, false, false);
	struct pattern_call *call = make_pattern("bruck", 64);
	assert_like_naive(&world, engine, call, host, true);
	pattern_free(call);
	congestion_free(engine);
	world_clear(&world);
}

/* ---- a level whose routes are kept nowhere, for they are too many */

/* A chain of switches with a host each: the longest routes that so few nodes can have. */
static void load_chain(struct world *world, unsigned hosts)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	fputs("digraph {", file);
	for (unsigned h = 0; h < hosts; h++)
		fprintf(file, "H%u->S%u [comment=\"*\"];", h, h);
	for (unsigned s = 0; s < hosts; s++) {
		fprintf(file, "S%u->H%u [comment=H%u];", s, s, s);
		if (s + 1 < hosts)
			fprintf(file, "S%u->S%u [comment=\"*\"];", s, s + 1);
		if (!s)
			continue;
		fprintf(file, "S%u->S%u [comment=\"", s, s - 1);
		for (unsigned h = 0; h < s; h++)
			fprintf(file, "H%u,", h);
		fputs("\"];", file);
	}
	fputs("}", file);
	fclose(file);
	world_load(world, text);
	free(text);
}

/* With all pairs on a chain of n, (i+1)(n-1-i) routes go from switch i to i+1, and as many back; a host channel carries n-1. */
struct chain_checker {
	uint32_t n;
	size_t seen;
	double largest;
};

static double chain_weight(uint32_t n, uint32_t from, uint32_t to)
{
	double largest = n - 1;
	for (uint32_t i = from < to ? from : to; i < (from < to ? to : from); i++)
		largest = fmax(largest, (i + 1.0) * (n - 1 - i));
	return largest;
}

static void check_chain(void *data, const struct weighed *pairs, size_t count, int part)
{
	struct chain_checker *checker = data;
	assert_int_equal(part, 0);
	for (size_t i = 0; i < count; i++) {
		if (i % 16 == 0) /* a part of them, for the time it takes */
			assert_true(pairs[i].weight == chain_weight(checker->n, pairs[i].pair.sender, pairs[i].pair.receiver));
		checker->largest = fmax(checker->largest, pairs[i].weight);
	}
	checker->seen += count;
}

static void assert_chain(const struct world *world, struct congestion *engine, uint32_t n)
{
	uint32_t *host = calloc(n, sizeof *host);
	struct chain_checker checker = {.n = n};
	struct pair_taker taker = {check_chain, &checker};
	struct error error = {0};
	struct level level;
	for (uint32_t h = 0; h < n; h++)
		host[h] = host_of(world, world->fabric->labels->name[world->fabric->host_node[h]]);
	struct pattern_call *call = make_pattern("alltoall_flood", n);
	assert_int_equal(congestion_level(engine, call, 0, host, &level, &taker, &error), RUN_OK);
	congestion_keep_run(engine);
	assert_int_equal(level.connections, n * (n - 1));
	assert_int_equal(checker.seen, n * (n - 1));
	assert_true(level.largest == (double)(n / 2) * (n - n / 2));
	assert_true(level.largest == checker.largest);
	pattern_free(call);
	free(host);
}

TEST(routes_that_do_not_fit_are_walked_again)
{
	enum { LONG = 400, SHORT = 50 };
	struct world world;
	load_chain(&world, LONG);
	struct congestion *engine = make_engine(&world, false, false, true);
	assert_chain(&world, engine, SHORT);
	assert_chain(&world, engine, LONG);
	assert_chain(&world, engine, SHORT);
	for (uint32_t i = 0; i + 1 < LONG; i++) {
		char from[20], to[20];
		snprintf(from, sizeof from, "S%u", (unsigned)i);
		snprintf(to, sizeof to, "S%u", (unsigned)i + 1);
		uint64_t expected = (i + 1) * (LONG - 1 - i) + (i < SHORT ? 2 * (i + 1) * (SHORT - 1 - i) : 0);
		assert_int_equal(sum_of(engine, &world, from, to), expected);
		assert_int_equal(sum_of(engine, &world, to, from), expected);
	}
	congestion_free(engine);
	world_clear(&world);
}

/* The same as one that does not drop them, part by part; ptrnvsptrn fills the buffer with its first pattern. */
static void count_parts(void *data, const struct weighed *pairs, size_t count, int part)
{
	uint64_t *seen = data;
	for (size_t i = 0; i < count; i++)
		assert_int_equal(part, pairs[i].pair.sender >= 380);
	seen[part] += count;
}

TEST(parts_stay_apart_when_routes_do_not_fit)
{
	enum { FIRST = 380, ALL = 420 };
	struct world world;
	uint32_t host[ALL];
	uint64_t seen[2] = {0};
	struct level level;
	struct error error = {0};
	struct pair_taker taker = {count_parts, seen};
	load_chain(&world, ALL);
	for (uint32_t h = 0; h < ALL; h++)
		host[h] = h;
	struct congestion *engine = make_engine(&world, false, false, false);
	struct pattern_call *call = make_two_patterns("alltoall_flood", "alltoall_flood", FIRST, ALL);
	assert_int_equal(congestion_level(engine, call, 0, host, &level, &taker, &error), RUN_OK);
	assert_int_equal(seen[0], FIRST * (FIRST - 1));
	assert_int_equal(seen[1], (ALL - FIRST) * (ALL - FIRST - 1));
	assert_int_equal(level.connections, seen[0] + seen[1]);
	pattern_free(call);
	congestion_free(engine);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_by_hand),
		cmocka_unit_test(levels_do_not_disturb_one_another),
		cmocka_unit_test(channel_sums_add_up_over_levels_and_runs_kept),
		cmocka_unit_test(speeds_make_weights),
		cmocka_unit_test(speeds_do_not_matter_where_ignored),
		cmocka_unit_test(a_pair_without_route_ends_the_level),
		cmocka_unit_test(a_pair_without_route_may_be_left_out),
		cmocka_unit_test(ranks_on_one_host_need_no_network),
		cmocka_unit_test(a_signal_ends_the_level),
		cmocka_unit_test(random_mappings_weigh_what_they_should),
		cmocka_unit_test(random_speeds_weigh_what_they_should),
		cmocka_unit_test(routes_that_do_not_fit_are_walked_again),
		cmocka_unit_test(parts_stay_apart_when_routes_do_not_fit),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
