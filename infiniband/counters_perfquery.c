/*
 * Counters as perfquery prints them, with -x of 64 bits:
 *   # Port extended counters: Lid 2052 port 1 (CapMask: 0x5300 CapMask2: 0x0000002)
 *   PortXmitData:....................178791657177235
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <string.h>

static enum counter_line header(struct counter_reader *reader, char *line)
{
	char *text = strstr(line, " counters: Lid ");
	uint32_t lid, port;
	if (!text)
		return COUNTER_FOREIGN;
	bool wide = strstr(line, "extended") && strstr(line, "extended") < text;
	text += strlen(" counters: Lid ");
	if (!scan_number(&text, UINT16_MAX, &lid) || !scan_text(&text, " port ") || !scan_number(&text, UINT8_MAX, &port))
		return counter_error(reader, "a block does not begin with '# Port counters: Lid LID port PORT'");
	return counters_begin(reader, 0, lid, port, wide);
}

static enum counter_line perfquery_line(struct counter_reader *reader, char *line)
{
	static const char *const name[COUNTERS] = {"PortXmitData:", "PortRcvData:", "PortXmitWait:"};
	if (!strncmp(line, "# Port", 6))
		return header(reader, line);
	if (!reader->inside)
		return COUNTER_FOREIGN;
	for (int k = 0; k < COUNTERS; k++) {
		char *text = line;
		uint64_t value;
		if (!scan_text(&text, name[k]))
			continue;
		text += strspn(text, ". \t");
		if (!scan_count(&text, &value))
			return counter_error(reader, "a counter is not a number below 2^64");
		counters_set(reader, (enum counter)k, value, reader->wide ? 64 : 32);
	}
	return strstr(line, ":..") ? COUNTER_TAKEN : COUNTER_FOREIGN;
}

const struct counter_form counter_form_perfquery = {
	.name = "perfquery",
	.summary = "counters as perfquery prints them; with -x of 64 bits",
	.line = perfquery_line,
};
