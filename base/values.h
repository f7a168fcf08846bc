/* Output formats, and single values as JSON and CSV. */
#ifndef BASE_VALUES_H
#define BASE_VALUES_H

#include <cJSON.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* The names of the formats, in the order of the enum; ends with NULL. */
extern const char *const format_names[];

/* Returns an exact integer. */
cJSON *json_count(uint64_t count);

/* Returns the shortest decimal number that reads back as the same double; null if it is not finite. */
cJSON *json_number(double number);

/* Returns a string; bytes that are not UTF-8, which JSON cannot hold, become U+FFFD. */
cJSON *json_string(const char *text);

/* Writes a JSON string to a file, with the same replacement. */
void json_text(FILE *file, const char *text);

/*
 * Writes the text, in quotes if it needs them. A text that begins with =, +, -, @, ', a tab or an end of line gets a ' in front, so that
 * spreadsheets do not evaluate it.
 */
void csv_text(FILE *file, const char *text);

#endif
