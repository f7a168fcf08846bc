#include "infiniband/subnet_write.h"

#include "base/memory.h"
#include "fabric/guids.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ibsim 0.10 keeps 63 bytes of a description. */
enum { DESCRIPTION_MOST = 63 };

/* ---- common to both topology formats */

static const struct subnet_port *port_of(const struct subnet *subnet, const struct subnet_node *node, unsigned number)
{
	return number < node->slots && node->port[number] != NONE ? &subnet->port[node->port[number]] : NULL;
}

/* Returns the port if it has a cable; port 0 has none, whatever a dump states. */
static const struct subnet_port *cabled(const struct subnet *subnet, const struct subnet_node *node, unsigned number)
{
	const struct subnet_port *port = port_of(subnet, node, number);
	return number && port && port->peer != NONE && subnet->port[port->peer].number ? port : NULL;
}

/* Returns the port at the other end of a port's cable; NULL if it has none. */
static const struct subnet_port *far_end(const struct subnet *subnet, const struct subnet_node *node, unsigned number)
{
	const struct subnet_port *port = cabled(subnet, node, number), *own = port_of(subnet, node, number);
	return port ? &subnet->port[port->peer] : number && own && own->loop ? port_of(subnet, node, own->loop) : NULL;
}

static unsigned port_count(const struct subnet *subnet, const struct subnet_node *node)
{
	unsigned count = node->ports;
	for (unsigned number = 1; number < node->slots; number++)
		if (number > count && far_end(subnet, node, number))
			count = number;
	return count ? count : 1;
}

/* Returns the port that has the LID of this one: for a switch, its port 0. NULL if there is none. */
static const struct subnet_port *lid_port(const struct subnet *subnet, const struct subnet_port *port)
{
	const struct subnet_node *node = &subnet->node[port->node];
	return node->kind == NODE_SWITCH ? port_of(subnet, node, 0) : port;
}

static unsigned lid_of(const struct subnet *subnet, const struct subnet_port *port)
{
	const struct subnet_port *owner = lid_port(subnet, port);
	return owner ? owner->lid : 0;
}

static const char *name_of(const struct subnet_node *node)
{
	return *node->desc ? node->desc : node->id;
}

static char letter(const struct subnet_node *node)
{
	return node->kind == NODE_SWITCH ? 'S' : node->kind == NODE_ROUTER ? 'R' : 'H';
}

static uint64_t port_guid(const struct subnet *subnet, const struct subnet_port *port)
{
	const struct subnet_node *node = &subnet->node[port->node];
	return port->guid ? port->guid : node->guid + (node->kind == NODE_SWITCH ? 0 : port->number);
}

/* Returns a character of a name for a line: an id from a graph can contain any character. */
static char in_line(char c)
{
	return (unsigned char)c < ' ' || c == 127 ? ' ' : c;
}

/* ---- GUIDs */

/* Fills guid[nodes]: a node keeps its own if it fits, the others get new ones. Returns the number of new ones, NONE if out of memory. */
static uint32_t choose_guids(const struct subnet *subnet, uint64_t *guid, struct error *error)
{
	struct guid_node *node = array_create(subnet->nodes, sizeof *node, error);
	uint32_t changed = NONE;
	for (uint32_t n = 0; node && n < subnet->nodes; n++) {
		const struct subnet_node *from = &subnet->node[n];
		node[n] = (struct guid_node){from->guid, from->kind == NODE_SWITCH, port_count(subnet, from), {0}};
		for (unsigned number = 1; number < from->slots; number++)
			if (cabled(subnet, from, number))
				guid_node_cable(&node[n], number);
	}
	if (node)
		changed = guids_choose(node, subnet->nodes, guid, error);
	free(node);
	return changed;
}

int subnet_fill_guids(struct subnet *subnet, uint32_t *count, struct error *error)
{
	uint64_t *guid = array_create(subnet->nodes, sizeof *guid, error);
	*count = 0;
	if (guid && choose_guids(subnet, guid, error) != NONE)
		for (uint32_t n = 0; n < subnet->nodes; n++)
			if (!subnet->node[n].guid && !subnet_set_guid(subnet, n, guid[n], error))
				++*count;
	free(guid);
	return error->status ? -1 : 0;
}

/* Calls write for all nodes with a cable in the order of ibnetdiscover: switches, channel adapters, routers. */
static void each_node(const struct subnet *subnet, void (*write)(const struct subnet *, uint32_t node, void *data), void *data)
{
	static const enum node_kind kinds[] = {NODE_SWITCH, NODE_CA, NODE_ROUTER};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (uint32_t n = 0; n < subnet->nodes; n++) {
			const struct subnet_node *node = &subnet->node[n];
			bool any = false;
			for (unsigned number = 1; number < node->slots && !any; number++)
				any = cabled(subnet, node, number) != NULL;
			if (any && (node->kind == kinds[k] || (node->kind == NODE_UNKNOWN && kinds[k] == NODE_CA)))
				write(subnet, n, data);
		}
}

/* ---- ibnetdiscover */

/*
 * Writes a description between quotes, without quotes inside, at most most bytes, not cutting a UTF-8 character. Returns whether it was
 * changed.
 */
static bool write_description(const char *text, size_t most, FILE *file)
{
	size_t length = strlen(text);
	bool changed = strchr(text, '"') != NULL || length > most;
	if (length > most)
		for (length = most; length && ((unsigned char)text[length] & 0xc0) == 0x80;)
			length--;
	putc('"', file);
	for (size_t i = 0; i < length; i++)
		putc(text[i] == '"' ? '\'' : in_line(text[i]), file);
	putc('"', file);
	return changed;
}

static void list_port(const struct subnet *subnet, const struct subnet_port *port, const struct subnet_port *peer, FILE *file)
{
	const struct subnet_node *node = &subnet->node[port->node], *far = &subnet->node[peer->node];
	fprintf(file, "[%u]", port->number);
	if (node->kind != NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ") ", port_guid(subnet, port));
	fprintf(file, "\t\"%c-%016" PRIx64 "\"[%u]", letter(far), far->guid, peer->number);
	if (far->kind != NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ") ", port_guid(subnet, peer));
	fputs("\t\t# ", file);
	if (node->kind != NODE_SWITCH)
		fprintf(file, "lid %u lmc %u ", port->lid, port->lmc);
	write_description(name_of(far), SIZE_MAX, file);
	fprintf(file, " lid %u", lid_of(subnet, peer));
	unsigned lanes = port->lanes ? port->lanes : peer->lanes;
	enum lane_rate rate = port->rate ? port->rate : peer->rate;
	fprintf(file, " %ux%s\n", lanes ? lanes : 4, rate != RATE_UNKNOWN ? lane_rate_name(rate) : "???");
}

static void list_node(const struct subnet *subnet, uint32_t n, void *data)
{
	const struct subnet_node *node = &subnet->node[n];
	const struct subnet_port *zero = port_of(subnet, node, 0);
	FILE *file = data;
	uint64_t guid = node->guid;
	fprintf(file, "\nvendid=0x%" PRIx32 "\ndevid=0x%" PRIx32 "\nsysimgguid=0x%" PRIx64 "\n", node->vendor, node->device,
		node->system_guid ? node->system_guid : guid);
	if (node->kind == NODE_SWITCH)
		fprintf(file, "switchguid=0x%" PRIx64 "(%" PRIx64 ")\nSwitch", guid, zero && zero->guid ? zero->guid : guid);
	else
		fprintf(file, node->kind == NODE_ROUTER ? "rtguid=0x%" PRIx64 "\nRt" : "caguid=0x%" PRIx64 "\nCa", guid);
	fprintf(file, "\t%u \"%c-%016" PRIx64 "\"\t\t# ", port_count(subnet, node), letter(node), guid);
	write_description(name_of(node), SIZE_MAX, file);
	if (node->kind == NODE_SWITCH)
		fprintf(file, " enhanced port 0 lid %u lmc %u", zero ? zero->lid : 0, zero ? zero->lmc : 0);
	putc('\n', file);
	for (unsigned number = 1; number < node->slots; number++) {
		const struct subnet_port *peer = far_end(subnet, node, number);
		if (peer)
			list_port(subnet, port_of(subnet, node, number), peer, file);
	}
}

void subnet_write_ibnetdiscover(const struct subnet *subnet, FILE *file)
{
	fputs("#\n# Topology file: generated by orcs-export\n#\n", file);
	each_node(subnet, list_node, file);
}

/* ---- ibsim */

struct net {
	FILE *file;
	const uint64_t *guid;    /* [nodes] */
	const bool *without_lid; /* [ports] */
	struct ibsim_changes *changes;
};

static unsigned ibsim_width(unsigned lanes)
{
	return lanes == 1 ? 1 : lanes == 2 ? 16 : lanes == 8 ? 4 : lanes == 12 ? 8 : 2;
}

/* Returns the lower of the known values, 0 if neither is known. */
static unsigned lower(unsigned a, unsigned b)
{
	return !a ? b : !b ? a : a < b ? a : b;
}

static void net_port(const struct subnet *subnet, const struct subnet_port *port, const struct subnet_port *peer, const struct net *net)
{
	static const struct {
		unsigned speed, extended;
	} rates[RATES] = {
		[RATE_SDR] = {1, 0},
		[RATE_DDR] = {2, 0},
		[RATE_QDR] = {4, 0},
		[RATE_FDR10] = {4, 0},
		[RATE_FDR] = {7, 1},
		[RATE_EDR] = {7, 2},
		[RATE_HDR] = {7, 4},
		[RATE_NDR] = {7, 4},
		[RATE_XDR] = {7, 4},
	};
	unsigned rate = lower(port->rate, peer->rate), lanes = lower(port->lanes, peer->lanes);
	bool once = port < peer; /* each cable is counted at one of its ends */
	if (once && (!rate || !lanes))
		net->changes->links++;
	if (!rate)
		rate = RATE_EDR;
	if (once && (rate > RATE_HDR || rate == RATE_FDR10))
		net->changes->speeds++;
	fprintf(net->file, "[%u]\t\"%c-%016" PRIx64 "\"[%u] w=%u s=%u", port->number, letter(&subnet->node[peer->node]),
		net->guid[peer->node], peer->number, ibsim_width(lanes), rates[rate].speed);
	if (rates[rate].extended)
		fprintf(net->file, " e=%u", rates[rate].extended);
	if (subnet->node[port->node].kind != NODE_SWITCH && port->lid && !net->without_lid[port - subnet->port])
		fprintf(net->file, " # lid %u lmc 0", port->lid); /* more there would contradict the options */
	putc('\n', net->file);
}

static void net_node(const struct subnet *subnet, uint32_t n, void *data)
{
	const struct net *net = data;
	const struct subnet_node *node = &subnet->node[n];
	const struct subnet_port *zero = port_of(subnet, node, 0);
	bool is_switch = node->kind == NODE_SWITCH, is_router = node->kind == NODE_ROUTER;
	fprintf(net->file, "\n%sguid=0x%" PRIx64 "\n%s\t%u \"%c-%016" PRIx64 "\"\t# ",
		is_switch   ? "switch"
		: is_router ? "rt"
			    : "ca",
		net->guid[n],
		is_switch   ? "Switch"
		: is_router ? "Rt"
			    : "Ca",
		port_count(subnet, node), letter(node), net->guid[n]);
	net->changes->names += write_description(name_of(node), DESCRIPTION_MOST, net->file);
	if (is_switch && zero && zero->lid && !net->without_lid[zero - subnet->port])
		fprintf(net->file, " base port 0 lid %u lmc 0", zero->lid);
	putc('\n', net->file);
	for (unsigned number = 1; number < node->slots; number++) {
		const struct subnet_port *peer = far_end(subnet, node, number);
		if (peer)
			net_port(subnet, port_of(subnet, node, number), peer, net);
	}
}

/* Marks the second of two ports with the same LID to be written without one. */
static void drop_lids(const struct subnet *subnet, bool *used, bool *without_lid, struct ibsim_changes *changes)
{
	for (uint32_t p = 0; p < subnet->ports; p++) {
		unsigned lid = subnet->port[p].lid;
		if (!lid)
			continue;
		without_lid[p] = lid > LID_LAST || used[lid];
		changes->lids += without_lid[p];
		if (lid <= LID_LAST)
			used[lid] = true;
	}
}

struct limits {
	unsigned nodes, switches, ports;
};

static void add_limits(const struct subnet *subnet, uint32_t n, void *data)
{
	struct limits *limits = data;
	limits->nodes++;
	limits->switches += subnet->node[n].kind == NODE_SWITCH;
	limits->ports += port_count(subnet, &subnet->node[n]) + 1;
}

/* Returns the LMC of the end ports with a LID, if all have the same; 0 otherwise. A net cannot state it: OpenSM has it as an option. */
static unsigned common_lmc(const struct subnet *subnet)
{
	unsigned least = LMC_MOST, most = 0;
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		if (port->peer == NONE || !port->lid || subnet->node[port->node].kind == NODE_SWITCH)
			continue;
		least = port->lmc < least ? port->lmc : least;
		most = port->lmc > most ? port->lmc : most;
	}
	return least == most ? most : 0;
}

int subnet_write_ibsim(const struct subnet *subnet, FILE *file, struct ibsim_changes *changes, struct error *error)
{
	struct limits limits = {0};
	uint64_t *guid = array_create(subnet->nodes, sizeof *guid, error);
	bool *without_lid = array_create(subnet->ports, sizeof *without_lid, error), *used = array_create(LID_LAST + 1, 1, error);
	*changes = (struct ibsim_changes){0};
	if (guid && without_lid && used && (changes->guids = choose_guids(subnet, guid, error)) != NONE) {
		drop_lids(subnet, used, without_lid, changes);
		each_node(subnet, add_limits, &limits);
		unsigned lmc = common_lmc(subnet);
		fprintf(file, "# Net for ibsim, written by orcs-export; it needs: ibsim -N %u -S %u -P %u -L %u", limits.nodes,
			limits.switches, limits.ports, LID_LAST + 1);
		if (lmc)
			fprintf(file, "; opensm -l %u", lmc);
		fputs("\n\nwidth=2\nspeed=1\nextspeed=0\n", file);
		each_node(subnet, net_node, &(struct net){file, guid, without_lid, changes});
	}
	free(guid);
	free(without_lid);
	free(used);
	return error->status ? -1 : 0;
}

/* ---- tables */

/* Finds the owner of each LID: port + 1. */
static void own_lids(const struct subnet *subnet, uint32_t *owner)
{
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		for (uint32_t lid = port->lid; port->lid && lid < port->lid + (1U << port->lmc) && lid <= LID_LAST; lid++)
			if (!owner[lid])
				owner[lid] = p + 1;
	}
}

/* Writes the name between single quotes, which it can contain: the last one ends it. */
static void write_name(const struct subnet_node *node, FILE *file)
{
	putc('\'', file);
	for (const char *c = name_of(node); *c; c++)
		putc(in_line(*c), file);
	putc('\'', file);
}

/* Text after the entries of each LID, the same in all tables: text + at[lid], "" for a LID without an owner. */
struct remarks {
	char *text;
	size_t size, *at; /* at: [LID_LAST + 1] */
};

static void remarks_clear(struct remarks *remarks)
{
	free(remarks->text);
	free(remarks->at);
}

static int make_remarks(const struct subnet *subnet, const uint32_t *owner, struct remarks *remarks, struct error *error)
{
	FILE *file = open_memstream(&remarks->text, &remarks->size);
	remarks->at = array_create(LID_LAST + 1, sizeof *remarks->at, error);
	if (!file)
		return error_set(error, STATUS_IO, "out of memory");
	putc('\0', file);
	for (unsigned lid = 1; remarks->at && lid <= LID_LAST; lid++) {
		if (!owner[lid])
			continue;
		const struct subnet_port *port = &subnet->port[owner[lid] - 1];
		const struct subnet_node *node = &subnet->node[port->node];
		const char *kind = node->kind == NODE_SWITCH ? "Switch" : node->kind == NODE_ROUTER ? "Router" : "Channel Adapter";
		remarks->at[lid] = (size_t)ftell(file);
		fprintf(file, " # %s portguid 0x%016" PRIx64 ": ", kind, port_guid(subnet, port));
		write_name(node, file);
		putc('\0', file);
	}
	if (ferror(file) | fclose(file))
		error_set(error, STATUS_IO, "out of memory: the names of %d LIDs", LID_LAST);
	return error->status ? -1 : 0;
}

static void write_table(
	const struct subnet *subnet, const struct subnet_node *node, unsigned top, const struct remarks *remarks, FILE *file)
{
	const struct subnet_port *zero = port_of(subnet, node, 0);
	fprintf(file, "Unicast lids [0-%u] of switch Lid %u guid 0x%016" PRIx64 " (", top, zero ? zero->lid : 0, node->guid);
	write_name(node, file);
	fputs("):\n", file);
	for (unsigned lid = 1; lid < node->lft_size && lid <= LID_LAST; lid++)
		if (node->lft[lid] != LFT_NO_PORT) {
			fprintf(file, "0x%04x %03u", lid, node->lft[lid]);
			fputs_unlocked(remarks->text + remarks->at[lid], file);
			putc_unlocked('\n', file);
		}
	fprintf(file, "%u lids dumped\n", top);
}

/* Compares switches in the order of OpenSM's dump: by the GUID with its bytes reversed. */
static int by_guid(const void *a, const void *b)
{
	const struct subnet_node *one = *(const struct subnet_node *const *)a, *other = *(const struct subnet_node *const *)b;
	uint64_t left = __builtin_bswap64(one->guid), right = __builtin_bswap64(other->guid);
	return (left > right) - (left < right);
}

int subnet_write_lfts(const struct subnet *subnet, FILE *file, struct error *error)
{
	uint32_t *owner = array_create(LID_LAST + 1, sizeof *owner, error);
	const struct subnet_node **node = array_create(subnet->nodes, sizeof *node, error);
	struct remarks remarks = {0};
	unsigned top = LID_LAST;
	uint32_t tables = 0;
	if (owner)
		own_lids(subnet, owner);
	if (owner && node && !make_remarks(subnet, owner, &remarks, error)) {
		while (top && !owner[top])
			top--;
		for (uint32_t n = 0; n < subnet->nodes; n++)
			if (subnet->node[n].lft)
				node[tables++] = &subnet->node[n];
		qsort(node, tables, sizeof *node, by_guid);
		for (uint32_t t = 0; t < tables; t++)
			write_table(subnet, node[t], top, &remarks, file);
		if (!tables)
			error_set(error, STATUS_FABRIC,
				"no switch has a forwarding table; add the tables with --lft FILE, or route the fabric with orcs-route");
	}
	remarks_clear(&remarks);
	free(owner);
	free(node);
	return error->status ? -1 : 0;
}

/* ---- GUID files */

void subnet_write_roots(const struct subnet_graph *graph, FILE *file)
{
	uint32_t farthest = 0;
	for (uint32_t n = graph->hosts; n < graph->nodes; n++)
		if (graph->node[n].rank != NONE && graph->node[n].rank > farthest)
			farthest = graph->node[n].rank;
	for (uint32_t n = graph->hosts; n < graph->nodes && farthest; n++)
		if (graph->node[n].rank == farthest)
			fprintf(file, "0x%016" PRIx64 "\n", graph->subnet->node[graph->node[n].node].guid);
}

void subnet_write_hosts(const struct subnet_graph *graph, FILE *file)
{
	const struct subnet *subnet = graph->subnet;
	for (uint32_t n = 0; n < graph->hosts; n++)
		for (uint32_t i = 0; i < graph->node[n].ports; i++) {
			const struct subnet_port *port = &subnet->port[graph->port[graph->node[n].first + i]];
			fprintf(file, "0x%016" PRIx64 "\n", port_guid(subnet, port));
		}
}
