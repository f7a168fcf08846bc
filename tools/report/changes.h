/* What became better or worse between two results of orcs-report. */
#ifndef TOOLS_REPORT_CHANGES_H
#define TOOLS_REPORT_CHANGES_H

#include "tools/report/report_options.h"

#include <stdio.h>

/*
 * Compares options->old and options->new, and writes the changes as text or JSON (schema orcs-report-changes/1) to file. Cables are the
 * same if their ends have the same names and ports. Returns 0, or -1: STATUS_IO, STATUS_FABRIC for files that are no results of
 * orcs-report.
 */
int changes_write(FILE *file, const struct report_options *options, struct error *error);

#endif
