#include "orcs/counters_file.h"

#include "base/shown.h"
#include "orcs/report_workspace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_BITS = 32 }; /* of data counters */

int counters_check(const struct fabric *fabric, struct error *error)
{
	const struct fabric_labels *l = fabric->labels;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		if (!l->lid[v])
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

static void write_port(const struct report *report, uint32_t node, uint32_t channel, uint32_t back, double fastest, FILE *file)
{
	const struct fabric_labels *l = report_fabric(report)->labels;
	double seconds = report->outcome->channel_limit ? (double)report->outcome->channel_limit[channel] / PICOSECONDS : 0;
	fprintf(file, "# Port extended counters: Lid %u port %" PRIu32 " (CapMask: 0x5300 CapMask2: 0x0000002)\n", l->lid[node],
		l->port[channel]);
	fprintf(file, "PortSelect:......................%" PRIu32 "\nCounterSelect:...................0x0000\n", l->port[channel]);
	write_counter("PortXmitData", units(report, channel), file);
	write_counter("PortRcvData", back == NONE ? 0 : units(report, back), file);
	if (report->outcome->channel_carried) {
		write_counter("PortXmitPkts", packets(report, channel), file);
		write_counter("PortRcvPkts", back == NONE ? 0 : packets(report, back), file);
	}
	write_counter("PortXmitWait", (uint64_t)(seconds * fastest / UNIT_BITS), file);
}

int counters_write(const struct report *report, const double *capacity, FILE *file, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	uint32_t *reverse = fabric_reverse(f, error);
	double fastest = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		fastest = fmax(fastest, capacity[c]);
	for (uint32_t v = 0; reverse && v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			write_port(report, v, c, reverse[c], fastest, file);
	free(reverse);
	return error->status ? -1 : 0;
}
