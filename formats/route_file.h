/*
 * Reads and writes source routes as text, see orcs-routes(5): a line for each route of each pair of hosts, with its weight and the nodes
 * that it passes.
 */
#ifndef FORMATS_ROUTE_FILE_H
#define FORMATS_ROUTE_FILE_H

#include "fabric/source_routes.h"

#include <stdio.h>

/*
 * Reads a file ("-": standard input; plain or compressed) of routes over the fabric, which needs its labels. Returns 0, or -1: STATUS_IO,
 * STATUS_FABRIC for a line that is not a route of the fabric. Time O(length + channels of each named node).
 */
int route_file_read(const char *path, const struct fabric *fabric, struct source_routes **set, struct error *error);

/*
 * Writes the routes so that reading gives the same set. Errors of writing stay in the FILE. Returns 0, or -1: STATUS_IO if out of memory,
 * STATUS_FABRIC for a name that cannot appear in such a file. Time O(length).
 */
int route_file_write(const struct source_routes *set, const struct fabric *fabric, FILE *file, struct error *error);

#endif
