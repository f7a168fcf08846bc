/* Collects what the ranks have left: makes the trace, removes the logs, and reports what the trace lacks. */
#ifndef TOOLS_RECORD_COLLECT_H
#define TOOLS_RECORD_COLLECT_H

#include "base/error.h"
#include "tools/record/record_options.h"

#include <stdio.h>

/*
 * Creates the directory (*created: it was not there), and checks that the ranks can write to it and that there are no logs of an earlier
 * run. Returns 0, or -1.
 */
int collect_prepare(const char *directory, bool *created, struct error *error);

/* Makes the traces. notes: NULL: none. Returns 0, or -1: STATUS_FABRIC if nothing was recorded; the logs then remain, if there are some. */
int collect(const struct record_options *options, FILE *notes, struct error *error);

#endif
