/* The rails of a fabric with labels, and the ports on leaves of other rails. */
#ifndef INFINIBAND_FABRIC_RAILS_H
#define INFINIBAND_FABRIC_RAILS_H

#include "fabric/attributes.h"
#include "infiniband/rails.h"

/*
 * Finds the rails of a fabric: rail.port is a channel of a host. attributes: those of the graph, with system_guid; NULL: unknown. Hosts
 * with several channels are machines. Returns 0, or -1 if out of memory; rails_clear() in every case.
 */
int fabric_rails(struct rails *rails, const struct fabric *fabric, const struct attributes *attributes, struct error *error);

#endif
