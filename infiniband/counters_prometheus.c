/*
 * Counters in the text format of Prometheus, of exporters whose series have the labels guid and port. Data are bytes:
 *   infiniband_switch_port_transmit_data_bytes_total{guid="0x0002c90300a1b2c3",port="5",switch="leaf 1"} 1.61120e+05 1700000000000
 *   infiniband_switch_port_transmit_wait_total{guid="0x0002c90300a1b2c3",port="5",switch="leaf 1"} 17
 * Those of node_exporter have only a device, whose place in the fabric they do not tell, and are skipped.
 */
#include "infiniband/counters.h"
#include "infiniband/dump.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const part[COUNTERS][2] = {{"transmit", "data"}, {"receive", "data"}, {"transmit", "wait"}};

/* Finds ,LABEL="VALUE" or {LABEL="VALUE" from text on, up to the end of the labels; returns the value, NULL: there is none. */
static char *label(char *text, const char *name)
{
	size_t length = strlen(name);
	while (*text && *text != '}') {
		text += strspn(text, "{, ");
		size_t key = strcspn(text, "=}");
		char *value = text + key;
		if (value[0] != '=' || value[1] != '"')
			return NULL;
		value += 2;
		char *end = value;
		while (*end && *end != '"')
			end += *end == '\\' && end[1] ? 2 : 1;
		if (!*end)
			return NULL;
		if (key == length && !strncmp(text, name, length))
			return value;
		text = end + 1;
	}
	return NULL;
}

/* Returns the end of the labels, behind '}'; NULL: they do not end. */
static char *labels_end(char *text)
{
	bool quoted = false;
	for (; *text; text++) {
		if (*text == '\\' && quoted && text[1])
			text++;
		else if (*text == '"')
			quoted = !quoted;
		else if (*text == '}' && !quoted)
			return text + 1;
	}
	return NULL;
}

static enum counter_line prometheus_line(struct counter_reader *reader, char *line)
{
	char *brace = strchr(line, '{'), *guid_text, *port_text, *rest;
	size_t name = strcspn(line, "{ \t\"=:");
	uint64_t guid;
	uint32_t port;
	int counter = COUNTERS;
	if (*line == '#' || !brace || name != (size_t)(brace - line))
		return COUNTER_FOREIGN;
	*brace = '\0';
	for (int k = 0; k < COUNTERS; k++)
		if (strstr(line, part[k][0]) && strstr(line, part[k][1]) && (k == COUNTER_WAIT || strstr(line, "bytes")))
			counter = k;
	*brace = '{';
	if (counter == COUNTERS || !(rest = labels_end(brace)) || !(guid_text = label(brace, "guid")) ||
		!(port_text = label(brace, "port")))
		return COUNTER_FOREIGN;
	if (!scan_hex(&guid_text, &guid) || !guid || !scan_number(&port_text, UINT8_MAX, &port))
		return counter_error(reader, "the labels guid and port are not a GUID and a number of a port");
	char *end;
	double value = strtod(rest, &end);
	if (end == rest || !(value >= 0) || value >= 0x1p64)
		return counter_error(reader, "the value is not a number below 2^64");
	if (counters_begin(reader, guid, 0, port, true) != COUNTER_TAKEN)
		return COUNTER_FAILED;
	counters_set(reader, (enum counter)counter, (uint64_t)(counter == COUNTER_WAIT ? value : value / 4), 64);
	return COUNTER_TAKEN;
}

const struct counter_form counter_form_prometheus = {
	.name = "prometheus",
	.summary = "counters in Prometheus's text format with the labels guid and port",
	.line = prometheus_line,
};
