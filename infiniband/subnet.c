/*
 * All look-ups share one table of names, distinguished by their first letter: 't' a text, 'i' a node's quoted id, 'n' and 'p' the GUID of a
 * node and of a port in hexadecimal.
 */
#include "infiniband/adaptive_groups.h"
#include "infiniband/subnet.h"

#include "base/memory.h"
#include "base/shown.h"
#include "infiniband/port_lanes.h"
#include "infiniband/subnet_levels.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 1 << 16, GUID_KEY = 18, NAME_LONGEST = 1000 };

struct block {
	struct block *next;
	size_t used, size;
	char text[];
};

struct subnet_index {
	struct name_table names;
	size_t name_count;
	struct block *block; /* characters of the names, newest block first */
	const char **text;   /* [texts] */
	size_t texts, node_capacity, port_capacity, claim_capacity, text_capacity;
	uint32_t claim_of_lid[LID_LAST + 1]; /* the last claim + 1, 0: none */
};

struct subnet *subnet_create(struct error *error)
{
	struct subnet *subnet = array_create(1, sizeof *subnet, error);
	if (subnet)
		subnet->index = array_create(1, sizeof *subnet->index, error);
	if (!subnet || !subnet->index || name_table_init(&subnet->index->names, 1000, error)) {
		subnet_free(subnet);
		return NULL;
	}
	return subnet;
}

void subnet_free(struct subnet *subnet)
{
	if (!subnet)
		return;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		free(subnet->node[n].port);
		free(subnet->node[n].lft);
		adaptive_groups_free(subnet->node[n].adaptive);
		free(subnet->node[n].sl2vl);
	}
	if (subnet->index) {
		name_table_clear(&subnet->index->names);
		for (struct block *block = subnet->index->block, *next; block; block = next) {
			next = block->next;
			free(block);
		}
	}
	for (uint32_t p = 0; p < subnet->ports; p++)
		free(subnet->port[p].virtual_lanes);
	if (subnet->index)
		free(subnet->index->text);
	free(subnet->index);
	free(subnet->node);
	free(subnet->port);
	free(subnet->claim);
	subnet_levels_free(subnet->levels);
	lane_claims_free(subnet->lane_claims);
	free(subnet);
}

/* ---- names ---- */

/* Allocates length characters and a NUL, kept as long as the subnet. */
static char *keep(struct subnet_index *index, size_t length, struct error *error)
{
	if (!index->block || index->block->size - index->block->used <= length) {
		size_t size = length < BLOCK_SIZE / 2 ? BLOCK_SIZE : length + 1;
		struct block *block = array_create(1, sizeof *block + size, error);
		if (!block)
			return NULL;
		block->size = size;
		block->next = index->block;
		index->block = block;
	}
	char *text = index->block->text + index->block->used;
	index->block->used += length + 1;
	return text;
}

/* Returns the id of the key, which is set if the key is new; *kept: the stored key. NONE if out of memory. */
static uint32_t key_add(struct subnet *subnet, const char *key, size_t length, uint32_t id, const char **kept, struct error *error)
{
	struct subnet_index *index = subnet->index;
	char *copy = NULL;
	if (!name_table_reserve(&index->names, index->name_count + 1, error))
		copy = keep(index, length, error);
	if (!copy)
		return NONE;
	memcpy(copy, key, length);
	copy[length] = '\0';
	index->name_count++;
	*kept = copy;
	return name_table_add(&index->names, copy, id);
}

static const char *guid_key(char key[GUID_KEY], char letter, uint64_t guid)
{
	static const char digits[] = "0123456789abcdef";
	key[0] = letter;
	for (int i = 16; i > 0; i--, guid >>= 4)
		key[i] = digits[guid & 15];
	key[GUID_KEY - 1] = '\0';
	return key;
}

static uint32_t guid_find(const struct subnet *subnet, char letter, uint64_t guid)
{
	char key[GUID_KEY];
	return guid ? name_table_find(&subnet->index->names, guid_key(key, letter, guid), GUID_KEY - 1) : NONE;
}

static int guid_add(struct subnet *subnet, char letter, uint64_t guid, uint32_t id, struct error *error)
{
	char key[GUID_KEY];
	const char *kept;
	return key_add(subnet, guid_key(key, letter, guid), GUID_KEY - 1, id, &kept, error) == NONE ? -1 : 0;
}

const char *subnet_text(struct subnet *subnet, const char *text, size_t length, struct error *error)
{
	char buffer[1 + NAME_LONGEST];
	size_t used = 0;
	buffer[used++] = 't';
	for (size_t i = 0; i < length && used < sizeof buffer; i++) {
		char c = (unsigned char)text[i] < ' ' || text[i] == 127 ? ' ' : text[i];
		if (c != ' ' || used > 1)
			buffer[used++] = c;
	}
	while (used > 1 && buffer[used - 1] == ' ')
		used--;
	if (used == 1)
		return "";
	struct subnet_index *index = subnet->index;
	uint32_t id = name_table_find(&index->names, buffer, used);
	if (id != NAME_NONE)
		return index->text[id];
	const char *kept;
	if (array_grow(&index->text, &index->text_capacity, index->texts + 1, sizeof *index->text, error) ||
		key_add(subnet, buffer, used, (uint32_t)index->texts, &kept, error) == NONE)
		return NULL;
	return index->text[index->texts++] = kept + 1;
}

uint32_t subnet_find_node(const struct subnet *subnet, uint64_t guid)
{
	return guid_find(subnet, 'n', guid);
}

uint32_t subnet_find_port(const struct subnet *subnet, uint64_t guid)
{
	return guid_find(subnet, 'p', guid);
}

/* ---- nodes and ports ---- */

static uint32_t add_node(struct subnet *subnet, enum node_kind kind, struct error *error)
{
	if (array_grow(&subnet->node, &subnet->index->node_capacity, (size_t)subnet->nodes + 1, sizeof *subnet->node, error))
		return NONE;
	subnet->node[subnet->nodes] = (struct subnet_node){.kind = kind, .id = "", .desc = ""};
	return subnet->nodes++;
}

int subnet_set_guid(struct subnet *subnet, uint32_t node, uint64_t guid, struct error *error)
{
	if (!guid || subnet->node[node].guid)
		return 0;
	if (subnet_find_node(subnet, guid) != NONE) {
		subnet_odd(subnet, ODD_GUID_TWICE, "0x%016" PRIx64, guid);
		return 0;
	}
	subnet->node[node].guid = guid;
	return guid_add(subnet, 'n', guid, node, error);
}

int subnet_set_port_guid(struct subnet *subnet, uint32_t port, uint64_t guid, struct error *error)
{
	if (!guid || subnet->port[port].guid || subnet_find_port(subnet, guid) != NONE)
		return 0;
	subnet->port[port].guid = guid;
	return guid_add(subnet, 'p', guid, port, error);
}

/* Returns the GUID in an id such as S-0002c90300001234, and the kind of its node; 0 if it has none. Users also call nodes S-1. */
static uint64_t guid_of_id(const char *id, size_t length, enum node_kind *kind)
{
	if (length < 3 || length > 18 || id[1] != '-')
		return 0;
	*kind = id[0] == 'S' ? NODE_SWITCH : id[0] == 'H' ? NODE_CA : id[0] == 'R' ? NODE_ROUTER : NODE_UNKNOWN;
	uint64_t guid = 0;
	for (size_t i = 2; i < length; i++) {
		const char *digit = strchr("0123456789abcdef0123456789ABCDEF", id[i]);
		if (!digit) {
			*kind = NODE_UNKNOWN;
			return 0;
		}
		guid = guid << 4 | ((size_t)(digit - "0123456789abcdef0123456789ABCDEF") & 15);
	}
	return *kind == NODE_UNKNOWN || length < 18 ? 0 : guid;
}

uint32_t subnet_node(struct subnet *subnet, const char *id, size_t length, struct error *error)
{
	char key[1 + NAME_LONGEST];
	if (length > sizeof key - 1)
		length = sizeof key - 1; /* no tool uses longer names */
	key[0] = 'i';
	memcpy(key + 1, id, length);
	uint32_t node = name_table_find(&subnet->index->names, key, length + 1);
	if (node != NAME_NONE)
		return node;
	enum node_kind kind = NODE_UNKNOWN;
	uint64_t guid = guid_of_id(id, length, &kind);
	node = subnet_find_node(subnet, guid);
	if (node != NONE && *subnet->node[node].id)
		node = NONE; /* another id with this GUID */
	if (node == NONE) {
		node = add_node(subnet, kind, error);
		if (node == NONE || subnet_set_guid(subnet, node, guid, error))
			return NONE;
	}
	const char *kept;
	if (key_add(subnet, key, length + 1, node, &kept, error) == NONE)
		return NONE;
	subnet->node[node].id = kept + 1;
	return node;
}

uint32_t subnet_node_of_guid(struct subnet *subnet, uint64_t guid, enum node_kind kind, struct error *error)
{
	uint32_t node = subnet_find_node(subnet, guid);
	if (node == NONE) {
		node = add_node(subnet, kind, error);
		if (node == NONE || subnet_set_guid(subnet, node, guid, error))
			return NONE;
	}
	if (kind != NODE_UNKNOWN)
		subnet->node[node].kind = kind;
	return node;
}

uint32_t subnet_port(struct subnet *subnet, uint32_t node, unsigned number, struct error *error)
{
	struct subnet_node *owner = &subnet->node[node];
	if (number >= owner->slots) {
		size_t old = owner->slots, need = number < owner->ports ? owner->ports + 1 : number + 1;
		if (array_grow(&owner->port, &owner->slots, need, sizeof *owner->port, error))
			return NONE;
		for (size_t i = old; i < owner->slots; i++)
			owner->port[i] = NONE;
	}
	if (owner->port[number] != NONE)
		return owner->port[number];
	if (array_grow(&subnet->port, &subnet->index->port_capacity, (size_t)subnet->ports + 1, sizeof *subnet->port, error))
		return NONE;
	subnet->port[subnet->ports] = (struct subnet_port){.node = node, .peer = NONE, .number = (uint8_t)number};
	return owner->port[number] = subnet->ports++;
}

uint32_t subnet_port_of_guid(struct subnet *subnet, uint64_t guid, unsigned number, struct error *error)
{
	uint32_t port = subnet_find_port(subnet, guid);
	if (port != NONE)
		return port;
	uint32_t node = add_node(subnet, NODE_CA, error);
	if (node != NONE)
		port = subnet_port(subnet, node, number, error);
	return port == NONE || subnet_set_port_guid(subnet, port, guid, error) ? NONE : port;
}

/* ---- cables ---- */

void subnet_cable(struct subnet *subnet, uint32_t port, uint32_t peer, const char *where)
{
	struct subnet_port *here = &subnet->port[port], *there = &subnet->port[peer];
	if (here->node == there->node) {
		if (!here->stated && !there->stated)
			subnet_odd(subnet, ODD_SELF_LINK, "%s", where);
		here->stated = there->stated = true;
		if (here != there && subnet->node[here->node].kind == NODE_SWITCH && here->number && there->number && !here->loop &&
			!there->loop && here->peer == NONE && there->peer == NONE) {
			here->loop = there->number;
			there->loop = here->number;
		}
	} else if (here->peer == NONE && there->peer == NONE && !here->loop && !there->loop) {
		here->peer = peer;
		there->peer = port;
		here->stated = true;
	} else if (here->peer == peer) {
		here->stated = true;
	} else {
		subnet_odd(subnet, ODD_TWO_PEERS, "%s", where);
	}
}

void subnet_link(struct subnet *subnet, uint32_t port, unsigned lanes, enum lane_rate rate)
{
	struct subnet_port *p = &subnet->port[port];
	if (!p->lanes)
		p->lanes = (uint8_t)lanes;
	if (p->rate == RATE_UNKNOWN)
		p->rate = (uint8_t)rate;
}

unsigned subnet_cables(const struct subnet *subnet, const struct subnet_node *node)
{
	unsigned cables = 0;
	for (size_t i = 0; i < node->slots; i++)
		cables += node->port[i] != NONE && subnet->port[node->port[i]].peer != NONE;
	return cables;
}

double subnet_speed(const struct subnet *subnet, uint32_t port)
{
	const struct subnet_port *here = &subnet->port[port], *there = &subnet->port[here->peer];
	return link_speed(here->lanes ? here->lanes : there->lanes, here->rate ? here->rate : there->rate);
}

/* ---- tables ---- */

/* Extends the node's table to at least size LIDs. */
static int table_reserve(struct subnet_node *node, size_t size, struct error *error)
{
	size_t old = node->lft_size;
	if (array_grow(&node->lft, &node->lft_size, size, 1, error))
		return -1;
	memset(node->lft + old, LFT_NO_PORT, node->lft_size - old);
	return 0;
}

int subnet_table(struct subnet *subnet, uint32_t node, struct error *error)
{
	return table_reserve(&subnet->node[node], 1, error);
}

int subnet_entry(struct subnet *subnet, uint32_t node, unsigned lid, unsigned port, struct error *error)
{
	struct subnet_node *owner = &subnet->node[node];
	if (lid > LID_LAST)
		return 0;
	if (lid >= owner->lft_size && table_reserve(owner, (size_t)lid + 1, error))
		return -1;
	if (owner->lft[lid] != port && owner->lft[lid] != LFT_NO_PORT)
		subnet_odd(subnet, ODD_ENTRY_TWICE, "'%s' 0x%016" PRIx64 ", LID %u: port %u and port %u", owner->desc, owner->guid, lid,
			owner->lft[lid], port);
	owner->lft[lid] = (uint8_t)port;
	return 0;
}

int subnet_claim(struct subnet *subnet, unsigned lid, unsigned lmc, uint64_t guid, enum node_kind kind, const char *desc, size_t length,
	struct error *error)
{
	if (!lid || lid > LID_LAST)
		return 0;
	uint32_t *last = &subnet->index->claim_of_lid[lid];
	if (*last) {
		struct lid_claim *claim = &subnet->claim[*last - 1];
		if (lmc > claim->lmc)
			claim->lmc = (uint8_t)lmc;
		if (guid && guid == claim->guid)
			return 0;
	}
	const char *text = subnet_text(subnet, desc, length, error);
	if (!text)
		return -1;
	if (*last && !guid && subnet->claim[*last - 1].desc == text)
		return 0;
	if (array_grow(&subnet->claim, &subnet->index->claim_capacity, (size_t)subnet->claims + 1, sizeof *subnet->claim, error))
		return -1;
	subnet->claim[subnet->claims] =
		(struct lid_claim){.guid = guid, .desc = text, .lid = (uint16_t)lid, .lmc = (uint8_t)lmc, .kind = kind};
	*last = ++subnet->claims;
	return 0;
}

int subnet_sl2vl(struct subnet *subnet, uint32_t node, unsigned in, unsigned out, const uint8_t *vl, struct error *error)
{
	struct subnet_node *owner = &subnet->node[node];
	if (!owner->sl2vl)
		owner->sl2vl_ports = owner->ports;
	size_t side = (size_t)owner->sl2vl_ports + 1;
	if (in >= side || out >= side)
		return 0;
	if (!owner->sl2vl)
		owner->sl2vl = array_create(side * side, SERVICE_LEVELS, error);
	if (!owner->sl2vl)
		return -1;
	memcpy(owner->sl2vl + (in * side + out) * SERVICE_LEVELS, vl, SERVICE_LEVELS);
	return 0;
}

/* ---- words and numbers ---- */

void subnet_odd(struct subnet *subnet, enum oddity oddity, const char *format, ...)
{
	struct subnet_oddity *odd = &subnet->oddity[oddity];
	if (odd->count++)
		return;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(odd->first, sizeof odd->first, format, arguments);
	va_end(arguments);
}

static const char note[] = "note", warning[] = "warning";

static const struct {
	const char *weight, *text;
} oddity_lines[ODDITIES] = {
#define NOTE note
#define WARNING warning
#define X(id, weight, text) [id] = {weight, text},
	SUBNET_ODDITIES(X)
#undef X
};

void subnet_tell(const struct subnet *subnet, const char *program, bool notes, FILE *file)
{
	for (int i = 0; i < 2 * ODDITIES; i++) { /* warnings first */
		const char *weight = i < ODDITIES ? warning : notes ? note : NULL;
		const struct subnet_oddity *odd = &subnet->oddity[i % ODDITIES];
		if (odd->count && oddity_lines[i % ODDITIES].weight == weight)
			fprintf(file, "%s: %s: %s: %" PRIu64 "%s%s)\n", program, weight, oddity_lines[i % ODDITIES].text, odd->count,
				odd->count > 1 ? " (the first: " : " (", SHOWN(odd->first));
	}
}

int subnet_refuse(const struct subnet *subnet, struct error *error)
{
	for (int i = 0; i < ODDITIES; i++)
		if (subnet->oddity[i].count && oddity_lines[i].weight == warning)
			return error_set(error, STATUS_FABRIC, "%s: %" PRIu64 " (the first: %s)", oddity_lines[i].text,
				subnet->oddity[i].count, subnet->oddity[i].first);
	return 0;
}

/* Nominal values, which for SDR to QDR are the signalling rate and from FDR10 the data rate; and exact values. */
static const struct {
	const char *name;
	double said, exact;
} lane_rates[RATES] = {
	[RATE_UNKNOWN] = {"", 0, 0},
	[RATE_SDR] = {"SDR", 2.5, 2.5},
	[RATE_DDR] = {"DDR", 5, 5},
	[RATE_QDR] = {"QDR", 10, 10},
	[RATE_FDR10] = {"FDR10", 10, 10.3125},
	[RATE_FDR] = {"FDR", 14, 14.0625},
	[RATE_EDR] = {"EDR", 25, 25.78125},
	[RATE_HDR] = {"HDR", 50, 53.125},
	[RATE_NDR] = {"NDR", 100, 106.25},
	[RATE_XDR] = {"XDR", 200, 212.5},
};

enum lane_rate lane_rate(const char *name, size_t length)
{
	for (int r = 1; r < RATES; r++)
		if (strlen(lane_rates[r].name) == length && !memcmp(lane_rates[r].name, name, length))
			return (enum lane_rate)r;
	return RATE_UNKNOWN;
}

const char *lane_rate_name(enum lane_rate rate)
{
	return lane_rates[rate].name;
}

enum lane_rate lane_rate_of(double gbps)
{
	for (int r = 1; r < RATES; r++)
		if (fabs(gbps - lane_rates[r].said) < 1e-6 || fabs(gbps - lane_rates[r].exact) < 1e-6)
			return (enum lane_rate)r;
	return RATE_UNKNOWN;
}

double link_speed(unsigned lanes, enum lane_rate rate)
{
	return lanes * lane_rates[rate].said;
}
