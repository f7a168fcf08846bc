/* Dumps in, a routed graph out: what orcs-import and the commands of the ORCS paper have in common. */
#ifndef INFINIBAND_IMPORT_H
#define INFINIBAND_IMPORT_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stdbool.h>
#include <stdio.h>

enum { IMPORT_FILES_MAX = 1000 };

struct import_file {
	const char *path;
	unsigned kinds; /* a bit 1 << enum dump_kind for each kind that it may hold */
};

struct import {
	const char *program; /* for what is told */
	struct import_file file[IMPORT_FILES_MAX];
	int files;
	const char *original; /* the topology before it was rewritten for a simulator; NULL: none */
	const char *comment;  /* lines for the head of the graph, or NULL */
	struct subnet_graph_options options;
	bool strict; /* what would be a warning is an error */
	FILE *notes; /* what is found goes there; NULL: nowhere */
};

/* Reads the files and writes the graph to the path ("-": standard output); then tells in a line each what it found. Returns 0, or -1. */
int import_run(const struct import *import, const char *path, struct error *error);

#endif
