/* A note about the links of a fabric whose speeds differ. */
#ifndef INFINIBAND_LINK_SPEEDS_H
#define INFINIBAND_LINK_SPEEDS_H

#include "fabric/fabric.h"

#include <stdio.h>

/* How a result treats the speeds, or the congestion of an annotated graph, which was computed before. */
enum speeds_use { SPEEDS_COUNT, SPEEDS_IGNORED, SPEEDS_COUNTED_BEFORE, SPEEDS_IGNORED_BEFORE, SPEEDS_NO_RESULT };

/*
 * If the speeds of a fabric with labels differ, writes a note: the number of links by width and speed, and whether the result counts them.
 * A second note names the links that are slower than those beside them: than a parallel one, or than three quarters of the others of their
 * kind (between switches, or to a host) at each end that has others; of a link without any, all others of the fabric. Tiers of
 * links are not noted. Returns 0, or -1 if out of memory. Time O(channels log channels).
 */
int link_speeds_note(
	const struct fabric *fabric, enum speeds_use use, FILE *file, const char *program, const char *source, struct error *error);

#endif
