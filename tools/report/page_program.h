/* The program of --pattern in the page and in its data. */
#ifndef TOOLS_REPORT_PAGE_PROGRAM_H
#define TOOLS_REPORT_PAGE_PROGRAM_H

#include "tools/report/report.h"

/* Writes the matrix, the phases, the slowest messages and the channels that they share. */
void page_program(FILE *file, const struct fabric_report *report);

/* Writes the member program, with a comma behind it; nothing without --pattern. */
void data_program(FILE *file, const struct fabric_report *report);

#endif
