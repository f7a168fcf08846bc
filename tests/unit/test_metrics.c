/* What every metric makes of congestion, with weights made up by hand. */
#include "helpers.h"

#include "metrics/metric.h"
#include "metrics/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct metric_call make_metric(const char *list, uint32_t ranks, bool serialise_sends)
{
	struct metric_call calls[METRICS_MAX];
	struct error error = {0};
	assert_int_equal(metrics_parse(list, calls, &error), 1);
	assert_int_equal(metric_setup(&calls[0], ranks, 0, serialise_sends, &error), 0);
	assert_fine(&error);
	return calls[0];
}

/* Shows the metric a level with so many connections of each weight; the list ends with count 0. */
static void show_level(struct metric_call *call, const struct bin *weights)
{
	struct histogram histogram;
	struct error error = {0};
	struct level level = {.weights = &histogram};
	assert_int_equal(histogram_init(&histogram, &error), 0);
	for (; weights->count; weights++) {
		histogram_add(&histogram, weights->value, weights->count, &error);
		level.connections += weights->count;
		level.largest = fmax(level.largest, weights->value);
	}
	if (call->metric->level)
		assert_int_equal(call->metric->level(call, &level, &error), 0);
	assert_fine(&error);
	histogram_clear(&histogram);
}

static double end_run(struct metric_call *call)
{
	double values[1024] = {0};
	struct error error = {0};
	assert_true(call->numbers <= ARRAY_LENGTH(values));
	assert_int_equal(metric_end_run(call, NULL, values, &error), 0);
	return values[0];
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* The metric's result for these values of the runs. */
static struct result finish(const struct metric_call *call, const double *values, size_t count, bool bisection)
{
	struct result result = {0};
	struct error error = {0};
	double *sorted = calloc(count + 1, sizeof *sorted);
	if (count)
		memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_doubles);
	struct samples samples = {.values = values, .sorted = sorted, .count = count, .bisection = bisection};
	assert_int_equal(call->metric->finish(call, &samples, &result, &error), 0);
	free(sorted);
	return result;
}

static double number(const struct result *result, const char *key)
{
	const struct item *item = result_find(result, key);
	assert_non_null(item);
	assert_int_equal(item->type, ITEM_NUMBER);
	return item->number[0];
}

static void assert_bins(const struct result *result, const char *key, const struct bin *expected, size_t count)
{
	const struct item *item = result_find(result, key);
	assert_non_null(item);
	assert_int_equal(item->bin_count, count);
	uint64_t sum = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(item->bins[i].value == expected[i].value);
		assert_int_equal(item->bins[i].count, expected[i].count);
		sum += expected[i].count;
	}
	assert_int_equal(item->count, sum);
}

/* ---- hist_max_cong: ORCS paper, Listing 3 */

TEST(all_connections_are_pooled)
{
	struct metric_call call = make_metric("hist_max_cong", 16, false);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{1, 10}, {2, 4}, {0, 0}});
	show_level(&call, (struct bin[]){{2, 20}, {3, 6}, {0, 0}});
	assert_true(isnan(end_run(&call)));
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{1, 4}, {2, 20}, {0, 0}});
	end_run(&call);
	metric_begin_run(&call); /* a run that does not end leaves nothing */
	show_level(&call, (struct bin[]){{9, 100}, {0, 0}});
	metric_begin_run(&call);
	struct result result = finish(&call, NULL, 0, false);
	static const struct bin expected[] = {{1, 14}, {2, 44}, {3, 6}};
	assert_bins(&result, "weights", expected, 3);
	assert_int_equal(result_find(&result, "connections")->count, 64);
	assert_within(number(&result, "bandwidth"), 0.59375, 1e-15);
	result_clear(&result);
	metric_clear(&call);
}

/* ---- hist_acc_band */

TEST(the_bandwidth_of_a_run_is_that_of_all_its_connections)
{
	struct metric_call call = make_metric("hist_acc_band", 16, false);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{1, 2}, {0, 0}});
	show_level(&call, (struct bin[]){{2, 1}, {4, 1}, {0, 0}});
	assert_within(end_run(&call), 2.75 / 4, 1e-15);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{2, 5}, {0, 0}});
	assert_within(end_run(&call), 0.5, 1e-15);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{0, 0}});
	assert_true(isnan(end_run(&call))); /* nothing was sent */
	metric_clear(&call);
}

/* Rates are a mean over the connections of a run; without speeds there are none. */
TEST(rates_are_a_mean_of_connections)
{
	struct metric_call call = make_metric("hist_acc_band", 16, false);
	struct histogram weights = {0}, rates = {0};
	struct error error = {0};
	double values[2];
	histogram_init(&weights, &error);
	histogram_init(&rates, &error);
	histogram_add(&weights, 1, 4, &error);
	histogram_add(&rates, 100, 3, &error);
	histogram_add(&rates, 12.5, 1, &error);
	struct level level = {.weights = &weights, .rates = &rates, .connections = 4, .largest = 1};
	level.rates = NULL;
	metric_begin_run(&call);
	assert_int_equal(call.metric->level(&call, &level, &error), 0);
	assert_int_equal(metric_end_run(&call, NULL, values, &error), 0);
	assert_true(isnan(values[1]));
	level.rates = &rates;
	metric_begin_run(&call);
	assert_int_equal(call.metric->level(&call, &level, &error), 0);
	assert_int_equal(call.metric->level(&call, &level, &error), 0);
	assert_int_equal(metric_end_run(&call, NULL, values, &error), 0);
	assert_within(values[0], 1, 1e-15);
	assert_within(values[1], 312.5 / 4, 1e-12);
	assert_fine(&error);
	histogram_clear(&weights);
	histogram_clear(&rates);
	metric_clear(&call);
}

/* The bin that a bandwidth falls into. */
static size_t bin_of(double bandwidth)
{
	struct metric_call call = make_metric("hist_acc_band", 16, false);
	struct result result = finish(&call, &bandwidth, 1, false);
	const struct item *bins = result_find(&result, "bins");
	assert_int_equal(bins->bin_count, 20);
	size_t found = 20;
	for (size_t i = 0; i < 20; i++) {
		assert_within(bins->bins[i].value, (double)i / 20, 1e-15);
		if (bins->bins[i].count)
			found = i;
	}
	result_clear(&result);
	metric_clear(&call);
	return found;
}

/* A lower edge belongs to its bin, however it was computed, and the last bin is closed at 1. */
TEST(bins_begin_at_their_lower_edge)
{
	for (unsigned i = 0; i < 20; i++) {
		double edge = i / 20.0, product = i * 0.05, sum = 0;
		for (unsigned k = 0; k < i; k++)
			sum += 0.05;
		assert_int_equal(bin_of(edge), i);
		assert_int_equal(bin_of(product), i);
		assert_int_equal(bin_of(sum), i);
		assert_int_equal(bin_of(edge + 1e-6), i);
		if (i)
			assert_int_equal(bin_of(edge - 1e-6), i - 1);
	}
	assert_int_equal(bin_of(0.15), 3);
	assert_int_equal(bin_of(0.6), 12);
	assert_int_equal(bin_of(3 / 5.0), 12);
	assert_int_equal(bin_of(0.95), 19);
	assert_int_equal(bin_of(1.0), 19);
	assert_int_equal(bin_of(0.9999999), 19);
}

TEST(the_mean_of_bisect_has_a_name)
{
	static const double values[] = {0.5, 1.0, 0.75, 0.25};
	struct metric_call call = make_metric("hist_acc_band", 16, false);
	struct result result = finish(&call, values, 4, true);
	assert_string_equal(result_find(&result, "mean")->label, "effective bisection bandwidth (mean)");
	assert_within(number(&result, "mean"), 0.625, 1e-15);
	assert_within(number(&result, "sd"), sqrt(0.078125), 1e-15);
	assert_within(number(&result, "min"), 0.25, 0);
	assert_within(number(&result, "q1"), 0.4375, 1e-15);
	assert_within(number(&result, "median"), 0.625, 1e-15);
	assert_within(number(&result, "q3"), 0.8125, 1e-15);
	assert_within(number(&result, "max"), 1, 0);
	assert_int_equal(result_find(&result, "runs")->count, 4);
	const struct item *interval = result_find(&result, "ci95");
	assert_within(interval->number[1] - interval->number[0], 2 * 3.18244631 * sqrt(0.078125 / 3), 1e-8);
	result_clear(&result);
	result = finish(&call, values, 4, false);
	assert_string_equal(result_find(&result, "mean")->label, "mean");
	result_clear(&result);
	metric_clear(&call);
}

/* ---- sum_max_cong */

TEST(the_largest_weights_of_the_levels_are_summed)
{
	struct metric_call call = make_metric("sum_max_cong", 16, false);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{1, 10}, {3, 1}, {0, 0}});
	show_level(&call, (struct bin[]){{0, 0}});
	show_level(&call, (struct bin[]){{2.5, 7}, {0, 0}});
	assert_within(end_run(&call), 5.5, 1e-15);
	metric_begin_run(&call);
	show_level(&call, (struct bin[]){{4, 1}, {0, 0}});
	assert_within(end_run(&call), 4, 0);
	metric_begin_run(&call);
	assert_true(isnan(end_run(&call)));
	metric_clear(&call);
}

TEST(sums_become_a_histogram_and_statistics)
{
	static const double values[] = {8, 9, 8, 8};
	struct metric_call call = make_metric("sum_max_cong", 16, false);
	struct result result = finish(&call, values, 4, false);
	static const struct bin expected[] = {{8, 3}, {9, 1}};
	assert_bins(&result, "histogram", expected, 2);
	assert_within(number(&result, "min"), 8, 0);
	assert_within(number(&result, "max"), 9, 0);
	assert_within(number(&result, "mean"), 8.25, 1e-15);
	assert_within(number(&result, "variance"), 0.1875, 1e-15); /* of the population */
	result_clear(&result);
	metric_clear(&call);
}

/* ---- dep_max_delay: ORCS paper, section 2.5 and Figure 4 */

/* A message; level ascends, part is 1 for the second of two patterns. */
struct message {
	int level, part;
	uint32_t sender, receiver;
	double weight;
};

/* The delay of one run of these messages, each handed over alone. */
static double delay_of(struct metric_call *call, const struct message *messages, size_t count)
{
	struct error error = {0};
	metric_begin_run(call);
	for (size_t i = 0; i < count; i++) {
		struct weighed weighed = {{messages[i].sender, messages[i].receiver}, messages[i].weight};
		call->metric->pairs(call, &weighed, 1, messages[i].part);
		if (i + 1 == count || messages[i + 1].level != messages[i].level)
			assert_int_equal(call->metric->level(call, &(struct level){0}, &error), 0);
	}
	return end_run(call);
}

#define ASSERT_DELAY(call, messages, expected) assert_within(delay_of(call, messages, ARRAY_LENGTH(messages)), expected, 1e-12)

TEST(messages_of_one_level_do_not_wait_for_each_other)
{
	static const struct message messages[] = {{0, 0, 0, 1, 2}, {0, 0, 1, 2, 3}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 3);
	metric_clear(&call);
}

TEST(messages_wait_for_what_their_sender_received_before)
{
	static const struct message messages[] = {{0, 0, 0, 1, 2}, {0, 0, 1, 2, 3}, {1, 0, 1, 2, 1}, {2, 0, 2, 0, 4}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 7); /* 1 -> 2 takes 3 at once, or 2 + 1; then 2 -> 0 */
	metric_clear(&call);
}

TEST(the_slowest_of_several_counts)
{
	static const struct message messages[] = {{0, 0, 1, 0, 2}, {0, 0, 2, 0, 5}, {0, 0, 3, 0, 4}, {1, 0, 0, 1, 1}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 6);
	metric_clear(&call);
}

TEST(senders_do_not_wait_for_their_own_sends)
{
	static const struct message messages[] = {{0, 0, 0, 1, 5}, {1, 0, 0, 2, 4}, {2, 0, 0, 3, 3}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 5);
	metric_clear(&call);
}

TEST(senders_wait_when_sends_are_serialised)
{
	static const struct message chain[] = {{0, 0, 0, 1, 5}, {1, 0, 0, 2, 4}, {2, 0, 0, 3, 3}};
	static const struct message both[] = {{0, 0, 0, 1, 2}, {0, 0, 1, 2, 3}, {1, 0, 1, 2, 1}, {2, 0, 2, 0, 4}};
	static const struct message one_level[] = {{0, 0, 0, 1, 2}, {0, 0, 0, 2, 5}, {1, 0, 0, 3, 1}};
	struct metric_call call = make_metric("dep_max_delay", 4, true);
	ASSERT_DELAY(&call, chain, 12);
	ASSERT_DELAY(&call, both, 8); /* rank 1 is busy until 3, so rank 2 has all at 4 */
	ASSERT_DELAY(&call, one_level, 6);
	metric_clear(&call);
}

TEST(the_second_pattern_only_makes_noise)
{
	static const struct message messages[] = {{0, 0, 0, 1, 2}, {0, 1, 2, 3, 50}, {1, 1, 3, 2, 50}, {1, 0, 1, 0, 2}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 4);
	metric_clear(&call);
}

TEST(fast_links_take_less_than_1)
{
	static const struct message messages[] = {{0, 0, 0, 1, 0.25}, {1, 0, 1, 2, 0.5}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 0.75);
	metric_clear(&call);
}

TEST(noise_alone_takes_no_time)
{
	static const struct message messages[] = {{0, 1, 2, 3, 50}};
	struct metric_call call = make_metric("dep_max_delay", 4, false);
	ASSERT_DELAY(&call, messages, 0);
	metric_clear(&call);
}

TEST(every_run_begins_at_zero)
{
	static const struct message messages[] = {{0, 0, 0, 1, 2}, {1, 0, 1, 2, 2}};
	struct metric_call call = make_metric("dep_max_delay", 4, true);
	for (int run = 0; run < 3; run++)
		ASSERT_DELAY(&call, messages, 4);
	metric_begin_run(&call);
	assert_true(isnan(end_run(&call)));
	metric_clear(&call);
}

/* ---- all of them */

TEST(nothing_sent_gives_no_values)
{
	for (const struct metric *const *metric = metrics; *metric; metric++) {
		struct metric_call call = make_metric((*metric)->name, 4, false);
		metric_begin_run(&call);
		assert_true(isnan(end_run(&call)));
		struct result result = finish(&call, NULL, 0, false);
		for (unsigned i = 0; i < result.items; i++) {
			const struct item *item = &result.item[i];
			assert_int_equal(item->count, 0);
			if (item->type == ITEM_NUMBER || item->type == ITEM_RANGE)
				assert_true(isnan(item->number[0]));
			if (item->type == ITEM_HISTOGRAM)
				assert_int_equal(item->bin_count, 0);
		}
		result_clear(&result);
		metric_clear(&call);
	}
}

/* What takes a time takes none; what is a share of nothing is none. */
TEST(a_level_without_messages_takes_no_time)
{
	static const struct {
		const char *metric;
		bool zero;
	} known[] = {{"hist_acc_band", false}, {"sum_max_cong", true}, {"dep_max_delay", true}};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct metric_call call = make_metric(known[i].metric, 4, false);
		metric_begin_run(&call);
		show_level(&call, (struct bin[]){{0, 0}});
		double value = end_run(&call);
		assert_true(known[i].zero ? value == 0 : isnan(value));
		metric_begin_run(&call); /* and a run without any level after it has no value again */
		assert_true(isnan(end_run(&call)));
		metric_clear(&call);
	}
}

TEST(all_metrics_are_described)
{
	for (const struct metric *const *metric = metrics; *metric; metric++) {
		assert_non_null((*metric)->finish);
		assert_int_not_equal((*metric)->gathers, 0);
		assert_true(strlen((*metric)->name) > 0 && strlen((*metric)->summary) > 0 && strlen((*metric)->source) > 0);
		for (const struct metric *const *other = metrics; other < metric; other++)
			assert_string_not_equal((*metric)->name, (*other)->name);
	}
}

TEST(a_list_of_metrics_is_read)
{
	struct metric_call calls[METRICS_MAX];
	struct error error = {0};
	assert_int_equal(metrics_parse("hist_acc_band,get_cable_cong:out.dot,sum_max_cong", calls, &error), 3);
	assert_string_equal(calls[0].metric->name, "hist_acc_band");
	assert_string_equal(calls[1].metric->name, "get_cable_cong");
	assert_string_equal(calls[1].args.value[0].text, "out.dot");
	assert_string_equal(calls[2].metric->name, "sum_max_cong");
	for (int i = 0; i < 3; i++)
		metric_clear(&calls[i]);
}

TEST(bad_lists_of_metrics_are_refused)
{
	static const struct {
		const char *list, *why;
	} cases[] = {
		{"hist_acc_bund", "did you mean 'hist_acc_band'?"},
		{"frobnicate", "unknown metric 'frobnicate'"},
		{"", "unknown metric ''"},
		{"hist_acc_band,", "unknown metric ''"},
		{"sum_max_cong,hist_acc_band,sum_max_cong", "metric 'sum_max_cong' is given twice"},
		{"get_cable_cong:a,get_cable_cong:b", "given twice"},
		{"hist_acc_band:3", "one parameter too many"},
		{"get_cable_cong:out.dot,hist_max_cong:3", "one parameter too many"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct metric_call calls[METRICS_MAX];
		struct error error = {0};
		assert_int_equal(metrics_parse(cases[i].list, calls, &error), -1);
		assert_error(&error, STATUS_USAGE, cases[i].why);
	}
}

TEST(results_are_found_by_key)
{
	struct result result = {0};
	result_count(&result, "runs", NULL, 5);
	result_number(&result, "mean", "mean", 0.5);
	result_range(&result, "ci95", "interval", 0.4, 0.6);
	assert_int_equal(result_find(&result, "runs")->count, 5);
	assert_within(result_find(&result, "ci95")->number[1], 0.6, 0);
	assert_null(result_find(&result, "nothing"));
	result_clear(&result);
	assert_null(result_find(&result, "runs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_connections_are_pooled),
		cmocka_unit_test(the_bandwidth_of_a_run_is_that_of_all_its_connections),
		cmocka_unit_test(bins_begin_at_their_lower_edge),
		cmocka_unit_test(the_mean_of_bisect_has_a_name),
		cmocka_unit_test(the_largest_weights_of_the_levels_are_summed),
		cmocka_unit_test(sums_become_a_histogram_and_statistics),
		cmocka_unit_test(messages_of_one_level_do_not_wait_for_each_other),
		cmocka_unit_test(messages_wait_for_what_their_sender_received_before),
		cmocka_unit_test(the_slowest_of_several_counts),
		cmocka_unit_test(senders_do_not_wait_for_their_own_sends),
		cmocka_unit_test(senders_wait_when_sends_are_serialised),
		cmocka_unit_test(the_second_pattern_only_makes_noise),
		cmocka_unit_test(fast_links_take_less_than_1),
		cmocka_unit_test(noise_alone_takes_no_time),
		cmocka_unit_test(every_run_begins_at_zero),
		cmocka_unit_test(rates_are_a_mean_of_connections),
		cmocka_unit_test(nothing_sent_gives_no_values),
		cmocka_unit_test(a_level_without_messages_takes_no_time),
		cmocka_unit_test(all_metrics_are_described),
		cmocka_unit_test(a_list_of_metrics_is_read),
		cmocka_unit_test(bad_lists_of_metrics_are_refused),
		cmocka_unit_test(results_are_found_by_key),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
