/* Regular topologies: cables, computed routes, names, parameters. */
#include "helpers.h"

#include "topologies/reciprocal.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

/* What each comes to, by the formulae of its kind; group: switches of a dragonfly's group whose groups have one cable to each other. */
static const struct known {
	const char *spec;
	uint32_t hosts, switches, cables, longest;
	uint32_t group;
} known[] = {
	{"fattree:k=2,n=1", 2, 1, 2, 2, 0},
	{"fattree:k=4,n=2", 16, 8, 32, 4, 0},
	{"fattree:k=4,n=3", 64, 48, 192, 6, 0},
	{"fattree:2,6", 64, 192, 384, 12, 0},
	{"fattree:k=7,n=2", 49, 14, 98, 4, 0},
	{"mport:m=16,n=3", 1024, 320, 3072, 6, 0}, /* HiNetSim paper, table 4 */
	{"mport:m=6,n=2", 18, 9, 36, 4, 0},
	{"mport:m=2,n=4", 2, 7, 8, 8, 0},
	{"thintree:down=4,up=2,n=3", 64, 16 + 8 + 4, 64 + 32 + 16, 6, 0},
	{"thintree:down=4,up=1,n=3", 64, 16 + 4 + 1, 64 + 16 + 4, 6, 0},
	{"thintree:down=2,up=3,n=4", 16, 8 + 12 + 18 + 27, 16 + 24 + 36 + 54, 8, 0},
	{"thintree:down=3,up=3,n=3", 27, 27, 81, 6, 0},
	{"xgft:16:1/16:16", 256, 32, 512, 4, 0},
	{"xgft:4:1/3:2/2:3", 24, 6 + 4 + 6, 24 + 12 + 12, 6, 0},
	{"xgft:2:3/3:2/1:4/5:1", 30, 45 + 30 + 120 + 24, 90 + 90 + 120 + 120, 8, 0},
	{"xgft:1:3/2:2", 2, 6 + 6, 6 + 12, 4, 0},
	{"xgft:3:2/1:2", 3, 2 + 4, 6 + 4, 2, 0},
	{"xgft:1:1", 1, 1, 1, 0, 0},
	{"star:7", 7, 1, 7, 2, 0},
	{"tree:degree=3,height=3", 27, 9 + 3 + 1, 39, 6, 0},
	{"gtree:4:2/3:3/2", 24, 6 + 4 + 6, 24 + 12 + 12, 6, 0},
	{"gtree:2:2/2:0", 4, 4, 8, 4, 0},
	{"pgft:4:1:1/4:2:2", 16, 4 + 2, 16 + 16, 4, 0},
	{"pgft:3:2:3/2:3:2/2:2:5", 12, 8 + 12 + 12, 72 + 48 + 120, 6, 0},
	{"ring:7,hosts=2", 14, 7, 14 + 7, 5, 0},
	{"ring:2", 2, 2, 3, 3, 0},
	{"ring:8,hosts=direct", 8, 0, 8, 4, 0},
	{"torus:4x3x2,hosts=direct", 24, 0, 24 + 24 + 12, 4, 0},
	{"mesh:4x3,hosts=direct", 12, 0, 9 + 8, 5, 0},
	{"fullmesh:6,hosts=2", 12, 6, 12 + 15, 3, 0},
	{"fullmesh:5,hosts=direct", 5, 0, 10, 1, 0},
	{"hypercube:5", 32, 32, 32 + 80, 7, 0},
	{"hypercube:9,hosts=direct", 512, 0, 9 * 256, 9, 0},
	{"hyperx:4x1x3,hosts=3", 36, 12, 36 + 18 + 12, 4, 0},
	{"hyperx:3x4,hosts=direct", 12, 0, 12 + 18, 2, 0},
	{"bcube:n=4,k=2", 16, 8, 32, 4, 0},
	{"bcube:n=2,k=5", 32, 80, 160, 10, 0},
	{"bcube:n=5,k=3", 125, 75, 375, 6, 0},
	{"bcube:n=3,k=1", 3, 1, 3, 2, 0},
	{"mesh:1", 1, 1, 1, 2, 0},
	{"mesh:2,hosts=4", 8, 2, 9, 3, 0},
	{"mesh:5x3x2", 30, 30, 30 + 24 + 20 + 15, 9, 0},
	{"mesh:1x4x1,hosts=3", 12, 4, 12 + 3, 5, 0},
	{"torus:3", 3, 3, 6, 3, 0},
	{"torus:8", 8, 8, 16, 6, 0},
	{"torus:4x4x4", 64, 64, 64 * 4, 8, 0},
	{"torus:5x4,hosts=3", 60, 20, 60 + 40, 6, 0},
	{"torus:1x2x6", 12, 12, 12 + 6 + 12, 6, 0},
	{"torus:2x2x2,hosts=2", 16, 8, 16 + 12, 5, 0},
	{"torus:7x6,wrap=1:0", 42, 42, 42 + 42 + 35, 10, 0},
	{"torus:7x6,wrap=0:1,hosts=2", 84, 42, 84 + 36 + 42, 11, 0},
	{"torus:4x3,hosts=1,wrap=0", 12, 12, 12 + 9 + 8, 7, 0},
	{"torus:2x3x2x3x2x3,wrap=1", 216, 216, 216 * 4 + 324, 8, 0},
	{"dragonfly:p=2,a=4,h=2", 72, 36, 72 + 54 + 36, 5, 4},
	{"dragonfly:p=1,a=4,h=2,arrangement=relative", 36, 36, 36 + 54 + 36, 5, 4},
	{"dragonfly:p=1,a=4,h=2,arrangement=circulant", 36, 36, 36 + 54 + 36, 5, 4},
	{"dragonfly:p=1,a=3,h=3,arrangement=circulant", 30, 30, 30 + 30 + 45, 5, 3},
	{"dragonfly:p=1,a=3,h=3,arrangement=relative", 30, 30, 30 + 30 + 45, 5, 3},
	{"dragonfly:p=3,a=1,h=4", 15, 5, 15 + 10, 3, 1},
	{"dragonfly:p=3,a=4,h=2,g=1", 12, 4, 12 + 6, 3, 4},
	{"dragonfly:p=1,a=4,h=2,g=7", 28, 28, 28 + 42 + 21, 5, 4},
	{"dragonfly:p=1,a=4,h=2,g=6,arrangement=relative", 24, 24, 24 + 36 + 15, 5, 4},
	{"dragonfly:p=1,a=4,h=2,g=8,arrangement=circulant", 32, 32, 32 + 48 + 28, 5, 4},
	{"dragonfly:p=1,a=3,h=7,g=3", 9, 9, 9 + 9 + 3 * 10, 5, 0},
	{"dragonfly:p=1,a=3,h=7,g=6,arrangement=relative", 18, 18, 18 + 18 + 15 * 4, 5, 0},
	{"dragonfly:p=1,a=3,h=8,g=6,arrangement=circulant", 18, 18, 18 + 18 + 15 * 4, 5, 0},
	{"dragonfly:p=2,a=4,h=2,g=5", 40, 20, 40 + 30 + 10 * 2, 5, 0},
	{"dragonfly:p=2,a=4,h=2,g=4,arrangement=circulant", 32, 16, 32 + 24 + 6 * 2, 5, 0},
	{"dragonfly:p=1,a=2,h=9,g=5,arrangement=relative", 10, 10, 10 + 5 + 10 * 4, 5, 0},
	{"dragonfly:p=1,a=5,h=11,g=4,arrangement=relative", 20, 20, 20 + 40 + 6 * 18, 5, 0},
	{"dragonfly:p=1,a=2,h=2,g=2", 4, 4, 4 + 2 + 4, 5, 0},
};

static struct topology *make(const char *spec)
{
	struct error error = {0};
	struct topology *topology = topology_create(spec, &error);
	assert_fine(&error);
	assert_non_null(topology);
	return topology;
}

static uint32_t ports_of(const struct topology *topology, bool host, uint32_t node)
{
	return topology->kind->ports(topology, host, node);
}

static struct topology_port peer_of(const struct topology *topology, bool host, uint32_t node, uint32_t port)
{
	return topology->kind->peer(topology, (struct topology_port){host, node, port});
}

/* The cable at a port leads to a port that exists, of another node, and from there back. Returns its other end. */
static struct topology_port check_cable(const struct topology *topology, bool host, uint32_t node, uint32_t port)
{
	struct topology_port end = peer_of(topology, host, node, port), back;
	assert_true(end.node < (end.host ? topology->hosts : topology->switches));
	assert_true(end.port < ports_of(topology, end.host, end.node));
	assert_false(host && end.host && topology->switches);
	assert_true(end.host != host || end.node != node);
	back = topology->kind->peer(topology, end);
	assert_true(back.host == host && back.node == node && back.port == port);
	return end;
}

/* The route's steps are those that next and peer make, through no node twice, at most longest of them. Returns their number. */
static uint32_t check_route(const struct topology *topology, uint32_t source, uint32_t destination)
{
	static struct topology_step steps[TOPOLOGY_ROUTE_MAX];
	uint32_t length = topology->kind->route(topology, source, destination, steps), walked = 0;
	assert_in_range(length, 1, topology->kind->longest(topology));
	struct topology_port at = {true, source, 0};
	while (!at.host || at.node != destination) {
		assert_true(walked < length);
		at.port = topology->kind->next(topology, at.host, at.node, destination);
		uint32_t node = at.host && walked ? at.node - topology->hosts : at.node;
		assert_int_equal(steps[walked].node, node);
		assert_int_equal(steps[walked].port, at.port);
		for (uint32_t i = 1; i < walked && topology->hosts < 1000; i++)
			assert_int_not_equal(steps[i].node, node);
		at = topology->kind->peer(topology, at);
		walked++;
	}
	assert_int_equal(walked, length);
	return length;
}

TEST(sizes_are_those_of_the_formulae)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		assert_int_equal(topology->hosts, known[i].hosts);
		assert_int_equal(topology->switches, known[i].switches);
		assert_int_equal(topology->channels, 2 * known[i].cables);
		assert_int_equal(topology->kind->longest(topology), known[i].longest);
		topology_free(topology);
	}
}

/* On a ring whose channels lead one way, routes go up, all the way round. */
TEST(rings_of_one_way_go_round)
{
	struct topology *topology = make("ring:6,oneway,hosts=2");
	struct topology_step steps[TOPOLOGY_ROUTE_MAX];
	for (uint32_t source = 0; source < 12; source++)
		for (uint32_t d = 0; d < 12; d++) {
			if (source == d)
				continue;
			uint32_t length = check_route(topology, source, d);
			assert_int_equal(length, 2 + (d / 2 + 6 - source / 2) % 6);
			assert_int_equal(topology->kind->route(topology, source, d, steps), length);
			for (uint32_t i = 1; i + 1 < length; i++)
				assert_int_equal(steps[i].node, (source / 2 + i - 1) % 6);
		}
	topology_free(topology);
}

TEST(every_port_has_a_cable)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		uint64_t channels = 0;
		for (int host = 0; host < 2; host++)
			for (uint32_t node = 0; node < (host ? topology->hosts : topology->switches); node++) {
				uint32_t ports = ports_of(topology, host, node);
				for (uint32_t port = 0; port < ports; port++)
					check_cable(topology, host, node, port);
				channels += ports;
			}
		assert_int_equal(channels, topology->channels);
		topology_free(topology);
	}
}

TEST(routes_are_what_their_steps_make)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		for (uint32_t source = 0; source < topology->hosts; source++)
			for (uint32_t destination = 0; destination < topology->hosts; destination++)
				if (source != destination)
					check_route(topology, source, destination);
		topology_free(topology);
	}
}

/* Every switch forwards to every host, also one that no route to it crosses. */
TEST(every_switch_forwards_to_every_host)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		for (uint32_t node = 0; node < topology->switches; node++)
			for (uint32_t destination = 0; destination < topology->hosts; destination++) {
				struct topology_port at = {false, node, 0};
				for (uint32_t steps = 0; !at.host || at.node != destination; steps++) {
					assert_true(steps < topology->kind->longest(topology) + 2);
					at.port = topology->kind->next(topology, at.host, at.node, destination);
					at = topology->kind->peer(topology, at);
				}
			}
		topology_free(topology);
	}
}

/*
 * Distances from a host to all nodes, hosts first, breadth first; in a dragonfly over at most one cable between groups. distance is
 * [2][nodes]: without such a cable, and with one.
 */
static void distances(const struct topology *topology, uint32_t group, uint32_t source, uint32_t *distance, uint32_t *queue)
{
	uint32_t nodes = topology->hosts + topology->switches, first = 0, last = 0;
	for (uint32_t i = 0; i < 2 * nodes; i++)
		distance[i] = UINT32_MAX;
	distance[source] = 0;
	queue[last++] = source;
	while (first < last) {
		uint32_t state = queue[first++], node = state % nodes;
		bool host = node < topology->hosts;
		uint32_t number = host ? node : node - topology->hosts;
		for (uint32_t port = 0; port < ports_of(topology, host, number); port++) {
			struct topology_port end = peer_of(topology, host, number, port);
			bool global = group && !host && !end.host && end.node / group != number / group;
			uint32_t to = (global && state >= nodes)
					      ? state
					      : (state >= nodes || global ? nodes : 0) + (end.host ? 0 : topology->hosts) + end.node;
			if (distance[to] == UINT32_MAX) {
				distance[to] = distance[state] + 1;
				queue[last++] = to;
			}
		}
	}
}

TEST(routes_are_shortest)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		struct topology_step steps[TOPOLOGY_ROUTE_MAX];
		uint32_t nodes = topology->hosts + topology->switches;
		uint32_t *distance = calloc(4 * (size_t)nodes, sizeof *distance);
		bool many = !strncmp(known[i].spec, "dragonfly", 9) && !known[i].group; /* several cables: checked below */
		for (uint32_t source = 0; source < topology->hosts && !many; source++) {
			distances(topology, known[i].group, source, distance, distance + 2 * nodes);
			for (uint32_t d = 0; d < topology->hosts; d++) {
				uint32_t least = distance[d] < distance[nodes + d] ? distance[d] : distance[nodes + d];
				if (d != source)
					assert_int_equal(topology->kind->route(topology, source, d, steps), least);
			}
		}
		free(distance);
		topology_free(topology);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

TEST(names_are_unique)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *topology = make(known[i].spec);
		size_t nodes = (size_t)topology->hosts + topology->switches;
		char(*names)[TOPOLOGY_NAME_MAX] = calloc(nodes, sizeof *names);
		for (size_t n = 0; n < nodes; n++) {
			bool host = n < topology->hosts;
			topology->kind->node_name(topology, host, (uint32_t)(host ? n : n - topology->hosts), names[n]);
			assert_int_equal(names[n][0], host ? 'H' : 'S');
			assert_int_equal(strspn(names[n], "HS0123456789_"), strlen(names[n]));
		}
		qsort(names, nodes, sizeof *names, by_text);
		for (size_t n = 1; n < nodes; n++)
			assert_string_not_equal(names[n - 1], names[n]);
		free(names);
		topology_free(topology);
	}
}

static void check_name(const char *spec, bool host, uint32_t node, const char *expected)
{
	struct topology *topology = make(spec);
	char name[TOPOLOGY_NAME_MAX];
	topology->kind->node_name(topology, host, node, name);
	assert_string_equal(name, expected);
	topology_free(topology);
}

TEST(names_tell_where_a_node_stands)
{
	check_name("fattree:k=4,n=3", true, 63, "H63");
	check_name("fattree:k=4,n=3", false, 0, "S1_0");
	check_name("fattree:k=4,n=3", false, 16, "S2_0");
	check_name("fattree:k=4,n=3", false, 47, "S3_15");
	check_name("torus:4x3x2", false, 4 + 12 + 3, "S3_1_1");
	check_name("torus:4x3x2", true, 4 + 12 + 3, "H3_1_1");
	check_name("torus:4x3x2,hosts=2", true, 1, "H0_0_0_1");
	check_name("dragonfly:p=2,a=4,h=2", true, 9, "H1_0_1");
	check_name("dragonfly:p=2,a=4,h=2", false, 35, "S8_3");
	check_name("mesh:1,hosts=2147483500", true, 2147483499, "H0_2147483499");
}

/* ---- fat trees */

/* On each level the port is (d div W_l) mod w_(l+1), after the down ports. */
TEST(destination_trees_are_climbed_by_d_mod_k)
{
	struct topology *topology = make("xgft:4:1/3:2/2:3/2:5");
	static const uint32_t children[] = {0, 4, 3, 2, 2}, parents[] = {1, 2, 3, 5}, copies[] = {1, 1, 2, 6}, below[] = {1, 4, 12, 24};
	struct topology_step steps[TOPOLOGY_ROUTE_MAX];
	for (uint32_t source = 0; source < topology->hosts; source++)
		for (uint32_t d = 0; d < topology->hosts; d++) {
			uint32_t up = 0;
			while (up < 4 && source / below[up] != d / below[up])
				up++;
			if (source == d)
				continue;
			assert_int_equal(topology->kind->route(topology, source, d, steps), 2 * up);
			for (uint32_t l = 0; l < up; l++) {
				assert_int_equal(steps[l].port, children[l] + d / copies[l] % parents[l]);
				assert_int_equal(steps[2 * up - 1 - l].port, d / below[l] % children[l + 1]);
			}
		}
	topology_free(topology);
}

/* Full bisection bandwidth and D-mod-K: no two routes of a shift share a channel. */
TEST(shifts_do_not_congest_fat_trees)
{
	static const char *const specs[] = {"fattree:k=4,n=3", "fattree:k=3,n=3", "fattree:k=2,n=5", "fattree:k=6,n=2"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *topology = make(specs[i]);
		uint32_t ports = 2 * (uint32_t)topology->args.value[0].integer;
		struct topology_step steps[TOPOLOGY_ROUTE_MAX];
		uint8_t *used = calloc((size_t)topology->switches, ports);
		for (uint32_t shift = 1; shift < topology->hosts; shift++) {
			memset(used, 0, (size_t)topology->switches * ports);
			for (uint32_t source = 0; source < topology->hosts; source++) {
				uint32_t length = topology->kind->route(topology, source, (source + shift) % topology->hosts, steps);
				for (uint32_t s = 1; s < length; s++)
					assert_int_equal(used[steps[s].node * ports + steps[s].port]++, 0);
			}
		}
		free(used);
		topology_free(topology);
	}
}

/* ---- grids */

/* The port by which a switch forwards to another's first host leads to the switch expected. */
static void check_turn(const char *spec, uint32_t from, uint32_t to, uint32_t over)
{
	struct topology *topology = make(spec);
	uint32_t hosts = topology->hosts / topology->switches;
	uint32_t port = topology->kind->next(topology, false, from, to * hosts);
	assert_int_equal(peer_of(topology, false, from, port).node, over);
	topology_free(topology);
}

TEST(grids_take_the_first_dimension_first_and_half_rings_by_parity)
{
	check_turn("mesh:4x4", 0, 15, 1);
	check_turn("mesh:4x4", 3, 12, 2);
	check_turn("mesh:4x4", 3, 15, 7);
	check_turn("torus:4x4", 0, 2, 1); /* half way round: up from even coordinates */
	check_turn("torus:4x4", 2, 0, 3); /* also from there */
	check_turn("torus:4x4", 3, 1, 2); /* down from odd ones */
	check_turn("torus:4x4", 1, 3, 0);
	check_turn("torus:6x4", 5, 2, 4);
	check_turn("torus:6x4", 4, 1, 5);
	check_turn("torus:4x4", 0, 3, 3); /* downwards is shorter */
	check_turn("torus:4x4", 0, 8, 4); /* half way round in the second dimension */
	check_turn("torus:4x4", 12, 4, 8);
	check_turn("torus:4x4", 7, 15, 3); /* its own coordinate counts: 1 */
	check_turn("torus:4x4", 3, 11, 7);
	check_turn("torus:5x5", 0, 2, 1); /* no half ring */
	check_turn("torus:5x5", 0, 3, 4);
	check_turn("torus:4x4,wrap=0:1,hosts=2", 0, 3, 1);
	check_turn("torus:4x4,wrap=0:1,hosts=2", 0, 12, 12);
	check_turn("torus:2x2", 0, 3, 1);
}

/* The most routes that share a channel, of all pairs. */
static uint32_t largest_load(const char *spec)
{
	struct topology *t = make(spec);
	uint32_t most = 0, nodes = t->hosts + t->switches, ports = 2 * DIMENSIONS_MAX + 1,
		 *load = calloc((size_t)nodes * ports, sizeof *load);
	struct topology_step steps[100];
	for (uint32_t source = 0; source < t->hosts; source++)
		for (uint32_t target = 0; target < t->hosts; target++) {
			uint32_t length = source == target ? 0 : t->kind->route(t, source, target, steps);
			for (uint32_t i = 0; i < length; i++) {
				uint32_t node = i ? t->hosts + steps[i].node : steps[i].node;
				uint32_t *here = &load[node * ports + steps[i].port];
				most = ++*here > most ? *here : most;
			}
		}
	free(load);
	topology_free(t);
	return most;
}

/* On widths that 4 divides all channels carry the same; a bias to one direction would make 12, 48, 640, 10, and of twisted tori 10 and 86.
 */
TEST(half_rings_go_both_ways_alike)
{
	assert_int_equal(largest_load("torus:4x4,hosts=direct"), 8);
	assert_int_equal(largest_load("torus:4x4x4,hosts=direct"), 32);
	assert_int_equal(largest_load("torus:8x8x8,hosts=direct"), 512);
	assert_int_equal(largest_load("ring:8,hosts=direct"), 8);
	assert_int_equal(largest_load("torus:6x6,hosts=direct"), 30); /* of 3 ties 2 go one way */
	assert_int_equal(largest_load("torus:5x5,hosts=direct"), 15);
	assert_int_equal(largest_load("twisted:4x4,jump=0,hosts=direct"), 8);
	assert_int_equal(largest_load("twisted:4x4,jump=1:0,hosts=direct"), 8);
	assert_int_equal(largest_load("twisted:8x8,jump=4:0,hosts=direct"), 72);
}

/* Hosts, then per dimension the cable down and the cable up, where they are. */
TEST(ports_of_grids_come_by_dimension)
{
	struct topology *topology = make("torus:3x4x2,wrap=1:0:1,hosts=2");
	static const uint32_t corner[] = {2, 1, 3, 12}, inside[] = {3 + 2, 3 + 1, 0, 6, 15};
	assert_int_equal(ports_of(topology, false, 0), 2 + 4);
	assert_int_equal(ports_of(topology, false, 3), 2 + 5);
	for (uint32_t i = 0; i < 2; i++) {
		assert_true(peer_of(topology, false, 3, i).host);
		assert_int_equal(peer_of(topology, false, 3, i).node, 6 + i);
	}
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(peer_of(topology, false, 0, 2 + i).node, corner[i]);
	for (uint32_t i = 0; i < 5; i++)
		assert_int_equal(peer_of(topology, false, 3, 2 + i).node, inside[i]);
	topology_free(topology);
}

/* ---- dragonflies */

/* The global port o of a group, at switch o div h; every switch has h of them. */
static struct topology_port global_port(const struct topology *topology, uint32_t group, uint32_t o)
{
	const struct arg_value *value = topology->args.value;
	uint32_t p = (uint32_t)value[0].integer, a = (uint32_t)value[1].integer, h = (uint32_t)value[2].integer;
	return (struct topology_port){false, group * a + o / h, p + a - 1 + o % h};
}

/* Group and number in it of the far end of a group's global port o. */
static void far_end(const struct topology *topology, uint32_t group, uint32_t o, uint32_t *far_group, uint32_t *far)
{
	const struct arg_value *value = topology->args.value;
	uint32_t p = (uint32_t)value[0].integer, a = (uint32_t)value[1].integer, h = (uint32_t)value[2].integer;
	struct topology_port end = topology->kind->peer(topology, global_port(topology, group, o));
	*far_group = end.node / a;
	*far = end.node % a * h + end.port - (p + a - 1);
}

TEST(groups_are_joined_by_the_arrangement)
{
	static const char *const arrangements[] = {"absolute", "relative", "circulant"};
	for (int arrangement = 0; arrangement < 3; arrangement++)
		for (uint32_t a = 2; a < 6; a++) {
			char spec[80];
			snprintf(spec, sizeof spec, "dragonfly:p=1,a=%u,h=3,arrangement=%s", a, arrangements[arrangement]);
			struct topology *topology = make(spec);
			uint32_t ports = a * 3, groups = ports + 1, group, port;
			for (uint32_t g = 0; g < groups; g++)
				for (uint32_t o = 0; o < ports; o++) {
					far_end(topology, g, o, &group, &port);
					if (arrangement == 0) {
						assert_int_equal(group, o < g ? o : o + 1);
					} else if (arrangement == 1) {
						assert_int_equal(group, (g + o + 1) % groups);
						assert_int_equal(port, ports - 1 - o);
					} else {
						assert_int_equal(group, (o % 2 ? g + groups - (o + 1) / 2 : g + o / 2 + 1) % groups);
						assert_int_equal(port, ports % 2 && o == ports - 1 ? o : o ^ 1);
					}
				}
			topology_free(topology);
		}
}

/* With fewer groups every round of g-1 ports is one such dragonfly's, and its cables stay in the round. */
TEST(fewer_groups_repeat_the_arrangement)
{
	struct topology *topology = make("dragonfly:p=1,a=4,h=4,g=6,arrangement=relative");
	uint32_t group, port;
	for (uint32_t g = 0; g < 6; g++)
		for (uint32_t o = 0; o < 15; o++) {
			far_end(topology, g, o, &group, &port);
			assert_int_equal(group, (g + o % 5 + 1) % 6);
			assert_int_equal(port, o / 5 * 5 + 4 - o % 5);
		}
	assert_int_equal(ports_of(topology, false, 3), 1 + 3 + 3); /* port 15 has no cable */
	topology_free(topology);
}

/* Ports of switches first..end-1 to a group, in order; returns how many, the chosen one in *port. */
static uint32_t cables_to(const struct topology *topology, uint32_t a, uint32_t first, uint32_t end, uint32_t group, uint32_t choice,
	struct topology_port *port)
{
	uint32_t count = 0;
	for (uint32_t node = first; node < end; node++)
		for (uint32_t p = 0; p < ports_of(topology, false, node); p++) {
			struct topology_port peer = peer_of(topology, false, node, p);
			if (!peer.host && peer.node / a == group && count++ == choice)
				*port = (struct topology_port){false, node, p};
		}
	return count;
}

/* Out of a group by a cable of the switch's own if it has one, of several number d mod count; else of the group's the same. */
TEST(dragonflies_leave_a_group_by_cables_of_their_own)
{
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		if (strncmp(known[i].spec, "dragonfly", 9))
			continue;
		struct topology *topology = make(known[i].spec);
		uint32_t p = (uint32_t)topology->args.value[0].integer, a = (uint32_t)topology->args.value[1].integer;
		for (uint32_t node = 0; node < topology->switches; node++)
			for (uint32_t d = 0; d < topology->hosts; d++) {
				uint32_t group = d / p / a, next = topology->kind->next(topology, false, node, d);
				struct topology_port port = {0}, reached = peer_of(topology, false, node, next);
				if (node / a == group)
					continue;
				uint32_t own = cables_to(topology, a, node, node + 1, group, UINT32_MAX, &port);
				if (own) {
					cables_to(topology, a, node, node + 1, group, d % own, &port);
					assert_int_equal(next, port.port);
				} else {
					uint32_t first = node / a * a;
					uint32_t all = cables_to(topology, a, first, first + a, group, UINT32_MAX, &port);
					cables_to(topology, a, first, first + a, group, d % all, &port);
					assert_int_equal(reached.node, port.node);
				}
			}
		topology_free(topology);
	}
}

/* ---- all kinds */

TEST(large_topologies_are_the_same)
{
	static const char *const specs[] = {"fattree:k=32,n=4", "fattree:k=1000,n=2", "fattree:k=2,n=25", "thintree:down=24,up=8,n=4",
		"torus:100x100x100,hosts=3", "torus:2x3x4x5x6x7x8x9", "mesh:1,hosts=2147483500", "mesh:1300x1300x1",
		"dragonfly:p=16,a=32,h=16", "dragonfly:p=40,a=100,h=50,arrangement=circulant",
		"dragonfly:p=4,a=16,h=1000,g=17,arrangement=relative", "dragonfly:p=1,a=1,h=2147483000,g=2", "xgft:40000:40000",
		"pgft:24:1:1/24:8:3/48:12:2/3:1:2", "hyperx:40x50x60,hosts=20", "fullmesh:50000,hosts=100", "hypercube:20,hosts=3",
		"bcube:n=17,k=4", "hyperx:1000x1000,hosts=direct", "torus:100x100x100,hosts=direct", "star:2000000000",
		"xgft:1:65535/16383:1"};
	struct random random;
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *topology = make(specs[i]);
		random_start(&random, 1, RANDOM_PATTERN, i);
		for (int n = 0; n < 20000; n++) {
			bool host = n % 2 || !topology->switches;
			uint32_t node = random_below(&random, host ? topology->hosts : topology->switches);
			uint32_t ports = ports_of(topology, host, node), source = random_below(&random, topology->hosts);
			check_cable(topology, host, node, random_below(&random, ports));
			check_cable(topology, host, node, ports - 1);
			uint32_t destination = random_below(&random, topology->hosts);
			if (source != destination && n < 2000)
				check_route(topology, source, destination);
		}
		topology_free(topology);
	}
}

TEST(reciprocals_are_exact)
{
	static const uint32_t some[] = {
		1, 2, 3, 5, 6, 7, 10, 255, 641, 65535, 65536, 65537, 6700417, 2147483647, 2147483648, 2147483649, 4294967294, 4294967295};
	struct random random;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	for (size_t i = 0; i < ARRAY_LENGTH(some) + 2000; i++) {
		uint32_t divisor = i < ARRAY_LENGTH(some) ? some[i] : (random_bits(&random) >> random_below(&random, 32)) | 1;
		struct reciprocal by = reciprocal_of(divisor);
		uint32_t most = UINT32_MAX / divisor;
		for (int n = 0; n < 100; n++) {
			uint32_t multiple = (n < 2 ? (uint32_t)n : n == 2 ? most : random_bits(&random) % most) * divisor;
			for (uint32_t off = 0; off < 3; off++) {
				uint32_t number = multiple + off - 1; /* also round the end */
				assert_int_equal(quotient(number, by), number / divisor);
				assert_int_equal(remainder_of(number, by), number % divisor);
			}
		}
		assert_int_equal(quotient(UINT32_MAX, by), most);
	}
}

TEST(wrong_specifications_are_refused)
{
	static const struct {
		const char *spec, *words;
	} bad[] = {
		{"", "unknown topology ''"},
		{"fatree:k=4,n=2", "did you mean 'fattree'?"},
		{"fattree",
			"topology 'fattree' requires the parameter k (down ports of a switch, and as many up ports); usage: fattree:k,n"},
		{"fattree:k=4", "requires the parameter"},
		{"fattree:k=1,n=2", "k is '1', not an integer from 2"},
		{"fattree:k=4,n=33", "n is '33'"},
		{"fattree:k=4,n=2,5", "'5' is one parameter too many"},
		{"fattree:k=1000,n=9", "fattree:k=1000,n=9: too large: more than 4294967000 channels"},
		{"fattree:k=2,n=32", "more than 4294967000 channels"},
		{"thintree:down=2,up=4294967295,n=32", "more than 4294967000 channels"},
		{"thintree:down=4,up=0,n=2", "up is '0'"},
		{"xgft:", "requires the parameter"},
		{"xgft:4", "xgft:4: level 1 is '4', not children:parents"},
		{"xgft:4:1/0:2", "level 2 is '0:2'"},
		{"xgft:4:1/", "level 2 is ''"},
		{"xgft:4:1x", "level 1 is '4:1x'"},
		{"xgft:1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/1:1/"
		 "1:1/1:1/1:1",
			"more than 32 levels"},
		{"xgft:4:4294967295/4:4", "more than 4294967000 channels"},
		{"mesh:4x0", "grid is '4x0'"},
		{"mesh:2x2,wrap=1", "'wrap=1' is not a parameter"},
		{"mesh:2x2,hosts=0", "hosts is '0'"},
		{"mesh:1,hosts=2147483501", "mesh:1,hosts=2147483501: too large: more than 4294967000 channels"},
		{"mesh:65536x65536", "more than 4294967000 channels"},
		{"mesh:4294967295x4294967295x4294967295", "more than 4294967000 channels"},
		{"mesh:4096", "mesh:4096: the longest route has 4097 channels, more than 4096"},
		{"torus:4x4,wrap=2", "torus:4x4,wrap=2: wrap is '2', not 1 or 0 for each of 2 dimensions"},
		{"torus:4x4,wrap=1:1:1", "wrap is '1:1:1'"},
		{"torus:4x4,wrap=1;1", "wrap is '1;1'"},
		{"torus:4x4x4,wrap=1:1", "wrap is '1:1'"},
		{"torus:4x4,wrap=", "wrap is ''"},
		{"dragonfly:p=2,a=4", "requires the parameter"},
		{"dragonfly:p=2,a=4,h=2,g=10", "g is 10, but the a h ports of a group reach only 9 groups"},
		{"dragonfly:p=2,a=4,h=2,arrangement=circular", "did you mean 'circulant'?"},
		{"dragonfly:p=4294967295,a=4294967295,h=4294967295", "more than 4294967000 channels"},
		{"dragonfly:p=1,a=4294967295,h=1,g=1", "more than 4294967000 channels"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct error error = {0};
		assert_null(topology_create(bad[i].spec, &error));
		assert_error(&error, STATUS_USAGE, bad[i].words);
	}
}

TEST(parameters_stand_by_position_or_name)
{
	struct topology *named = make("dragonfly:h=2,p=1,a=4,g=0"), *placed = make("dragonfly:1,4,2");
	assert_int_equal(named->hosts, placed->hosts);
	assert_int_equal(named->channels, placed->channels);
	topology_free(named);
	topology_free(placed);
}

TEST(kinds_are_found_by_their_names)
{
	for (size_t i = 0; topologies[i]; i++) {
		char spec[80];
		snprintf(spec, sizeof spec, "%s:1", topologies[i]->name);
		assert_ptr_equal(topology_find(spec), topologies[i]);
		assert_ptr_equal(topology_find(topologies[i]->name), topologies[i]);
	}
	assert_null(topology_find("fat"));
	assert_null(topology_find("fattrees:4"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_those_of_the_formulae),
		cmocka_unit_test(rings_of_one_way_go_round),
		cmocka_unit_test(every_port_has_a_cable),
		cmocka_unit_test(routes_are_what_their_steps_make),
		cmocka_unit_test(every_switch_forwards_to_every_host),
		cmocka_unit_test(routes_are_shortest),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(names_tell_where_a_node_stands),
		cmocka_unit_test(destination_trees_are_climbed_by_d_mod_k),
		cmocka_unit_test(shifts_do_not_congest_fat_trees),
		cmocka_unit_test(grids_take_the_first_dimension_first_and_half_rings_by_parity),
		cmocka_unit_test(half_rings_go_both_ways_alike),
		cmocka_unit_test(ports_of_grids_come_by_dimension),
		cmocka_unit_test(groups_are_joined_by_the_arrangement),
		cmocka_unit_test(fewer_groups_repeat_the_arrangement),
		cmocka_unit_test(dragonflies_leave_a_group_by_cables_of_their_own),
		cmocka_unit_test(large_topologies_are_the_same),
		cmocka_unit_test(reciprocals_are_exact),
		cmocka_unit_test(wrong_specifications_are_refused),
		cmocka_unit_test(parameters_stand_by_position_or_name),
		cmocka_unit_test(kinds_are_found_by_their_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
