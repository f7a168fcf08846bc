/* Merges the statements of the tables about LIDs with those of the topology, and checks each against the other. */
#include "infiniband/subnet_resolve.h"

#include "base/disjoint.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *subnet_port_name(const struct subnet *subnet, uint32_t port, char text[PORT_NAME_SIZE])
{
	const struct subnet_node *node = &subnet->node[subnet->port[port].node];
	if (*node->desc || *node->id)
		snprintf(text, PORT_NAME_SIZE, "'%.1000s' port %u", *node->desc ? node->desc : node->id, subnet->port[port].number);
	else
		snprintf(text, PORT_NAME_SIZE, "0x%016" PRIx64 " port %u", node->guid ? node->guid : subnet->port[port].guid,
			subnet->port[port].number);
	return text;
}

/* ---- owners of LIDs ---- */

/* Indexes the ports that a description identifies without a GUID: those of the only node with that description. */
static int index_descriptions(const struct subnet *subnet, struct name_table *names, struct error *error)
{
	if (name_table_init(names, subnet->nodes, error))
		return -1;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		const char *name = *node->desc ? node->desc : node->id;
		if (!*name)
			continue;
		uint32_t first = name_table_add(names, name, n);
		if (first != n && first != NONE)
			name_table_set(names, name, NONE);
	}
	return 0;
}

/*
 * Indexes by LID the ports of channel adapters whose GUID no topology dump states; NONE where two have the same LID. Returns NULL if out of
 * memory.
 */
static uint32_t *index_nameless(const struct subnet *subnet, struct error *error)
{
	uint32_t *of_lid = array_create(LID_LAST + 1, sizeof *of_lid, error);
	if (!of_lid)
		return NULL;
	memset(of_lid, 0xff, (LID_LAST + 1) * sizeof *of_lid); /* NONE */
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		if (port->lid && !port->guid && subnet->node[port->node].kind != NODE_SWITCH)
			of_lid[port->lid] = of_lid[port->lid] == NONE ? p : NONE;
	}
	return of_lid;
}

/* Adds the GUID and the kind, as a table dump states them, to a node that the topology knows only by its LID. */
static int name_by_lid(struct subnet *subnet, const struct lid_claim *claim, const uint32_t *nameless, struct error *error)
{
	uint32_t port = claim->kind == NODE_SWITCH || !claim->guid ? NONE : nameless[claim->lid];
	if (port == NONE || subnet_find_port(subnet, claim->guid) != NONE)
		return 0;
	return subnet_set_port_guid(subnet, port, claim->guid, error);
}

/* Returns the port whose LID the claim states, NONE if it cannot be determined. */
static uint32_t claimed_port(const struct subnet *subnet, const struct lid_claim *claim, const struct name_table *descriptions)
{
	uint32_t port = claim->kind == NODE_SWITCH ? NONE : subnet_find_port(subnet, claim->guid);
	uint32_t node = NONE;
	if (port != NONE)
		return port;
	if (claim->kind == NODE_SWITCH)
		node = subnet_find_node(subnet, claim->guid);
	if (node == NONE && *claim->desc)
		node = name_table_find(descriptions, claim->desc, strlen(claim->desc));
	if (node == NONE)
		return NONE;
	const struct subnet_node *owner = &subnet->node[node];
	if (owner->kind == NODE_SWITCH)
		return owner->slots ? owner->port[0] : NONE;
	for (size_t i = 1; i < owner->slots; i++) { /* a description fits a node with one port that has no GUID of its own */
		if (owner->port[i] == NONE)
			continue;
		if (port != NONE)
			return NONE;
		port = owner->port[i];
	}
	return port != NONE && subnet->port[port].guid ? NONE : port;
}

int subnet_resolve_lids(struct subnet *subnet, struct error *error)
{
	struct name_table descriptions;
	char text[PORT_NAME_SIZE];
	for (uint32_t n = 0; n < subnet->nodes; n++) /* the LID of a switch is that of its port 0 */
		if (subnet->node[n].kind == NODE_SWITCH && subnet->claims && subnet_port(subnet, n, 0, error) == NONE)
			return -1;
	uint32_t *nameless = index_nameless(subnet, error);
	if (!nameless || index_descriptions(subnet, &descriptions, error)) {
		free(nameless);
		return -1;
	}
	for (uint32_t c = 0; c < subnet->claims && !error->status; c++) {
		const struct lid_claim *claim = &subnet->claim[c];
		name_by_lid(subnet, claim, nameless, error);
		uint32_t p = claimed_port(subnet, claim, &descriptions);
		if (p == NONE)
			continue;
		struct subnet_port *port = &subnet->port[p];
		if (claim->kind == NODE_ROUTER)
			subnet->node[port->node].kind = NODE_ROUTER;
		if (port->lid && port->lid != claim->lid)
			subnet_odd(subnet, ODD_LID_MOVED, "LID %u is of %s", claim->lid, subnet_port_name(subnet, p, text));
		if (port->lid != claim->lid || claim->lmc > port->lmc)
			port->lmc = claim->lmc;
		port->lid = claim->lid;
	}
	name_table_clear(&descriptions);
	free(nameless);
	return error->status ? -1 : 0;
}

/*
 * If neither topology nor tables state LIDs (an ibsim netfile and dump_fts -n), the entries of a switch imply them: an entry for its port 0
 * is its own LID, one that leaves by the port to a host is the host's. Of several LIDs the first is the base LID.
 */
void subnet_infer_lids(struct subnet *subnet)
{
	char text[PORT_NAME_SIZE];
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		struct subnet_port *own = node->lft && node->slots && node->port[0] != NONE ? &subnet->port[node->port[0]] : NULL;
		for (size_t lid = 1; own && !own->lid && lid < node->lft_size; lid++)
			if (!node->lft[lid])
				own->lid = (uint16_t)lid;
	}
	for (uint32_t p = 0; p < subnet->ports; p++) {
		struct subnet_port *port = &subnet->port[p];
		if (port->lid || port->peer == NONE || subnet->node[port->node].kind == NODE_SWITCH)
			continue;
		const struct subnet_port *peer = &subnet->port[port->peer];
		const struct subnet_node *leaf = &subnet->node[peer->node];
		unsigned lids = 0;
		for (size_t lid = 1; lid < leaf->lft_size; lid++)
			if (leaf->lft[lid] == peer->number) {
				port->lid = port->lid ? port->lid : (uint16_t)lid;
				lids++;
			}
		while (2U << port->lmc <= lids && port->lmc < 7)
			port->lmc++;
		if (port->lid)
			subnet_odd(subnet, ODD_LID_INFERRED, "LID %u: %s", port->lid, subnet_port_name(subnet, p, text));
	}
}

/* ---- components ---- */

/* Only switches forward packets: a channel adapter with two ports does not join components. */
int subnet_components(const struct subnet *subnet, uint32_t **component, uint32_t *components, struct error *error)
{
	uint32_t *parent = array_create(subnet->nodes, sizeof *parent, error);
	uint32_t *number = array_create(subnet->nodes, sizeof *number, error);
	uint32_t *of_port = array_create(subnet->ports, sizeof *of_port, error);
	*component = of_port;
	*components = 0;
	if (parent && number && of_port) {
		disjoint_init(parent, subnet->nodes);
		memset(number, 0xff, subnet->nodes * sizeof *number);
		for (uint32_t p = 0; p < subnet->ports; p++) {
			const struct subnet_port *port = &subnet->port[p];
			uint32_t to = port->peer == NONE ? NONE : subnet->port[port->peer].node;
			if (to != NONE && subnet->node[port->node].kind == NODE_SWITCH && subnet->node[to].kind == NODE_SWITCH)
				disjoint_join(parent, port->node, to);
		}
		for (uint32_t p = 0; p < subnet->ports; p++) {
			const struct subnet_port *port = &subnet->port[p];
			uint32_t node = port->node, to = port->peer == NONE ? NONE : subnet->port[port->peer].node;
			if (subnet->node[node].kind != NODE_SWITCH && to != NONE && subnet->node[to].kind == NODE_SWITCH)
				node = to;
			else if (subnet->node[node].kind != NODE_SWITCH && to != NONE && to < node)
				node = to; /* two channel adapters back to back */
			uint32_t root = disjoint_root(parent, node);
			if (number[root] == NONE)
				number[root] = (*components)++;
			of_port[p] = number[root];
		}
	}
	free(parent);
	free(number);
	return of_port && !error->status ? 0 : -1;
}

/* ---- tables against the topology ---- */

/* Ports in the order of their components. */
struct component_ports {
	uint32_t *port, *first; /* [ports], [components + 1] */
};

static int sort_by_component(
	const struct subnet *subnet, const uint32_t *component, uint32_t components, struct component_ports *sorted, struct error *error)
{
	sorted->port = array_create(subnet->ports, sizeof *sorted->port, error);
	sorted->first = array_create((size_t)components + 2, sizeof *sorted->first, error);
	if (!sorted->port || !sorted->first)
		return -1;
	uint32_t *first = sorted->first + 1; /* counts move up one place while they are used */
	for (uint32_t p = 0; p < subnet->ports; p++)
		first[component[p] + 1]++;
	for (uint32_t c = 0; c < components; c++)
		first[c + 1] += first[c];
	for (uint32_t p = 0; p < subnet->ports; p++)
		sorted->port[first[component[p]]++] = p;
	return 0;
}

/* LIDs of one component: those of its ports, and those in its tables. */
struct lid_use {
	uint32_t owner[LID_LAST + 1]; /* port + 1 */
	bool used[LID_LAST + 1];
};

/* Records the owner of a LID. If two ports have the same LID, the lower GUID keeps it, independent of the order of the dumps. */
static void note_owner(struct subnet *subnet, struct lid_use *use, uint32_t p)
{
	struct subnet_port *port = &subnet->port[p];
	char one[PORT_NAME_SIZE], two[PORT_NAME_SIZE];
	for (uint32_t lid = port->lid, end = lid + (1U << port->lmc); port->lid && lid < end && lid <= LID_LAST; lid++) {
		uint32_t other = use->owner[lid] ? use->owner[lid] - 1 : NONE;
		bool keeps = other == NONE || port->guid < subnet->port[other].guid;
		if (other != NONE) {
			subnet_odd(subnet, ODD_LID_TWICE, "LID %u: of %s, not of %s", lid, subnet_port_name(subnet, keeps ? p : other, one),
				subnet_port_name(subnet, keeps ? other : p, two));
			subnet->port[keeps ? other : p].lid = 0;
		}
		if (keeps)
			use->owner[lid] = p + 1;
	}
}

static void note_use(struct lid_use *use, const struct subnet_node *node)
{
	size_t size = node->lft_size < LID_LAST + 1 ? node->lft_size : LID_LAST + 1;
	for (size_t lid = 0; lid < size; lid++)
		use->used[lid] |= node->lft[lid] != LFT_NO_PORT;
}

/* Reports tables with entries for LIDs without an owner, and the top LID if no table has it. */
static void compare_lids(struct subnet *subnet, const struct lid_use *use)
{
	char text[PORT_NAME_SIZE];
	uint32_t top = 0;
	for (uint32_t lid = 1; lid <= LID_LAST; lid++) {
		if (use->used[lid] && !use->owner[lid])
			subnet_odd(subnet, ODD_UNKNOWN_LID, "LID %u", lid);
		if (use->owner[lid])
			top = lid;
	}
	if (top && top % 64 == 0 && !use->used[top])
		subnet_odd(subnet, ODD_TOP_LID, "LID %u, %s", top, subnet_port_name(subnet, use->owner[top] - 1, text));
}

int subnet_check_lids(struct subnet *subnet, const uint32_t *component, uint32_t components, struct error *error)
{
	struct component_ports sorted = {0};
	struct lid_use *use = array_create(1, sizeof *use, error);
	if (use && !sort_by_component(subnet, component, components, &sorted, error))
		for (uint32_t c = 0; c < components; c++) {
			bool tables = false;
			memset(use, 0, sizeof *use);
			for (uint32_t i = sorted.first[c]; i < sorted.first[c + 1]; i++)
				note_owner(subnet, use, sorted.port[i]);
			for (uint32_t i = sorted.first[c]; i < sorted.first[c + 1]; i++) {
				const struct subnet_node *node = &subnet->node[subnet->port[sorted.port[i]].node];
				bool first_port = true; /* count each table once: at the first port of its node */
				for (unsigned n = 0; n < subnet->port[sorted.port[i]].number && first_port; n++)
					first_port = node->port[n] == NONE;
				if (node->lft && first_port && subnet_cables(subnet, node)) {
					note_use(use, node);
					tables = true;
				}
			}
			if (tables)
				compare_lids(subnet, use);
		}
	free(sorted.port);
	free(sorted.first);
	free(use);
	return error->status ? -1 : 0;
}

/* ---- before the simulator ---- */

int subnet_restore(struct subnet *subnet, const struct subnet *original, struct error *error)
{
	struct name_table descriptions;
	if (index_descriptions(original, &descriptions, error))
		return -1;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		struct subnet_node *node = &subnet->node[n];
		uint32_t was = subnet_find_node(original, node->guid);
		if (was == NONE && *node->desc)
			was = name_table_find(&descriptions, node->desc, strlen(node->desc));
		if (was == NONE)
			continue;
		const struct subnet_node *old = &original->node[was];
		node->desc = subnet_text(subnet, old->desc, strlen(old->desc), error); /* if it had none, the simulator shows its id */
		if (!node->desc)
			break;
		if (old->guid)
			node->guid = old->guid;
		node->system_guid = old->system_guid;
		node->chassis = old->chassis;
		node->vendor = old->vendor;
		node->device = old->device;
		for (size_t i = 0; i < node->slots && i < old->slots; i++) {
			if (node->port[i] == NONE || old->port[i] == NONE)
				continue;
			struct subnet_port *port = &subnet->port[node->port[i]];
			const struct subnet_port *from = &original->port[old->port[i]];
			if (from->guid)
				port->guid = from->guid;
			port->lanes = from->lanes;
			port->rate = from->rate;
		}
	}
	name_table_clear(&descriptions);
	return error->status ? -1 : 0;
}
