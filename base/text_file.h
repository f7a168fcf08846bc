/* A file whose text is kept in memory, and held against what there is as it grows. */
#ifndef BASE_TEXT_FILE_H
#define BASE_TEXT_FILE_H

#include "base/error.h"

#include <stdio.h>

struct text_file {
	FILE *file;
	char *text; /* after text_file_close(), to be freed */
	size_t size, capacity;
	struct error error; /* why a write failed */
};

/* Opens it for writing. Returns 0, or -1; text_file_close() in every case. */
int text_file_open(struct text_file *text, struct error *error);

/* Ends the writing. Returns 0, or -1 when the text did not fit into the memory, or there was an error before; then text is NULL. */
int text_file_close(struct text_file *text, struct error *error);

#endif
