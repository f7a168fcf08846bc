/* Computed routing: which graphs have it, and that its routes are channels of the graph. */
#include "helpers.h"

#include "topologies/topology.h"
#include "fabric/walk.h"
#include "formats/cache.h"

#include <stdlib.h>
#include <string.h>

static const char *const specs[] = {"fattree:k=4,n=3", "fattree:k=2,n=5", "thintree:down=3,up=2,n=3", "xgft:3:2/4:2/2:3",
	"xgft:3:1/4:2/2:3", "pgft:3:1:1/2:2:3/2:3:2", "pgft:2:1:2/3:2:5/2:1:3", "mport:m=4,n=3", "tree:degree=3,height=2", "star:5",
	"mesh:3x4,hosts=2", "torus:4x3x2", "torus:5,hosts=3", "torus:4x4,wrap=1:0", "dragonfly:p=2,a=3,h=2",
	"dragonfly:p=1,a=4,h=2,g=4,arrangement=circulant", "bcube:n=3,k=2", "dpillar:n=4,k=2", "dcell:n=2,k=1", "ficonn:n=4,k=1",
	"bcn:a=2,b=1,h=1", "gqstar:k=2,n=2", "swcube:k=2,n=3", "twisted:3x4,jump=1:0"};

/* A route leads from node to node to its destination, by the ports of the topology. */
static void assert_route(const struct world *world, uint32_t source, uint32_t destination, const uint32_t *route, uint32_t length)
{
	const struct fabric *fabric = world->fabric;
	uint32_t node = fabric->host_node[source];
	for (uint32_t i = 0; i < length; i++) {
		assert_int_equal(fabric_tail(fabric, route[i]), node);
		assert_int_equal(forwarding_next(world->forwarding, node, NONE, destination), route[i]);
		node = fabric->head[route[i]];
	}
	assert_int_equal(node, fabric->host_node[destination]);
	assert_int_equal(forwarding_next(world->forwarding, node, NONE, destination), NONE);
}

/* Every host has one channel, to a switch. */
static bool have_own_switches(const struct fabric *fabric)
{
	bool all = true;
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t v = fabric->host_node[h], first = fabric->first_channel[v];
		all &= fabric->first_channel[v + 1] - first == 1 && fabric->node_host[fabric->head[first]] == NONE;
	}
	return all;
}

TEST(routes_are_those_of_single_steps)
{
	for (size_t i = 0; i < 2 * ARRAY_LENGTH(specs); i++) {
		struct world world;
		world_topology(&world, specs[i / 2], i % 2);
		const struct routing_function *function = world.forwarding->function;
		uint32_t hosts = world.fabric->hosts, longest = routing_function_longest(function), most = 0;
		uint32_t *route = calloc(longest, sizeof *route), *middle = calloc(longest, sizeof *middle), walked[100];
		for (uint32_t s = 0; s < hosts; s++)
			for (uint32_t d = 0; d < hosts; d++) {
				if (s == d)
					continue;
				uint32_t length = routing_function_route(function, s, d, true, route);
				assert_in_range(length, 1, longest);
				most = length > most ? length : most;
				assert_route(&world, s, d, route, length);
				uint32_t between = length > 2 ? length - 2 : 0; /* of the first and the last */
				assert_int_equal(routing_function_route(function, s, d, false, middle), between);
				assert_memory_equal(middle, route + 1, between * sizeof *route);
				assert_int_equal(walk_route(world.fabric, world.forwarding, s, d, walked), length);
				assert_memory_equal(walked, route, length * sizeof *route);
			}
		assert_int_equal(function->own_ends, have_own_switches(world.fabric));
		assert_true(forwarding_any(world.forwarding, 0));
		if (!strncmp(specs[i / 2], "fattree", 7))
			assert_int_equal(function->channel == NULL, i % 2 == 0);
		free(route);
		free(middle);
		world_clear(&world);
	}
}

/* ---- which graphs */

/* k = 1, n = 1 would be too small; this one has two hosts and a switch. */
#define PAIR(attributes, edges) "digraph { graph [" attributes "]; H1; H2; S; H1->S; H2->S; S->H1; S->H2; " edges " }"

TEST(refuses_graphs_that_are_not_what_they_say)
{
	static const struct {
		const char *graph, *words[3];
	} cases[] = {
		{PAIR("topology=\"fattree:k=2,n=1\", routing=updn", ""), {"'fattree:k=2,n=1'", "'updn'", "'dmodk'"}},
		{PAIR("topology=\"fattree:k=3,n=1\", routing=dmodk", ""), {"2 hosts, 1 switches and 4 edges", "3, 1 and 6"}},
		{PAIR("topology=\"fatree:k=2,n=1\", routing=dmodk", ""), {"unknown topology 'fatree'", "did you mean 'fattree'"}},
		{PAIR("topology=\"fattree:k=2\", routing=dmodk", ""), {"'fattree:k=2'", "n"}},
		{PAIR("topology=\"fattree:k=2,n=1\", routing=dmodk", "S->H2"), {"2 hosts, 1 switches and 5 edges"}},
		{"digraph { graph [topology=\"fattree:k=2,n=1\", routing=dmodk]; H1; H2; S; H1->S; H2->S; S->H1; S->H1; }",
			{"edge S -> H1 is not in fattree:k=2,n=1"}},
		{"digraph { graph [topology=\"fattree:k=2,n=1\", routing=dmodk]; H1; H2; S; H1->S; H2->S; H2->S; S->H1; }",
			{"H2 has 2 outgoing edges, but in fattree:k=2,n=1 1"}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct world world;
		assert_int_equal(world_read(&world, cases[i].graph, DOT_TABLES), -1);
		for (int w = 0; w < 3 && cases[i].words[w]; w++)
			assert_contains(world.error.text, cases[i].words[w]);
		assert_error(&world.error, STATUS_FABRIC, "the fabric is not the topology");
		world_clear(&world);
	}
}

TEST(needs_both_attributes_and_no_sets)
{
	static const struct {
		const char *graph;
		bool function;
	} cases[] = {
		{PAIR("topology=\"fattree:k=2,n=1\", routing=dmodk", ""), true},
		{PAIR("topology=\"fattree:k=2,n=1\"", ""), false},
		{PAIR("routing=dmodk", ""), false},
		{"digraph { graph [topology=\"mesh:9\", routing=minhop]; H1->S [comment=\"*\"]; S->H1 [comment=H1]; }", false},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct world world;
		world_load(&world, cases[i].graph);
		assert_int_equal(world.forwarding->function != NULL, cases[i].function);
		world_clear(&world);
	}
}

TEST(hashes_tell_topologies_apart)
{
	struct world function, plain;
	world_load(&function, PAIR("topology=\"fattree:k=2,n=1\", routing=dmodk", ""));
	world_load(&plain, PAIR("", ""));
	assert_true(function.fabric->labels->hash != plain.fabric->labels->hash);
	world_clear(&function);
	world_clear(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_are_those_of_single_steps),
		cmocka_unit_test(refuses_graphs_that_are_not_what_they_say),
		cmocka_unit_test(needs_both_attributes_and_no_sets),
		cmocka_unit_test(hashes_tell_topologies_apart),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
