/*
 * Reads the report of ibnetdiscover -p: each port with its LID, number and GUID, the speed, and the port at the other end if there is one:
 *   CA    99  1 0x000000000010006b 4x EDR - SW    27  3 0x0000000000200011 ( 'node 53' - 'leaf 2' )
 *   SW    27  4 0x0000000000200011 4x SDR                                    'leaf 2'
 * It has no node GUIDs: each port of a channel adapter appears as a node of its own.
 */
#include "infiniband/link_end.h"

#include <string.h>

static bool scan_kind(char **text, enum node_kind *kind)
{
	*kind = scan_text(text, "SW ")   ? NODE_SWITCH
		: scan_text(text, "CA ") ? NODE_CA
		: scan_text(text, "RT ") ? NODE_ROUTER
					 : NODE_UNKNOWN;
	return *kind != NODE_UNKNOWN;
}

/* Scans "CA    99  1 0x000000000010006b". */
static bool scan_end(char **text, struct link_end *end)
{
	*end = (struct link_end){0};
	return scan_kind(text, &end->kind) && scan_blanks(text) && scan_number(text, UINT16_MAX, &end->lid) && scan_char(text, ' ') &&
	       scan_blanks(text) && scan_number(text, UINT8_MAX - 1, &end->number) && scan_blanks(text) && scan_hex(text, &end->port_guid);
}

/* Scans "( 'node 53' - 'leaf 2' )". */
static bool scan_descs(char *text, struct link_end *near, struct link_end *far)
{
	char *between = strstr(text, "' - '"), *close = strrchr(text, '\'');
	if (!scan_text(&text, "( '") || !between || between < text || close < between + strlen("' - '"))
		return false;
	near->desc = text;
	near->desc_length = (size_t)(between - text);
	far->desc = between + strlen("' - '");
	far->desc_length = (size_t)(close - far->desc);
	return true;
}

static enum dump_line port_line(struct dump_reader *reader, void *state, char *line, size_t length)
{
	(void)state;
	(void)length;
	struct link_end near, far;
	unsigned lanes = 0;
	enum lane_rate rate = RATE_UNKNOWN;
	char *text = line;
	if (!scan_end(&text, &near) || !scan_blanks(&text))
		return LINE_FOREIGN;
	if (!near.number || !near.port_guid)
		return dump_error(reader, "a port has no number or no GUID");
	if (!scan_link(&text, &lanes, &rate) && !*text)
		return dump_error(reader, "a port's line ends before the width and the speed");
	char *peer_at = strstr(text, " - "), *desc = strchr(text, '\'');
	if (!peer_at || (desc && desc < peer_at))
		return LINE_TAKEN; /* no cable */
	peer_at += strlen(" - ");
	if (!scan_end(&peer_at, &far) || !far.number || !far.port_guid)
		return dump_error(reader, "the port at the other end is not 'KIND LID PORT GUID'");
	scan_blanks(&peer_at);
	if (!scan_descs(peer_at, &near, &far))
		return dump_error(reader, "the line does not end with \"( 'NAME' - 'NAME' )\"");
	uint32_t port = link_end_port(reader, &near), peer = port == NONE ? NONE : link_end_port(reader, &far);
	if (peer == NONE)
		return LINE_FAILED;
	link_note(reader, port, peer, lanes, rate);
	return LINE_TAKEN;
}

const struct dump_form dump_form_port_list = {
	.name = "ibnetdiscover -p",
	.summary = "ports as ibnetdiscover -p prints them",
	.kind = DUMP_TOPOLOGY,
	.state_size = 1,
	.line = port_line,
};
