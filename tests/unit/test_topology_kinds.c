/* Every kind of topology over many parameters: sizes and diameters by their formulae, regularity, and the definitions of the graphs. */
#include "helpers.h"

#include "base/random.h"
#include "topologies/failures.h"
#include "topologies/topology.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANY = UINT32_MAX };

static struct topology *make(const char *spec)
{
	struct error error = {0};
	struct topology *topology = topology_create(spec, &error);
	assert_fine(&error);
	assert_non_null(topology);
	return topology;
}

static uint32_t nodes_of(const struct topology *t)
{
	return t->hosts + t->switches;
}

/* Nodes by one number, hosts first. */
static uint32_t ports_of(const struct topology *t, uint32_t node)
{
	bool host = node < t->hosts;
	return t->kind->ports(t, host, host ? node : node - t->hosts);
}

static uint32_t peer_of(const struct topology *t, uint32_t node, uint32_t port, uint32_t *peer_port)
{
	bool host = node < t->hosts;
	struct topology_port end = t->kind->peer(t, (struct topology_port){host, host ? node : node - t->hosts, port});
	*peer_port = end.port;
	return end.host ? end.node : t->hosts + end.node;
}

/* Every port leads to another node, and its far end back; returns the number of ports. */
static uint64_t check_cables(const struct topology *t)
{
	uint64_t ports = 0;
	for (uint32_t node = 0; node < nodes_of(t); node++)
		for (uint32_t port = 0; port < ports_of(t, node); port++, ports++) {
			uint32_t far, back, peer = peer_of(t, node, port, &far);
			assert_in_range(peer, 0, nodes_of(t) - 1);
			assert_int_not_equal(peer, node);
			if (far == TOPOLOGY_NO_PORT)
				continue;
			assert_true(far < ports_of(t, peer));
			assert_int_equal(peer_of(t, peer, far, &back), node);
			assert_int_equal(back, port);
		}
	return ports;
}

/* Distances of all nodes from one, UINT32_MAX where it does not reach them; queue: [nodes]. */
static void distances_from(const struct topology *t, uint32_t source, uint32_t *distance, uint32_t *queue)
{
	uint32_t first = 0, last = 0, far;
	memset(distance, 0xff, nodes_of(t) * sizeof *distance);
	distance[source] = 0;
	queue[last++] = source;
	while (first < last) {
		uint32_t node = queue[first++];
		for (uint32_t port = 0; port < ports_of(t, node); port++) {
			uint32_t peer = peer_of(t, node, port, &far);
			if (distance[peer] != UINT32_MAX)
				continue;
			distance[peer] = distance[node] + 1;
			queue[last++] = peer;
		}
	}
}

/* The largest distance between two hosts, in channels; fails where one does not reach another. *mean: over all ordered pairs. */
static uint32_t diameter_of(const struct topology *t, double *mean)
{
	uint32_t *distance = malloc(nodes_of(t) * sizeof *distance), *queue = malloc(nodes_of(t) * sizeof *queue), farthest = 0;
	uint64_t sum = 0;
	for (uint32_t source = 0; source < t->hosts; source++) {
		distances_from(t, source, distance, queue);
		for (uint32_t host = 0; host < t->hosts; host++) {
			assert_int_not_equal(distance[host], UINT32_MAX);
			farthest = distance[host] > farthest ? distance[host] : farthest;
			sum += distance[host];
		}
	}
	free(distance);
	free(queue);
	*mean = t->hosts > 1 ? (double)sum / t->hosts / (t->hosts - 1) : 0;
	return farthest;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void check_names(const struct topology *t)
{
	char(*names)[TOPOLOGY_NAME_MAX] = calloc(nodes_of(t), sizeof *names);
	for (uint32_t node = 0; node < nodes_of(t); node++) {
		bool host = node < t->hosts;
		t->kind->node_name(t, host, host ? node : node - t->hosts, names[node]);
		assert_int_equal(names[node][0], host ? 'H' : 'S');
		assert_int_equal(strspn(names[node], "HS0123456789_"), strlen(names[node]));
	}
	qsort(names, nodes_of(t), sizeof *names, by_text);
	for (uint32_t node = 1; node < nodes_of(t); node++)
		assert_string_not_equal(names[node - 1], names[node]);
	free(names);
}

/* Makes it and checks what every topology must be. Returns the mean distance of two hosts. */
static double check(uint64_t hosts, uint64_t switches, uint64_t channels, uint32_t diameter, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
static double check(uint64_t hosts, uint64_t switches, uint64_t channels, uint32_t diameter, const char *format, ...)
{
	char spec[200];
	double mean;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(spec, sizeof spec, format, arguments);
	va_end(arguments);
	struct topology *t = make(spec);
	uint32_t farthest = diameter_of(t, &mean);
	if (t->hosts != hosts || t->switches != switches || t->channels != channels || (diameter != ANY && farthest != diameter))
		fail_msg("%s: %u hosts, %u switches, %llu channels, diameter %u", spec, t->hosts, t->switches,
			(unsigned long long)t->channels, farthest);
	assert_int_equal(check_cables(t), channels);
	check_names(t);
	topology_free(t);
	return mean;
}

/* How many nodes of so many ports there are among the hosts, or the switches. */
static uint32_t count_ports(const char *spec, bool hosts, uint32_t ports)
{
	struct topology *t = make(spec);
	uint32_t count = 0;
	for (uint32_t node = hosts ? 0 : t->hosts; node < (hosts ? t->hosts : nodes_of(t)); node++)
		count += ports_of(t, node) == ports;
	topology_free(t);
	return count;
}

static uint64_t power(uint64_t base, uint32_t exponent)
{
	uint64_t product = 1;
	while (exponent--)
		product *= base;
	return product;
}

/* ---- trees */

TEST(stars_and_trees)
{
	for (uint32_t n = 1; n < 20; n++)
		check(n, 1, 2 * n, n > 1 ? 2 : 0, "star:%u", n);
	for (uint32_t d = 2; d < 6; d++)
		for (uint32_t h = 1; h < 5; h++) {
			uint64_t hosts = power(d, h), switches = (hosts - 1) / (d - 1);
			check(hosts, switches, 2 * (hosts + switches - 1), 2 * h, "tree:degree=%u,height=%u", d, h);
		}
	check(1, 3, 6, 0, "tree:1,3");
}

/* The same as an xgft, cable by cable and route by route. */
static void check_same(const char *spec, const char *other)
{
	struct error error = {0};
	struct topology *t = topology_create(spec, &error), *same = topology_create(other, &error);
	assert_fine(&error);
	assert_int_equal(t->hosts, same->hosts);
	assert_int_equal(t->switches, same->switches);
	assert_int_equal(t->channels, same->channels);
	assert_int_equal(t->kind->longest(t), same->kind->longest(same));
	for (uint32_t v = 0; v < t->hosts + t->switches; v++) {
		struct topology_port port = {v < t->hosts, v < t->hosts ? v : v - t->hosts, 0};
		uint32_t ports = t->kind->ports(t, port.host, port.node);
		assert_int_equal(ports, same->kind->ports(same, port.host, port.node));
		for (; port.port < ports; port.port++) {
			struct topology_port to = t->kind->peer(t, port), other_to = same->kind->peer(same, port);
			assert_memory_equal(&to.node, &other_to.node, sizeof to.node);
			assert_int_equal(to.port, other_to.port);
			assert_int_equal(topology_tier(t, port), topology_tier(same, port));
		}
		for (uint32_t d = 0; d < t->hosts; d++)
			if (!port.host || d != v)
				assert_int_equal(
					t->kind->next(t, port.host, port.node, d), same->kind->next(same, port.host, port.node, d));
	}
	topology_free(t);
	topology_free(same);
}

TEST(m_port_n_trees)
{
	for (uint32_t k = 1; k < 5; k++)
		for (uint32_t n = 1; n < 5; n++) {
			uint64_t hosts = 2 * power(k, n), switches = (2 * n - 1) * power(k, n - 1);
			check(hosts, switches, 2 * n * hosts, 2 * n, "mport:m=%u,n=%u", 2 * k, n);
		}
	check_same("mport:8,1", "star:8");
	check_same("mport:6,2", "xgft:3:1/6:3");
	check_same("mport:4,3", "xgft:2:1/2:2/4:2");
	struct error error = {0};
	assert_null(topology_create("mport:m=5,n=2", &error));
	assert_error(&error, STATUS_USAGE, "mport:m=5,n=2: m is 5, not an even number");
}

TEST(generalised_trees)
{
	for (uint32_t a = 2; a < 5; a++)
		for (uint32_t u = 1; u < 5; u++)
			for (uint32_t b = 2; b < 5; b++) {
				check(a * b, b + u, 2 * (a * b + b * u), 4, "gtree:%u:%u/%u", a, u, b);
				check(a * b * 2, 2 * b + 2 * u + u * 3, 2 * (2 * a * b + 2 * b * u + 2 * u * 3), 6, "gtree:%u:%u/%u:3/2:0",
					a, u, b);
			}
}

/* A tree with parallel cables is the tree without them, each of its cables so many times. */
TEST(parallel_ports_trees)
{
	for (uint32_t p = 1; p < 4; p++)
		for (uint32_t q = 1; q < 4; q++) {
			check(12, 4 + 3, 2 * (12 * p + 12 * q), 4, "pgft:3:1:%u/4:3:%u", p, q);
			check(12, 6 + 4, 2 * (24 * q + 12 * p), 4, "pgft:4:2:%u/3:2:%u", q, p);
		}
}

/* D-mod-K with parallel cables: as many ports as hosts below, and no shift waits. */
TEST(shifts_do_not_congest_parallel_cables)
{
	static const char *const specs[] = {
		"mport:8,2", "mport:4,4", "pgft:4:1:1/4:2:2", "pgft:4:1:1/4:1:4", "pgft:6:1:1/4:3:2", "pgft:4:1:1/4:2:2/4:4:2"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		struct topology_step steps[TOPOLOGY_ROUTE_MAX];
		uint8_t *used = calloc(t->switches, 100);
		for (uint32_t shift = 1; shift < t->hosts; shift++) {
			memset(used, 0, t->switches * 100);
			for (uint32_t source = 0; source < t->hosts; source++) {
				uint32_t length = t->kind->route(t, source, (source + shift) % t->hosts, steps);
				for (uint32_t s = 1; s < length; s++)
					assert_int_equal(used[steps[s].node * 100 + steps[s].port]++, 0);
			}
		}
		free(used);
		topology_free(t);
	}
}

TEST(leaves_and_spines)
{
	for (uint32_t leaves = 2; leaves < 9; leaves += 2)
		for (uint32_t spines = 1; spines < 4; spines++)
			for (uint32_t hosts = 1; hosts < 4; hosts++) {
				check(leaves * hosts, leaves + spines, 2 * leaves * (hosts + spines), 4, "leafspine:%u,%u,%u", leaves,
					spines, hosts);
				check(leaves / 2 * hosts, leaves + spines, 2 * leaves * (hosts + spines),
					leaves > 2  ? 4
					: hosts > 1 ? 2
						    : 0,
					"leafspine:leaves=%u,spines=%u,hosts=%u,rails=2", leaves, spines, hosts);
			}
	check(36 * 24, 36 + 12, 2 * 36 * 36, 4, "leafspine:radix=36,over=2:1");
	check(8 * 4, 8 + 4, 2 * 8 * 8, 4, "leafspine:radix=8");
	check(4 * 4, 4 + 4, 2 * 4 * 8, 4, "leafspine:radix=8,leaves=4");
}

/* Rail r of a host is on leaf r of its block. */
TEST(rails_meet_on_their_leaves)
{
	struct topology *t = make("leafspine:leaves=16,spines=4,hosts=5,rails=8");
	for (uint32_t host = 0; host < t->hosts; host++)
		for (uint32_t rail = 0; rail < 8; rail++)
			assert_int_equal(t->kind->peer(t, (struct topology_port){true, host, rail}).node, host / 5 * 8 + rail);
	topology_free(t);
	assert_int_equal(count_ports("leafspine:leaves=16,spines=4,hosts=5,rails=8", true, 8), 10);
}

/* ---- grids */

TEST(rings)
{
	for (uint32_t n = 1; n < 20; n++)
		for (uint32_t hosts = 1; hosts < 3; hosts++) {
			uint32_t channels = 2 * n * hosts + (n > 2 ? 2 * n : 2 * (n - 1)), least = n * hosts > 1 ? 2 : 0;
			check(n * hosts, n, channels, n / 2 + least, "ring:%u,hosts=%u", n, hosts);
			check(n * hosts, n, 2 * n * hosts + (n > 1 ? n : 0), n - 1 + least, "ring:%u,oneway,hosts=%u", n, hosts);
		}
	for (uint32_t n = 2; n < 10; n++) {
		check(n, 0, n > 2 ? 2 * n : 2, n / 2, "ring:%u,hosts=direct", n);
		check(n, 0, n, n - 1, "ring:%u,oneway,hosts=direct", n);
	}
}

/* The mean distance of two nodes of an even ring, w/4 with themselves counted, adds up over the dimensions. */
TEST(tori_of_hosts)
{
	for (uint32_t a = 4; a < 10; a += 2)
		for (uint32_t b = 4; b < 10; b += 2) {
			double mean = check(a * b, 0, 4 * a * b, a / 2 + b / 2, "torus:%ux%u,hosts=direct", a, b);
			assert_within(mean, (a + b) / 4. * a * b / (a * b - 1), 1e-9);
			check(a * b, 0, 2 * (a * (b - 1) + (a - 1) * b), a + b - 2, "mesh:%ux%u,hosts=direct", a, b);
		}
}

/* Without a jump it is the torus; with one every cable round is there too, and ends further on. */
TEST(twisted_tori)
{
	for (uint32_t a = 3; a < 7; a++)
		for (uint32_t b = 3; b < 7; b++)
			for (uint32_t jump = 0; jump < 4; jump++) {
				char spec[100];
				snprintf(spec, sizeof spec, "twisted:%ux%u,jump=%u", a, b, jump);
				check(a * b, a * b, 6 * a * b, jump ? ANY : 2 + a / 2 + b / 2, "%s", spec);
				assert_int_equal(count_ports(spec, false, 5), a * b);
				check(a * b, a * b, 2 * a * b + 4 * a * b - 2 * a, ANY, "%s,wrap=1:0", spec);
			}
	check(18, 18, 2 * (18 + 3 * 18), ANY, "twisted:3x3x2"); /* all its cables round are there, also those of width 2 */
	check(18, 18, 2 * (18 + 18 + 18 + 9), ANY, "twisted:3x3x2,jump=1:1:0");
	check(16, 0, 64, ANY, "twisted:4x4,jump=1:2,hosts=direct");
}

/* xSim's figure 7: the cable round dimension 0 of a 4x4 torus leads jump_0 on in dimension 1, that round dimension 1 jump_1 in 0. */
TEST(twists_are_where_they_are_told)
{
	struct topology *t = make("twisted:4x4,degree=1,jump=1:2,hosts=direct");
	for (uint32_t y = 0; y < 4; y++) {
		bool found[2] = {false};
		uint32_t far;
		for (uint32_t port = 0; port < 4; port++) {
			found[0] |= peer_of(t, 3 + 4 * y, port, &far) == 0 + 4 * ((y + 1) % 4);
			found[1] |= peer_of(t, y + 4 * 3, port, &far) == (y + 2) % 4;
		}
		assert_true(found[0] && found[1]);
	}
	topology_free(t);
}

TEST(fully_connected_rows)
{
	for (uint32_t n = 1; n < 12; n++)
		for (uint32_t hosts = 1; hosts < 3; hosts++)
			check(n * hosts, n, 2 * n * hosts + n * (n - 1), n * hosts > 1 ? 2 + (n > 1) : 0, "fullmesh:%u,hosts=%u", n, hosts);
	for (uint32_t n = 1; n < 9; n++) {
		double mean = check(power(2, n), 0, n * power(2, n), n, "hypercube:%u,hosts=direct", n);
		assert_within(mean, n / 2. * (double)power(2, n) / (double)(power(2, n) - 1), 1e-9);
		check(power(2, n), power(2, n), (n + 2) * power(2, n), n + 2, "hypercube:%u", n);
	}
	for (uint32_t a = 1; a < 6; a++)
		for (uint32_t b = 1; b < 6; b++)
			for (uint32_t c = 2; c < 4; c++) {
				uint32_t nodes = a * b * c, degree = a - 1 + b - 1 + c - 1;
				check(3 * nodes, nodes, nodes * (6 + degree), 2 + (a > 1) + (b > 1) + (c > 1), "hyperx:%ux%ux%u,hosts=3", a,
					b, c);
			}
}

/* ---- graphs of words and of fields */

TEST(kautz_and_de_bruijn)
{
	for (uint32_t d = 2; d < 5; d++)
		for (uint32_t n = 1; n < 5; n++) {
			uint64_t kautz = power(d, n) + power(d, n - 1), bruijn = power(d, n);
			check(kautz, kautz, 2 * (kautz + kautz * d - d * (d + 1) / 2), n + 2, "kautz:d=%u,n=%u", d, n);
			check(kautz, kautz, 2 * kautz + kautz * d, n + 2, "kautz:d=%u,n=%u,oneway", d, n);
			check(bruijn, bruijn, 2 * (bruijn + bruijn * d - d - d * (d - 1) / 2), n + 2, "debruijn:d=%u,n=%u", d, n);
			check(bruijn, 0, bruijn * d - d, n, "debruijn:d=%u,n=%u,oneway,hosts=direct", d, n);
		}
}

TEST(slim_flies)
{
	static const uint32_t q[] = {3, 4, 5, 7, 8, 9, 11, 13, 16};
	for (size_t i = 0; i < ARRAY_LENGTH(q); i++) {
		uint32_t nodes = 2 * q[i] * q[i], degree = (3 * q[i] + (q[i] % 4 == 3) - (q[i] % 4 == 1)) / 2;
		char spec[40];
		snprintf(spec, sizeof spec, "slimfly:q=%u,hosts=direct", q[i]);
		double mean = check(nodes, 0, (uint64_t)nodes * degree, 2, "%s", spec);
		assert_int_equal(count_ports(spec, true, degree), nodes);
		assert_within(mean, 2 - (double)degree / (nodes - 1), 1e-9); /* all but the neighbours are two away */
	}
	check(50, 50, 2 * (50 + 175), 4, "slimfly:5"); /* Hoffman and Singleton */
	check(150, 50, 2 * (150 + 175), 4, "slimfly:5,hosts=3");
}

TEST(polar_flies)
{
	static const uint32_t q[] = {2, 3, 4, 5, 7, 8, 9, 11, 16, 25, 27};
	for (size_t i = 0; i < ARRAY_LENGTH(q); i++) {
		uint32_t nodes = q[i] * q[i] + q[i] + 1;
		char spec[40];
		snprintf(spec, sizeof spec, "polarfly:q=%u,hosts=direct", q[i]);
		check(nodes, 0, q[i] * (q[i] + 1) * (q[i] + 1), 2, "%s", spec);
		assert_int_equal(count_ports(spec, true, q[i] + 1), nodes - q[i] - 1);
		assert_int_equal(count_ports(spec, true, q[i]), q[i] + 1);
	}
	check(31, 31, 2 * (31 + 90), 4, "polarfly:5");
}

TEST(jellyfish_are_regular)
{
	for (uint32_t switches = 4; switches < 40; switches += 3)
		for (uint32_t links = 3; links < 8 && links < switches; links++) {
			char spec[100];
			uint32_t odd = switches * links % 2;
			snprintf(
				spec, sizeof spec, "jellyfish:switches=%u,ports=%u,links=%u,seed=%u", switches, links + 2, links, switches);
			check(2 * switches, switches, 4 * switches + switches * links - odd, ANY, "%s", spec);
			assert_int_equal(count_ports(spec, false, links + 2), switches - odd);
			struct topology *t = make(spec);
			for (uint32_t node = t->hosts; node < nodes_of(t); node++) /* neighbours rise: none is there twice */
				for (uint32_t port = 3, far; port < ports_of(t, node); port++)
					assert_true(peer_of(t, node, port - 1, &far) < peer_of(t, node, port, &far));
			topology_free(t);
		}
}

TEST(seeds_tell_the_jellyfish)
{
	struct topology *one = make("jellyfish:30,8,5"), *again = make("jellyfish:30,8,5,seed=1"), *other = make("jellyfish:30,8,5,seed=2");
	uint32_t differences = 0, far;
	for (uint32_t node = one->hosts; node < nodes_of(one); node++)
		for (uint32_t port = 0; port < 8; port++) {
			assert_int_equal(peer_of(one, node, port, &far), peer_of(again, node, port, &far));
			differences += peer_of(one, node, port, &far) != peer_of(other, node, port, &far);
		}
	assert_true(differences > 30);
	topology_free(one);
	topology_free(again);
	topology_free(other);
}

/* ---- symmetry, bisection, mean distances */

/* Cables between the nodes of which inside is true and the others, among those that forward. */
static uint64_t cut(const char *spec, bool (*inside)(uint32_t node, uint32_t nodes))
{
	struct topology *t = make(spec);
	uint32_t first = t->switches ? t->hosts : 0, nodes = nodes_of(t) - first, far;
	uint64_t cables = 0;
	for (uint32_t node = 0; node < nodes; node++)
		for (uint32_t port = 0; port < ports_of(t, first + node); port++) {
			uint32_t peer = peer_of(t, first + node, port, &far);
			cables += peer >= first && inside(node, nodes) && !inside(peer - first, nodes);
		}
	topology_free(t);
	return cables;
}

static bool lower_half(uint32_t node, uint32_t nodes)
{
	return node < nodes / 2;
}

/* The cut through the middle of the last dimension, the widest, is the bisection: 2 N/w of a torus, N/w of a mesh (Dally, Towles 2004). */
TEST(bisections)
{
	assert_int_equal(cut("torus:4x4x8", lower_half), 2 * 128 / 8);
	assert_int_equal(cut("torus:6x8,hosts=direct", lower_half), 2 * 48 / 8);
	assert_int_equal(cut("mesh:4x4x8", lower_half), 128 / 8);
	assert_int_equal(cut("ring:10", lower_half), 2);
	assert_int_equal(cut("hypercube:7", lower_half), 64);
	assert_int_equal(cut("fullmesh:12", lower_half), 36);
	assert_int_equal(cut("hyperx:4x6", lower_half), 4 * 9);
	assert_int_equal(cut("torus:4x8,parallel=3", lower_half), 3 * 2 * 32 / 8);
}

/* From every host the same number of hosts is at each distance. */
TEST(symmetric_networks_look_alike_from_everywhere)
{
	static const char *const specs[] = {"ring:9", "ring:8,oneway", "torus:4x5x3", "hypercube:5", "hyperx:3x4x2", "fullmesh:7",
		"fattree:k=3,n=3", "bcube:n=3,k=3", "dpillar:n=6,k=3", "twisted:4x4,jump=0,hosts=direct", "slimfly:5,hosts=direct",
		"leafspine:6,3,4", "gqstar:k=2,n=3", "swcube:k=2,n=4"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		uint32_t *distance = malloc(nodes_of(t) * sizeof *distance), *queue = malloc(nodes_of(t) * sizeof *queue);
		uint32_t counts[64], expected[64];
		for (uint32_t host = 0; host < t->hosts; host++) {
			distances_from(t, host, distance, queue);
			memset(counts, 0, sizeof counts);
			for (uint32_t other = 0; other < t->hosts; other++) {
				assert_in_range(distance[other], 0, 63);
				counts[distance[other]]++;
			}
			if (host == 0)
				memcpy(expected, counts, sizeof counts);
			assert_memory_equal(counts, expected, sizeof counts);
		}
		free(distance);
		free(queue);
		topology_free(t);
	}
}

/* Two nodes of a row of w are (w^2-1)/(3 w) apart, themselves counted; of a D-ary tree 2 l where their paths meet on level l. */
TEST(mean_distances)
{
	for (uint32_t a = 2; a < 9; a++)
		for (uint32_t b = 2; b < 6; b++) {
			double nodes = a * b, rows = (a * a - 1) / (3. * a) + (b * b - 1) / (3. * b);
			double mean = check(a * b, 0, 2 * (2 * a * b - a - b), ANY, "mesh:%ux%u,hosts=direct", a, b);
			assert_within(mean, rows * nodes / (nodes - 1), 1e-9);
		}
	for (uint32_t d = 2; d < 5; d++)
		for (uint32_t h = 1; h < 5; h++) {
			double sum = 0, hosts = (double)power(d, h), switches = (hosts - 1) / (d - 1);
			for (uint32_t l = 1; l <= h; l++)
				sum += 2. * l * (double)(power(d, l) - power(d, l - 1));
			double mean = check(
				(uint64_t)hosts, (uint64_t)switches, (uint64_t)(2 * (hosts + switches - 1)), 2 * h, "tree:%u,%u", d, h);
			assert_within(mean, sum / (hosts - 1), 1e-9);
		}
	/* BCube: 2 for each digit that differs */
	assert_within(check(64, 48, 2 * 64 * 3, 6, "bcube:n=4,k=3"), 2 * 3 * .75 * 64 / 63, 1e-9);
}

/* ---- networks whose hosts forward */

TEST(bcubes)
{
	for (uint32_t n = 2; n < 6; n++)
		for (uint32_t k = 1; k < 4; k++)
			check(power(n, k), k * power(n, k - 1), 2 * k * power(n, k), 2 * k, "bcube:n=%u,k=%u", n, k);
}

TEST(dpillars)
{
	for (uint32_t n = 4; n < 9; n += 2)
		for (uint32_t k = 2; k < (n > 4 ? 5 : 8); k++) {
			uint64_t labels = power(n / 2, k);
			check(k * labels, k * labels / (n / 2), 4 * k * labels, 2 * (k > 4 ? k + k / 2 - 2 : k), "dpillar:n=%u,k=%u", n, k);
		}
}

TEST(dcells_and_ficonns)
{
	for (uint32_t n = 3; n < 6; n++) {
		uint64_t hosts = n;
		for (uint32_t k = 0; k < 3; hosts *= hosts + 1, k++)
			if (hosts < 1000)
				check(hosts, hosts / n, (2 + k) * hosts, 3 * (uint32_t)power(2, k) - 1, "dcell:n=%u,k=%u", n, k);
	}
	for (uint32_t n = 4; n < 13; n += 2) {
		uint64_t hosts = n;
		for (uint32_t k = 0; k < 3; k++) {
			check(hosts, hosts / n, 2 * hosts + hosts - hosts / power(2, k), 3 * (uint32_t)power(2, k) - 1, "ficonn:n=%u,k=%u",
				n, k);
			hosts *= hosts / power(2, k + 1) + 1;
		}
	}
}

TEST(hcns_and_bcns)
{
	for (uint32_t a = 2; a < 5; a++)
		for (uint32_t b = 0; b < 3; b++)
			for (uint32_t h = 0; h < 4; h++) {
				uint64_t modules = power(a, h), hosts = (a + b) * modules, masters = a * (modules - 1);
				check(hosts, modules, 2 * hosts + masters, 3 * (uint32_t)power(2, h) - 1, "hcn:a=%u,b=%u,h=%u", a, b, h);
				for (uint32_t gamma = 0; gamma <= h && b; gamma++) {
					uint64_t copies = power(a, gamma) * b + 1;
					if (copies * hosts < 1500)
						check(copies * hosts, copies * modules, copies * (2 * hosts + masters + b * modules), ANY,
							"bcn:a=%u,b=%u,h=%u,gamma=%u", a, b, h, gamma);
				}
			}
}

TEST(cubes_with_hosts_on_their_edges)
{
	for (uint32_t k = 1; k < 4; k++)
		for (uint32_t n = 2; n < 5; n++) {
			uint64_t nodes = power(n, k), ends = nodes * (n - 1) * k;
			check(ends, nodes, 3 * ends, k == 1 ? ANY : n > 2 ? 3 * k + 2 : 3 * k, "gqstar:k=%u,n=%u", k, n);
			check(ends / 2, nodes, 2 * ends, k == 1 ? ANY : n > 2 ? 2 * k + 2 : 2 * k, "swcube:k=%u,n=%u", k, n);
		}
}

/* Channels from a node to a host by the routing function, step by step; fails where it comes round. */
static uint32_t steps_to(const struct topology *t, uint32_t node, uint32_t host)
{
	uint32_t steps = 0, far;
	for (; node != host; steps++) {
		bool is_host = node < t->hosts;
		uint32_t port = t->kind->next(t, is_host, is_host ? node : node - t->hosts, host);
		assert_true(port < ports_of(t, node) && steps <= TOPOLOGY_ROUTE_MAX);
		node = peer_of(t, node, port, &far);
	}
	return steps;
}

/*
 * All routes of a topology: the whole is what the steps make, the longest is that, and none is shorter than can be; where they are to be
 * shortest none is longer. Also switches that no route crosses forward. *mean, *deviation: hosts passed, the source with them.
 */
static void check_routes(const char *spec, bool shortest, uint32_t longest, double *mean, double *deviation)
{
	struct topology *t = make(spec);
	struct topology_step *step = malloc(TOPOLOGY_ROUTE_MAX * sizeof *step);
	uint32_t *distance = malloc(nodes_of(t) * sizeof *distance), *queue = malloc(nodes_of(t) * sizeof *queue), most = 0;
	double sum = 0, squares = 0, pairs = (double)t->hosts * (t->hosts - 1);
	assert_string_equal(t->routing, t->kind->routing);
	for (uint32_t d = 0; d < t->hosts; d++) {
		distances_from(t, d, distance, queue); /* there and back alike */
		for (uint32_t node = 0; node < nodes_of(t); node++) {
			uint32_t steps = steps_to(t, node, d), hosts = 0;
			assert_true(steps >= distance[node]);
			if (node >= t->hosts || node == d)
				continue;
			if (shortest && steps != distance[node])
				fail_msg("%s: %u channels from host %u to host %u, %u are enough", spec, steps, node, d, distance[node]);
			assert_int_equal(t->kind->route(t, node, d, step), steps);
			assert_int_equal(step[0].node, node);
			for (uint32_t i = 0, at = node, far; i < steps; i++) {
				assert_int_equal(i ? step[i].node + t->hosts : node, at);
				hosts += at < t->hosts;
				at = peer_of(t, at, step[i].port, &far);
			}
			most = steps > most ? steps : most;
			sum += hosts;
			squares += (double)hosts * hosts;
		}
	}
	if (most != longest)
		fail_msg("%s: the longest of the routes has %u channels", spec, most);
	assert_in_range(most, 1, t->kind->longest(t));
	*mean = sum / pairs;
	*deviation = sqrt(squares / pairs - *mean * *mean);
	free(step);
	free(distance);
	free(queue);
	topology_free(t);
}

TEST(routes_of_networks_of_networks)
{
	static const struct {
		const char *spec;
		bool shortest; /* otherwise other entries of some copies would be nearer */
		uint32_t longest;
	} known[] = {
		{"star:4/mesh:3x3", true, 12},
		{"star:3/mesh:2x2/mesh:3x3", false, 20},
		{"star:3/torus:3x3,hosts=2", true, 8},
		{"star:5/fattree:k=4,n=2", true, 6},
		{"star:3/dragonfly:p=2,a=4,h=2", false, 10},
		{"fattree:k=4,n=2/fattree:k=4,n=2", true, 8},
		{"fattree:k=4,n=2/ring:5,hosts=direct", true, 8},
		{"fattree:k=4,n=2/star:2/fattree:k=4,n=2", true, 10},
		{"ring:4/ring:3", false, 7},
		{"ring:5/mesh:3x2,hosts=direct", true, 9},
		{"mesh:3x3/star:4", true, 6},
		{"mesh:2x2/mesh:4x4", false, 17},
		{"mesh:3x3/mesh:2x2,hosts=direct", false, 12},
		{"torus:3x3/torus:4x4", false, 14},
		{"torus:3x4/mesh:2x2/ring:3,hosts=direct", false, 17},
		{"twisted:4x4,jump=1:0/mesh:2x2", false, 12},
		{"hyperx:3x3/star:2", true, 4},
		{"bcube:n=2,k=1/star:2", true, 4},
		{"dragonfly:p=2,a=4,h=2/star:3", false, 7},
		{"mesh:3x2/bcube:n=2,k=1", true, 5},
		{"mesh:2x3/hypercube:2/star:2", false, 12},
		{"star:2/ring:3/star:2/mesh:2x2,hosts=direct", true, 10},
	};
	double mean, deviation;
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		check_routes(known[i].spec, known[i].shortest, known[i].longest, &mean, &deviation);
}

TEST(routes_over_hosts)
{
	static const struct {
		const char *spec;
		bool shortest;
		uint32_t longest;
	} known[] = {
		{"bcube:n=3,k=3", true, 6},
		{"dpillar:n=4,k=2", true, 4},
		{"dpillar:n=6,k=3", true, 6},
		{"dpillar:n=4,k=5", true, 10},
		{"dpillar:n=4,k=6", true, 14},
		{"dpillar:n=2,k=6", true, 6}, /* no digits: round the ring */
		{"dcell:n=4,k=0", true, 2},
		{"dcell:n=3,k=1", false, 5},
		{"dcell:n=2,k=2", false, 11},
		{"ficonn:n=2,k=4", true, 47}, /* a line of cells */
		{"ficonn:n=4,k=2", false, 11},
		{"ficonn:n=4,k=3", false, 23},
		{"hcn:a=2,h=3", true, 23},
		{"hcn:a=3,b=2,h=2", false, 11},
		{"hcn:a=4,b=1,h=2", false, 11},
		{"bcn:a=3,b=2,h=2", false, 14},
		{"bcn:a=2,b=2,h=2,gamma=1", false, 17},
		{"bcn:a=2,b=1,h=2,gamma=2", false, 23},
		{"gqstar:k=1,n=4", true, 5},
		{"gqstar:k=2,n=4", true, 8},
		{"gqstar:k=3,n=3", true, 11},
		{"gqstar:k=4,n=2", true, 12},
		{"swcube:k=1,n=5", true, 4},
		{"swcube:k=2,n=4", true, 6},
		{"swcube:k=3,n=3", true, 8},
		{"swcube:k=4,n=2", true, 8},
	};
	double mean, deviation;
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		check_routes(known[i].spec, known[i].shortest, known[i].longest, &mean, &deviation);
}

/* What Guo et al. 2008, table 1, give for DCellRouting: cables and switches passed on the way, each as one. */
TEST(dcells_are_routed_as_published)
{
	static const struct {
		unsigned n;
		double mean, deviation;
	} published[] = {{4, 5.16, 1.42}, {5, 5.50, 1.33}};
	for (size_t i = 0; i < ARRAY_LENGTH(published); i++) {
		char spec[40];
		double mean, deviation;
		snprintf(spec, sizeof spec, "dcell:n=%u,k=2", published[i].n);
		check_routes(spec, false, 11, &mean, &deviation);
		assert_true(fabs(mean - published[i].mean) <= .005 && fabs(deviation - published[i].deviation) <= .005);
	}
}

TEST(twisted_tori_have_routes_where_they_look_alike_from_everywhere)
{
	static const struct {
		const char *spec;
		uint32_t longest;
	} known[] = {{"twisted:4x4,jump=1:0", 5}, {"twisted:8x4,jump=2:0,hosts=2", 7}, {"twisted:5x3x4,jump=2:0:0,hosts=direct", 5},
		{"twisted:3x4x5,degree=2,jump=1:0:0", 7}, {"twisted:2x4,jump=1:0", 4}, {"twisted:4x4x3x3,jump=1:0:2:0", 7},
		{"twisted:5x4,jump=0", 6}, {"twisted:4x1x5,jump=1:2:0", 6}, {"twisted:2x2x3,jump=0:1:0,wrap=0:1:1,hosts=3", 5}};
	static const char *const none[] = {"twisted:4x4", "twisted:4x4,jump=1:2", "twisted:6,degree=0,jump=2",
		"twisted:4x4,jump=1:0,wrap=0:1", "twisted:4x4,jump=1:0,wrap=1:0", "twisted:3x4x5,jump=1:1:0"};
	double mean, deviation;
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		check_routes(known[i].spec, true, known[i].longest, &mean, &deviation);
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
		struct topology *t = make(none[i]);
		assert_null(t->routing);
		topology_free(t);
	}
}

/* The graph is there, its routes would be too long. */
TEST(long_routes_are_none)
{
	static const char *const specs[] = {"ficonn:n=2,k=11", "hcn:a=2,h=11", "bcn:a=2,b=1,h=11", "twisted:20000,degree=0,jump=0"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		assert_null(t->routing);
		assert_non_null(t->kind->routing);
		topology_free(t);
	}
}

/* ---- made of others */

TEST(parallel_cables)
{
	for (uint32_t n = 1; n < 5; n++) {
		check(18, 9, 2 * (18 + 18 * n), 4, "torus:3x3,hosts=2,parallel=%u", n);
		check(16, 32, 2 * (16 + 48 * n), 8, "fattree:k=2,n=4,parallel=%u", n);
		check(9, 0, 36 * n, 2, "torus:3x3,hosts=direct,parallel=%u", n);
		check(9, 6, 36 * n, 4, "bcube:parallel=%u,n=3,k=2", n);
		check(6, 6, 2 * 6 + 6 * n, 7, "ring:6,oneway,parallel=%u", n);
	}
}

/* HiNetSim's 4.5D torus: four routers with two hosts each in the place of a node. */
TEST(networks_of_networks)
{
	for (uint32_t a = 3; a < 6; a++)
		for (uint32_t b = 3; b < 6; b++) {
			uint32_t nodes = a * b;
			check(nodes * 8, nodes * 4, 2 * (nodes * (8 + 6) + 2 * nodes), ANY, "torus:%ux%u/fullmesh:4,hosts=2", a, b);
			check(nodes * 3, 0, 2 * (nodes * 3 + 2 * nodes), ANY, "torus:%ux%u/ring:3,hosts=direct", a, b);
			check(a * b, a + 1, 2 * (a * b + a), 4, "star:%u/star:%u", a, b);
			check(a * b * 2, a * b + a + 1, 2 * (a * b * 2 + a * b + a), 6, "star:%u/star:%u/star:2", a, b);
		}
	check(6 * 6 * 8, 36 * 4, 2 * 36 * (8 + 6 + 2), ANY, "torus:6x6/fullmesh:4,hosts=2");
	/* each router of a node of the 4D torus has both cables of one dimension */
	struct topology *t = make("torus:3x3x3x3/fullmesh:4,hosts=2");
	assert_int_equal(t->tiers, 3);
	for (uint32_t node = 0; node < t->switches; node++) {
		uint32_t far, outside = 0;
		assert_int_equal(ports_of(t, t->hosts + node), 2 + 3 + 2);
		for (uint32_t port = 0; port < 7; port++) {
			uint32_t peer = peer_of(t, t->hosts + node, port, &far);
			unsigned tier = topology_tier(t, (struct topology_port){false, node, port});
			assert_int_equal(tier, port < 2 ? 0 : port < 5 ? 1 : 2);
			if (tier == 2) {
				assert_int_equal((peer - t->hosts) % 4, node % 4); /* the router of the same dimension */
				outside++;
			}
		}
		assert_int_equal(outside, 2);
	}
	topology_free(t);
}

/* The cables of both ends are of one tier, and every tier is there. */
TEST(tiers_are_told_alike_at_both_ends)
{
	static const struct {
		const char *spec;
		unsigned tiers;
	} known[] = {{"star:3", 1}, {"fattree:k=2,n=4", 4}, {"pgft:2:1:2/2:2:2", 2}, {"torus:3x3", 2}, {"torus:3x3,hosts=direct", 1},
		{"dragonfly:p=2,a=4,h=2", 3}, {"slimfly:3", 2}, {"slimfly:3,hosts=direct", 1}, {"dcell:n=2,k=2", 3}, {"hcn:a=3,h=2", 3},
		{"bcn:a=2,b=1,h=1", 3}, {"leafspine:4,2,2", 2}, {"bcube:2,3", 1}, {"gqstar:2,3", 2}, {"hyperx:3x3,parallel=2", 2},
		{"torus:3x3/dragonfly:p=1,a=2,h=1", 4}, {"star:3/star:2/star:2", 3}};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *t = make(known[i].spec);
		unsigned seen = 0;
		for (uint32_t id = 0; id < nodes_of(t); id++)
			for (uint32_t port = 0; port < ports_of(t, id); port++) {
				bool host = id < t->hosts;
				struct topology_port here = {host, host ? id : id - t->hosts, port}, there = t->kind->peer(t, here);
				unsigned tier = topology_tier(t, here);
				assert_int_equal(topology_tier(t, there), tier);
				seen |= 1u << tier;
			}
		assert_int_equal(t->tiers, known[i].tiers);
		assert_int_equal(seen, (1u << known[i].tiers) - 1);
		topology_free(t);
	}
}

/* Arithmetic of networks of networks holds where they are large. */
TEST(large_networks_of_networks)
{
	static const char *const specs[] = {"torus:50x50x50/fullmesh:4,hosts=2", "fattree:k=32,n=3/star:32,parallel=2",
		"torus:30x30x30,parallel=3/hypercube:5,hosts=2", "dragonfly:p=8,a=16,h=8/ring:8,hosts=direct"};
	struct random random;
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		random_start(&random, 1, RANDOM_PATTERN, i);
		assert_true(t->hosts >= 100000);
		for (int n = 0; n < 20000; n++) {
			uint32_t id = random_below(&random, nodes_of(t)), port = random_below(&random, ports_of(t, id)), far, back;
			uint32_t peer = peer_of(t, id, port, &far);
			assert_int_equal(peer_of(t, peer, far, &back), id);
			assert_int_equal(back, port);
		}
		topology_free(t);
	}
}

/* ---- failures */

static struct failures start_failures(const struct topology *t, bool keep_connected)
{
	struct failures f;
	struct error error = {0};
	assert_int_equal(failures_init(&f, t, 7, keep_connected, &error), 0);
	assert_fine(&error);
	return f;
}

/* Channels left, and whether each goes both ways. */
static uint64_t count_left(const struct failures *f)
{
	const struct topology *t = f->topology;
	uint64_t left = 0;
	for (uint32_t id = 0; id < nodes_of(t); id++)
		for (uint32_t port = 0; port < ports_of(t, id); port++) {
			bool host = id < t->hosts;
			struct topology_port here = {host, host ? id : id - t->hosts, port};
			bool failed = failures_channel(f, here);
			assert_int_equal(failures_channel(f, t->kind->peer(t, here)), failed);
			left += !failed;
		}
	return left;
}

TEST(named_failures)
{
	struct topology *t = make("mesh:3x3");
	struct failures f = start_failures(t, false);
	struct error error = {0};
	assert_int_equal(failures_name(&f, "S1_1", &error), 0);   /* the middle, with its host */
	assert_int_equal(failures_name(&f, "S0_0:2", &error), 0); /* to S1_0 */
	assert_int_equal(failures_name(&f, "S1_0:2", &error), 0); /* the same */
	assert_int_equal(failures_name(&f, "S0_1:3", &error), 0); /* to S0_0: that is cut off */
	assert_int_equal(failures_count(&f, &error), 0);
	assert_fine(&error);
	assert_int_equal(f.switches, 1);
	assert_int_equal(f.cables, 2 + 5);
	assert_int_equal(f.all, 9 + 12);
	assert_int_equal(f.hosts, 1);
	assert_int_equal(f.cut_off, 1);
	assert_int_equal(count_left(&f), 2 * (21 - 5 - 2));
	assert_true(failures_left_out(&f, false, 4));
	assert_true(failures_left_out(&f, true, 4));
	assert_false(failures_left_out(&f, true, 0));
	assert_int_equal(failures_name(&f, "S1_3", &error), -1);
	assert_error(&error, STATUS_USAGE, "'S1_3': no node has this name");
	assert_int_equal(failures_name(&f, "S0_0:4", &error), -1);
	assert_error(&error, STATUS_USAGE, "'S0_0:4': S0_0 has ports 1 to 3");
	assert_int_equal(failures_name(&f, "S0_0:0", &error), -1);
	assert_error(&error, STATUS_USAGE, "ports 1 to 3");
	failures_clear(&f);
	topology_free(t);
}

/* Just as many cables can fail as are in no spanning tree, none more. */
TEST(drawn_cables_keep_it_connected)
{
	static const struct {
		const char *spec;
		uint32_t nodes, cables; /* of the graph of nodes that forward */
	} known[] = {{"torus:4x4,hosts=2", 16, 32}, {"fattree:k=4,n=2", 8, 16}, {"bcube:n=3,k=2", 15, 18},
		{"slimfly:5,hosts=direct", 50, 175}, {"torus:3x3,parallel=2", 9, 36}};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct topology *t = make(known[i].spec);
		uint32_t most = known[i].cables - known[i].nodes + 1;
		for (uint32_t n = 0; n <= most + 1; n++) {
			struct failures f = start_failures(t, true);
			struct error error = {0};
			failures_draw_cables(&f, (struct share){false, n}, &error);
			if (n > most) {
				assert_error(&error, STATUS_USAGE, "can fail without disconnecting a node");
			} else {
				assert_fine(&error);
				failures_count(&f, &error);
				assert_int_equal(f.cables, n);
				assert_int_equal(f.hosts + f.cut_off, 0);
				assert_int_equal(count_left(&f), t->channels - 2 * n);
			}
			failures_clear(&f);
		}
		topology_free(t);
	}
}

/* Of a full mesh all switches but one can fail if they have no hosts; those with hosts cannot. */
TEST(drawn_switches_keep_it_connected)
{
	struct topology *t = make("leafspine:leaves=4,spines=5,hosts=2");
	struct error error = {0};
	for (uint32_t n = 0; n < 6; n++) {
		struct failures f = start_failures(t, true);
		failures_draw_switches(&f, (struct share){false, n}, &error);
		if (n > 4) {
			assert_error(&error, STATUS_USAGE, "only 4 of 5 switches can fail");
		} else {
			assert_fine(&error);
			failures_count(&f, &error);
			assert_int_equal(f.switches, n);
			assert_int_equal(f.hosts + f.cut_off, 0);
			assert_int_equal(count_left(&f), 2 * (8 + 4 * (5 - n)));
		}
		failures_clear(&f);
	}
	struct failures f = start_failures(t, false);
	assert_int_equal(failures_draw_switches(&f, (struct share){true, 100}, &error), 0);
	assert_int_equal(f.switches, 9);
	assert_int_equal(count_left(&f), 0);
	failures_clear(&f);
	topology_free(t);
}

/* No channel leads to a host that is left out: of a ring of one way that is broken nothing is left. */
TEST(hosts_that_lead_nowhere_are_left_out)
{
	struct topology *t = make("ring:7,oneway,hosts=direct");
	struct failures f = start_failures(t, false);
	struct error error = {0};
	assert_int_equal(failures_name(&f, "H3:1", &error), 0);
	assert_int_equal(failures_count(&f, &error), 0);
	assert_int_equal(f.hosts, 7);
	for (uint32_t host = 0; host < 7; host++)
		assert_true(failures_left_out(&f, true, host) && failures_channel(&f, (struct topology_port){true, host, 0}));
	failures_clear(&f);
	topology_free(t);
}

/* Every cable that can be drawn is drawn about as often. */
TEST(drawn_failures_are_uniform)
{
	struct topology *t = make("torus:3x3,hosts=direct");
	uint32_t times[36] = {0};
	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct failures f;
		struct error error = {0};
		failures_init(&f, t, seed, false, &error);
		failures_draw_cables(&f, (struct share){true, 50}, &error);
		assert_fine(&error);
		assert_int_equal(failures_count(&f, &error), 0);
		assert_int_equal(f.cables, 9);
		for (uint32_t i = 0; i < 36; i++)
			times[i] += failures_channel(&f, (struct topology_port){true, i / 4, i % 4});
		failures_clear(&f);
	}
	for (uint32_t i = 0; i < 36; i++)
		assert_in_range(times[i], 1500 - 140, 1500 + 140); /* five standard deviations */
	topology_free(t);
}

TEST(shares_are_read)
{
	struct share share;
	assert_true(share_read("12", &share) && !share.percent && share.number == 12);
	assert_true(share_read("2.5%", &share) && share.percent && share.number == 2.5);
	assert_true(share_read("0", &share) && share_read("100%", &share));
	static const char *const bad[] = {"", "%", "x", "-1", "1.5", "101%", "-1%", "2%%", "2 %", "nan%"};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		assert_false(share_read(bad[i], &share));
}

/* With parallel cables there are no routes: the kind tells, before it is made. In networks of networks it depends on both. */
TEST(kinds_of_derived_topologies)
{
	static const char *const derived[] = {
		"torus:4x4/ring:3", "ring:3,parallel=2", "ring:parallel=1,3", "star:2/graph:a/b", "xgft:2:1/2:2/star:2"};
	static const bool may_be_routed[] = {true, true, true, false, true};
	static const char *const plain[] = {"xgft:2:1/2:2", "gtree:2:1/2", "graph:a/star:2", "graph:x,parallel=2", "ring:3"};
	for (size_t i = 0; i < ARRAY_LENGTH(derived); i++)
		assert_true((topology_find(derived[i])->routing == NULL) == !topology_nested(derived[i]) &&
			    topology_may_be_routed(derived[i]) == may_be_routed[i]);
	for (size_t i = 0; i < ARRAY_LENGTH(plain); i++)
		assert_int_equal(strncmp(topology_find(plain[i])->name, plain[i], 4), 0);
	struct topology *t = make("ring:parallel=1,3");
	assert_ptr_equal(t->kind, topology_find("ring:3,parallel=2"));
	assert_int_equal(t->channels, 12);
	topology_free(t);
}

TEST(wrong_parameters_are_refused)
{
	static const struct {
		const char *spec, *words;
	} bad[] = {
		{"star:0", "n is '0'"},
		{"star:2147483501", "more than 4294967000 channels"},
		{"tree:2", "requires the parameter"},
		{"gtree:4:2/4:2", "the top level must not have ports up"},
		{"gtree:4/4", "level 1 is '4', not down:up"},
		{"pgft:4:1/4:4", "level 1 is '4:1', not children:parents:cables"},
		{"pgft:4:1:4294967295/4:4:4294967295", "more than 4294967000 channels"},
		{"ring:5,1,two", "'two' is one parameter too many"},
		{"ring:4,hosts=0", "hosts is '0', neither an integer from 1 to 4294967295 nor direct"},
		{"fullmesh:100000", "more than 4294967000 channels"},
		{"hypercube:32", "n is '32'"},
		{"hyperx:65536x65536", "more than 4294967000 channels"},
		{"twisted:4x4,degree=2", "degree is 2"},
		{"twisted:4x4,jump=1:2:3", "jump is '1:2:3'"},
		{"twisted:4,degree=0,jump=3", "would lead to the same node"},
		{"twisted:100000x100000", "more than 134217728 channels"},
		{"leafspine:4,2", "specify leaves, spines and hosts, or radix"},
		{"leafspine:leaves=6,spines=2,hosts=2,rails=4", "6 leaves are not a multiple of 4 rails"},
		{"leafspine:radix=36,over=4:1", "36 ports cannot be divided 4 down to 1 up"},
		{"leafspine:radix=36,leaves=40", "more than 36 ports"},
		{"leafspine:radix=8,over=x", "over is 'x'"},
		{"jellyfish:10,8,8", "no hosts"},
		{"jellyfish:10,20,10", "links must be less than switches"},
		{"jellyfish:10,4,1", "use more links"},
		{"slimfly:6", "neither odd nor divisible by 4"},
		{"slimfly:12", "q is 12, not a power of a prime"},
		{"slimfly:2", "q is '2'"},
		{"polarfly:6", "q is 6, not a power of a prime"},
		{"kautz:1,3", "d is '1'"},
		{"debruijn:10,20", "more than 134217728 channels"},
		{"bcube:2,32", "more than 134217728 channels"},
		{"dpillar:5,2", "n is odd"},
		{"dpillar:6,30", "more than 134217728 channels"},
		{"dcell:4,5", "more than 134217728 channels"},
		{"ficonn:5,1", "the 5 hosts of level 0 cannot be divided by 2"},
		{"hcn:a=10,h=20", "more than 134217728 channels"},
		{"bcn:a=2,b=1,h=1,gamma=2", "gamma is larger"},
		{"gqstar:31,4", "more than 134217728 channels"},
		{"swcube:9,9", "more than 134217728 channels"},
		{"graph:", "requires the parameter"},
		{"ring:4,parallel=0", "ring:4,parallel=0: parallel is not an integer from 1"},
		{"ring:4,parallel=x", "parallel is not an integer"},
		{"torus:1000x1000,parallel=4000", "torus:1000x1000,parallel=4000: too large: more than 4294967000 channels"},
		{"torus:4x4/rng:3", "unknown topology 'rng'; did you mean 'ring'?"},
		{"torus:4x4/nix:3", "unknown topology 'nix' (valid: star, "},
		{"torus:4x4/ring:0", "n is '0'"},
		{"torus:4x4,hosts=2/ring:3", "torus:4x4,hosts=2: its hosts are copies of another network, which determines their number"},
		{"torus:1000x1000/torus:100x100", "more than 4294967000 channels"},
		{"torus:4x4x4x4x4x4x4x4/torus:4x4x4x4x4x4x4x4/torus:4x4x4x4x4x4x4x4", "more than 4294967000 channels"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct error error = {0};
		assert_null(topology_create(bad[i].spec, &error));
		assert_error(&error, STATUS_USAGE, bad[i].words);
	}
}

/* ---- a graph of one's own */

static struct topology *read_graph(const char *text, struct error *error)
{
	char path[] = "/tmp/test_topology_kinds.XXXXXX", spec[80];
	FILE *file = fdopen(mkstemp(path), "w");
	fputs(text, file);
	fclose(file);
	snprintf(spec, sizeof spec, "graph:%s", path);
	struct topology *t = topology_create(spec, error);
	unlink(path);
	return t;
}

TEST(graphs_are_read)
{
	struct error error = {0};
	char name[TOPOLOGY_NAME_MAX];
	struct topology *t = read_graph("# two hosts\nS2 H9\r\n\nH1\tS2 3 # thrice\nS1\nS1 S2", &error);
	assert_fine(&error);
	assert_int_equal(t->hosts, 2);
	assert_int_equal(t->switches, 2);
	assert_int_equal(t->channels, 2 * (1 + 3 + 1));
	assert_int_equal(check_cables(t), t->channels);
	t->kind->node_name(t, true, 1, name);
	assert_string_equal(name, "H1");
	t->kind->node_name(t, false, 0, name);
	assert_string_equal(name, "S2");
	topology_free(t);
}

TEST(wrong_graphs_are_refused)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{"", "the file has no nodes"},
		{"H1 S1\nS1 S1", "line 2: the cable leads from S1 to itself"},
		{"H1 S1 0", "line 1: a line is not two names"},
		{"H1 S1 2 3", "line 1: a line is not two names"},
		{"H1 S\"1", "line 1: a name is too long, or has a quote"},
		{"S1 H1\n%1 H2", "line 2: a name begins with %"},
		{"S1\r H1", "line 1: a name begins with %, or ends with a carriage return"},
		{"H1 S1 99999999999", "line 1: a line is not two names"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct error error = {0};
		assert_null(read_graph(bad[i].text, &error));
		assert_error(&error, STATUS_USAGE, bad[i].words);
	}
	struct error error = {0};
	assert_null(topology_create("graph:/nonexistent/file", &error));
	assert_error(&error, STATUS_IO, "/nonexistent/file");
}

/* ---- pictures: ellipses as wide as neato makes them for names in its usual font, in units of topology_place() */

struct ellipse {
	double x, y, width, height; /* half of both */
};

static struct ellipse ellipse_of(const struct topology *t, uint32_t id)
{
	char name[TOPOLOGY_NAME_MAX];
	bool host = id < t->hosts;
	uint32_t node = host ? id : id - t->hosts;
	struct topology_place at = topology_place(t, host, node);
	t->kind->node_name(t, host, node, name);
	return (struct ellipse){at.x, at.y, fmax(.3, (20 + 4.25 * (double)strlen(name)) / 90), .2};
}

/* How near a node comes to the line from one point to another, as a share of its ellipse. */
static double nearness(struct ellipse e, double x0, double y0, double x1, double y1)
{
	double ax = (x0 - e.x) / e.width, ay = (y0 - e.y) / e.height, dx = (x1 - x0) / e.width, dy = (y1 - y0) / e.height;
	double length = dx * dx + dy * dy, t = length > 0 ? fmin(1, fmax(0, -(ax * dx + ay * dy) / length)) : 0;
	return hypot(ax + t * dx, ay + t * dy);
}

TEST(nodes_stand_apart_in_pictures)
{
	static const char *const specs[] = {"star:9", "fattree:4,2", "torus:6x6", "torus:3x3x3,hosts=2", "mesh:4x3,hosts=4",
		"torus:4x4,hosts=9", "torus:5x4,hosts=direct", "hypercube:4", "hypercube:6", "hyperx:4x4", "dragonfly:2,4,1",
		"dragonfly:1,1,4", "slimfly:5", "slimfly:4,3", "slimfly:5,direct", "polarfly:2", "polarfly:4", "polarfly:5,direct",
		"bcube:4,2", "dpillar:4,2", "dpillar:4,3", "dpillar:6,2", "dcell:4,1", "dcell:2,2", "dcell:5,0", "ficonn:4,2", "hcn:3,0,2",
		"hcn:2,3,3", "bcn:2,2,1", "bcn:3,1,1,1", "swcube:2,3", "gqstar:2,3", "gqstar:3,2", "ring:8,oneway", "jellyfish:16,6,4",
		"torus:3x3/fullmesh:4,hosts=2"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		for (uint32_t a = 0; a < nodes_of(t); a++)
			for (uint32_t b = 0; b < a; b++) {
				struct ellipse one = ellipse_of(t, a), other = ellipse_of(t, b);
				double dx = (one.x - other.x) / (one.width + other.width),
				       dy = (one.y - other.y) / (one.height + other.height);
				if (hypot(dx, dy) < 1)
					fail_msg("%s: nodes %u and %u overlap", specs[i], a, b);
			}
		topology_free(t);
	}
}

TEST(cables_pass_no_node_in_pictures)
{
	static const char *const specs[] = {"torus:6x6", "torus:4x3", "mesh:5x4,hosts=2", "torus:4x4,hosts=direct", "hypercube:3",
		"hypercube:4", "dcell:4,1", "hcn:3,0,2", "swcube:2,3", "gqstar:2,3", "dpillar:4,2", "fattree:3,2"};
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *t = make(specs[i]);
		for (uint32_t id = 0; id < nodes_of(t); id++) {
			bool host = id < t->hosts;
			uint32_t node = host ? id : id - t->hosts;
			struct ellipse from = ellipse_of(t, id);
			for (uint32_t port = 0; port < t->kind->ports(t, host, node); port++) {
				struct topology_port peer = t->kind->peer(t, (struct topology_port){host, node, port});
				uint32_t end = peer.node + (peer.host ? 0 : t->hosts);
				struct ellipse to = ellipse_of(t, end);
				for (uint32_t other = 0; other < nodes_of(t); other++)
					if (other != id && other != end && nearness(ellipse_of(t, other), from.x, from.y, to.x, to.y) < .9)
						fail_msg("%s: the cable of nodes %u and %u passes node %u", specs[i], id, end, other);
			}
		}
		topology_free(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stars_and_trees),
		cmocka_unit_test(m_port_n_trees),
		cmocka_unit_test(generalised_trees),
		cmocka_unit_test(parallel_ports_trees),
		cmocka_unit_test(shifts_do_not_congest_parallel_cables),
		cmocka_unit_test(leaves_and_spines),
		cmocka_unit_test(rails_meet_on_their_leaves),
		cmocka_unit_test(rings),
		cmocka_unit_test(tori_of_hosts),
		cmocka_unit_test(twisted_tori),
		cmocka_unit_test(twists_are_where_they_are_told),
		cmocka_unit_test(fully_connected_rows),
		cmocka_unit_test(kautz_and_de_bruijn),
		cmocka_unit_test(slim_flies),
		cmocka_unit_test(polar_flies),
		cmocka_unit_test(jellyfish_are_regular),
		cmocka_unit_test(seeds_tell_the_jellyfish),
		cmocka_unit_test(bisections),
		cmocka_unit_test(symmetric_networks_look_alike_from_everywhere),
		cmocka_unit_test(mean_distances),
		cmocka_unit_test(bcubes),
		cmocka_unit_test(dpillars),
		cmocka_unit_test(dcells_and_ficonns),
		cmocka_unit_test(hcns_and_bcns),
		cmocka_unit_test(cubes_with_hosts_on_their_edges),
		cmocka_unit_test(routes_of_networks_of_networks),
		cmocka_unit_test(routes_over_hosts),
		cmocka_unit_test(dcells_are_routed_as_published),
		cmocka_unit_test(twisted_tori_have_routes_where_they_look_alike_from_everywhere),
		cmocka_unit_test(long_routes_are_none),
		cmocka_unit_test(parallel_cables),
		cmocka_unit_test(networks_of_networks),
		cmocka_unit_test(tiers_are_told_alike_at_both_ends),
		cmocka_unit_test(large_networks_of_networks),
		cmocka_unit_test(named_failures),
		cmocka_unit_test(drawn_cables_keep_it_connected),
		cmocka_unit_test(drawn_switches_keep_it_connected),
		cmocka_unit_test(hosts_that_lead_nowhere_are_left_out),
		cmocka_unit_test(drawn_failures_are_uniform),
		cmocka_unit_test(shares_are_read),
		cmocka_unit_test(kinds_of_derived_topologies),
		cmocka_unit_test(wrong_parameters_are_refused),
		cmocka_unit_test(graphs_are_read),
		cmocka_unit_test(wrong_graphs_are_refused),
		cmocka_unit_test(nodes_stand_apart_in_pictures),
		cmocka_unit_test(cables_pass_no_node_in_pictures),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
