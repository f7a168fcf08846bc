/*
 * The stellar transformation of any topology: the nodes of the base, its switches or the hosts of a direct network, become switches, and
 * each of its cables a path over two hosts, one for each end, which forward (Erickson, Stewart, Navaridas, Kiasari: The Stellar
 * Transformation: From Interconnection Networks to Datacenter Networks, 2017). Hosts of a base with switches are left out. gqstar is that
 * of generalised hypercubes, with routes of its own.
 *
 * Hosts are numbered by their switch, then by the ports of the base. Ports of hosts: their switch, then the other host.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/node_name.h"

#include <inttypes.h>
#include <stdlib.h>

struct stellar {
	uint32_t nodes;  /* of the base */
	bool hosts;      /* they are hosts there */
	uint32_t *first; /* [nodes + 1] the first host of each */
};

static uint32_t base_ports(const struct topology *base, const struct stellar *s, uint32_t node)
{
	return base->kind->ports(base, s->hosts, node);
}

static struct topology_port base_peer(const struct topology *base, const struct stellar *s, uint32_t node, uint32_t port)
{
	return base->kind->peer(base, (struct topology_port){s->hosts, node, port});
}

/* Returns the number of cables of a node of the base to other nodes, before a port. */
static uint32_t cables_before(const struct topology *base, const struct stellar *s, uint32_t node, uint32_t port)
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < port; p++)
		count += base_peer(base, s, node, p).host == s->hosts;
	return count;
}

/* Numbers the hosts. Returns 0, or -1. */
static int number_hosts(struct stellar *s, const struct topology *base, struct error *error)
{
	uint64_t hosts = 0;
	for (uint32_t v = 0; v < s->nodes; v++) {
		hosts += cables_before(base, s, v, base_ports(base, s, v));
		if (hosts > CABLING_CHANNELS_MAX)
			return error_set(error, STATUS_USAGE, "too large: more than %" PRIu64 " hosts", CABLING_CHANNELS_MAX);
		s->first[v + 1] = (uint32_t)hosts;
	}
	return hosts ? 0 : error_set(error, STATUS_USAGE, "the base has no cables between its nodes");
}

/* Adds the cables between the two hosts of each cable of the base, from the lower end. Returns 0, or -1. */
static int join_hosts(struct topology *topology, const struct stellar *s, const struct topology *base, struct error *error)
{
	for (uint32_t v = 0; v < s->nodes; v++)
		for (uint32_t port = 0, host = s->first[v]; port < base_ports(base, s, v); port++) {
			struct topology_port peer = base_peer(base, s, v, port);
			if (peer.host != s->hosts)
				continue;
			if (peer.port == TOPOLOGY_NO_PORT)
				return error_set(error, STATUS_USAGE, "the base has one-way channels, which cannot lead over two hosts");
			if (peer.node > v || (peer.node == v && peer.port > port))
				cabling_add_cable(topology,
					(struct cable){host, s->first[peer.node] + cables_before(base, s, peer.node, peer.port), false, 1});
			host++;
		}
	return 0;
}

static int transform(struct topology *topology, struct stellar *s, const struct topology *base, struct error *error)
{
	s->hosts = !base->switches;
	s->nodes = s->hosts ? base->hosts : base->switches;
	s->first = array_create((size_t)s->nodes + 1, sizeof *s->first, error);
	if (error->status || number_hosts(s, base, error))
		return -1;
	uint64_t hosts = s->first[s->nodes];
	if (cabling_start(topology, hosts, s->nodes, hosts + hosts / 2, error))
		return -1;
	for (uint32_t v = 0; v < s->nodes; v++)
		for (uint32_t host = s->first[v]; host < s->first[v + 1]; host++)
			cabling_add(topology, host, cabling_switch(topology, v));
	return join_hosts(topology, s, base, error) ? -1 : cabling_finish(topology, error);
}

static int stellar_setup(struct topology *topology, struct error *error)
{
	struct stellar *s = topology->data = array_create(1, sizeof *s, error);
	struct topology *base = s ? topology_create(topology->args.value[0].text, error) : NULL;
	if (base)
		transform(topology, s, base, error);
	topology_free(base);
	return error->status ? -1 : 0;
}

static void stellar_clear(struct topology *topology)
{
	free(((struct stellar *)topology->data)->first);
}

/* Writes the name: hosts by their switch, and their place there. */
static void stellar_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct stellar *s = topology->data;
	if (!host) {
		put_number(text, 'S', node);
		return;
	}
	uint32_t at = cabling_peer(topology, (struct topology_port){true, node, 0}).node;
	put_number(put_number(text, 'H', at), '_', node - s->first[at]);
}

static const struct arg stellar_args[] = {
	{"BASE", ARG_TEXT, NULL, 0, 0, "any topology, for example torus:4x4,hosts=direct"},
	{.type = ARG_END},
};

const struct topology_kind topology_stellar = {
	.name = "stellar",
	.summary = "another topology whose cables each become a path over two hosts, which forward",
	.source = "Erickson et al. 2017",
	.formulae = "two hosts for each cable of the base, its nodes as switches; three cables for each of its own",
	.args = stellar_args,
	.hosts_forward = true,
	.setup = stellar_setup,
	.clear = stellar_clear,
	.node_name = stellar_name,
	CABLED,
};
