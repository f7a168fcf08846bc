/* Control variates: the regression, and what is known of the sums. */
#include "helpers.h"

#include "base/random.h"
#include "base/statistics.h"
#include "orcs/control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number in 0..1. */
static double uniform(struct random *random)
{
	return random_bits(random) / 4294967296.0;
}

/* Values that follow from the sums leave no doubt: the mean is what the expected sums give. */
TEST(what_follows_from_the_sums_is_exact)
{
	enum { RUNS = 50 };
	double values[RUNS], sums[RUNS][CONTROLS];
	static const double expected[CONTROLS] = {0.5, 5, 50};
	struct random random;
	random_start(&random, 1, 0, 0);
	for (int i = 0; i < RUNS; i++) {
		for (int k = 0; k < CONTROLS; k++)
			sums[i][k] = uniform(&random) * pow(10, k);
		values[i] = 3 + 2 * sums[i][0] - sums[i][1] + 0.5 * sums[i][2];
	}
	struct controlled c = control_mean(values, (const double(*)[CONTROLS])sums, RUNS, expected);
	assert_within(c.mean, 3 + 1 - 5 + 25, 1e-9);
	assert_within(c.half, 0, 1e-6);
	assert_within(c.left, 0, 1e-9);
}

/* Sums that are constant, or follow from others, are left out: without any the interval is the usual one. */
TEST(useless_sums_are_left_out)
{
	enum { RUNS = 40 };
	double values[RUNS], sums[RUNS][CONTROLS], alone[RUNS][CONTROLS];
	static const double expected[CONTROLS] = {7, 14, 3};
	struct random random;
	random_start(&random, 2, 0, 0);
	for (int i = 0; i < RUNS; i++) {
		values[i] = uniform(&random);
		sums[i][0] = 7;
		sums[i][1] = 14;
		sums[i][2] = 3;
	}
	struct controlled c = control_mean(values, (const double(*)[CONTROLS])sums, RUNS, expected);
	struct statistics s = statistics_of(values, values, RUNS);
	assert_within(c.mean, s.mean, 1e-12);
	assert_within(c.half, (s.high - s.low) / 2, 1e-12);
	assert_within(c.left, 1, 1e-12);
	for (int i = 0; i < RUNS; i++) {
		sums[i][0] = alone[i][0] = uniform(&random);
		sums[i][1] = 2 * sums[i][0];
		sums[i][2] = sums[i][0] - 5;
		alone[i][1] = alone[i][2] = 0;
	}
	struct controlled three = control_mean(values, (const double(*)[CONTROLS])sums, RUNS, (const double[]){0.5, 1, -4.5});
	struct controlled one = control_mean(values, (const double(*)[CONTROLS])alone, RUNS, (const double[]){0.5, 0, 0});
	assert_within(three.mean, one.mean, 1e-12);
	assert_within(three.half, one.half, 1e-12);
	assert_true(one.left < 1);
}

/* By hand: one sum x = 0 1 2 3, values 1 3 2 4, expected 2. Slope 0.8, mean 2.5 + 0.8 * 0.5; of the variance 5 is left 1.8; the half width
 * is Student's t with two degrees of freedom times the root of 0.9 * (1/4 + 0.25/5). */
TEST(a_regression_by_hand)
{
	static const double values[] = {1, 3, 2, 4}, sums[][CONTROLS] = {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
	struct controlled c = control_mean(values, sums, 4, (const double[]){2, 1, 1});
	assert_within(c.mean, 2.9, 1e-12);
	assert_within(c.left, 0.36, 1e-12);
	assert_within(c.half, 4.30265273 * sqrt(0.9 * 0.3), 1e-7);
}

TEST(too_few_values_tell_nothing)
{
	static const double values[] = {1, 2, 3}, sums[][CONTROLS] = {{1, 5, 9}, {2, 3, 1}, {4, 4, 2}};
	for (size_t count = 1; count <= 3; count++)
		assert_true(isinf(control_mean(values, sums, count, (const double[]){1, 1, 1}).half));
}

/* A few runs that seem to leave nothing to chance are not believed. */
TEST(few_runs_are_not_believed)
{
	static double values[CONTROL_LEAST], sums[CONTROL_LEAST][CONTROLS];
	static const double expected[CONTROLS] = {0.5, 0, 0};
	struct random random;
	random_start(&random, 3, 0, 0);
	for (int i = 0; i < CONTROL_LEAST; i++)
		values[i] = 2 * (sums[i][0] = uniform(&random));
	struct controlled few = control_estimate(values, (const double(*)[CONTROLS])sums, CONTROL_LEAST - 1, expected);
	struct controlled many = control_estimate(values, (const double(*)[CONTROLS])sums, CONTROL_LEAST, expected);
	assert_true(few.left == 1 && few.half > 0.03);
	assert_within(many.mean, 1, 1e-12);
	assert_within(many.left, 0, 1e-12);
}

/* The sums of many runs have the mean that is expected, on a tree, a torus, and a star with an odd host. */
TEST(sums_are_as_expected)
{
	static const char *const specs[] = {"fattree:k=3,n=2", "torus:4x3", "xgft:7:1"}, *const patterns[] = {
												 "bisect", "bisect_fb_sym", "rand"};
	enum { RUNS = 4000 };
	struct error error = {0};
	struct comm *comm = comm_create(&error);
	for (size_t i = 0; i < ARRAY_LENGTH(specs) * ARRAY_LENGTH(patterns); i++) {
		struct world world;
		struct placement placement;
		struct control control;
		double sum[CONTROLS] = {0}, square[CONTROLS] = {0};
		uint32_t host[100];
		world_topology(&world, specs[i / ARRAY_LENGTH(patterns)], false);
		assert_int_equal(placement_init(&placement, world.fabric, "file_order", "random", 0, 1, &error), 0);
		struct pattern_call *call = make_pattern(patterns[i % ARRAY_LENGTH(patterns)], world.fabric->hosts);
		assert_null(control_unknown(world.fabric, &placement, call));
		assert_int_equal(control_make(&control, comm, world.fabric, world.forwarding, call, &error), 0);
		struct congestion *engine = congestion_create(
			&(struct congestion_setup){
				.fabric = world.fabric, .forwarding = world.forwarding, .routes = control.routes, .stop = &never_stop},
			&error);
		for (uint64_t run = 0; run < RUNS; run++) {
			struct level level;
			placement_run(&placement, 1, run, host);
			draw_run(call, run);
			assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &error), RUN_OK);
			for (int k = 0; k < CONTROLS; k++) {
				sum[k] += level.sums[k];
				square[k] += level.sums[k] * level.sums[k];
			}
		}
		for (int k = 0; k < CONTROLS; k++) {
			double mean = sum[k] / RUNS, sd = sqrt(fmax(0, square[k] / RUNS - mean * mean));
			assert_within(mean, control.expected[k], 4 * sd / sqrt(RUNS) + 1e-6 * mean);
		}
		congestion_free(engine);
		control_clear(&control);
		pattern_free(call);
		placement_clear(&placement);
		world_clear(&world);
	}
	comm_free(comm);
}

TEST(what_is_not_known_is_said)
{
	struct world world;
	struct placement placement;
	struct error error = {0};
	world_topology(&world, "fattree:k=3,n=2", false);
	struct pattern_call *bisect = make_pattern("bisect", 9), *ring = make_pattern("ring", 9), *part = make_pattern("bisect", 8);
	assert_int_equal(placement_init(&placement, world.fabric, "file_order", "random", 0, 1, &error), 0);
	assert_null(control_unknown(world.fabric, &placement, bisect));
	assert_non_null(control_unknown(world.fabric, &placement, ring));
	placement_clear(&placement);
	assert_int_equal(placement_init(&placement, world.fabric, "file_order", "linear", 0, 1, &error), 0);
	assert_non_null(control_unknown(world.fabric, &placement, bisect));
	placement_clear(&placement);
	assert_int_equal(placement_init(&placement, world.fabric, "file_order", "random", 8, 1, &error), 0);
	assert_non_null(control_unknown(world.fabric, &placement, part));
	placement_clear(&placement);
	pattern_free(bisect);
	pattern_free(ring);
	pattern_free(part);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_follows_from_the_sums_is_exact),
		cmocka_unit_test(useless_sums_are_left_out),
		cmocka_unit_test(a_regression_by_hand),
		cmocka_unit_test(too_few_values_tell_nothing),
		cmocka_unit_test(few_runs_are_not_believed),
		cmocka_unit_test(sums_are_as_expected),
		cmocka_unit_test(what_is_not_known_is_said),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
