/* Texts in the page. Names come from files: whatever they contain is shown, and nothing of it acts. */
#ifndef TOOLS_REPORT_HTML_H
#define TOOLS_REPORT_HTML_H

#include <stdio.h>

/* Writes a text as content or as the value of an attribute in double quotes: printable (base/shown.h), with & < > " ' escaped. */
void html_text(FILE *file, const char *text);

/* Writes a text as a string of JSON within a page: printable, with < escaped, too, so that no element can end within. */
void html_json(FILE *file, const char *text);

/* Writes a number as JSON with at most these digits; null if it is not finite. */
void html_number(FILE *file, double number, int digits);

#endif
