/* The options by which every program that reads a fabric names it, as a child of its argp; the input is a struct fabric_source. */
#ifndef INFINIBAND_SOURCE_OPTIONS_H
#define INFINIBAND_SOURCE_OPTIONS_H

#include "infiniband/fabric_source.h"

#include <argp.h>

extern const struct argp source_argp;

/* The child, for --help in a group of its own. */
#define SOURCE_CHILD(group) \
	{ \
		&source_argp, 0, "Fabrics from dumps, and names of nodes, see orcs-fabric(7):", group \
	}

/* Adds a file that may hold anything, as an argument; ends the program where that is wrong. */
void source_argument(struct fabric_source *source, const char *path);

/* Whether standard input is a file of the fabric, also because there is no other. */
bool source_is_standard(const struct fabric_source *source);

/* All arguments are there: without any it is standard input, which must be no terminal. Ends the program where that is wrong. */
void source_end(struct fabric_source *source);

#endif
