/* What the pictures of gnuplot share. */
#ifndef ORCS_PLOT_PARTS_H
#define ORCS_PLOT_PARTS_H

#include "orcs/report.h"

/* Writes a command (before) with the title: what (a name and a colon, or ""), what was sent, and on how many hosts. */
void plot_title(const struct report *report, const char *before, const char *what, FILE *gnuplot);

/* Sets boxes, grid and border as in all pictures. */
void plot_style(FILE *gnuplot);

/* The first metric with a histogram; the number of the metrics if there is none. */
int plotted_metric(const struct report *report);

/* Returns the table of several loads of a metric; NULL: there is none. */
const struct item *plot_loads_of(const struct report *report, const char *metric);

/* ---- plot_links.c: distributions over ranks and channels, and maps of grids */

/* Returns whether the report is drawn so: it has a table of ranks, or the first of its histograms is link_busy, and there is one load. */
bool plots_links(const struct report *report);

/* Draws the distributions to the output, and commits it. Returns 0, or -1 with the reason. */
int plot_links(const struct report *report, struct output *output, struct error *error);

/* ---- plot_program.c: the matrix and the phases of a trace */

/* Returns whether the report is that of a trace, with bytes, whose routes are counted. */
bool plots_program(const struct report *report);

/* Draws both to the output, and commits it. Returns 0, or -1 with the reason. */
int plot_program(const struct report *report, struct output *output, struct error *error);

/* ---- plot_series.c: queues of packets over time */

/* Returns whether the report has the metric packet_queues, which its picture then shows. */
bool plots_series(const struct report *report);

/* Draws the queues of the first run to the output, and commits it. Returns 0, or -1 with the reason. */
int plot_series(const struct report *report, struct output *output, struct error *error);

#endif
