/* Pictures that gnuplot draws. */
#ifndef CLI_GNUPLOT_H
#define CLI_GNUPLOT_H

#include "base/error.h"
#include "base/output.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns whether the file name ends in a picture format: .svg, .png or .pdf. */
bool gnuplot_draws(const char *path);

/* Checks that gnuplot is installed. Returns 0, or -1 with STATUS_IO. */
int gnuplot_check(struct error *error);

/*
 * Starts a picture of width x height pixels (1/96 inch) in the format of the ending of path. Returns a stream for gnuplot's commands, NULL
 * on errors.
 */
FILE *gnuplot_start(const char *path, int width, int height, struct error *error);

/* Draws the picture to the output, opened from path, and commits that; gnuplot may be NULL. Returns 0, or -1. */
int gnuplot_end(FILE *gnuplot, struct output *output, const char *path, struct error *error);

/*
 * Writes a command (before), the text as a string that gnuplot does not interpret, and a newline. Invalid UTF-8 and control characters
 * become '?'.
 */
void gnuplot_string(FILE *gnuplot, const char *before, const char *text);

#endif
