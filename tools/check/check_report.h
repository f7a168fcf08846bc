/* The output of orcs-check. */
#ifndef TOOLS_CHECK_CHECK_REPORT_H
#define TOOLS_CHECK_CHECK_REPORT_H

#include "tools/check/check.h"

#include <stdio.h>

/* Writes the result in the format of the options. Write errors stay in the FILE. Returns 0, or -1 if out of memory. */
int check_report(const struct check_options *options, const struct check *check, FILE *file, struct error *error);

#endif
