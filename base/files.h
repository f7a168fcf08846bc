/* The files of a command, those it reads and those it writes: no output takes the place of an input, or of another output. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include "base/error.h"
#include "base/output.h"

#include <stddef.h>

struct file_named;

struct files {
	struct file_named *list; /* [count] */
	size_t count, capacity;
};

/*
 * A file that is read ("-": standard input), also one that another one names. Whatever path leads to it is known: links of both kinds too.
 * What is no regular file, or is not there, is passed over, but that standard output is one output only. Returns 0, or -1: STATUS_USAGE
 * where an output opened before would replace it.
 */
int files_read(struct files *files, const char *path, struct error *error);

/* Opens an output ("-": standard output), see output_open(). Returns 0, or -1: STATUS_USAGE, and nothing opened, where it is an input, or
 * the file of another output. */
int files_write(struct files *files, struct output *output, const char *path, struct error *error);

/* The path of an input as it was given, by its place in the list; NULL where an output stands. */
const char *files_input(const struct files *files, size_t place);

void files_clear(struct files *files);

#endif
