/* Reading traces: text files of lines of words, plain or compressed, of any length in little memory. A '#' starts a comment. */
#ifndef PATTERNS_GRAPHS_TRACE_FILE_H
#define PATTERNS_GRAPHS_TRACE_FILE_H

#include "base/args.h"
#include "base/error.h"
#include "base/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct files;

/* Tasks of a trace, and the largest tag: what larger numbers ask for is a mistake, or more than the memory. */
enum { TRACE_TASKS_MAX = 1 << 24 };
static const int64_t TRACE_TAG_MAX = UINT32_MAX;

/* A piece of the line, not terminated, good until the next line; without text behind the last of a line. */
struct word {
	const char *text; /* NULL: none */
	size_t length;
};

struct trace_file {
	struct line_reader lines;
	const char *next, *end; /* what of the line is not read yet */
	bool slashes;           /* to be set after trace_open(): comments as those of C too, of which some go on for lines */
	unsigned long begun;    /* the line of the comment that is open, 0: none is */
};

/* Opens path ("-": standard input, from its beginning each time). Returns 0, or -1; trace_close() in every case. */
int trace_open(struct trace_file *file, const char *path, struct error *error);
void trace_close(struct trace_file *file);

/* Names it, which is the first parameter of a workload. Returns 0, or -1. */
int trace_files(const struct arg_value *args, struct files *files, struct error *error);

/* Goes to the next line that has a word. Returns whether there is one; false also on errors. */
bool trace_line(struct trace_file *file, struct error *error);

/* The next word: all up to a blank or to one of the marks, which is a word of one character. */
struct word trace_word(struct trace_file *file, const char *marks);

bool word_is(struct word word, const char *text);

/* Whether the word begins with the key, as "bytes="; then it becomes what follows. */
bool word_has_key(struct word *word, const char *key);

/* "FILE:LINE: text", with STATUS_USAGE. Returns -1. */
int trace_error(const struct trace_file *file, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, of a word that is not what it should be: "'WORD' is no WHAT", or "WHAT is missing". Returns -1. */
int trace_wrong(const struct trace_file *file, struct word word, const char *what, struct error *error);

/* The word as a whole number in 0..max (max < 2^59), or as a decimal number >= 0 that is finite. what is for the message. Returns 0, or -1.
 */
int trace_integer(const struct trace_file *file, struct word word, const char *what, int64_t max, int64_t *value, struct error *error);
int trace_decimal(const struct trace_file *file, struct word word, const char *what, double *value, struct error *error);

/* The word as a size in bytes >= 0, as read_size() reads it, and as a weight of a message. Returns 0, or -1. */
int trace_size(const struct trace_file *file, struct word word, double *bytes, struct error *error);
int trace_weight(const struct trace_file *file, struct word word, double *weight, struct error *error);

/* Whether the line has no more words. Returns 0, or -1. */
int trace_line_end(struct trace_file *file, struct error *error);

#endif
