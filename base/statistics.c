#include "base/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns the 0.975 quantile of Student's t with that many degrees of freedom: from a table, beyond it by the Cornish-Fisher expansion,
 * which is accurate to 1e-6 there.
 */
static double student_975(size_t freedom)
{
	static const double table[] = {12.70620474, 4.30265273, 3.18244631, 2.77644511, 2.57058184, 2.44691185, 2.36462425, 2.30600414,
		2.26215716, 2.22813885, 2.20098516, 2.17881283, 2.16036866, 2.14478669, 2.13144955, 2.11990530};
	if (freedom <= sizeof table / sizeof *table)
		return table[freedom - 1];
	double z = 1.959963984540054, n = (double)freedom;
	double z2 = z * z, z3 = z2 * z, z5 = z3 * z2, z7 = z5 * z2;
	return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n) +
	       (79 * z7 * z2 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
}

double confidence_half_width(double variance, size_t count)
{
	if (count < 2)
		return INFINITY;
	/* the sample variance is count/(count-1) times the population variance, and the mean's is that divided by count */
	return student_975(count - 1) * sqrt(variance / (double)(count - 1));
}

/* Sums groups of `each` consecutive numbers. */
static void join(const double *from, size_t each, double *to, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		to[i] = 0;
		for (size_t k = 0; k < each; k++)
			to[i] += from[i * each + k];
	}
}

double batch_half_width(const double *above, const double *below, size_t batches)
{
	enum { LEAST = 6 };
	double half = NAN, a[BATCHES_MAX], b[BATCHES_MAX];
	for (size_t each = 1; batches / each >= LEAST; each++) {
		size_t count = batches / each;
		double whole = 0, parts = 0, squares = 0, products = 0;
		if (batches % each)
			continue;
		join(above, each, a, count);
		join(below, each, b, count);
		for (size_t i = 0; i < count; i++) {
			whole += a[i];
			parts += b[i];
		}
		if (!(parts > 0))
			return NAN;
		for (size_t i = 0; i < count; i++)
			a[i] -= whole / parts * b[i]; /* deviation of the batch from the quotient of all; the deviations add up to 0 */
		for (size_t i = 0; i < count; i++) {
			squares += a[i] * a[i];
			products += i ? a[i] * a[i - 1] : 0;
		}
		double alike = squares > 0 ? fmax(products / squares, 0) : 0;
		half = confidence_half_width(squares / (double)count, count) * (double)count / parts * sqrt((1 + alike) / (1 - alike));
		if (products <= 1.645 / sqrt((double)count) * squares)
			break;
	}
	return half;
}

static double quantile(const double *sorted, size_t count, double share)
{
	double place = share * (double)(count - 1);
	size_t below = (size_t)place;
	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct statistics statistics_of(const double *values, const double *sorted, size_t count)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	double mean = sum / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	double variance = squares / (double)count;
	double half = count > 1 ? confidence_half_width(variance, count) : NAN;
	return (struct statistics){
		.count = count,
		.mean = mean,
		.variance = variance,
		.sd = sqrt(variance),
		.low = mean - half,
		.high = mean + half,
		.min = sorted[0],
		.q1 = quantile(sorted, count, 0.25),
		.median = quantile(sorted, count, 0.5),
		.q3 = quantile(sorted, count, 0.75),
		.max = sorted[count - 1],
	};
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Returns a key that orders as the value does: all bits of a negative value are inverted, only the sign of others. */
static inline uint64_t sort_key(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

enum { DIGITS = 6, DIGIT_BITS = 11, DIGIT_SIZE = 1 << DIGIT_BITS };

/* Radix sort by the digits of the keys, the lowest first; digits that are equal in all keys are skipped. place: all 0. */
static void sort_by_digits(double *values, double *other, size_t place[DIGITS][DIGIT_SIZE], size_t count)
{
	static const uint64_t mask = DIGIT_SIZE - 1;
	double *from = values, *to = other;
	for (size_t i = 0; i < count; i++)
		for (int d = 0; d < DIGITS; d++)
			place[d][sort_key(values[i]) >> (d * DIGIT_BITS) & mask]++;
	for (int d = 0; d < DIGITS; d++) {
		size_t *at = place[d], sum = 0;
		if (at[sort_key(from[0]) >> (d * DIGIT_BITS) & mask] == count)
			continue;
		for (size_t v = 0; v < DIGIT_SIZE; v++) {
			size_t here = at[v];
			at[v] = sum;
			sum += here;
		}
		for (size_t i = 0; i < count; i++)
			to[at[sort_key(from[i]) >> (d * DIGIT_BITS) & mask]++] = from[i];
		double *swap = from;
		from = to;
		to = swap;
	}
	if (from != values)
		memcpy(values, from, count * sizeof *values);
}

void sort_values(double *values, size_t count)
{
	enum { MANY = 1 << 14 }; /* the number of values at which radix sort pays off */
	double *other = count < MANY ? NULL : malloc(count * sizeof *other);
	size_t(*place)[DIGIT_SIZE] = other ? calloc(DIGITS, sizeof *place) : NULL; /* too large for a stack that cannot grow any more */
	if (place)
		sort_by_digits(values, other, place, count);
	else
		qsort(values, count, sizeof *values, compare_doubles);
	free(place);
	free(other);
}

struct bin *count_values(const double *sorted, size_t count, size_t *bins, struct error *error)
{
	*bins = 0;
	for (size_t i = 0; i < count; i++)
		*bins += i == 0 || sorted[i] != sorted[i - 1];
	struct bin *list = array_create(*bins, sizeof *list, error);
	if (!list)
		return NULL;
	size_t bin = 0;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || sorted[i] != sorted[i - 1])
			list[bin++].value = sorted[i];
		list[bin - 1].count++;
	}
	return list;
}
