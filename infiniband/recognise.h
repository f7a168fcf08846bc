/* Recognises the format of a file by its beginning. */
#ifndef INFINIBAND_RECOGNISE_H
#define INFINIBAND_RECOGNISE_H

#include "base/error.h"

#include <stdbool.h>

/* A bit besides the kinds of dumps, which are bits 1 << enum dump_kind. */
enum { HOLDS_GRAPH = 1 << 16 };

/*
 * Returns what a file holds: HOLDS_GRAPH for a dot graph or a cache, or the kinds of dumps of which there are lines in its first 64 kB; 0:
 * none of these, or a file that cannot be read, which its reader reports. Standard input keeps its position; input that can be read only
 * once is copied to a file in memory, except for named pipes, which are not examined. Returns -1 if the copy fails.
 */
int recognise(const char *path, struct error *error);

#endif
