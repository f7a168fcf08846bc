/*
 * Reads forwarding tables as OpenSM and ibdiagnet write them to opensm.fdbs (osm.fdbs), ibdiagnet.fdbs and ibdiagnet2.fdbs:
 *   dump_ucast_routes: Switch 0x0000000000200000
 *   LID    : Port : Hops : Optimal
 *   0x0001 : 005  : 02   : yes
 *   0x0002 : UNREACHABLE
 * and skips those of multicast groups, .mcfdbs:
 *   Switch 0x0000000000200000
 *   LID    : Out Port(s)
 *   0xC000 : 0x001 0x002
 */
#include "infiniband/dump.h"

#include <string.h>

struct fdbs {
	enum { CLOSED, UNICAST, PASSED } table; /* kind of table to which the following lines belong */
	uint32_t node;                          /* node of the switch */
};

static enum dump_line header(struct dump_reader *reader, struct fdbs *fdbs, char *text)
{
	uint64_t guid;
	fdbs->table = CLOSED;
	if (!scan_hex(&text, &guid) || !guid)
		return LINE_FOREIGN;
	fdbs->node = subnet_node_of_guid(reader->subnet, guid, NODE_SWITCH, reader->error);
	if (fdbs->node == NONE || subnet_table(reader->subnet, fdbs->node, reader->error))
		return LINE_FAILED;
	fdbs->table = UNICAST;
	return LINE_TAKEN;
}

/* Parses the other header: "Switch 0x0000000000200000" alone is of multicast groups; a longer line is the header of another format. */
static enum dump_line other_header(struct fdbs *fdbs, char *text)
{
	uint64_t guid;
	bool multicast = scan_text(&text, " 0x") && scan_hex(&text, &guid) && scan_blanks(&text) && !*text;
	fdbs->table = multicast ? PASSED : CLOSED;
	return multicast ? LINE_TAKEN : LINE_FOREIGN;
}

/* Parses the header of one of several tables of a switch (for the virtual lanes of adaptive routing), of which only the first is read. */
static enum dump_line private_table(struct fdbs *fdbs, char *text)
{
	uint32_t number;
	scan_blanks(&text);
	if (!scan_number(&text, UINT32_MAX, &number))
		return LINE_FOREIGN;
	if (number)
		fdbs->table = PASSED;
	return LINE_TAKEN;
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length __attribute__((unused)))
{
	struct fdbs *fdbs = state;
	uint64_t lid;
	uint32_t port;
	scan_blanks(&text);
	if (!(text[0] == '0' && (text[1] | 0x20) == 'x')) {
		char *found = strstr(text, "ump_ucast_routes: Switch "); /* the names before it differ between versions */
		if (found)
			return header(reader, fdbs, found + strlen("ump_ucast_routes: Switch "));
		if (scan_text(&text, "Switch"))
			return other_header(fdbs, text);
		if (fdbs->table == CLOSED)
			return LINE_FOREIGN;
		if (scan_text(&text, "PLFT_NUM:"))
			return private_table(fdbs, text);
		return !*text || (scan_text(&text, "LID ") && strchr(text, ':')) ? LINE_TAKEN : LINE_FOREIGN;
	}
	if (fdbs->table == CLOSED || !scan_hex(&text, &lid) || lid > UINT16_MAX)
		return LINE_FOREIGN;
	scan_blanks(&text);
	if (!scan_char(&text, ':'))
		return LINE_FOREIGN;
	scan_blanks(&text);
	if (fdbs->table == PASSED || scan_text(&text, "UNREACHABLE"))
		return LINE_TAKEN;
	if (!scan_number(&text, LFT_NO_PORT, &port) || lid > LID_LAST)
		return LINE_FOREIGN;
	if (lid && port != LFT_NO_PORT && dump_entry(reader, fdbs->node, (unsigned)lid, port))
		return LINE_FAILED;
	return LINE_TAKEN;
}

const struct dump_form dump_form_fdbs = {
	.name = "fdbs",
	.summary = "forwarding tables in opensm.fdbs and ibdiagnet.fdbs; .mcfdbs is skipped",
	.kind = DUMP_TABLES,
	.state_size = sizeof(struct fdbs),
	.line = line,
};
