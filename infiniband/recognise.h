/* Which form a file has, by its beginning. */
#ifndef INFINIBAND_RECOGNISE_H
#define INFINIBAND_RECOGNISE_H

#include "base/error.h"

#include <stdbool.h>

/* Beside the kinds of dumps, which are bits 1 << enum dump_kind. */
enum { HOLDS_GRAPH = 1 << 16 };

/*
 * What a file holds: HOLDS_GRAPH for a dot graph or a cache, or the kinds of dumps of which there are lines in its first 64 kB; 0: none of
 * these, or nothing that can be read, of which its reader tells. Standard input stays where it is; what can be read only once becomes a
 * file in memory, but pipes with a name, which are not looked at. -1 where that fails.
 */
int recognise(const char *path, struct error *error);

#endif
