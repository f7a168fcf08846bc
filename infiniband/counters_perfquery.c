/*
 * perfquery of infiniband-diags, with -x or without:
 *   # Port extended counters: Lid 1719 port 1 (CapMask: 0x5300 CapMask2: 0x0000002)
 *   PortXmitData:....................36298026860928
 */
#include "infiniband/counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool counters_perfquery(struct counter_reader *reader, char *line)
{
	unsigned lid, number;
	if (*line == '#') {
		const char *at = strstr(line, "ounters: Lid ");
		if (!at || sscanf(at, "ounters: Lid %u port %u", &lid, &number) != 2)
			return false;
		reader->wide = strstr(line, "extended") != NULL;
		reader->at = counters_port(reader, 0, lid, number);
		return true;
	}
	char *colon = strchr(line, ':'), *end;
	if (reader->at == SIZE_MAX || !colon || colon == line || colon[1] != '.' || colon - line > 40)
		return false;
	char *digits = colon + 1 + strspn(colon + 1, "."), name[60];
	uint64_t value = strtoull(digits, &end, 0);
	if (end == digits)
		return false;
	bool data = !strncmp(line, "PortXmitData:", 13) || !strncmp(line, "PortRcvData:", 12); /* -x does not widen the others */
	snprintf(name, sizeof name, "%.*s%s", (int)(colon - line), line, reader->wide && data ? "Extended" : "");
	counters_set(reader, reader->at, name, value);
	return true;
}
