/* Names that are misspelt. */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

#include "base/error.h"

#include <stddef.h>

/* "unknown WHAT 'name'", with the nearest of the names[0..count-1], or where none is near the list of all. Returns -1, with STATUS_USAGE.
 */
int error_unknown(struct error *error, const char *what, const char *name, const char *const *names, size_t count);

/* The name in names[0..count-1] nearest to text, NULL when none is near enough to be meant (edit distance; for "did you mean"). */
const char *nearest_name(const char *text, const char *const *names, size_t count);

#endif
