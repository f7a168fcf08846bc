/* The machines and rails of a subnet. For subnet_graph.c. */
#ifndef INFINIBAND_SUBNET_RAILS_H
#define INFINIBAND_SUBNET_RAILS_H

#include "infiniband/rails.h"
#include "infiniband/subnet.h"

/*
 * Finds machines and rails of the ports given by the member port of rails->rail [count], see rails_find(). Returns 0, or -1; rails_clear()
 * in every case.
 */
int subnet_rails(struct subnet *subnet, struct rails *rails, struct error *error);

/* Counts the ports on leaves of other rails as anomalies. */
void subnet_rails_check(struct subnet *subnet, const struct rails *rails);

#endif
