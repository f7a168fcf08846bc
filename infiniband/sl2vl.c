/*
 * Reads the virtual lane that a switch uses for each service level, from each port to each other, as OpenSM writes it to
 * opensm-sl2vl.dump:
 *   Switch 0x0000000000200000, base LID 2, "leaf 1"
 *   #in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15
 *   1   2   : 0  1  0  1  0  1  0  1  4  5  4  5  4  5  4  5
 * A table is kept until it ends, as only then the number of ports of its switch is known. That of a channel adapter has one row.
 */
#include "infiniband/dump.h"
#include "infiniband/port_lanes.h"

#include <string.h>

enum { PORTS = 255 };

struct sl2vl_row {
	uint8_t in, out, vl[SERVICE_LEVELS];
};

struct lanes {
	bool open;     /* rows of a table follow */
	uint32_t node; /* node of the switch, NONE: table of a channel adapter */
	uint32_t lid;
	uint32_t ports; /* the largest port number so far */
	uint32_t rows;  /* of the table so far */
	struct sl2vl_row row[PORTS * PORTS];
};

/* Passes the completed table to the subnet. */
static enum dump_line end(struct dump_reader *reader, void *state)
{
	struct lanes *lanes = state;
	if (lanes->rows && reader->subnet->node[lanes->node].ports < lanes->ports)
		reader->subnet->node[lanes->node].ports = lanes->ports;
	for (uint32_t r = 0; r < lanes->rows; r++) {
		const struct sl2vl_row *row = &lanes->row[r];
		if (subnet_sl2vl(reader->subnet, lanes->node, row->in, row->out, row->vl, reader->error))
			return LINE_FAILED;
	}
	lanes->rows = lanes->ports = 0;
	lanes->open = false;
	return LINE_TAKEN;
}

/* Scans "Switch 0x0000000000200000, base LID 2, ...". */
static bool scan_header(char **text, bool *is_switch, uint64_t *guid, uint32_t *lid)
{
	char *at = *text;
	scan_blanks(&at);
	*is_switch = scan_text(&at, "Switch ");
	if (!*is_switch && !scan_text(&at, "Channel Adapter ") && !scan_text(&at, "Router "))
		return false;
	return scan_hex(&at, guid) && *guid && scan_text(&at, ", base LID ") && (scan_number(&at, LID_LAST, lid) || (*lid = 0, true));
}

static enum dump_line header(struct dump_reader *reader, struct lanes *lanes, bool is_switch, uint64_t guid, uint32_t lid)
{
	if (end(reader, lanes) == LINE_FAILED)
		return LINE_FAILED;
	lanes->open = true;
	lanes->node = NONE;
	lanes->lid = lid;
	if (!is_switch)
		return LINE_TAKEN;
	lanes->node = subnet_node_of_guid(reader->subnet, guid, NODE_SWITCH, reader->error);
	return lanes->node == NONE ? LINE_FAILED : LINE_TAKEN;
}

/* Scans "1   2   : 0  1  0  1 ...", all sixteen values. */
static bool scan_row(char *text, struct sl2vl_row *row)
{
	uint32_t in, out, vl;
	if (!scan_number(&text, PORTS - 1, &in) || !scan_blanks(&text) || !scan_number(&text, PORTS - 1, &out) || !scan_blanks(&text) ||
		!scan_char(&text, ':'))
		return false;
	row->in = (uint8_t)in;
	row->out = (uint8_t)out;
	for (int level = 0; level < SERVICE_LEVELS; level++) {
		scan_blanks(&text);
		if (!scan_number(&text, SERVICE_LEVELS - 1, &vl))
			return false;
		row->vl[level] = (uint8_t)vl;
	}
	scan_blanks(&text);
	return !*text;
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length __attribute__((unused)))
{
	struct lanes *lanes = state;
	struct sl2vl_row row;
	bool is_switch;
	uint64_t guid;
	uint32_t lid;
	if (scan_header(&text, &is_switch, &guid, &lid))
		return header(reader, lanes, is_switch, guid, lid);
	if (!lanes->open)
		return LINE_FOREIGN;
	scan_blanks(&text);
	if (!*text || *text == '#')
		return LINE_TAKEN;
	if (!scan_row(text, &row) || lanes->rows == PORTS * PORTS)
		return LINE_FOREIGN;
	if (lanes->node == NONE && lanes->lid)
		return port_lanes_map(reader->subnet, lanes->lid, row.in, row.out, row.vl, reader->error) ? LINE_FAILED : LINE_TAKEN;
	if (lanes->node == NONE)
		return LINE_TAKEN;
	lanes->ports = row.in > lanes->ports ? row.in : lanes->ports;
	lanes->ports = row.out > lanes->ports ? row.out : lanes->ports;
	lanes->row[lanes->rows++] = row;
	return LINE_TAKEN;
}

const struct dump_form dump_form_sl2vl = {
	.name = "sl2vl",
	.summary = "virtual lanes of service levels in opensm-sl2vl.dump",
	.kind = DUMP_LANES,
	.state_size = sizeof(struct lanes),
	.line = line,
	.end = end,
};
