/* A file whose text is kept in memory; its growth is checked against the available memory. */
#ifndef BASE_TEXT_FILE_H
#define BASE_TEXT_FILE_H

#include "base/error.h"

#include <stdio.h>

struct text_file {
	FILE *file;
	char *text; /* after text_file_close(), owned by the caller */
	size_t size, capacity;
	struct error error; /* the reason of a failed write */
};

/* Opens the file for writing. Returns 0, or -1; call text_file_close() in either case. */
int text_file_open(struct text_file *text, struct error *error);

/* Ends writing. Returns 0, or -1 if the text did not fit into the memory or an earlier error occurred; then text is NULL. */
int text_file_close(struct text_file *text, struct error *error);

#endif
