/* Routing engines: their table, the fabric as they see it, legal ways, circles of turns. What the engines promise tests/route asks. */
#include "helpers.h"

#include "base/random.h"
#include "topologies/topology.h"
#include "routings/lane_fit.h"
#include "routings/turns.h"
#include "routings/updown.h"

#include <stdlib.h>
#include <string.h>

TEST(every_engine_tells_what_it_is)
{
	struct error error = {0};
	for (size_t i = 0; routings[i]; i++) {
		assert_true(*routings[i]->name && *routings[i]->summary && *routings[i]->source && *routings[i]->needs);
		assert_non_null(routings[i]->route);
		assert_ptr_equal(routing_find(routings[i]->name, &error), routings[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(routings[i]->name, routings[j]->name);
	}
	assert_fine(&error);
	assert_null(routing_find("minhoop:3", &error));
	assert_error(&error, STATUS_USAGE, "minhoop", "did you mean 'minhop'");
}

/* H1 and H2 have one cable, H3 has two, H4 only sends. */
static const char small[] = "digraph { H1 -> A; A -> H1; H2 -> A; A -> H2; H3 -> A; A -> H3; H3 -> B; B -> H3; H4 -> B; A -> B; B -> A }";

TEST(hosts_are_grouped_by_their_switch)
{
	struct world world;
	struct routing_graph graph;
	assert_int_equal(world_read(&world, small, 0), 0);
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	assert_int_equal(graph.columns, 3); /* A, B, H3 */
	assert_int_equal(graph.column[node_of(&world, "H1")], NONE);
	assert_int_not_equal(graph.column[node_of(&world, "H3")], NONE);
	assert_int_equal(graph.senders[node_of(&world, "A")], 2);
	assert_int_equal(graph.senders[node_of(&world, "B")], 1);
	assert_int_equal(graph.senders[node_of(&world, "H3")], 1);
	assert_int_equal(graph.groups, 3);
	assert_int_equal(graph.root[0], node_of(&world, "A"));
	assert_int_equal(graph.root[1], node_of(&world, "H3"));
	assert_int_equal(graph.root[2], node_of(&world, "H4"));
	assert_int_equal(graph.first_member[1], 2);
	assert_int_equal(routing_last(&graph, 0, host_of(&world, "H2")), channel_of(&world, "A", "H2"));
	assert_int_equal(routing_last(&graph, 1, host_of(&world, "H3")), NONE);
	for (uint32_t v = 0; v < world.fabric->nodes; v++)
		for (uint32_t i = graph.first_in[v]; i < graph.first_in[v + 1]; i++)
			assert_int_equal(world.fabric->head[graph.in[i]], v);
	routing_graph_clear(&graph);
	world_clear(&world);
}

TEST(shortest_ways_pass_no_host)
{
	struct world world;
	struct routing_graph graph;
	struct choices choices;
	assert_int_equal(
		world_read(&world, "digraph { A -> H3; H3 -> A; H3 -> B; B -> H3; B -> H2; H2 -> B; H1 -> A; A -> H1; A -> C; C -> B }", 0),
		0);
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	assert_int_equal(choices_init(&choices, &graph, &world.error), 0);
	choices_shortest(&choices, node_of(&world, "B"));
	assert_int_equal(choices.distance[node_of(&world, "A")], 2); /* by C, though H3 would be as near */
	assert_int_equal(choices.distance[node_of(&world, "H3")], 1);
	assert_int_equal(choices.count, 3);
	for (uint32_t i = 0; i < choices.count; i++) {
		assert_int_equal(choices.first[i + 1] - choices.first[i], 1);
		assert_int_not_equal(choices.channel[choices.first[i]], channel_of(&world, "A", "H3"));
	}
	choices_shortest(&choices, node_of(&world, "A"));
	assert_int_equal(choices.distance[node_of(&world, "B")], NONE);
	choices_clear(&choices);
	routing_graph_clear(&graph);
	world_clear(&world);
}

/* Two switches with two hosts each; B1 and C1 are joined by a cable, and so are the others. */
static const char cells[] = "digraph { graph [topology=\"%s\"]; node [type=host]; B1; B2; C1; C2; H; node [type=switch]; B; C; "
			    "B1->B; B->B1; B2->B; B->B2; C1->C; C->C1; C2->C; C->C2; B1->C1; C1->B1; H->B1; B1->H }";

TEST(hosts_forward_where_the_topology_says_so)
{
	static const struct {
		const char *spec;
		bool forward;
	} cases[] = {{"dcell:n=2,k=1", true}, {"dcell:n=2,k=1,parallel=2", true}, {"torus:4x4/ficonn:4,1", true},
		{"star:4/ring:3,direct", true}, {"star:4/ring:3", false}, {"bcube:2,2/star:2", false},
		{"leafspine:leaves=4,spines=2,hosts=4,rails=2", false}, {"xgft:2:2/2:1", false}, {"star:4/ring:", false}, {"dcel", false},
		{"", false}};
	static const char *const engines[] = {
		"minhop-orcs", "bfs", "ecmp", "updn-orcs", "dnup-orcs", "ftree-orcs", "sssp-orcs", "dfsssp-orcs", "lash-orcs", "nue"};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct world world;
		struct routing_graph graph;
		struct routed routed;
		char text[1000];
		uint64_t missing;
		snprintf(text, sizeof text, cells, cases[i].spec);
		assert_int_equal(topology_hosts_forward(cases[i].spec), cases[i].forward);
		assert_int_equal(world_read(&world, text, 0), 0);
		assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
		struct routing_task task = {.graph = &graph, .topology = cases[i].spec, .lanes = 8};
		for (size_t e = 0; e < ARRAY_LENGTH(engines); e++) {
			if (routing_run(&routed, engines[e], &task, &world.error))
				fail_msg("%s: %s", engines[e], world.error.text);
			assert_int_equal(routed_missing(&routed, &graph, 0, NULL, NULL, &missing, &world.error), 0);
			assert_int_equal(missing == 0, cases[i].forward);
			routed_clear(&routed);
		}
		routing_graph_clear(&graph);
		world_clear(&world);
	}
}

/* H2 and H3 have cables of their own to one another, beside those to switches that nothing else joins: the only way, and a legal one. */
TEST(hosts_beside_one_another_have_a_legal_way)
{
	static const char *const engines[] = {"minhop-orcs", "updn-orcs", "dnup-orcs", "ftree-orcs", "nue"};
	struct world world;
	struct routing_graph graph;
	struct routed routed;
	assert_int_equal(
		world_read(
			&world, "digraph { H1->A->H1; H2->A->H2; H4->B->H4; H3->B->H3; H2->H3->H2; H5->H1->H5; H6->A->H6; H6->H1->H6 }", 0),
		0);
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	struct routing_task task = {.graph = &graph, .lanes = 8};
	for (size_t e = 0; e < ARRAY_LENGTH(engines); e++) {
		assert_int_equal(routing_run(&routed, engines[e], &task, &world.error), 0);
		assert_int_equal(routed_row(&routed, &graph, host_of(&world, "H3"))[graph.column[node_of(&world, "H2")]],
			channel_of(&world, "H2", "H3"));
		assert_int_equal(routed_row(&routed, &graph, host_of(&world, "H2"))[graph.column[node_of(&world, "H3")]],
			channel_of(&world, "H3", "H2"));
		routed_clear(&routed);
	}
	routing_graph_clear(&graph);
	world_clear(&world);
}

/* The choices of every node go up as long as they can, and never up after down; heads stand before their tails. */
TEST(legal_ways_go_up_then_down)
{
	struct world world;
	world_topology(&world, "torus:5x4,hosts=2", true);
	struct routing_graph graph;
	struct choices choices;
	struct updown updown;
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	assert_int_equal(choices_init(&choices, &graph, &world.error), 0);
	assert_int_equal(updown_init(&updown, &graph, &world.error), 0);
	assert_int_equal(updown_by_roots(&updown, &graph.root[7], 1, &world.error), 0);
	assert_int_equal(updown.falling[0], graph.root[7]);
	assert_true(updown_reaches_all(&updown, &choices));
	bool *down = calloc(world.fabric->nodes, sizeof *down), *placed = calloc(world.fabric->nodes, sizeof *placed);
	for (uint32_t g = 0; g < graph.groups; g++) {
		choices_legal(&choices, &updown, graph.root[g]);
		assert_int_equal(choices.count, graph.columns - 1);
		memset(down, 0, world.fabric->nodes);
		memset(placed, 0, world.fabric->nodes);
		placed[graph.root[g]] = down[graph.root[g]] = true;
		for (uint32_t i = 0; i < choices.count; i++) {
			uint32_t u = choices.order[i];
			assert_true(choices.first[i + 1] > choices.first[i]);
			for (uint32_t k = choices.first[i]; k < choices.first[i + 1]; k++) {
				uint32_t v = world.fabric->head[choices.channel[k]];
				assert_int_equal(graph.tail[choices.channel[k]], u);
				assert_true(placed[v]);
				assert_int_equal(choices.distance[v] + 1, choices.distance[u]);
				down[u] = updown.height[v] < updown.height[u];
				if (down[u])
					assert_true(down[v]);
			}
			placed[u] = true;
		}
	}
	free(down);
	free(placed);
	updown_clear(&updown);
	choices_clear(&choices);
	routing_graph_clear(&graph);
	world_clear(&world);
}

/* Whether the channel can be reached from another by turns in use: plain search, for comparison. */
static bool leads_to(const struct lane_order *order, uint32_t from, uint32_t to, bool *seen)
{
	const struct fabric *fabric = order->turns->graph->fabric;
	if (from == to)
		return true;
	seen[from] = true;
	for (uint32_t c = fabric->first_channel[fabric->head[from]]; c < fabric->first_channel[fabric->head[from] + 1]; c++)
		if (!seen[c] && turns_joins_switches(order->turns, c) && order->users[turns_number(order->turns, from, c)] &&
			leads_to(order, c, to, seen))
			return true;
	return false;
}

TEST(circles_are_found_as_by_plain_search)
{
	struct world world;
	struct routing_graph graph;
	struct turns turns;
	struct lane_order order;
	struct random random;
	unsigned refused = 0, taken = 0;
	world_topology(&world, "torus:3x4", false);
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	assert_int_equal(turns_init(&turns, &graph, &world.error), 0);
	assert_int_equal(lane_order_init(&order, &turns, &world.error), 0);
	random_start(&random, 1, RANDOM_PATTERN, 0);
	bool *seen = calloc(world.fabric->channels, sizeof *seen);
	uint32_t(*added)[2] = calloc(3000, sizeof *added);
	for (unsigned i = 0; i < 3000; i++) {
		uint32_t from = random_below(&random, world.fabric->channels), v = world.fabric->head[from];
		uint32_t to = world.fabric->first_channel[v] +
			      random_below(&random, world.fabric->first_channel[v + 1] - world.fabric->first_channel[v]);
		if (taken > 40 && i % 2) { /* some are taken back */
			uint32_t which = random_below(&random, taken);
			lane_order_remove(&order, added[which][0], added[which][1]);
			memcpy(added[which], added[--taken], sizeof *added);
		}
		if (!turns_joins_switches(&turns, from) || !turns_joins_switches(&turns, to))
			continue;
		memset(seen, 0, world.fabric->channels);
		bool closes = leads_to(&order, to, from, seen);
		assert_int_equal(lane_order_add(&order, from, to), !closes);
		refused += closes;
		if (!closes) {
			added[taken][0] = from;
			added[taken++][1] = to;
		}
		for (unsigned k = 0; k < taken; k++)
			assert_true(order.position[added[k][0]] < order.position[added[k][1]]);
	}
	assert_true(refused > 100 && taken > 30);
	free(seen);
	free(added);
	lane_order_clear(&order);
	turns_clear(&turns);
	routing_graph_clear(&graph);
	world_clear(&world);
}

/* Four switches in a ring, all routes one way round: one lane is a circle, two are enough. */
TEST(a_ring_needs_a_second_lane)
{
	struct world world;
	struct routing_graph graph;
	struct routed routed = {0};
	world_topology(&world, "torus:4", false);
	assert_int_equal(routing_graph_init(&graph, world.fabric, &world.error), 0);
	routed.next = calloc((size_t)world.fabric->hosts * graph.columns, sizeof *routed.next);
	for (uint32_t d = 0; d < 4; d++)
		for (uint32_t i = 0; i < 4; i++) {
			char from[8], to[8];
			snprintf(from, sizeof from, "S%u", i);
			snprintf(to, sizeof to, d == i ? "H%u" : "S%u", d == i ? d : (i + 1) % 4);
			routed_row(&routed, &graph, d)[graph.column[node_of(&world, from)]] = channel_of(&world, from, to);
		}
	struct routing_task task = {.graph = &graph, .lanes = 1};
	assert_int_equal(lane_fit_all(&routed, &task, "ring", 0, &world.error), -1);
	assert_error(&world.error, STATUS_FABRIC, "ring needs more than 1 virtual lane: 2 suffice");
	free(routed.level);
	task.lanes = 8;
	assert_int_equal(lane_fit_all(&routed, &task, "ring", 0, &world.error), 0);
	assert_int_equal(routed.levels, 2);
	uint64_t missing;
	assert_int_equal(routed_missing(&routed, &graph, 0, NULL, NULL, &missing, &world.error), 0);
	assert_int_equal(missing, 0);
	routed_row(&routed, &graph, 2)[graph.column[node_of(&world, "S1")]] =
		channel_of(&world, "S1", "S0"); /* 0 and 1 go in a circle, and 3 comes there */
	assert_int_equal(routed_missing(&routed, &graph, 0, NULL, NULL, &missing, &world.error), 0);
	assert_int_equal(missing, 3);
	routed_clear(&routed);
	routing_graph_clear(&graph);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_engine_tells_what_it_is),
		cmocka_unit_test(hosts_are_grouped_by_their_switch),
		cmocka_unit_test(shortest_ways_pass_no_host),
		cmocka_unit_test(hosts_forward_where_the_topology_says_so),
		cmocka_unit_test(hosts_beside_one_another_have_a_legal_way),
		cmocka_unit_test(legal_ways_go_up_then_down),
		cmocka_unit_test(circles_are_found_as_by_plain_search),
		cmocka_unit_test(a_ring_needs_a_second_lane),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
