/* Rails: how many ports a machine has. */
#ifndef TOOLS_CHECK_RAILS_H
#define TOOLS_CHECK_RAILS_H

#include "fabric/fabric.h"

/*
 * Returns the number of cables of the machine of most cables of hosts; a machine is the hosts whose descriptions begin with its name
 * (machine_length()), or one host without such a name. 0 if there are no hosts, or if out of memory. The fabric must have labels.
 */
uint32_t rails_count(const struct fabric *fabric, struct error *error);

#endif
