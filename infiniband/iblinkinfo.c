/*
 * Reads the output of iblinkinfo: each port and the port at the other end of its cable. With -l a line has everything except the kinds of
 * the nodes:
 *   0x0002c90300a1b2c3 "                      leaf 1"      6    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>
 *   0x0002c90300d4e5f7      5    2[  ] "node 1 HCA-1" (Could be 53.125 Gbps)
 * Without -l ports follow the name of their node, and only the LID identifies the port at the other end:
 *   Switch: 0x0002c90300a1b2c3 leaf 1:
 *              6    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       5    2[  ] "node 1 HCA-1" ( )
 *              6    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
 * The GUIDs are those of ports: each port of a channel adapter appears as a node of its own.
 */
#include "infiniband/link_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct linkinfo {
	enum node_kind kind;         /* kind of the node whose ports follow; NODE_UNKNOWN: no header yet */
	uint64_t guid;               /* GUID of that switch */
	const char *desc;            /* description of that node */
	uint32_t node[LID_LAST + 1]; /* node with this LID, + 1; 0: unknown */
};

/* The line of a port: the parts before and after the arrow. */
struct port_line {
	struct link_end near, far;
	bool cable;
	unsigned lanes;
	enum lane_rate rate;
};

/* ---- lines */

/* Scans "6   37[  ]"; the brackets hold the number on the front of a chassis, if there is one. */
static bool scan_port(char **text, struct link_end *end)
{
	scan_blanks(text);
	if (!scan_number(text, UINT16_MAX, &end->lid))
		return false;
	scan_blanks(text);
	if (!scan_number(text, UINT8_MAX - 1, &end->number) || !end->number || !scan_char(text, '['))
		return false;
	char *close = strchr(*text, ']');
	*text = close ? close + 1 : *text;
	return close;
}

/* Scans a quoted name, up to the last quote before the end. */
static bool scan_desc(char *text, const char *end, struct link_end *port)
{
	char *close = NULL;
	if (!scan_char(&text, '"'))
		return false;
	for (char *at = text; *at && at < end; at++)
		if (*at == '"')
			close = at;
	port->desc = text;
	port->desc_length = close ? (size_t)(close - text) : 0;
	return close;
}

/* Scans " 4X      25.78125 Gbps Active/  LinkUp)", " 4X 10.0 Gbps (FDR10) ...", or "                Down/ Polling)". */
static bool scan_state(char *text, const char *end, struct port_line *port)
{
	enum lane_rate none;
	scan_blanks(&text);
	if (!scan_link(&text, &port->lanes, &none))
		return true;
	scan_blanks(&text);
	if (!scan_rate(&text, &port->rate))
		return false;
	const char *fdr10 = strstr(text, "FDR10");
	if (fdr10 && fdr10 < end)
		port->rate = RATE_FDR10;
	return true;
}

/* Scans the part before the arrow: with -l, also the GUID and the name; without, also the GUID if the node is not a switch. */
static bool scan_near(char *text, char *state, struct link_end *end)
{
	char *at = text;
	scan_blanks(&at);
	if (!strncmp(at, "0x", 2) && !scan_hex(&at, &end->port_guid))
		return false;
	scan_blanks(&at);
	if (*at == '"') {
		if (!scan_desc(at, state, end))
			return false;
		at += end->desc_length + 2;
	}
	return scan_port(&at, end);
}

/* Scans the part after the arrow. */
static bool scan_far(char *text, struct port_line *port)
{
	scan_blanks(&text);
	port->cable = *text != '[';
	if (!port->cable)
		return true;
	if (!strncmp(text, "0x", 2) && !scan_hex(&text, &port->far.port_guid))
		return false;
	if (!scan_port(&text, &port->far))
		return false;
	scan_blanks(&text);
	return scan_desc(text, text + strlen(text), &port->far);
}

/* ---- with -l */

static enum dump_line whole_line(struct dump_reader *reader, const struct port_line *line)
{
	uint32_t port = link_end_port(reader, &line->near), peer = port;
	if (line->cable && port != NONE) {
		if (!line->far.port_guid)
			return dump_error(reader, "the port at the other end has no GUID");
		peer = link_end_port(reader, &line->far);
	}
	if (peer == NONE)
		return LINE_FAILED;
	if (line->cable)
		link_note(reader, port, peer, line->lanes, line->rate);
	return LINE_TAKEN;
}

/* ---- without -l */

/* Returns the node of the LID, which can still lack a header; NONE if out of memory. */
static uint32_t node_of_lid(struct dump_reader *reader, struct linkinfo *info, uint32_t lid)
{
	char id[20];
	if (!info->node[lid]) {
		int length = snprintf(id, sizeof id, "lid %" PRIu32, lid);
		info->node[lid] = subnet_node(reader->subnet, id, (size_t)length, reader->error) + 1; /* NONE + 1 is 0 */
	}
	return info->node[lid] - 1;
}

/* Returns the node to which the line of a port belongs: the one known by GUID, otherwise the one with its LID, otherwise a new one. */
static uint32_t own_node(struct dump_reader *reader, struct linkinfo *info, const struct link_end *end)
{
	bool lid = end->lid && end->lid <= LID_LAST;
	uint32_t node = NONE;
	if (info->kind == NODE_SWITCH) {
		node = subnet_find_node(reader->subnet, info->guid);
	} else {
		uint32_t port = subnet_find_port(reader->subnet, end->port_guid);
		node = port == NONE ? NONE : reader->subnet->port[port].node;
	}
	if (node == NONE && lid)
		node = node_of_lid(reader, info, end->lid);
	else if (node == NONE && info->kind == NODE_SWITCH)
		node = subnet_node_of_guid(reader->subnet, info->guid, NODE_SWITCH, reader->error);
	else if (node == NONE) {
		uint32_t port = subnet_port_of_guid(reader->subnet, end->port_guid, end->number, reader->error);
		node = port == NONE ? NONE : reader->subnet->port[port].node;
	}
	if (node != NONE && lid)
		info->node[end->lid] = node + 1;
	return node;
}

static uint32_t own_port(struct dump_reader *reader, struct linkinfo *info, const struct link_end *end)
{
	uint32_t node = own_node(reader, info, end);
	if (node == NONE || node_note_desc(reader, node, info->desc, strlen(info->desc)))
		return NONE;
	reader->subnet->node[node].kind = info->kind;
	uint32_t port = subnet_port(reader->subnet, node, end->number, reader->error), addressed = port;
	if (port != NONE && info->kind == NODE_SWITCH) {
		addressed = subnet_port(reader->subnet, node, 0, reader->error);
		if (subnet_set_guid(reader->subnet, node, info->guid, reader->error))
			return NONE;
	}
	uint64_t guid = info->kind == NODE_SWITCH ? info->guid : end->port_guid;
	if (addressed == NONE || subnet_set_port_guid(reader->subnet, addressed, guid, reader->error))
		return NONE;
	port_note_lid(reader, addressed, end->lid, 0, false);
	return port;
}

static enum dump_line line_of_node(struct dump_reader *reader, struct linkinfo *info, const struct port_line *line)
{
	const struct link_end *far = &line->far;
	if (info->kind == NODE_UNKNOWN)
		return dump_error(reader, "a port appears before the name of its node");
	if (info->kind != NODE_SWITCH && !line->near.port_guid)
		return dump_error(reader, "a port has no GUID");
	uint32_t port = own_port(reader, info, &line->near);
	if (port == NONE)
		return LINE_FAILED;
	if (!line->cable)
		return LINE_TAKEN;
	if (!far->lid || far->lid > LID_LAST)
		return dump_error(reader, "the port at the other end has no LID, so it is unknown; use iblinkinfo -l");
	uint32_t node = node_of_lid(reader, info, far->lid);
	if (node == NONE || node_note_desc(reader, node, far->desc, far->desc_length))
		return LINE_FAILED;
	uint32_t peer = subnet_port(reader->subnet, node, far->number, reader->error);
	if (peer == NONE)
		return LINE_FAILED;
	link_note(reader, port, peer, line->lanes, line->rate);
	return LINE_TAKEN;
}

/* Parses "Switch: 0x0002c90300a1b2c3 leaf 1:", "CA: node 1 HCA-1:", "Router: ..."; older versions have no colon after Switch. */
static enum dump_line header(struct dump_reader *reader, struct linkinfo *info, char *line, size_t length)
{
	uint64_t guid = 0;
	char *text = line;
	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	if (!length || line[length - 1] != ':')
		return LINE_FOREIGN;
	enum node_kind kind = scan_text(&text, "Switch")    ? NODE_SWITCH
			      : scan_text(&text, "CA:")     ? NODE_CA
			      : scan_text(&text, "Router:") ? NODE_ROUTER
							    : NODE_UNKNOWN;
	if (kind == NODE_SWITCH && !(scan_char(&text, ':') || *text == ' '))
		return LINE_FOREIGN;
	scan_blanks(&text);
	if (kind == NODE_UNKNOWN || (kind == NODE_SWITCH && (!scan_text(&text, "0x") || !scan_hex(&text, &guid) || !guid)))
		return LINE_FOREIGN;
	char *end = line + length - 1;
	info->desc = subnet_text(reader->subnet, text, text < end ? (size_t)(end - text) : 0, reader->error);
	info->kind = kind;
	info->guid = guid;
	return info->desc ? LINE_TAKEN : LINE_FAILED;
}

static enum dump_line linkinfo_line(struct dump_reader *reader, void *state, char *line, size_t length)
{
	struct linkinfo *info = state;
	struct port_line port = {0};
	char *middle = strstr(line, "==("), *arrow = middle ? strstr(middle, "==>") : NULL, *first = line + strspn(line, " \t");
	if (!middle)
		return header(reader, info, line, length);
	if (*first < '0' || *first > '9')
		return LINE_FOREIGN;
	if (!arrow)
		return dump_error(reader, "a port's line ends before the port at the other end");
	if (!scan_near(line, middle, &port.near))
		return dump_error(reader, "a port is not '[GUID NAME] LID NUMBER[..]' before the arrow");
	if (!scan_state(middle + strlen("==("), arrow, &port))
		return dump_error(reader, "the speed of a link is not a decimal number");
	if (!scan_far(arrow + strlen("==>"), &port))
		return dump_error(reader, "a port is not '[GUID] LID NUMBER[..] \"NAME\"' after the arrow");
	if (port.near.desc && !port.near.port_guid)
		return dump_error(reader, "a port has no GUID");
	return port.near.desc ? whole_line(reader, &port) : line_of_node(reader, info, &port);
}

/* Makes switches of ports without a header that share a LID. */
static int settle_lids(struct dump_reader *reader, const struct linkinfo *info)
{
	for (uint32_t lid = 1; lid <= LID_LAST; lid++) {
		struct subnet_node *node = info->node[lid] ? &reader->subnet->node[info->node[lid] - 1] : NULL;
		uint32_t ports = 0, addressed = NONE;
		if (!node || node->kind != NODE_UNKNOWN)
			continue;
		for (size_t i = 1; i < node->slots; i++)
			if (node->port[i] != NONE) {
				addressed = node->port[i];
				ports++;
			}
		node->kind = ports > 1 ? NODE_SWITCH : NODE_CA;
		if (ports > 1)
			addressed = subnet_port(reader->subnet, info->node[lid] - 1, 0, reader->error);
		if (addressed == NONE)
			return -1;
		port_note_lid(reader, addressed, lid, 0, true);
	}
	return 0;
}

static enum dump_line linkinfo_end(struct dump_reader *reader, void *state)
{
	return settle_lids(reader, state) || link_ends_settle(reader) ? LINE_FAILED : LINE_TAKEN;
}

const struct dump_form dump_form_iblinkinfo = {
	.name = "iblinkinfo",
	.summary = "links as iblinkinfo prints them, with and without -l",
	.kind = DUMP_TOPOLOGY,
	.state_size = sizeof(struct linkinfo),
	.line = linkinfo_line,
	.end = linkinfo_end,
};
