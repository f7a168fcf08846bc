#include "infiniband/graph_text.h"

#include "base/memory.h"
#include "fabric/service_levels.h"
#include "infiniband/port_lanes.h"
#include "infiniband/subnet_levels.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TYPE, GUID, LID, PORTS, DESC, NODE_GUID, SYSTEM_GUID, CHASSIS, LMC, LIDS, LOOPS, LEVELS };
enum {
	PORT,
	PEER_PORT,
	SPEED,
	WIDTH,
	RATE,
	SL2VL,
	VLARB,
	PORT_GUID,
	PORT_NODE_GUID,
	PORT_SYSTEM_GUID,
	PORT_DESC,
	PORT_LID,
	PORT_LMC,
	PORT_LIDS
};

const char *const graph_node_keys[] = {[TYPE] = "type",
	[GUID] = "guid",
	[LID] = "lid",
	[PORTS] = "ports",
	[DESC] = "desc",
	[NODE_GUID] = "node_guid",
	[SYSTEM_GUID] = "system_guid",
	[CHASSIS] = "chassis",
	[LMC] = "lmc",
	[LIDS] = "lids",
	[LOOPS] = "loops",
	[LEVELS] = "sl",
	NULL};
const char *const graph_channel_keys[] = {[PORT] = "port",
	[PEER_PORT] = "peer_port",
	[SPEED] = "speed",
	[WIDTH] = "width",
	[RATE] = "rate",
	[SL2VL] = "sl2vl",
	[VLARB] = "vlarb",
	[PORT_GUID] = "guid",
	[PORT_NODE_GUID] = "node_guid",
	[PORT_SYSTEM_GUID] = "system_guid",
	[PORT_DESC] = "desc",
	[PORT_LID] = "lid",
	[PORT_LMC] = "lmc",
	[PORT_LIDS] = "lids",
	[GRAPH_COMMENT] = "comment",
	NULL};
_Static_assert(sizeof graph_node_keys == (GRAPH_NODE_KEYS + 1) * sizeof *graph_node_keys, "a name for each attribute of nodes");
_Static_assert(sizeof graph_channel_keys == (GRAPH_CHANNEL_KEYS + 1) * sizeof *graph_channel_keys, "and of channels");

static int append(struct text *text, const char *more, size_t length, struct error *error)
{
	if (!length)
		return 0;
	if (array_grow(&text->characters, &text->capacity, text->length + length, 1, error))
		return -1;
	memcpy(text->characters + text->length, more, length);
	text->length += length;
	return 0;
}

/* Appends up to 80 characters. */
static int __attribute__((format(printf, 3, 4))) print(struct text *text, struct error *error, const char *format, ...)
{
	char piece[80];
	va_list list;
	va_start(list, format);
	int length = vsnprintf(piece, sizeof piece, format, list);
	va_end(list);
	return append(text, piece, (size_t)length, error);
}

static int append_name(const struct subnet_graph *graph, uint32_t n, bool after, struct text *text, struct error *error)
{
	const char *name = graph->node[n].name;
	size_t length = strlen(name);
	if (array_grow(&text->characters, &text->capacity, text->length + length + 1, 1, error))
		return -1;
	if (after)
		text->characters[text->length++] = ',';
	memcpy(text->characters + text->length, name, length);
	text->length += length;
	return 0;
}

/* ---- service levels */

/* Returns the level of the packets from a host to another, by ports that reach one another; 0 if it is unknown. */
static unsigned level_between(const struct subnet_graph *graph, uint32_t from, uint32_t to)
{
	const struct subnet *subnet = graph->subnet;
	const struct graph_node *a = &graph->node[from], *b = &graph->node[to];
	for (uint32_t i = 0; i < a->ports; i++)
		for (uint32_t k = 0; k < b->ports; k++) {
			uint32_t p = graph->port[a->first + i], q = graph->port[b->first + k];
			unsigned level = graph->component[p] == graph->component[q]
						 ? subnet_level(subnet, subnet->port[p].lid, subnet->port[q].lid)
						 : LEVEL_UNKNOWN;
			if (level != LEVEL_UNKNOWN)
				return level;
		}
	return 0;
}

/* Appends the hosts to which a host sends on another level than 0: "1:H3,H9;2:H4". */
static int levels_text(const struct subnet_graph *graph, uint32_t n, struct text *text, struct error *error)
{
	if (graph->levels_unknown)
		return append(text, SERVICE_LEVELS_UNKNOWN, strlen(SERVICE_LEVELS_UNKNOWN), error);
	unsigned levels = 0;
	for (uint32_t to = 0; graph->subnet->levels && to < graph->hosts; to++)
		levels |= to == n ? 0 : 1U << level_between(graph, n, to);
	for (unsigned level = 1; levels >> level; level++) {
		bool any = false;
		for (uint32_t to = 0; to < graph->hosts; to++) {
			if (to == n || !(levels >> level & 1) || level_between(graph, n, to) != level)
				continue;
			if (!any && print(text, error, "%s%u:", text->length ? ";" : "", level))
				return -1;
			if (append_name(graph, to, any, text, error))
				return -1;
			any = true;
		}
	}
	return 0;
}

/* ---- nodes */

/*
 * Appends a description. Readers of dot keep a backslash except before a quote: there, and at the end of the text, it is replaced by a
 * slash.
 */
static int desc_text(const char *desc, struct text *text, struct error *error)
{
	if (append(text, desc, strlen(desc), error))
		return -1;
	for (size_t i = 0; i < text->length; i++)
		if (desc[i] == '\\' && (desc[i + 1] == '"' || !desc[i + 1]))
			text->characters[i] = '/';
	return 0;
}

enum { LID_SIZE = 6 }; /* characters of a LID and what separates it from others */

/* Appends up to one character and a LID, for which there is room. */
static void put_lid(struct text *text, const char *before, unsigned lid)
{
	char digits[LID_SIZE], *digit = digits + sizeof digits;
	for (; lid; lid /= 10)
		*--digit = (char)('0' + lid % 10);
	if (*before)
		text->characters[text->length++] = *before;
	while (digit < digits + sizeof digits)
		text->characters[text->length++] = *digit++;
}

/* Appends the LIDs that a switch forwards by a port, ranges as 5-8. */
static int lids_text(const struct forwarding_sets *sets, unsigned port, struct text *text, struct error *error)
{
	const uint16_t *lid = sets->lid + sets->first_lid[port], *end = sets->lid + sets->first_lid[port + 1];
	if (array_grow(&text->characters, &text->capacity, text->length + (size_t)(end - lid) * LID_SIZE, 1, error))
		return -1;
	for (const uint16_t *last; lid < end; lid = last + 1) {
		for (last = lid; last + 1 < end && last[1] == *last + 1; last++)
			;
		put_lid(text, text->length ? "," : "", *lid);
		if (last > lid)
			put_lid(text, "-", *last);
	}
	return 0;
}

static int guid_text(uint64_t guid, struct text *text, struct error *error)
{
	return guid ? print(text, error, "0x%016" PRIx64, guid) : 0;
}

/*
 * Appends the GUID of a node whose port has the other GUID, unless readers know it from that: of adapters it is smaller by the number of
 * the port.
 */
static int node_guid_text(const struct subnet_node *owner, const struct subnet_port *port, struct text *text, struct error *error)
{
	return port->guid && port->guid - port->number == owner->guid ? 0 : guid_text(owner->guid, text, error);
}

static int system_guid_text(const struct subnet_node *owner, struct text *text, struct error *error)
{
	return owner->system_guid == owner->guid ? 0 : guid_text(owner->system_guid, text, error);
}

/* Appends the chassis of a switch, unless it is its system. */
static int chassis_text(const struct subnet_node *owner, struct text *text, struct error *error)
{
	uint64_t system = owner->system_guid ? owner->system_guid : owner->guid;
	return owner->kind != NODE_SWITCH || owner->chassis == system ? 0 : guid_text(owner->chassis, text, error);
}

/* Appends the cables between two ports of a switch, with width and rate if both are known: "3-7:4xEDR,9-10". */
static int loops_text(const struct subnet *subnet, const struct subnet_node *owner, struct text *text, struct error *error)
{
	for (size_t i = 1; i < owner->slots && !error->status; i++) {
		const struct subnet_port *port = owner->port[i] == NONE ? NULL : &subnet->port[owner->port[i]];
		if (!port || port->loop <= i)
			continue;
		print(text, error, "%s%zu-%u", text->length ? "," : "", i, port->loop);
		if (port->lanes && port->rate)
			print(text, error, ":%ux%s", port->lanes, lane_rate_name(port->rate));
	}
	return error->status ? -1 : 0;
}

static bool is_switch(const struct subnet_graph *graph, uint32_t n)
{
	return n < graph->nodes ? n >= graph->hosts : graph->other[n - graph->nodes].type == WHOLE_SPARE;
}

static const struct subnet_node *owner_of(const struct subnet_graph *graph, uint32_t n)
{
	return &graph->subnet->node[n < graph->nodes ? graph->node[n].node : graph->other[n - graph->nodes].node];
}

int graph_node_lids(const struct subnet_graph *graph, uint32_t n, struct forwarding_sets *sets, struct error *error)
{
	return is_switch(graph, n) && owner_of(graph, n)->lft ? subnet_graph_lids(graph, n, sets, error) : 0;
}

int graph_node_text(
	const struct subnet_graph *graph, uint32_t n, int key, const struct forwarding_sets *sets, struct text *text, struct error *error)
{
	const struct subnet_node *owner = owner_of(graph, n);
	bool end = !is_switch(graph, n);
	uint32_t p = !end               ? (owner->slots ? owner->port[0] : NONE)
		     : n < graph->nodes ? graph->port[graph->node[n].first]
					: graph->other[n - graph->nodes].port;
	const struct subnet_port *port = p == NONE ? NULL : &graph->subnet->port[p];
	uint64_t guid = end && port->guid ? port->guid : owner->guid;
	text->length = 0;
	switch (key) {
	case TYPE:
		return print(text, error, "%s",
			n >= graph->nodes ? whole_other_types[graph->other[n - graph->nodes].type]
			: end             ? "host"
					  : "switch");
	case GUID: return guid_text(guid, text, error);
	case LID: return port && port->lid ? print(text, error, "%u", port->lid) : 0;
	case PORTS: return owner->ports ? print(text, error, "%" PRIu32, owner->ports) : 0;
	case DESC: return desc_text(owner->desc, text, error);
	case NODE_GUID: return end && port->guid ? node_guid_text(owner, port, text, error) : 0;
	case SYSTEM_GUID: return system_guid_text(owner, text, error);
	case CHASSIS: return chassis_text(owner, text, error);
	case LMC: return port && port->lmc ? print(text, error, "%u", port->lmc) : 0;
	case LIDS: return !end && owner->lft ? lids_text(sets, 0, text, error) : 0;
	case LOOPS: return end ? 0 : loops_text(graph->subnet, owner, text, error);
	default: return end && n < graph->nodes ? levels_text(graph, n, text, error) : 0;
	}
}

/* ---- channels */

/*
 * Appends the virtual lanes of each input port towards this output port, input ports with the same virtual lanes together:
 * "1-3,7:0,1,0,1;4:2,3,2,3".
 */
static int lanes_text(const struct subnet_node *owner, unsigned out, struct text *text, struct error *error)
{
	size_t side = (size_t)owner->sl2vl_ports + 1;
	bool done[256] = {false};
	const char *between = "";
	for (unsigned in = 0; in < side && in < 256; in++) {
		const uint8_t *lanes = owner->sl2vl + (in * side + out) * SERVICE_LEVELS;
		if (done[in])
			continue;
		print(text, error, "%s%u", between, in);
		between = ";";
		unsigned last = in;
		for (unsigned k = in + 1; k <= side; k++) {
			bool same = k < side && k < 256 && !memcmp(lanes, owner->sl2vl + (k * side + out) * SERVICE_LEVELS, SERVICE_LEVELS);
			if (same && last == NONE)
				print(text, error, ",%u", k);
			else if (!same && last != NONE && k - 1 > last)
				print(text, error, "-%u", k - 1);
			last = same ? (last == NONE ? k : last) : NONE;
			if (same)
				done[k] = true;
		}
		for (int sl = 0; sl < SERVICE_LEVELS; sl++)
			print(text, error, "%c%u", sl ? ',' : ':', lanes[sl]);
	}
	return error->status ? -1 : 0;
}

/* Appends the lanes of a port: of a switch by input port; of a channel adapter, whose packets come from port 0. */
static int sl2vl_text(const struct subnet_node *owner, const struct subnet_port *port, struct text *text, struct error *error)
{
	if (owner->sl2vl)
		return port->number <= owner->sl2vl_ports ? lanes_text(owner, port->number, text, error) : 0;
	if (!port->virtual_lanes || !port->virtual_lanes->mapped)
		return 0;
	for (int sl = 0; sl < SERVICE_LEVELS; sl++)
		print(text, error, "%s%u", sl ? "," : "0:", port->virtual_lanes->lane[sl]);
	return error->status ? -1 : 0;
}

static int vlarb_text(const struct port_lanes *lanes, struct text *text, struct error *error)
{
	char tables[ARBITRATION_TEXT];
	int length = lane_arbitration_text(&lanes->arbitration, tables);
	return append(text, tables, (size_t)length, error);
}

/*
 * Appends the forwarding set of a host: a host with one port sends everything there; one with several, the destinations reachable from
 * each.
 */
static int host_set(const struct subnet_graph *graph, uint32_t n, uint32_t p, struct text *text, struct error *error)
{
	if (graph->node[n].ports == 1)
		return append(text, "*", 1, error);
	for (uint32_t to = 0; to < graph->hosts; to++) {
		const struct graph_node *other = &graph->node[to];
		for (uint32_t i = 0; to != n && i < other->ports; i++)
			if (graph->component[graph->port[other->first + i]] == graph->component[p]) {
				if (append_name(graph, to, text->length, text, error))
					return -1;
				break;
			}
	}
	return 0;
}

/* Appends the forwarding set. A graph without any table has none. */
static int set_text(const struct subnet_graph *graph, uint32_t n, uint32_t i, const struct forwarding_sets *sets, struct text *text,
	struct error *error)
{
	const struct graph_node *node = &graph->node[n];
	if (n < graph->hosts)
		return graph->tables ? host_set(graph, n, graph->port[node->first + i], text, error) : 0;
	for (uint32_t k = node->routed ? sets->first[i] : 0; node->routed && k < sets->first[i + 1]; k++)
		if (append_name(graph, sets->host[k], text->length, text, error))
			return -1;
	return 0;
}

uint32_t graph_head(const struct subnet_graph *graph, uint32_t n, uint32_t i)
{
	return graph->node_of_port[graph->subnet->port[graph->port[graph->node[n].first + i]].peer];
}

bool graph_is_channel(const struct subnet_graph *graph, uint32_t n, uint32_t i)
{
	return graph_head(graph, n, i) != NONE;
}

const char *graph_name(const struct subnet_graph *graph, uint32_t n)
{
	return n < graph->nodes ? graph->node[n].name : graph->other[n - graph->nodes].name;
}

uint32_t graph_link_head(const struct subnet_graph *graph, const struct graph_link *link)
{
	return graph->other_of_port[graph->subnet->port[link->port].peer];
}

/* Appends the rate if speed and width alone would be another: FDR10 is as fast as QDR. */
static int rate_text(const struct subnet_port *port, const struct subnet_port *peer, struct text *text, struct error *error)
{
	enum lane_rate rate = port->rate ? port->rate : peer->rate;
	return rate == lane_rate_of(link_speed(1, rate)) ? 0 : print(text, error, "%s", lane_rate_name(rate));
}

/* Puts an attribute other than the forwarding set into text. further: the port is one of a host beyond its first. */
static int port_text(const struct subnet_graph *graph, uint32_t p, bool further, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error)
{
	const struct subnet_port *port = &graph->subnet->port[p], *peer = &graph->subnet->port[port->peer];
	const struct subnet_node *owner = &graph->subnet->node[port->node];
	double speed = key == SPEED ? subnet_speed(graph->subnet, p) : 0;
	unsigned lanes = port->lanes ? port->lanes : peer->lanes;
	switch (key) {
	case PORT: return print(text, error, "%u", port->number);
	case PEER_PORT: return print(text, error, "%u", peer->number);
	case SPEED: return speed > 0 ? print(text, error, "%.10g", speed) : 0;
	case WIDTH: return lanes ? print(text, error, "%ux", lanes) : 0;
	case RATE: return rate_text(port, peer, text, error);
	case SL2VL: return sl2vl_text(owner, port, text, error);
	case VLARB: return port->virtual_lanes ? vlarb_text(port->virtual_lanes, text, error) : 0;
	case PORT_GUID: return further ? guid_text(port->guid, text, error) : 0;
	case PORT_NODE_GUID: return further ? guid_text(owner->guid, text, error) : 0;
	case PORT_SYSTEM_GUID: return further ? system_guid_text(owner, text, error) : 0;
	case PORT_DESC: return further ? desc_text(owner->desc, text, error) : 0;
	case PORT_LID: return further && port->lid ? print(text, error, "%u", port->lid) : 0;
	case PORT_LMC: return further && port->lmc ? print(text, error, "%u", port->lmc) : 0;
	default: return owner->kind == NODE_SWITCH && owner->lft ? lids_text(sets, port->number, text, error) : 0;
	}
}

int graph_channel_text(const struct subnet_graph *graph, uint32_t n, uint32_t i, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error)
{
	text->length = 0;
	return key == GRAPH_COMMENT
		       ? set_text(graph, n, i, sets, text, error)
		       : port_text(graph, graph->port[graph->node[n].first + i], n < graph->hosts && i, key, sets, text, error);
}

int graph_link_text(const struct subnet_graph *graph, const struct graph_link *link, int key, const struct forwarding_sets *sets,
	struct text *text, struct error *error)
{
	text->length = 0;
	bool further = link->tail < graph->hosts && link->port != graph->port[graph->node[link->tail].first];
	return key == GRAPH_COMMENT ? 0 : port_text(graph, link->port, further, key, sets, text, error);
}
