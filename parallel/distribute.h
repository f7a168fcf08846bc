/* Distributes the fabric: process 0 has read it, the others get its arrays, one copy per machine. */
#ifndef PARALLEL_DISTRIBUTE_H
#define PARALLEL_DISTRIBUTE_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/lane_arbitration.h"
#include "fabric/virtual_lanes.h"
#include "fabric/placement.h"
#include "fabric/source_routes.h"
#include "parallel/comm.h"

/*
 * Collective. Process 0 gives all three; in the others they become the same, except for the fabric's labels. With several processes the
 * arrays then belong to comm and live as long, except tables in a file that all processes can map. Returns 0, or -1 in all processes.
 */
int distribute(struct comm *comm, struct fabric **fabric, struct forwarding **forwarding, struct placement *placement, struct error *error);

/* As distribute(), for the tables of a fabric that all processes have; those of process 0 must not be computed. */
int distribute_tables(struct comm *comm, const struct fabric *fabric, struct forwarding **forwarding, struct error *error);

/* As distribute(), for source routes; NULL if process 0 has none, or computes them on demand. */
int distribute_routes(struct comm *comm, struct source_routes **routes, struct error *error);

/* As distribute(), for service levels and virtual lanes; NULL if process 0 has none. */
int distribute_lanes(struct comm *comm, const struct fabric *fabric, struct virtual_lanes **lanes, struct error *error);

/* The same for the arbitration of the lanes. */
int distribute_arbitrations(struct comm *comm, const struct fabric *fabric, struct lane_arbitrations **arbitrations, struct error *error);

#endif
