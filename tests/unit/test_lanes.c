/* Engines that need lanes: what they promise of routes and lanes, by plain search; and what they share (lane_fit.h, turns.h). */
#include "helpers.h"

#include "fabric/topology_fabric.h"
#include "routings/lane_fit.h"

#include <stdlib.h>
#include <string.h>

/* A fabric, and what an engine makes of it. */
struct routing_case {
	struct world world;
	struct routing_graph graph;
	struct routed routed;
};

static int route(struct routing_case *c, const char *engine, unsigned lanes)
{
	struct routing_task task = {.graph = &c->graph, .lanes = lanes, .seed = 1};
	return routing_run(&c->routed, engine, &task, &c->world.error);
}

static int start(struct routing_case *c, const char *topology, const char *engine, unsigned lanes)
{
	*c = (struct routing_case){0};
	assert_int_equal(topology_fabric_load(topology, &c->world.fabric, NULL, &c->world.error), 0);
	assert_int_equal(routing_graph_init(&c->graph, c->world.fabric, &c->world.error), 0);
	return route(c, engine, lanes);
}

static void end(struct routing_case *c)
{
	routed_clear(&c->routed);
	routing_graph_clear(&c->graph);
	world_clear(&c->world);
}

/* Whether turns on a lane are without circles, by taking away channels that nothing leads to. waits: [turns], whether there is the turn. */
static bool without_circles(const struct turns *turns, const bool *waits)
{
	const struct fabric *fabric = turns->graph->fabric;
	uint32_t *before = calloc(fabric->channels, sizeof *before), *ready = calloc(fabric->channels, sizeof *ready), count = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < fabric->channels && pass; c++)
			if (!before[c])
				ready[count++] = c;
		for (uint32_t i = 0; i < (pass ? count : fabric->channels); i++) {
			uint32_t from = pass ? ready[i] : i, head = fabric->head[from];
			if (!turns_joins_switches(turns, from))
				continue;
			for (uint32_t to = fabric->first_channel[head]; to < fabric->first_channel[head + 1]; to++) {
				if (!waits[turns_number(turns, from, to)])
					continue;
				if (!pass)
					before[to]++;
				else if (!--before[to])
					ready[count++] = to;
			}
		}
	}
	free(before);
	free(ready);
	return count == fabric->channels;
}

/* Follows all routes: each gets there, by a shortest way if they are to be minimal, and no channel of a lane waits for itself. */
static void check_routes(const struct routing_case *c, bool minimal)
{
	const struct routing_graph *n = &c->graph;
	const struct routed *routed = &c->routed;
	struct error error = {0};
	struct choices choices;
	struct turns turns;
	assert_int_equal(choices_init(&choices, n, &error), 0);
	assert_int_equal(turns_init(&turns, n, &error), 0);
	bool *waits = calloc(turns.count * routed->lanes, sizeof *waits);
	for (uint32_t g = 0; g < n->groups; g++) {
		choices_shortest(&choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++) {
			const uint32_t *row = routed_row(routed, n, n->member[i]);
			for (uint32_t k = 0; k < choices.count; k++) {
				uint32_t node = choices.order[k], hops = 0, before = NONE;
				unsigned lane = routed_levels(routed, n, n->member[i])[n->column[node]];
				for (; n->senders[choices.order[k]] && node != n->root[g]; hops++) {
					uint32_t channel = row[n->column[node]];
					assert_true(channel != NONE && hops < n->columns);
					assert_int_equal(n->tail[channel], node);
					if (before != NONE)
						waits[turns.count * lane + turns_number(&turns, before, channel)] = true;
					before = turns_joins_switches(&turns, channel) ? channel : NONE;
					node = n->fabric->head[channel];
				}
				assert_true(lane < routed->lanes);
				if (minimal && hops)
					assert_int_equal(hops, choices.distance[choices.order[k]]);
			}
		}
	}
	for (unsigned lane = 0; lane < routed->lanes; lane++)
		assert_true(without_circles(&turns, waits + turns.count * lane));
	free(waits);
	turns_clear(&turns);
	choices_clear(&choices);
}

/* With as few lanes as that the shortest ways fit; and no more are used. */
TEST(shortest_ways_fit_on_few_lanes)
{
	static const struct {
		const char *topology, *engine;
		unsigned lanes;
	} cases[] = {
		{"torus:5x5,hosts=2", "dfsssp-orcs", 3},
		{"torus:5x5,hosts=2", "lash-orcs", 2},
		{"torus:4x4x4,hosts=2", "dfsssp-orcs", 2},
		{"torus:4x4x4,hosts=2", "lash-orcs", 2},
		{"torus:6x6x6", "dfsssp-orcs", 4},
		{"torus:6x6x6", "lash-orcs", 4},
		{"torus:8x8x8", "dfsssp-orcs", 5},
		{"torus:8x8x8", "lash-orcs", 5},
		{"jellyfish:switches=100,ports=16,links=12", "dfsssp-orcs", 2},
		{"jellyfish:switches=100,ports=16,links=12", "lash-orcs", 2},
		{"dragonfly:p=2,a=4,h=2", "dfsssp-orcs", 2},
		{"dragonfly:p=2,a=4,h=2", "lash-orcs", 2},
		{"fattree:k=4,n=3", "dfsssp-orcs", 1},
		{"fattree:k=4,n=3", "lash-orcs", 1},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct routing_case c;
		assert_int_equal(start(&c, cases[i].topology, cases[i].engine, cases[i].lanes), 0);
		check_routes(&c, true);
		end(&c);
	}
}

/* Tables are those of sssp-orcs as long as there are lanes enough; else a note tells that they are not. */
TEST(dfsssp_prefers_the_routes_of_sssp)
{
	struct routing_case plain, c;
	assert_int_equal(start(&plain, "torus:4x4x4,hosts=2", "sssp-orcs", 1), 0);
	assert_int_equal(start(&c, "torus:4x4x4,hosts=2", "dfsssp-orcs", 15), 0);
	size_t bytes = (size_t)c.world.fabric->hosts * c.graph.columns * sizeof *c.routed.next;
	assert_memory_equal(c.routed.next, plain.routed.next, bytes);
	assert_string_equal(c.routed.note, "");
	assert_true(c.routed.lanes > 2);
	check_routes(&c, true);
	routed_clear(&c.routed);
	assert_int_equal(route(&c, "dfsssp-orcs", 2), 0);
	assert_int_not_equal(memcmp(c.routed.next, plain.routed.next, bytes), 0);
	assert_contains(c.routed.note, "more than 2 virtual lanes");
	end(&c);
	end(&plain);
}

TEST(engines_tell_when_no_shortest_ways_fit)
{
	static const char *const engines[] = {"dfsssp-orcs", "lash-orcs"};
	for (size_t i = 0; i < ARRAY_LENGTH(engines); i++) {
		struct routing_case c;
		assert_int_equal(start(&c, "torus:5x5", engines[i], 1), -1);
		assert_error(&c.world.error, STATUS_FABRIC, engines[i], "needs more than 1 virtual lane");
		end(&c);
	}
}

/* Nue reaches all on any number of lanes, without its tree; and has as many lanes as it may. */
TEST(nue_fits_on_any_number_of_lanes)
{
	static const char *const topologies[] = {
		"torus:5x4x3,hosts=2", "jellyfish:switches=100,ports=16,links=12", "dragonfly:p=2,a=4,h=2"};
	for (size_t i = 0; i < ARRAY_LENGTH(topologies); i++)
		for (unsigned lanes = 1; lanes <= 7; lanes += 3) {
			struct routing_case c;
			assert_int_equal(start(&c, topologies[i], "nue", lanes), 0);
			assert_int_equal(c.routed.lanes, lanes);
			assert_string_equal(c.routed.note, "");
			check_routes(&c, false);
			end(&c);
		}
}

TEST(the_same_again)
{
	static const char *const engines[] = {"dfsssp-orcs", "lash-orcs", "nue"};
	for (size_t i = 0; i < ARRAY_LENGTH(engines); i++) {
		struct routing_case first, second;
		assert_int_equal(start(&first, "jellyfish:switches=60,ports=9,links=6", engines[i], 4), 0);
		assert_int_equal(start(&second, "jellyfish:switches=60,ports=9,links=6", engines[i], 4), 0);
		size_t entries = (size_t)first.world.fabric->hosts * first.graph.columns;
		assert_memory_equal(first.routed.next, second.routed.next, entries * sizeof *first.routed.next);
		assert_memory_equal(first.routed.level, second.routed.level, entries);
		end(&first);
		end(&second);
	}
}

/* Whoever comes to A in a circle never gets to its destination, and no lane takes the route. */
TEST(tables_with_loops_fit_on_no_lane)
{
	struct routing_case c = {0};
	assert_int_equal(world_read(&c.world, "digraph { H1 -> A; A -> H1; A -> B; B -> A; B -> C; C -> B; C -> H2; H2 -> C }", 0), 0);
	assert_int_equal(routing_graph_init(&c.graph, c.world.fabric, &c.world.error), 0);
	struct routing_task task = {.graph = &c.graph, .lanes = 3};
	size_t entries = (size_t)c.world.fabric->hosts * c.graph.columns;
	c.routed.next = malloc(entries * sizeof *c.routed.next);
	memset(c.routed.next, 0xff, entries * sizeof *c.routed.next);
	uint32_t *row = routed_row(&c.routed, &c.graph, host_of(&c.world, "H2"));
	row[c.graph.column[node_of(&c.world, "A")]] = channel_of(&c.world, "A", "B");
	row[c.graph.column[node_of(&c.world, "B")]] = channel_of(&c.world, "B", "A");
	assert_int_equal(lane_fit_all(&c.routed, &task, "loops", 0, &c.world.error), -1);
	assert_error(&c.world.error, STATUS_FABRIC, "loops needs more than 15 virtual lanes");
	end(&c);
}

/* The cost of a channel is in a list. */
static uint64_t listed(const void *state, uint32_t channel)
{
	return ((const uint64_t *)state)[channel];
}

TEST(choices_come_in_the_order_of_their_costs)
{
	struct routing_case c;
	struct choices choices;
	assert_int_equal(start(&c, "fattree:k=4,n=2", "minhop-orcs", 1), 0);
	assert_int_equal(choices_init(&choices, &c.graph, &c.world.error), 0);
	choices_shortest(&choices, c.graph.root[0]);
	uint32_t i = 0;
	while (choices.first[i + 1] - choices.first[i] < 4)
		i++;
	uint64_t *cost = calloc(c.world.fabric->channels, sizeof *cost);
	const uint32_t *channel = choices.channel + choices.first[i];
	cost[channel[0]] = 7;
	cost[channel[1]] = UINT64_MAX;
	cost[channel[2]] = 0;
	cost[channel[3]] = 7;
	static const unsigned order[] = {2, 0, 3, 1};
	uint32_t now = NONE;
	for (unsigned k = 0; k < 4; k++) {
		now = lane_fit_next(&choices, i, now, listed, cost);
		assert_int_equal(now, channel[order[k]]);
	}
	assert_int_equal(lane_fit_next(&choices, i, now, listed, cost), NONE);
	free(cost);
	choices_clear(&choices);
	end(&c);
}

/* What was refused may be added when what it closed a circle with is gone. */
TEST(refusals_end_with_removals)
{
	struct routing_case c;
	struct turns turns;
	struct lane_order order;
	assert_int_equal(start(&c, "ring:3", "minhop-orcs", 1), 0);
	assert_int_equal(turns_init(&turns, &c.graph, &c.world.error), 0);
	assert_int_equal(lane_order_init(&order, &turns, &c.world.error), 0);
	uint32_t around[] = {channel_of(&c.world, "S0", "S1"), channel_of(&c.world, "S1", "S2"), channel_of(&c.world, "S2", "S0")};
	assert_true(lane_order_add(&order, around[0], around[1]));
	assert_true(lane_order_add(&order, around[0], around[1]));
	assert_true(lane_order_add(&order, around[1], around[2]));
	for (unsigned users = 2; users; users--) {
		assert_false(lane_order_add(&order, around[2], around[0]));
		assert_false(lane_order_add(&order, around[2], around[0]));
		lane_order_remove(&order, around[0], around[1]);
	}
	assert_true(lane_order_add(&order, around[2], around[0]));
	assert_false(lane_order_add(&order, around[0], around[1]));
	lane_order_clear(&order);
	turns_clear(&turns);
	end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shortest_ways_fit_on_few_lanes),
		cmocka_unit_test(dfsssp_prefers_the_routes_of_sssp),
		cmocka_unit_test(engines_tell_when_no_shortest_ways_fit),
		cmocka_unit_test(nue_fits_on_any_number_of_lanes),
		cmocka_unit_test(the_same_again),
		cmocka_unit_test(tables_with_loops_fit_on_no_lane),
		cmocka_unit_test(choices_come_in_the_order_of_their_costs),
		cmocka_unit_test(refusals_end_with_removals),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
