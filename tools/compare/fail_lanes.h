/* Deadlocks of routes that use several virtual lanes, after a failure. */
#ifndef TOOLS_COMPARE_FAIL_LANES_H
#define TOOLS_COMPARE_FAIL_LANES_H

#include "fabric/virtual_lanes.h"
#include "tools/compare/fail_effect.h"

/* Service levels of routes, and what lanes they mean. All is borrowed. */
struct fail_lanes {
	const uint8_t *level;            /* [hosts][columns] of routes that begin there, as in struct routed; NULL: 0 */
	const uint8_t *bit;              /* [channels] as in struct routed; NULL: the lane is the level */
	const struct virtual_lanes *own; /* of a fabric whose tables stay, instead; NULL */
};

/*
 * Finds whether the routes of state->now can deadlock, without the parts that have failed. Returns 0, or -1 if out of memory. Time as
 * dependencies_add() for each host.
 */
int fail_lanes_judge(const struct fail_state *state, const struct fail_lanes *lanes, enum deadlock *deadlock, struct error *error);

#endif
