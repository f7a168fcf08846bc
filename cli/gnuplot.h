/* Pictures that gnuplot draws. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "base/error.h"
#include "base/output.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether the name of a picture ends in what can be drawn: .svg, .png or .pdf. */
bool gnuplot_draws(const char *path);

/* Whether gnuplot is there. Returns 0, or -1 with STATUS_IO. */
int gnuplot_check(struct error *error);

/* Starts a picture of so many pixels (of 1/96 inch), whose form the end of path tells. Returns what takes gnuplot's commands, NULL when
 * that fails. */
FILE *gnuplot_start(const char *path, int width, int height, struct error *error);

/* Draws it to the output, opened from path, and commits that; gnuplot may be NULL. Returns 0, or -1 with the reason. */
int gnuplot_end(FILE *gnuplot, struct output *output, const char *path, struct error *error);

/* Writes a command before a text, the text as a string that gnuplot takes as it stands, and a newline. What is no UTF-8 and control
 * characters become '?'. */
void gnuplot_string(FILE *gnuplot, const char *before, const char *text);

#endif
