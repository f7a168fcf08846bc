/* What every pattern sends: written out by hand for few ranks, and what all of them promise for many. */
#include "helpers.h"

#include <stdlib.h>
#include <string.h>

/* One pattern on so many ranks: its levels, and the pairs of each, sorted. */
struct example {
	const char *spec;
	uint32_t ranks;
	uint64_t levels;
	const char *text;
};

static void assert_examples(const struct example *examples, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct pattern_call *call = make_pattern(examples[i].spec, examples[i].ranks);
		char *text = levels_text(call);
		if (pattern_levels(call) != examples[i].levels || strcmp(text, examples[i].text))
			fail_msg("%s on %u ranks: %llu levels, %s", examples[i].spec, (unsigned)examples[i].ranks,
				(unsigned long long)pattern_levels(call), text);
		free(text);
		pattern_free(call);
	}
}

#define ASSERT_EXAMPLES(examples) assert_examples(examples, ARRAY_LENGTH(examples))

/* ORCS paper, section 2.4, here and below; the definitions where the paper contradicts itself. */
TEST(null_sends_nothing)
{
	static const struct example examples[] = {{"null", 1, 0, ""}, {"null", 16, 0, ""}};
	ASSERT_EXAMPLES(examples);
}

TEST(bisect_sends_from_odd_ranks_to_the_ones_before)
{
	static const struct example examples[] = {
		{"bisect", 1, 1, ""},
		{"bisect", 2, 1, "1>0"},
		{"bisect", 3, 1, "1>0"},
		{"bisect", 6, 1, "1>0 3>2 5>4"},
		{"bisect", 7, 1, "1>0 3>2 5>4"},
		{"bisect_fb_sym", 1, 1, ""},
		{"bisect_fb_sym", 2, 1, "0>1 1>0"},
		{"bisect_fb_sym", 3, 1, "0>1 1>0"},
		{"bisect_fb_sym", 5, 1, "0>1 1>0 2>3 3>2"},
	};
	ASSERT_EXAMPLES(examples);
}

/* The example of section 4 and Figure 6: only ranks below 2^l send in level l. */
TEST(tree_doubles_those_who_know)
{
	static const struct example examples[] = {
		{"tree", 1, 0, ""},
		{"tree", 2, 1, "0>1"},
		{"tree", 3, 2, "0>1 | 0>2"},
		{"tree", 4, 2, "0>1 | 0>2 1>3"},
		{"tree", 5, 3, "0>1 | 0>2 1>3 | 0>4"},
		{"tree", 8, 3, "0>1 | 0>2 1>3 | 0>4 1>5 2>6 3>7"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(bruck_sends_further_and_further_round)
{
	static const struct example examples[] = {
		{"bruck", 1, 0, ""},
		{"bruck", 2, 1, "0>1 1>0"},
		{"bruck", 3, 2, "0>1 1>2 2>0 | 0>2 1>0 2>1"},
		{"bruck", 4, 2, "0>1 1>2 2>3 3>0 | 0>2 1>3 2>0 3>1"},
		{"bruck", 5, 3, "0>1 1>2 2>3 3>4 4>0 | 0>2 1>3 2>4 3>0 4>1 | 0>4 1>0 2>1 3>2 4>3"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(gather_and_scatter_meet_at_rank_0)
{
	static const struct example examples[] = {
		{"gather", 1, 1, ""},
		{"gather", 4, 1, "1>0 2>0 3>0"},
		{"scatter", 1, 1, ""},
		{"scatter", 4, 1, "0>1 0>2 0>3"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(ring_passes_one_message_round)
{
	static const struct example examples[] = {
		{"ring", 1, 1, ""},
		{"ring", 2, 2, "0>1 | 1>0"},
		{"ring", 3, 3, "0>1 | 1>2 | 2>0"},
	};
	ASSERT_EXAMPLES(examples);
}

/* Figure 2: k and k+2^l exchange where floor(k/2^l) is even. */
TEST(recdbl_exchanges_over_doubling_distances)
{
	static const struct example examples[] = {
		{"recdbl", 1, 0, ""},
		{"recdbl", 2, 1, "0>1 1>0"},
		{"recdbl", 3, 2, "0>1 1>0 | 0>2 2>0"},
		{"recdbl", 5, 3, "0>1 1>0 2>3 3>2 | 0>2 1>3 2>0 3>1 | 0>4 4>0"},
		{"recdbl", 8, 3, "0>1 1>0 2>3 3>2 4>5 5>4 6>7 7>6 | 0>2 1>3 2>0 3>1 4>6 5>7 6>4 7>5 | 0>4 1>5 2>6 3>7 4>0 5>1 6>2 7>3"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(neighbors_are_linked_greedily)
{
	static const struct example examples[] = {
		{"neighbor:1", 1, 1, ""},
		{"neighbor:1", 5, 1, "0>1 1>0 2>3 3>2"},
		{"neighbor:2", 4, 1, "0>1 0>2 1>0 1>2 2>0 2>1"},
		{"2neighbor", 5, 1, "0>1 0>2 1>0 1>2 2>0 2>1 3>4 4>3"},
		{"2neighbor", 2, 1, "0>1 1>0"},
		{"neighbor:3", 5, 1, "0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2"},
		{"4neighbor", 3, 1, "0>1 0>2 1>0 1>2 2>0 2>1"},
		{"4neighbor", 6, 1, "0>1 0>2 0>3 0>4 1>0 1>2 1>3 1>4 2>0 2>1 2>3 2>4 3>0 3>1 3>2 3>4 4>0 4>1 4>2 4>3"},
		{"6neighbor", 2, 1, "0>1 1>0"},
	};
	ASSERT_EXAMPLES(examples);
}

/* The construction of section 2.4 word for word: while i has too few, the lowest j > i that is not linked to i and has too few. */
static void link_greedily(bool *linked, uint32_t n, uint32_t wanted)
{
	uint32_t degree[40] = {0};
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i + 1; j < n && degree[i] < wanted; j++)
			if (!linked[i * n + j] && degree[j] < wanted) {
				linked[i * n + j] = linked[j * n + i] = true;
				degree[i]++;
				degree[j]++;
			}
}

TEST(neighbors_agree_with_the_construction)
{
	for (uint32_t n = 1; n <= 40; n++)
		for (uint32_t wanted = 1; wanted <= 42; wanted += 1 + (wanted > 8) * 7) {
			bool linked[40 * 40] = {false};
			char spec[20];
			size_t links = 0;
			snprintf(spec, sizeof spec, "neighbor:%u", (unsigned)wanted);
			struct pattern_call *call = make_pattern(spec, n);
			struct pairs pairs = pairs_of_level(call, 0, 50);
			link_greedily(linked, n, wanted);
			for (uint32_t i = 0; i < n * n; i++)
				links += linked[i];
			assert_int_equal(pairs.count, links);
			for (size_t i = 0; i < pairs.count; i++)
				assert_true(linked[pairs.list[i].sender * n + pairs.list[i].receiver]);
			pairs_clear(&pairs);
			pattern_free(call);
		}
}

TEST(alltoall_comes_in_shifts_or_at_once)
{
	static const struct example examples[] = {
		{"alltoall", 1, 0, ""},
		{"alltoall", 2, 1, "0>1 1>0"},
		{"alltoall", 3, 2, "0>1 1>2 2>0 | 0>2 1>0 2>1"},
		{"allshifts", 3, 2, "0>1 1>2 2>0 | 0>2 1>0 2>1"},
		{"allshifts", 4, 3, "0>1 1>2 2>3 3>0 | 0>2 1>3 2>0 3>1 | 0>3 1>0 2>1 3>2"},
		{"alltoall_flood", 1, 1, ""},
		{"alltoall_flood", 3, 1, "0>1 0>2 1>0 1>2 2>0 2>1"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(shift_goes_round_both_ways)
{
	static const struct example examples[] = {
		{"shift:1", 1, 1, ""},
		{"shift:1", 3, 1, "0>1 1>2 2>0"},
		{"shift:4", 3, 1, "0>1 1>2 2>0"},
		{"shift:-1", 3, 1, "0>2 1>0 2>1"},
		{"shift:-7", 4, 1, "0>1 1>2 2>3 3>0"},
		{"shift:3", 3, 1, ""},
		{"shift:0", 3, 1, ""},
		{"shift:2147483647", 4, 1, "0>3 1>0 2>1 3>2"},
		{"shift:-2147483648", 3, 1, "0>1 1>2 2>0"},
	};
	ASSERT_EXAMPLES(examples);
}

/* Dally and Towles, Principles and Practices of Interconnection Networks, section 3.2, here and in the next two. */
TEST(permutations_of_digits)
{
	static const struct example examples[] = {
		{"bitrev", 1, 1, ""},
		{"bitrev", 2, 1, ""},
		{"bitrev", 4, 1, "1>2 2>1"},
		{"bitrev", 8, 1, "1>4 3>6 4>1 6>3"},
		{"bitcomp", 1, 1, ""},
		{"bitcomp", 2, 1, "0>1 1>0"},
		{"bitcomp", 8, 1, "0>7 1>6 2>5 3>4 4>3 5>2 6>1 7>0"},
		{"transpose", 1, 1, ""},
		{"transpose", 4, 1, "1>2 2>1"},
		{"transpose", 16, 1, "1>4 2>8 3>12 4>1 6>9 7>13 8>2 9>6 11>14 12>3 13>7 14>11"},
		{"shuffle", 1, 1, ""},
		{"shuffle", 2, 1, ""},
		{"shuffle", 4, 1, "1>2 2>1"},
		{"shuffle", 8, 1, "1>2 2>4 3>6 4>1 5>3 6>5"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(permutations_of_digits_need_enough_of_them)
{
	static const char *const names[] = {"bitrev", "bitcomp", "transpose", "shuffle"};
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		for (uint32_t n = 1; n <= 70; n++) {
			struct error error = {0};
			struct pattern_call *call =
				pattern_create(&(struct pattern_request){.spec = names[i], .first_ranks = -1}, n, &error);
			bool power_of_two = !(n & (n - 1)), power_of_four = power_of_two && n % 3 == 1;
			assert_true((call != NULL) == (strcmp(names[i], "transpose") ? power_of_two : power_of_four));
			if (!call)
				assert_error(&error, STATUS_USAGE, names[i], "power of");
			pattern_free(call);
		}
}

TEST(tornado_goes_almost_half_way)
{
	static const struct example examples[] = {
		{"tornado", 1, 1, ""},
		{"tornado", 2, 1, ""},
		{"tornado", 3, 1, "0>1 1>2 2>0"},
		{"tornado", 4, 1, "0>1 1>2 2>3 3>0"},
		{"tornado", 5, 1, "0>2 1>3 2>4 3>0 4>1"},
		{"tornado", 8, 1, "0>3 1>4 2>5 3>6 4>7 5>0 6>1 7>2"},
	};
	ASSERT_EXAMPLES(examples);
}

/* The first dimension varies fastest. Both ends of a torus of length 2 are one neighbour. */
TEST(stencil_reaches_the_nearest_neighbours)
{
	static const struct example examples[] = {
		{"stencil:1", 1, 1, ""},
		{"stencil:1x1,torus", 1, 1, ""},
		{"stencil:4", 4, 1, "0>1 1>0 1>2 2>1 2>3 3>2"},
		{"stencil:4,torus", 4, 1, "0>1 0>3 1>0 1>2 2>1 2>3 3>0 3>2"},
		{"stencil:2,torus", 2, 1, "0>1 1>0"},
		{"stencil:3x2", 6, 1, "0>1 0>3 1>0 1>2 1>4 2>1 2>5 3>0 3>4 4>1 4>3 4>5 5>2 5>4"},
		{"stencil:3x2,torus", 6, 1, "0>1 0>2 0>3 1>0 1>2 1>4 2>0 2>1 2>5 3>0 3>4 3>5 4>1 4>3 4>5 5>2 5>3 5>4"},
		{"stencil:2x1x2", 4, 1, "0>1 0>2 1>0 1>3 2>0 2>3 3>1 3>2"},
	};
	ASSERT_EXAMPLES(examples);
}

static void assert_not_made(const char *spec, uint32_t ranks, const char *why)
{
	struct error error = {0};
	struct pattern_request request = {.spec = spec, .first_ranks = -1};
	assert_null(pattern_create(&request, ranks, &error));
	assert_error(&error, STATUS_USAGE, why);
}

/* All that differ by at most one in each coordinate, each once, by the places; torus: round the ends, too. */
static void check_box(const char *spec, const uint32_t length[3], bool torus, unsigned most)
{
	uint32_t ranks = length[0] * length[1] * length[2];
	struct error error = {0};
	struct pattern_request request = {.spec = spec, .first_ranks = -1};
	struct pattern_call *call = pattern_create(&request, ranks, &error);
	assert_fine(&error);
	struct pairs pairs = pairs_of_level(call, 0, 100);
	size_t expected = 0;
	pairs_sort(&pairs);
	for (uint32_t a = 0; a < ranks; a++)
		for (uint32_t b = 0; b < ranks; b++) {
			unsigned differ = 0;
			bool near = a != b;
			for (uint32_t d = 0, s = a, r = b; d < 3; s /= length[d], r /= length[d], d++) {
				uint32_t x = s % length[d], y = r % length[d], apart = x < y ? y - x : x - y;
				apart = torus && length[d] - apart < apart ? length[d] - apart : apart;
				near &= apart <= 1;
				differ += apart != 0;
			}
			if (!near || differ > most)
				continue;
			assert_true(expected < pairs.count);
			assert_int_equal(pairs.list[expected].sender, a);
			assert_int_equal(pairs.list[expected++].receiver, b);
		}
	assert_int_equal(expected, pairs.count);
	pairs_clear(&pairs);
	pattern_free(call);
}

TEST(stencils_of_more_points)
{
	check_box("stencil:4x3x5,points=7", (const uint32_t[]){4, 3, 5}, false, 1);
	check_box("stencil:4x3x5,points=19", (const uint32_t[]){4, 3, 5}, false, 2);
	check_box("stencil:4x3x5,points=27", (const uint32_t[]){4, 3, 5}, false, 3);
	check_box("stencil:4x3x5,torus,points=27", (const uint32_t[]){4, 3, 5}, true, 3);
	check_box("stencil:2x1x3,torus,27", (const uint32_t[]){2, 1, 3}, true, 3);
	check_box("stencil:5x4,torus,points=9", (const uint32_t[]){5, 4, 1}, true, 2);
	assert_not_made("stencil:4x4x4,points=9", 64, "stencils in 3 dimensions have 7, 19 or 27 points");
	assert_not_made("stencil:4,points=9", 4, "stencils in 1 dimension have 3 points");
	assert_not_made("stencil:4x4,points=-1", 16, "points");
}

/* The neighbours on each grid, with what it takes from the one before it and gives back. */
TEST(multigrids)
{
	static const struct example examples[] = {
		{"multigrid:1", 1, 0, ""},
		{"multigrid:2", 2, 4, "0>1 1>0 | 1>0 | 0>1 | 0>1 1>0"},
		{"multigrid:4,torus", 4, 8,
			"0>1 0>3 1>0 1>2 2>1 2>3 3>0 3>2 | 1>0 3>2 | 0>2 2>0 | 2>0 | 0>2 | 0>2 2>0 | 0>1 2>3 | 0>1 0>3 1>0 1>2 2>1 2>3 3>0 3>2"},
		{"multigrid:2x2", 4, 4,
			"0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 3>2 | 1>0 2>0 3>0 | 0>1 0>2 0>3 | 0>1 0>2 0>3 1>0 1>2 1>3 2>0 2>1 2>3 3>0 3>1 "
			"3>2"},
		{"multigrid:2x2,points=5", 4, 4,
			"0>1 0>2 1>0 1>3 2>0 2>3 3>1 3>2 | 1>0 2>0 3>0 | 0>1 0>2 0>3 | 0>1 0>2 1>0 1>3 2>0 2>3 3>1 3>2"},
		{"multigrid:5", 5, 12,
			"0>1 1>0 1>2 2>1 2>3 3>2 3>4 4>3 | 1>0 3>2 | 0>2 2>0 2>4 4>2 | 2>0 | 0>4 4>0 | 4>0 | 0>4 | 0>4 4>0 | 0>2 | 0>2 2>0 2>4 4>2 | "
			"0>1 2>3 | 0>1 1>0 1>2 2>1 2>3 3>2 3>4 4>3"},
	};
	ASSERT_EXAMPLES(examples);
	assert_not_made("multigrid:3x2", 7, "pattern 'multigrid': the grid has 6 cells, but there are 7 ranks");
}

TEST(crystal_routers)
{
	static const struct example examples[] = {
		{"crystal_router", 1, 0, ""},
		{"crystal_router", 2, 1, "0>1 1>0"},
		{"crystal_router", 3, 2, "0>2 1>2 2>0 | 0>1 1>0"},
		{"crystal_router", 5, 3, "0>3 1>4 2>4 3>0 4>1 | 0>2 1>2 2>0 3>4 4>3 | 0>1 1>0"},
		{"crystal_router", 8, 3,
			"0>4 1>5 2>6 3>7 4>0 5>1 6>2 7>3 | 0>2 1>3 2>0 3>1 4>6 5>7 6>4 7>5 | 0>1 1>0 2>3 3>2 4>5 5>4 6>7 7>6"},
	};
	ASSERT_EXAMPLES(examples);
}

/* What it is for: what a rank has for the other half it sends there, so each ends with what all others had for it, once. */
TEST(crystal_routers_deliver_from_all_to_all)
{
	enum { MOST = 40 };
	for (uint32_t ranks = 1; ranks <= MOST; ranks++) {
		uint32_t at[MOST][MOST], next[MOST], first[MOST] = {0},
						     end[MOST]; /* where the message of i to j is; the group of each rank */
		struct error error = {0};
		struct pattern_request request = {.spec = "crystal_router", .first_ranks = -1};
		struct pattern_call *call = pattern_create(&request, ranks, &error);
		for (uint32_t i = 0; i < ranks; i++) {
			end[i] = ranks;
			for (uint32_t j = 0; j < ranks; j++)
				at[i][j] = i;
		}
		for (uint64_t level = 0; level < pattern_levels(call); level++) {
			struct pairs pairs = pairs_of_level(call, level, 100);
			for (uint32_t i = 0; i < ranks; i++)
				next[i] = i;
			for (size_t i = 0; i < pairs.count; i++)
				next[pairs.list[i].sender] = pairs.list[i].receiver;
			for (uint32_t i = 0; i < ranks; i++) {
				uint32_t middle = first[i] + (end[i] - first[i] + 1) / 2;
				*(i < middle ? &end[i] : &first[i]) = middle;
			}
			for (uint32_t i = 0; i < ranks; i++)
				for (uint32_t j = 0; j < ranks; j++) {
					uint32_t rank = at[i][j];
					if (j < first[rank] || j >= end[rank])
						at[i][j] = next[rank];
				}
			pairs_clear(&pairs);
		}
		for (uint32_t i = 0; i < ranks; i++)
			for (uint32_t j = 0; j < ranks; j++)
				assert_int_equal(at[i][j], j);
		pattern_free(call);
	}
}

TEST(diagonals)
{
	static const struct example examples[] = {
		{"diagonal", 1, 1, ""},
		{"diagonal", 2, 1, "0>1 1>0"},
		{"diagonal", 5, 1, "0>4 1>3 3>1 4>0"},
		{"diagonal", 6, 1, "0>5 1>4 2>3 3>2 4>1 5>0"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(a_grid_must_have_a_place_for_every_rank)
{
	assert_not_made("stencil:3x2", 7, "the grid has 6 cells, but there are 7 ranks");
	assert_not_made("stencil:3x2", 5, "the grid has 6 cells, but there are 5 ranks");
	assert_not_made("stencil:0x2", 1, "lengths such as");
	assert_not_made("stencil", 4, "requires the parameter");
	assert_not_made("stencil:65536x65536", 4, "the grid has 4294967296 cells, but there are 4 ranks");
}

/* The product of the lengths overflows 64 bits. */
TEST(a_gigantic_grid_is_refused)
{
	assert_not_made("stencil:4294967294x4294967294", 4, "cells, but there are 4 ranks");
	assert_not_made("stencil:4294967294x4294967294x4294967294x4294967294", 4, "cells, but there are 4 ranks");
}

TEST(allreduces)
{
	static const struct example examples[] = {
		{"allreduce_ring", 1, 0, ""},
		{"allreduce_ring", 2, 2, "0>1 1>0 | 0>1 1>0"},
		{"allreduce_ring", 3, 4, "0>1 1>2 2>0 | 0>1 1>2 2>0 | 0>1 1>2 2>0 | 0>1 1>2 2>0"},
		{"allreduce_rabenseifner", 1, 0, ""},
		{"allreduce_rabenseifner", 2, 2, "0>1 1>0 | 0>1 1>0"},
		{"allreduce_rabenseifner", 3, 4, "1>0 | 0>2 2>0 | 0>2 2>0 | 0>1"},
		{"allreduce_rabenseifner", 4, 4, "0>2 1>3 2>0 3>1 | 0>1 1>0 2>3 3>2 | 0>1 1>0 2>3 3>2 | 0>2 1>3 2>0 3>1"},
		{"allreduce_rabenseifner", 6, 6,
			"1>0 3>2 | 0>4 2>5 4>0 5>2 | 0>2 2>0 4>5 5>4 | 0>2 2>0 4>5 5>4 | 0>4 2>5 4>0 5>2 | 0>1 2>3"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(binomial_broadcast_sends_to_the_farthest_first)
{
	static const struct example examples[] = {
		{"bcast_binomial", 1, 0, ""},
		{"bcast_binomial", 2, 1, "0>1"},
		{"bcast_binomial", 3, 2, "0>2 | 0>1"},
		{"bcast_binomial", 5, 3, "0>4 | 0>2 | 0>1 2>3"},
		{"bcast_binomial", 8, 3, "0>4 | 0>2 4>6 | 0>1 2>3 4>5 6>7"},
	};
	ASSERT_EXAMPLES(examples);
}

TEST(hotspot_sends_to_the_first_ranks)
{
	static const struct example examples[] = {{"hotspot:1", 1, 1, ""}, {"hotspot:1", 4, 1, "1>0 2>0 3>0"}};
	ASSERT_EXAMPLES(examples);
	struct pattern_call *call = make_pattern("hotspot:3", 100);
	unsigned counts[3] = {0}, total = 0, from_0 = 0;
	for (uint64_t run = 0; run < 100; run++) {
		draw_run(call, run);
		struct pairs pairs = pairs_of_level(call, 0, 1000);
		for (size_t i = 0; i < pairs.count; i++) {
			assert_in_range(pairs.list[i].receiver, 0, 2);
			from_0 += pairs.list[i].sender == 0;
			if (pairs.list[i].sender > 2) { /* who sends to himself sends nothing */
				counts[pairs.list[i].receiver]++;
				total++;
			}
		}
		pairs_clear(&pairs);
	}
	assert_int_equal(total, 97 * 100);
	assert_in_range(from_0, 67 - 19, 67 + 19); /* two of three runs; four standard deviations here and below */
	for (int i = 0; i < 3; i++)
		assert_in_range(counts[i], 3233 - 186, 3233 + 186);
	pattern_free(call);
	assert_not_made("hotspot:5", 4, "K is 5, more than the 4 ranks");
	assert_not_made("hotspot:0", 4, "not an integer from 1");
}

/* The receivers of run run as a permutation: receiver[i] of rank i, i itself for one that sends nothing. */
static void permutation_of(struct pattern_call *call, uint64_t run, uint32_t *receiver)
{
	bool taken[100] = {false};
	for (uint32_t i = 0; i < call->ranks; i++)
		receiver[i] = i;
	draw_run(call, run);
	struct pairs pairs = pairs_of_level(call, 0, 8);
	for (size_t i = 0; i < pairs.count; i++)
		receiver[pairs.list[i].sender] = pairs.list[i].receiver;
	for (uint32_t i = 0; i < call->ranks; i++) {
		assert_false(taken[receiver[i]]);
		taken[receiver[i]] = true;
	}
	pairs_clear(&pairs);
}

TEST(rand_draws_a_permutation_for_every_run)
{
	struct pattern_call *call = make_pattern("rand", 50);
	uint32_t first[50], second[50], again[50];
	permutation_of(call, 0, first);
	permutation_of(call, 1, second);
	permutation_of(call, 0, again);
	assert_memory_not_equal(first, second, sizeof first);
	assert_memory_equal(first, again, sizeof first);
	pattern_free(call);
}

/* All six permutations of three in 12000 runs; chi-square of 5 degrees of freedom stays below 20.5 but once in a thousand. */
TEST(rand_is_uniform)
{
	struct pattern_call *call = make_pattern("rand", 3);
	unsigned counts[27] = {0};
	for (uint64_t run = 0; run < 12000; run++) {
		uint32_t receiver[3];
		permutation_of(call, run, receiver);
		counts[receiver[0] * 9 + receiver[1] * 3 + receiver[2]]++;
	}
	double square = 0;
	unsigned seen = 0;
	for (int i = 0; i < 27; i++)
		if (counts[i]) {
			square += (counts[i] - 2000.0) * (counts[i] - 2000.0) / 2000;
			seen++;
		}
	assert_int_equal(seen, 6);
	assert_true(square < 20.5);
	pattern_free(call);
}

/* ---- patterns from files */

/* "file:PATH" for a new file of that text. */
static const char *file_spec(const char *text)
{
	static char spec[320];
	snprintf(spec, sizeof spec, "file:%s", write_text("pattern", text).text);
	return spec;
}

static void assert_file(const char *text, uint32_t ranks, uint64_t levels, const char *expected)
{
	const struct example example = {file_spec(text), ranks, levels, expected};
	assert_examples(&example, 1);
}

TEST(a_file_lists_messages_in_any_order)
{
	assert_file("", 4, 0, "");
	assert_file("# nothing\n\n   \n", 4, 0, "");
	assert_file("0 1 2\n", 4, 1, "1>2");
	assert_file("2 0 1\n0 3 2 # comment\n\t0  1\t0  4096\r\n", 4, 3, "1>0 3>2 | | 0>1");
	assert_file("0 1 1\n", 4, 1, "");
	assert_file("1 0 3\n0 3 0", 4, 2, "3>0 | 0>3");
}

TEST(messages_of_a_level_keep_the_order_of_the_file)
{
	struct pattern_call *call = make_pattern(file_spec("1 0 1\n0 5 4\n0 3 2\n1 0 1\n0 4 3\n"), 6);
	struct pairs pairs = pairs_of_level(call, 0, 2);
	assert_int_equal(pairs.count, 3);
	assert_int_equal(pairs.list[0].sender, 5);
	assert_int_equal(pairs.list[1].sender, 3);
	assert_int_equal(pairs.list[2].sender, 4);
	pairs_clear(&pairs);
	pairs = pairs_of_level(call, 1, 2);
	assert_int_equal(pairs.count, 2); /* the same message twice is two messages */
	pairs_clear(&pairs);
	pattern_free(call);
}

TEST(bad_lines_are_shown)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"0 1\n", "pattern:1: expected 'level sender receiver [bytes] [sl=L]'"},
		{"0 1 2\n\n0 1 2 3 4\n", "pattern:3: expected 'level sender receiver [bytes] [sl=L]', not '4'"},
		{"0 1 x\n", "pattern:1: expected 'level sender receiver [bytes] [sl=L]', not 'x'"},
		{"-1 1 2\n", "pattern:1: expected 'level sender receiver [bytes] [sl=L]', not '-1'"},
		{"0 1 4\n", "pattern:1: rank 4 does not exist: the number of ranks is 4"},
		{"0 99999999999 1\n", "rank 99999999999 does not exist"},
		{"0 1 99999999999999999999\n", "expected 'level"},
		{"4294967295 1 2\n", "level 4294967295 is too large"},
		{"0 1 2 -5\n", "not '-5'"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		assert_not_made(file_spec(cases[i].text), 4, cases[i].why);
	struct error error = {0};
	struct pattern_request request = {.spec = "file:/nonexistent/pattern", .first_ranks = -1};
	assert_null(pattern_create(&request, 4, &error));
	assert_error(&error, STATUS_IO, "/nonexistent/pattern: cannot open");
	assert_not_made("file", 4, "requires the parameter");
}

/* ---- two patterns side by side */

static void assert_two(const char *first, const char *second, uint32_t first_ranks, uint32_t ranks, uint64_t levels, const char *expected)
{
	struct pattern_call *call = make_two_patterns(first, second, first_ranks, ranks);
	char *text = levels_text(call);
	assert_int_equal(pattern_levels(call), levels);
	assert_string_equal(text, expected);
	free(text);
	pattern_free(call);
}

/* The second starts again while the first has levels left, and ends its pass when the first has none. */
TEST(the_second_pattern_repeats_in_whole_passes)
{
	assert_two("tree", "alltoall", 5, 8, 4, "0>1 5>6 6>7 7>5 | 0>2 1>3 5>7 6>5 7>6 | 0>4 5>6 6>7 7>5 | 5>7 6>5 7>6");
	assert_two("ring", "bisect", 3, 5, 3, "0>1 4>3 | 1>2 4>3 | 2>0 4>3");
	assert_two("bisect", "ring", 2, 5, 3, "1>0 2>3 | 3>4 | 4>2");
	assert_two("ring", "ring", 2, 4, 2, "0>1 2>3 | 1>0 3>2");
}

TEST(a_silent_partner_changes_nothing)
{
	assert_two("ring", "null", 3, 5, 3, "0>1 | 1>2 | 2>0");
	assert_two("null", "ring", 2, 5, 3, "2>3 | 3>4 | 4>2");
	assert_two("null", "null", 2, 5, 0, "");
	assert_two("bisect", "gather", 1, 4, 1, "2>1 3>1");
}

TEST(the_parts_are_told_apart)
{
	struct pattern_call *call = make_two_patterns("scatter", "gather", 9, 20);
	for (size_t block = 1; block < 12; block++) {
		struct pairs pairs = pairs_of_level(call, 0, block);
		assert_int_equal(pairs.count, 8 + 10);
		for (size_t i = 0; i < pairs.count; i++) {
			assert_int_equal(pairs.part[i], i >= 8);
			assert_true((pairs.list[i].sender < 9) == (i < 8));
			assert_true((pairs.list[i].receiver < 9) == (i < 8));
		}
		pairs_clear(&pairs);
	}
	pattern_free(call);
}

TEST(the_parts_draw_different_numbers)
{
	struct pattern_call *call = make_two_patterns("rand", "rand", 30, 60);
	draw_run(call, 0);
	struct pairs pairs = pairs_of_level(call, 0, 100);
	uint32_t receiver[2][30] = {{0}};
	for (size_t i = 0; i < pairs.count; i++)
		receiver[pairs.part[i]][pairs.list[i].sender % 30] = pairs.list[i].receiver % 30;
	assert_memory_not_equal(receiver[0], receiver[1], sizeof *receiver);
	pairs_clear(&pairs);
	pattern_free(call);
}

static void assert_request_refused(const struct pattern_request *request, const char *why)
{
	struct error error = {0};
	assert_null(pattern_create(request, 8, &error));
	assert_error(&error, STATUS_USAGE, why);
}

TEST(two_patterns_need_all_their_parameters)
{
	struct pattern_request request = {.spec = "ptrnvsptrn", .first = "bisect", .second = "ring", .first_ranks = -1};
	assert_request_refused(&request, "requires --first-pattern, --second-pattern and --first-ranks");
	request.first_ranks = 0;
	assert_request_refused(&request, "needs at least one of the");
	request.first_ranks = 8;
	assert_request_refused(&request, "needs at least one of the");
	request.first_ranks = 4;
	request.first = "ptrnvsptrn";
	assert_request_refused(&request, "cannot be a part of itself");
	request.first = "bisct";
	assert_request_refused(&request, "did you mean 'bisect'?");
	request.first = "bitrev";
	request.first_ranks = 3;
	assert_request_refused(&request, "pattern 'bitrev' needs a power of two as the number of ranks, not 3");
	request.spec = "ring";
	assert_request_refused(&request, "require --pattern ptrnvsptrn");
}

/* Names that begin alike, as file:PATH, must not slip through as parts. */
TEST(a_part_with_parameters_cannot_be_ptrnvsptrn_either)
{
	struct pattern_request request = {.spec = "ptrnvsptrn", .first = "ptrnvsptrn:", .second = "ring", .first_ranks = 4};
	assert_request_refused(&request, "cannot be a part of itself");
}

/* ---- names and parameters */

TEST(unknown_patterns_are_refused_with_advice)
{
	assert_not_made("bisec", 4, "did you mean 'bisect'?");
	assert_not_made("", 4, "unknown pattern ''");
	assert_not_made("frobnicate:3", 4, "unknown pattern 'frobnicate'");
	assert_not_made("ring:3", 4, "one parameter too many");
	assert_not_made("2neighbor:3", 4, "takes no parameter");
	assert_not_made("shift", 4, "requires the parameter");
	assert_not_made("shift:x", 4, "not an integer");
}

TEST(a_parameter_may_stand_alone)
{
	struct error error = {0};
	struct pattern_request request = {.spec = "shift", .argument = "2", .first_ranks = -1};
	assert_int_equal(pattern_check(&request, PATTERN_PAIRS, &error), 0);
	struct pattern_call *call = pattern_create(&request, 3, &error);
	char *text = levels_text(call);
	assert_string_equal(text, "0>2 1>0 2>1");
	free(text);
	pattern_free(call);
	request.spec = "shift:1";
	assert_int_equal(pattern_check(&request, PATTERN_PAIRS, &error), -1);
	assert_error(&error, STATUS_USAGE, "already has a parameter");
}

/* ---- what all patterns promise */

/* Writes a specification with the parameters that the pattern needs on so many ranks. */
static void specify(const struct pattern *pattern, uint32_t ranks, char *spec, size_t size)
{
	if (!strcmp(pattern->name, "stencil") || !strcmp(pattern->name, "multigrid"))
		snprintf(spec, size, "%s:%u,torus", pattern->name, (unsigned)ranks);
	else if (!strcmp(pattern->name, "file"))
		snprintf(spec, size, "%s", file_spec("0 0 0\n3 0 0\n"));
	else if (!strcmp(pattern->name, "hotspot"))
		snprintf(spec, size, "hotspot:1"); /* on a single rank, too */
	else if (pattern->preset)
		snprintf(spec, size, "%s", pattern->name);
	else if (!example_spec(spec, size, pattern->name, pattern->args))
		fail_msg("pattern %s needs a specification here", pattern->name);
}

static bool draws(const struct pattern *pattern)
{
	return pattern->run && !pattern->two;
}

/* The pairs of a level: ranks that exist, nobody to himself, no pair twice, the same again in blocks of another size. */
static void assert_level_in_order(const struct pattern_call *call, uint64_t level)
{
	struct pairs pairs = pairs_of_level(call, level, 1024), again = pairs_of_level(call, level, 3);
	assert_int_equal(pairs.count, again.count);
	for (size_t i = 0; i < pairs.count; i++) {
		assert_true(pairs.list[i].sender < call->ranks && pairs.list[i].receiver < call->ranks);
		assert_int_not_equal(pairs.list[i].sender, pairs.list[i].receiver);
		assert_memory_equal(&pairs.list[i], &again.list[i], sizeof *pairs.list);
		assert_int_equal(pairs.part[i], again.part[i]);
	}
	pairs_sort(&pairs);
	for (size_t i = 1; i < pairs.count; i++)
		assert_memory_not_equal(&pairs.list[i - 1], &pairs.list[i], sizeof *pairs.list);
	pairs_clear(&pairs);
	pairs_clear(&again);
}

/* Makes the pattern on so many ranks with parameters it takes; NULL where it is not defined for that many. */
static struct pattern_call *make_any(const struct pattern *pattern, uint32_t ranks)
{
	char spec[320];
	struct error error = {0};
	struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = 3};
	bool two = !strcmp(pattern->name, "ptrnvsptrn");
	specify(pattern, ranks, spec, sizeof spec);
	if (two) {
		request.first = "bruck";
		request.second = "alltoall";
		request.first_ranks = ranks / 2;
	}
	struct pattern_call *call = pattern_create(&request, ranks, &error);
	if (!call && !pattern->power_of_two && !(two && ranks < 2))
		fail_msg("%s on %u ranks: %s", spec, (unsigned)ranks, error.text);
	return call;
}

TEST(all_patterns_are_in_order)
{
	static const uint32_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64};
	for (const struct pattern *const *pattern = patterns; *pattern; pattern++) {
		if (!(*pattern)->level)
			continue;
		unsigned made = 0;
		for (size_t s = 0; s < ARRAY_LENGTH(sizes); s++) {
			struct pattern_call *call = make_any(*pattern, sizes[s]);
			made += call != NULL;
			for (uint64_t run = 0; call && run < 3; run++) {
				draw_run(call, run);
				for (uint64_t level = 0; level < pattern_levels(call); level++)
					assert_level_in_order(call, level);
			}
			pattern_free(call);
		}
		assert_true(made >= 4);
	}
}

/* Whether in some level a rank sends twice, or receives twice. */
static bool repeats(const struct pattern_call *call)
{
	for (uint64_t level = 0; level < pattern_levels(call); level++) {
		struct pairs pairs = pairs_of_level(call, level, 100);
		bool sends[64] = {false}, receives[64] = {false}, again = false;
		for (size_t i = 0; i < pairs.count; i++) {
			again |= sends[pairs.list[i].sender] || receives[pairs.list[i].receiver];
			sends[pairs.list[i].sender] = receives[pairs.list[i].receiver] = true;
		}
		pairs_clear(&pairs);
		if (again)
			return true;
	}
	return false;
}

TEST(patterns_in_which_nobody_sends_twice_say_so)
{
	for (const struct pattern *const *pattern = patterns; *pattern; pattern++) {
		if (!(*pattern)->level)
			continue;
		bool any = false, once = true;
		for (uint32_t ranks = 2; ranks <= 64; ranks++) {
			struct pattern_call *call = make_any(*pattern, ranks);
			if (!call)
				continue;
			draw_run(call, 0);
			any |= repeats(call);
			once &= pattern_partial_permutation(call);
			pattern_free(call);
		}
		bool depends = !strcmp((*pattern)->name, "null") || !strcmp((*pattern)->name, "file");
		if (once == any && !(depends && !once))
			fail_msg("%s: once is %d", (*pattern)->name, once);
	}
	struct pattern_call *both = make_two_patterns("ring", "gather", 4, 10), *neither = make_two_patterns("ring", "bruck", 4, 10);
	assert_false(pattern_partial_permutation(both));
	assert_true(pattern_partial_permutation(neither));
	pattern_free(both);
	pattern_free(neither);
}

TEST(only_patterns_that_draw_change_from_run_to_run)
{
	for (const struct pattern *const *pattern = patterns; *pattern; pattern++) {
		if (!(*pattern)->level)
			continue;
		struct pattern_call *call = make_any(*pattern, 16);
		if (!draws(*pattern) && pattern_levels(call)) {
			draw_run(call, 0);
			struct pairs pairs = pairs_of_level(call, 0, 100);
			draw_run(call, 1);
			struct pairs again = pairs_of_level(call, 0, 100);
			assert_int_equal(pairs.count, again.count);
			if (pairs.count)
				assert_memory_equal(pairs.list, again.list, pairs.count * sizeof *pairs.list);
			pairs_clear(&pairs);
			pairs_clear(&again);
		}
		pattern_free(call);
	}
}

TEST(all_patterns_are_described)
{
	for (const struct pattern *const *pattern = patterns; *pattern; pattern++) {
		if (!(*pattern)->level)
			continue;
		assert_non_null((*pattern)->level);
		assert_true(strlen((*pattern)->name) > 0 && strlen((*pattern)->summary) > 0 && strlen((*pattern)->source) > 0);
		assert_null(strchr((*pattern)->name, ':'));
		for (const struct pattern *const *other = patterns; other < pattern; other++)
			assert_string_not_equal((*pattern)->name, (*other)->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_sends_nothing),
		cmocka_unit_test(bisect_sends_from_odd_ranks_to_the_ones_before),
		cmocka_unit_test(tree_doubles_those_who_know),
		cmocka_unit_test(bruck_sends_further_and_further_round),
		cmocka_unit_test(gather_and_scatter_meet_at_rank_0),
		cmocka_unit_test(ring_passes_one_message_round),
		cmocka_unit_test(recdbl_exchanges_over_doubling_distances),
		cmocka_unit_test(neighbors_are_linked_greedily),
		cmocka_unit_test(neighbors_agree_with_the_construction),
		cmocka_unit_test(alltoall_comes_in_shifts_or_at_once),
		cmocka_unit_test(shift_goes_round_both_ways),
		cmocka_unit_test(permutations_of_digits),
		cmocka_unit_test(permutations_of_digits_need_enough_of_them),
		cmocka_unit_test(tornado_goes_almost_half_way),
		cmocka_unit_test(stencil_reaches_the_nearest_neighbours),
		cmocka_unit_test(stencils_of_more_points),
		cmocka_unit_test(multigrids),
		cmocka_unit_test(crystal_routers),
		cmocka_unit_test(crystal_routers_deliver_from_all_to_all),
		cmocka_unit_test(diagonals),
		cmocka_unit_test(a_grid_must_have_a_place_for_every_rank),
		cmocka_unit_test(a_gigantic_grid_is_refused),
		cmocka_unit_test(allreduces),
		cmocka_unit_test(binomial_broadcast_sends_to_the_farthest_first),
		cmocka_unit_test(hotspot_sends_to_the_first_ranks),
		cmocka_unit_test(rand_draws_a_permutation_for_every_run),
		cmocka_unit_test(rand_is_uniform),
		cmocka_unit_test(a_file_lists_messages_in_any_order),
		cmocka_unit_test(messages_of_a_level_keep_the_order_of_the_file),
		cmocka_unit_test(bad_lines_are_shown),
		cmocka_unit_test(the_second_pattern_repeats_in_whole_passes),
		cmocka_unit_test(a_silent_partner_changes_nothing),
		cmocka_unit_test(the_parts_are_told_apart),
		cmocka_unit_test(the_parts_draw_different_numbers),
		cmocka_unit_test(two_patterns_need_all_their_parameters),
		cmocka_unit_test(a_part_with_parameters_cannot_be_ptrnvsptrn_either),
		cmocka_unit_test(unknown_patterns_are_refused_with_advice),
		cmocka_unit_test(a_parameter_may_stand_alone),
		cmocka_unit_test(all_patterns_are_in_order),
		cmocka_unit_test(patterns_in_which_nobody_sends_twice_say_so),
		cmocka_unit_test(only_patterns_that_draw_change_from_run_to_run),
		cmocka_unit_test(all_patterns_are_described),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
