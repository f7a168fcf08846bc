#include "orcs/counters_file.h"

#include "base/shown.h"
#include "orcs/report_workspace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_BITS = 32 }; /* of data counters */

bool counters_are_table(const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot && !strcmp(dot, ".csv");
}

int counters_check(const struct fabric *fabric, bool table, struct error *error)
{
	const struct fabric_labels *l = fabric->labels;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		if (table && !l->guid[v])
			return error_at(error, STATUS_USAGE, l->source, 0,
				"'%s' has no GUID, which --counters with a table needs: use dumps or a graph of them", SHOWN(l->name[v]));
		if (!table && !l->lid[v])
			return error_at(error, STATUS_USAGE, l->source, 0,
				"'%s' has no LID, which --counters needs: use dumps or a graph of them", SHOWN(l->name[v]));
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if (!l->port[c])
				return error_at(error, STATUS_USAGE, l->source, 0,
					"a port of '%s' has no number, which --counters needs: use dumps or a graph of them",
					SHOWN(l->name[v]));
	}
	return 0;
}

/* Returns the data of a channel in units of counters. */
static uint64_t units(const struct report *report, uint32_t channel)
{
	const uint64_t *carried = report->outcome->channel_carried;
	return carried ? carried[2 * (size_t)channel] / (UNIT_BITS / 8) : (uint64_t)(report_channel_sum(report, channel) / UNIT_BITS);
}

/* The counters of a port; data in units of 4 bytes. */
struct port_values {
	uint64_t sent, received, packets_sent, packets_received, wait;
	bool has_packets;
};

/* Writes a line as perfquery does: the value begins in the same column everywhere. */
static void write_counter(const char *name, uint64_t value, FILE *file)
{
	enum { COLUMN = 33 };
	static const char dots[] = ".................................";
	fprintf(file, "%s:%.*s%" PRIu64 "\n", name, COLUMN - 1 - (int)strlen(name), dots, value);
}

/* Returns the packets of a channel. */
static uint64_t packets(const struct report *report, uint32_t channel)
{
	return report->outcome->channel_carried[2 * (size_t)channel + 1];
}

static struct port_values values_of(const struct report *report, uint32_t channel, uint32_t back, double fastest)
{
	double seconds = report->outcome->channel_limit ? (double)report->outcome->channel_limit[channel] / PICOSECONDS : 0;
	bool has = report->outcome->channel_carried != NULL;
	return (struct port_values){
		.sent = units(report, channel),
		.received = back == NONE ? 0 : units(report, back),
		.packets_sent = has ? packets(report, channel) : 0,
		.packets_received = has && back != NONE ? packets(report, back) : 0,
		.wait = (uint64_t)(seconds * fastest / UNIT_BITS),
		.has_packets = has,
	};
}

/* Writes a block as perfquery -x does. */
static void write_block(const struct fabric_labels *l, uint32_t node, uint32_t channel, const struct port_values *v, FILE *file)
{
	fprintf(file, "# Port extended counters: Lid %u port %" PRIu32 " (CapMask: 0x5300 CapMask2: 0x0000002)\n", l->lid[node],
		l->port[channel]);
	fprintf(file, "PortSelect:......................%" PRIu32 "\nCounterSelect:...................0x0000\n", l->port[channel]);
	write_counter("PortXmitData", v->sent, file);
	write_counter("PortRcvData", v->received, file);
	if (v->has_packets) {
		write_counter("PortXmitPkts", v->packets_sent, file);
		write_counter("PortRcvPkts", v->packets_received, file);
	}
	write_counter("PortXmitWait", v->wait, file);
}

/* Writes a row as UFM's telemetry does, without a time; its data are bytes. */
static void write_row(const struct fabric *f, uint32_t node, uint32_t channel, const struct port_values *v, FILE *file)
{
	const struct fabric_labels *l = f->labels;
	uint64_t guid = l->node_guid && l->node_guid[node] ? l->node_guid[node] : l->guid[node];
	fprintf(file, "0,0x%016" PRIx64 ",,0x%016" PRIx64 ",0x%016" PRIx64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64, guid, guid, l->guid[node],
		l->port[channel], 4 * v->sent, 4 * v->received);
	if (v->has_packets)
		fprintf(file, ",%" PRIu64 ",%" PRIu64, v->packets_sent, v->packets_received);
	fprintf(file, ",%" PRIu64 "\n", v->wait);
}

int counters_write(const struct report *report, const double *capacity, bool table, FILE *file, struct error *error)
{
	bool has_packets = report->outcome->channel_carried != NULL;
	const struct fabric *f = report_fabric(report);
	uint32_t *reverse = fabric_reverse(f, error);
	double fastest = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		fastest = fmax(fastest, capacity[c]);
	if (table)
		fprintf(file,
			"timestamp,source_id,tag,node_guid,port_guid,port_num,PortXmitDataExtended,PortRcvDataExtended,%sPortXmitWaitExtended\n",
			has_packets ? "PortXmitPktsExtended,PortRcvPktsExtended," : "");
	for (uint32_t v = 0; reverse && v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			struct port_values values = values_of(report, c, reverse[c], fastest);
			if (table)
				write_row(f, v, c, &values, file);
			else
				write_block(f->labels, v, c, &values, file);
		}
	free(reverse);
	return error->status ? -1 : 0;
}
