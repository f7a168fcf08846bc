/* Copies of files that can be read only once, standard input and pipes, for programs that read them several times. */
#ifndef COMPARE_COPY_H
#define COMPARE_COPY_H

#include "base/error.h"
#include "infiniband/fabric_source.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns whether path is standard input ("-"), or exists and is not a regular file. */
bool copy_is_needed(const char *path);

/* Copies the bytes of path ("-": standard input) to the file. Returns 0, or -1. */
int copy_file(const char *path, FILE *to, struct error *error);

/* Replaces the name in an error about the only file of a source by the name that the user knows. */
void copy_name_error(const struct fabric_source *source, const char *label, struct error *error);

#endif
