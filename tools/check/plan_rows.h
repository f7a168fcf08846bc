/* Turns the rows of a list of planned cables into cables of the fabric's nodes, and notes the names that have none. */
#ifndef TOOLS_CHECK_PLAN_ROWS_H
#define TOOLS_CHECK_PLAN_ROWS_H

#include "tools/check/cable_plan.h"
#include "tools/check/plan_list.h"

/*
 * Fills planned, unmatched and nodes of the plan; a cable that is listed from both ends, or repeatedly, counts once. source: the names of
 * the list's files. Returns 0, or -1 if out of memory.
 */
int plan_rows(struct cable_plan *plan, const struct plan_list *list, const struct fabric_source *source, const struct fabric *fabric,
	struct error *error);

#endif
