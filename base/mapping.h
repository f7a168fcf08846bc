/* Bytes that are only read: a file's, mapped, so that all processes of a machine hold them once; or a stream's, held by this process. */
#ifndef BASE_MAPPING_H
#define BASE_MAPPING_H

#include "base/error.h"
#include "base/input.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* What tells a mapped file from others, for other processes; all zero where there is no file. */
struct mapping_mark {
	char path[PATH_MAX];
	uint64_t device, inode, bytes, seconds, nanoseconds;
	char start[64]; /* its first bytes */
};

struct mapping {
	const char *data;
	size_t bytes;
	struct mapping_mark mark;
};

/* Maps the open regular file, all of it. name: for messages. NULL on errors: STATUS_IO. */
struct mapping *mapping_of_file(int file, const char *name, struct error *error);

/* Reads the input, of which the first so many bytes are read already, into memory: up to bytes bytes in all, fewer where it ends before.
 * NULL on errors: STATUS_IO. */
struct mapping *mapping_of_input(struct input *input, const void *start, size_t length, size_t bytes, struct error *error);

/* Maps the file that another process has mapped. NULL, which is no error, if this process sees no such file. */
struct mapping *mapping_again(const struct mapping_mark *mark);
void mapping_free(struct mapping *mapping);

#endif
