/* Rates of messages of several classes, and textbook networks through them. */
#include "helpers.h"

#include "base/random.h"
#include "engines/flow/flow_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

static const struct class_setup alike = {.classes = 1};
static const struct class_setup strict = {.policy = CLASSES_STRICT, .classes = CLASSES_MAX};
static const struct class_setup halves = {.policy = CLASSES_SHARE, .classes = 2, .share = {50, 50}};
static const struct class_setup quarters = {.policy = CLASSES_SHARE, .classes = 2, .share = {1, 3}};

static struct flow_key add(struct flow_rates *r, uint32_t class, uint32_t count, const uint32_t *channel)
{
	struct flow_key key = flow_rates_add(r, class, channel, NULL, count, 1, &error);
	assert_fine(&error);
	return key;
}

#define ADD(r, class, ...) add(r, class, ARRAY_LENGTH(((uint32_t[]){__VA_ARGS__})), (uint32_t[]){__VA_ARGS__})

static void solve(struct flow_rates *r)
{
	assert_int_equal(flow_rates_solve(r, &error), 0);
	assert_fine(&error);
	for (unsigned p = 0; p < r->parts; p++)
		assert_true(max_min_holds(r->fair[p]));
}

static double rate(const struct flow_rates *r, struct flow_key key)
{
	return r->fair[r->parts > 1 ? key.class : 0]->flow[key.flow].rate;
}

static void drop(struct flow_rates *r, struct flow_key key)
{
	flow_rates_remove(r, key, &error);
	assert_fine(&error);
}

/* The parking lot: a message over all links of a line, one beside it on each. */
TEST(the_parking_lot)
{
	enum { LINKS = 6 };
	double capacity[LINKS];
	uint32_t all[LINKS];
	struct flow_key beside[LINKS];
	for (uint32_t c = 0; c < LINKS; c++) {
		capacity[c] = 2 + c;
		all[c] = c;
	}
	struct flow_rates *r = flow_rates_create(&alike, LINKS, capacity, &error);
	struct flow_key through = add(r, 0, LINKS, all);
	for (uint32_t c = 0; c < LINKS; c++)
		beside[c] = ADD(r, 0, c);
	solve(r);
	assert_within(rate(r, through), 1, 1e-12);
	for (uint32_t c = 0; c < LINKS; c++)
		assert_within(rate(r, beside[c]), 1 + c, 1e-12);
	flow_rates_free(r);
}

/* Each message is held by the one before, on a channel of its own: levels 1, 2, 3, .. one after the other. */
TEST(a_chain_of_bottlenecks)
{
	enum { LINKS = 20 };
	double capacity[LINKS];
	struct flow_key key[LINKS];
	for (uint32_t c = 0; c < LINKS; c++)
		capacity[c] = c ? 2 * c + 1 : 1; /* the rates of flows c - 1 and c */
	struct flow_rates *r = flow_rates_create(&alike, LINKS, capacity, &error);
	for (uint32_t c = 0; c < LINKS; c++)
		key[c] = c + 1 < LINKS ? ADD(r, 0, c, c + 1) : ADD(r, 0, c);
	solve(r);
	for (uint32_t c = 0; c < LINKS; c++)
		assert_within(rate(r, key[c]), 1 + c, 1e-9);
	flow_rates_free(r);
}

TEST(classes_alike_are_one)
{
	const double capacity[] = {12};
	struct flow_rates *r = flow_rates_create(&alike, 1, capacity, &error);
	struct flow_key a = ADD(r, 0, 0), b = ADD(r, 5, 0), c = ADD(r, 255, 0);
	solve(r);
	assert_within(rate(r, a), 4, 1e-12);
	assert_within(rate(r, b), 4, 1e-12);
	assert_within(rate(r, c), 4, 1e-12);
	flow_rates_free(r);
}

TEST(a_class_alone_takes_all)
{
	const double capacity[] = {12, 8};
	struct flow_rates *r = flow_rates_create(&halves, 2, capacity, &error);
	struct flow_key a = ADD(r, 1, 0);
	solve(r);
	assert_within(rate(r, a), 12, 1e-12);
	struct flow_key b = ADD(r, 0, 0), c = ADD(r, 0, 0);
	struct flow_key d = ADD(r, 1, 1); /* where its class is alone still */
	solve(r);
	assert_within(rate(r, a), 6, 1e-12);
	assert_within(rate(r, b), 3, 1e-12);
	assert_within(rate(r, c), 3, 1e-12);
	assert_within(rate(r, d), 8, 1e-12);
	drop(r, b);
	drop(r, c);
	solve(r);
	assert_within(rate(r, a), 12, 1e-12);
	flow_rates_free(r);
}

TEST(shares_are_proportions)
{
	double capacity[] = {12};
	struct flow_rates *r = flow_rates_create(&quarters, 1, capacity, &error);
	struct flow_key first = ADD(r, 0, 0), last = ADD(r, 1, 0), past = ADD(r, 9, 0); /* which counts as the last */
	solve(r);
	assert_within(rate(r, first), 3, 1e-12);
	assert_within(rate(r, last), 4.5, 1e-12);
	assert_within(rate(r, past), 4.5, 1e-12);
	capacity[0] = 4;
	flow_rates_touch(r, 0);
	solve(r);
	assert_within(rate(r, first), 1, 1e-12);
	assert_within(rate(r, last), 1.5, 1e-12);
	capacity[0] = 0;
	flow_rates_touch(r, 0);
	solve(r);
	assert_within(rate(r, first), 0, 0);
	flow_rates_free(r);
}

/* The first class has what it wants; the second what that leaves, and nothing where nothing is left. */
TEST(strict_classes_get_what_is_left)
{
	double capacity[] = {10, 4, 10};
	struct flow_rates *r = flow_rates_create(&strict, 3, capacity, &error);
	struct flow_key high = ADD(r, 0, 0, 1), low = ADD(r, 1, 0), stopped = ADD(r, 1, 1), lowest = ADD(r, 2, 0, 2), free = ADD(r, 7, 2);
	solve(r);
	assert_within(rate(r, high), 4, 1e-12);
	assert_within(rate(r, low), 6, 1e-12);
	assert_within(rate(r, stopped), 0, 0);
	assert_within(rate(r, lowest), 0, 0);
	assert_within(rate(r, free), 10, 1e-12);
	drop(r, low);
	solve(r);
	assert_within(rate(r, lowest), 6, 1e-12);
	assert_within(rate(r, free), 4, 1e-12);
	drop(r, high);
	solve(r);
	assert_within(rate(r, stopped), 4, 1e-12);
	assert_within(rate(r, lowest), 10, 1e-12);
	assert_within(rate(r, free), 0, 0);
	capacity[2] = 3;
	flow_rates_touch(r, 2);
	solve(r);
	assert_within(rate(r, lowest), 3, 1e-12);
	capacity[0] = 1;
	flow_rates_touch(r, 0);
	solve(r);
	assert_within(rate(r, lowest), 1, 1e-12);
	assert_within(rate(r, free), 2, 1e-12);
	flow_rates_free(r);
}

/* Thirds of a channel leave no crumbs, on which a message would crawl. */
TEST(rounding_leaves_nothing)
{
	const double capacity[] = {1e10, 1e10};
	struct flow_rates *r = flow_rates_create(&strict, 2, capacity, &error);
	for (int i = 0; i < 7; i++)
		ADD(r, 0, 0);
	for (int i = 0; i < 3; i++)
		ADD(r, 0, 1);
	struct flow_key low = ADD(r, 1, 0, 1);
	solve(r);
	assert_within(rate(r, low), 0, 0);
	flow_rates_free(r);
}

/* ---- what was found step by step is what would be found at once */

enum { CHANNELS = 40, MESSAGES = 120, LONGEST = 5 };

struct drawn {
	bool there;
	uint32_t class, count, channel[LONGEST];
	double part[LONGEST];
	struct flow_key key;
};

static void draw(struct drawn *d, struct random *random)
{
	d->there = true;
	d->class = random_below(random, 4);
	d->count = 0;
	for (uint32_t hops = 1 + random_below(random, LONGEST); d->count < hops;) {
		uint32_t c = random_below(random, CHANNELS), i = 0;
		while (i < d->count && d->channel[i] != c)
			i++;
		d->channel[i] = c;
		d->part[i] = (1 + random_below(random, 4)) / 4.0;
		d->count += i == d->count;
	}
}

static void change_and_compare(const struct class_setup *setup, uint64_t seed, uint32_t messages, bool parts)
{
	static struct drawn drawn[MESSAGES];
	double capacity[CHANNELS];
	struct random random;
	random_start(&random, seed, 0, 0);
	memset(drawn, 0, sizeof drawn);
	for (int c = 0; c < CHANNELS; c++)
		capacity[c] = 1 + random_below(&random, 5);
	struct flow_rates *r = flow_rates_create(setup, CHANNELS, capacity, &error);
	for (int step = 0; step < 40; step++) {
		for (uint32_t change = 1 + random_below(&random, 4); change--;) {
			struct drawn *d = &drawn[random_below(&random, messages)];
			if (d->there) {
				drop(r, d->key);
				d->there = false;
			} else {
				draw(d, &random);
				d->key = flow_rates_add(r, d->class, d->channel, parts ? d->part : NULL, d->count, 1, &error);
			}
		}
		if (step % 5 == 4) {
			uint32_t c = random_below(&random, CHANNELS);
			capacity[c] = random_below(&random, 4);
			flow_rates_touch(r, c);
		}
		solve(r);
		struct flow_rates *fresh = flow_rates_create(setup, CHANNELS, capacity, &error);
		struct flow_key key[MESSAGES];
		for (uint32_t i = 0; i < messages; i++)
			if (drawn[i].there)
				key[i] = flow_rates_add(
					fresh, drawn[i].class, drawn[i].channel, parts ? drawn[i].part : NULL, drawn[i].count, 1, &error);
		solve(fresh);
		for (uint32_t i = 0; i < messages; i++)
			if (drawn[i].there)
				assert_within(rate(r, drawn[i].key), rate(fresh, key[i]), 1e-9);
		flow_rates_free(fresh);
	}
	flow_rates_free(r);
}

TEST(steps_lead_where_one_leap_does)
{
	for (uint64_t seed = 1; seed <= 10; seed++)
		for (int parts = 0; parts < 2; parts++) {
			change_and_compare(&alike, seed, MESSAGES, parts);
			change_and_compare(&strict, seed, MESSAGES, parts);
			change_and_compare(&strict, seed, 15, parts);
			change_and_compare(&quarters, seed, MESSAGES, parts);
			change_and_compare(&quarters, seed, 15, parts);
		}
}

/* Within a class weights are proportions, as far as the bottleneck is one; classes do not know them. */
TEST(weights_are_proportions_within_a_class)
{
	static const uint32_t port[] = {0}, through[] = {0, 1};
	for (int policy = 0; policy < 3; policy++) {
		const struct class_setup *setup = policy == 0 ? &alike : policy == 1 ? &strict : &halves;
		const double capacity[] = {10, 2};
		struct flow_rates *r = flow_rates_create(setup, 2, capacity, &error);
		struct flow_key one = flow_rates_add(r, 0, port, NULL, 1, 1, &error),
				three = flow_rates_add(r, 0, port, NULL, 1, 3, &error);
		solve(r);
		assert_within(rate(r, one), 2.5, 1e-12);
		assert_within(rate(r, three), 7.5, 1e-12);
		struct flow_key narrow = flow_rates_add(r, 0, through, NULL, 2, 4, &error); /* could have 5 */
		solve(r);
		assert_within(rate(r, narrow), 2, 1e-12);
		assert_within(rate(r, one), 2, 1e-12);
		assert_within(rate(r, three), 6, 1e-12);
		drop(r, narrow);
		struct flow_key other = flow_rates_add(r, 1, port, NULL, 1, 4, &error);
		solve(r);
		assert_within(rate(r, other), policy == 1 ? 0 : 5, 1e-12);
		assert_within(rate(r, three), policy == 1 ? 7.5 : 3.75, 1e-12);
		flow_rates_free(r);
	}
}

/* Those that may have another rate are told, and what they had. */
TEST(changes_are_told)
{
	const double capacity[] = {12, 5};
	struct flow_rates *r = flow_rates_create(&strict, 2, capacity, &error);
	struct flow_key high = ADD(r, 0, 0), low = ADD(r, 1, 0), aside = ADD(r, 1, 1);
	solve(r);
	drop(r, high);
	solve(r);
	const struct max_min *m = r->fair[1];
	bool told = false;
	for (size_t i = 0; i < m->touches; i++)
		told |= m->touched[i] == low.flow && m->old[low.flow] == 0;
	assert_true(told);
	assert_within(rate(r, low), 12, 1e-12);
	assert_within(rate(r, aside), 5, 1e-12);
	solve(r); /* nothing has changed */
	for (unsigned p = 0; p < r->parts; p++)
		assert_int_equal(r->fair[p]->touches, 0);
	flow_rates_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parking_lot),
		cmocka_unit_test(a_chain_of_bottlenecks),
		cmocka_unit_test(classes_alike_are_one),
		cmocka_unit_test(a_class_alone_takes_all),
		cmocka_unit_test(shares_are_proportions),
		cmocka_unit_test(strict_classes_get_what_is_left),
		cmocka_unit_test(rounding_leaves_nothing),
		cmocka_unit_test(steps_lead_where_one_leap_does),
		cmocka_unit_test(weights_are_proportions_within_a_class),
		cmocka_unit_test(changes_are_told),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
