/*
 * BCube: hosts with one port on each of k levels of switches; those of level l join the hosts whose numbers to base n differ in digit l
 * alone (Guo, Lu, Li, Wu, Zhang, Shi, Tian, Zhang, Lu: BCube, SIGCOMM 2009, whose BCube_k has k+1 levels). Hosts forward.
 *
 * Switch s of level l joins the hosts whose digits but l are, in their order, those of s. Ports: of hosts by level, of switches by digit l.
 */
#include "cabling.h"

static int bcube_setup(struct topology *topology, struct error *error)
{
	uint64_t n = (uint64_t)topology->args.value[0].integer, k = (uint64_t)topology->args.value[1].integer;
	uint64_t hosts = power(n, k), each = power(n, k - 1), step = 1;
	if (cabling_start(topology, hosts, times(k, each), times(k, hosts), error))
		return -1;
	for (uint64_t level = 0; level < k; level++, step *= n)
		for (uint64_t host = 0; host < hosts; host++)
			cabling_add(topology, (uint32_t)host,
				cabling_switch(topology, (uint32_t)(level * each + host / (step * n) * step + host % step)));
	return cabling_finish(topology, error);
}

/* Hosts by their digits, the lowest first; switches by level and number there. */
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
	{"k", ARG_INTEGER, NULL, 1, 32, "levels of switches, ports of a host"},
	{.type = ARG_END},
};

const struct topology_kind topology_bcube = {
	.name = "bcube",
	.summary = "hosts on several levels of switches, which join those that differ in one digit; hosts forward",
	.source = "Guo et al. 2009",
	.formulae = "n^k hosts, k n^(k-1) switches, k n^k cables; at most 2 k between hosts",
	.args = bcube_args,
	.setup = bcube_setup,
	.node_name = bcube_name,
	CABLED,
};
