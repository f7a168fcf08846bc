/* Faults in words. */
#ifndef TOOLS_CHECK_FAULT_TEXT_H
#define TOOLS_CHECK_FAULT_TEXT_H

#include "base/document.h"
#include "tools/check/check.h"

/* Adds a member for each kind of fault, and says those that there are. */
void report_faults(struct node *to, const struct check *check, const struct check_options *options);

#endif
