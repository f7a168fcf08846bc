/* Pictures of a queue of jobs, by gnuplot. */
#ifndef ORCS_PLOT_QUEUE_H
#define ORCS_PLOT_QUEUE_H

#include "orcs/report.h"

/* Returns whether the report has a queue, which its picture then shows. */
bool plots_queue(const struct report *report);

/*
 * Draws the jobs of the first run to the output, and commits it: hosts x time, with utilisation and waiting jobs below; or the hosts by
 * leaf at the moment of --plot-at. Returns 0, or -1 with the reason.
 */
int plot_queue(const struct report *report, struct output *output, struct error *error);

#endif
