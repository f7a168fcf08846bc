/* Text that may hold anything, for what takes UTF-8 only. */
#ifndef ORCS_UTF8_H
#define ORCS_UTF8_H

#include <stddef.h>

/* How many bytes the UTF-8 character at text has, 0 if there is none (RFC 3629; "overlong" forms and surrogates count as none). */
size_t utf8_length(const char *text);

/* Copies text to clean (size bytes), cut where it is full: bytes that are no UTF-8, control characters, and what XML does not allow become
 * '?'. Returns clean. */
char *utf8_clean(char *clean, size_t size, const char *text);

#endif
