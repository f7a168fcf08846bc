/* How lash puts pairs of switches on lanes. */
#ifndef ROUTINGS_OPENSM_LASH_LANES_H
#define ROUTINGS_OPENSM_LASH_LANES_H

#include "routings/opensm/fabric.h"

/* The port by which a switch sends to another, 0: there is no path. */
static inline unsigned lash_port(const uint8_t *port, uint32_t switches, uint32_t from, uint32_t to)
{
	return port[(size_t)from * switches + to];
}

/*
 * Fills lane[from * switches + to] and *lanes. Refuses where more lanes than there are would be needed. Returns 0, or -1 when the memory is
 * not there. Memory: 4 bytes for each pair of neighbouring channels and lane.
 */
int lash_lanes(struct opensm_task *task, const uint8_t *port, unsigned available, uint8_t *lane, unsigned *lanes);

#endif
