/* Read-only bytes: a mapped file, which all processes of a machine hold once, or the content of a stream, held by this process. */
#ifndef BASE_MAPPING_H
#define BASE_MAPPING_H

#include "base/error.h"
#include "base/input.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* The identity of a mapped file, for other processes; all zero if there is no file. */
struct mapping_mark {
	char path[PATH_MAX];
	uint64_t device, inode, bytes, seconds, nanoseconds;
	char start[64]; /* the first bytes of the file */
};

struct mapping {
	const char *data;
	size_t bytes;
	struct mapping_mark mark;
};

/* Maps the whole open regular file. name is used in messages. NULL on errors: STATUS_IO. */
struct mapping *mapping_of_file(int file, const char *name, struct error *error);

/*
 * Reads the input, whose first length bytes (start) are already read, into memory: up to bytes bytes in all, fewer if it ends earlier. NULL
 * on errors: STATUS_IO.
 */
struct mapping *mapping_of_input(struct input *input, const void *start, size_t length, size_t bytes, struct error *error);

/* Maps the file that another process has mapped. NULL, without an error, if this process does not see that file. */
struct mapping *mapping_again(const struct mapping_mark *mark);
void mapping_free(struct mapping *mapping);

#endif
