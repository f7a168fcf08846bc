/* Read-only bytes: a mapped file, which all processes of a machine hold once, or the content of a stream, held by this process. */
#ifndef BASE_MAPPED_FILE_H
#define BASE_MAPPED_FILE_H

#include "base/error.h"
#include "base/input.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* The identity of a mapped file, for other processes; all zero if there is no file. */
struct mapped_file_mark {
	char path[PATH_MAX];
	uint64_t device, inode, bytes, seconds, nanoseconds;
	char start[64]; /* the first bytes of the file */
};

struct mapped_file {
	const char *data;
	size_t bytes;
	struct mapped_file_mark mark;
};

/* Maps the whole open regular file. name is used in messages. NULL on errors: STATUS_IO. */
struct mapped_file *mapped_file_of_file(int file, const char *name, struct error *error);

/*
 * Reads the input, whose first length bytes (start) are already read, into memory: up to bytes bytes in all, fewer if it ends earlier. NULL
 * on errors: STATUS_IO.
 */
struct mapped_file *mapped_file_of_input(struct input *input, const void *start, size_t length, size_t bytes, struct error *error);

/* Maps the file that another process has mapped. NULL, without an error, if this process does not see that file. */
struct mapped_file *mapped_file_again(const struct mapped_file_mark *mark);
void mapped_file_free(struct mapped_file *mapping);

#endif
