/*
 * Counters as ibdiagnet writes them to its file ibdiagnet2.pm, a block for each port:
 *   Port=1 Lid=0x0002 GUID=0x0002c90300a1b2c3 Device=4099 Port Name=leaf 1/P1
 *   port_xmit_data=0x00001234
 *   port_xmit_data_extended=0x000000000012d687
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <string.h>

static enum counter_line block(struct counter_reader *reader, char *text)
{
	uint64_t lid, guid;
	uint32_t port;
	char *at = strstr(text, " GUID=");
	if (!scan_number(&text, UINT8_MAX, &port) || !scan_text(&text, " Lid=") || !scan_count(&text, &lid) || lid > UINT16_MAX || !at ||
		(at += strlen(" GUID="), !scan_hex(&at, &guid)) || !guid)
		return counter_error(reader, "a block does not begin with 'Port=PORT Lid=LID GUID=GUID'");
	return counters_begin(reader, guid, 0, port, false);
}

static enum counter_line ibdiagnet_line(struct counter_reader *reader, char *line)
{
	static const char *const name[COUNTERS] = {"port_xmit_data", "port_rcv_data", "port_xmit_wait"};
	char *text = line;
	if (scan_text(&text, "Port="))
		return block(reader, text);
	if (!reader->inside)
		return COUNTER_FOREIGN;
	for (int k = 0; k < COUNTERS; k++) {
		uint64_t value;
		text = line;
		if (!scan_text(&text, name[k]))
			continue;
		bool wide = scan_text(&text, "_extended");
		if (!scan_char(&text, '=') || *text == 'N') /* NA, N/A */
			continue;
		if (!scan_count(&text, &value))
			return counter_error(reader, "a counter is not a number below 2^64");
		counters_set(reader, (enum counter)k, value, wide ? 64 : 32);
	}
	return (strchr(line, '=') && !strchr(line, '{')) || *line == '-' || *line == '#' ? COUNTER_TAKEN : COUNTER_FOREIGN;
}

const struct counter_form counter_form_ibdiagnet = {
	.name = "ibdiagnet",
	.summary = "counters of ibdiagnet's file ibdiagnet2.pm",
	.line = ibdiagnet_line,
};
