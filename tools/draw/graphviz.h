/* Calling the programs of Graphviz. */
#ifndef TOOLS_DRAW_GRAPHVIZ_H
#define TOOLS_DRAW_GRAPHVIZ_H

#include "base/error.h"

#include <stdio.h>

/*
 * Runs a program of Graphviz, as "neato", with the arguments, which end with NULL, on all of in; what it writes goes to out, which is
 * then at its beginning. Both come from program_file(). Returns 0, or -1: it is not installed, or failed.
 */
int graphviz_run(const char *name, const char *const *arguments, FILE *in, FILE *out, struct error *error);

#endif
