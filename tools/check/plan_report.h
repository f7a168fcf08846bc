/* The differences from a plan as text and JSON. */
#ifndef TOOLS_CHECK_PLAN_REPORT_H
#define TOOLS_CHECK_PLAN_REPORT_H

#include "base/document.h"
#include "tools/check/cable_plan.h"

/* Adds an object and lines of text. most: the number of differences, and of names, that text lists. */
void report_plan(struct node *to, const struct cable_plan *plan, const struct fabric *fabric, uint64_t most);

#endif
