/* The fabric of a topology's specification, without a file. */
#ifndef FABRIC_TOPOLOGY_FABRIC_H
#define FABRIC_TOPOLOGY_FABRIC_H

#include "fabric/attributes.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns whether the text is the specification of a topology, or nearly so, and no file has that name. */
bool topology_fabric_is(const char *text);

/*
 * Creates the same fabric, channel by channel, as the graph that orcs-topology writes for the specification; spec must live as long.
 * forwarding may be NULL; otherwise it computes the routes, or has no entries if the topology has no routing function. Returns 0, or -1
 * with STATUS_USAGE or STATUS_IO. Time O(channels log ports).
 */
int topology_fabric_load(const char *spec, struct fabric **fabric, struct forwarding **forwarding, struct error *error);

/* Creates the attributes of that graph; spec and fabric are borrowed. NULL on errors, as topology_fabric_load(). Time O(channels log
 * ports). */
struct attributes *topology_fabric_attributes(const char *spec, const struct fabric *fabric, struct error *error);
/* Writes the graph. Returns 0, or -1 as topology_fabric_load(); write errors stay in the FILE. */
int topology_fabric_write(const char *spec, FILE *file, struct error *error);

#endif
