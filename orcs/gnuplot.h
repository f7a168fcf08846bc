/* Pictures that gnuplot draws. */
#ifndef ORCS_GNUPLOT_H
#define ORCS_GNUPLOT_H

#include "error.h"
#include "output.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether the name of a picture ends in what can be drawn: .svg, .png or .pdf. */
bool gnuplot_draws(const char *path);

/* Whether gnuplot is there. Returns 0, or -1 with STATUS_IO. */
int gnuplot_check(struct error *error);

/* Starts a picture of so many pixels (of 1/96 inch) in the output, opened from path. Returns what takes gnuplot's commands, NULL when that
 * fails. */
FILE *gnuplot_start(const struct output *output, const char *path, int width, int height);

/* Ends it (gnuplot may be NULL) and commits the output. Returns 0, or -1 with the reason. */
int gnuplot_end(FILE *gnuplot, struct output *output, const char *path, struct error *error);

/* Writes a command before a text, the text as a string that gnuplot takes as it stands, and a newline. */
void gnuplot_string(FILE *gnuplot, const char *before, const char *text);

#endif
