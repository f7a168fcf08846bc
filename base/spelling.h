/* Suggestions for misspelt names. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

#include "base/error.h"

#include <stddef.h>

/* Sets "unknown WHAT 'name'" with the nearest of names[0..count-1], or with all of them if none is near. Returns -1, with STATUS_USAGE. */
int error_unknown(struct error *error, const char *what, const char *name, const char *const *names, size_t count);

/* Returns the name in names[0..count-1] nearest to text by edit distance, NULL if none is near enough for "did you mean". */
const char *nearest_name(const char *text, const char *const *names, size_t count);

#endif
