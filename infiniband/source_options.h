/* Options with which every program that reads a fabric specifies it, as a child of its argp; the input is a struct fabric_source. */
#ifndef INFINIBAND_SOURCE_OPTIONS_H
#define INFINIBAND_SOURCE_OPTIONS_H

#include "infiniband/fabric_source.h"

#include <argp.h>

extern const struct argp source_argp, source_whole_argp;

/* Entry of argp_child, for --help in a group of its own; the second without failures, for programs that convert a fabric or vary it. */
#define SOURCE_TITLE "Fabrics from dumps, failures, and names of nodes, see orcs-fabric(7):"
#define SOURCE_CHILD(group) \
	{ \
		&source_argp, 0, SOURCE_TITLE, group \
	}
#define SOURCE_WHOLE_CHILD(group) \
	{ \
		&source_whole_argp, 0, "Fabrics from dumps, and names of nodes, see orcs-fabric(7):", group \
	}

/* Adds a file of any content, from an argument; exits the program if the argument is wrong. */
void source_argument(struct fabric_source *source, const char *path);

/* Returns whether standard input is a file of the fabric, possibly because no other is specified. */
bool source_is_standard(const struct fabric_source *source);

/*
 * Ends the arguments: without any, the fabric is read from standard input, which must not be a terminal. Exits the program if the arguments
 * are wrong.
 */
void source_end(struct fabric_source *source);

#endif
