/*
 * Counters as ibqueryerrors prints them with --data, a line for each port; those of all ports of a node together (port ALL) are skipped:
 *   Errors for 0x2c90300a1b2c3 "leaf 1"
 *      GUID 0x2c90300a1b2c3 port 5: [PortXmitWait == 17] [PortXmitData == 40280 (157.344KB)] [PortRcvData == 40296 (157.406KB)]
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <string.h>

static enum counter_line ibqueryerrors_line(struct counter_reader *reader, char *line)
{
	static const char *const name[COUNTERS] = {"[PortXmitData == ", "[PortRcvData == ", "[PortXmitWait == "};
	char *text = line;
	uint64_t guid, value;
	uint32_t port;
	scan_blanks(&text);
	if (!scan_text(&text, "GUID ") || !scan_hex(&text, &guid) || !scan_text(&text, " port "))
		return COUNTER_FOREIGN;
	if (scan_text(&text, "ALL:"))
		return COUNTER_TAKEN;
	if (!guid || !scan_number(&text, UINT8_MAX, &port) || !scan_char(&text, ':'))
		return counter_error(reader, "a port is not 'GUID GUID port PORT: [COUNTER == VALUE]...'");
	if (counters_begin(reader, guid, 0, port, true) != COUNTER_TAKEN)
		return COUNTER_FAILED;
	for (int k = 0; k < COUNTERS; k++) {
		char *at = strstr(text, name[k]);
		if (!at)
			continue;
		at += strlen(name[k]);
		if (!scan_count(&at, &value))
			return counter_error(reader, "a counter is not a number below 2^64");
		/* data counters are of 64 bits where the port has them; a value that 32 bits hold in full is the end of a short one */
		counters_set(reader, (enum counter)k, value, value == UINT32_MAX || k == COUNTER_WAIT ? 32 : 64);
	}
	return COUNTER_TAKEN;
}

const struct counter_form counter_form_ibqueryerrors = {
	.name = "ibqueryerrors",
	.summary = "counters as ibqueryerrors --data prints them",
	.line = ibqueryerrors_line,
};
