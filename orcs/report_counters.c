/* The load of link_use as the counters of ports that perfquery -x prints. */
#include "orcs/report_workspace.h"

#include "fabric/fabric.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WORD = 32 /* bits that PortXmitData counts; a tick of PortXmitWait takes as long as one */ };

static uint64_t words(double bits)
{
	return bits < 0x1p63 ? (uint64_t)llround(bits / WORD) : UINT64_MAX;
}

int report_counters(const struct report *report, FILE *file, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	const struct fabric_labels *l = f->labels;
	const double *capacity = report->setup->work->setup.capacity;
	uint32_t *reverse = fabric_reverse(f, error);
	for (uint32_t v = 0; v < f->nodes && reverse; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			if (!l->lid[v] || !l->port[c]) {
				error_at(error, STATUS_FABRIC, l->source, 0,
					"--counters needs LIDs and numbers of ports, which dumps have: '%s' has none; convert it with orcs-export --to "
					"ibnetdiscover",
					l->name[v]);
				free(reverse);
				return -1;
			}
			fprintf(file, "# Port extended counters: Lid %" PRIu32 " port %" PRIu32 " (CapMask: 0x5A00 CapMask2: 0x0000000)\n",
				(uint32_t)l->lid[v], (uint32_t)l->port[c]);
			fprintf(file, "PortSelect:......................%" PRIu32 "\nCounterSelect:...................0x0000\n",
				(uint32_t)l->port[c]);
			fprintf(file, "PortXmitData:....................%" PRIu64 "\n", words(report_channel_sum(report, c)));
			fprintf(file, "PortRcvData:.....................%" PRIu64 "\n",
				reverse[c] == NONE ? 0 : words(report_channel_sum(report, reverse[c])));
			fprintf(file, "PortXmitWait:....................%" PRIu64 "\n",
				words(report_channel_limit(report, c) * capacity[c]));
		}
	free(reverse);
	return reverse ? 0 : -1;
}
