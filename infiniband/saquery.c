/*
 * Reads what saquery says of the virtual lanes of ports (SL2VL, VLAR and PIR): records with a line for each value, named by LID and port.
 *   SL2VLTableRecord dump:
 *   		LID........................2
 *   		InPort.....................0
 *   		OutPort....................1
 *   		SL: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
 *   		VL: 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
 *   VLArbTableRecord dump:
 *   		LID........................2
 *   		Port.......................1
 *   		Block......................1
 *   		VL    : 0| 1| 2| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
 *   		Weight:32|64|128| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|
 * Blocks 1 and 2 are the table of low priority, 3 and 4 that of high priority.
 */
#include "infiniband/dump.h"
#include "infiniband/port_lanes.h"

#include <string.h>

enum sa_record { RECORD_NONE, RECORD_MAP, RECORD_ARBITRATION, RECORD_INFO };

struct sa_state {
	enum sa_record record;
	uint32_t lid, in, port, block;
	bool first; /* no row of the block was read */
	struct lane_weights weights;
};

/* Scans "NAME......VALUE" or "NAME:.....VALUE". */
static bool scan_value(char *text, const char *name, uint32_t max, uint32_t *value)
{
	if (!scan_text(&text, name) || (*text != '.' && *text != ':'))
		return false;
	text += strspn(text, ":.");
	return scan_number(&text, max, value);
}

static enum dump_line map(struct dump_reader *reader, const struct sa_state *s, char *text)
{
	uint8_t lane[SERVICE_LEVELS];
	if (!scan_text(&text, "VL:") || scan_bars(text, SERVICE_LEVELS - 1, lane, SERVICE_LEVELS) != SERVICE_LEVELS || !s->lid)
		return LINE_FOREIGN;
	return port_lanes_map(reader->subnet, s->lid, s->in, s->port, lane, reader->error) ? LINE_FAILED : LINE_TAKEN;
}

/* Scans a row of lanes, then one of their weights. */
static enum dump_line weigh(struct dump_reader *reader, struct sa_state *s, char *text)
{
	bool lanes = scan_text(&text, "VL");
	if ((!lanes && !scan_text(&text, "Weight")) || !scan_blanks(&text) || !scan_char(&text, ':') || !s->lid || !s->block)
		return LINE_FOREIGN;
	if (!port_lanes_scan(text, lanes, &s->weights))
		return LINE_FOREIGN;
	if (lanes)
		return LINE_TAKEN;
	if (port_lanes_weigh(reader->subnet, s->lid, s->port, s->block > 2, s->first && s->block % 2, &s->weights, reader->error))
		return LINE_FAILED;
	s->weights.entries = 0;
	s->first = false;
	return LINE_TAKEN;
}

/* Begins a record. Returns whether it is one of those. */
static bool header(struct sa_state *s, const char *text)
{
	static const char *const headers[] = {[RECORD_MAP] = "SL2VLTableRecord dump:",
		[RECORD_ARBITRATION] = "VLArbTableRecord dump:",
		[RECORD_INFO] = "PortInfoRecord dump:"};
	for (int record = RECORD_MAP; record <= RECORD_INFO; record++)
		if (!strcmp(text, headers[record])) {
			*s = (struct sa_state){.record = (enum sa_record)record, .first = true};
			return true;
		}
	return false;
}

/* Scans a value that names the port. Returns whether it is one. */
static bool scan_port(struct sa_state *s, char *text)
{
	if (s->record == RECORD_INFO)
		return scan_value(text, "EndPortLid", LID_LAST, &s->lid) || scan_value(text, "PortNum", 254, &s->port);
	return scan_value(text, "LID", LID_LAST, &s->lid) || scan_value(text, "InPort", 254, &s->in) ||
	       scan_value(text, "OutPort", 254, &s->port) || scan_value(text, "Port", 254, &s->port) ||
	       scan_value(text, "Block", 4, &s->block);
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length)
{
	struct sa_state *s = state;
	uint32_t limit;
	(void)length;
	bool indented = *text == ' ' || *text == '\t';
	scan_blanks(&text);
	if (header(s, text))
		return LINE_TAKEN;
	if (!s->record || !indented)
		return LINE_FOREIGN;
	if (scan_port(s, text))
		return LINE_TAKEN;
	if (s->record == RECORD_MAP)
		return scan_text(&text, "SL:") ? LINE_TAKEN : map(reader, s, text);
	if (s->record == RECORD_ARBITRATION)
		return weigh(reader, s, text);
	if (s->lid && scan_value(text, "VLHighLimit", UINT8_MAX, &limit) &&
		port_lanes_limit(reader->subnet, s->lid, s->port, limit, reader->error))
		return LINE_FAILED;
	return LINE_TAKEN;
}

const struct dump_form dump_form_saquery = {
	.name = "saquery",
	.summary = "virtual lanes of ports by saquery SL2VL, VLAR and PIR",
	.kind = DUMP_LANES,
	.state_size = sizeof(struct sa_state),
	.line = line,
};
