/* What to do, in a few sentences: the costliest first. */
#ifndef TOOLS_REPORT_ADVICE_LINES_H
#define TOOLS_REPORT_ADVICE_LINES_H

#include "tools/report/report.h"

enum { ADVICE_LINES = 5 };

struct advice_line {
	const char *kind; /* "Reach", "Deadlock", "Routing", "Balance", "Capacity", "Cabling" or "Idle" */
	char *text;
};

struct advice_lines {
	struct advice_line line[ADVICE_LINES];
	int count; /* 0: there is nothing to do */
};

/* Makes the lines. Returns 0, or -1 if out of memory; advice_lines_clear() in either case. */
int advice_lines_make(struct advice_lines *lines, const struct fabric_report *report, struct error *error);
void advice_lines_clear(struct advice_lines *lines);

/* Writes a number with commas, such as 13,501,950, to text, and returns it. */
enum { COUNT_TEXT = 32 };
const char *count_text(uint64_t count, char text[COUNT_TEXT]);
#define COUNT(count) count_text(count, (char[COUNT_TEXT]){0})

/* Writes "NAME port N" of the tail of a channel, or "NAME" if the port is unknown. */
void write_tail(FILE *file, const struct fabric_report *report, uint32_t channel);

/* Writes "from level 1 to level 0". */
void write_tier(FILE *file, const struct load_tier *tier);

#endif
