/* The exact computations of orcs-bound, each against plain enumeration or known values. */
#include "helpers.h"

#include "base/random.h"
#include "orcs/loads_shared.h"
#include "tools/bound/commodities.h"
#include "shapes/ideal.h"
#include "tools/bound/matching.h"
#include "tools/bound/throughput.h"
#include "tools/bound/worst.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- matching */

/* The largest matching by trying, for one item of the right unit, every partner and none. */
static uint64_t best_matching(const struct matching *m, uint32_t right, uint32_t used, uint32_t *room)
{
	if (right == m->rights)
		return 0;
	if (used == m->right_room[right])
		return best_matching(m, right + 1, 0, room);
	uint64_t best = best_matching(m, right + 1, 0, room);
	for (size_t e = m->first[right]; e < m->first[right + 1]; e++)
		if (room[m->left[e]]) {
			room[m->left[e]]--;
			uint64_t with = 1 + best_matching(m, right, used + 1, room);
			room[m->left[e]]++;
			best = with > best ? with : best;
		}
	return best;
}

TEST(a_matching_is_the_largest_and_fits_its_rooms)
{
	struct random random;
	random_start(&random, 7, RANDOM_PATTERN, 0);
	for (int round = 0; round < 300; round++) {
		uint32_t left[16], left_room[4], right_room[4], rooms[4], pairs[16] = {0};
		size_t first[5] = {0};
		struct matching m = {1 + random_below(&random, 4), 1 + random_below(&random, 4), left_room, right_room, first, left, pairs};
		for (uint32_t l = 0; l < m.lefts; l++)
			rooms[l] = left_room[l] = random_below(&random, 3);
		for (uint32_t r = 0; r < m.rights; r++) {
			right_room[r] = random_below(&random, 3);
			first[r + 1] = first[r];
			for (uint32_t l = 0; l < m.lefts; l++)
				if (random_below(&random, 2))
					left[first[r + 1]++] = l;
		}
		uint64_t wanted = best_matching(&m, 0, 0, rooms), size, sum = 0;
		uint32_t taken_left[4] = {0}, taken_right[4] = {0}, right_rooms[4];
		memcpy(right_rooms, right_room, sizeof right_rooms);
		struct error error = {0};
		assert_int_equal(matching_solve(&m, &size, &error), 0);
		assert_int_equal(size, wanted);
		for (uint32_t r = 0; r < m.rights; r++)
			for (size_t e = first[r]; e < first[r + 1]; e++) {
				sum += pairs[e];
				taken_right[r] += pairs[e];
				taken_left[left[e]] += pairs[e];
			}
		assert_int_equal(sum, wanted);
		for (uint32_t l = 0; l < m.lefts; l++)
			assert_int_equal(taken_left[l] + left_room[l], rooms[l]);
		for (uint32_t r = 0; r < m.rights; r++)
			assert_int_equal(taken_right[r] + right_room[r], right_rooms[r]);
	}
}

/* ---- loads */

TEST(loads_of_a_host_s_links_are_known)
{
	struct world world;
	struct loads loads;
	struct error error = {0};
	world_tree(&world, 3, 2); /* 9 hosts: one idles in a bisection */
	struct comm *comm = comm_create(&error);
	assert_int_equal(loads_count_shared(&loads, comm, world.fabric, world.forwarding, &error), 0);
	assert_int_equal(loads.unreachable, 0);
	const struct load *up = &loads.load[world.fabric->first_channel[world.fabric->host_node[4]]];
	assert_int_equal(up->routes, 8);
	assert_int_equal(up->sources, 1);
	assert_int_equal(up->destinations, 8);
	/* the host sends in 4 of 9 bisections, is in 8 of 9, and is no fixed point in 8 of 9 permutations */
	assert_within(load_mean(up, 9, TRAFFIC_BISECT), 4.0 / 9, 1e-15);
	assert_within(load_variance(up, 9, TRAFFIC_BISECT), 4.0 / 9 * 5 / 9, 1e-15);
	assert_within(load_mean(up, 9, TRAFFIC_BISECT_FB_SYM), 8.0 / 9, 1e-15);
	assert_within(load_variance(up, 9, TRAFFIC_BISECT_FB_SYM), 8.0 / 81, 1e-15);
	assert_within(load_mean(up, 9, TRAFFIC_RAND), 8.0 / 9, 1e-15);
	assert_within(load_variance(up, 9, TRAFFIC_RAND), 8.0 / 81, 1e-15);
	loads_clear(&loads);
	comm_free(comm);
	world_clear(&world);
}

TEST(the_routes_over_all_channels_are_the_hops_of_all_pairs)
{
	struct world world;
	struct loads loads;
	struct error error = {0};
	uint64_t sum = 0;
	world_tree(&world, 2, 4);
	struct comm *comm = comm_create(&error);
	assert_int_equal(loads_count_shared(&loads, comm, world.fabric, world.forwarding, &error), 0);
	for (uint32_t c = 0; c < loads.channels; c++)
		sum += loads.load[c].routes;
	/* 16 hosts; with 1, 2, 4 and 8 others at 2, 4, 6 and 8 channels */
	assert_int_equal(sum, 16 * (1 * 2 + 2 * 4 + 4 * 6 + 8 * 8));
	loads_clear(&loads);
	comm_free(comm);
	world_clear(&world);
}

/* ---- the worst permutation */

TEST(the_worst_permutation_of_a_tree_is_that_of_its_formula)
{
	static const struct {
		unsigned k, n, congestion; /* max over i of min(k^i, k^(n-i) - 1) */
	} trees[] = {{2, 2, 1}, {4, 2, 3}, {2, 4, 3}, {3, 3, 3}, {2, 5, 4}, {4, 3, 4}, {2, 6, 7}};
	for (size_t i = 0; i < ARRAY_LENGTH(trees); i++) {
		struct world world;
		struct loads loads;
		struct worst worst;
		struct error error = {0};
		world_tree(&world, trees[i].k, trees[i].n);
		struct comm *comm = comm_create(&error);
		assert_int_equal(loads_count_shared(&loads, comm, world.fabric, world.forwarding, &error), 0);
		assert_int_equal(worst_find(&worst, comm, world.fabric, world.forwarding, &loads, false, &error), 0);
		assert_int_equal(worst.congestion, trees[i].congestion);
		bool *taken = calloc(world.fabric->hosts, sizeof *taken);
		for (uint32_t h = 0; h < world.fabric->hosts; h++) {
			assert_false(taken[worst.partner[h]]);
			assert_int_not_equal(worst.partner[h], h);
			taken[worst.partner[h]] = true;
		}
		free(taken);
		worst_clear(&worst);
		loads_clear(&loads);
		comm_free(comm);
		world_clear(&world);
	}
}

/* ---- flows */

/* Bounds for one demand of 1 from each source to each target. */
static struct flow_bounds bounds_of(struct network *network, uint32_t sources, const uint32_t (*pair)[2], double epsilon, int *result)
{
	uint32_t source[4], target[4];
	size_t first[5] = {0, 1, 2, 3, 4};
	double amount[4] = {1, 1, 1, 1};
	for (uint32_t i = 0; i < sources; i++) {
		source[i] = pair[i][0];
		target[i] = pair[i][1];
	}
	struct demands demands = {sources, source, first, target, amount};
	struct flow_limits limits = {.epsilon = epsilon, .ceiling = INFINITY, .phases = 100000};
	struct flow_bounds bounds = {0};
	struct error error = {0};
	*result = flow_bounds_find(&bounds, network, &demands, &limits, &error);
	return bounds;
}

TEST(a_flow_takes_the_longer_way_too)
{
	/* 0 -> 1 directly with 1, over 2 with 0.5: together 1.5 */
	uint32_t first[] = {0, 2, 2, 3}, head[] = {1, 2, 1};
	double capacity[] = {1, 0.5, 2};
	bool closed[] = {false, false, false};
	struct network network = {3, 3, first, head, capacity, closed};
	int result;
	struct flow_bounds bounds = bounds_of(&network, 1, (const uint32_t[][2]){{0, 1}}, 0.01, &result);
	assert_int_equal(result, 0);
	assert_true(bounds.lower <= 1.5 + 1e-9 && bounds.upper >= 1.5 - 1e-9 && bounds.upper <= bounds.lower * 1.01);
	closed[2] = true; /* but not through a host */
	bounds = bounds_of(&network, 1, (const uint32_t[][2]){{0, 1}}, 0.01, &result);
	assert_within(bounds.lower, 1, 1e-9);
	assert_true(bounds.upper >= 1 - 1e-9 && bounds.upper <= 1.01);
	assert_int_equal(bounds_of(&network, 1, (const uint32_t[][2]){{1, 0}}, 0.01, &result).phases, 0);
	assert_int_equal(result, -1); /* no path */
}

TEST(two_flows_share_a_channel)
{
	/* 0 -> 2 -> 3 and 1 -> 2 -> 3: the last channel carries 1 */
	uint32_t first[] = {0, 1, 2, 3, 3}, head[] = {2, 2, 3};
	double capacity[] = {1, 5, 1};
	bool closed[4] = {false};
	struct network network = {4, 3, first, head, capacity, closed};
	int result;
	struct flow_bounds bounds = bounds_of(&network, 2, (const uint32_t[][2]){{0, 3}, {1, 3}}, 0.02, &result);
	assert_true(bounds.lower <= 0.5 + 1e-9 && bounds.upper >= 0.5 - 1e-9 && bounds.upper <= bounds.lower * 1.02);
}

/* ---- the ideal tree */

static struct ideal ideal_of(uint32_t hosts, uint32_t levels, uint32_t leaf)
{
	struct ideal_tree tree;
	struct ideal ideal;
	struct error error = {0};
	assert_int_equal(ideal_tree_regular(&tree, hosts, levels, leaf, &error), 0);
	assert_int_equal(ideal_find(&ideal, &tree, &error), 0);
	ideal_tree_clear(&tree);
	return ideal;
}

TEST(ideal_trees_have_the_known_bandwidths)
{
	static const struct {
		uint32_t hosts, levels, leaf;
		double bisect, both, tolerance;
	} known[] = {
		{16, 2, 4, 651.0 / 715, 591.0 / 715, 1e-12},
		{64, 2, 8, .85940468, .74150046, 5e-9},
		{324, 2, 18, .82250780, .68438662, 5e-9},
		{1024, 2, 32, .80768884, .66230595, 5e-9},
		{512, 3, 8, .7250, .5577, 8e-4}, /* these by simulation */
		{5832, 3, 18, .6846, .5110, 8e-4},
		{13824, 3, 24, .6766, .5019, 8e-4},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct ideal ideal = ideal_of(known[i].hosts, known[i].levels, known[i].leaf);
		assert_true(ideal.exact);
		assert_within(ideal.bisect, known[i].bisect, known[i].tolerance);
		assert_within(ideal.bisect_fb_sym, known[i].both, known[i].tolerance);
	}
}

TEST(sampled_ideals_agree_with_exact_ones)
{
	/* one host short of a full tree: hardly another bandwidth, and an odd number */
	struct ideal full = ideal_of(512, 3, 8), sampled = ideal_of(511, 3, 8);
	assert_false(sampled.exact);
	assert_within(sampled.bisect, full.bisect, 4 * sampled.bisect_error + 1e-3);
	assert_within(sampled.bisect_fb_sym, full.bisect_fb_sym, 4 * sampled.bisect_fb_sym_error + 1e-3);
}

TEST(one_switch_is_ideal_and_levels_without_need_are_none)
{
	struct ideal ideal = ideal_of(100, 1, 7);
	assert_true(ideal.exact);
	assert_within(ideal.bisect, 1, 0);
	assert_int_equal(ideal_of(16, 5, 4).levels, 2);
}

TEST(the_tree_of_a_fabric_is_known)
{
	static const struct {
		const char *spec;
		bool known, exact;
		uint32_t levels, most[3];
		uint64_t channels[3];
	} trees[] = {
		{"xgft:4:1/8:4/4:8", true, true, 3, {4, 32, 128}, {4, 32}},
		{"xgft:4:1/8:2/4:3", true, true, 3, {4, 32, 128}, {4, 32}}, /* thin: filled up */
		{"xgft:4:1/4:6", true, false, 2, {4, 16}, {6}},             /* more channels than hosts */
		{"xgft:2:1/4:3/2:3", true, false, 3, {2, 8, 16}, {3, 9}},
		{"pgft:4:1:1/3:2:3", true, false, 2, {4, 12}, {6}},
		{"xgft:6:1/1:3", true, true, 1, {6}, {0}}, /* one leaf */
		{"torus:4x4", false, false, 0, {0}, {0}},
		{"star:5", false, false, 0, {0}, {0}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(trees); i++) {
		struct world world;
		struct ideal_tree tree;
		struct ideal ideal = {0};
		struct error error = {0};
		bool known;
		world_topology(&world, trees[i].spec, false);
		assert_int_equal(ideal_tree_of(&tree, world.fabric, &known, &error), 0);
		assert_int_equal(known, trees[i].known);
		if (known)
			assert_int_equal(ideal_find(&ideal, &tree, &error), 0);
		assert_int_equal(ideal.exact, trees[i].exact);
		assert_int_equal(ideal.levels, trees[i].levels);
		for (uint32_t level = 1; level <= ideal.levels; level++)
			assert_int_equal(ideal.most[level], trees[i].most[level - 1]);
		for (uint32_t level = 1; level < ideal.levels; level++)
			assert_int_equal(ideal.channels[level], trees[i].channels[level - 1]);
		ideal_tree_clear(&tree);
		world_clear(&world);
	}
}

/* ---- throughput */

TEST(a_tree_gives_all_to_all_all_it_can)
{
	struct world world;
	struct loads loads;
	struct error error = {0};
	world_tree(&world, 4, 2);
	struct comm *comm = comm_create(&error);
	assert_int_equal(loads_count_shared(&loads, comm, world.fabric, world.forwarding, &error), 0);
	const struct pair pairs[] = {{0, 4}, {1, 8}, {2, 12}}; /* from one leaf to the hosts that spine 0 serves */
	const struct demand traffic[] = {{NULL, 0}, {pairs, 3}, {pairs, 0}};
	const struct flow_limits limits = {.epsilon = 0.01, .phases = 1000};
	struct throughput found[3];
	assert_int_equal(throughputs_find(found, traffic, 3, comm, world.fabric, world.forwarding, &loads, &limits, &error), 0);
	assert_within(found[0].routed, 1, 1e-12);
	assert_within(found[0].lower, 1, 1e-12);
	assert_within(found[0].upper, 1, 1e-12);
	assert_within(found[1].routed, 1.0 / 3, 1e-12);
	assert_within(found[1].lower, 1, 1e-9);
	assert_within(found[1].upper, 1, 1e-9);
	assert_false(found[2].any);
	loads_clear(&loads);
	comm_free(comm);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_matching_is_the_largest_and_fits_its_rooms),
		cmocka_unit_test(loads_of_a_host_s_links_are_known),
		cmocka_unit_test(the_routes_over_all_channels_are_the_hops_of_all_pairs),
		cmocka_unit_test(the_worst_permutation_of_a_tree_is_that_of_its_formula),
		cmocka_unit_test(a_flow_takes_the_longer_way_too),
		cmocka_unit_test(two_flows_share_a_channel),
		cmocka_unit_test(ideal_trees_have_the_known_bandwidths),
		cmocka_unit_test(sampled_ideals_agree_with_exact_ones),
		cmocka_unit_test(one_switch_is_ideal_and_levels_without_need_are_none),
		cmocka_unit_test(the_tree_of_a_fabric_is_known),
		cmocka_unit_test(a_tree_gives_all_to_all_all_it_can),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
