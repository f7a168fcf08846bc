/* Mean, variance, quartiles and the confidence interval. */
#include "helpers.h"

#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sorts a copy of the values. */
static struct statistics of(const double *values, size_t count)
{
	double *sorted = calloc(count, sizeof *sorted);
	assert_non_null(sorted);
	memcpy(sorted, values, count * sizeof *sorted);
	sort_values(sorted, count);
	struct statistics s = statistics_of(values, sorted, count);
	free(sorted);
	return s;
}

TEST(four_numbers_by_hand)
{
	static const double values[] = {4, 1, 3, 2};
	struct statistics s = of(values, 4);
	assert_int_equal(s.count, 4);
	assert_within(s.mean, 2.5, 1e-15);
	assert_within(s.variance, 1.25, 1e-15);
	assert_within(s.sd, sqrt(1.25), 1e-15);
	assert_within(s.min, 1, 0);
	assert_within(s.q1, 1.75, 1e-15);
	assert_within(s.median, 2.5, 1e-15);
	assert_within(s.q3, 3.25, 1e-15);
	assert_within(s.max, 4, 0);
	/* t(3) = 3.18244631; the standard error is sqrt(5/3)/2 */
	assert_within(s.high - s.mean, 3.18244631 * sqrt(5.0 / 3) / 2, 1e-8);
	assert_within(s.mean - s.low, s.high - s.mean, 1e-12);
}

TEST(five_numbers_have_their_quartiles_among_them)
{
	static const double values[] = {50, 10, 20, 40, 30};
	struct statistics s = of(values, 5);
	assert_within(s.q1, 20, 0);
	assert_within(s.median, 30, 0);
	assert_within(s.q3, 40, 0);
}

TEST(one_number_has_no_interval)
{
	static const double value = 0.7;
	struct statistics s = of(&value, 1);
	assert_true(s.mean == 0.7 && isnan(s.low) && isnan(s.high));
	assert_true(s.min == 0.7 && s.q1 == 0.7 && s.median == 0.7 && s.q3 == 0.7 && s.max == 0.7);
	assert_true(s.variance == 0 && s.sd == 0);
	assert_true(isinf(confidence_half_width(0, 1)));
}

TEST(equal_numbers_have_no_width)
{
	static const double values[] = {0.25, 0.25, 0.25};
	struct statistics s = of(values, 3);
	assert_true(s.low == 0.25 && s.high == 0.25 && s.variance == 0);
}

/* 0.975 quantiles of Student's t, from tables. The variance is that of a sample whose standard error is 1. */
TEST(the_interval_is_students)
{
	static const struct {
		size_t freedom;
		double quantile;
	} table[] = {{1, 12.7062047}, {2, 4.3026527}, {10, 2.2281389}, {16, 2.1199053}, {17, 2.1098156}, {20, 2.0859634}, {30, 2.0422725},
		{60, 2.0002978}, {120, 1.9799304}, {1000, 1.9623391}, {1000000, 1.9599664}};
	for (size_t i = 0; i < ARRAY_LENGTH(table); i++)
		assert_within(confidence_half_width((double)table[i].freedom, table[i].freedom + 1), table[i].quantile, 2e-6);
}

TEST(a_large_offset_does_not_spoil_the_variance)
{
	double values[1000];
	for (int i = 0; i < 1000; i++)
		values[i] = 1e9 + i % 2;
	struct statistics s = of(values, 1000);
	assert_within(s.variance, 0.25, 1e-6);
	assert_within(s.mean, 1e9 + 0.5, 1e-6);
}

TEST(values_are_sorted_and_counted)
{
	double values[] = {3, 1, 2.5, 1, 3, 3, -1};
	struct error error = {0};
	size_t bins;
	sort_values(values, ARRAY_LENGTH(values));
	struct bin *list = count_values(values, ARRAY_LENGTH(values), &bins, &error);
	static const struct bin expected[] = {{-1, 1}, {1, 2}, {2.5, 1}, {3, 3}};
	assert_int_equal(bins, ARRAY_LENGTH(expected));
	for (size_t i = 0; i < bins; i++) {
		assert_true(list[i].value == expected[i].value);
		assert_int_equal(list[i].count, expected[i].count);
	}
	free(list);
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Many are sorted in another way than few: all kinds of numbers, and those of a result, which share most of their digits. */
TEST(many_values_are_sorted_like_few)
{
	enum { MANY = 50000 };
	double *values = malloc(MANY * sizeof *values), *expected = malloc(MANY * sizeof *expected);
	for (int kind = 0; kind < 3; kind++) {
		uint64_t state = 1;
		for (int i = 0; i < MANY; i++) {
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			double unit = (double)(state >> 11) / 9007199254740992.0;
			values[i] = kind == 0 ? ldexp(unit - 0.5, (int)(state % 2000) - 1000) : kind == 1 ? 0.5 + unit / 4 : 0.75;
			if (!kind && i % 1000 < 2)
				values[i] = i % 1000 ? INFINITY : -INFINITY;
		}
		memcpy(expected, values, MANY * sizeof *values);
		qsort(expected, MANY, sizeof *expected, compare);
		sort_values(values, MANY);
		assert_memory_equal(values, expected, MANY * sizeof *values);
	}
	free(values);
	free(expected);
}

TEST(nothing_is_counted_as_no_bins)
{
	struct error error = {0};
	size_t bins = 5;
	struct bin *list = count_values(NULL, 0, &bins, &error);
	assert_non_null(list);
	assert_int_equal(bins, 0);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_numbers_by_hand),
		cmocka_unit_test(five_numbers_have_their_quartiles_among_them),
		cmocka_unit_test(one_number_has_no_interval),
		cmocka_unit_test(equal_numbers_have_no_width),
		cmocka_unit_test(the_interval_is_students),
		cmocka_unit_test(a_large_offset_does_not_spoil_the_variance),
		cmocka_unit_test(values_are_sorted_and_counted),
		cmocka_unit_test(many_values_are_sorted_like_few),
		cmocka_unit_test(nothing_is_counted_as_no_bins),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
