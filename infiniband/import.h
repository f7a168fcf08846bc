/* Dumps in, a routed graph out: what orcs-import and the commands of the ORCS paper have in common, and all that read dumps directly. */
#ifndef INFINIBAND_IMPORT_H
#define INFINIBAND_IMPORT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"
#include "infiniband/subnet_graph.h"

#include <stdbool.h>
#include <stdio.h>

struct import {
	const char *program;                /* for what is told */
	const struct fabric_source *source; /* open */
	const char *original;               /* the topology before it was rewritten for a simulator; NULL: none */
	const char *comment;                /* lines for the head of the graph, or NULL */
	struct subnet_graph_options options;
	bool strict; /* what would be a warning is an error */
	FILE *notes; /* what is found goes there; NULL: nowhere */
};

/* Reads the files and makes the graph of them; files takes note of those that they include. NULL on errors. import_free() frees the subnet,
 * too. */
struct subnet_graph *import_read(const struct import *import, struct files *files, struct error *error);
void import_free(struct subnet_graph *graph);

/* Tells in a line each what was found. */
void import_tell(const struct import *import, const struct subnet_graph *graph, FILE *notes);

/* Opens the source, reads it and writes the graph to the path ("-": standard output); then tells what was found. Returns 0, or -1. */
int import_run(const struct import *import, struct fabric_source *source, const char *path, struct error *error);

#endif
