/* Every kind of topology over many parameters: sizes and diameters by their formulae, regularity, and the definitions of the graphs. */
#include "helpers.h"

#include "topology.h"

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

/* The largest distance between two hosts, in channels; fails where one does not reach another. *mean: over all ordered pairs. */
static uint32_t diameter_of(const struct topology *t, double *mean)
{
	uint32_t *distance = malloc(nodes_of(t) * sizeof *distance), *queue = malloc(nodes_of(t) * sizeof *queue), farthest = 0;
	uint64_t sum = 0;
	for (uint32_t source = 0; source < t->hosts; source++) {
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
	static const char *const specs[] = {"pgft:4:1:1/4:2:2", "pgft:4:1:1/4:1:4", "pgft:6:1:1/4:3:2", "pgft:4:1:1/4:2:2/4:4:2"};
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

TEST(wrong_parameters_are_refused)
{
	static const struct {
		const char *spec, *words;
	} bad[] = {
		{"star:0", "n is '0'"},
		{"star:2147483501", "more than 4294967000 channels"},
		{"tree:2", "needs a parameter"},
		{"gtree:4:2/4:2", "the top level has ports up"},
		{"gtree:4/4", "level 1 is '4', not down:up"},
		{"pgft:4:1/4:4", "level 1 is '4:1', not children:parents:cables"},
		{"pgft:4:1:4294967295/4:4:4294967295", "more than 4294967000 channels"},
		{"ring:5,1,two", "'two' is one parameter too many"},
		{"ring:4,hosts=0", "hosts is '0', not an integer from 1 to 4294967295, nor direct"},
		{"fullmesh:100000", "more than 4294967000 channels"},
		{"hypercube:32", "n is '32'"},
		{"hyperx:65536x65536", "more than 4294967000 channels"},
		{"twisted:4x4,degree=2", "degree is 2"},
		{"twisted:4x4,jump=1:2:3", "jump is '1:2:3'"},
		{"twisted:4,degree=0,jump=3", "onto the same node"},
		{"twisted:100000x100000", "more than 134217728 channels"},
		{"leafspine:4,2", "must be given, or radix"},
		{"leafspine:leaves=6,spines=2,hosts=2,rails=4", "6 leaves are no blocks of 4 rails"},
		{"leafspine:radix=36,over=4:1", "36 ports cannot be shared out 4 down to 1 up"},
		{"leafspine:radix=36,leaves=40", "more than 36 ports"},
		{"leafspine:radix=8,over=x", "over is 'x'"},
		{"jellyfish:10,8,8", "no hosts"},
		{"jellyfish:10,20,10", "less than the switches"},
		{"jellyfish:10,4,1", "links are too few"},
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
		{"ficonn:5,1", "the 5 hosts of level 0 cannot be shared out by 2"},
		{"hcn:a=10,h=20", "more than 134217728 channels"},
		{"bcn:a=2,b=1,h=1,gamma=2", "gamma is larger"},
		{"gqstar:31,4", "more than 134217728 channels"},
		{"swcube:9,9", "more than 134217728 channels"},
		{"graph:", "needs a parameter"},
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
		{"", "there are no nodes"},
		{"H1 S1\nS1 S1", "line 2: the cable leads from S1 to itself"},
		{"H1 S1 0", "line 1: a line is two names"},
		{"H1 S1 2 3", "line 1: a line is two names"},
		{"H1 S\"1", "line 1: a name is too long, or has a quote"},
		{"H1 S1 99999999999", "line 1: a line is two names"},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stars_and_trees),
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
		cmocka_unit_test(bcubes),
		cmocka_unit_test(dpillars),
		cmocka_unit_test(dcells_and_ficonns),
		cmocka_unit_test(hcns_and_bcns),
		cmocka_unit_test(cubes_with_hosts_on_their_edges),
		cmocka_unit_test(wrong_parameters_are_refused),
		cmocka_unit_test(graphs_are_read),
		cmocka_unit_test(wrong_graphs_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
