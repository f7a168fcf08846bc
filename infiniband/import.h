/*
 * Turns dumps into a routed graph: the common part of orcs-import, the commands of the ORCS paper, and all programs that read dumps
 * directly.
 */
#ifndef INFINIBAND_IMPORT_H
#define INFINIBAND_IMPORT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"
#include "infiniband/subnet_graph.h"

#include <stdbool.h>
#include <stdio.h>

struct import {
	const char *program;                /* program name, for notes */
	const struct fabric_source *source; /* open source */
	const char *original;               /* path of the topology before it was rewritten for a simulator; NULL: none */
	const char *comment;                /* lines for the head of the graph, or NULL */
	struct subnet_graph_options options;
	bool list_rails; /* write the table of rails (rails_write()) instead of the graph */
	bool strict;     /* treat warnings as errors */
	FILE *notes;     /* destination of notes and warnings; NULL: none */
};

/*
 * Reads the files and makes their graph; registers the files that they include with files. Returns NULL on errors. import_free() also frees
 * the subnet.
 */
struct subnet_graph *import_read(const struct import *import, struct files *files, struct error *error);
void import_free(struct subnet_graph *graph);

/* Reports the numbers of nodes, cables and entries on a line, and each anomaly on a line. */
void import_tell(const struct import *import, const struct subnet_graph *graph, FILE *notes);

/* Opens the source, reads it and writes the graph to the path ("-": standard output); then reports anomalies. Returns 0, or -1. */
int import_run(const struct import *import, struct fabric_source *source, const char *path, struct error *error);

#endif
