/*
 * Reads links as in OpenSM's opensm-subnet.lst and ibdiagnet's ibdiagnet.lst, one per line; all numbers except the width and the speed
 * are hexadecimal:
 *   { SW Ports:24 SystemGUID:0002c90000000001 NodeGUID:0002c90000000001 PortGUID:0002c90000000001 VenID:000002C9 DevID:B9240000
 *   Rev:000000A1 {spine 1} LID:0002 PN:01 } { CA-SM Ports:02 ... {node 1 HCA-1} LID:0001 PN:01 } PHY=4x LOG=ACT SPD=10
 * OpenSM lists each link from both ends, ibdiagnet from one.
 */
#include "infiniband/link_end.h"

#include <string.h>

static bool scan_field(char **text, const char *key, uint64_t *value)
{
	char *at = *text;
	scan_blanks(&at);
	if (!scan_text(&at, key) || !scan_char(&at, ':') || !scan_hex(&at, value))
		return false;
	*text = at;
	return true;
}

/* Scans "SW", or "CA-SM" where the subnet manager runs. */
static bool scan_kind(char **text, enum node_kind *kind)
{
	scan_blanks(text);
	*kind = scan_text(text, "SW")                            ? NODE_SWITCH
		: scan_text(text, "CA")                          ? NODE_CA
		: scan_text(text, "Rt") || scan_text(text, "RT") ? NODE_ROUTER
								 : NODE_UNKNOWN;
	scan_text(text, "-SM");
	return *kind != NODE_UNKNOWN;
}

/* Scans the description, which can contain braces, or be missing. */
static bool scan_desc(char **text, struct link_end *end)
{
	char *at = *text;
	scan_blanks(&at);
	if (!scan_char(&at, '{'))
		return true;
	char *close = strstr(at, "} LID:");
	if (!close)
		return false;
	end->desc = at;
	end->desc_length = (size_t)(close - at);
	*text = close + 1;
	return true;
}

static bool scan_end(char **text, struct link_end *end)
{
	uint64_t ports, vendor, device, revision, lid, number;
	*end = (struct link_end){0};
	scan_blanks(text);
	if (!scan_char(text, '{') || !scan_kind(text, &end->kind) || !scan_field(text, "Ports", &ports) ||
		!scan_field(text, "SystemGUID", &end->system_guid) || !scan_field(text, "NodeGUID", &end->node_guid) ||
		!scan_field(text, "PortGUID", &end->port_guid) || !scan_field(text, "VenID", &vendor) ||
		!scan_field(text, "DevID", &device) || !scan_field(text, "Rev", &revision) || !scan_desc(text, end) ||
		!scan_field(text, "LID", &lid) || !scan_field(text, "PN", &number))
		return false;
	scan_blanks(text);
	if (!scan_char(text, '}') || ports > UINT8_MAX || lid > UINT16_MAX || !number || number >= UINT8_MAX || !end->node_guid)
		return false;
	end->ports = (uint32_t)ports;
	end->vendor = (uint32_t)vendor;
	end->device = (uint32_t)(device > UINT16_MAX ? device >> 16 : device); /* the far end has it in the upper half */
	end->lid = (uint32_t)lid;
	end->number = (uint32_t)number;
	return true;
}

/* Scans " PHY=4x LOG=ACT SPD=25"; older files have no SPD. */
static bool scan_state(char **text, unsigned *lanes, enum lane_rate *rate)
{
	enum lane_rate none;
	*lanes = 0;
	*rate = RATE_UNKNOWN;
	scan_blanks(text);
	if (!scan_text(text, "PHY=") || !scan_link(text, lanes, &none))
		return false;
	scan_blanks(text);
	if (!scan_text(text, "LOG="))
		return false;
	*text += strcspn(*text, " \t");
	scan_blanks(text);
	return !scan_text(text, "SPD=") || scan_rate(text, rate);
}

static enum dump_line lst_line(struct dump_reader *reader, void *state, char *line, size_t length)
{
	(void)state;
	(void)length;
	struct link_end near, far;
	unsigned lanes;
	enum lane_rate rate;
	enum node_kind kind;
	char *text = line;
	if (!scan_char(&text, '{') || !scan_kind(&text, &kind) || !scan_text(&text, " Ports:"))
		return LINE_FOREIGN;
	text = line;
	if (!scan_end(&text, &near) || !scan_end(&text, &far))
		return dump_error(reader, "an end of a link is not '{ KIND Ports:.. ... {NAME} LID:.. PN:.. }'");
	if (!scan_state(&text, &lanes, &rate))
		return dump_error(reader, "a link does not end with 'PHY=.. LOG=..' and, optionally, SPD= with Gb/s");
	uint32_t port = link_end_port(reader, &near), peer = port == NONE ? NONE : link_end_port(reader, &far);
	if (peer == NONE)
		return LINE_FAILED;
	link_note(reader, port, peer, lanes, rate);
	return LINE_TAKEN;
}

/* Ends the file. Some files call all nodes CA. */
static enum dump_line lst_end(struct dump_reader *reader, void *state)
{
	(void)state;
	return link_ends_settle(reader) ? LINE_FAILED : LINE_TAKEN;
}

const struct dump_form dump_form_lst = {
	.name = "opensm-subnet.lst",
	.summary = "links as OpenSM's opensm-subnet.lst and ibdiagnet.lst have them",
	.kind = DUMP_TOPOLOGY,
	.state_size = 1,
	.line = lst_line,
	.end = lst_end,
};
