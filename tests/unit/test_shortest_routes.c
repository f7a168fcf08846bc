/* Shortest routes on demand: rows that are taken in turns, distances beyond a byte, and whole routes, against searches of their own. */
#include "helpers.h"

#include "fabric/shortest_routes.h"
#include "fabric/topology_fabric.h"

#include <stdlib.h>
#include <string.h>

static struct fabric *load(const char *spec)
{
	struct error error = {0};
	struct fabric *fabric = NULL;
	assert_int_equal(topology_fabric_load(spec, &fabric, NULL, &error), 0);
	return fabric;
}

static struct shortest_routes *create(const struct fabric *fabric, bool all)
{
	struct error error = {0};
	struct shortest_routes *routes = shortest_routes_create(fabric, false, all, &error);
	assert_non_null(routes);
	return routes;
}

/* The distances of all switches from a switch, by a plain search; the cables have both directions. */
static void measure(const struct fabric *f, uint32_t from, uint32_t *distance, uint32_t *queue)
{
	uint32_t count = 0;
	memset(distance, 0xff, f->nodes * sizeof *distance);
	distance[from] = 0;
	queue[count++] = from;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t c = f->first_channel[queue[i]]; c < f->first_channel[queue[i] + 1]; c++) {
			uint32_t v = f->head[c];
			if (f->node_host[v] == NONE && distance[v] == NONE) {
				distance[v] = distance[queue[i]] + 1;
				queue[count++] = v;
			}
		}
}

/* Compares the next channels and whole routes of pairs of hosts, every `step`-th, with a plain search. */
static void check_routes(const struct fabric *f, struct shortest_routes *routes, uint32_t step)
{
	uint32_t *distance = calloc(f->nodes, sizeof *distance), *queue = calloc(f->nodes, sizeof *queue),
		 *way = calloc(f->nodes, sizeof *way);
	for (uint32_t i = 0; i < f->hosts; i += step)
		for (uint32_t k = 1; k < f->hosts; k += step) {
			uint32_t s = i, d = (i + k * 7) % f->hosts; /* destinations change each time */
			if (s == d)
				continue;
			uint32_t at = f->head[f->first_channel[f->host_node[s]]], to = f->head[f->first_channel[f->host_node[d]]],
				 length = 1;
			measure(f, to, distance, queue);
			way[0] = f->first_channel[f->host_node[s]];
			while (at != to) {
				uint32_t c = f->first_channel[at];
				while (f->node_host[f->head[c]] != NONE || distance[f->head[c]] != distance[at] - 1)
					c++;
				assert_int_equal(shortest_routes_next(routes, at, d), c);
				way[length++] = c;
				at = f->head[c];
			}
			uint32_t *route = calloc(f->nodes, sizeof *route);
			assert_int_equal(shortest_routes_route(routes, s, d, route), length + 1);
			assert_memory_equal(route, way, length * sizeof *route);
			assert_int_equal(f->head[route[length]], f->host_node[d]);
			free(route);
		}
	free(distance);
	free(queue);
	free(way);
}

TEST(rows_are_taken_in_turns)
{
	struct fabric *fabric = load("jellyfish:40,8,5");
	struct shortest_routes *routes = create(fabric, false);
	routes->rows_most = 3;
	check_routes(fabric, routes, 3);
	assert_int_equal(routes->rows, 3);
	shortest_routes_free(routes);
	fabric_free(fabric);
}

TEST(as_many_rows_as_destinations)
{
	struct fabric *fabric = load("jellyfish:40,8,5");
	struct shortest_routes *routes = create(fabric, false);
	check_routes(fabric, routes, 3);
	assert_in_range(routes->rows, 4, 40);
	shortest_routes_free(routes);
	fabric_free(fabric);
}

TEST(distances_beyond_a_byte)
{
	struct fabric *fabric = load("mesh:600,hosts=1");
	struct shortest_routes *routes = create(fabric, false);
	check_routes(fabric, routes, 37);
	assert_true(routes->wide);
	routes->rows_most = 2;
	check_routes(fabric, routes, 41);
	shortest_routes_free(routes);
	fabric_free(fabric);
}

TEST(several_channels_have_equal_shares)
{
	struct fabric *fabric = load("leafspine:4,3,2");
	struct shortest_routes *routes = create(fabric, true);
	const uint32_t *channel;
	const double *share;
	uint32_t leaf = fabric->head[fabric->first_channel[fabric->host_node[0]]];
	assert_int_equal(shortest_routes_ways(routes, leaf, fabric->hosts - 1, &channel, &share), 3);
	assert_true(share[0] == 1.0 / 3 && share[2] == 1.0 / 3);
	assert_int_equal(shortest_routes_ways(routes, leaf, 0, &channel, &share), 1);
	assert_int_equal(fabric->head[channel[0]], fabric->host_node[0]);
	assert_true(share[0] == 1);
	shortest_routes_free(routes);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_taken_in_turns),
		cmocka_unit_test(as_many_rows_as_destinations),
		cmocka_unit_test(distances_beyond_a_byte),
		cmocka_unit_test(several_channels_have_equal_shares),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
