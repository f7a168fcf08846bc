/* Reading files: plain, or compressed with gzip, xz or zstd, recognised by their first bytes; "-" is standard input. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct input;

/* Opens path. Returns NULL, with the reason, when that fails; input_close(NULL) is fine. */
struct input *input_open(const char *path, struct error *error);
void input_close(struct input *input);

/* Goes to the beginning of standard input, to read it again: a pipe becomes a file in memory. Returns 0, or -1. */
int input_rewind_standard(struct error *error);

/* What can be read only once and has a number, standard input or a pipe that the shell names /dev/fd/N, becomes a file in memory, by the
 * same path; all else stays. Returns 0, or -1. */
int input_keep(const char *path, struct error *error);

/* The name for messages: the path, or "<stdin>". */
const char *input_name(const struct input *input);

/* Reads up to size bytes of the decompressed text. Returns their number, 0 at the end, -1 on a read error or a damaged stream. */
ssize_t input_read(struct input *input, char *buffer, size_t size, struct error *error);

/* Reading a text line by line, of any length of text in little memory. */
struct line_reader {
	struct input *input;
	char *buffer; /* [size] */
	size_t from, to, size, longest;
	unsigned long number; /* of the line read last, from 1 */
	bool ended;
};

/* How long lines may be, in bytes: those of dumps, traces and routes, and those of lists. */
enum { LINE_LONGEST = 1 << 26, LIST_LINE_LONGEST = 1 << 16 };

/* Opens path. Returns 0, or -1; line_reader_close() in every case. */
int line_reader_open(struct line_reader *reader, const char *path, size_t longest, struct error *error);
void line_reader_close(struct line_reader *reader);

/*
 * The next line, without its end (also of Windows), NUL-terminated, to be changed at will; a byte order mark at the beginning is left
 * out. NULL at the end, and on errors: a line that holds a NUL byte, or is longer than it may be. Time O(length).
 */
char *line_reader_next(struct line_reader *reader, size_t *length, struct error *error);

/* The same for lists: without the comment that a '#' starts, and the blanks around the rest. */
char *line_reader_list(struct line_reader *reader, struct error *error);

/* Splits the next word off *line: cuts it at its end, advances *line past it; NULL when only blanks are left. */
char *next_word(char **line);

#endif
