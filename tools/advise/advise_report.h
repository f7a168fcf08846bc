/* What orcs-advise writes. */
#ifndef TOOLS_ADVISE_ADVISE_REPORT_H
#define TOOLS_ADVISE_ADVISE_REPORT_H

#include "base/files.h"
#include "compare/advice.h"
#include "tools/advise/advise_options.h"

#include <stdio.h>

/* Writes the result to file. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int advice_report(const struct advice_result *result, const struct advise_options *options, FILE *file, struct error *error);

/* Checks that folder does not exist yet. Returns 0, or -1 with STATUS_USAGE. */
int advice_check_folder(const char *folder, struct error *error);

/*
 * Writes the folders of all steps into the new directory options->folder: it appears when it is complete, or not at all; without steps
 * there is none. Returns 0, or -1: STATUS_USAGE if it exists or the fabric has no GUIDs, STATUS_IO.
 */
int advice_write(const struct advice_result *result, const struct advise_options *options, struct error *error);

#endif
