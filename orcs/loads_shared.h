/* The counts of fabric/loads.h by all processes. */
#ifndef ORCS_LOADS_SHARED_H
#define ORCS_LOADS_SHARED_H

#include "fabric/loads.h"
#include "parallel/comm.h"

/* Like loads_count(); collective: each process counts a share, and all have the result, or all fail. */
int loads_count_shared(
	struct loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);

#endif
