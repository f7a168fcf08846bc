/* What does not fit: each kind with its first names. */
#ifndef TOOLS_REPORT_ODDITIES_H
#define TOOLS_REPORT_ODDITIES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report;

enum oddity_kind {
	ODDITY_MISFIT,     /* switches that do not fit */
	ODDITY_NO_LEVEL,   /* switches beyond the highest level that a route enters */
	ODDITY_MISSING,    /* cables that others of their kind have */
	ODDITY_EXTRA,      /* cables that others of their kind do not have */
	ODDITY_SLOW,       /* slower than most of their tier */
	ODDITY_ONE_WAY,    /* channels without the opposite one */
	ODDITY_ASTRAY,     /* ports on leaves of other rails */
	ODDITY_IDLE,       /* switches with channels that no route uses */
	ODDITIES
};

enum { ODDITY_NAMES = 10 };

struct oddity {
	uint64_t count;
	char *name[ODDITY_NAMES]; /* the first ones, in words; NULL at the end */
};

struct oddities {
	struct oddity oddity[ODDITIES];
	bool any;
};

/* Headings of the kinds. */
extern const char *const oddity_titles[ODDITIES];

/* Finds them. Returns 0, or -1 if out of memory; oddities_clear() in either case. */
int oddities_find(struct oddities *oddities, const struct report *report, struct error *error);
void oddities_clear(struct oddities *oddities);

/* Writes the advice on cabling; nothing if all is as it should be. */
void say_cabling(FILE *file, const struct report *report);

#endif
