#include "infiniband/port_lanes.h"

#include "infiniband/dump.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A row of a table of lanes. */
struct lane_row {
	uint16_t lid;
	uint8_t in, port, lane[SERVICE_LEVELS];
};

enum claim_kind { CLAIM_HIGH, CLAIM_LOW, CLAIM_LIMIT };

/* A statement about the arbitration of a port. */
struct arbitration_claim {
	uint16_t lid;
	uint8_t port, limit;
	enum claim_kind kind;
	bool first;
	uint32_t entry, entries; /* those of the table, among all */
};

struct lane_claims {
	struct lane_row *row;
	struct arbitration_claim *claim;
	struct lane_weight *entry;
	size_t rows, claims, entries, row_room, claim_room, entry_room;
};

static struct lane_claims *claims_of(struct subnet *subnet, struct error *error)
{
	if (!subnet->lane_claims)
		subnet->lane_claims = array_create(1, sizeof *subnet->lane_claims, error);
	return subnet->lane_claims;
}

int port_lanes_map(struct subnet *subnet, unsigned lid, unsigned in, unsigned port, const uint8_t lane[SERVICE_LEVELS], struct error *error)
{
	struct lane_claims *c = claims_of(subnet, error);
	if (!c || array_grow(&c->row, &c->row_room, c->rows + 1, sizeof *c->row, error))
		return -1;
	struct lane_row *row = &c->row[c->rows++];
	*row = (struct lane_row){.lid = (uint16_t)lid, .in = (uint8_t)in, .port = (uint8_t)port};
	memcpy(row->lane, lane, SERVICE_LEVELS);
	return 0;
}

static int add_claim(struct subnet *subnet, const struct arbitration_claim *claim, struct error *error)
{
	struct lane_claims *c = claims_of(subnet, error);
	if (!c || array_grow(&c->claim, &c->claim_room, c->claims + 1, sizeof *c->claim, error))
		return -1;
	c->claim[c->claims++] = *claim;
	return 0;
}

int port_lanes_weigh(
	struct subnet *subnet, unsigned lid, unsigned port, bool high, bool first, const struct lane_weights *weights, struct error *error)
{
	struct lane_claims *c = claims_of(subnet, error);
	if (!c)
		return -1;
	uint32_t from = (uint32_t)c->entries;
	for (uint32_t i = 0; i < weights->entries; i++) {
		if (!weights->entry[i].weight)
			continue;
		if (array_grow(&c->entry, &c->entry_room, c->entries + 1, sizeof *c->entry, error))
			return -1;
		c->entry[c->entries++] = weights->entry[i];
	}
	struct arbitration_claim claim = {.lid = (uint16_t)lid,
		.port = (uint8_t)port,
		.kind = high ? CLAIM_HIGH : CLAIM_LOW,
		.first = first,
		.entry = from,
		.entries = (uint32_t)c->entries - from};
	return add_claim(subnet, &claim, error);
}

bool port_lanes_scan(char *text, bool lanes, struct lane_weights *weights)
{
	uint8_t value[ARBITRATION_ENTRIES];
	unsigned count = scan_bars(text, lanes ? SERVICE_LEVELS - 1 : UINT8_MAX, value, ARBITRATION_ENTRIES);
	if (!count || (!lanes && count != weights->entries))
		return false;
	for (unsigned i = 0; i < count; i++)
		*(lanes ? &weights->entry[i].lane : &weights->entry[i].weight) = value[i];
	weights->entries = count;
	return true;
}

int port_lanes_limit(struct subnet *subnet, unsigned lid, unsigned port, unsigned limit, struct error *error)
{
	struct arbitration_claim claim = {.lid = (uint16_t)lid, .port = (uint8_t)port, .limit = (uint8_t)limit, .kind = CLAIM_LIMIT};
	return add_claim(subnet, &claim, error);
}

void lane_claims_free(struct lane_claims *claims)
{
	if (!claims)
		return;
	free(claims->row);
	free(claims->claim);
	free(claims->entry);
	free(claims);
}

/* ---- resolution */

/* Returns the owner of each LID: a port, NONE if it has none. */
static uint32_t *index_lids(const struct subnet *subnet, struct error *error)
{
	uint32_t *owner = array_create(LID_LAST + 1, sizeof *owner, error);
	if (!owner)
		return NULL;
	memset(owner, 0xff, (LID_LAST + 1) * sizeof *owner);
	for (uint32_t p = 0; p < subnet->ports; p++)
		for (uint32_t lid = subnet->port[p].lid; lid && lid <= LID_LAST && lid < subnet->port[p].lid + (1u << subnet->port[p].lmc);
			lid++)
			if (owner[lid] == NONE)
				owner[lid] = p;
	return owner;
}

/* Returns the port of a statement; NONE if the subnet does not have it. */
static uint32_t find_port(struct subnet *subnet, const uint32_t *owner, unsigned lid, unsigned port)
{
	uint32_t p = lid && lid <= LID_LAST ? owner[lid] : NONE;
	if (p == NONE) {
		subnet_odd(subnet, ODD_LANES_LID, "LID %u", lid);
		return NONE;
	}
	const struct subnet_node *node = &subnet->node[subnet->port[p].node];
	if (node->kind != NODE_SWITCH)
		return p;
	return port < node->slots ? node->port[port] : NONE;
}

static struct port_lanes *lanes_of(struct subnet *subnet, uint32_t port, struct error *error)
{
	struct subnet_port *p = &subnet->port[port];
	if (!p->virtual_lanes)
		p->virtual_lanes = array_create(1, sizeof *p->virtual_lanes, error);
	return p->virtual_lanes;
}

static void resolve_row(struct subnet *subnet, const uint32_t *owner, const struct lane_row *row, struct error *error)
{
	uint32_t p = find_port(subnet, owner, row->lid, row->port);
	if (p == NONE)
		return;
	uint32_t n = subnet->port[p].node;
	if (subnet->node[n].kind == NODE_SWITCH) {
		subnet_sl2vl(subnet, n, row->in, row->port, row->lane, error);
		return;
	}
	struct port_lanes *lanes = lanes_of(subnet, p, error);
	if (!lanes)
		return;
	lanes->mapped = true;
	memcpy(lanes->lane, row->lane, SERVICE_LEVELS);
}

static void add_entries(struct lane_weights *weights, const struct lane_weight *entry, uint32_t entries, bool first)
{
	weights->entries = first ? 0 : weights->entries;
	for (uint32_t i = 0; i < entries && weights->entries < ARBITRATION_ENTRIES; i++)
		weights->entry[weights->entries++] = entry[i];
}

static void resolve_claim(struct subnet *subnet, const uint32_t *owner, const struct arbitration_claim *claim, struct error *error)
{
	uint32_t p = find_port(subnet, owner, claim->lid, claim->port);
	struct port_lanes *lanes = p == NONE ? NULL : lanes_of(subnet, p, error);
	if (!lanes)
		return;
	struct lane_arbitration *a = &lanes->arbitration;
	if (claim->kind == CLAIM_LIMIT)
		a->limit = claim->limit;
	else
		add_entries(claim->kind == CLAIM_HIGH ? &a->high : &a->low, subnet->lane_claims->entry + claim->entry, claim->entries,
			claim->first);
}

int port_lanes_resolve(struct subnet *subnet, struct error *error)
{
	const struct lane_claims *claims = subnet->lane_claims;
	uint32_t *owner = claims ? index_lids(subnet, error) : NULL;
	for (size_t i = 0; owner && i < claims->rows && !error->status; i++)
		resolve_row(subnet, owner, &claims->row[i], error);
	for (size_t i = 0; owner && i < claims->claims && !error->status; i++)
		resolve_claim(subnet, owner, &claims->claim[i], error);
	free(owner);
	return error->status ? -1 : 0;
}
