/*
 * Tables of counters whose columns can be in any order. The section PM_INFO of ibdiagnet2.db_csv; other sections are skipped:
 *   START_PM_INFO
 *   NodeGUID,PortGUID,PortNumber,LinkDownedCounter,...,PortXmitDataExtended,...
 *   0x0002c90300a1b2c3,0x0002c90300a1b2c3,1,0,...,0x12d687,...
 *   END_PM_INFO
 * And the telemetry of UFM (UFM Telemetry documentation, primary telemetry fields), of one sample, whose data are bytes:
 *   timestamp,source_id,tag,node_guid,port_guid,port_num,PortXmitDataExtended,PortRcvDataExtended,...
 *   1700000000000000,0x0002c90300a1b2c3,,0x0002c90300a1b2c3,0x0002c90300a1b2c3,1,1234567,...
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { NODE_GUID, PORT_GUID, PORT_NUMBER, FIRST_COUNTER };

struct counter_table {
	const char *name;
	unsigned unit; /* of data, in bytes */
	struct {
		const char *title;
		enum counter counter;
		unsigned bits;
	} column[COUNTER_PLACES];
};

static const struct counter_table db_csv = {"PM_INFO", 4,
	{
		[NODE_GUID] = {.title = "NodeGUID"},
		[PORT_GUID] = {.title = "PortGUID"},
		[PORT_NUMBER] = {.title = "PortNumber"},
		{"PortXmitData", COUNTER_SENT, 32},
		{"PortRcvData", COUNTER_RECEIVED, 32},
		{"PortXmitWait", COUNTER_WAIT, 32},
		{"PortXmitDataExtended", COUNTER_SENT, 64},
		{"PortRcvDataExtended", COUNTER_RECEIVED, 64},
		{"PortXmitWaitExt", COUNTER_WAIT, 64},
	}};

static const struct counter_table ufm = {"the table", 1,
	{
		[NODE_GUID] = {.title = "node_guid"},
		[PORT_GUID] = {.title = "port_guid"},
		[PORT_NUMBER] = {.title = "port_num"},
		{"PortXmitDataExtended", COUNTER_SENT, 64},
		{"PortRcvDataExtended", COUNTER_RECEIVED, 64},
		{"PortXmitWaitExtended", COUNTER_WAIT, 64},
	}};

static enum counter_line read_titles(struct counter_reader *reader, const struct counter_table *table, char *line)
{
	unsigned number = 1;
	for (char *word; (word = strsep(&line, ",")); number++)
		for (int i = 0; i < COUNTER_PLACES; i++)
			if (table->column[i].title && !strcasecmp(word, table->column[i].title))
				reader->place[i] = number;
	char text[100];
	snprintf(text, sizeof text, "%s has no columns %s and %s", table->name, table->column[NODE_GUID].title,
		table->column[PORT_NUMBER].title);
	return reader->place[NODE_GUID] && reader->place[PORT_NUMBER] ? COUNTER_TAKEN : counter_error(reader, text);
}

static enum counter_line read_row(struct counter_reader *reader, const struct counter_table *table, char *line)
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
	char text[100];
	snprintf(text, sizeof text, "a row of %s has no GUID and number of a port", table->name);
	if (!has[NODE_GUID] || !value[NODE_GUID] || !has[PORT_NUMBER] || value[PORT_NUMBER] > UINT8_MAX)
		return counter_error(reader, text);
	uint64_t guid = has[PORT_GUID] && value[PORT_GUID] ? value[PORT_GUID] : value[NODE_GUID];
	if (counters_begin(reader, guid, 0, (uint32_t)value[PORT_NUMBER], true) == COUNTER_FAILED)
		return COUNTER_FAILED;
	reader->inside = false; /* a row is all there is of the port */
	for (int i = FIRST_COUNTER; i < COUNTER_PLACES; i++)
		if (has[i] && table->column[i].title)
			counters_set(reader, table->column[i].counter,
				table->column[i].counter == COUNTER_WAIT ? value[i] : value[i] / (4 / table->unit), table->column[i].bits);
	return COUNTER_TAKEN;
}

static enum counter_line db_csv_line(struct counter_reader *reader, char *line)
{
	if (!strcmp(line, "START_PM_INFO")) {
		reader->section = &db_csv;
		memset(reader->place, 0, sizeof reader->place);
		return COUNTER_TAKEN;
	}
	if (reader->section != &db_csv)
		return COUNTER_FOREIGN;
	if (!strncmp(line, "END_", 4)) {
		reader->section = NULL;
		return COUNTER_TAKEN;
	}
	return reader->place[NODE_GUID] ? read_row(reader, &db_csv, line) : read_titles(reader, &db_csv, line);
}

const struct counter_form counter_form_db_csv = {
	.name = "db_csv",
	.summary = "counters of ibdiagnet's file ibdiagnet2.db_csv",
	.line = db_csv_line,
};

static enum counter_line ufm_line(struct counter_reader *reader, char *line)
{
	static const char first[] = "timestamp,";
	if (!strncmp(line, first, sizeof first - 1)) {
		reader->section = &ufm;
		memset(reader->place, 0, sizeof reader->place);
		return read_titles(reader, &ufm, line);
	}
	if (reader->section != &ufm || line[strcspn(line, ",")] != ',')
		return COUNTER_FOREIGN;
	return read_row(reader, &ufm, line);
}

const struct counter_form counter_form_ufm = {
	.name = "ufm",
	.summary = "a table of UFM's telemetry (CSV)",
	.line = ufm_line,
};
