/* A subnet as OpenSM's engines take it. */
#ifndef INFINIBAND_SUBNET_OPENSM_H
#define INFINIBAND_SUBNET_OPENSM_H

#include "infiniband/subnet.h"
#include "routings/opensm/opensm.h"

/* Takes over all nodes, whose GUIDs are known, in their order. Returns 0, or -1. opensm_arrays_clear() in every case. */
int subnet_opensm(struct opensm_arrays *made, const struct subnet *subnet, struct error *error);

#endif
