/*
 * Reads what smpquery says of the virtual lanes of a port, named by its LID:
 *   # SL2VL table: Lid 2
 *   #                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|
 *   ports: in  0, out  1: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|
 *   # VLArbitration tables: Lid 2 port 1 LowCap 8 HighCap 8
 *   # Low priority VL Arbitration Table:
 *   VL    : |0x0 |0x1 |0x2 |0x0 |0x0 |0x0 |0x0 |0x0 |
 *   WEIGHT: |0x20|0x40|0x80|0x0 |0x0 |0x0 |0x0 |0x0 |
 *   # Port info: Lid 2 port 1
 *   VLHighLimit:.....................4
 */
#include "infiniband/dump.h"
#include "infiniband/port_lanes.h"

#include <string.h>

enum smp_table { TABLE_NONE, TABLE_MAP, TABLE_ARBITRATION, TABLE_INFO };

struct smp_state {
	enum smp_table table;
	uint32_t lid, port;
	bool high, first; /* of arbitration: which table, and whether no row of it was read */
	struct lane_weights weights;
};

/* Scans "Lid 2" or "Lid 2 port 1". */
static bool scan_port(struct smp_state *s, char *text)
{
	s->port = 0;
	if (!scan_text(&text, "Lid ") || !scan_number(&text, LID_LAST, &s->lid) || !s->lid)
		return false;
	return !scan_text(&text, " port ") || scan_number(&text, 254, &s->port);
}

static bool header(struct smp_state *s, char *text)
{
	static const struct {
		const char *text;
		enum smp_table table;
	} headers[] = {{"SL2VL table: ", TABLE_MAP}, {"VLArbitration tables: ", TABLE_ARBITRATION},
		{"No VLArbitration tables (BSP0): ", TABLE_ARBITRATION}, {"Port info: ", TABLE_INFO}};
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		if (scan_text(&text, headers[i].text)) {
			s->table = scan_port(s, text) ? headers[i].table : TABLE_NONE;
			return s->table != TABLE_NONE;
		}
	if (s->table == TABLE_ARBITRATION && (!strncmp(text, "Low priority", 12) || !strncmp(text, "High priority", 13))) {
		s->high = *text == 'H';
		s->first = true;
		return true;
	}
	return s->table == TABLE_MAP && scan_blanks(&text) && scan_text(&text, "SL:");
}

/* Scans "ports: in  0, out  1: | 0| 1|...". */
static enum dump_line map(struct dump_reader *reader, const struct smp_state *s, char *text)
{
	uint8_t lane[SERVICE_LEVELS];
	uint32_t in, out;
	if (!scan_text(&text, "ports: in") || !scan_blanks(&text) || !scan_number(&text, 254, &in) || !scan_text(&text, ", out") ||
		!scan_blanks(&text) || !scan_number(&text, 254, &out) || !scan_char(&text, ':') ||
		scan_bars(text, SERVICE_LEVELS - 1, lane, SERVICE_LEVELS) != SERVICE_LEVELS)
		return LINE_FOREIGN;
	return port_lanes_map(reader->subnet, s->lid, in, out, lane, reader->error) ? LINE_FAILED : LINE_TAKEN;
}

/* Scans a row of lanes, then one of their weights. */
static enum dump_line weigh(struct dump_reader *reader, struct smp_state *s, char *text)
{
	bool lanes = scan_text(&text, "VL");
	if ((!lanes && !scan_text(&text, "WEIGHT")) || !scan_blanks(&text) || !scan_char(&text, ':'))
		return LINE_FOREIGN;
	if (!port_lanes_scan(text, lanes, &s->weights))
		return LINE_FOREIGN;
	if (lanes)
		return LINE_TAKEN;
	if (port_lanes_weigh(reader->subnet, s->lid, s->port, s->high, s->first, &s->weights, reader->error))
		return LINE_FAILED;
	s->weights.entries = 0;
	s->first = false;
	return LINE_TAKEN;
}

/* Scans "VLHighLimit:.....4"; other lines of a port's information do not matter. */
static enum dump_line inform(struct dump_reader *reader, const struct smp_state *s, char *text)
{
	uint32_t limit;
	if (!strchr(text, ':') && *text != '\t')
		return LINE_FOREIGN;
	if (!scan_text(&text, "VLHighLimit:"))
		return strstr(text, ":.") || *text == '\t' ? LINE_TAKEN : LINE_FOREIGN;
	text += strspn(text, ".");
	if (!scan_number(&text, UINT8_MAX, &limit))
		return LINE_FOREIGN;
	return port_lanes_limit(reader->subnet, s->lid, s->port, limit, reader->error) ? LINE_FAILED : LINE_TAKEN;
}

static enum dump_line line(struct dump_reader *reader, void *state, char *text, size_t length)
{
	struct smp_state *s = state;
	(void)length;
	if (text[0] == '#' && text[1] == ' ')
		return header(s, text + 2) ? LINE_TAKEN : LINE_FOREIGN;
	switch (s->table) {
	case TABLE_MAP: return map(reader, s, text);
	case TABLE_ARBITRATION: return weigh(reader, s, text);
	case TABLE_INFO: return inform(reader, s, text);
	default: return LINE_FOREIGN;
	}
}

const struct dump_form dump_form_smpquery = {
	.name = "smpquery",
	.summary = "virtual lanes of ports by smpquery sl2vl, vlarb and portinfo",
	.kind = DUMP_LANES,
	.state_size = sizeof(struct smp_state),
	.line = line,
};
