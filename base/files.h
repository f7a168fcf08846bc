/* The input and output files of a command: no output may replace an input or another output. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include "base/error.h"
#include "base/output.h"

#include <stdbool.h>
#include <stddef.h>

struct file_named;

struct files {
	struct file_named *list; /* [count] */
	size_t count, capacity;
};

/*
 * Registers an input file ("-": standard input), also one that another input names. Files are recognised through any path, including both
 * kinds of links. A file that is not regular or does not exist is ignored, but standard output counts as one output. Returns 0, or -1:
 * STATUS_USAGE if an output opened before would replace the file.
 */
int files_read(struct files *files, const char *path, struct error *error);

/*
 * Opens an output ("-": standard output), see output_open(). Returns 0, or -1: STATUS_USAGE, with nothing opened, if it is an input or the
 * file of another output.
 */
int files_write(struct files *files, struct output *output, const char *path, struct error *error);

/*
 * Returns whether the file may be replaced by one that begins with these bytes (at most 16): it does not exist, or it is a regular file
 * that is empty or begins with them. others: also if it is not a regular file.
 */
bool files_replaceable(const char *path, const char *start, size_t length, bool others);

/* Returns the path of an input as it was given, by its index in the list; NULL if that index holds an output. */
const char *files_input(const struct files *files, size_t place);

void files_clear(struct files *files);

#endif
