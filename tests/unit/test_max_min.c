/* Max-min fair rates: textbook cases, a slow reference, and the condition that only they meet. */
#include "helpers.h"
#include "base/memory.h"

#include "base/random.h"
#include "engines/flow/max_min.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static uint32_t add(struct max_min *m, double weight, uint32_t count, const uint32_t *channel)
{
	uint32_t flow = max_min_add(m, channel, NULL, count, weight, &error);
	assert_fine(&error);
	return flow;
}

#define ADD(m, ...) add(m, 1, ARRAY_LENGTH(((uint32_t[]){__VA_ARGS__})), (uint32_t[]){__VA_ARGS__})

static void solve(struct max_min *m)
{
	assert_int_equal(max_min_solve(m, &error), 0);
	assert_true(max_min_holds(m));
}

TEST(flows_share_a_channel_alike)
{
	const double capacity[] = {12, 100};
	struct max_min *m = max_min_create(2, capacity, &error);
	uint32_t a = ADD(m, 0), b = ADD(m, 0, 1), c = ADD(m, 1);
	solve(m);
	assert_within(m->flow[a].rate, 6, 1e-12);
	assert_within(m->flow[b].rate, 6, 1e-12);
	assert_within(m->flow[c].rate, 94, 1e-9);
	assert_int_equal(m->flow[b].bottleneck, 0);
	assert_int_equal(m->flow[c].bottleneck, 1);
	max_min_remove(m, a, &error);
	solve(m);
	assert_within(m->flow[b].rate, 12, 1e-12);
	assert_within(m->flow[c].rate, 88, 1e-9);
	max_min_free(m);
}

/* Bertsekas and Gallager, figure 6.11: five sessions on a line. */
TEST(the_textbook_line)
{
	const double capacity[] = {1, 1, 1, 1};
	struct max_min *m = max_min_create(4, capacity, &error);
	uint32_t one = ADD(m, 0, 1, 2), two = ADD(m, 1), three = ADD(m, 1), four = ADD(m, 2), five = ADD(m, 3);
	solve(m);
	assert_within(m->flow[one].rate, 1.0 / 3, 1e-12);
	assert_within(m->flow[two].rate, 1.0 / 3, 1e-12);
	assert_within(m->flow[three].rate, 1.0 / 3, 1e-12);
	assert_within(m->flow[four].rate, 2.0 / 3, 1e-12);
	assert_within(m->flow[five].rate, 1, 1e-12);
	max_min_free(m);
}

TEST(weights_divide_a_bottleneck_in_proportion)
{
	const double capacity[] = {12, 4};
	struct max_min *m = max_min_create(2, capacity, &error);
	uint32_t light = ADD(m, 0), heavy = add(m, 3, 1, (uint32_t[]){0}), held = add(m, 2, 2, (uint32_t[]){0, 1});
	solve(m);
	assert_within(m->flow[held].rate, 4, 1e-12);
	assert_within(m->flow[light].rate, 2, 1e-12);
	assert_within(m->flow[heavy].rate, 6, 1e-12);
	max_min_free(m);
}

TEST(parts_count_as_parts)
{
	const double capacity[] = {10, 3, 10};
	struct max_min *m = max_min_create(3, capacity, &error);
	uint32_t whole = ADD(m, 0);
	uint32_t split = max_min_add(m, (uint32_t[]){0, 1, 2}, (double[]){1, 0.5, 0.5}, 3, 1, &error);
	solve(m);
	assert_within(m->flow[split].rate, 5, 1e-12);
	assert_within(m->flow[whole].rate, 5, 1e-12);
	max_min_remove(m, whole, &error);
	solve(m);
	assert_within(m->flow[split].rate, 6, 1e-12);
	assert_int_equal(m->flow[split].bottleneck, 1);
	max_min_free(m);
}

TEST(a_flow_without_channels_has_no_limit)
{
	const double capacity[] = {1};
	struct max_min *m = max_min_create(1, capacity, &error);
	uint32_t flow = add(m, 1, 0, NULL), other = ADD(m, 0);
	solve(m);
	assert_true(isinf(m->flow[flow].rate));
	assert_within(m->flow[other].rate, 1, 0);
	max_min_free(m);
}

TEST(capacities_may_change)
{
	double capacity[] = {10, 10};
	struct max_min *m = max_min_create(2, capacity, &error);
	uint32_t a = ADD(m, 0, 1), b = ADD(m, 0);
	solve(m);
	capacity[1] = 0;
	max_min_touch(m, 1);
	solve(m);
	assert_within(m->flow[a].rate, 0, 0);
	assert_within(m->flow[b].rate, 10, 1e-12);
	capacity[1] = 2;
	max_min_touch(m, 1);
	solve(m);
	assert_within(m->flow[a].rate, 2, 1e-12);
	assert_within(m->flow[b].rate, 8, 1e-12);
	max_min_free(m);
}

/* ---- random flows against a slow reference */

enum { CHANNELS = 60, FLOWS = 400, HOPS = 6 };

struct reference {
	uint32_t count[FLOWS], channel[FLOWS][HOPS]; /* count 0: not there */
	double part[FLOWS][HOPS], weight[FLOWS], rate[FLOWS];
};

/* Raises all rates alike until a channel is full, again and again. */
static void fill_slowly(struct reference *r, const double *capacity)
{
	bool fixed[FLOWS] = {false};
	for (;;) {
		double lowest = INFINITY;
		uint32_t full = NONE;
		for (uint32_t c = 0; c < CHANNELS; c++) {
			double left = capacity[c], wanted = 0;
			for (int f = 0; f < FLOWS; f++)
				for (uint32_t i = 0; i < r->count[f]; i++)
					if (r->channel[f][i] == c && fixed[f])
						left -= r->rate[f] * r->part[f][i];
					else if (r->channel[f][i] == c)
						wanted += r->weight[f] * r->part[f][i];
			if (wanted > 0 && left / wanted < lowest) {
				lowest = left / wanted;
				full = c;
			}
		}
		if (full == NONE)
			return;
		for (int f = 0; f < FLOWS; f++)
			for (uint32_t i = 0; i < r->count[f]; i++)
				if (r->channel[f][i] == full && !fixed[f]) {
					fixed[f] = true;
					r->rate[f] = lowest * r->weight[f];
				}
	}
}

static void draw_flow(struct reference *r, int f, struct random *random, bool parts, bool weights)
{
	r->count[f] = 0;
	for (uint32_t hops = 1 + random_below(random, HOPS); r->count[f] < hops;) {
		uint32_t c = random_below(random, CHANNELS), i = 0;
		while (i < r->count[f] && r->channel[f][i] != c)
			i++;
		r->channel[f][i] = c;
		r->part[f][i] = parts ? (1 + random_below(random, 4)) / 4.0 : 1;
		r->count[f] += i == r->count[f];
	}
	r->weight[f] = weights ? 1 + random_below(random, 3) : 1;
}

/* Flows come and go, a few or many at a time; few: of those that there may be. */
static void compare(uint64_t seed, bool parts, bool weights, uint32_t flows, uint32_t at_once)
{
	static struct reference r;
	double capacity[CHANNELS];
	uint32_t number[FLOWS];
	struct random random;
	random_start(&random, seed, 0, 0);
	memset(&r, 0, sizeof r);
	for (int c = 0; c < CHANNELS; c++)
		capacity[c] = 1 + random_below(&random, 5);
	struct max_min *m = max_min_create(CHANNELS, capacity, &error);
	for (int step = 0; step < 60; step++) {
		for (uint32_t k = 0; k < at_once; k++) {
			int f = (int)random_below(&random, flows);
			if (r.count[f]) {
				max_min_remove(m, number[f], &error);
				r.count[f] = 0;
			} else {
				draw_flow(&r, f, &random, parts, weights);
				number[f] = max_min_add(m, r.channel[f], parts ? r.part[f] : NULL, r.count[f], r.weight[f], &error);
			}
		}
		if (step % 7 == 6) {
			uint32_t c = random_below(&random, CHANNELS);
			capacity[c] = random_below(&random, 5);
			max_min_touch(m, c);
		}
		solve(m);
		fill_slowly(&r, capacity);
		for (uint32_t f = 0; f < flows; f++)
			if (r.count[f])
				assert_within(m->flow[number[f]].rate, r.rate[f], 1e-9);
		for (size_t i = 1; i < m->touches; i++)
			assert_true(max_min_is(m, m->touched[i]));
	}
	max_min_free(m);
}

TEST(rates_are_those_of_filling_slowly)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		compare(seed, false, false, 20, 3);
		compare(seed, false, false, FLOWS, 40);
		compare(seed, true, false, 100, 10);
		compare(seed, false, true, 100, 10);
		compare(seed, true, true, 200, 100);
		compare(seed, true, true, 12, 1);
	}
}

/* Many flows that hardly meet: then only the parts that change are solved. */
TEST(what_does_not_change_is_not_solved_again)
{
	enum { MANY = 3000 };
	double capacity[MANY];
	struct random random;
	uint32_t touched = 0;
	random_start(&random, 9, 0, 0);
	for (int c = 0; c < MANY; c++)
		capacity[c] = 1 + random_below(&random, 9);
	struct max_min *m = max_min_create(MANY, capacity, &error);
	for (int f = 0; f < MANY; f++)
		ADD(m, random_below(&random, MANY / 3), MANY / 3 + random_below(&random, MANY / 3),
			2 * MANY / 3 + random_below(&random, MANY / 3));
	solve(m);
	assert_int_equal(m->solved_whole, 1);
	for (int step = 0; step < 500; step++) {
		uint32_t f;
		do
			f = random_below(&random, m->flows);
		while (!max_min_is(m, f));
		max_min_remove(m, f, &error);
		if (step % 2)
			ADD(m, random_below(&random, MANY / 3), MANY / 3 + random_below(&random, MANY / 3),
				2 * MANY / 3 + random_below(&random, MANY / 3));
		solve(m);
		touched += (uint32_t)m->touches;
	}
	assert_in_range(m->solved_parts, 250, 500);
	assert_in_range(touched, 1, 500 * MANY / 10);
	max_min_free(m);
}

/* Flows that are taken at once have other numbers, but the same rates. Half of them end at a port of their own, where they all come by the
 * same other one: channels like these are left out. */
TEST(flows_may_be_taken_at_once)
{
	enum { TAKEN = 300, DOORS = 20 };
	for (uint64_t seed = 1; seed <= 8; seed++) {
		double capacity[CHANNELS + 2 * DOORS], sum[2] = {0}, squares[2] = {0};
		struct random random;
		random_start(&random, seed, 0, 0);
		for (int c = 0; c < CHANNELS + 2 * DOORS; c++)
			capacity[c] = 1 + random_below(&random, 5);
		struct max_min *m = max_min_create(CHANNELS + 2 * DOORS, capacity, &error);
		struct max_min *taken = max_min_create(CHANNELS + 2 * DOORS, capacity, &error);
		size_t *start = array_create(TAKEN + 1, sizeof *start, &error);
		uint32_t *channel = array_create((size_t)TAKEN * (HOPS + 2), sizeof *channel, &error);
		struct reference r;
		for (int f = 0; f < TAKEN; f++) {
			uint32_t *own = channel + start[f], count = 0, door = CHANNELS + random_below(&random, DOORS);
			draw_flow(&r, 0, &random, false, false);
			if (f % 50)
				memcpy(own, r.channel[0], (count = r.count[0]) * sizeof *own);
			if (f % 2) {
				own[count++] = door;
				own[count++] = door + DOORS;
			}
			start[f + 1] = start[f] + count;
			max_min_add(m, own, NULL, count, 1, &error);
		}
		solve(m);
		assert_int_equal(max_min_take(taken, TAKEN, start, channel, &error), 0);
		solve(taken);
		for (int f = 0; f < TAKEN; f++) {
			double one = m->flow[f].rate, other = taken->flow[f].rate;
			sum[0] += isinf(one) ? 1e3 : one;
			sum[1] += isinf(other) ? 1e3 : other;
			squares[0] += isinf(one) ? 0 : one * one;
			squares[1] += isinf(other) ? 0 : other * other;
		}
		assert_within(sum[1], sum[0], 1e-9 * sum[0]);
		assert_within(squares[1], squares[0], 1e-9 * squares[0]);
		assert_true(taken->route_used < m->route_used);
		max_min_free(m);
		max_min_free(taken);
	}
}

/* A signal that comes while rates are found ends that without an error: as a whole, in parts, and of flows that are taken. */
TEST(a_signal_ends_the_solving)
{
	enum { LINKS = 2, FEWER = 200 };
	const double capacity[LINKS] = {1, 2};
	volatile sig_atomic_t stop = 1;
	struct max_min *m = max_min_create(LINKS, capacity, &error), *taken = max_min_create(LINKS, capacity, &error);
	m->stop = taken->stop = &stop;
	uint32_t first = ADD(m, 0, 1);
	assert_int_equal(max_min_solve(m, &error), -1);
	assert_int_equal(m->flow[first].bottleneck, NONE);
	stop = 0;
	for (int f = 1; f < FEWER; f++)
		ADD(m, 0, 1);
	solve(m);
	uint32_t last = ADD(m, 1);
	stop = 1;
	assert_int_equal(max_min_solve(m, &error), -1);
	assert_int_equal(m->flow[last].bottleneck, NONE);
	size_t *start = calloc(2, sizeof *start);
	uint32_t *channel = calloc(1, sizeof *channel);
	start[1] = 1;
	assert_int_equal(max_min_take(taken, 1, start, channel, &error), -1);
	assert_int_equal(error.status, STATUS_OK);
	max_min_free(m);
	max_min_free(taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flows_share_a_channel_alike),
		cmocka_unit_test(the_textbook_line),
		cmocka_unit_test(weights_divide_a_bottleneck_in_proportion),
		cmocka_unit_test(parts_count_as_parts),
		cmocka_unit_test(a_flow_without_channels_has_no_limit),
		cmocka_unit_test(capacities_may_change),
		cmocka_unit_test(rates_are_those_of_filling_slowly),
		cmocka_unit_test(what_does_not_change_is_not_solved_again),
		cmocka_unit_test(flows_may_be_taken_at_once),
		cmocka_unit_test(a_signal_ends_the_solving),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
