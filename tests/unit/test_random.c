/* The counter-based random numbers. All seeds are fixed, so nothing here fails by chance. */
#include "helpers.h"

#include "base/random.h"

#include <Random123/philox.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Known answers of Philox4x32-10, file kat_vectors of the Random123 library. */
TEST(philox_gives_its_known_answers)
{
	static const struct {
		philox4x32_ctr_t counter;
		philox4x32_key_t key;
		uint32_t words[4];
	} known[] = {
		{{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}}, {{0xffffffff, 0xffffffff}},
			{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}},
			{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		philox4x32_ctr_t words = philox4x32(known[i].counter, known[i].key);
		assert_memory_equal(words.v, known[i].words, sizeof known[i].words);
	}
}

TEST(the_first_stream_begins_with_the_known_answer)
{
	static const uint32_t known[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
	struct random random;
	random_start(&random, 0, 0, 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(random_bits(&random), known[i]);
}

/* All words, over the ends of what is made at a time, are those of the library. */
TEST(streams_are_those_of_random123)
{
	struct random random;
	random_start(&random, UINT64_C(0x123456789abcdef0), RANDOM_PATTERN, UINT64_C(0xfedcba9876543210));
	for (uint32_t block = 0; block < 1000; block++) {
		philox4x32_key_t key = {{0x9abcdef0, 0x12345678}};
		philox4x32_ctr_t counter = {{block, RANDOM_PATTERN, 0x76543210, 0xfedcba98}};
		philox4x32_ctr_t words = philox4x32(counter, key);
		for (int i = 0; i < 4; i++)
			assert_int_equal(random_bits(&random), words.v[i]);
	}
}

/* Whatever vectors the machine has: to the end of the counter and over it. */
TEST(all_ways_make_the_same_words)
{
	struct random one, other;
	for (uint32_t start = 0; start < 4; start++) {
		random_start(&one, UINT64_C(0xfedcba9876543210) + start, RANDOM_MAPPING, start);
		one.counter[0] = 0U - 3 * RANDOM_BLOCKS + start * (start < 3 ? 1 : 12345);
		other = one;
		for (int block = 0; block < 6; block++) {
			random_fill(&one);
			random_fill_plain(&other);
			other.counter[0] += RANDOM_BLOCKS;
			assert_memory_equal(one.word, other.word, sizeof one.word);
		}
	}
}

TEST(a_stream_repeats_itself_exactly)
{
	struct random a, b;
	random_start(&a, 12345, RANDOM_MAPPING, 77);
	for (int i = 0; i < 5; i++)
		random_bits(&a);
	random_start(&a, 12345, RANDOM_MAPPING, 77);
	random_start(&b, 12345, RANDOM_MAPPING, 77);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(random_bits(&a), random_bits(&b));
}

static int compare_streams(const void *left, const void *right)
{
	return memcmp(left, right, 8 * sizeof(uint32_t));
}

/* Streams of other seeds, purposes or runs, also those that differ in their high words, begin differently. */
TEST(streams_differ)
{
	static const uint64_t seeds[] = {0, 1, 2, UINT64_C(1) << 32, UINT64_MAX},
			      runs[] = {0, 1, 2, 1000, UINT64_C(1) << 32, UINT64_C(1) << 52};
	uint32_t streams[ARRAY_LENGTH(seeds) * 5 * ARRAY_LENGTH(runs)][8];
	size_t count = 0;
	for (size_t s = 0; s < ARRAY_LENGTH(seeds); s++)
		for (unsigned purpose = RANDOM_SUBSET; purpose <= RANDOM_PATTERN + 2; purpose++)
			for (size_t r = 0; r < ARRAY_LENGTH(runs); r++, count++) {
				struct random random;
				random_start(&random, seeds[s], purpose, runs[r]);
				for (int i = 0; i < 8; i++)
					streams[count][i] = random_bits(&random);
			}
	assert_int_equal(count, ARRAY_LENGTH(streams));
	qsort(streams, count, sizeof *streams, compare_streams);
	for (size_t i = 1; i < count; i++)
		assert_memory_not_equal(streams[i - 1], streams[i], sizeof *streams);
}

static double chi_square(const uint32_t *counts, size_t cells)
{
	double sum = 0, square = 0;
	for (size_t i = 0; i < cells; i++)
		sum += counts[i];
	double expected = sum / (double)cells;
	for (size_t i = 0; i < cells; i++)
		square += (counts[i] - expected) * (counts[i] - expected) / expected;
	return square;
}

/* Limits of chi-square: its quantiles at 0.999 for cells-1 degrees of freedom. */
TEST(small_bounds_are_met_evenly)
{
	static const struct {
		uint32_t bound;
		double limit;
	} cases[] = {{2, 10.83}, {3, 13.82}, {7, 22.46}, {10, 27.88}, {24, 49.73}};
	for (size_t c = 0; c < ARRAY_LENGTH(cases); c++) {
		uint32_t counts[24] = {0};
		struct random random;
		random_start(&random, 5, RANDOM_MAPPING, c);
		for (int i = 0; i < 100000; i++) {
			uint32_t number = random_below(&random, cases[c].bound);
			assert_true(number < cases[c].bound);
			counts[number]++;
		}
		assert_true(chi_square(counts, cases[c].bound) < cases[c].limit);
	}
}

/* For 3/4 of 2^32 a remainder would favour the first third, and a product without rejection the multiples of three. */
TEST(large_bounds_have_no_bias)
{
	const uint32_t bound = UINT32_C(3) << 30;
	uint32_t third[3] = {0}, rest[3] = {0};
	struct random random;
	random_start(&random, 6, RANDOM_MAPPING, 0);
	for (int i = 0; i < 100000; i++) {
		uint32_t number = random_below(&random, bound);
		assert_true(number < bound);
		third[number >> 30]++;
		rest[number % 3]++;
	}
	assert_true(chi_square(third, 3) < 13.82);
	assert_true(chi_square(rest, 3) < 13.82);
}

TEST(a_bound_of_one_leaves_no_choice)
{
	struct random random;
	random_start(&random, 1, RANDOM_SUBSET, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(random_below(&random, 1), 0);
}

/* The number of a permutation of 0..3 among all 24. */
static unsigned permutation_number(const uint32_t *items)
{
	unsigned number = 0;
	for (int i = 0; i < 4; i++) {
		unsigned smaller = 0;
		for (int j = i + 1; j < 4; j++)
			smaller += items[j] < items[i];
		number = number * (unsigned)(4 - i) + smaller;
	}
	return number;
}

TEST(all_orders_of_four_are_equally_likely)
{
	uint32_t counts[24] = {0};
	for (uint64_t run = 0; run < 48000; run++) {
		uint32_t items[] = {0, 1, 2, 3};
		struct random random;
		random_start(&random, 1, RANDOM_MAPPING, run);
		random_shuffle(&random, items, 4);
		unsigned number = permutation_number(items);
		assert_in_range(number, 0, 23);
		counts[number]++;
	}
	assert_true(chi_square(counts, 24) < 49.73);
}

TEST(shuffling_keeps_all_items)
{
	uint32_t items[1000], seen[1000] = {0};
	for (uint32_t i = 0; i < 1000; i++)
		items[i] = i;
	struct random random;
	random_start(&random, 3, RANDOM_SUBSET, 0);
	random_shuffle(&random, items, 1000);
	size_t fixed = 0;
	for (uint32_t i = 0; i < 1000; i++) {
		assert_true(items[i] < 1000);
		seen[items[i]]++;
		fixed += items[i] == i;
	}
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(seen[i], 1);
	assert_in_range(fixed, 0, 10); /* one is expected */
	random_shuffle(&random, items, 0);
	random_shuffle(&random, items, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(philox_gives_its_known_answers),
		cmocka_unit_test(the_first_stream_begins_with_the_known_answer),
		cmocka_unit_test(streams_are_those_of_random123),
		cmocka_unit_test(all_ways_make_the_same_words),
		cmocka_unit_test(a_stream_repeats_itself_exactly),
		cmocka_unit_test(streams_differ),
		cmocka_unit_test(small_bounds_are_met_evenly),
		cmocka_unit_test(large_bounds_have_no_bias),
		cmocka_unit_test(a_bound_of_one_leaves_no_choice),
		cmocka_unit_test(all_orders_of_four_are_equally_likely),
		cmocka_unit_test(shuffling_keeps_all_items),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
