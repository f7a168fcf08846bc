/* The fabric that a specification of a topology describes, without a file. */
#ifndef FABRIC_REGULAR_H
#define FABRIC_REGULAR_H

#include "fabric/attributes.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdio.h>

struct files;

/* Whether the text is the specification of a topology, or nearly so, and no file has that name. */
bool regular_is(const char *text);

/* Names the file that a fabric is read from: the path itself, or what the specification names. Returns 0, or -1. */
int regular_files(const char *input, struct files *files, struct error *error);

/*
 * The same fabric, channel by channel, as the graph that orcs-topology writes for the specification; spec must live as long. forwarding may
 * be NULL; else it computes the routes, or has no entry where no arithmetic is known for the topology. Returns 0, or -1 with STATUS_USAGE
 * or STATUS_IO. Time O(channels log ports).
 */
int regular_load(const char *spec, struct fabric **fabric, struct forwarding **forwarding, struct error *error);

/* The attributes of that graph; spec and fabric are borrowed. NULL on errors, as of regular_load(). Time O(channels log ports). */
struct attributes *regular_attributes(const char *spec, const struct fabric *fabric, struct error *error);
/* Writes the graph. Returns 0, or -1 as regular_load() does; errors of writing stay in the FILE. */
int regular_write(const char *spec, FILE *file, struct error *error);

#endif
