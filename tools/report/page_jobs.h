/* The running jobs of --jobs in the page and in its data. */
#ifndef TOOLS_REPORT_PAGE_JOBS_H
#define TOOLS_REPORT_PAGE_JOBS_H

#include "tools/report/report.h"

/* Writes the tables. Returns 0, or -1 if out of memory. */
int page_jobs(FILE *file, const struct fabric_report *report, struct error *error);

/* Writes the member jobs, with a comma behind it; nothing without --jobs. */
void data_jobs(FILE *file, const struct fabric_report *report);

#endif
