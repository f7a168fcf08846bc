/* The arguments of the calls of MPI in the files of DUMPI. */
#ifndef PATTERNS_GRAPHS_TRACES_DUMPI_FORMS_H
#define PATTERNS_GRAPHS_TRACES_DUMPI_FORMS_H

#include "patterns/graphs/traces/dumpi_stream.h"

/*
 * The arguments of a call: l 8 bytes, i 4, h 2, b 1; L, A, H arrays of these, T of triples; S statuses; Z strings. Of operations with a
 * root: R the rank of the caller, r the root, k and t count and datatype of the caller's own block, c the communicator, between parentheses
 * what only the root has: n and y count and datatype. '|' precedes each of several forms, of which the file has one. NULL: not known.
 */
struct dumpi_form {
	const char *name, *arguments;
};
extern const struct dumpi_form dumpi_forms[DUMPI_CALLS];

#endif
