/* What must be the same for a campaign to go on: the version, the options as given, and the content of the files that they name. */
#ifndef ORCS_MARKS_H
#define ORCS_MARKS_H

#include "base/files.h"

#include <stdbool.h>
#include <stdint.h>

/* Names, each followed by its value, all with their NUL; of one name there may be several. */
struct marks {
	char *text; /* [bytes] */
	size_t bytes, capacity;
};

void marks_clear(struct marks *marks);

/* Adds a name with a value. Returns 0, or -1 if out of memory. */
int marks_add(struct marks *marks, const char *name, const char *value, struct error *error);

/* The same with a number for a value. */
int marks_add_number(struct marks *marks, const char *name, uint64_t value, struct error *error);

/* The bytes of a regular file as one number; "-": standard input. Returns whether it is one and could be read. */
bool marks_hash_file(const char *path, uint64_t *hash);

/* Makes the error that what is read from there cannot be compared. Returns -1. */
int marks_refuse_input(const char *path, struct error *error);

/* Adds the content of each input from the first of the list on that is none of the fabric. What is no regular file cannot be compared:
 * STATUS_USAGE. Returns 0, or -1. Time O(bytes of the files). */
int marks_add_inputs(struct marks *marks, const struct files *files, size_t first, struct error *error);

/* Whether the text, which may be damaged, is that of some marks. */
bool marks_valid(const char *text, size_t bytes);

/* The first difference to those of a file, as an error of status STATUS_USAGE. Returns 0 if there is none, or -1. */
int marks_compare(const struct marks *now, const struct marks *then, const char *file, struct error *error);

#endif
