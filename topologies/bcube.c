/*
 * BCube: hosts with one port on each of k levels of switches; those of level l join the hosts whose numbers to base n differ only in digit
 * l (Guo, Lu, Li, Wu, Zhang, Shi, Tian, Zhang, Lu: BCube, SIGCOMM 2009, whose BCube_k has k+1 levels). Hosts forward.
 *
 * Switch s of level l joins the hosts whose digits except l are, in order, those of s. Ports of hosts are numbered by level, those of
 * switches by digit l.
 *
 * Routes (BCubeRouting there, digits from the lowest up): correct the lowest digit that differs from the destination's.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"
#include "topologies/reciprocal.h"

enum { DIGITS_MAX = 32 };

struct bcube {
	uint32_t levels, each; /* each: switches of a level */
	struct reciprocal n, switches, step[DIGITS_MAX];
};

static int bcube_setup(struct topology *topology, struct error *error)
{
	uint64_t n = (uint64_t)topology->args.value[0].integer, k = (uint64_t)topology->args.value[1].integer;
	uint64_t hosts = power(n, k), each = power(n, k - 1), step = 1;
	struct bcube *b = topology->data = array_create(1, sizeof *b, error);
	if (!b || cabling_start(topology, hosts, times(k, each), times(k, hosts), error))
		return -1;
	b->levels = (uint32_t)k;
	b->each = (uint32_t)each;
	b->n = reciprocal_of((uint32_t)n);
	b->switches = reciprocal_of((uint32_t)each);
	for (uint64_t level = 0; level < k; level++, step *= n)
		b->step[level] = reciprocal_of((uint32_t)step);
	step = 1;
	for (uint64_t level = 0; level < k; level++, step *= n)
		for (uint64_t host = 0; host < hosts; host++)
			cabling_add(topology, (uint32_t)host,
				cabling_switch(topology, (uint32_t)(level * each + host / (step * n) * step + host % step)));
	return cabling_finish(topology, error);
}

static inline uint32_t digit(const struct bcube *b, uint32_t host, uint32_t level)
{
	return remainder_of(quotient(host, b->step[level]), b->n);
}

static uint32_t bcube_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct bcube *b = topology->data;
	uint32_t level = 0;
	if (!host)
		return digit(b, destination, quotient(node, b->switches));
	while (digit(b, node, level) == digit(b, destination, level))
		level++;
	return level;
}

static uint32_t bcube_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct bcube *b = topology->data;
	uint32_t length = 0, host = source;
	for (uint32_t level = 0; host != destination; level++) {
		uint32_t step = b->step[level].divisor, above = quotient(host, b->step[level]), rest = quotient(above, b->n);
		uint32_t from = above - rest * b->n.divisor, to = digit(b, destination, level);
		if (from == to)
			continue;
		steps[length] = (struct topology_step){length ? host - topology->hosts : host, level};
		steps[length + 1] = (struct topology_step){level * b->each + rest * step + host - above * step, to};
		length += 2;
		host += (to - from) * step;
	}
	return length;
}

static uint32_t bcube_longest(const struct topology *topology)
{
	const struct bcube *b = topology->data;
	return 2 * b->levels;
}

static struct topology_place bcube_place(const struct topology *topology, bool host, uint32_t node)
{
	uint32_t k = (uint32_t)topology->args.value[1].integer, each = topology->switches / k;
	return host ? place_in_level(topology->hosts, k, 0, node, topology->hosts)
		    : place_in_level(topology->hosts, k, node / each + 1, node % each, each);
}

/* Writes the name: hosts by their digits, the lowest first; switches by level and number there. */
static void bcube_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t n = (uint32_t)topology->args.value[0].integer, k = (uint32_t)topology->args.value[1].integer;
	uint32_t each = topology->switches / k;
	if (host)
		put_digits(text, 'H', node, n, k);
	else
		put_number(put_number(text, 'S', node / each), '_', node % each);
}

static const struct arg bcube_args[] = {
	{"n", ARG_INTEGER, NULL, 2, UINT32_MAX, "ports of a switch"},
	{"k", ARG_INTEGER, NULL, 1, DIGITS_MAX, "levels of switches, ports of a host"},
	{.type = ARG_END},
};

const struct topology_kind topology_bcube = {
	.name = "bcube",
	.summary = "hosts on several levels of switches, which join those that differ in one digit; hosts forward",
	.source = "Guo et al. 2009",
	.formulae = "n^k hosts, k n^(k-1) switches, k n^k cables; at most 2 k between hosts",
	.args = bcube_args,
	.hosts_forward = true,
	.setup = bcube_setup,
	.routing = "dor",
	.next = bcube_next,
	.route = bcube_route,
	.longest = bcube_longest,
	.place = bcube_place,
	.node_name = bcube_name,
	CABLED,
};
