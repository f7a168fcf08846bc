/* Text for output. Names come from files; whatever they contain must not control the terminal, nor look like a line of its own. */
#ifndef BASE_SHOWN_H
#define BASE_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { SHOWN_SIZE = 4200 /* longer than any path */ };

/* Returns the number of bytes of the UTF-8 character at text, 0 if it is not valid (RFC 3629: "overlong" forms and surrogates are not). */
size_t utf8_length(const char *text);

/*
 * Writes the printable form of the text to buffer and returns buffer: at most size - 1 bytes, ending in "..." if it is cut. UTF-8 letters
 * and backslashes stay; a newline becomes \n, a tab \t; each byte of a control character, of an invisible character, of one that changes
 * the writing direction, and of invalid UTF-8 becomes three octal digits, such as \033. Printable text stays as it is.
 */
char *show_text(char *buffer, size_t size, const char *text);

/* Returns the printable form in a buffer that lives until its block ends, for arguments of printf. */
#define SHOWN(text) show_text((char[SHOWN_SIZE]){0}, SHOWN_SIZE, text)

/*
 * Appends formatted text (printf) to a text of at most size - 1 bytes if it fits as a whole, so that no name is cut: names can differ in
 * their last character alone. Returns whether it fits.
 */
bool append_whole(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Writes the printable form of a text of any length to a file. */
void write_shown(FILE *file, const char *text);

#endif
