/* The result of orcs-jobs as text, JSON (orcs-jobs/1) and CSV, and as a picture. */
#ifndef TOOLS_JOBS_JOBS_REPORT_H
#define TOOLS_JOBS_JOBS_REPORT_H

#include "base/output.h"
#include "tools/jobs/job_moves.h"
#include "tools/jobs/jobs_options.h"

struct jobs_found {
	const struct fabric *fabric; /* with labels */
	const struct job_list *list;
	const struct job_hosts *hosts;
	const struct job_result *result;
	const struct job_moves *moves; /* NULL: not asked for */
};

/* Writes the result. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int jobs_report(const struct jobs_found *found, const struct jobs_options *options, FILE *file, struct error *error);

/* Draws the matrix of slowdowns to the output, and commits it. Returns 0, or -1. */
int jobs_plot(const struct jobs_found *found, const struct jobs_options *options, struct output *output, struct error *error);

#endif
