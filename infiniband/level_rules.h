/* Where the service levels of a subnet come from, unless a dump states them: its subnet administrator, or the rule of a routing engine. */
#ifndef INFINIBAND_LEVEL_RULES_H
#define INFINIBAND_LEVEL_RULES_H

#include "infiniband/subnet.h"

enum level_rule { LEVELS_STATED, LEVELS_ZERO, LEVELS_ASKED, LEVELS_DFSSSP, LEVELS_LASH, LEVELS_TORUS };

/* The names of the rules, NULL for LEVELS_STATED. */
extern const char *const level_rule_names[LEVELS_TORUS + 1];

/* Returns the rule of that name, LEVELS_STATED if there is none. */
enum level_rule level_rule_named(const char *name);

/*
 * Fills the levels, once the LIDs are resolved: from each switch with hosts, whose hosts share a row, to each LID. LEVELS_STATED: those
 * that dumps state stay, and coordinates in a torus without levels mean LEVELS_TORUS. progress: a bar on a terminal while the SA is asked.
 * Returns 0, or -1: STATUS_FABRIC if the rule is not that of the tables, STATUS_IO if the SA does not answer.
 */
int subnet_levels_fill(struct subnet *subnet, enum level_rule rule, bool progress, struct error *error);

/*
 * Sets *unknown: packets may have any level, as the tables let packets wait in cycles on service level 0, or the switches have SL-to-VL
 * tables, and nothing states levels, nor the rule. Returns 0, or -1 if out of memory. Time O(switches * LIDs).
 */
int subnet_levels_unknown(const struct subnet *subnet, enum level_rule rule, bool *unknown, struct error *error);

#endif
