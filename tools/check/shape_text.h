/* The recognised topology as text and JSON. */
#ifndef TOOLS_CHECK_SHAPE_TEXT_H
#define TOOLS_CHECK_SHAPE_TEXT_H

#include "base/document.h"
#include "tools/check/check.h"

/* Adds the members of the topology, and writes a line with it, what is missing, and the number of deviating cables. */
void report_shape(struct node *to, const struct check *check);

/* Adds the deviating cables, and writes up to most of them; nothing if there are none. */
void report_deviations(struct node *to, const struct check *check, uint64_t most);

#endif
