/*
 * The section PM_INFO of ibdiagnet2.db_csv, whose columns can be in any order; other sections are skipped:
 *   START_PM_INFO
 *   NodeGUID,PortGUID,PortNumber,LinkDownedCounter,...,PortXmitDataExtended,...
 *   0x0002c90300a1b2c3,0x0002c90300a1b2c3,1,0,...,0x12d687,...
 *   END_PM_INFO
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <string.h>
#include <strings.h>

enum { NODE_GUID, PORT_GUID, PORT_NUMBER, FIRST_COUNTER };

static const struct {
	const char *title;
	enum counter counter;
	unsigned bits;
} columns[COUNTER_PLACES] = {
	[NODE_GUID] = {.title = "NodeGUID"},
	[PORT_GUID] = {.title = "PortGUID"},
	[PORT_NUMBER] = {.title = "PortNumber"},
	{"PortXmitData", COUNTER_SENT, 32},
	{"PortRcvData", COUNTER_RECEIVED, 32},
	{"PortXmitWait", COUNTER_WAIT, 32},
	{"PortXmitDataExtended", COUNTER_SENT, 64},
	{"PortRcvDataExtended", COUNTER_RECEIVED, 64},
	{"PortXmitWaitExt", COUNTER_WAIT, 64},
};

static enum counter_line read_titles(struct counter_reader *reader, char *line)
{
	unsigned number = 1;
	for (char *word; (word = strsep(&line, ",")); number++)
		for (int i = 0; i < COUNTER_PLACES; i++)
			if (!strcasecmp(word, columns[i].title))
				reader->place[i] = number;
	if (!reader->place[NODE_GUID] || !reader->place[PORT_NUMBER])
		return counter_error(reader, "PM_INFO has no columns NodeGUID and PortNumber");
	return COUNTER_TAKEN;
}

static enum counter_line read_row(struct counter_reader *reader, char *line)
{
	uint64_t value[COUNTER_PLACES];
	bool has[COUNTER_PLACES] = {false};
	unsigned number = 1;
	for (char *word; (word = strsep(&line, ",")); number++)
		for (int i = 0; i < COUNTER_PLACES; i++) {
			char *text = word;
			if (reader->place[i] == number)
				has[i] = scan_count(&text, &value[i]) && !*text; /* otherwise N/A */
		}
	if (!has[NODE_GUID] || !value[NODE_GUID] || !has[PORT_NUMBER] || value[PORT_NUMBER] > UINT8_MAX)
		return counter_error(reader, "a row of PM_INFO has no GUID and number of a port");
	uint64_t guid = has[PORT_GUID] && value[PORT_GUID] ? value[PORT_GUID] : value[NODE_GUID];
	if (counters_begin(reader, guid, 0, (uint32_t)value[PORT_NUMBER], true) == COUNTER_FAILED)
		return COUNTER_FAILED;
	reader->inside = false; /* a row is all there is of the port */
	for (int i = FIRST_COUNTER; i < COUNTER_PLACES; i++)
		if (has[i])
			counters_set(reader, columns[i].counter, value[i], columns[i].bits);
	return COUNTER_TAKEN;
}

static enum counter_line db_csv_line(struct counter_reader *reader, char *line)
{
	if (!strcmp(line, "START_PM_INFO")) {
		reader->section = true;
		memset(reader->place, 0, sizeof reader->place);
		return COUNTER_TAKEN;
	}
	if (!reader->section)
		return COUNTER_FOREIGN;
	if (!strncmp(line, "END_", 4)) {
		reader->section = false;
		return COUNTER_TAKEN;
	}
	return reader->place[NODE_GUID] ? read_row(reader, line) : read_titles(reader, line);
}

const struct counter_form counter_form_db_csv = {
	.name = "db_csv",
	.summary = "counters of ibdiagnet's file ibdiagnet2.db_csv",
	.line = db_csv_line,
};
