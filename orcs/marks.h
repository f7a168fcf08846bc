/* Everything that must not change before a campaign is resumed: the version, the options as given, and the content of the files that they
 * name. */
#ifndef ORCS_MARKS_H
#define ORCS_MARKS_H

#include "base/files.h"

#include <stdbool.h>
#include <stdint.h>

/* Names, each followed by its value, all with their NUL. A name can occur several times. */
struct marks {
	char *text; /* [bytes] */
	size_t bytes, capacity;
};

void marks_clear(struct marks *marks);

/* Adds a name with a value. Returns 0, or -1 if out of memory. */
int marks_add(struct marks *marks, const char *name, const char *value, struct error *error);

/* The same with a number as the value. */
int marks_add_number(struct marks *marks, const char *name, uint64_t value, struct error *error);

/* Hashes the bytes of a regular file; "-": standard input. Returns whether it is a regular file and could be read. */
bool marks_hash_file(const char *path, uint64_t *hash);

/* Sets the error that the contents of the path cannot be compared. Returns -1. */
int marks_refuse_input(const char *path, struct error *error);

/* Adds the content of each input from the first of the list on that is none of the fabric. What is no regular file cannot be compared:
 * STATUS_USAGE. Returns 0, or -1. Time O(bytes of the files). */
int marks_add_inputs(struct marks *marks, const struct files *files, size_t first, struct error *error);

/* Returns whether the text, which may be damaged, is a list of marks. */
bool marks_valid(const char *text, size_t bytes);

/* Compares with the marks of a file. Returns 0, or -1 with STATUS_USAGE for the first difference. */
int marks_compare(const struct marks *now, const struct marks *then, const char *file, struct error *error);

#endif
