/* Nodes, channels, cables and speeds. */
#include "helpers.h"
#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the text and pairs its channels. */
static uint32_t *load_and_pair(struct world *world, const char *text)
{
	world_load(world, text);
	uint32_t *reverse = fabric_reverse(world->fabric, &world->error);
	assert_non_null(reverse);
	return reverse;
}

/* Whoever has an opposite direction is its opposite, and the two join the same nodes. */
static void assert_pairs_up(const struct fabric *fabric, const uint32_t *reverse, uint32_t paired)
{
	uint32_t count = 0;
	for (uint32_t c = 0; c < fabric->channels; c++) {
		if (reverse[c] == NONE)
			continue;
		count++;
		assert_int_not_equal(reverse[c], c);
		assert_in_range(reverse[c], 0, fabric->channels - 1);
		assert_int_equal(reverse[reverse[c]], c);
		assert_int_equal(fabric_tail(fabric, reverse[c]), fabric->head[c]);
		assert_int_equal(fabric_tail(fabric, c), fabric->head[reverse[c]]);
	}
	assert_int_equal(count, paired);
}

TEST(an_empty_fabric_is_made_and_freed)
{
	struct error error = {0};
	struct fabric *fabric = fabric_create(0, 0, 0, &error);
	assert_non_null(fabric);
	fabric_free(fabric);
	fabric_free(NULL);
}

TEST(channels_know_their_tails)
{
	struct world world;
	world_load(&world, "digraph { H1; S0; S1; S2; H2; H1->S1; S1->H1; S1->S2; S2->S1; S1->S2; H2->S2; S2->H2 }");
	const struct fabric *fabric = world.fabric;
	assert_int_equal(fabric->nodes, 5); /* S0 has no channels at all */
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			assert_int_equal(fabric_tail(fabric, c), v);
	assert_int_equal(fabric->first_channel[fabric->nodes], fabric->channels);
	assert_int_equal(fabric->channels, 7);
	world_clear(&world);
}

TEST(one_cable_is_two_channels)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1; S1->H1; H2->S1; S1->H2 }");
	assert_pairs_up(world.fabric, reverse, 4);
	assert_int_equal(reverse[channel_of(&world, "H1", "S1")], channel_of(&world, "S1", "H1"));
	assert_int_equal(reverse[channel_of(&world, "H2", "S1")], channel_of(&world, "S1", "H2"));
	free(reverse);
	world_clear(&world);
}

TEST(one_direction_alone_has_no_opposite)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1; H2->S1; S1->H2; S1->S2; S2->S3; S3->S1 }");
	assert_pairs_up(world.fabric, reverse, 2);
	assert_int_equal(reverse[channel_of(&world, "H1", "S1")], NONE);
	free(reverse);
	world_clear(&world);
}

/* The k-th channel one way goes with the k-th channel the other way. */
TEST(parallel_channels_without_ports_pair_in_their_order)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1; S1->S2; S2->S1; S2->S1; S1->S2; S1->S2; S2->S1; S1->H1 }");
	const struct fabric *fabric = world.fabric;
	uint32_t there = channel_of(&world, "S1", "S2"), back = channel_of(&world, "S2", "S1");
	assert_pairs_up(fabric, reverse, 8);
	for (uint32_t k = 0; k < 3; k++)
		assert_int_equal(reverse[there + k], back + k);
	free(reverse);
	world_clear(&world);
}

TEST(what_is_left_of_uneven_parallels_stays_alone)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1; S1->H1; S1->S2; S1->S2; S1->S2; S2->S1; S2->S1 }");
	uint32_t there = channel_of(&world, "S1", "S2"), back = channel_of(&world, "S2", "S1");
	assert_pairs_up(world.fabric, reverse, 6);
	assert_int_equal(reverse[there], back);
	assert_int_equal(reverse[there + 1], back + 1);
	assert_int_equal(reverse[there + 2], NONE);
	free(reverse);
	world_clear(&world);
}

/* The ports cross over, against the order. */
TEST(ports_decide_where_they_are_known)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1 [port=1, peer_port=9]; S1->H1 [port=9, peer_port=1];"
						  "S1->S2 [port=1, peer_port=12]; S1->S2 [port=2, peer_port=11];"
						  "S2->S1 [port=11, peer_port=2]; S2->S1 [port=12, peer_port=1] }");
	uint32_t there = channel_of(&world, "S1", "S2"), back = channel_of(&world, "S2", "S1");
	assert_int_equal(world.fabric->labels->port[there], 1);
	assert_int_equal(world.fabric->labels->peer_port[there], 12);
	assert_pairs_up(world.fabric, reverse, 6);
	assert_int_equal(reverse[there], back + 1);
	assert_int_equal(reverse[there + 1], back);
	free(reverse);
	world_clear(&world);
}

/* A port number that only one direction has tells nothing: the order decides. */
TEST(ports_of_one_direction_do_not_keep_a_cable_apart)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1 [port=1, peer_port=9]; S1->H1; H2->S1; S1->H2 [port=3, peer_port=1] }");
	assert_pairs_up(world.fabric, reverse, 4);
	free(reverse);
	world_clear(&world);
}

TEST(a_channel_to_its_own_tail_is_not_its_own_opposite)
{
	struct world world;
	uint32_t *reverse = load_and_pair(&world, "digraph { H1->S1; S1->H1; S1->S1 }");
	assert_pairs_up(world.fabric, reverse, 2);
	assert_int_equal(reverse[channel_of(&world, "S1", "S1")], NONE);
	free(reverse);
	world_clear(&world);
}

TEST(a_tree_pairs_up_completely)
{
	struct world world;
	world_tree(&world, 3, 3);
	uint32_t *reverse = fabric_reverse(world.fabric, &world.error);
	assert_pairs_up(world.fabric, reverse, world.fabric->channels);
	free(reverse);
	world_clear(&world);
}

static double speed_of(const struct world *world, const char *from, const char *to)
{
	return world->fabric->speed[channel_of(world, from, to)];
}

TEST(speeds_count_from_the_slowest_host_link)
{
	struct world world;
	world_load(&world, "digraph { H1->S1 [speed=50]; S1->H1 [speed=50]; H2->S1 [speed=\"25.0\"]; S1->H2 [speed=25];"
			   "S1->S2 [speed=100]; S2->S1 [speed=12.5] }");
	assert_int_equal(world.report.missing_speeds, 0);
	assert_within(speed_of(&world, "H1", "S1"), 2, 1e-15);
	assert_within(speed_of(&world, "H2", "S1"), 1, 1e-15);
	assert_within(speed_of(&world, "S1", "S2"), 4, 1e-15);
	assert_within(speed_of(&world, "S2", "S1"), 0.5, 1e-15); /* a slow link between switches is no unit */
	world_clear(&world);
}

TEST(the_down_link_of_a_host_may_be_its_slowest)
{
	struct world world;
	world_load(&world, "digraph { H1->S1 [speed=50]; S1->H1 [speed=10] }");
	assert_within(speed_of(&world, "H1", "S1"), 5, 1e-15);
	assert_within(speed_of(&world, "S1", "H1"), 1, 1e-15);
	world_clear(&world);
}

TEST(one_missing_speed_makes_all_alike)
{
	struct world world;
	world_load(&world, "digraph { H1->S1 [speed=50]; S1->H1; S1->S2 [speed=100]; S2->S1 }");
	assert_int_equal(world.report.missing_speeds, 2);
	for (uint32_t c = 0; c < world.fabric->channels; c++)
		assert_true(world.fabric->speed[c] == 1);
	world_clear(&world);
}

TEST(without_speeds_none_is_missing)
{
	struct world world;
	world_load(&world, "digraph { H1->S1; S1->H1 }");
	assert_int_equal(world.report.missing_speeds, 0);
	for (uint32_t c = 0; c < world.fabric->channels; c++)
		assert_true(world.fabric->speed[c] == 1);
	world_clear(&world);
}

TEST(the_hash_sees_every_byte_and_the_order)
{
	unsigned char data[20] = {0};
	uint64_t first = hash_words(1, data, sizeof data);
	assert_true(first == hash_words(1, data, sizeof data));
	assert_true(first != hash_words(2, data, sizeof data));
	assert_true(first != hash_words(1, data, sizeof data - 1));
	assert_true(hash_words(1, data, 1) != hash_words(1, data, 2));
	for (size_t bit = 0; bit < 8 * sizeof data; bit++) {
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		assert_true(first != hash_words(1, data, sizeof data));
		data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	uint32_t one[] = {1, 2, 3, 4}, other[] = {3, 4, 1, 2};
	assert_true(hash_words(1, one, sizeof one) != hash_words(1, other, sizeof other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_fabric_is_made_and_freed),
		cmocka_unit_test(channels_know_their_tails),
		cmocka_unit_test(one_cable_is_two_channels),
		cmocka_unit_test(one_direction_alone_has_no_opposite),
		cmocka_unit_test(parallel_channels_without_ports_pair_in_their_order),
		cmocka_unit_test(what_is_left_of_uneven_parallels_stays_alone),
		cmocka_unit_test(ports_decide_where_they_are_known),
		cmocka_unit_test(ports_of_one_direction_do_not_keep_a_cable_apart),
		cmocka_unit_test(a_channel_to_its_own_tail_is_not_its_own_opposite),
		cmocka_unit_test(a_tree_pairs_up_completely),
		cmocka_unit_test(speeds_count_from_the_slowest_host_link),
		cmocka_unit_test(the_down_link_of_a_host_may_be_its_slowest),
		cmocka_unit_test(one_missing_speed_makes_all_alike),
		cmocka_unit_test(without_speeds_none_is_missing),
		cmocka_unit_test(the_hash_sees_every_byte_and_the_order),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
