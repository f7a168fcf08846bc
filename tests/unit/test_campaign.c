/* The loop over runs, in one process. */
#include "helpers.h"

#include "orcs/campaign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A campaign over a tree of 16 hosts, and what it gave. */
struct trial {
	struct world world;
	struct placement placement;
	struct metric_call metrics[METRICS_MAX];
	struct runs runs;
	struct campaign_setup setup;
	struct outcome outcome;
	struct error error;
};

static void make_trial(struct trial *t, const char *metric_list, const char *pattern, uint64_t runs)
{
	*t = (struct trial){0};
	world_tree(&t->world, 4, 2);
	assert_int_equal(placement_init(&t->placement, t->world.fabric, "file_order", "random", 0, 1, &t->error), 0);
	int count = metrics_parse(metric_list, t->metrics, &t->error);
	assert_fine(&t->error);
	for (int m = 0; m < count; m++)
		assert_int_equal(metric_setup(&t->metrics[m], 16, 0, false, &t->error), 0);
	t->runs = (struct runs){.engine = engines[0],
		.setup =
			{
				.fabric = t->world.fabric,
				.forwarding = t->world.forwarding,
				.pattern = make_pattern(pattern, 16),
				.only_level = -1,
				.wants = metrics_want(t->metrics, count),
				.stop = &never_stop,
			},
		.terms = runs_terms(engines[0])};
	assert_int_equal(runs_init(&t->runs, &t->error), 0);
	t->setup = (struct campaign_setup){.work = &t->runs,
		.placement = &t->placement,
		.metrics = t->metrics,
		.metric_count = count,
		.seed = 1,
		.runs = runs,
		.comm = comm_create(&t->error)};
}

static void clear_trial(struct trial *t)
{
	outcome_clear(&t->outcome);
	for (int m = 0; m < METRICS_MAX; m++)
		metric_clear(&t->metrics[m]);
	runs_clear(&t->runs);
	pattern_free(t->runs.setup.pattern);
	placement_clear(&t->placement);
	comm_free(t->setup.comm);
	world_clear(&t->world);
}

static void run_trial(struct trial *t)
{
	int result = campaign_run(&t->setup, &t->outcome, &t->error);
	assert_fine(&t->error);
	assert_int_equal(result, 0);
}

TEST(exactly_so_many_runs_are_made)
{
	static const uint64_t counts[] = {1, 2, 7, 63, 64, 65, 1000};
	for (size_t i = 0; i < ARRAY_LENGTH(counts); i++) {
		struct trial t;
		make_trial(&t, "hist_max_cong,hist_acc_band,sum_max_cong", "bisect", counts[i]);
		run_trial(&t);
		assert_int_equal(t.outcome.runs, counts[i]);
		assert_int_equal(t.outcome.connections, 8 * counts[i]);
		assert_int_equal(t.outcome.value_count[0], 0);
		assert_int_equal(t.outcome.value_count[1], counts[i]);
		assert_int_equal(t.outcome.value_count[2], counts[i]);
		assert_int_equal(t.outcome.unroutable, 0);
		assert_false(t.outcome.partial);
		uint64_t total;
		double bandwidth, mean = 0;
		histogram_bandwidth(&t.metrics[0].pooled, &total, &bandwidth);
		for (size_t r = 0; r < counts[i]; r++)
			mean += t.outcome.values[1][r] / (double)counts[i];
		assert_int_equal(total, 8 * counts[i]);
		assert_within(mean, bandwidth / (double)total, 1e-12);
		clear_trial(&t);
	}
}

/* Run r does not depend on how many there are. */
TEST(values_stand_in_the_order_of_the_runs)
{
	struct trial few, many;
	make_trial(&few, "hist_acc_band", "bisect", 10);
	make_trial(&many, "hist_acc_band", "bisect", 500);
	run_trial(&few);
	run_trial(&many);
	assert_memory_equal(few.outcome.values[0], many.outcome.values[0], 10 * sizeof *few.outcome.values[0]);
	clear_trial(&few);
	clear_trial(&many);
}

TEST(another_seed_gives_other_values)
{
	struct trial one, other;
	make_trial(&one, "hist_acc_band", "bisect", 20);
	make_trial(&other, "hist_acc_band", "bisect", 20);
	other.setup.seed = 2;
	run_trial(&one);
	run_trial(&other);
	assert_memory_not_equal(one.outcome.values[0], other.outcome.values[0], 20 * sizeof *one.outcome.values[0]);
	clear_trial(&one);
	clear_trial(&other);
}

TEST(one_level_alone_may_be_run)
{
	struct trial all, one;
	double sum = 0;
	make_trial(&all, "sum_max_cong", "bruck", 1);
	run_trial(&all);
	for (int64_t level = 0; level < 4; level++) {
		make_trial(&one, "sum_max_cong", "bruck", 1);
		one.runs.setup.only_level = level;
		run_trial(&one);
		assert_int_equal(one.outcome.connections, 16);
		sum += one.outcome.values[0][0];
		clear_trial(&one);
	}
	assert_int_equal(all.outcome.connections, 64);
	assert_true(all.outcome.values[0][0] == sum);
	clear_trial(&all);
}

/* Every route of the runs adds one to each of its channels: in a tree of two levels 2 channels within a leaf, 4 else. */
TEST(channels_are_summed_over_all_runs)
{
	struct trial t;
	uint64_t sum = 0;
	make_trial(&t, "get_cable_cong", "bisect", 50);
	run_trial(&t);
	for (uint32_t c = 0; c < t.world.fabric->channels; c++)
		sum += t.outcome.channel_sum[c];
	assert_in_range(sum, 2 * t.outcome.connections, 4 * t.outcome.connections);
	assert_int_equal(sum % 2, 0);
	uint64_t host_links = 0;
	for (uint32_t h = 0; h < 16; h++)
		host_links += t.outcome.channel_sum[t.world.fabric->first_channel[t.world.fabric->host_node[h]]];
	assert_int_equal(host_links, t.outcome.connections);
	clear_trial(&t);
	make_trial(&t, "sum_max_cong", "bisect", 1);
	run_trial(&t);
	assert_null(t.outcome.channel_sum);
	clear_trial(&t);
}

TEST(nothing_sent_gives_no_values)
{
	struct trial t;
	make_trial(&t, "hist_acc_band,sum_max_cong,dep_max_delay", "null", 5);
	run_trial(&t);
	assert_int_equal(t.outcome.runs, 5);
	for (int m = 0; m < 3; m++)
		assert_int_equal(t.outcome.value_count[m], 0);
	clear_trial(&t);
}

static double half_width(const double *values, size_t count)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - sum / (double)count) * (values[i] - sum / (double)count);
	return 1.96 * sqrt(squares / (double)count / (double)(count - 1)) / (sum / (double)count);
}

/* It stops where the interval is narrow enough, and not a stage before. */
TEST(precision_ends_the_runs)
{
	struct trial t;
	uint64_t before = 0, stop = 0;
	make_trial(&t, "hist_acc_band", "bisect", 1000000);
	t.setup.precision = 0.005;
	run_trial(&t);
	assert_true(t.outcome.precise);
	while (stop < t.outcome.runs) {
		before = stop;
		stop = campaign_next_stop(stop);
	}
	assert_int_equal(stop, t.outcome.runs);
	assert_true(before > 0);
	assert_true(half_width(t.outcome.values[0], t.outcome.runs) <= 0.005);
	assert_true(half_width(t.outcome.values[0], before) > 0.005);
	clear_trial(&t);
}

TEST(precision_that_is_not_reached_ends_with_the_runs)
{
	struct trial t;
	make_trial(&t, "hist_acc_band", "bisect", 170);
	t.setup.precision = 1e-9;
	run_trial(&t);
	assert_false(t.outcome.precise);
	assert_int_equal(t.outcome.runs, 170);
	clear_trial(&t);
}

TEST(stages_grow_by_half)
{
	static const uint64_t stops[] = {100, 150, 225, 338, 507, 761};
	uint64_t runs = 0;
	for (size_t i = 0; i < ARRAY_LENGTH(stops); i++) {
		runs = campaign_next_stop(runs);
		assert_int_equal(runs, stops[i]);
	}
}

/* Takes the entry of the switch for a host away. */
static void lose_entry(struct trial *t, const char *node, const char *host)
{
	uint32_t column = t->world.forwarding->column[node_of(&t->world, node)];
	t->world.forwarding->next[(size_t)host_of(&t->world, host) * t->world.forwarding->columns + column] = NONE;
}

TEST(the_first_pair_without_route_is_named)
{
	struct trial t;
	make_trial(&t, "hist_acc_band", "gather", 10);
	placement_clear(&t.placement);
	assert_int_equal(placement_init(&t.placement, t.world.fabric, "file_order", "linear", 0, 1, &t.error), 0);
	lose_entry(&t, "S0_0", "H0");
	assert_int_equal(campaign_run(&t.setup, &t.outcome, &t.error), -1);
	assert_error(&t.error, STATUS_FABRIC, "no route from", "to 'H0': switch 'S0_0' has no entry for the destination");
	clear_trial(&t);
}

TEST(pairs_without_route_may_be_left_out)
{
	struct trial t;
	make_trial(&t, "hist_max_cong", "alltoall_flood", 10);
	lose_entry(&t, "S0_0", "H0");
	t.runs.setup.drop = true;
	run_trial(&t);
	assert_int_equal(t.outcome.unroutable, 10 * 15);
	assert_int_equal(t.outcome.connections, 10 * (16 * 15 - 15));
	clear_trial(&t);
}

TEST(a_signal_leaves_what_there_is)
{
	struct trial t;
	static const volatile sig_atomic_t stopped = 1;
	make_trial(&t, "hist_acc_band", "bisect", 100);
	t.runs.setup.stop = &stopped;
	run_trial(&t);
	assert_true(t.outcome.partial);
	assert_int_equal(t.outcome.runs, 0);
	clear_trial(&t);
}

/* ORCS paper, Figure 4: with its own tree as first pattern, the delay is the depth as long as nothing is shared. */
TEST(a_tree_on_an_idle_fabric_takes_its_depth)
{
	struct trial t;
	make_trial(&t, "dep_max_delay", "tree", 1);
	placement_clear(&t.placement);
	assert_int_equal(placement_init(&t.placement, t.world.fabric, "file_order", "linear", 0, 1, &t.error), 0);
	run_trial(&t);
	assert_within(t.outcome.values[0][0], 4, 0);
	clear_trial(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exactly_so_many_runs_are_made),
		cmocka_unit_test(values_stand_in_the_order_of_the_runs),
		cmocka_unit_test(another_seed_gives_other_values),
		cmocka_unit_test(one_level_alone_may_be_run),
		cmocka_unit_test(channels_are_summed_over_all_runs),
		cmocka_unit_test(nothing_sent_gives_no_values),
		cmocka_unit_test(precision_ends_the_runs),
		cmocka_unit_test(precision_that_is_not_reached_ends_with_the_runs),
		cmocka_unit_test(stages_grow_by_half),
		cmocka_unit_test(the_first_pair_without_route_is_named),
		cmocka_unit_test(pairs_without_route_may_be_left_out),
		cmocka_unit_test(a_signal_leaves_what_there_is),
		cmocka_unit_test(a_tree_on_an_idle_fabric_takes_its_depth),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
