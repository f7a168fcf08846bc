/* Histograms of weights. */
#include "helpers.h"

#include "base/histogram.h"

#include <math.h>

static struct histogram make_histogram(void)
{
	struct histogram histogram;
	struct error error = {0};
	assert_int_equal(histogram_init(&histogram, &error), 0);
	return histogram;
}

static void add(struct histogram *histogram, double value, uint64_t count)
{
	struct error error = {0};
	assert_int_equal(histogram_add(histogram, value, count, &error), 0);
}

static void add_one(struct histogram *histogram, uint32_t value)
{
	struct error error = {0};
	assert_int_equal(histogram_add_one(histogram, value, &error), 0);
}

/* The histogram holds exactly these bins. */
static void assert_bins(const struct histogram *histogram, const struct bin *expected, size_t count)
{
	struct bin bins[32];
	assert_int_equal(histogram_bins(histogram), count);
	assert_in_range(count, 0, ARRAY_LENGTH(bins));
	histogram_list(histogram, bins);
	for (size_t i = 0; i < count; i++) {
		assert_true(bins[i].value == expected[i].value);
		assert_int_equal(bins[i].count, expected[i].count);
	}
}

TEST(an_empty_histogram_has_no_bins)
{
	struct histogram histogram = make_histogram();
	uint64_t total = 9;
	double bandwidth = 9;
	histogram_bandwidth(&histogram, &total, &bandwidth);
	assert_bins(&histogram, NULL, 0);
	assert_int_equal(total, 0);
	assert_true(bandwidth == 0);
	histogram_clear(&histogram);
}

TEST(bins_ascend_whatever_the_order_of_adding)
{
	struct histogram histogram = make_histogram();
	add(&histogram, 5000.5, 1);
	add_one(&histogram, 3);
	add(&histogram, 0.25, 2);
	add(&histogram, 3.5, 4);
	add_one(&histogram, 70000);
	add_one(&histogram, 3);
	add(&histogram, 3.5, 1);
	add_one(&histogram, 0);
	add(&histogram, 4, 10);
	static const struct bin expected[] = {{0, 1}, {0.25, 2}, {3, 2}, {3.5, 5}, {4, 10}, {5000.5, 1}, {70000, 1}};
	assert_bins(&histogram, expected, ARRAY_LENGTH(expected));
	histogram_clear(&histogram);
}

TEST(the_border_between_array_and_list_is_no_gap)
{
	struct histogram histogram = make_histogram();
	add_one(&histogram, HISTOGRAM_DENSE);
	add_one(&histogram, HISTOGRAM_DENSE - 1);
	add(&histogram, HISTOGRAM_DENSE, 1);
	add(&histogram, HISTOGRAM_DENSE - 1, 1);
	static const struct bin expected[] = {{HISTOGRAM_DENSE - 1, 2}, {HISTOGRAM_DENSE, 2}};
	assert_bins(&histogram, expected, ARRAY_LENGTH(expected));
	histogram_clear(&histogram);
}

TEST(many_large_weights_stay_apart)
{
	struct histogram histogram = make_histogram();
	for (uint32_t i = 0; i < 3000; i++)
		add_one(&histogram, 10000 + i * 7919 % 3000);
	assert_int_equal(histogram_bins(&histogram), 3000);
	for (size_t i = 0; i < 3000; i++) {
		assert_true(histogram.other[i].value == 10000.0 + (double)i);
		assert_int_equal(histogram.other[i].count, 1);
	}
	histogram_clear(&histogram);
}

TEST(merging_does_not_depend_on_the_order)
{
	struct histogram a = make_histogram(), b = make_histogram(), ab = make_histogram(), ba = make_histogram();
	struct error error = {0};
	add(&a, 1, 5);
	add(&a, 2.5, 1);
	add(&a, 100, 2);
	add(&b, 1, 2);
	add(&b, 2.5, 3);
	add(&b, 9000, 1);
	histogram_merge(&ab, &a, &error);
	histogram_merge(&ab, &b, &error);
	histogram_merge(&ba, &b, &error);
	histogram_merge(&ba, &a, &error);
	static const struct bin expected[] = {{1, 7}, {2.5, 4}, {100, 2}, {9000, 1}};
	assert_bins(&ab, expected, ARRAY_LENGTH(expected));
	assert_bins(&ba, expected, ARRAY_LENGTH(expected));
	histogram_clear(&a);
	histogram_clear(&b);
	histogram_clear(&ab);
	histogram_clear(&ba);
}

TEST(reset_empties_all)
{
	struct histogram histogram = make_histogram();
	add(&histogram, 4095, 5);
	add(&histogram, 1.5, 5);
	histogram_reset(&histogram);
	assert_bins(&histogram, NULL, 0);
	add_one(&histogram, 4095);
	static const struct bin expected[] = {{4095, 1}};
	assert_bins(&histogram, expected, 1);
	histogram_clear(&histogram);
}

/* ORCS paper, Listing 3: 14 + 44/2 + 6/3 of 64 connections. A weight below 1 still gives no more than the link's peak. */
TEST(bandwidth_follows_the_linear_model)
{
	struct histogram histogram = make_histogram();
	uint64_t total;
	double bandwidth;
	add(&histogram, 1, 14);
	add(&histogram, 2, 44);
	add(&histogram, 3, 6);
	histogram_bandwidth(&histogram, &total, &bandwidth);
	assert_int_equal(total, 64);
	assert_within(bandwidth / 64, 0.59375, 1e-15);
	histogram_reset(&histogram);
	add(&histogram, 0.25, 2);
	add(&histogram, 2.5, 1);
	histogram_bandwidth(&histogram, &total, &bandwidth);
	assert_int_equal(total, 3);
	assert_within(bandwidth, 2.4, 1e-15);
	histogram_clear(&histogram);
}

TEST(counts_beyond_32_bits_are_exact)
{
	struct histogram histogram = make_histogram();
	add(&histogram, 2, UINT64_C(1) << 40);
	add(&histogram, 2, 1);
	add(&histogram, 2.5, UINT64_C(1) << 40);
	add(&histogram, 2.5, 1);
	static const struct bin expected[] = {{2, (UINT64_C(1) << 40) + 1}, {2.5, (UINT64_C(1) << 40) + 1}};
	assert_bins(&histogram, expected, 2);
	histogram_clear(&histogram);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_histogram_has_no_bins),
		cmocka_unit_test(bins_ascend_whatever_the_order_of_adding),
		cmocka_unit_test(the_border_between_array_and_list_is_no_gap),
		cmocka_unit_test(many_large_weights_stay_apart),
		cmocka_unit_test(merging_does_not_depend_on_the_order),
		cmocka_unit_test(reset_empties_all),
		cmocka_unit_test(bandwidth_follows_the_linear_model),
		cmocka_unit_test(counts_beyond_32_bits_are_exact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
