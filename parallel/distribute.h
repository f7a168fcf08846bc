/* The fabric for all processes: the first has read it, the others get its arrays, one copy per machine. */
#ifndef PARALLEL_DISTRIBUTE_H
#define PARALLEL_DISTRIBUTE_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/lanes.h"
#include "fabric/placement.h"
#include "fabric/route_set.h"
#include "parallel/comm.h"

/*
 * Collective. In the first process all three are given; in the others they become the same, but for the fabric's labels. With several
 * processes the arrays then belong to comm and live as long, but for tables in a file that all processes can map. Returns 0, or -1 in all
 * processes.
 */
int distribute(struct comm *comm, struct fabric **fabric, struct forwarding **forwarding, struct placement *placement, struct error *error);

/* The same for tables of a fabric that all have; the first process has them, without anything computed. */
int distribute_tables(struct comm *comm, const struct fabric *fabric, struct forwarding **forwarding, struct error *error);

/* The same for source routes, which the first process may have (else NULL). */
int distribute_routes(struct comm *comm, struct route_set **routes, struct error *error);

/* The same for service levels and lanes, which the first process may have (else NULL). */
int distribute_lanes(struct comm *comm, const struct fabric *fabric, struct lanes **lanes, struct error *error);

#endif
