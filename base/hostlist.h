/*
 * Lists of hosts as Slurm writes them: names between commas; brackets hold numbers and ranges, such as "a[001-004,007],b[1-3]c[01-02]",
 * and end a name. The digits of the first number of a range give the width of its numbers.
 */
#ifndef BASE_HOSTLIST_H
#define BASE_HOSTLIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum { HOSTLIST_NAMES = 1000000, HOSTLIST_NAME_SIZE = 512 };

/*
 * Calls take() with each name of the list in order. Returns 0, or -1: STATUS_USAGE for text that is not such a list, names too many or too
 * long; or the error of take(), which returns -1. Errors do not name a file.
 */
int hostlist_expand(const char *text, int (*take)(void *data, const char *name, struct error *error), void *data, struct error *error);

/*
 * Writes names as a list, the numbers at their ends folded: "a[001-004,007]". Names must be different, without commas and brackets; their
 * order is lost. Returns 0, or -1 if out of memory. Time O(count log count).
 */
int hostlist_write(const char *const *name, size_t count, FILE *file, struct error *error);

#endif
