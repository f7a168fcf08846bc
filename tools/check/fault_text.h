/* Faults as text and JSON. */
#ifndef TOOLS_CHECK_FAULT_TEXT_H
#define TOOLS_CHECK_FAULT_TEXT_H

#include "base/document.h"
#include "tools/check/check.h"

/* Adds a member per kind of fault, and writes the faults that exist. */
void report_faults(struct node *to, const struct check *check, const struct check_options *options);

#endif
