/*
 * ibdiagnet 2: the file ibdiagnet2.pm
 *   Port=1 Lid=0x0007 GUID=0x0002c9030060cd30 Device=51000 Port Name=leaf1/P1
 *   port_xmit_data=12345
 *   port_xmit_data_extended=1234567890
 * and the section PM_INFO of ibdiagnet2.db_csv, whose columns can be in any order:
 *   NodeGUID,PortGUID,PortNumber,LinkDownedCounter,...,PortXmitDataExtended,...
 *   0x0002c9030060cd30,0x0002c9030060cd30,1,0,...,0x12345,...
 */
#include "infiniband/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NODE_GUID, PORT_NUMBER, XMIT, RCV, WAIT, XMIT_64, RCV_64, WAIT_64, PLACES };

static const char *const titles[PLACES] = {[NODE_GUID] = "NodeGUID",
	[PORT_NUMBER] = "PortNumber",
	[XMIT] = "PortXmitData",
	[RCV] = "PortRcvData",
	[WAIT] = "PortXmitWait",
	[XMIT_64] = "PortXmitDataExtended",
	[RCV_64] = "PortRcvDataExtended",
	[WAIT_64] = "PortXmitWaitExt"};

/* The line with the names of the columns. place: from 1; 0: there is no such column. */
static void read_titles(struct counter_reader *reader, char *line)
{
	memset(reader->place, 0, sizeof reader->place);
	unsigned number = 1;
	for (char *word; (word = strsep(&line, ",")); number++)
		for (int i = 0; i < PLACES; i++)
			if (!strcasecmp(word, titles[i]) || (i == PORT_NUMBER && !strcasecmp(word, "PortNum")))
				reader->place[i] = number;
}

static void read_row(struct counter_reader *reader, char *line)
{
	uint64_t value[PLACES] = {0};
	bool has[PLACES] = {false};
	unsigned number = 1;
	for (char *word, *end; (word = strsep(&line, ",")); number++)
		for (int i = 0; i < PLACES; i++)
			if (reader->place[i] == number) {
				value[i] = strtoull(word, &end, 0);
				has[i] = end != word;
			}
	if (!has[NODE_GUID] || !has[PORT_NUMBER] || value[PORT_NUMBER] > UINT16_MAX)
		return;
	size_t port = counters_port(reader, value[NODE_GUID], 0, (uint32_t)value[PORT_NUMBER]);
	for (int i = XMIT; i < PLACES; i++)
		if (has[i])
			counters_set(reader, port, i == WAIT_64 ? "PortXmitWaitExtended" : titles[i], value[i]);
}

bool counters_ibdiagnet(struct counter_reader *reader, char *line)
{
	unsigned number, lid;
	unsigned long long guid;
	if (!strcmp(line, "START_PM_INFO")) {
		reader->columns = true;
		memset(reader->place, 0, sizeof reader->place);
		return true;
	}
	if (reader->columns) {
		if (!strncmp(line, "END_", 4))
			reader->columns = false;
		else if (!reader->place[NODE_GUID])
			read_titles(reader, line);
		else
			read_row(reader, line);
		return true;
	}
	if (sscanf(line, "Port=%u Lid=%i GUID=%llx", &number, (int *)&lid, &guid) == 3) {
		reader->at = counters_port(reader, guid, lid, number);
		return true;
	}
	char *equal = strchr(line, '='), *end;
	if (reader->at == SIZE_MAX || !equal || equal == line || equal - line > 60 || strcspn(line, " \t") < (size_t)(equal - line))
		return false;
	uint64_t value = strtoull(equal + 1, &end, 0);
	if (end == equal + 1)
		return false;
	*equal = '\0';
	counters_set(reader, reader->at, line, value);
	return true;
}
