/* Following the tables from host to host. */
#include "helpers.h"

#include "base/random.h"
#include "fabric/walk.h"

#include <stdlib.h>
#include <string.h>

static int walk(const struct world *world, const char *from, const char *to, uint32_t *channels)
{
	return walk_route(world->fabric, world->forwarding, host_of(world, from), host_of(world, to), channels);
}

TEST(a_route_is_the_channels_from_host_to_host)
{
	struct world world;
	uint32_t route[5];
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->T [comment=\"*\"]; S->H1 [comment=H1]; S->T [comment=\"*\"];"
			   "T->S [comment=H1]; T->H2 [comment=H2] }");
	assert_int_equal(world.fabric->nodes, 4);
	assert_int_equal(walk(&world, "H1", "H2", route), 3);
	assert_int_equal(route[0], channel_of(&world, "H1", "S"));
	assert_int_equal(route[1], channel_of(&world, "S", "T"));
	assert_int_equal(route[2], channel_of(&world, "T", "H2"));
	assert_int_equal(walk(&world, "H2", "H1", route), 3);
	assert_int_equal(route[2], channel_of(&world, "S", "H1"));
	world_clear(&world);
}

static void assert_explained(struct world *world, const char *from, const char *to, const char *cause)
{
	assert_int_equal(walk_explain(world->fabric, world->forwarding, host_of(world, from), host_of(world, to), &world->error), -1);
	assert_error(&world->error, STATUS_FABRIC, world->path.text, from, to, cause);
}

TEST(a_switch_without_entry_is_named)
{
	struct world world;
	uint32_t route[5];
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; S->H1 [comment=H1]; S->H2 }");
	assert_int_equal(walk(&world, "H1", "H2", route), ROUTE_NO_ENTRY);
	assert_explained(&world, "H1", "H2", "no route from 'H1' to 'H2': switch 'S' has no entry for the destination");
	world_clear(&world);
}

TEST(a_host_without_entry_is_named)
{
	struct world world;
	uint32_t route[5];
	world_load(&world, "digraph { H1->S; H2->S [comment=\"*\"]; S->H1 [comment=H1]; S->H2 [comment=H2] }");
	assert_int_equal(walk(&world, "H1", "H2", route), ROUTE_NO_ENTRY);
	assert_explained(&world, "H1", "H2", "host 'H1' has no entry for the destination");
	world_clear(&world);
}

TEST(a_packet_that_goes_round_is_stopped)
{
	struct world world;
	uint32_t route[8];
	world_load(&world,
		"digraph { H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; S->T [comment=\"*\"]; T->U [comment=\"*\"]; U->T [comment=\"*\"] }");
	assert_int_equal(walk(&world, "H1", "H2", route), ROUTE_LOOP);
	assert_explained(&world, "H1", "H2", "switch 'T' is entered twice (a loop)");
	world_clear(&world);
}

TEST(a_packet_that_comes_back_to_its_sender_is_stopped)
{
	struct world world;
	uint32_t route[8];
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; S->H1 [comment=\"*\"] }");
	assert_int_equal(walk(&world, "H1", "H2", route), ROUTE_LOOP);
	assert_explained(&world, "H1", "H2", "host 'H1' is entered twice (a loop)");
	world_clear(&world);
}

TEST(a_channel_to_its_own_tail_is_a_loop)
{
	struct world world;
	uint32_t route[8];
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->S; S->S [comment=\"*\"] }");
	assert_int_equal(walk(&world, "H1", "H2", route), ROUTE_LOOP);
	world_clear(&world);
}

/* A host on the way is a node like any other. */
TEST(hosts_forward_too)
{
	struct world world;
	uint32_t route[8];
	world_load(&world, "digraph { H1->H2 [comment=\"*\"]; H2->H3 [comment=\"H3\"]; H3->S }");
	assert_int_equal(walk(&world, "H1", "H3", route), 2);
	assert_int_equal(walk(&world, "H1", "H2", route), 1);
	world_clear(&world);
}

/* The longest route there can be passes every node once; it ends in a host, or turns back at the last moment. */
TEST(the_longest_route_is_no_loop)
{
	enum { SWITCHES = 1000 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	fputs("digraph { H1->S0 [comment=\"*\"];", file);
	for (int s = 0; s + 1 < SWITCHES; s++)
		fprintf(file, "S%d->S%d [comment=\"*\"];", s, s + 1);
	fprintf(file, "S%d->H2 [comment=H2]; S%d->S%d [comment=H3]; H2->S0; H3->S0 }", SWITCHES - 1, SWITCHES - 1, SWITCHES / 2);
	fclose(file);
	struct world world;
	world_load(&world, text);
	uint32_t *route = calloc(world.fabric->nodes, sizeof *route);
	assert_int_equal(walk(&world, "H1", "H2", route), SWITCHES + 1);
	assert_int_equal(route[SWITCHES], channel_of(&world, "S999", "H2"));
	assert_int_equal(walk(&world, "H1", "H3", route), ROUTE_LOOP);
	free(route);
	free(text);
	world_clear(&world);
}

/* What walk_route must return, by keeping all nodes visited. */
static int naive_walk(const struct world *world, uint32_t source, uint32_t destination)
{
	const struct fabric *fabric = world->fabric;
	bool visited[64] = {false};
	uint32_t node = fabric->host_node[source], target = fabric->host_node[destination];
	int length = 0;
	while (node != target) {
		visited[node] = true;
		uint32_t channel = forwarding_next(world->forwarding, node, world->forwarding->column[node], destination);
		if (channel == NONE)
			return ROUTE_NO_ENTRY;
		assert_int_equal(fabric_tail(fabric, channel), node);
		node = fabric->head[channel];
		length++;
		if (visited[node])
			return ROUTE_LOOP;
	}
	return length;
}

/* Walks between all hosts; what came out is counted in endings: routes, no entries, loops. */
static void compare_walks(const struct world *world, unsigned *endings)
{
	uint32_t hosts = world->fabric->hosts, route[64];
	assert_in_range(world->fabric->nodes, 1, 64);
	for (uint32_t source = 0; source < hosts; source++)
		for (uint32_t destination = 0; destination < hosts; destination++) {
			if (source == destination)
				continue;
			int length = walk_route(world->fabric, world->forwarding, source, destination, route);
			assert_int_equal(length, naive_walk(world, source, destination));
			endings[length > 0 ? 0 : -length]++;
			uint32_t node = world->fabric->host_node[source];
			for (int hop = 0; hop < length; hop++) {
				assert_int_equal(fabric_tail(world->fabric, route[hop]), node);
				node = world->fabric->head[route[hop]];
			}
			if (length > 0)
				assert_int_equal(node, world->fabric->host_node[destination]);
		}
}

TEST(random_graphs_agree_with_a_walk_that_remembers_all)
{
	unsigned endings[3] = {0};
	struct random random;
	random_start(&random, 1, 0, 0);
	for (int graph = 0; graph < 300; graph++) {
		struct world world;
		char *text = random_graph(&random, 2 + random_below(&random, 8), 1 + random_below(&random, 40));
		world_load(&world, text);
		compare_walks(&world, endings);
		world_clear(&world);
		free(text);
	}
	for (int i = 0; i < 3; i++)
		assert_true(endings[i] > 500);
}

/* Up to the lowest common ancestor and down again: 2(l+1) channels when it is at level l. */
TEST(routes_in_a_tree_are_shortest)
{
	struct world world;
	uint32_t route[64];
	world_tree(&world, 3, 3);
	for (uint32_t s = 0; s < 27; s++)
		for (uint32_t d = 0; d < 27; d++)
			if (s != d)
				assert_int_equal(walk_route(world.fabric, world.forwarding, s, d, route), s / 3 == d / 3   ? 2
													  : s / 9 == d / 9 ? 4
															   : 6);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_is_the_channels_from_host_to_host),
		cmocka_unit_test(a_switch_without_entry_is_named),
		cmocka_unit_test(a_host_without_entry_is_named),
		cmocka_unit_test(a_packet_that_goes_round_is_stopped),
		cmocka_unit_test(a_packet_that_comes_back_to_its_sender_is_stopped),
		cmocka_unit_test(a_channel_to_its_own_tail_is_a_loop),
		cmocka_unit_test(hosts_forward_too),
		cmocka_unit_test(the_longest_route_is_no_loop),
		cmocka_unit_test(random_graphs_agree_with_a_walk_that_remembers_all),
		cmocka_unit_test(routes_in_a_tree_are_shortest),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
