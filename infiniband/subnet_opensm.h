/* A subnet as OpenSM's engines take it. */
#ifndef INFINIBAND_SUBNET_OPENSM_H
#define INFINIBAND_SUBNET_OPENSM_H

#include "infiniband/subnet.h"
#include "routings/opensm/opensm.h"

struct subnet_opensm {
	struct opensm_subnet subnet; /* node[n] is that of the subnet */
	struct opensm_node *node;
	struct opensm_port *port;
};

/* Takes over all nodes, whose GUIDs are known. Returns 0, or -1. subnet_opensm_clear() in every case. */
int subnet_opensm_init(struct subnet_opensm *made, const struct subnet *subnet, struct error *error);
void subnet_opensm_clear(struct subnet_opensm *made);

#endif
