/* Reads traces: text files of lines of words, plain or compressed, of any length with little memory. A '#' starts a comment. */
#ifndef PATTERNS_GRAPHS_TRACE_FILE_H
#define PATTERNS_GRAPHS_TRACE_FILE_H

#include "base/args.h"
#include "base/error.h"
#include "base/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct files;

/* The largest number of tasks of a trace, and the largest tag: larger numbers are mistakes, or exceed the memory. */
enum { TRACE_TASKS_MAX = 1 << 24 };
static const int64_t TRACE_TAG_MAX = UINT32_MAX;

/* A part of the line, not terminated, valid until the next line; text is NULL after the last word of a line. */
struct word {
	const char *text; /* NULL: none */
	size_t length;
};

struct trace_file {
	struct line_reader lines;
	const char *next, *end; /* the unread part of the line */
	bool slashes;           /* set by the caller after trace_open(): comments of C are permitted too, which may span lines */
	unsigned long begun;    /* the line where the open comment begins, 0: none is open */
};

/* Opens path ("-": standard input, from its beginning each time). Returns 0, or -1; call trace_close() in either case. */
int trace_open(struct trace_file *file, const char *path, struct error *error);
void trace_close(struct trace_file *file);

/* Registers the file that the first parameter of a workload names. Returns 0, or -1. */
int trace_files(const struct arg_value *args, struct files *files, struct error *error);

/* Advances to the next line that has a word. Returns whether there is one; false also on errors. */
bool trace_line(struct trace_file *file, struct error *error);

/* Returns the next word: up to a space or to one of the marks; a mark is a word of one character. */
struct word trace_word(struct trace_file *file, const char *marks);

bool word_is(struct word word, const char *text);

/* Returns whether the word begins with the key, such as "bytes="; if so, it becomes the text after the key. */
bool word_has_key(struct word *word, const char *key);

/* Returns whether a workload, or one that is a parameter of it, begins with that name and its colon. */
bool word_nests(struct word spec, const char *name);

/* Sets the error "FILE:LINE: text", with STATUS_USAGE. Returns -1. */
int trace_error(const struct trace_file *file, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets the error for a word that is not what is expected: "'WORD' is not a WHAT", or "WHAT is missing". Returns -1. */
int trace_wrong(const struct trace_file *file, struct word word, const char *what, struct error *error);

/*
 * Reads the word as a whole number in 0..max (max < 2^59), or as a finite decimal number >= 0. what is used in messages. Returns 0, or -1.
 */
int trace_integer(const struct trace_file *file, struct word word, const char *what, int64_t max, int64_t *value, struct error *error);
int trace_decimal(const struct trace_file *file, struct word word, const char *what, double *value, struct error *error);

/* Reads the word as a size in bytes >= 0, like read_size(), or as a weight of a message. Returns 0, or -1. */
int trace_size(const struct trace_file *file, struct word word, double *bytes, struct error *error);
int trace_weight(const struct trace_file *file, struct word word, double *weight, struct error *error);

/* Checks that the line has no more words. Returns 0, or -1. */
int trace_line_end(struct trace_file *file, struct error *error);

#endif
