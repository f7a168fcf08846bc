/* The table of whole routes against walks along the forwarding tables. */
#include "helpers.h"

#include "fabric/route_cache.h"
#include "fabric/walk.h"
#include "parallel/comm.h"
#include "parallel/route_cache_shared.h"

#include <stdlib.h>
#include <string.h>

static void make_paths(struct route_cache *route_cache, const struct world *world)
{
	struct error error = {0};
	assert_int_equal(route_cache_plan(route_cache, world->fabric, world->forwarding, &error), 0);
	if (route_cache->tree) /* needs no table */
		return;
	route_cache->entry = malloc(route_cache_bytes(route_cache));
	uint32_t half = route_cache->hosts / 2;
	route_cache_fill(route_cache, world->fabric, world->forwarding, half, route_cache->hosts);
	route_cache_fill(route_cache, world->fabric, world->forwarding, 0, half);
}

static void clear_paths(struct route_cache *route_cache)
{
	free(route_cache->entry);
	route_cache_clear(route_cache);
}

static size_t append(uint32_t *route, size_t length, uint32_t channel, uint32_t channels)
{
	if (channel < channels)
		route[length++] = channel;
	return length;
}

/* What the table says of all pairs is what walks say; counts routes, pairs without one, and those left to be walked. */
static void compare_with_walks(const struct world *world, unsigned found[3])
{
	const struct fabric *fabric = world->fabric;
	struct route_cache route_cache;
	uint32_t *walked = calloc(fabric->nodes, sizeof *walked), route[ROUTE_CACHE_CHANNELS_MAX];
	make_paths(&route_cache, world);
	assert_int_equal(route_cache.inner % 4, 0);
	for (uint32_t s = 0; s < fabric->hosts; s++)
		for (uint32_t d = 0; d < fabric->hosts; d++) {
			if (s == d)
				continue;
			int length = walk_route(fabric, world->forwarding, s, d, walked);
			const uint32_t *entry = route_cache_entry(&route_cache, s, d);
			if (entry[0] == ROUTE_CACHE_LONG) { /* a loop, or more than an entry holds */
				assert_true(length == ROUTE_LOOP || length == ROUTE_NO_ENTRY || length > (int)route_cache.inner);
				found[2]++;
				continue;
			}
			if (entry[0] == ROUTE_CACHE_NONE) {
				assert_true(length < 0);
				found[1]++;
				continue;
			}
			size_t have = append(route, 0, route_cache.first[s], fabric->channels);
			for (uint32_t i = 0; i < route_cache.inner; i++)
				have = append(route, have, entry[i], fabric->channels);
			have = append(route, have, route_cache.last[d], fabric->channels);
			assert_int_equal(have, length);
			assert_memory_equal(route, walked, have * sizeof *route);
			found[0]++;
		}
	clear_paths(&route_cache);
	free(walked);
}

TEST(destination_trees_fit_into_entries)
{
	static const struct {
		unsigned k, n, starts, inner;
	} trees[] = {{2, 2, 2, 4}, {4, 2, 4, 4}, {3, 3, 9, 4}, {2, 4, 8, 8}, {2, 5, 16, 8}, {2, 7, 64, 12}};
	for (size_t t = 0; t < ARRAY_LENGTH(trees); t++) {
		struct world world;
		struct route_cache route_cache;
		unsigned found[3] = {0};
		world_tree(&world, trees[t].k, trees[t].n);
		make_paths(&route_cache, &world);
		assert_int_equal(route_cache.starts, trees[t].starts);
		assert_int_equal(route_cache.inner, trees[t].inner);
		clear_paths(&route_cache);
		compare_with_walks(&world, found);
		assert_int_equal(found[0], world.fabric->hosts * (world.fabric->hosts - 1));
		world_clear(&world);
	}
}

TEST(long_routes_are_left_to_be_walked)
{
	struct world world;
	unsigned found[3] = {0};
	world_tree(&world, 2, 8); /* up to 14 channels between switches */
	compare_with_walks(&world, found);
	assert_int_equal(found[2], 256 * 128);
	world_clear(&world);
}

/* Hosts with several links, hosts that pass packets on, dead ends, loops. */
TEST(random_graphs_agree_with_walks)
{
	struct random random;
	unsigned found[3] = {0};
	random_start(&random, 3, 0, 0);
	for (int graph = 0; graph < 300; graph++) {
		struct world world;
		char *text = random_graph(&random, 2 + random_below(&random, 8), 1 + random_below(&random, 40));
		world_load(&world, text);
		compare_with_walks(&world, found);
		world_clear(&world);
		free(text);
	}
	for (int i = 0; i < 3; i++)
		assert_true(found[i] > 200);
}

/* ---- the engine is the same with it */

/* How the two engines are to be compared. */
enum { SPEEDS = 1, DROP = 2, SUMS = 4, CROWDED = 8, WAYS = 16 };

static struct congestion *make_one(const struct world *world, const struct route_cache *route_cache, int way)
{
	struct error error = {0};
	struct congestion *engine = congestion_create(&(struct congestion_setup){.fabric = world->fabric,
							      .forwarding = world->forwarding,
							      .route_cache = route_cache,
							      .speed_aware = way & SPEEDS,
							      .drop = way & DROP,
							      .sum_channels = way & SUMS,
							      .oversubscribed = way & CROWDED,
							      .stop = &never_stop},
		&error);
	assert_fine(&error);
	return engine;
}

static void assert_same_levels(const struct level *left, const struct level *right)
{
	size_t bins = histogram_bins(left->weights);
	struct bin *list[2] = {calloc(bins + 1, sizeof **list), calloc(bins + 1, sizeof **list)};
	assert_int_equal(left->connections, right->connections);
	assert_int_equal(left->unroutable, right->unroutable);
	assert_true(left->largest == right->largest);
	assert_int_equal(histogram_bins(right->weights), bins);
	histogram_list(left->weights, list[0]);
	histogram_list(right->weights, list[1]);
	assert_memory_equal(list[0], list[1], bins * sizeof **list);
	free(list[0]);
	free(list[1]);
}

/* Runs a level twice, walked and looked up: histograms, sums of channels and unroutable pairs are the same. */
static void compare_one_way(
	const struct world *world, const struct route_cache *route_cache, const struct pattern_call *call, const uint32_t *host, int way)
{
	struct congestion *engine[2] = {make_one(world, NULL, way), make_one(world, route_cache, way)};
	for (int time = 0; time < 2; time++) {
		struct level level[2];
		struct error error = {0};
		enum run_status result[2];
		for (int i = 0; i < 2; i++) {
			result[i] = congestion_level(engine[i], call, 0, host, &level[i], NULL, &error);
			congestion_keep_run(engine[i]);
		}
		assert_fine(&error);
		assert_int_equal(result[0], result[1]);
		if (result[0] == RUN_UNROUTABLE) {
			uint32_t bad[2][2];
			for (int i = 0; i < 2; i++)
				congestion_bad_pair(engine[i], &bad[i][0], &bad[i][1]);
			assert_memory_equal(bad[0], bad[1], sizeof bad[0]);
			break;
		}
		assert_same_levels(&level[0], &level[1]);
		if (way & SUMS)
			assert_memory_equal(congestion_channel_sum(engine[0]), congestion_channel_sum(engine[1]),
				world->fabric->channels * sizeof(uint64_t));
	}
	congestion_free(engine[0]);
	congestion_free(engine[1]);
}

/* Without the way SPEEDS speeds do not count. */
static void compare_engines(const struct world *world, const char *pattern, int without)
{
	struct route_cache route_cache;
	uint32_t hosts = world->fabric->hosts, *host = calloc(hosts, sizeof *host);
	struct random random;
	make_paths(&route_cache, world);
	struct pattern_call *call = make_pattern(pattern, hosts);
	draw_run(call, 0);
	for (int way = 0; way < WAYS; way++) {
		if (way & without)
			continue;
		random_start(&random, 9, 0, 0);
		for (uint32_t h = 0; h < hosts; h++)
			host[h] = way & CROWDED ? h / 2 : h;
		random_shuffle(&random, host, hosts);
		compare_one_way(world, &route_cache, call, host, way);
	}
	pattern_free(call);
	clear_paths(&route_cache);
	free(host);
}

TEST(the_engine_counts_the_same)
{
	static const char *const patterns[] = {"bisect", "rand", "alltoall_flood", "gather", "hotspot:3", "stencil:8x8"};
	for (size_t p = 0; p < ARRAY_LENGTH(patterns); p++) {
		struct world world;
		world_tree(&world, 4, 3);
		for (uint32_t c = 0; c < world.fabric->channels; c++)
			world.fabric->speed[c] = 1 + c % 3;
		compare_engines(&world, patterns[p], 0);
		world_clear(&world);
		world_tree(&world, 2, 8);
		compare_engines(&world, p + 1 < ARRAY_LENGTH(patterns) ? patterns[p] : "stencil:16x16", SPEEDS);
		world_clear(&world);
	}
}

TEST(computed_routes_count_the_same)
{
	static const char *const specs[] = {"fattree:k=4,n=3", "xgft:3:1/4:2/2:3/2:2", "pgft:4:1:1/3:2:3/2:3:2", "star:9", "xgft:4:2/4:2",
		"torus:4x4x4", "dragonfly:p=2,a=4,h=2"};
	static const char *const patterns[] = {"bisect", "rand", "alltoall_flood", "gather"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs) * ARRAY_LENGTH(patterns); i++) {
		struct world world;
		world_topology(&world, specs[i / ARRAY_LENGTH(patterns)], i % 2);
		for (uint32_t c = 0; c < world.fabric->channels; c++)
			world.fabric->speed[c] = 1 + c % 3;
		compare_engines(&world, patterns[i % ARRAY_LENGTH(patterns)], 0);
		world_clear(&world);
	}
}

/* The entries of a destination, of all starts, are the routes. */
TEST(trees_need_no_table)
{
	static const char *const specs[] = {"fattree:k=4,n=3", "xgft:3:1/4:2/2:3/2:2", "pgft:4:1:1/3:2:3/2:3:2", "star:9"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct world world;
		struct route_cache route_cache;
		world_topology(&world, specs[i], false);
		make_paths(&route_cache, &world);
		assert_non_null(route_cache.tree);
		assert_int_equal(route_cache_bytes(&route_cache), 0);
		uint32_t hosts = world.fabric->hosts, blank = world.fabric->channels, route[ROUTE_CACHE_CHANNELS_MAX];
		uint32_t *row = calloc((size_t)route_cache.starts * route_cache.inner + 1, sizeof *row);
		for (uint32_t d = 0; d < hosts; d++) {
			route_cache_row(&route_cache, d, row);
			for (uint32_t s = 0; s < hosts; s++) {
				if (s == d)
					continue;
				size_t have = append(route, 0, route_cache.first[s], blank); /* then up and down in turn */
				const uint32_t *entry = row + (size_t)route_cache.start[s] * route_cache.inner;
				for (uint32_t k = 0; k < route_cache.inner; k += 2)
					have = append(route, have, entry[k], blank);
				for (uint32_t k = route_cache.inner; k; k -= 2)
					have = append(route, have, entry[k - 1], blank);
				have = append(route, have, route_cache.last[d], blank);
				uint32_t walked[ROUTE_CACHE_CHANNELS_MAX];
				assert_int_equal(walk_route(world.fabric, world.forwarding, s, d, walked), have);
				assert_memory_equal(route, walked, have * sizeof *route);
			}
		}
		free(row);
		clear_paths(&route_cache);
		world_clear(&world);
	}
}

/* More routes on one channel than 16 bits count: all hosts of the first of two switches to all of the second. */
static void count_many(uint32_t half)
{
	struct world world;
	struct route_cache route_cache;
	struct level level;
	struct error error = {0};
	uint32_t *host = calloc(2 * half, sizeof *host);
	char spec[40], pattern[40];
	for (uint32_t h = 0; h < 2 * half; h++)
		host[h] = h;
	snprintf(spec, sizeof spec, "xgft:%u:1/2:1", half);
	snprintf(pattern, sizeof pattern, "shift:%u", half);
	world_topology(&world, spec, false);
	make_paths(&route_cache, &world);
	struct pattern_call *call = make_pattern(pattern, 2 * half);
	for (int function = 0; function < 2; function++) {
		struct congestion *engine = make_one(&world, function ? NULL : &route_cache, 0);
		for (int time = 0; time < 2; time++) {
			assert_int_equal(congestion_level(engine, call, 0, host, &level, NULL, &error), RUN_OK);
			assert_int_equal(level.connections, 2 * half);
			assert_true(level.largest == half);
			assert_int_equal(histogram_bins(level.weights), 1);
		}
		congestion_free(engine);
	}
	free(host);
	pattern_free(call);
	clear_paths(&route_cache);
	world_clear(&world);
}

TEST(counters_are_wide_enough)
{
	count_many(65535);
	count_many(65536); /* channels up to and above those whose counters are prefetched */
	count_many(66000);
}

TEST(the_engine_refuses_the_same_pair)
{
	struct random random;
	random_start(&random, 4, 0, 0);
	for (int graph = 0; graph < 100; graph++) {
		struct world world;
		char *text = random_graph(&random, 2 + random_below(&random, 8), 1 + random_below(&random, 40));
		world_load(&world, text);
		compare_engines(&world, "alltoall_flood", SPEEDS);
		compare_engines(&world, "rand", SPEEDS);
		world_clear(&world);
		free(text);
	}
}

/* ---- whether it is worth it */

TEST(a_table_is_made_when_it_pays_and_fits)
{
	struct world world;
	struct error error = {0};
	struct shared_route_cache table;
	struct comm *comm = comm_create(&error);
	world_tree(&world, 4, 3); /* 64 x 16 entries of 16 bytes */
	static const struct {
		uint64_t pairs, memory;
		bool used;
	} cases[] = {{255, ROUTE_MEMORY_DEFAULT, false}, {256, ROUTE_MEMORY_DEFAULT, true}, {256, 16384, true}, {256, 16383, false},
		{256, 0, false}};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		assert_int_equal(shared_route_cache_make(
					 &table, comm, world.fabric, world.forwarding, cases[i].pairs, cases[i].memory, NULL, &error),
			0);
		assert_int_equal(table.used, cases[i].used);
		shared_route_cache_clear(&table);
	}
	comm_free(comm);
	world_clear(&world);
}

TEST(pairs_of_patterns_are_estimated)
{
	static const struct {
		const char *pattern;
		uint32_t ranks;
		uint64_t pairs;
	} cases[] = {{"bisect", 10, 5}, {"alltoall_flood", 10, 90}, {"alltoall", 10, 90}, {"bruck", 16, 64}, {"null", 10, 0}};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct pattern_call *call = make_pattern(cases[i].pattern, cases[i].ranks);
		assert_int_equal(pattern_pairs(call, -1), cases[i].pairs);
		pattern_free(call);
	}
	struct pattern_call *tree = make_pattern("tree", 16);
	assert_int_equal(pattern_pairs(tree, 3), 8);
	pattern_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(destination_trees_fit_into_entries),
		cmocka_unit_test(long_routes_are_left_to_be_walked),
		cmocka_unit_test(random_graphs_agree_with_walks),
		cmocka_unit_test(the_engine_counts_the_same),
		cmocka_unit_test(computed_routes_count_the_same),
		cmocka_unit_test(trees_need_no_table),
		cmocka_unit_test(counters_are_wide_enough),
		cmocka_unit_test(the_engine_refuses_the_same_pair),
		cmocka_unit_test(a_table_is_made_when_it_pays_and_fits),
		cmocka_unit_test(pairs_of_patterns_are_estimated),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
