/* The forms of a result, and single values as JSON and CSV have them. */
#ifndef BASE_VALUES_H
#define BASE_VALUES_H

#include <cJSON.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* Their names, in that order; ends with NULL. */
extern const char *const format_names[];

/* An exact integer. */
cJSON *json_count(uint64_t count);

/* The shortest decimal number that reads back as the same double; null for what is not finite. */
cJSON *json_number(double number);

/* A string; bytes that are no UTF-8, which JSON cannot hold, become U+FFFD. */
cJSON *json_string(const char *text);

/* The same, written to a file. */
void json_text(FILE *file, const char *text);

/* Writes the text, in quotes if it needs them. One that begins with =, +, -, @, ', a tab or the end of a line gets a ' before it, so that
 * spreadsheets do not compute it. */
void csv_text(FILE *file, const char *text);

#endif
