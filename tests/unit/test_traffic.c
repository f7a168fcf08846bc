/*
 * Traffic: where messages go against the chances that the definitions give, from distances found here by another way; and when they come
 * against the exact mean, distribution and grid of each process; what is refused.
 */
#include "helpers.h"

#include "topologies/topology.h"
#include "patterns/open/draw.h"
#include "patterns/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

/* ---- fabrics: those of topologies, without labels, as processes other than the first have them */

static struct fabric *build(const char *spec)
{
	struct topology *t = topology_create(spec, &error);
	assert_fine(&error);
	uint32_t nodes = t->hosts + t->switches, channel = 0;
	struct fabric *fabric = fabric_create(nodes, t->hosts, (uint32_t)t->channels, &error);
	assert_fine(&error);
	for (uint32_t v = 0; v < nodes; v++) {
		bool host = v < t->hosts;
		fabric->node_host[v] = host ? v : NONE;
		if (host)
			fabric->host_node[v] = v;
		struct topology_port port = {host, host ? v : v - t->hosts, 0};
		fabric->first_channel[v] = channel;
		for (uint32_t ports = t->kind->ports(t, host, port.node); port.port < ports; port.port++) {
			struct topology_port to = t->kind->peer(t, port);
			fabric->head[channel++] = to.node + (to.host ? 0 : t->hosts);
		}
	}
	fabric->first_channel[nodes] = channel;
	assert_int_equal(channel, t->channels);
	topology_free(t);
	return fabric;
}

/* Hops from one host to all nodes. */
static void find_hops(const struct fabric *fabric, const char *topology, uint32_t from, uint32_t *hops)
{
	bool forward = fabric->hosts == fabric->nodes || (topology && topology_hosts_forward(topology));
	uint32_t *queue = calloc(fabric->nodes, sizeof *queue), end = 1;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		hops[v] = NONE;
	hops[queue[0] = from] = 0;
	for (uint32_t i = 0; i < end; i++) {
		uint32_t v = queue[i];
		if (v != from && fabric->node_host[v] != NONE && !forward)
			continue;
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t head = fabric->head[c];
			if (hops[head] == NONE) {
				hops[head] = hops[v] + 1;
				queue[end++] = head;
			}
		}
	}
	free(queue);
}

/* ---- a run: some of the hosts in a random order */

struct run {
	struct fabric *fabric;
	uint32_t *host;
	struct traffic_setup setup;
	struct traffic_call *call;
};

/* ranks: 0 for all hosts, in order; else so many of the hosts, in a random order */
static struct run start(const char *topology, uint32_t ranks)
{
	error = (struct error){0};
	struct run run = {.fabric = build(topology)};
	uint32_t hosts = run.fabric->hosts;
	struct random random;
	random_start(&random, 5, RANDOM_MAPPING, 0);
	run.host = calloc(hosts, sizeof *run.host);
	for (uint32_t i = 0; i < hosts; i++)
		run.host[i] = i;
	if (ranks)
		random_shuffle(&random, run.host, hosts);
	run.setup = (struct traffic_setup){run.fabric, topology, ranks ? ranks : hosts, run.host, 1, 0};
	return run;
}

static void end(struct run *run)
{
	traffic_free(run->call);
	fabric_free(run->fabric);
	free(run->host);
}

static void make(struct run *run, const char *spec)
{
	traffic_free(run->call);
	run->call = traffic_create(spec, NULL, &run->setup, &error);
	assert_fine(&error);
	assert_non_null(run->call);
}

static void refuse(struct run *run, const char *spec, enum status status, const char *word)
{
	assert_null(traffic_create(spec, NULL, &run->setup, &error));
	assert_error(&error, status, word);
}

/* ---- chances */

/* The words of messages: the same in every test. */
static void start_words(struct random *random, uint64_t run)
{
	random_start(random, 2026, RANDOM_PATTERN, run);
}

static void draw_words(struct random *random, uint32_t word[4])
{
	for (int i = 0; i < 4; i++)
		word[i] = random_bits(random);
}

/* Receivers of a source are as often as their weights say: chi-square, seven standard deviations. */
static void check_source(const struct run *run, uint32_t source, const double *weight, uint32_t messages)
{
	uint32_t ranks = run->setup.ranks, *got = calloc(ranks, sizeof *got), word[4];
	double total = 0, chi = 0, degrees = -1, rare = 0, rare_got = 0;
	struct random random;
	start_words(&random, source);
	for (uint32_t i = 0; i < ranks; i++)
		total += weight[i];
	for (uint32_t i = 0; i < messages; i++) {
		draw_words(&random, word);
		uint32_t receiver = traffic_receiver(run->call, source, word);
		assert_int_equal(traffic_receiver(run->call, source, word), receiver);
		if (total == 0) {
			assert_int_equal(receiver, NONE);
			continue;
		}
		assert_true(receiver < ranks);
		assert_int_not_equal(receiver, source);
		got[receiver]++;
	}
	for (uint32_t i = 0; i < ranks; i++) {
		double wanted = total > 0 ? messages * weight[i] / total : 0;
		if (weight[i] == 0 && got[i])
			fail_msg("rank %u sends to %u", (unsigned)source, (unsigned)i);
		if (wanted < 8) { /* too rare for a bin of its own */
			rare += wanted;
			rare_got += got[i];
			continue;
		}
		chi += (got[i] - wanted) * (got[i] - wanted) / wanted;
		degrees++;
	}
	if (rare >= 8) {
		chi += (rare_got - rare) * (rare_got - rare) / rare;
		degrees++;
	}
	if (rare < 8 && rare_got > 40)
		fail_msg("rank %u: %g messages to seldom receivers", (unsigned)source, rare_got);
	if (chi > degrees + 7 * sqrt(2 * fmax(degrees, 1)))
		fail_msg("rank %u: chi-square %g of %g degrees", (unsigned)source, chi, degrees);
	free(got);
}

/* The weight of a receiver, from the hops between the hosts and the numbers of both. */
typedef double weight_function(const struct run *run, uint32_t from, uint32_t to, uint32_t hops);

/* So many of the sources, or all. */
static void check_weights(struct run *run, const char *spec, weight_function *weight_of, uint32_t sources)
{
	uint32_t ranks = run->setup.ranks, step = sources < ranks ? ranks / sources : 1;
	uint32_t *hops = calloc(run->fabric->nodes, sizeof *hops);
	double *weight = calloc(ranks, sizeof *weight);
	make(run, spec);
	for (uint32_t s = 0; s < ranks; s += step) {
		find_hops(run->fabric, run->setup.topology, run->fabric->host_node[run->host[s]], hops);
		for (uint32_t d = 0; d < ranks; d++)
			weight[d] = d == s ? 0 : weight_of(run, s, d, hops[run->fabric->host_node[run->host[d]]]);
		check_source(run, s, weight, 40 * (ranks < 50 ? 50 : ranks));
	}
	free(hops);
	free(weight);
}

static double equal(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to, (void)hops;
	return 1;
}

TEST(uniform_goes_to_all_others)
{
	struct run run = start("star:1056", 0);
	check_weights(&run, "uniform", equal, 6);
	run.setup.ranks = 7;
	check_weights(&run, "uniform", equal, 7);
	run.setup.ranks = 2;
	check_weights(&run, "uniform", equal, 2);
	end(&run);
}

/* The words that are nearest to a bound stay within it. */
TEST(extreme_words)
{
	static const char *const specs[] = {"uniform", "hotspot", "hotregion", "local:0.3", "nearest_neighbour", "mix:1,1,1,1",
		"nearest_group", "tornado", "diagonal", "distance:2", "alltoall_flood", "random:1000"};
	static const uint32_t words[][4] = {{0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0, 0, ~0u, ~0u}, {~0u, ~0u, 0, 0}, {1, 2, 3, 4}};
	struct run run = start("torus:4x5,hosts=2", 0);
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		make(&run, specs[i]);
		for (size_t k = 0; k < ARRAY_LENGTH(words); k++)
			for (uint32_t s = 0; s < run.setup.ranks; s++) {
				uint32_t receiver = traffic_receiver(run.call, s, words[k]);
				assert_true(receiver < run.setup.ranks);
				assert_int_not_equal(receiver, s);
			}
	}
	end(&run);
}

/* ---- hot */

static double rank_0_100_times(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)hops;
	return to == 0 ? 100 : 1;
}

static double first_3_7_times(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)hops;
	return to < 3 ? 7 : 1;
}

/* 40% of the messages of a rank that is not hot itself */
static double first_4_get_40(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)hops, (void)from;
	return to < 4 ? .4 / 4 : .6 / (run->setup.ranks - 5.);
}

/* INRFlow 3.3.1: a quarter of the flows to a uniform one of the first n/8, the rest to a uniform one. */
static double quarter_to_region(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)from, (void)hops;
	uint32_t ranks = run->setup.ranks, region = ranks / 8 ? ranks / 8 : 1;
	return .75 / ranks + (to < region ? .25 / region : 0);
}

static double half_to_half(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)from, (void)hops;
	return .5 / run->setup.ranks + (to < run->setup.ranks / 2 ? 1. / run->setup.ranks : 0);
}

TEST(hot_ranks)
{
	struct run run = start("star:64", 0);
	check_weights(&run, "hotspot", rank_0_100_times, 64);
	check_weights(&run, "hotspot:3,7", first_3_7_times, 64);
	check_weights(&run, "hotspot:K=3,times=7", first_3_7_times, 4);
	check_weights(&run, "hotspot:4,share=40", first_4_get_40, 64);
	check_weights(&run, "hotregion", quarter_to_region, 64);
	check_weights(&run, "hotregion:50,2", half_to_half, 64);
	check_weights(&run, "hotregion:50,1", equal, 64);
	run.setup.ranks = 5;
	check_weights(&run, "hotregion", quarter_to_region, 5);
	run.setup.ranks = 2;
	check_weights(&run, "hotspot", equal, 2);
	check_weights(&run, "hotregion", equal, 2);
	refuse(&run, "hotspot:2", STATUS_USAGE, "K is 2");
	refuse(&run, "hotspot:1,share=40", STATUS_USAGE, "at least 2 ranks that are not hot");
	refuse(&run, "hotspot:1,share=100", STATUS_USAGE, "from 0 to 99");
	refuse(&run, "hotregion:100", STATUS_USAGE, "from 1 to 99");
	end(&run);
}

/* ---- near */

static double half_each_hop(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return pow(.5, hops);
}

static double eighth_each_hop(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return pow(.125, hops);
}

static double nine_tenths_each_hop(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return pow(.9, hops);
}

/* Tori and flattened butterflies, of which one table does for all; grids that are not; trees; dragonflies; hosts with several ports; some
 * of the hosts. */
TEST(local_falls_with_the_hops)
{
	static const char *const specs[] = {"torus:4x5,hosts=2", "torus:4x5", "torus:5x6,hosts=direct", "torus:4x3x2,wrap=1:0:1,hosts=2",
		"mesh:5x4,hosts=2", "ring:17,oneway", "hyperx:3x4,hosts=2", "hypercube:5", "fullmesh:6,hosts=4", "fattree:k=3,n=3",
		"dragonfly:p=2,a=4,h=2", "torus:4x4,parallel=2", "star:9", "slimfly:q=5", "bcube:n=3,k=1", "dcell:n=3,k=1",
		"dpillar:n=4,k=2", "leafspine:leaves=4,spines=3,hosts=4,rails=2", "torus:3x3/fullmesh:4,hosts=2"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct run run = start(specs[i], 0);
		check_weights(&run, "local", half_each_hop, 12);
		check_weights(&run, "local:0.125", eighth_each_hop, 12);
		check_weights(&run, "local:1", equal, 5);
		uint32_t hosts = run.setup.ranks;
		end(&run);
		run = start(specs[i], hosts); /* all, in a random order */
		check_weights(&run, "local", half_each_hop, 12);
		run.setup.ranks = hosts * 2 / 3;
		check_weights(&run, "local", half_each_hop, 12);
		if (!topology_hosts_forward(specs[i])) {
			run.setup.topology = NULL;
			check_weights(&run, "local", half_each_hop, 12);
		}
		end(&run);
	}
}

/* Several as near as each other, each by another way. */
TEST(nearest_by_several_ways)
{
	static const char text[] = "digraph { H0 -> A; A -> H0; H1 -> B; B -> H1; H2 -> C; C -> H2; H3 -> D; D -> H3;"
				   "A -> X; X -> A; A -> Y; Y -> A; X -> B; B -> X; Y -> C; C -> Y; B -> D; D -> B; }";
	struct world world;
	error = (struct error){0};
	world_load(&world, text);
	uint32_t host[] = {host_of(&world, "H0"), host_of(&world, "H1"), host_of(&world, "H2"), host_of(&world, "H3")}, seen = 0;
	struct run run = {.fabric = world.fabric, .host = host, .setup = {.fabric = world.fabric, .ranks = 4, .host = host}};
	make(&run, "nearest_neighbour");
	for (uint32_t i = 0; i < 100; i++)
		seen |= 1u << traffic_receiver(run.call, 0, (const uint32_t[4]){0, i * 0x9e3779b9, i, i * 0x85ebca6b});
	assert_int_equal(seen, 1 << 1 | 1 << 2);
	traffic_free(run.call);
	world_clear(&world);
}

/* A host with two ports is no way; the farthest get something however small their chance, where there is nobody nearer. */
TEST(local_without_a_topology)
{
	static const char text[] = "digraph { H0 -> A; A -> H0; H1 -> B; B -> H1; H2 -> A; A -> H2; H2 -> B; B -> H2;"
				   "A -> C; C -> A; C -> D; D -> C; D -> B; B -> D; }";
	struct world world;
	error = (struct error){0};
	world_load(&world, text);
	uint32_t host[] = {host_of(&world, "H0"), host_of(&world, "H1"), host_of(&world, "H2")};
	struct run run = {.fabric = world.fabric, .host = host, .setup = {.fabric = world.fabric, .ranks = 3, .host = host}};
	check_weights(&run, "local", half_each_hop, 3);
	check_weights(&run, "local:0.9", nine_tenths_each_hop, 3);
	run.setup.ranks = 2;
	check_weights(&run, "local:1e-200", equal, 2);
	traffic_free(run.call);
	world_clear(&world);
}

static double hosts_on_neighbours(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 3;
}

static double next_hosts(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 1;
}

static double same_pod(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 4;
}

TEST(nearest_neighbours)
{
	struct run run = start("torus:4x5,hosts=2", 40);
	check_weights(&run, "nearest_neighbour", hosts_on_neighbours, 40);
	run.setup.topology = NULL;
	check_weights(&run, "nearest_neighbour", hosts_on_neighbours, 40);
	end(&run);
	run = start("torus:4x3x5,hosts=direct", 0);
	check_weights(&run, "nearest_neighbour", next_hosts, 60);
	end(&run);
	run = start("dragonfly:p=2,a=4,h=2", 72);
	check_weights(&run, "nearest_neighbour", hosts_on_neighbours, 24);
	end(&run);
	run = start("fattree:k=3,n=3", 27);
	check_weights(&run, "nearest_neighbour", same_pod, 27);
	end(&run);
	run = start("star:9", 0);
	refuse(&run, "nearest_neighbour", STATUS_USAGE, "rank 0 has no other rank that it reaches");
	end(&run);
}

/* Hops between two of the 3x4x5 blocks of 8 hosts. */
static uint32_t block_hops(const struct run *run, uint32_t from, uint32_t to)
{
	static const uint32_t width[] = {3, 4, 5};
	uint32_t a = run->host[from] / 8, b = run->host[to] / 8, hops = 0;
	for (int i = 0; i < 3; i++) {
		uint32_t up = (b % width[i] + width[i] - a % width[i]) % width[i];
		hops += up < width[i] - up ? up : width[i] - up;
		a /= width[i];
		b /= width[i];
	}
	return hops;
}

/* 70% to the block, 20% to those within 3 hops, 10% to the rest; how many there are of each. */
static double block_mix(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	static const double share[] = {.7, .2, .1};
	double there[3] = {0};
	(void)hops;
	for (uint32_t d = 0; d < run->setup.ranks; d++) {
		uint32_t h = block_hops(run, from, d);
		there[h == 0 ? 0 : h <= 3 ? 1 : 2] += d != from;
	}
	uint32_t h = block_hops(run, from, to), class = h == 0 ? 0 : h <= 3 ? 1 : 2;
	return share[class] / there[class];
}

/* 3 to the own leaf, 1 to those of the pod, 1 to all others: k = 3 */
static double leaf_mix(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 2 ? 3. / 2 : hops == 4 ? 1. / 6 : 1. / 18;
}

static double group_mix(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)hops;
	return run->host[from] / 8 == run->host[to] / 8 ? .8 / 7 : .2 / 64;
}

TEST(mixes_of_near_and_far)
{
	struct run run = start("torus:3x4x5/fullmesh:4,hosts=2", 480);
	check_weights(&run, "mix", block_mix, 8);
	check_weights(&run, "mix:70,20,10", block_mix, 8);
	run.setup.ranks = 440; /* blocks of different sizes */
	check_weights(&run, "mix:7,2,1,hops=3", block_mix, 8);
	refuse(&run, "mix:7,2,1,hops=5", STATUS_USAGE, "no other rank more than 5 hops away");
	refuse(&run, "mix:0,0,0", STATUS_USAGE, "above 0");
	end(&run);
	run = start("fattree:k=3,n=3", 27);
	check_weights(&run, "mix:3,1,1", leaf_mix, 27);
	run.setup.topology = NULL;
	check_weights(&run, "mix:3,1,1", leaf_mix, 27);
	end(&run);
	run = start("dragonfly:p=2,a=4,h=2", 72);
	check_weights(&run, "mix:80,20,0", group_mix, 24);
	refuse(&run, "mix", STATUS_USAGE, "hops away");
	end(&run);
	run = start("torus:4x4", 0);
	refuse(&run, "mix", STATUS_USAGE, "rank 0 has no other rank in its part");
	end(&run);
}

/* A group without ranks is crossed in one hop like any other. */
TEST(empty_groups_are_crossed)
{
	struct run run = start("ring:4/fullmesh:4,hosts=2", 0);
	static const uint32_t hosts[] = {0, 1, 16, 17}; /* blocks 0 and 2, two hops from each other by either of the empty ones */
	memcpy(run.host, hosts, sizeof hosts);
	run.setup.ranks = 4;
	make(&run, "mix:1,1,0,hops=2");
	refuse(&run, "mix:1,1,0,hops=1", STATUS_USAGE, "no other rank within 1 hops");
	make(&run, "nearest_group");
	for (uint32_t s = 0; s < 4; s++)
		assert_int_equal(traffic_receiver(run.call, s, (const uint32_t[4]){0}), s ^ 2);
	end(&run);
}

/* ---- groups and grids */

TEST(next_groups)
{
	struct run run = start("dragonfly:p=2,a=4,h=2", 0);
	static const uint32_t word[4] = {9, 9, 9, 9};
	make(&run, "nearest_group");
	for (uint32_t s = 0; s < 72; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), (s + 8) % 72);
	end(&run);
	run = start("leafspine:leaves=8,spines=3,hosts=4,rails=2", 0); /* ports of a host lead to different leaves: the first counts */
	assert_int_equal(run.setup.ranks, 16);
	make(&run, "nearest_group");
	for (uint32_t s = 0; s < 16; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), (s + 4) % 16);
	refuse(&run, "bad_dragonfly", STATUS_USAGE, "requires a dragonfly");
	run.setup.topology = NULL;
	make(&run, "nearest_group");
	assert_int_equal(traffic_receiver(run.call, 14, word), 2);
	run.setup.ranks = 4;
	refuse(&run, "nearest_group", STATUS_USAGE, "at least 2 groups");
	end(&run);
}

static double any_of_next_group(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)hops;
	return run->host[to] / 8 == (run->host[from] / 8 + 1) % 9;
}

TEST(bad_dragonflies)
{
	struct run run = start("dragonfly:p=2,a=4,h=2", 72);
	check_weights(&run, "bad_dragonfly", any_of_next_group, 72);
	run.setup.topology = "dragonfly:p=2,a=4,h=3";
	refuse(&run, "bad_dragonfly", STATUS_FABRIC, "the numbers of hosts and switches differ");
	refuse(&run, "mix", STATUS_FABRIC, "the numbers of hosts and switches differ");
	run.setup.topology = "torus:2x2/dragonfly:p=2,a=4,h=2";
	refuse(&run, "mix", STATUS_FABRIC, "the numbers of hosts and switches differ");
	end(&run);
}

TEST(tornados)
{
	struct run run = start("torus:5x4x3,hosts=2", 0);
	static const uint32_t word[4] = {0};
	make(&run, "tornado");
	for (uint32_t s = 0; s < 120; s++) {
		uint32_t node = s / 2, x = (node % 5 + 2) % 5;
		assert_int_equal(traffic_receiver(run.call, s, word), (node / 5 * 5 + x) * 2 + s % 2);
	}
	make(&run, "tornado:each");
	for (uint32_t s = 0; s < 120; s++) {
		uint32_t node = s / 2, x = (node % 5 + 2) % 5, y = (node / 5 % 4 + 1) % 4, z = (node / 20 + 1) % 3;
		assert_int_equal(traffic_receiver(run.call, s, word), (x + 5 * y + 20 * z) * 2 + s % 2);
	}
	run.setup.ranks = 119;
	refuse(&run, "tornado", STATUS_USAGE, "a rank on every host");
	run.setup.topology = NULL;
	refuse(&run, "tornado", STATUS_USAGE, "shift:K");
	end(&run);
	run = start("torus:2x9", 0);
	refuse(&run, "tornado", STATUS_USAGE, "width 3");
	make(&run, "tornado:each");
	assert_int_equal(traffic_receiver(run.call, 0, word), 8);
	end(&run);
	run = start("ring:5/fullmesh:4,hosts=2", 0);
	make(&run, "tornado");
	assert_int_equal(traffic_receiver(run.call, 3, word), 19);
	end(&run);
	run = start("ring:9", 9); /* ranks in a random order: hosts send as ever */
	make(&run, "tornado");
	for (uint32_t s = 0; s < 9; s++)
		assert_int_equal(run.host[traffic_receiver(run.call, s, word)], (run.host[s] + 4) % 9);
	end(&run);
}

/* All that are as far as that: between switches two hops fewer than between their hosts. */
static double four_hops(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 4;
}

static double two_hops(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)from, (void)to;
	return hops == 2;
}

/* Grids that are alike everywhere and that are not, some of whose ranks have no other as far away; hosts that forward; several ports. */
TEST(distances)
{
	static const char *const specs[] = {"torus:4x5,hosts=2", "torus:4x3x2,wrap=1:0:1,hosts=2", "mesh:5x4,hosts=2", "fattree:k=3,n=3",
		"dragonfly:p=2,a=4,h=2", "leafspine:leaves=4,spines=3,hosts=4,rails=2", "torus:3x3/fullmesh:4,hosts=2",
		"slimfly:q=5,hosts=2"};
	static const char *const direct[] = {
		"torus:5x6,hosts=direct", "mesh:5,hosts=direct", "bcube:n=3,k=2", "dcell:n=3,k=1", "dpillar:n=4,k=3"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct run run = start(specs[i], 0);
		uint32_t hosts = run.setup.ranks;
		check_weights(&run, "distance:2", four_hops, 24);
		check_weights(&run, "distance:0", two_hops, 24);
		end(&run);
		run = start(specs[i], hosts); /* most, in a random order */
		run.setup.ranks = hosts * 2 / 3;
		check_weights(&run, "distance:H=2", four_hops, 24);
		end(&run);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(direct); i++) {
		struct run run = start(direct[i], 0);
		check_weights(&run, "distance:4", four_hops, 24);
		check_weights(&run, "distance:H=2", two_hops, 24);
		end(&run);
	}
	struct run run = start("mesh:5x4", 0);
	refuse(&run, "distance:8", STATUS_USAGE, "no rank has another at 8 hops: the others are 1 to 7 hops away");
	refuse(&run, "distance:0", STATUS_USAGE, "no rank has another at 0 hops");
	refuse(&run, "distance", STATUS_USAGE, "requires the parameter");
	end(&run);
}

TEST(diagonals)
{
	static const uint32_t word[4] = {0};
	struct run run = start("torus:5x4x3,hosts=2", 0);
	make(&run, "diagonal");
	for (uint32_t s = 0; s < 120; s++) {
		uint32_t node = s / 2, x = 4 - node % 5, y = 3 - node / 5 % 4, z = 2 - node / 20;
		assert_int_equal(traffic_receiver(run.call, s, word), (x + 5 * y + 20 * z) * 2 + 1 - s % 2);
	}
	run.setup.ranks = 119;
	refuse(&run, "diagonal", STATUS_USAGE, "a rank on every host");
	end(&run);
	run = start("mesh:3x5", 15); /* ranks in a random order: hosts send as ever; the one in the middle is silent */
	make(&run, "diagonal");
	for (uint32_t s = 0; s < 15; s++) {
		uint32_t receiver = traffic_receiver(run.call, s, word);
		assert_int_equal(receiver == NONE ? 7 : run.host[receiver], 14 - run.host[s]);
		assert_int_equal(receiver == NONE, run.host[s] == 7);
	}
	end(&run);
	run = start("star:8", 0);
	refuse(&run, "diagonal", STATUS_USAGE, "'bitcomp'");
	end(&run);
}

/* ---- pairs */

static double ring_or_shift(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)hops;
	return to == (from + 3) % run->setup.ranks;
}

static double bruck_of_64(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)hops;
	uint32_t by = (to - from) % 64;
	return (by & (by - 1)) == 0; /* one level each */
}

static double shuffled(const struct run *run, uint32_t from, uint32_t to, uint32_t hops)
{
	(void)run, (void)hops;
	return to == ((from << 1 & 63) | from >> 5);
}

TEST(pairs_of_patterns)
{
	static const uint32_t word[4] = {3, 3, 3, 3};
	struct run run = start("star:64", 0);
	check_weights(&run, "shift:3", ring_or_shift, 64);
	check_weights(&run, "bruck", bruck_of_64, 64);
	check_weights(&run, "alltoall", equal, 8);
	check_weights(&run, "alltoall_flood", equal, 8);
	make(&run, "bitcomp");
	for (uint32_t s = 0; s < 64; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), 63 - s);
	make(&run, "transpose");
	for (uint32_t s = 0; s < 64; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), s % 9 ? (s % 8) * 8 + s / 8 : NONE);
	make(&run, "bisect");
	for (uint32_t s = 0; s < 64; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), s % 2 ? s - 1 : NONE);
	make(&run, "null");
	assert_int_equal(traffic_receiver(run.call, 5, word), NONE);
	run.setup.ranks = 63;
	refuse(&run, "bitrev", STATUS_USAGE, "power of two");
	run.setup.ranks = 1;
	refuse(&run, "uniform", STATUS_USAGE, "at least 2 ranks");
	end(&run);
}

/* What is drawn differs by run and seed, and is the same for the same. */
TEST(drawn_patterns)
{
	static const uint32_t word[4] = {0};
	struct run run = start("star:64", 0);
	uint32_t to[64], same = 0, sends = 0;
	make(&run, "rand");
	for (uint32_t s = 0; s < 64; s++)
		to[s] = traffic_receiver(run.call, s, word);
	make(&run, "rand");
	for (uint32_t s = 0; s < 64; s++)
		assert_int_equal(traffic_receiver(run.call, s, word), to[s]);
	run.setup.run = 1;
	make(&run, "rand");
	for (uint32_t s = 0; s < 64; s++)
		same += traffic_receiver(run.call, s, word) == to[s];
	assert_true(same < 10);
	make(&run, "random:20");
	for (uint32_t s = 0; s < 64; s++)
		sends += traffic_receiver(run.call, s, word) != NONE;
	assert_in_range(sends, 10, 20);
	end(&run);
}

TEST(workloads_without_an_order)
{
	struct run run = start("star:64", 0);
	struct traffic_call *call;
	check_weights(&run, "perfectshuffle", shuffled, 64);
	make(&run, "manyalltoall:4");
	for (uint32_t s = 0; s < 64; s++)
		assert_int_equal(traffic_receiver(run.call, s, (const uint32_t[4]){0}) / 4, s / 4);
	refuse(&run, "mapreduce", STATUS_USAGE, "has an order of its own");
	refuse(&run, "sweep:8x8", STATUS_USAGE, "has an order of its own");
	refuse(&run, "unifrom", STATUS_USAGE, "uniform");
	refuse(&run, "uniform:3", STATUS_USAGE, "one parameter too many");
	refuse(&run, "local:2", STATUS_USAGE, "decay is '2'");
	refuse(&run, "local:x", STATUS_USAGE, "decay is 'x'");
	refuse(&run, "shift", STATUS_USAGE, "requires the parameter");
	refuse(&run, "file:/nowhere", STATUS_IO, "/nowhere");
	struct pattern_request request = {.argument = "3", .first_ranks = -1};
	call = traffic_create("shift", &request, &run.setup, &error);
	assert_fine(&error);
	assert_int_equal(traffic_receiver(call, 2, (const uint32_t[4]){0}), 5);
	traffic_free(call);
	call = traffic_create("hotspot", &request, &run.setup, &error);
	assert_fine(&error);
	traffic_free(call);
	assert_null(traffic_create("hotspot:2", &request, &run.setup, &error));
	assert_error(&error, STATUS_USAGE, "already has a parameter");
	request = (struct pattern_request){.first = "bisect", .second = "ring", .first_ranks = 8};
	call = traffic_create("ptrnvsptrn", &request, &run.setup, &error);
	assert_fine(&error);
	assert_int_equal(traffic_receiver(call, 1, (const uint32_t[4]){0}), 0);
	assert_int_equal(traffic_receiver(call, 63, (const uint32_t[4]){0}), 8);
	traffic_free(call);
	assert_null(traffic_create("uniform", &request, &run.setup, &error));
	assert_error(&error, STATUS_USAGE, "ptrnvsptrn");
	end(&run);
}

/* Traffic of a million ranks is refused where it is all to all, before it is made. */
TEST(too_many_pairs)
{
	struct run run = start("star:2", 0);
	run.setup.ranks = 1000000;
	refuse(&run, "alltoall", STATUS_USAGE, "'uniform'");
	end(&run);
}

/* ---- when */

struct moments {
	double mean, error; /* of the mean */
};

static struct moments intervals(const struct injection *injection, bool first, uint32_t count)
{
	struct random random;
	uint32_t word[4];
	double sum = 0, squares = 0;
	start_words(&random, 77);
	for (uint32_t i = 0; i < count; i++) {
		draw_words(&random, word);
		double interval = (double)injection_interval(injection, first, word);
		sum += interval;
		squares += interval * interval;
	}
	double mean = sum / count;
	return (struct moments){mean, sqrt(fmax(squares / count - mean * mean, 0) / count)};
}

static struct injection parsed(const char *spec, double load, uint64_t slot)
{
	struct injection injection = {.load = load, .slot = slot};
	assert_int_equal(injection_parse(spec, &injection, &error), 0);
	assert_fine(&error);
	return injection;
}

static const char *const processes[] = {"bernoulli", "poisson", "periodic", "onoff:1", "onoff:3", "onoff:20"};
static const double loads[] = {1e-6, .01, .1, .2499, .25, .3, .5, .7, .99, 1, 1.5, 3};

/* The mean interval is slot / load, for slots of any length. */
TEST(mean_intervals)
{
	static const uint64_t slots[] = {1, 7, 1000, 81920, 1000000007};
	for (size_t p = 0; p < ARRAY_LENGTH(processes); p++)
		for (size_t l = 0; l < ARRAY_LENGTH(loads); l++)
			for (size_t s = 0; s < ARRAY_LENGTH(slots); s++) {
				struct injection injection = parsed(processes[p], loads[l], slots[s]);
				struct moments got = intervals(&injection, false, 40000);
				double wanted = (double)slots[s] / loads[l];
				/* where bursts are rare, the deviation itself is hardly known */
				if (fabs(got.mean - wanted) > 5 * got.error + 1e-9 * wanted && loads[l] > 1e-5)
					fail_msg("%s, load %g, slot %g: %g, not %g (+- %g)", processes[p], loads[l], (double)slots[s],
						got.mean, wanted, got.error);
				assert_within(got.mean, wanted, .1 * wanted);
			}
}

/* From a time anywhere on, hosts send load messages a slot from the first moment: the process is stationary. Window: whole slots. */
TEST(first_messages)
{
	enum { HOSTS = 30000 };
	static const double slots[] = {1, 3, 10};
	for (size_t p = 0; p < ARRAY_LENGTH(processes); p++)
		for (size_t l = 2; l < ARRAY_LENGTH(loads); l++)
			for (size_t w = 0; w < ARRAY_LENGTH(slots); w++) {
				struct injection injection = parsed(processes[p], loads[l], 1000);
				struct random random;
				uint32_t word[4];
				double sum = 0, squares = 0;
				start_words(&random, 3);
				for (uint32_t h = 0; h < HOSTS; h++) {
					uint64_t time = 0;
					double count = -1;
					for (bool first = true; time < slots[w] * 1000; first = false, count++) {
						draw_words(&random, word);
						time += injection_interval(&injection, first, word);
					}
					sum += count;
					squares += count * count;
				}
				double mean = sum / HOSTS, deviation = sqrt(fmax(squares / HOSTS - mean * mean, 0) / HOSTS);
				if (fabs(mean - loads[l] * slots[w]) > 5 * deviation + 1e-3)
					fail_msg("%s, load %g: %g messages in %g slots (+- %g)", processes[p], loads[l], mean, slots[w],
						deviation);
			}
}

/* Bernoulli: whole slots, k of them with the chance load (1 - load)^(k - 1); the first comes a slot earlier. */
TEST(bernoulli_slots)
{
	enum { COUNT = 200000, BINS = 12 };
	static const double tried[] = {.05, .3, .5, .9};
	for (size_t l = 0; l < ARRAY_LENGTH(tried); l++) {
		struct injection injection = parsed("bernoulli", tried[l], 81920);
		struct random random;
		uint32_t word[4], got[BINS + 2] = {0};
		double chi = 0, left = 1;
		start_words(&random, 1);
		for (uint32_t i = 0; i < COUNT; i++) {
			draw_words(&random, word);
			uint64_t interval = injection_interval(&injection, false, word), slots = interval / 81920;
			assert_int_equal(interval % 81920, 0);
			assert_true(slots >= 1);
			assert_int_equal(injection_interval(&injection, true, word), interval - 81920);
			got[slots <= BINS ? slots : BINS + 1]++;
		}
		for (uint32_t k = 1; k <= BINS + 1; k++) {
			double wanted = COUNT * (k <= BINS ? left * tried[l] : left);
			left *= 1 - tried[l];
			chi += wanted > 5 ? (got[k] - wanted) * (got[k] - wanted) / wanted : got[k] > 30 ? 1000 : 0;
		}
		assert_true(chi < BINS + 7 * sqrt(2 * BINS));
	}
}

/* Poisson: the largest distance to 1 - exp(-t) (Kolmogorov, Smirnov), and the logarithm itself. */
TEST(poisson_intervals)
{
	enum { COUNT = 100000, BINS = 500 };
	struct injection injection = parsed("poisson", .5, 1000000000000000);
	struct random random;
	uint32_t word[4], got[BINS] = {0}, below = 0;
	start_words(&random, 2);
	for (uint32_t i = 0; i < COUNT; i++) {
		draw_words(&random, word);
		double interval = (double)injection_interval(&injection, false, word);
		double exact = -2e15 * log(((double)(draw_bits(word) >> 12) + .5) * 0x1p-52);
		assert_true(fabs(interval - exact) <= 1 + 5e-16 * exact);
		double bin = interval / 2e15 * 50;
		got[bin < BINS ? (uint32_t)bin : BINS - 1]++;
	}
	for (uint32_t i = 0; i + 1 < BINS; i++) {
		below += got[i];
		assert_within((double)below / COUNT, 1 - exp(-(i + 1.) / 50), 2.2 / sqrt(COUNT));
	}
}

/* Periodic: no interval is more than a picosecond from another, and they do not drift. The first is anywhere in the period. */
TEST(periodic_intervals)
{
	enum { COUNT = 1000000 };
	struct injection injection = parsed("periodic", .3, 1000);
	struct random random;
	uint32_t word[4];
	uint64_t sum = 0;
	start_words(&random, 2);
	for (uint32_t i = 0; i < COUNT; i++) {
		draw_words(&random, word);
		uint64_t interval = injection_interval(&injection, false, word);
		assert_in_range(interval, 3333, 3334);
		assert_in_range(injection_interval(&injection, true, word), 0, 3334);
		sum += interval;
	}
	assert_within((double)sum, 1e9 / .3, 5 * sqrt(COUNT * (2. / 9)));
	struct moments first = intervals(&injection, true, COUNT);
	assert_within(first.mean, 1000 / .3 / 2, 5 * first.error);
}

/* Bursts: messages a slot apart, so many on average, geometric; the pauses exponential. */
TEST(bursts)
{
	enum { COUNT = 400000 };
	struct injection injection = parsed("onoff:8", .25, 1000);
	struct random random;
	uint32_t word[4];
	double bursts = 0, pauses = 0, squares = 0, ones = 0;
	bool alone = false;
	start_words(&random, 2);
	for (uint32_t i = 0; i < COUNT; i++) {
		draw_words(&random, word);
		uint64_t interval = injection_interval(&injection, false, word);
		assert_true(interval >= 1000);
		if (interval > 1000) {
			double pause = (double)interval - 1000;
			bursts++;
			pauses += pause;
			squares += pause * pause;
			ones += alone;
		}
		alone = interval > 1000;
	}
	double mean = pauses / bursts;
	assert_within(COUNT / bursts, 8, 5 * sqrt(56 / bursts)); /* variance of a geometric number: burst (burst - 1) */
	assert_within(ones / bursts, 1. / 8, 5 * sqrt(7. / 64 / bursts));
	assert_within(mean, 24000, 5 * 24000 / sqrt(bursts));
	assert_within(squares / bursts / (mean * mean), 2, .06);
}

/* The same on every machine, however long the wait: what these words give in decimal arithmetic of 40 digits. */
TEST(fixed_intervals)
{
	static const uint32_t word[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
	static const struct {
		const char *spec;
		double load;
		uint64_t later, first;
	} wanted[] = {
		{"bernoulli", .01, 13000000, 12000000},
		{"poisson", .3, 424141, 424141},
		{"periodic", .3, 3333333, 2935067},
		{"onoff:20", .3, 1000000, 36720506},
		{"poisson", 1e-300, UINT64_C(1) << 62, UINT64_C(1) << 62},
		{"bernoulli", 1e-300, UINT64_C(1) << 62, UINT64_C(1) << 62},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(wanted); i++) {
		struct injection injection = parsed(wanted[i].spec, wanted[i].load, 1000000);
		uint64_t later = injection_interval(&injection, false, word), first = injection_interval(&injection, true, word);
		if (later != wanted[i].later || first != wanted[i].first)
			fail_msg("%s: %llu, %llu", wanted[i].spec, (unsigned long long)later, (unsigned long long)first);
	}
}

TEST(processes_by_name)
{
	struct injection injection = {0};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(injection_parse(injection_names[i], &injection, &error), 0);
		assert_int_equal(injection.process, i);
	}
	assert_int_equal(injection_parse("onoff:2.5", &injection, &error), 0);
	assert_int_equal(injection.process, INJECTION_ONOFF);
	assert_true(injection.burst == 2.5);
	static const char *const bad[] = {
		"onoff", "onoff:", "onoff:0.5", "onoff:x", "onoff:3x", "onoff:nan", "onoff:1e10", "poisson:3", "poison", ""};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		assert_int_equal(injection_parse(bad[i], &injection, &error), -1);
		assert_error(&error, STATUS_USAGE, "injection process");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uniform_goes_to_all_others),
		cmocka_unit_test(extreme_words),
		cmocka_unit_test(hot_ranks),
		cmocka_unit_test(local_falls_with_the_hops),
		cmocka_unit_test(nearest_by_several_ways),
		cmocka_unit_test(local_without_a_topology),
		cmocka_unit_test(nearest_neighbours),
		cmocka_unit_test(mixes_of_near_and_far),
		cmocka_unit_test(empty_groups_are_crossed),
		cmocka_unit_test(next_groups),
		cmocka_unit_test(bad_dragonflies),
		cmocka_unit_test(tornados),
		cmocka_unit_test(distances),
		cmocka_unit_test(diagonals),
		cmocka_unit_test(pairs_of_patterns),
		cmocka_unit_test(drawn_patterns),
		cmocka_unit_test(workloads_without_an_order),
		cmocka_unit_test(too_many_pairs),
		cmocka_unit_test(mean_intervals),
		cmocka_unit_test(first_messages),
		cmocka_unit_test(bernoulli_slots),
		cmocka_unit_test(poisson_intervals),
		cmocka_unit_test(periodic_intervals),
		cmocka_unit_test(bursts),
		cmocka_unit_test(fixed_intervals),
		cmocka_unit_test(processes_by_name),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
