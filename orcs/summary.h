/* What the result means, in three lines for a reader at a terminal. */
#ifndef ORCS_SUMMARY_H
#define ORCS_SUMMARY_H

#include "orcs/job.h"

/*
 * Writes to the terminal, if the job has one, the share of an ideal tree that a random bisection got, the channels that carry more
 * than their fair share (fabric/fair_share.h), and what to run next. Lines whose numbers the runs do not give, or which would take more
 * than about a second, are left out. Nothing with --quiet, --output or another format than text. Returns 0, or -1 if out of memory.
 */
int summary_write(const struct job *job, const struct report *report, struct error *error);

#endif
