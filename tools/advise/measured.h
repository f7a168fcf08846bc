/* Traffic that was measured, beside what the tables make channels carry if all pairs of hosts send alike. */
#ifndef TOOLS_ADVISE_MEASURED_H
#define TOOLS_ADVISE_MEASURED_H

#include "fabric/forwarding.h"
#include "tools/advise/advise_options.h"

#include <stdio.h>

struct measured {
	const char *form;   /* of the counters */
	double *bytes;      /* [channels] between the two readings; NAN: unknown */
	double *wait;       /* [channels] ticks of 4 bytes in which it had to wait; NAN: unknown */
	double *excess;     /* [channels] ticks beyond those that the channels between switches wait that carry as much; NAN: unknown */
	double *expected;   /* [channels] bytes if all pairs sent alike, as many in all as were measured; NAN: not between switches */
	uint32_t *listed;   /* [channels] the channels between switches that were measured */
	uint32_t channels;  /* of them */
	uint32_t all;       /* channels between switches */
	uint64_t strangers; /* ports in the files that the fabric does not have */
	uint64_t reset;     /* counters that are smaller in the second reading */
	uint64_t full;      /* counters of 32 bits that are at their maximum */
	double sum, correlation;
};

/*
 * Compares two readings of counters with a routed fabric with labels. Returns 0, or -1: STATUS_IO, STATUS_USAGE for files without counters
 * of this fabric. Call measured_clear() in either case. Time O(hosts * switches).
 */
int measured_make(struct measured *measured, const struct fabric *fabric, const struct forwarding *forwarding, const char *before,
	const char *after, struct error *error);
void measured_clear(struct measured *measured);

/* Writes the result to file. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int measured_report(const struct measured *measured, const struct fabric *fabric, const struct advise_options *options, FILE *file,
	struct error *error);

#endif
