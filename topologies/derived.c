#include "topologies/derived_parts.h"

#include "base/memory.h"
#include "topologies/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void derived_clear(struct topology *topology)
{
	struct derived *d = topology->data;
	for (uint32_t i = 0; d->toward && i < d->owned; i++)
		free(d->toward[i]);
	free(d->toward);
	free(d->behind);
	topology_free(d->outer);
	topology_free(d->inner);
}

struct topology *derived_create(const struct topology_kind *kind, struct derived derived, struct error *error)
{
	struct topology *topology = array_create(1, sizeof *topology, error);
	struct derived *d = array_create(1, sizeof *d, error);
	if (!topology || !d) {
		free(topology);
		free(d);
		topology_free(derived.outer);
		topology_free(derived.inner);
		return NULL;
	}
	*d = derived;
	topology->kind = kind;
	topology->data = d;
	return topology;
}

struct topology *derived_check_size(struct topology *topology, uint64_t hosts, uint64_t switches, bool overflow, struct error *error)
{
	topology->hosts = (uint32_t)hosts;
	topology->switches = (uint32_t)switches;
	if (!overflow && hosts <= TOPOLOGY_CHANNELS_MAX && switches <= TOPOLOGY_CHANNELS_MAX && topology->channels <= TOPOLOGY_CHANNELS_MAX)
		return topology;
	error_set(error, STATUS_USAGE, "too large: more than %" PRIu64 " channels", TOPOLOGY_CHANNELS_MAX);
	topology_free(topology);
	return NULL;
}

/* ---- parallel cables */

/* Returns the number of a node's ports that keep a single cable: those of switches to hosts, which come first; time O(log ports). */
static uint32_t single_ports(const struct derived *d, bool host, uint32_t node)
{
	uint32_t from = 0, to = ports_of(d->outer, host, node);
	if (host || d->all)
		return host && !d->all ? to : 0;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		if (peer_of(d->outer, host, node, middle).host)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static uint32_t parallel_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct derived *d = topology->data;
	uint32_t single = single_ports(d, host, node);
	return single + (ports_of(d->outer, host, node) - single) * d->parallel;
}

/* Returns the port of the topology without parallel cables. */
static struct topology_port plain_port(const struct derived *d, struct topology_port port, uint32_t *cable)
{
	uint32_t single = single_ports(d, port.host, port.node);
	*cable = port.port < single ? 0 : (port.port - single) % d->parallel;
	port.port = port.port < single ? port.port : single + (port.port - single) / d->parallel;
	return port;
}

static struct topology_port parallel_peer(const struct topology *topology, struct topology_port port)
{
	const struct derived *d = topology->data;
	uint32_t cable;
	struct topology_port plain = plain_port(d, port, &cable), peer = d->outer->kind->peer(d->outer, plain);
	uint32_t single = peer.port == TOPOLOGY_NO_PORT ? 0 : single_ports(d, peer.host, peer.node);
	if (peer.port != TOPOLOGY_NO_PORT && peer.port >= single)
		peer.port = single + (peer.port - single) * d->parallel + cable;
	return peer;
}

static unsigned parallel_tier(const struct topology *topology, struct topology_port port)
{
	const struct derived *d = topology->data;
	uint32_t cable;
	return topology_tier(d->outer, plain_port(d, port, &cable));
}

static uint32_t parallel_tops(const struct topology *topology)
{
	const struct derived *d = topology->data;
	return d->outer->kind->tops ? d->outer->kind->tops(d->outer) : 0;
}

static void parallel_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct derived *d = topology->data;
	topology_structure(d->outer, structure);
}

static void parallel_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct derived *d = topology->data;
	d->outer->kind->node_name(d->outer, host, node, text);
}

static struct topology_place parallel_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct derived *d = topology->data;
	return topology_place(d->outer, host, node);
}

const struct topology_kind derived_parallel_kind = {
	.name = "parallel",
	.clear = derived_clear,
	.structure = parallel_structure,
	.ports = parallel_ports,
	.peer = parallel_peer,
	.tier = parallel_tier,
	.tops = parallel_tops,
	.place = parallel_place,
	.node_name = parallel_name,
};

struct topology *derived_parallel(struct topology *plain, uint32_t parallel, struct error *error)
{
	uint64_t single = 0;
	for (uint32_t node = 0; node < plain->hosts; node++)
		single += ports_of(plain, true, node);
	/* cables between hosts have both their ends there */
	bool all = plain->switches == 0 || 2 * single >= plain->channels;
	struct topology *topology =
		derived_create(&derived_parallel_kind, (struct derived){.outer = plain, .parallel = parallel, .all = all}, error);
	if (!topology)
		return NULL;
	uint64_t kept = all ? 0 : 2 * single, more;
	bool overflow = __builtin_mul_overflow(plain->channels - kept, parallel, &more);
	topology->tiers = plain->tiers;
	topology->channels = kept + more;
	return derived_check_size(topology, plain->hosts, plain->switches, overflow, error);
}

const struct topology *topology_plain(const struct topology *topology)
{
	return topology->kind == &derived_parallel_kind ? ((const struct derived *)topology->data)->outer : topology;
}
