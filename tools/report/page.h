/* The page: one file of HTML, with its pictures, data, style and script. */
#ifndef TOOLS_REPORT_PAGE_H
#define TOOLS_REPORT_PAGE_H

#include "tools/report/advice_lines.h"
#include "tools/report/report.h"

/* Writes the page. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int page_write(FILE *file, const struct fabric_report *report, const struct advice_lines *lines, struct error *error);

/* Writes the result as JSON (schema orcs-report/1); figures: text of its member figures, for the script of the page; NULL: none. */
int data_write(FILE *file, const struct fabric_report *report, const struct advice_lines *lines, const char *figures, struct error *error);

/* ---- parts of the page */

/* Writes the tables of levels, of cables (the first of them), and of engines. Return 0, or -1 if out of memory. */
void page_levels(FILE *file, const struct fabric_report *report);
int page_cables(FILE *file, const struct fabric_report *report, struct error *error);
int page_engines(FILE *file, const struct fabric_report *report, struct error *error);

/* Return whether there is such a section. */
bool page_has_engines(const struct fabric_report *report);
bool page_has_rails(const struct fabric_report *report);

/* Write the machines and their rails, what is odd, and the scale. */
void page_rails(FILE *file, const struct fabric_report *report);
void page_oddities(FILE *file, const struct fabric_report *report);
void page_scale(FILE *file, const struct fabric_report *report);
void page_legend(FILE *file, const struct fabric_report *report);

/* Write the pictures; page_where() nothing if there is none. places: receives what the script must know of those with cells, as JSON.
 * Return 0, or -1 if out of memory. */
int page_where(FILE *file, const struct fabric_report *report, FILE *places, struct error *error);
int page_histograms(FILE *file, const struct fabric_report *report, struct error *error);
int page_matrices(FILE *file, const struct fabric_report *report, FILE *places, struct error *error);
bool page_has_matrices(const struct fabric_report *report);

#endif
