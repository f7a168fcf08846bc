/* The events of the packet engine against a list that is searched from end to end: every event comes back once, in the order of time. */
#include "helpers.h"

#include "base/random.h"
#include "engines/packet/packet_events.h"

#include <stdlib.h>
#include <string.h>

static struct error error;

enum { MOST = 20000 };

/* All that is in the queue, in no order. */
struct list {
	struct packet_event event[MOST];
	size_t count;
};

static struct packet_events events;
static struct list list;
static uint32_t added;

static void begin(void)
{
	packet_events_begin(&events, &error);
	list.count = added = 0;
}

static void add(uint64_t time)
{
	enum packet_event_kind kind = (enum packet_event_kind)(added % (EVENT_SOURCE + 1));
	assert_true(list.count < MOST);
	list.event[list.count++] = (struct packet_event){time << EVENT_KIND_BITS | kind, added, ~added};
	packet_events_add(&events, time, kind, added, ~added);
	added++;
}

/* Takes the next event, which must be one of the first of those in the list. */
static struct packet_event take_event(void)
{
	uint64_t first = UINT64_MAX;
	size_t place = list.count;
	for (size_t i = 0; i < list.count; i++)
		first = event_time(&list.event[i]) < first ? event_time(&list.event[i]) : first;
	assert_int_equal(packet_events_next(&events), first);
	assert_int_equal(packet_events_next(&events), first);
	struct packet_event event = packet_events_take(&events, packet_events_next(&events));
	for (size_t i = 0; i < list.count; i++)
		if (list.event[i].target == event.target)
			place = i;
	assert_true(place < list.count);
	assert_int_equal(event_time(&event), first);
	assert_int_equal(event.when, list.event[place].when);
	assert_int_equal(event.packet, ~event.target);
	list.event[place] = list.event[--list.count];
	return event;
}

static uint64_t take(void)
{
	struct packet_event event = take_event();
	return event_time(&event);
}

static void take_all(void)
{
	while (list.count)
		take();
	assert_true(packet_events_next(&events) == UINT64_MAX);
	assert_fine(&error);
}

TEST(nothing)
{
	begin();
	assert_true(packet_events_next(&events) == UINT64_MAX);
	add(0);
	take_all();
	packet_events_clear(&events);
}

/* Time 0, buckets and what is between, the last bucket of the wheel and the first beyond it, the last time there is. */
TEST(edges)
{
	static const uint64_t times[] = {0, 1, 4095, 4096, 4097, UINT64_C(4096) * WHEEL_BUCKETS - 1, UINT64_C(4096) * WHEEL_BUCKETS,
		UINT64_C(4096) * WHEEL_BUCKETS + 1, UINT64_C(4096) * (WHEEL_BUCKETS - 1), UINT64_C(1) << 40, EVENT_LAST - 1, EVENT_LAST};
	begin();
	for (size_t i = 0; i < ARRAY_LENGTH(times); i++) {
		add(times[i]);
		add(times[ARRAY_LENGTH(times) - 1 - i]);
	}
	take_all();
	packet_events_clear(&events);
}

/* So many random bits. */
static uint64_t draw(struct random *random, unsigned bits)
{
	uint64_t high = (uint64_t)random_bits(random) << 32;
	return (high | random_bits(random)) >> (64 - bits);
}

/* Events now, near and far, of one time and of many, while others are taken: what the queue holds swells and shrinks. */
static void mixed(uint64_t seed, unsigned spread, unsigned far_spread)
{
	struct random random;
	random_start(&random, seed, RANDOM_PATTERN, 0);
	begin();
	uint64_t now = 0;
	for (int step = 0; step < 3000; step++) {
		for (uint32_t i = random_below(&random, 5); i; i--) {
			uint32_t what = random_below(&random, 20);
			add(now + (what < 3 ? 0 : draw(&random, what == 19 ? far_spread : spread)));
		}
		for (uint32_t i = random_below(&random, 5); i && list.count; i--)
			now = take();
	}
	take_all();
}

TEST(now_near_and_far)
{
	for (unsigned spread = 1; spread <= 44; spread += 4)
		mixed(spread, spread, spread + 12);
	packet_events_clear(&events);
}

/* So many events lie beyond the wheel that buckets become wider, then so many in one that they become narrower, again and again. */
TEST(other_widths)
{
	unsigned narrow = UINT32_MAX, wide = 0;
	begin();
	uint64_t now = 0;
	for (int round = 0; round < 6; round++) {
		uint64_t step = round % 2 ? 50 : UINT64_C(1) << 22;
		for (int i = 0; i < 60000; i++) {
			while (list.count < 40)
				add(now + 1 + (uint64_t)(i * 7919 % 1000) * step);
			now = take();
			narrow = events.shift < narrow ? events.shift : narrow;
			wide = events.shift > wide ? events.shift : wide;
		}
	}
	take_all();
	assert_true(narrow + 4 < wide);
	packet_events_clear(&events);
}

/* Many events in one bucket, while others are added to it; those of one time come in the same order every time. */
TEST(crowds)
{
	static const uint32_t sizes[] = {1, 2, 47, 48, 49, 64, 300, 5000};
	static uint32_t order[2][2 * 5000];
	for (size_t s = 0; s < ARRAY_LENGTH(sizes); s++)
		for (int round = 0; round < 2; round++) {
			struct random random;
			random_start(&random, sizes[s], RANDOM_PATTERN, 0);
			begin();
			add(5000);
			take();
			for (uint32_t i = 0; i < sizes[s]; i++)
				add(8192 + draw(&random, 10));
			for (uint32_t i = 0; list.count; i++) {
				uint64_t time = packet_events_next(&events);
				if (i < sizes[s] / 2)
					add(time + draw(&random, 5));
				order[round][i] = take_event().target;
			}
			assert_true(!round || !memcmp(order[0], order[1], sizeof order[0]));
		}
	packet_events_clear(&events);
}

/* Buckets of ever more events: what they are sorted in and what they are sorted into grow alike. */
TEST(growing_crowds)
{
	struct random random;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	begin();
	add(5000);
	take();
	for (uint64_t round = 1, size = 60; size < 900; round++, size += size / 3) {
		for (uint64_t i = 0; i < size; i++)
			add(round * 65536 + draw(&random, 8)); /* sorted in one pass: into the other array */
		take_all();
	}
	packet_events_clear(&events);
}

/* What would be after the last time there is happens at it. */
TEST(after_the_last_time)
{
	begin();
	packet_events_add(&events, EVENT_LAST + 1, EVENT_HEAD, 0, 0);
	packet_events_add(&events, UINT64_MAX, EVENT_HEAD, 1, 0);
	assert_true(packet_events_next(&events) == EVENT_LAST);
	packet_events_clear(&events);
}

/* As if it were new, whatever was left in it. */
TEST(again)
{
	for (int round = 0; round < 3; round++) {
		begin();
		for (uint64_t i = 0; i < 5000; i++)
			add(i * i * 1000);
		for (int i = 0; i < 2000; i++)
			take();
	}
	begin();
	assert_true(packet_events_next(&events) == UINT64_MAX);
	packet_events_clear(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(edges),
		cmocka_unit_test(now_near_and_far),
		cmocka_unit_test(other_widths),
		cmocka_unit_test(crowds),
		cmocka_unit_test(growing_crowds),
		cmocka_unit_test(after_the_last_time),
		cmocka_unit_test(again),
	};
	return cmocka_run_group_tests_name("packet events", tests, NULL, NULL);
}
