/* The comparison of a fabric with its plan, and with an older state, in place of the check of its routing. */
#ifndef TOOLS_CHECK_DIFFERENCES_H
#define TOOLS_CHECK_DIFFERENCES_H

#include "fabric/forwarding.h"
#include "tools/check/check_options.h"
#include "tools/check/changes.h"
#include "tools/check/cable_plan.h"

struct differences {
	const struct fabric *fabric;
	const struct forwarding *forwarding; /* NULL: source routes */
	uint32_t *reverse;                   /* result of fabric_reverse() */
	struct cable_plan plan;
	struct changes changes;
	bool none; /* the fabric is as planned, and unchanged */
};

/* Opens the files of --plan and --against. Returns 0, or -1. */
int differences_open(struct check_options *options, struct files *files, struct error *error);

/*
 * Compares the fabric as the options demand. attributes may be NULL; notes: destination of notes about the other files, NULL: none. Returns
 * 0 whatever is found, or -1; call differences_clear() in either case.
 */
int differences_find(struct differences *differences, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct attributes *attributes, struct check_options *options, struct files *files, FILE *notes, struct error *error);
void differences_clear(struct differences *differences);

/* Writes the result to file. Returns 0, or -1 if out of memory. */
int differences_report(const struct check_options *options, const struct differences *differences, FILE *file, struct error *error);

#endif
