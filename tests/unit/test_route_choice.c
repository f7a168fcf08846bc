/* Pairs with several routes: one drawn, or all at once. */
#include "helpers.h"
#include "base/memory.h"

#include "fabric/multipath_entries.h"
#include "fabric/route_choice.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A to D by B, by C, or straight. */
static const char diamond[] =
	"digraph { H1->A [comment=\"*\"]; A->B [comment=H2, weights=\"3:H2\"]; A->C [comment=\"H2,H3\", weights=\"1:H2;5:H3\"];"
	"A->D [comment=\"H2\", weights=\"4:H2\"]; B->D [comment=\"*\"]; C->D [comment=\"*\"]; D->H2 [comment=H2]; D->H3 [comment=H3];"
	"H2->D [comment=\"*\"]; H3->D [comment=\"*\"]; D->A [comment=H1]; A->H1 [comment=H1] }";

struct ways {
	struct world world;
	struct route_choice *multipath;
};

static void ways_make(struct ways *w, const char *text, enum multipath_mode mode, uint64_t seed)
{
	world_read(&w->world, text, DOT_TABLES | DOT_ALTERNATIVES | DOT_ALLOW_NO_LINK);
	assert_fine(&w->world.error);
	w->multipath = route_choice_create(
		&(struct route_choice_setup){.mode = mode, .fabric = w->world.fabric, .forwarding = w->world.forwarding, .seed = seed},
		&w->world.error);
}

static void ways_clear(struct ways *w)
{
	route_choice_free(w->multipath);
	world_clear(&w->world);
}

/* The share of the pair's load on a channel, after route_choice_spread. */
static double share_on(const struct ways *w, const char *from, const char *to)
{
	uint32_t channel = channel_of(&w->world, from, to);
	for (uint32_t i = 0; i < w->multipath->count; i++)
		if (w->multipath->channel[i] == channel)
			return w->multipath->share[i];
	return 0;
}

static int spread(struct ways *w, const char *from, const char *to)
{
	return route_choice_spread(w->multipath, host_of(&w->world, from), host_of(&w->world, to));
}

TEST(a_load_is_split_by_the_weights_of_the_entries)
{
	struct ways w;
	ways_make(&w, diamond, MULTIPATH_SPLIT, 1);
	assert_int_equal(w.world.report.forwarding.ambiguous, 0);
	assert_int_equal(spread(&w, "H1", "H2"), 7);
	assert_within(share_on(&w, "H1", "A"), 1, 0);
	assert_within(share_on(&w, "A", "B"), 3.0 / 8, 1e-15);
	assert_within(share_on(&w, "A", "C"), 1.0 / 8, 1e-15);
	assert_within(share_on(&w, "A", "D"), 4.0 / 8, 1e-15);
	assert_within(share_on(&w, "B", "D"), 3.0 / 8, 1e-15);
	assert_within(share_on(&w, "D", "H2"), 1, 1e-15);
	assert_int_equal(spread(&w, "H1", "H3"), 4); /* one way: weights do not matter */
	assert_within(share_on(&w, "A", "C"), 1, 0);
	assert_int_equal(spread(&w, "H2", "H3"), 2);
	ways_clear(&w);
}

TEST(entries_are_first_channels_where_alternatives_are_not_asked_for)
{
	struct world world;
	world_load(&world, diamond);
	assert_null(world.forwarding->alternatives);
	assert_int_equal(world.report.forwarding.ambiguous, 1);
	assert_false(route_choice_any(&(struct route_choice_setup){.mode = MULTIPATH_SPLIT, .forwarding = world.forwarding}));
	world_clear(&world);
}

TEST(one_of_several_routes_is_drawn_by_weight_for_each_run)
{
	enum { RUNS = 20000 };
	struct ways w;
	uint32_t by[3] = {0}, again = 0, before = NONE;
	ways_make(&w, diamond, MULTIPATH_RANDOM, 7);
	uint32_t from = host_of(&w.world, "H1"), to = host_of(&w.world, "H2");
	const char *const next[3] = {"B", "C", "D"};
	for (uint64_t run = 0; run < RUNS; run++) {
		w.multipath->run = run;
		int length = route_choice_route(w.multipath, from, to);
		uint32_t second = w.multipath->channel[1];
		assert_in_range(length, 3, 4);
		for (int i = 0; i < 3; i++)
			by[i] += second == channel_of(&w.world, "A", next[i]);
		again += second == before;
		before = second;
		route_choice_route(w.multipath, to, from); /* what others draw does not matter */
		assert_int_equal(route_choice_route(w.multipath, from, to), length);
		assert_int_equal(w.multipath->channel[1], second);
	}
	assert_int_equal(by[0] + by[1] + by[2], RUNS);
	assert_within(by[0], RUNS * 3 / 8.0, 5 * sqrt(RUNS * 3 / 8.0 * 5 / 8));
	assert_within(by[1], RUNS / 8.0, 5 * sqrt(RUNS / 8.0 * 7 / 8));
	assert_within(by[2], RUNS / 2.0, 5 * sqrt(RUNS / 4.0));
	assert_within(again, RUNS * (9 + 1 + 16) / 64.0, 5 * sqrt(RUNS / 4.0)); /* runs are independent */
	ways_clear(&w);
}

TEST(first_takes_the_first_channel_of_an_entry)
{
	struct ways w;
	ways_make(&w, diamond, MULTIPATH_FIRST, 1);
	assert_int_equal(route_choice_route(w.multipath, host_of(&w.world, "H1"), host_of(&w.world, "H2")), 4);
	assert_int_equal(w.multipath->channel[1], channel_of(&w.world, "A", "B"));
	ways_clear(&w);
}

TEST(a_way_that_leads_back_or_nowhere_is_told)
{
	struct ways w;
	ways_make(&w,
		"digraph { H1->A [comment=\"*\"]; A->B [comment=H2]; A->C [comment=H2]; B->H2 [comment=H2]; C->A [comment=H2]; "
		"C->H2 [comment=\"\"]; H3->D [comment=\"*\"]; D->E [comment=H2]; D->B [comment=H2]; H2->B [comment=\"*\"]; E->B }",
		MULTIPATH_SPLIT, 1);
	assert_int_equal(spread(&w, "H1", "H2"), ROUTE_LOOP);
	assert_int_equal(route_choice_explain(w.multipath, host_of(&w.world, "H1"), host_of(&w.world, "H2"), &w.world.error), -1);
	assert_error(&w.world.error, STATUS_FABRIC, "no route from 'H1' to 'H2': switch 'A' is entered twice (a loop)");
	assert_int_equal(spread(&w, "H3", "H2"), ROUTE_NO_ENTRY);
	route_choice_explain(w.multipath, host_of(&w.world, "H3"), host_of(&w.world, "H2"), &w.world.error);
	assert_error(&w.world.error, STATUS_FABRIC, "no route from 'H3' to 'H2': switch 'E' has no entry for the destination");
	ways_clear(&w);
}

static void assert_weights_refused(const char *weights)
{
	struct world world;
	char text[300];
	snprintf(text, sizeof text,
		"digraph {\nH1->A [comment=\"*\"]; A->H1 [comment=H1]; H2->A [comment=\"*\"]\n A->H2 [comment=H2, weights=\"%s\"] }",
		weights);
	assert_int_equal(world_read(&world, text, DOT_TABLES | DOT_ALTERNATIVES), -1);
	assert_error(&world.error, STATUS_FABRIC, "channel A -> H2 has the weights", "which are not a list");
	world_clear(&world);
}

TEST(weights_are_a_list_of_numbers_and_hosts_of_the_set)
{
	assert_weights_refused("2");
	assert_weights_refused("2:");
	assert_weights_refused("0:H2");
	assert_weights_refused("-1:H2");
	assert_weights_refused("2:H1");
	assert_weights_refused("2:A");
	assert_weights_refused("2:H7");
	assert_weights_refused("3000000000:H2");
	assert_weights_refused("2:H2;x");
}

/* ---- against following every way by itself */

/* Adds the part to all channels of all ways from a node. Returns whether all of them end at the destination. */
static bool follow(const struct ways *w, uint32_t node, uint32_t destination, double part, bool *on, double *load)
{
	const struct fabric *fabric = w->world.fabric;
	const struct forwarding *f = w->world.forwarding;
	if (node == fabric->host_node[destination])
		return true;
	if (on[node])
		return false;
	uint32_t set = f->alternatives ? alternatives_set(f->alternatives, node, destination) : NONE;
	uint32_t only = forwarding_next(f, node, f->column[node], destination), count = 1;
	const uint32_t *channel = &only;
	if (set != NONE) {
		channel = f->alternatives->channel + f->alternatives->first[set];
		count = f->alternatives->first[set + 1] - f->alternatives->first[set];
	}
	bool all = channel[0] != NONE;
	on[node] = true;
	for (uint32_t i = 0; i < count && all; i++) {
		load[channel[i]] += part / count;
		all = follow(w, fabric->head[channel[i]], destination, part / count, on, load);
	}
	on[node] = false;
	return all;
}

TEST(spreading_is_following_every_way)
{
	struct random random;
	unsigned several = 0, none = 0;
	random_start(&random, 3, 0, 0);
	for (int trial = 0; trial < 300; trial++) {
		struct ways w;
		char *text = random_graph(&random, 2 + random_below(&random, 4), 2 + random_below(&random, 5));
		ways_make(&w, text, MULTIPATH_SPLIT, 1);
		const struct fabric *fabric = w.world.fabric;
		bool *on = array_create(fabric->nodes, sizeof *on, &w.world.error);
		double *load = array_create(fabric->channels, sizeof *load, &w.world.error);
		for (uint32_t pair = 0; pair < fabric->hosts * fabric->hosts; pair++) {
			uint32_t from = pair / fabric->hosts, to = pair % fabric->hosts, used = 0;
			if (from == to)
				continue;
			memset(load, 0, fabric->channels * sizeof *load);
			bool all = follow(&w, fabric->host_node[from], to, 1, on, load);
			int count = route_choice_spread(w.multipath, from, to);
			assert_int_equal(all, count >= 0);
			none += !all;
			for (int i = 0; i < count; i++) {
				assert_within(w.multipath->share[i], load[w.multipath->channel[i]], 1e-12);
				several += w.multipath->share[i] < 0.99;
			}
			for (uint32_t c = 0; c < fabric->channels; c++)
				used += load[c] > 0;
			if (all)
				assert_int_equal(used, count);
		}
		free(on);
		free(load);
		free(text);
		ways_clear(&w);
	}
	assert_in_range(several, 50, UINT32_MAX);
	assert_in_range(none, 50, UINT32_MAX);
}

/* ---- by way of a random switch */

/* A ring of four switches with one host each, all routes in one direction. */
static const char ring[] = "digraph { graph [via=random];"
			   "H0->A [comment=\"*\"]; H1->B [comment=\"*\"]; H2->C [comment=\"*\"]; H3->D [comment=\"*\"];"
			   "A->H0 [comment=H0]; B->H1 [comment=H1]; C->H2 [comment=H2]; D->H3 [comment=H3];"
			   "A->B [comment=\"*\"]; B->C [comment=\"*\"]; C->D [comment=\"*\"]; D->A [comment=\"*\"] }";

TEST(routes_go_by_way_of_every_switch_alike)
{
	struct ways w;
	ways_make(&w, ring, MULTIPATH_SPLIT, 1);
	assert_true(w.world.forwarding->via);
	assert_int_equal(w.multipath->vias, 4);
	assert_int_equal(spread(&w, "H0", "H1"), 6);
	/* by way of C, and of D, A -> B is passed twice */
	assert_within(share_on(&w, "A", "B"), 2 * 0.25 + 2 * 0.5, 1e-15);
	assert_within(share_on(&w, "B", "C"), 0.5, 1e-15);
	assert_within(share_on(&w, "D", "A"), 0.5, 1e-15);
	assert_within(share_on(&w, "H0", "A"), 1, 1e-15);
	assert_within(share_on(&w, "A", "H0"), 0, 0);
	ways_clear(&w);
}

TEST(first_goes_straight)
{
	struct ways w;
	ways_make(&w, ring, MULTIPATH_FIRST, 1);
	assert_int_equal(route_choice_route(w.multipath, host_of(&w.world, "H0"), host_of(&w.world, "H1")), 3);
	ways_clear(&w);
}

TEST(drawn_detours_are_the_split_ones_on_average)
{
	enum { RUNS = 20000 };
	struct ways w;
	ways_make(&w, ring, MULTIPATH_RANDOM, 5);
	uint32_t passed = 0, lengths[8] = {0};
	for (uint64_t run = 0; run < RUNS; run++) {
		w.multipath->run = run;
		int length = route_choice_route(w.multipath, host_of(&w.world, "H0"), host_of(&w.world, "H1"));
		assert_true(length == 3 || length == 7);
		lengths[length]++;
		for (int i = 0; i < length; i++)
			passed += w.multipath->channel[i] == channel_of(&w.world, "A", "B");
	}
	assert_within(lengths[3], RUNS / 2.0, 5 * sqrt(RUNS / 4.0));
	assert_within(passed, RUNS * 1.5, 5 * sqrt(RUNS / 4.0));
	ways_clear(&w);
}

TEST(detours_need_hosts_on_one_switch)
{
	struct ways w;
	ways_make(&w, "digraph { via=random; H1->A [comment=\"*\"]; H1->B; A->H1; A->H2; H2->A [comment=\"*\"]; B->H1 }", MULTIPATH_RANDOM,
		1);
	assert_null(w.multipath);
	assert_error(&w.world.error, STATUS_FABRIC, "via random switches");
	ways_clear(&w);
}

/* ---- counting */

/* The sums of all channels over the levels of some runs, in routes. */
static void sum_runs(struct ways *w, const char *pattern, uint64_t runs, double *sum)
{
	struct congestion *engine = congestion_create(&(struct congestion_setup){.fabric = w->world.fabric,
							      .forwarding = w->world.forwarding,
							      .multipath = w->multipath,
							      .sum_channels = true,
							      .stop = &never_stop},
		&w->world.error);
	uint32_t hosts = w->world.fabric->hosts, *host = array_create(hosts, sizeof *host, &w->world.error);
	struct pattern_call *call = make_pattern(pattern, hosts);
	struct level level;
	for (uint32_t h = 0; h < hosts; h++)
		host[h] = h;
	for (uint64_t run = 0; run < runs; run++) {
		w->multipath->run = run;
		draw_run(call, run);
		assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &w->world.error), RUN_OK);
		congestion_keep_run(engine);
	}
	for (uint32_t c = 0; c < w->world.fabric->channels; c++)
		sum[c] = (double)congestion_channel_sum(engine)[c] * congestion_channel_unit(w->multipath);
	pattern_free(call);
	free(host);
	congestion_free(engine);
}

TEST(drawn_routes_count_as_split_loads_do_on_average)
{
	enum { RUNS = 4000, CHANNELS = 12 };
	struct ways split, drawn;
	double expected[CHANNELS], sum[CHANNELS];
	ways_make(&split, diamond, MULTIPATH_SPLIT, 1);
	ways_make(&drawn, diamond, MULTIPATH_RANDOM, 1);
	assert_int_equal(split.world.fabric->channels, CHANNELS);
	sum_runs(&split, "alltoall_flood", 1, expected);
	sum_runs(&drawn, "alltoall_flood", RUNS, sum);
	for (int c = 0; c < CHANNELS; c++)
		assert_within(sum[c] / RUNS, expected[c], 5 * 0.5 / sqrt(RUNS) + 1e-6);
	ways_clear(&split);
	ways_clear(&drawn);
}

TEST(the_weight_of_a_split_pair_is_the_largest_sum_it_meets)
{
	struct ways w;
	ways_make(&w, diamond, MULTIPATH_SPLIT, 1);
	struct congestion *engine = congestion_create(
		&(struct congestion_setup){
			.fabric = w.world.fabric, .forwarding = w.world.forwarding, .multipath = w.multipath, .stop = &never_stop},
		&w.world.error);
	uint32_t host[3] = {host_of(&w.world, "H1"), host_of(&w.world, "H2"), host_of(&w.world, "H3")};
	struct pattern_call *call = make_pattern("scatter", 3);
	struct level level;
	struct bin bins[3];
	assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &w.world.error), RUN_OK);
	assert_int_equal(level.connections, 2);
	assert_int_equal(histogram_bins(level.weights), 1); /* both wait for H1's own channel */
	histogram_list(level.weights, bins);
	assert_within(bins[0].value, 2, 0);
	pattern_free(call);
	call = make_pattern("bisect", 2);
	host[0] = host_of(&w.world, "H2");
	host[1] = host_of(&w.world, "H1");
	assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &w.world.error), RUN_OK);
	histogram_list(level.weights, bins);
	assert_within(bins[0].value, 1, 0); /* and what was counted before is forgotten */
	pattern_free(call);
	congestion_free(engine);
	ways_clear(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_is_split_by_the_weights_of_the_entries),
		cmocka_unit_test(entries_are_first_channels_where_alternatives_are_not_asked_for),
		cmocka_unit_test(one_of_several_routes_is_drawn_by_weight_for_each_run),
		cmocka_unit_test(first_takes_the_first_channel_of_an_entry),
		cmocka_unit_test(a_way_that_leads_back_or_nowhere_is_told),
		cmocka_unit_test(weights_are_a_list_of_numbers_and_hosts_of_the_set),
		cmocka_unit_test(spreading_is_following_every_way),
		cmocka_unit_test(routes_go_by_way_of_every_switch_alike),
		cmocka_unit_test(first_goes_straight),
		cmocka_unit_test(drawn_detours_are_the_split_ones_on_average),
		cmocka_unit_test(detours_need_hosts_on_one_switch),
		cmocka_unit_test(drawn_routes_count_as_split_loads_do_on_average),
		cmocka_unit_test(the_weight_of_a_split_pair_is_the_largest_sum_it_meets),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
