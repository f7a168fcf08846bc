/* What orcs-advise writes. */
#ifndef TOOLS_ADVISE_ADVISE_REPORT_H
#define TOOLS_ADVISE_ADVISE_REPORT_H

#include "base/files.h"
#include "compare/advice.h"
#include "tools/advise/advise_options.h"

#include <stdio.h>

/* Writes the results [count] of all planes to file. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int advice_report(
	const struct advice_result *const *result, uint32_t count, const struct advise_options *options, FILE *file, struct error *error);

/* Checks that folder does not exist yet, and can be made. Returns 0, or -1: STATUS_USAGE if it exists, STATUS_IO. */
int advice_check_folder(const char *folder, struct error *error);

/*
 * Writes the folders of all steps of the results [count] into the new directory options->folder, those of a plane into plane-N there: it
 * appears when it is complete, or not at all; without steps there is none. files: the inputs. Returns 0, or -1: STATUS_USAGE if it exists
 * or the fabric has no GUIDs, STATUS_IO.
 */
int advice_write(const struct advice_result *const *result, uint32_t count, const struct advise_options *options, struct files *files,
	struct error *error);

#endif
