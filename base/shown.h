/* Text for people. A name comes from a file, and whatever it holds must not act on a terminal, nor pass for a line of its own. */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include <stddef.h>
#include <stdio.h>

enum { SHOWN_SIZE = 4200 /* longer than any path */ };

/* How many bytes the UTF-8 character at text has, 0 if there is none (RFC 3629; "overlong" forms and surrogates count as none). */
size_t utf8_length(const char *text);

/*
 * The text as people are to see it, at most size - 1 bytes with "..." behind what is cut off, in buffer, which it returns: letters of UTF-8
 * stay, and so does a backslash; of all else a newline is \n, a tab \t, and each byte of control characters, of those that turn the
 * direction of writing or cannot be seen, and of what is no UTF-8 three octal digits, \033. Text that is shown already stays as it is.
 */
char *show_text(char *buffer, size_t size, const char *text);

/* The same in a buffer that lives until its block ends, for arguments of printf. */
#define SHOWN(text) show_text((char[SHOWN_SIZE]){0}, SHOWN_SIZE, text)

/* The same of a text of any length, written to a file. */
void write_shown(FILE *file, const char *text);

#endif
