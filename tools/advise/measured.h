/*
 * Measured load of every channel beside its expected load, and what differs by more than chance.
 *
 * A channel's measured load is the difference of the data counters of two readings: that of its port that sends, or, if that has none, of
 * the port that receives. Its expected load takes the same tables: if the counters of all hosts are known, host s sends to host d s's data
 * times d's share of what all hosts but s receive; otherwise every host sends to every other one alike, as much as was measured in all.
 *
 * Chance is estimated from the fabric itself: the variance of a difference is taken as proportional to the expected load, with the factor
 * for which half of the channels between switches are within 0.6745 standard deviations, and 1% of the load in addition.
 *
 * A wrong table entry moves all data for its destination that pass its switch from one path to another. Of all such moves, and of
 * differences of single channels, the one is found that makes the measured loads likeliest; what it explains is taken out, and the next is
 * found. The threshold grows with the number of moves. A cable is slow if data waited longer than it takes to send them, and longer by far
 * than the median of the cables of its kind, between switches or to hosts.
 */
#ifndef TOOLS_ADVISE_MEASURED_H
#define TOOLS_ADVISE_MEASURED_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "tools/advise/advise_options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct measured_channel {
	double bytes;     /* measured; NAN: unknown */
	double expected;  /* bytes */
	double pairs;     /* ordered pairs of hosts whose route uses the channel */
	double wait;      /* ticks; NAN: unknown */
	double deviation; /* of bytes from expected in standard deviations; NAN: unknown */
	double slowness;  /* of waiting per data, the same; NAN: unknown */
};

enum finding_kind { FINDING_ENTRY, FINDING_LESS, FINDING_MORE, FINDING_SLOW };

enum { FINDING_HOSTS = 16 };

/* What differs by more than chance. */
struct finding {
	enum finding_kind kind;
	uint32_t channel;             /* FINDING_ENTRY: the one that the tables name, with less than expected */
	uint32_t instead;             /* FINDING_ENTRY: the one with more; NONE: there is none */
	uint32_t host[FINDING_HOSTS]; /* [hosts, at most so many] indices of hosts whose entry it can be, the likeliest first */
	uint32_t hosts;               /* FINDING_ENTRY: their number, which can be larger */
	double deviations;            /* by so many standard deviations */
};

enum { FINDINGS_MAX = 100 };

struct measured {
	const struct fabric *fabric;
	struct measured_channel *channel; /* [channels] */
	uint32_t *order;                  /* [channels] the channels of findings, then the others by deviation */
	struct finding finding[FINDINGS_MAX];
	unsigned findings;
	bool by_hosts;                   /* expected loads are those of the data that the hosts send and receive */
	uint32_t known, waits;           /* channels with measured loads; with waiting */
	uint64_t reset, full, strangers; /* counters that were reset, or stay at their largest value; ports that the fabric does not have */
	double total;                    /* bytes over all channels */
	double correlation, inner;       /* Pearson's, of measured and expected load: of all channels, of those between switches; NAN */
	double wait_total, lost;         /* ticks; the share of the time to send in which data waited, over all channels; NAN: unknown */
};

/*
 * Reads both files of counters and compares them with the tables. The fabric needs labels. Returns 0, or -1: the errors of counters_read();
 * STATUS_USAGE if no port of the fabric has counters. Call measured_clear() in either case. Time O(hosts * channels) for each
 * finding.
 */
int measured_make(struct measured *measured, const struct fabric *fabric, const struct forwarding *tables, const char *before,
	const char *after, struct error *error);
void measured_clear(struct measured *measured);

/* Returns the share of the time to send in which data waited: ticks, divided by ticks and units of 4 bytes. NAN: unknown. */
double measured_lost(const struct measured_channel *channel);

/* Writes the result to file. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int measured_report(const struct measured *measured, const struct advise_options *options, FILE *file, struct error *error);

#endif
