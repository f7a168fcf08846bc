/*
 * The text of Prometheus exporters whose labels have a GUID and a port, such as infiniband_exporter:
 *   infiniband_switch_port_transmit_data_bytes_total{guid="0x506b4b03005c2740",port="1",switch="leaf1"} 7.15166628708e+14
 * Exporters on hosts name devices, not GUIDs: such lines are left out.
 */
#include "infiniband/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the value of a label to text. Returns whether the label is there. */
static bool label(const char *labels, const char *name, char text[40])
{
	size_t length = strlen(name);
	for (const char *at = labels; (at = strstr(at, name)); at += length) {
		if ((at[-1] != '{' && at[-1] != ',') || at[length] != '=' || at[length + 1] != '"')
			continue;
		const char *value = at + length + 2;
		size_t size = strcspn(value, "\"");
		snprintf(text, 40, "%.*s", size < 39 ? (int)size : 39, value);
		return true;
	}
	return false;
}

bool counters_prometheus(struct counter_reader *reader, char *line)
{
	static const struct {
		const char *part;
		enum counter counter;
	} names[] = {{"transmit_data_bytes", COUNTER_XMIT_BYTES}, {"data_transmitted_bytes", COUNTER_XMIT_BYTES},
		{"receive_data_bytes", COUNTER_RCV_BYTES}, {"data_received_bytes", COUNTER_RCV_BYTES},
		{"transmit_wait", COUNTER_XMIT_WAIT}};
	char *open = strchr(line, '{'), *close = open ? strrchr(open, '}') : NULL, guid[40], port[40], *end;
	if (*line == '#' || !close || !label(open + 1, "guid", guid) || !label(open + 1, "port", port))
		return false;
	double value = strtod(close + 1, &end);
	if (end == close + 1 || !(value >= 0) || value > 0x1p63)
		return false;
	*open = '\0';
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!strstr(line, names[i].part))
			continue;
		size_t at = counters_port(reader, strtoull(guid, NULL, 16), 0, (uint32_t)strtoul(port, NULL, 10));
		if (at == SIZE_MAX)
			return true;
		struct port_counters *p = &reader->counters->port[at];
		p->value[names[i].counter] = (uint64_t)value;
		p->has[names[i].counter] = true;
		return true;
	}
	return true;
}
