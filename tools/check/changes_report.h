/* Changes as text and JSON. */
#ifndef TOOLS_CHECK_CHANGES_REPORT_H
#define TOOLS_CHECK_CHANGES_REPORT_H

#include "base/document.h"
#include "tools/check/changes.h"

/* Adds an object and lines of text. forwarding: of the fabric; most: the number of changes of each kind that text lists. */
void report_changes(
	struct node *to, const struct changes *changes, const struct fabric *fabric, const struct forwarding *forwarding, uint64_t most);

#endif
