/* What does not fit: each kind with its first names. */
#ifndef TOOLS_REPORT_ODDITIES_H
#define TOOLS_REPORT_ODDITIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct fabric_report;

enum deviant_kind {
	DEVIANT_MISFIT,   /* switches that do not fit */
	DEVIANT_NO_LEVEL, /* switches beyond the highest level that a route enters */
	DEVIANT_MISSING,  /* cables that others of their kind have */
	DEVIANT_EXTRA,    /* cables that others of their kind do not have */
	DEVIANT_SLOW,     /* slower than most of their tier */
	DEVIANT_ONE_WAY,  /* channels without the opposite one */
	DEVIANT_ASTRAY,   /* ports on leaves of other rails */
	DEVIANT_IDLE,     /* switches with channels that no route uses */
	DEVIANT_KINDS
};

enum { DEVIANT_NAMES = 10 };

struct deviants {
	uint64_t count;
	char *name[DEVIANT_NAMES]; /* the first ones, in words; NULL at the end */
};

struct all_deviants {
	struct deviants oddity[DEVIANT_KINDS];
	bool any;
};

/* Headings of the kinds. */
extern const char *const oddity_titles[DEVIANT_KINDS];

/* Finds them. Returns 0, or -1 if out of memory; oddities_clear() in either case. */
int oddities_find(struct all_deviants *oddities, const struct fabric_report *report, struct error *error);
void oddities_clear(struct all_deviants *oddities);

/* Writes the advice on cabling; nothing if all is as it should be. */
void say_cabling(FILE *file, const struct fabric_report *report);

#endif
