/* Networks of networks: copies of one topology in place of the hosts of another. */
#include "topologies/derived_parts.h"
#include "topologies/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A node of a copy, or a switch of outer. */
struct member {
	bool outer;
	uint32_t copy, node; /* number in inner, or in outer */
};

static struct member member_of(const struct derived *d, bool host, uint32_t node)
{
	uint32_t each = host ? d->inner->hosts : d->inner->switches;
	if (!host && node >= each * d->outer->hosts)
		return (struct member){true, 0, node - each * d->outer->hosts};
	return (struct member){false, node / each, node % each};
}

/* Returns whether the owners of outer's ports are hosts. */
static bool hosts_own(const struct derived *d)
{
	return d->inner->switches == 0;
}

/* Returns the first of the given number of ports of outer that belongs to an owner. */
static uint32_t first_owned(const struct derived *d, uint32_t ports, uint32_t owner)
{
	return (uint32_t)(((uint64_t)owner * ports + d->owned - 1) / d->owned);
}

/* Finds the ports of outer that a node of a copy has: from..end-1. */
static void owned_ports(const struct derived *d, bool host, struct member at, uint32_t *from, uint32_t *end)
{
	*from = *end = 0;
	if (host == hosts_own(d) && at.node >= d->first) {
		uint32_t ports = ports_of(d->outer, true, at.copy);
		*from = first_owned(d, ports, at.node - d->first);
		*end = first_owned(d, ports, at.node - d->first + 1);
	}
}

static uint32_t nested_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct derived *d = topology->data;
	struct member at = member_of(d, host, node);
	uint32_t from, end;
	if (at.outer)
		return ports_of(d->outer, false, at.node);
	owned_ports(d, host, at, &from, &end);
	return ports_of(d->inner, host, at.node) + end - from;
}

struct topology_port derived_owner(const struct derived *d, struct topology_port port)
{
	if (!port.host)
		return (struct topology_port){false, d->inner->switches * d->outer->hosts + port.node, port.port};
	uint32_t ports = ports_of(d->outer, true, port.node), each = hosts_own(d) ? d->inner->hosts : d->inner->switches;
	uint32_t owner = (uint32_t)((uint64_t)port.port * d->owned / ports), node = d->first + owner;
	uint32_t own = ports_of(d->inner, hosts_own(d), node) + port.port - first_owned(d, ports, owner);
	return (struct topology_port){hosts_own(d), port.node * each + node, own};
}

struct topology_port derived_end(const struct derived *d, struct topology_port port)
{
	bool none = port.port == TOPOLOGY_NO_PORT;
	if (none)
		port.port = 0;
	struct topology_port end = derived_owner(d, port);
	if (none)
		end.port = TOPOLOGY_NO_PORT;
	return end;
}

static struct topology_port nested_peer(const struct topology *topology, struct topology_port port)
{
	const struct derived *d = topology->data;
	struct member at = member_of(d, port.host, port.node);
	if (at.outer)
		return derived_end(d, peer_of(d->outer, false, at.node, port.port));
	uint32_t inner = ports_of(d->inner, port.host, at.node), from, end;
	if (port.port < inner) {
		struct topology_port peer = peer_of(d->inner, port.host, at.node, port.port);
		peer.node += at.copy * (peer.host ? d->inner->hosts : d->inner->switches);
		return peer;
	}
	owned_ports(d, port.host, at, &from, &end);
	return derived_end(d, peer_of(d->outer, true, at.copy, from + port.port - inner));
}

/* Returns the tier: those of inner come first, then those of outer. */
static unsigned nested_tier(const struct topology *topology, struct topology_port port)
{
	const struct derived *d = topology->data;
	struct member at = member_of(d, port.host, port.node);
	if (at.outer)
		return d->inner->tiers + topology_tier(d->outer, (struct topology_port){false, at.node, port.port});
	uint32_t inner = ports_of(d->inner, port.host, at.node), from, end;
	if (port.port < inner)
		return topology_tier(d->inner, (struct topology_port){port.host, at.node, port.port});
	owned_ports(d, port.host, at, &from, &end);
	return d->inner->tiers + topology_tier(d->outer, (struct topology_port){true, at.copy, from + port.port - inner});
}

static uint32_t nested_tops(const struct topology *topology)
{
	const struct derived *d = topology->data;
	return d->outer->switches ? d->inner->switches * d->outer->hosts : 0;
}

/* Fills in the structure: copies are arranged as the hosts of outer, if these are its nodes. */
static void nested_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct derived *d = topology->data;
	topology_structure(d->outer, structure);
	if (d->outer->switches || (structure->form != STRUCTURE_GRID && structure->form != STRUCTURE_FULL))
		*structure = (struct topology_structure){0};
	structure->nested = true;
	structure->blocks = d->outer->hosts;
	structure->hosts = d->inner->hosts;
	structure->switches = d->inner->switches;
}

/* Writes the name: the letter of inner's node, the name of outer's, the rest of inner's; a switch of outer has its letter twice. */
static void nested_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct derived *d = topology->data;
	struct member at = member_of(d, host, node);
	char inner[TOPOLOGY_NAME_MAX];
	if (at.outer) {
		d->outer->kind->node_name(d->outer, false, at.node, text + 1);
		text[0] = text[1];
		return;
	}
	d->outer->kind->node_name(d->outer, true, at.copy, text);
	d->inner->kind->node_name(d->inner, host, at.node, inner);
	text[0] = inner[0];
	strcat(text, "_");
	strcat(text, inner + 1);
}

static struct topology_place nested_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct derived *d = topology->data;
	struct member at = member_of(d, host, node);
	struct topology_place outer = topology_place(d->outer, !at.outer, at.outer ? at.node : at.copy), inner = {0, 0};
	if (!at.outer)
		inner = topology_place(d->inner, host, at.node);
	return (struct topology_place){outer.x * d->size + inner.x, outer.y * d->size + inner.y};
}

/* Returns the longer side of the picture of a topology, with some room around it. */
static double picture_size(const struct topology *t)
{
	double low[2] = {0, 0}, high[2] = {0, 0};
	for (uint64_t i = 0; i < (uint64_t)t->hosts + t->switches; i++) {
		bool host = i < t->hosts;
		struct topology_place at = topology_place(t, host, (uint32_t)(host ? i : i - t->hosts));
		low[0] = fmin(low[0], at.x);
		low[1] = fmin(low[1], at.y);
		high[0] = fmax(high[0], at.x);
		high[1] = fmax(high[1], at.y);
	}
	return fmax(high[0] - low[0], high[1] - low[1]) + 1.5;
}

const struct topology_kind derived_nested_kind = {
	.name = "nested",
	.routing = "own",
	.clear = derived_clear,
	.structure = nested_structure,
	.ports = nested_ports,
	.peer = nested_peer,
	.tier = nested_tier,
	.tops = nested_tops,
	.next = nested_next,
	.route = nested_route,
	.longest = nested_longest,
	.place = nested_place,
	.node_name = nested_name,
};

/* Returns the length of the longest name, estimated from the last host and the last switch. */
static size_t name_length(const struct topology *t)
{
	char name[TOPOLOGY_NAME_MAX] = "";
	size_t length = 0;
	for (int host = 0; host < 2; host++) {
		if (host ? t->hosts : t->switches)
			t->kind->node_name(t, host, (host ? t->hosts : t->switches) - 1, name);
		length = strlen(name) > length ? strlen(name) : length;
	}
	return length;
}

struct topology *derived_nested(struct topology *outer, struct topology *inner, struct error *error)
{
	if (!inner) {
		topology_free(outer);
		return NULL;
	}
	uint32_t first = inner->switches && inner->kind->tops ? inner->kind->tops(inner) : 0;
	struct derived derived = {.outer = outer,
		.inner = inner,
		.first = first,
		.owned = (inner->switches ? inner->switches : inner->hosts) - first,
		.size = picture_size(inner)};
	struct topology *topology = derived_create(&derived_nested_kind, derived, error);
	if (!topology)
		return NULL;
	/* names of lower numbers are longer by a few digits at most */
	if (name_length(outer) + name_length(inner) > TOPOLOGY_NAME_MAX - 16) {
		error_set(error, STATUS_USAGE, "names of nodes would exceed %d characters", TOPOLOGY_NAME_MAX - 16);
		topology_free(topology);
		return NULL;
	}
	uint64_t hosts, switches, channels, copies = outer->hosts;
	bool overflow = __builtin_mul_overflow(copies, inner->channels, &channels);
	hosts = copies * inner->hosts;
	switches = copies * inner->switches + outer->switches;
	topology->tiers = inner->tiers + outer->tiers;
	topology->channels = channels + outer->channels;
	topology = derived_check_size(topology, hosts, switches, overflow, error);
	if (topology && nested_prepare_routes(topology, error)) {
		topology_free(topology);
		return NULL;
	}
	return topology;
}
