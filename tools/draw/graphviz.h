/* Calls programs of Graphviz. */
#ifndef TOOLS_DRAW_GRAPHVIZ_H
#define TOOLS_DRAW_GRAPHVIZ_H

#include "base/error.h"

#include <stdio.h>

/*
 * Runs a program of Graphviz, for example "neato", with arguments that end with NULL, on all of in; its output is written to out, which is
 * then at its beginning. Both are created by program_file(). Returns 0, or -1: not installed, or failed.
 */
int graphviz_run(const char *name, const char *const *arguments, FILE *in, FILE *out, struct error *error);

#endif
