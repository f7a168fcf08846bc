#include "orcs/counters_file.h"

#include "base/shown.h"
#include "orcs/report_workspace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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

static uint64_t units(const struct report *report, uint32_t channel)
{
	return (uint64_t)(report_channel_sum(report, channel) / UNIT_BITS);
}

int counters_write(const struct report *report, const double *capacity, FILE *file, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	const struct fabric_labels *l = f->labels;
	uint32_t *reverse = fabric_reverse(f, error);
	double fastest = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		fastest = fmax(fastest, capacity[c]);
	for (uint32_t v = 0; reverse && v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			double seconds = report->outcome->channel_limit ? report_channel_limit(report, c) : 0;
			fprintf(file, "# Port extended counters: Lid %u port %" PRIu32 " (CapMask: 0x5300 CapMask2: 0x0000002)\n",
				l->lid[v], l->port[c]);
			fprintf(file, "PortSelect:......................%" PRIu32 "\nCounterSelect:...................0x0000\n",
				l->port[c]);
			fprintf(file, "PortXmitData:....................%" PRIu64 "\n", units(report, c));
			fprintf(file, "PortRcvData:.....................%" PRIu64 "\n", reverse[c] == NONE ? 0 : units(report, reverse[c]));
			fprintf(file, "PortXmitWait:....................%" PRIu64 "\n", (uint64_t)(seconds * fastest / UNIT_BITS));
		}
	free(reverse);
	return error->status ? -1 : 0;
}
