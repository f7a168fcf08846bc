/* The routings that the report compares with the one it is about. */
#ifndef TOOLS_REPORT_OTHER_ROUTINGS_H
#define TOOLS_REPORT_OTHER_ROUTINGS_H

#include "compare/advice_run.h"

#include <stdbool.h>
#include <stdint.h>

struct other_routing {
	char name[200];
	char refusal[1000];               /* why it is not there; "": it is */
	double mean, low, high;           /* bandwidth of a random bisection, as a share of the peak, and its 95% confidence interval */
	double gain, gain_low, gain_high; /* paired differences from the base; NAN: unknown */
	uint64_t unreachable, pairs;
	int deadlock;                   /* 0: impossible, 1: possible, -1: unknown */
	unsigned lanes;                 /* 0: unknown */
	bool advised;                   /* by orcs-advise */
	const struct advice_kind *kind; /* NULL: of a file */
	double *rivals;                 /* [tiers] of the report's fair shares; NULL: unknown */
};

struct other_routings {
	struct other_routing *routing; /* [count] */
	int count, base;               /* base: the one that the report is about, or the first */
	char *file;                    /* the file that it was read from; NULL: computed */
};

/* Takes what the comparison found, without rivals. Returns 0, or -1 if out of memory; other_routings_clear() in either case. */
int other_routings_take(struct other_routings *others, const struct advice_run *run, struct error *error);

/*
 * Reads the result of 'orcs-compare --format json'. The base is the routing of the fabric with that hash, if it is there; the others have
 * their differences from it. Returns 0, or -1: STATUS_IO, STATUS_FABRIC if it is none, or of a fabric with other hosts.
 */
int other_routings_read(struct other_routings *others, const char *path, uint64_t hash, uint32_t hosts, struct error *error);
void other_routings_clear(struct other_routings *others);

#endif
