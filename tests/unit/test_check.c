/* What orcs-check is made of: trees of routes, cycles, tables of lanes, service levels. Whole results are compared in tests/check. */
#include "helpers.h"
#include "base/memory.h"

#include "base/random.h"
#include "fabric/virtual_lanes.h"
#include "fabric/walk.h"
#include "fabric/destination_trees.h"
#include "base/acyclic.h"

#include <stdlib.h>
#include <string.h>

/* ---- trees, against a walk of every route */

static void compare_tree(struct world *w, struct destination_trees *t, uint32_t destination, uint32_t *channels, uint32_t *uses)
{
	struct fabric *f = w->fabric;
	memset(uses, 0, f->channels * sizeof *uses);
	destination_trees_make(t, destination);
	destination_trees_weigh(t);
	for (uint32_t s = 0; s < f->hosts; s++) {
		if (s == destination)
			continue;
		const struct tree_start *start = &t->start[t->start_of[s]];
		int length = walk_route(f, w->forwarding, s, destination, channels);
		uint32_t distance = t->distance[start->node];
		if (length == ROUTE_NO_ENTRY)
			assert_int_equal(distance, TREE_NO_ENTRY);
		else if (length == ROUTE_LOOP)
			assert_int_equal(distance, TREE_LOOP);
		else
			assert_int_equal(distance + start->before, length);
		for (int i = (int)start->before; i < length; i++)
			uses[channels[i]]++;
	}
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t v = t->order[i];
		assert_int_equal(t->weight[v], uses[t->next[v]]);
		assert_int_equal(t->distance[v], t->distance[f->head[t->next[v]]] + 1);
	}
}

TEST(destination_trees_agree_with_walks)
{
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct random random;
		random_start(&random, seed, 0, 0);
		char *text = random_graph(&random, 2 + (uint32_t)(seed % 7), 1 + (uint32_t)(seed % 5));
		struct world w;
		if (!world_read(&w, text, DOT_TABLES)) {
			struct destination_trees t;
			uint32_t *channels = array_create(w.fabric->nodes, sizeof *channels, &w.error);
			uint32_t *uses = array_create(w.fabric->channels, sizeof *uses, &w.error);
			assert_int_equal(destination_trees_init(&t, w.fabric, w.forwarding, &w.error), 0);
			for (uint32_t d = 0; d < w.fabric->hosts; d++)
				compare_tree(&w, &t, d, channels, uses);
			destination_trees_clear(&t);
			free(channels);
			free(uses);
		}
		world_clear(&w);
		free(text);
	}
}

/* ---- cycles, against a search from every vertex */

enum { VERTICES = 12 };

/* The steps of the shortest way from one vertex back to it, 0 if there is none. */
static uint32_t way_back(bool edge[VERTICES][VERTICES], uint32_t from)
{
	bool reached[VERTICES] = {false}, next[VERTICES];
	reached[from] = true;
	for (uint32_t steps = 1; steps <= VERTICES; steps++) {
		memcpy(next, reached, sizeof next);
		for (uint32_t v = 0; v < VERTICES; v++)
			for (uint32_t u = 0; u < VERTICES; u++)
				if (reached[v] && edge[v][u]) {
					if (u == from)
						return steps;
					next[u] = true;
				}
		memcpy(reached, next, sizeof reached);
	}
	return 0;
}

static void check_cycles(bool edge[VERTICES][VERTICES])
{
	struct error error = {0};
	struct digraph graph;
	uint32_t count = 0, shortest = 0, length;
	assert_int_equal(digraph_init(&graph, VERTICES, VERTICES * VERTICES, &error), 0);
	for (uint32_t v = 0; v < VERTICES; v++) {
		graph.first[v] = count;
		for (uint32_t u = 0; u < VERTICES; u++)
			if (edge[v][u])
				graph.to[count++] = u;
	}
	graph.first[VERTICES] = count;
	uint32_t *cyclic = digraph_cyclic(&graph, &error);
	for (uint32_t v = 0; v < VERTICES; v++) {
		uint32_t back = way_back(edge, v);
		assert_int_equal(cyclic[v] != 0, back != 0);
		shortest = back && (!shortest || back < shortest) ? back : shortest;
	}
	uint32_t *cycle = digraph_shortest_cycle(&graph, cyclic, 2, &length, &error);
	assert_int_equal(length, shortest);
	for (uint32_t i = 0; i < length; i++) {
		assert_true(edge[cycle[i]][cycle[(i + 1) % length]]);
		assert_int_equal(graph.to[digraph_edge(&graph, cycle[i], cycle[(i + 1) % length])], cycle[(i + 1) % length]);
	}
	assert_fine(&error);
	free(cycle);
	free(cyclic);
	digraph_clear(&graph);
}

TEST(cycles_agree_with_brute_force)
{
	for (uint64_t seed = 0; seed < 1000; seed++) {
		struct random random;
		bool edge[VERTICES][VERTICES] = {{false}};
		random_start(&random, seed, 1, 0);
		for (uint64_t k = 0; k < 4 + seed % 24; k++) {
			uint32_t v = random_below(&random, VERTICES), u = random_below(&random, VERTICES);
			edge[v][u] = v != u;
		}
		check_cycles(edge);
	}
}

/* ---- edges that close no cycle */

enum { MORE_VERTICES = 40 };

/* Fills the graph with random edges. */
static void random_digraph(struct random *random, struct digraph *graph, uint32_t vertices, uint32_t edges)
{
	bool edge[MORE_VERTICES][MORE_VERTICES] = {{false}};
	uint64_t count = 0;
	for (uint32_t k = 0; k < edges; k++) {
		uint32_t v = random_below(random, vertices), u = random_below(random, vertices);
		edge[v][u] = v != u;
	}
	for (uint32_t v = 0; v < vertices; v++) {
		graph->first[v] = count;
		for (uint32_t u = 0; u < vertices; u++)
			if (edge[v][u])
				graph->to[count++] = u;
	}
	graph->first[vertices] = count;
}

/* Whether a way of the edges leads from one vertex to the other. */
static bool leads(bool edge[MORE_VERTICES][MORE_VERTICES], uint32_t vertices, uint32_t from, uint32_t to)
{
	uint32_t queue[MORE_VERTICES], first = 0, last = 0;
	bool seen[MORE_VERTICES] = {false};
	seen[queue[last++] = from] = true;
	for (; first < last; first++)
		for (uint32_t u = 0; u < vertices; u++)
			if (edge[queue[first]][u] && !seen[u])
				seen[queue[last++] = u] = true;
	return seen[to];
}

/* Tries random edges of the graph, some twice, against what is there so far. */
static void add_all(struct random *random, struct acyclic *acyclic)
{
	const struct digraph *graph = acyclic->graph;
	bool there[MORE_VERTICES][MORE_VERTICES] = {{false}};
	acyclic_empty(acyclic);
	for (uint64_t k = 0; k < 3 * graph->first[graph->vertices]; k++) {
		uint32_t v = random_below(random, graph->vertices), degree = (uint32_t)(graph->first[v + 1] - graph->first[v]);
		if (!degree)
			continue;
		uint32_t u = graph->to[graph->first[v] + random_below(random, degree)];
		bool closes = leads(there, graph->vertices, u, v);
		assert_int_equal(acyclic_add(acyclic, v, u), !closes);
		there[v][u] = !closes;
	}
}

TEST(edges_are_refused_that_close_a_cycle)
{
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct error error = {0};
		struct random random;
		struct digraph graph;
		struct acyclic acyclic;
		random_start(&random, seed, 2, 0);
		uint32_t vertices = 2 + (uint32_t)(seed % (MORE_VERTICES - 1)), edges = vertices * (1 + (uint32_t)(seed % 7));
		assert_int_equal(digraph_init(&graph, vertices, edges, &error), 0);
		random_digraph(&random, &graph, vertices, edges);
		assert_int_equal(acyclic_init(&acyclic, &graph, &error), 0);
		for (int again = 0; again < 3; again++)
			add_all(&random, &acyclic);
		acyclic_clear(&acyclic);
		digraph_clear(&graph);
	}
}

/* Vertices are moved between the same two until no number is left there. */
TEST(places_run_out_and_are_numbered_anew)
{
	enum { CHAIN = 200 };
	struct error error = {0};
	struct digraph graph;
	struct acyclic acyclic;
	assert_int_equal(digraph_init(&graph, CHAIN, CHAIN, &error), 0);
	for (uint32_t v = 0; v < CHAIN; v++) { /* a ring, each vertex leads to the one before */
		graph.first[v + 1] = v + 1;
		graph.to[v] = v ? v - 1 : CHAIN - 1;
	}
	assert_int_equal(acyclic_init(&acyclic, &graph, &error), 0);
	acyclic.effort = UINT64_MAX;
	for (uint32_t v = 1; v < CHAIN; v++)
		assert_true(acyclic_add(&acyclic, v, v - 1));
	assert_false(acyclic_add(&acyclic, 0, CHAIN - 1));
	for (uint32_t v = 1; v < CHAIN; v++)
		assert_true(acyclic.place[v] < acyclic.place[v - 1]);
	acyclic_clear(&acyclic);
	digraph_clear(&graph);
}

TEST(without_effort_short_searches_still_tell)
{
	struct error error = {0};
	struct digraph graph;
	struct acyclic acyclic;
	assert_int_equal(digraph_init(&graph, 2, 2, &error), 0);
	memcpy(graph.first, (uint64_t[]){0, 1, 2}, 3 * sizeof *graph.first);
	memcpy(graph.to, (uint32_t[]){1, 0}, 2 * sizeof *graph.to);
	assert_int_equal(acyclic_init(&acyclic, &graph, &error), 0);
	acyclic.effort = 0;
	assert_true(acyclic_add(&acyclic, 1, 0));
	assert_false(acyclic_add(&acyclic, 0, 1));
	acyclic_clear(&acyclic);
	digraph_clear(&graph);
}

/* ---- tables of lanes */

#define FABRIC_WITH(lanes) \
	"digraph { H1 -> S [comment=\"*\", peer_port=1]; H2 -> S [comment=\"*\", peer_port=2]; S -> H1 [comment=H1]; " \
	"S -> H2 [comment=H2" lanes "] }"

TEST(lanes_are_read)
{
	struct world w;
	struct virtual_lanes *lanes;
	assert_int_equal(world_read(&w, FABRIC_WITH(", sl2vl=\"0-1,7:0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15;2:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\""),
				 DOT_TABLES | DOT_KEEP),
		0);
	assert_int_equal(virtual_lanes_load(&lanes, w.attributes, w.fabric, true, &w.error), 0);
	assert_non_null(lanes);
	assert_int_equal(lanes->count, 8);
	uint32_t out = channel_of(&w, "S", "H2"), first = channel_of(&w, "H1", "S"), second = channel_of(&w, "H2", "S");
	assert_int_equal(virtual_lanes_get(lanes, first, out, 6), 6);
	assert_int_equal(virtual_lanes_get(lanes, first, out, 15), LANE_DISCARD);
	assert_int_equal(virtual_lanes_get(lanes, second, out, 6), 1);
	assert_int_equal(virtual_lanes_get(lanes, second, channel_of(&w, "S", "H1"), 6), 0);
	virtual_lanes_free(lanes);
	world_clear(&w);
}

TEST(a_fabric_without_tables_has_no_lanes)
{
	struct world w;
	struct virtual_lanes *lanes;
	assert_int_equal(world_read(&w, FABRIC_WITH(""), DOT_TABLES | DOT_KEEP), 0);
	assert_int_equal(virtual_lanes_load(&lanes, w.attributes, w.fabric, true, &w.error), 0);
	assert_null(lanes);
	world_clear(&w);
}

TEST(tables_that_are_none_are_refused)
{
	static const char *const texts[] = {
		FABRIC_WITH(", sl2vl=\"1\""),
		FABRIC_WITH(", sl2vl=\"1:0,1\""),
		FABRIC_WITH(", sl2vl=\"1-:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\""),
		FABRIC_WITH(", sl2vl=\"256:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\""),
		FABRIC_WITH(", sl2vl=\"1:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,16\""),
		FABRIC_WITH(", sl2vl=\"1:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\""),
		FABRIC_WITH(", sl2vl=\"1:0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0;\""),
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct world w;
		struct virtual_lanes *lanes;
		assert_int_equal(world_read(&w, texts[i], DOT_TABLES | DOT_KEEP), 0);
		assert_int_equal(virtual_lanes_load(&lanes, w.attributes, w.fabric, true, &w.error), -1);
		assert_null(lanes);
		assert_error(&w.error, STATUS_FABRIC, "S -> H2", "is not a table of virtual lanes");
		world_clear(&w);
	}
}

/* ---- service levels */

#define LEVELS_WITH(hosts, lanes) \
	"digraph { " hosts " H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"]; H3 -> S [comment=\"*\"]; H4 -> S [comment=\"*\"]; " \
	"S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3]; S -> H4 [comment=H4" lanes "] }"

TEST(levels_are_read)
{
	struct world w;
	struct service_levels *levels;
	/* but for themselves H1 and H2 send alike, H3 does not */
	assert_int_equal(world_read(&w, LEVELS_WITH("H1 [sl=\"1:H2, H3;14:H4\"]; H2 [sl=\" 14:H4;3:H1; 1: H3 \"]; H3 [sl=\"2:H1\"];", ""),
				 DOT_TABLES | DOT_KEEP),
		0);
	assert_int_equal(service_levels_load(&levels, w.attributes, w.fabric, &w.error), 0);
	uint32_t h1 = host_of(&w, "H1"), h2 = host_of(&w, "H2"), h3 = host_of(&w, "H3"), h4 = host_of(&w, "H4");
	assert_int_equal(levels->count, 15);
	assert_int_equal(levels->rows, 3);
	assert_int_equal(levels->row[h1], levels->row[h2]);
	assert_int_equal(service_levels_get(levels, h1, h2), 1);
	assert_int_equal(service_levels_get(levels, h1, h3), 1);
	assert_int_equal(service_levels_get(levels, h1, h4), 14);
	assert_int_equal(service_levels_get(levels, h2, h1), 3);
	assert_int_equal(service_levels_get(levels, h2, h3), 1);
	assert_int_equal(service_levels_get(levels, h2, h4), 14);
	assert_int_equal(service_levels_get(levels, h3, h1), 2);
	assert_int_equal(service_levels_get(levels, h3, h2), 0);
	assert_int_equal(service_levels_get(levels, h4, h1), 0);
	service_levels_free(levels);
	world_clear(&w);
}

TEST(the_lane_is_the_level_where_there_are_no_tables)
{
	static const struct {
		const char *text;
		bool levels;
		unsigned count, first, second; /* lanes: 0 for no lanes at all; of level 2 at the host and at the switch */
	} cases[] = {
		{LEVELS_WITH("H1 [sl=\"2:H2\"];", ""), true, 3, 2, 2},
		{LEVELS_WITH("H1 [sl=\"2:H2\"];", ""), false, 0, 0, 0},
		{LEVELS_WITH("H1 [sl=\"15:H2\"];", ""), true, LANE_DISCARD, 2, 2},
		{LEVELS_WITH("H1 [sl=\"\"];", ""), true, 0, 0, 0},
		{LEVELS_WITH("H1 [sl=\"2:H2\"];", ", sl2vl=\"0:4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\""), true, 5, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct world w;
		struct virtual_lanes *lanes;
		assert_int_equal(world_read(&w, cases[i].text, DOT_TABLES | DOT_KEEP), 0);
		assert_int_equal(virtual_lanes_load(&lanes, w.attributes, w.fabric, cases[i].levels, &w.error), 0);
		assert_int_equal(lanes ? lanes->count : 0, cases[i].count);
		if (lanes) {
			assert_int_equal(virtual_lanes_first(lanes, channel_of(&w, "H1", "S"), 2), cases[i].first);
			assert_int_equal(
				virtual_lanes_get(lanes, channel_of(&w, "H1", "S"), channel_of(&w, "S", "H2"), 2), cases[i].second);
		}
		virtual_lanes_free(lanes);
		world_clear(&w);
	}
}

TEST(levels_that_are_none_are_refused)
{
	static const char *const texts[] = {
		LEVELS_WITH("H1 [sl=\"1\"];", ""),
		LEVELS_WITH("H1 [sl=\"H2\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:\"];", ""),
		LEVELS_WITH("H1 [sl=\"16:H2\"];", ""),
		LEVELS_WITH("H1 [sl=\"-1:H2\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:H2;\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:H2,,H3\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:H9\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:S\"];", ""),
		LEVELS_WITH("H1 [sl=\"1:H2;2:H2\"];", ""),
		LEVELS_WITH("H1 [sl=\"99999999999999999999:H2\"];", ""),
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct world w;
		struct virtual_lanes *lanes;
		assert_int_equal(world_read(&w, texts[i], DOT_TABLES | DOT_KEEP), 0);
		assert_int_equal(virtual_lanes_load(&lanes, w.attributes, w.fabric, true, &w.error), -1);
		assert_null(lanes);
		assert_error(&w.error, STATUS_FABRIC, "host H1", "is not a list of service levels");
		world_clear(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(destination_trees_agree_with_walks),
		cmocka_unit_test(cycles_agree_with_brute_force),
		cmocka_unit_test(edges_are_refused_that_close_a_cycle),
		cmocka_unit_test(places_run_out_and_are_numbered_anew),
		cmocka_unit_test(without_effort_short_searches_still_tell),
		cmocka_unit_test(lanes_are_read),
		cmocka_unit_test(a_fabric_without_tables_has_no_lanes),
		cmocka_unit_test(tables_that_are_none_are_refused),
		cmocka_unit_test(levels_are_read),
		cmocka_unit_test(the_lane_is_the_level_where_there_are_no_tables),
		cmocka_unit_test(levels_that_are_none_are_refused),
	};
	return cmocka_run_group_tests_name("check", tests, make_scratch, remove_scratch);
}
