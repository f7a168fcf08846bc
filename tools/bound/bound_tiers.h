/* Loads and rivals by tier: the channels from a level to another. */
#ifndef TOOLS_BOUND_BOUND_TIERS_H
#define TOOLS_BOUND_BOUND_TIERS_H

#include "tools/bound/bound_report.h"

/* Computes the fair shares of the bounds, once the loads are counted. Returns 0, or -1 if out of memory. */
int bound_find_shares(struct bounds *bounds, struct error *error);

/* Returns the rivals on a channel, see fabric/loads.h. */
double bound_rivals(const struct bounds *bounds, uint32_t channel);

/* Adds the list of tiers; in text a table. */
void bound_tiers_add(struct node *to, const struct bounds *bounds);

#endif
