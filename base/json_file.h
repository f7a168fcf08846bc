/* Reads JSON, with cJSON: results of programs, and what other tools print. */
#ifndef BASE_JSON_FILE_H
#define BASE_JSON_FILE_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* Parses a text of length bytes, which ends with a NUL behind them. NULL with the status, name and line if it is not JSON. */
cJSON *json_parse(const char *text, size_t length, const char *name, enum status status, struct error *error);

/* Reads the file ("-": standard input; also compressed). NULL: STATUS_IO, STATUS_FABRIC for a text that is not JSON. */
cJSON *json_file_read(const char *path, struct error *error);

/* Returns a member of an object; NULL if there is none, or if object is NULL or not an object. */
const cJSON *json_member(const cJSON *object, const char *key);

/* Return the value of a member, or what stands for one that is missing or of another type: NAN, "". */
double json_number(const cJSON *object, const char *key);
const char *json_string(const cJSON *object, const char *key);

#endif
