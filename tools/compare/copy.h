/* Copies of files that can be read only once, standard input and pipes, for programs that read them again. */
#ifndef TOOLS_COMPARE_COPY_H
#define TOOLS_COMPARE_COPY_H

#include "base/error.h"
#include "infiniband/fabric_source.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether path is standard input ("-"), or exists and is no regular file. */
bool copy_is_needed(const char *path);

/* Copies the bytes of path ("-": standard input) to the file. Returns 0, or -1. */
int copy_file(const char *path, FILE *to, struct error *error);

/* Says an error in the only file of a source of what the user knows it by. */
void copy_name_error(const struct fabric_source *source, const char *label, struct error *error);

#endif
