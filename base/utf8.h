/* UTF-8 in text that may hold anything. */
#ifndef ORCS_UTF8_H
#define ORCS_UTF8_H

#include <stddef.h>

/* How many bytes the UTF-8 character at text has, 0 if there is none (RFC 3629; "overlong" forms and surrogates count as none). */
size_t utf8_length(const char *text);

#endif
