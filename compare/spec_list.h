/* Lists of specifications on a command line, separated by commas. */
#ifndef COMPARE_SPEC_LIST_H
#define COMPARE_SPEC_LIST_H

#include "base/error.h"
#include "patterns/pattern.h"

#include <stdbool.h>

/*
 * Returns a new copy of the next item of *list, which becomes the rest, NULL at the end: "stencil:4x4,torus,bisect" is two patterns,
 * because after a colon anything but a name is a parameter. NULL with STATUS_IO if out of memory.
 */
char *spec_list_next(const char **list, bool (*is_name)(const char *text), struct error *error);

/*
 * Appends the patterns of a list to pattern [*count], at most `most`; their texts are new. Returns 0, or -1: STATUS_USAGE for a pattern
 * that is there already or too many, STATUS_IO if out of memory.
 */
int pattern_list_read(struct pattern_request *pattern, int *count, int most, const char *list, struct error *error);

#endif
