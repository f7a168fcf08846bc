/*
 * ibqueryerrors --data of infiniband-diags; the ports "ALL" are sums:
 *   Errors for 0x2c9020025874a "leaf 1"
 *      GUID 0x2c9020025874a port 1: [PortXmitWait == 47]
 *            [PortXmitData == 3456 (13.500KB)] [PortRcvData == 12 (48.000B)]
 */
#include "infiniband/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool counters_ibqueryerrors(struct counter_reader *reader, char *line)
{
	char *text = line + strspn(line, " \t");
	uint64_t guid;
	unsigned number;
	bool taken = false;
	int used = 0;
	if (!strncmp(text, "Errors for ", 11)) {
		reader->at = SIZE_MAX;
		return true;
	}
	if (!strncmp(text, "GUID 0x", 7)) {
		taken = true;
		reader->at = SIZE_MAX;
		if (sscanf(text, "GUID %" SCNi64 " port %u:%n", (int64_t *)&guid, &number, &used) >= 2 && used)
			reader->at = counters_port(reader, guid, 0, number);
	}
	if (!taken && (reader->at == SIZE_MAX || *text != '['))
		return false;
	for (char *open = strchr(text, '['); open && reader->at != SIZE_MAX; open = strchr(open + 1, '[')) {
		char name[60], *equal = strstr(open, " == ");
		if (!equal || equal - open > 50)
			break;
		snprintf(name, sizeof name, "%.*s", (int)(equal - open - 1), open + 1);
		counters_set(reader, reader->at, name, strtoull(equal + 4, NULL, 0));
		open = equal;
	}
	return true;
}
