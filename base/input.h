/* Reads files that are plain or compressed with gzip, xz or zstd (recognised by their first bytes); "-" is standard input. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct input;

/* Opens path. Returns NULL on errors. input_close(NULL) does nothing. */
struct input *input_open(const char *path, struct error *error);
void input_close(struct input *input);

/* Rewinds standard input so that it can be read again: a pipe is copied to a file in memory. Returns 0, or -1. */
int input_rewind_standard(struct error *error);

/*
 * Copies an input that can be read only once and has a descriptor (standard input, or a pipe that the shell names /dev/fd/N) to a file in
 * memory with the same path; other inputs are unchanged. Returns 0, or -1.
 */
int input_keep(const char *path, struct error *error);

/* Returns the name for messages: the path, or "<stdin>". */
const char *input_name(const struct input *input);

/* Reads up to size bytes of the decompressed text. Returns their number, 0 at the end, -1 on a read error or a damaged stream. */
ssize_t input_read(struct input *input, char *buffer, size_t size, struct error *error);

/* Returns the whole text, with a NUL behind it, and its *length; NULL on errors. The caller frees it. */
char *input_text(const char *path, size_t *length, struct error *error);

/* Reads a text line by line; the memory does not depend on the length of the text. */
struct line_reader {
	struct input *input;
	char *buffer; /* [size] */
	size_t from, to, size, longest;
	unsigned long number; /* number of the last line read, 1 or more */
	bool unfinished;      /* the last line read had no end: it is the last of the file */
	bool ended;
};

/* The longest permitted lines, in bytes: of dumps, traces and routes; of lists. */
enum { LINE_LONGEST = 1 << 26, LIST_LINE_LONGEST = 1 << 16 };

/* Opens path. Returns 0, or -1; call line_reader_close() in either case. */
int line_reader_open(struct line_reader *reader, const char *path, size_t longest, struct error *error);
void line_reader_close(struct line_reader *reader);

/*
 * Returns the next line without its end (LF or CRLF), NUL-terminated; the caller may change it. A byte order mark at the beginning of the
 * file is skipped. NULL at the end, and on errors: a line contains a NUL byte or is too long. Time O(length).
 */
char *line_reader_next(struct line_reader *reader, size_t *length, struct error *error);

/* Returns the next line of a list: without the comment that '#' starts and without surrounding white space. NULL as line_reader_next(). */
char *line_reader_list(struct line_reader *reader, struct error *error);

/* Splits the next word off *line: terminates it and moves *line past it. NULL if only white space is left. */
char *next_word(char **line);

#endif
