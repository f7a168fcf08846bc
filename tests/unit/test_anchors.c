/*
 * Exact answers known from elsewhere, to hold the whole chain against: fabric, tables, placement, pattern, engine. Trees are k-ary
 * n-trees with D-mod-K routing (Petrini and Vanneschi, IPPS 1997; Zahavi, J. Parallel Distrib. Comput. 72, 2012). Estimates must lie
 * within four standard errors; the seeds are fixed, so they always do or never.
 */
#include "helpers.h"

#include "fabric/placement.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned power(unsigned base, unsigned exponent)
{
	return exponent ? base * power(base, exponent - 1) : 1;
}

/* A running mean with its standard error. */
struct estimate {
	double sum, squares;
	uint64_t count;
};

static void observe(struct estimate *estimate, double value)
{
	estimate->sum += value;
	estimate->squares += value * value;
	estimate->count++;
}

static double mean_of(const struct estimate *estimate)
{
	return estimate->sum / (double)estimate->count;
}

static double standard_error(const struct estimate *estimate)
{
	double n = (double)estimate->count, variance = estimate->squares / n - mean_of(estimate) * mean_of(estimate);
	return sqrt(fmax(variance, 0) / (n - 1));
}

/* Everything that runs a pattern on all hosts of a tree, under random mappings. */
struct bench {
	struct world world;
	struct placement placement;
	struct congestion *engine;
	struct pattern_call *pattern;
	uint32_t *host;
	uint64_t run;
};

static void make_bench(struct bench *bench, unsigned k, unsigned n, const char *pattern, const char *mapping)
{
	struct error error = {0};
	*bench = (struct bench){0};
	world_tree(&bench->world, k, n);
	assert_int_equal(placement_init(&bench->placement, bench->world.fabric, "file_order", mapping, 0, 1, &error), 0);
	bench->engine = make_engine(&bench->world, false, false, true);
	bench->pattern = make_pattern(pattern, bench->placement.ranks);
	bench->host = calloc(bench->placement.ranks, sizeof *bench->host);
}

static void clear_bench(struct bench *bench)
{
	free(bench->host);
	pattern_free(bench->pattern);
	congestion_free(bench->engine);
	placement_clear(&bench->placement);
	world_clear(&bench->world);
}

/* The next run of a pattern with one level. */
static struct level next_run(struct bench *bench)
{
	struct level level;
	struct error error = {0};
	placement_run(&bench->placement, 1, bench->run, bench->host);
	draw_run(bench->pattern, bench->run++);
	assert_int_equal(congestion_level(bench->engine, bench->pattern, 0, bench->host, &level, NULL, &error), RUN_OK);
	congestion_keep_run(bench->engine);
	return level;
}

/* The mean bandwidth of that many runs. All runs have as many connections, so it is the pooled bandwidth too. */
static struct estimate mean_bandwidth(unsigned k, unsigned n, const char *pattern, uint64_t runs)
{
	struct bench bench;
	struct estimate estimate = {0};
	make_bench(&bench, k, n, pattern, "random");
	for (uint64_t run = 0; run < runs; run++) {
		struct level level = next_run(&bench);
		uint64_t total;
		double bandwidth;
		histogram_bandwidth(level.weights, &total, &bandwidth);
		observe(&estimate, bandwidth / (double)total);
	}
	clear_bench(&bench);
	return estimate;
}

static void assert_bandwidth(unsigned k, unsigned n, const char *pattern, uint64_t runs, double expected, double its_error)
{
	struct estimate estimate = mean_bandwidth(k, n, pattern, runs);
	double error = hypot(standard_error(&estimate), its_error);
	print_message("%u-ary %u-tree, %s: %.5f, expected %.5f, standard error %.5f\n", k, n, pattern, mean_of(&estimate), expected, error);
	assert_true(standard_error(&estimate) > 0 && error < 0.005);
	assert_within(mean_of(&estimate), expected, 4 * error);
}

/* The mean over all mappings, summed exactly over all ways in which the pairs can share the up and the down channels of the leaves. */
TEST(two_levels_have_exact_expectations)
{
	assert_bandwidth(4, 2, "bisect", 20000, 651.0 / 715, 0);
	assert_bandwidth(4, 2, "bisect_fb_sym", 20000, 591.0 / 715, 0);
	assert_bandwidth(8, 2, "bisect", 5000, 0.85940468, 0);
	assert_bandwidth(8, 2, "bisect_fb_sym", 5000, 0.74150046, 0);
	assert_bandwidth(18, 2, "bisect", 500, 0.82250780, 0);
	assert_bandwidth(18, 2, "bisect_fb_sym", 500, 0.68438662, 0);
	assert_bandwidth(32, 2, "bisect", 200, 0.80768884, 0);
	assert_bandwidth(32, 2, "bisect_fb_sym", 200, 0.66230595, 0);
}

/* Three levels by another simulation, whose standard error is 2e-4. */
TEST(three_levels_agree_with_another_simulation)
{
	assert_bandwidth(8, 3, "bisect", 2000, 0.7250, 2e-4);
	assert_bandwidth(8, 3, "bisect_fb_sym", 2000, 0.5577, 2e-4);
}

/* A tree with full bisection routes every cyclic shift without sharing a channel (Zahavi 2012, theorem 1). */
TEST(shifts_share_nothing)
{
	static const struct {
		unsigned k, n;
	} trees[] = {{2, 2}, {2, 4}, {3, 3}, {4, 2}, {4, 3}, {5, 2}, {7, 2}};
	for (size_t t = 0; t < ARRAY_LENGTH(trees); t++) {
		struct bench bench;
		unsigned hosts = power(trees[t].k, trees[t].n);
		make_bench(&bench, trees[t].k, trees[t].n, "null", "linear");
		placement_run(&bench.placement, 1, 0, bench.host);
		for (unsigned shift = 1; shift < hosts; shift++) {
			char spec[20];
			struct level level;
			snprintf(spec, sizeof spec, "shift:%u", shift);
			struct pattern_call *call = make_pattern(spec, hosts);
			assert_int_equal(congestion_level(bench.engine, call, 0, bench.host, &level, NULL, &bench.world.error), RUN_OK);
			assert_int_equal(level.connections, hosts);
			assert_true(level.largest == 1);
			pattern_free(call);
		}
		clear_bench(&bench);
	}
}

/* ---- the worst permutation: max over i of min(k^i, k^(n-i) - 1) */

/* What the hosts below a switch on level i-1 can do to its first up port: k^i senders, and k^(n-i) - 1 receivers elsewhere that leave by
 * it. */
static unsigned worst_at(unsigned k, unsigned n, unsigned i)
{
	unsigned senders = power(k, i), receivers = power(k, n - i) - 1;
	return senders < receivers ? senders : receivers;
}

/* The largest weight when so many of the first hosts send to the multiples of k^i, which are alike to all levels below i. */
static double meet_at(struct bench *bench, unsigned k, unsigned i, unsigned pairs)
{
	char text[2000] = "", spec[320];
	size_t length = 0;
	for (unsigned m = 1; m <= pairs; m++) {
		length += (size_t)snprintf(text + length, sizeof text - length, "0 %u %u\n", m - 1, m * power(k, i));
		assert_in_range(length, 1, sizeof text - 1);
	}
	snprintf(spec, sizeof spec, "file:%s", write_text("meeting", text).text);
	struct level level;
	struct pattern_call *call = make_pattern(spec, bench->placement.ranks);
	assert_int_equal(congestion_level(bench->engine, call, 0, bench->host, &level, NULL, &bench->world.error), RUN_OK);
	pattern_free(call);
	return level.largest;
}

static void assert_worst(unsigned k, unsigned n)
{
	struct bench bench;
	unsigned worst = 1;
	make_bench(&bench, k, n, "rand", "linear");
	placement_run(&bench.placement, 1, 0, bench.host);
	for (unsigned i = 1; i < n; i++) {
		unsigned here = worst_at(k, n, i);
		assert_true(meet_at(&bench, k, i, here) == here);
		worst = here > worst ? here : worst;
	}
	for (int run = 0; run < 300; run++)
		assert_true(next_run(&bench).largest <= worst);
	clear_bench(&bench);
}

TEST(no_permutation_is_worse_than_the_worst)
{
	assert_worst(2, 3);
	assert_worst(4, 2);
	assert_worst(3, 3);
	assert_worst(2, 6);
	assert_worst(4, 3);
}

/* ---- expected loads, by symmetry: R ordered pairs of hosts use a channel, and all are equally likely to be connected */

/* How many ordered pairs of hosts use each channel. */
static void count_pairs(const struct world *world, uint64_t *pairs)
{
	uint32_t hosts = world->fabric->hosts, route[200];
	assert_in_range(world->fabric->nodes, 1, ARRAY_LENGTH(route));
	for (uint32_t s = 0; s < hosts; s++)
		for (uint32_t d = 0; d < hosts; d++) {
			int length = s == d ? 0 : walk_route(world->fabric, world->forwarding, s, d, route);
			for (int hop = 0; hop < length; hop++)
				pairs[route[hop]]++;
		}
}

/* The mean load of every channel is R/share. */
static void assert_loads(unsigned k, unsigned n, const char *pattern, double share)
{
	enum { CHANNELS = 200, RUNS = 4000 };
	static struct estimate load[CHANNELS];
	uint64_t pairs[CHANNELS] = {0}, before[CHANNELS] = {0};
	struct bench bench;
	make_bench(&bench, k, n, pattern, "random");
	assert_in_range(bench.world.fabric->channels, 1, CHANNELS);
	memset(load, 0, sizeof load);
	count_pairs(&bench.world, pairs);
	for (int run = 0; run < RUNS; run++) {
		next_run(&bench);
		const uint64_t *sum = congestion_channel_sum(bench.engine);
		for (uint32_t c = 0; c < bench.world.fabric->channels; c++) {
			observe(&load[c], (double)(sum[c] - before[c]));
			before[c] = sum[c];
		}
	}
	for (uint32_t c = 0; c < bench.world.fabric->channels; c++)
		assert_within(mean_of(&load[c]), (double)pairs[c] / share, 4 * standard_error(&load[c]) + 1e-9);
	clear_bench(&bench);
}

TEST(channels_bear_their_expected_loads)
{
	assert_loads(4, 2, "bisect", 2 * 15);
	assert_loads(4, 2, "bisect_fb_sym", 15);
	assert_loads(4, 2, "rand", 16);
	assert_loads(2, 4, "bisect", 2 * 15);
	assert_loads(2, 4, "bisect_fb_sym", 15);
	assert_loads(2, 4, "rand", 16);
	assert_loads(3, 3, "rand", 27);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_levels_have_exact_expectations),
		cmocka_unit_test(three_levels_agree_with_another_simulation),
		cmocka_unit_test(shifts_share_nothing),
		cmocka_unit_test(no_permutation_is_worse_than_the_worst),
		cmocka_unit_test(channels_bear_their_expected_loads),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
