/*
 * The dumps of InfiniBand tools, line by line. A form is one kind of dump (ibnetdiscover, dump_fts, ...); each line goes to the form that
 * took the one before, then to the others, until one takes it. So every file is recognised by its content, one file may hold several
 * dumps, and the messages that tools mix into their output are passed over and counted.
 * To add a form: its file, with one const struct at the bottom, and a line in dump_forms.c.
 */
#ifndef INFINIBAND_DUMP_H
#define INFINIBAND_DUMP_H

#include "base/error.h"
#include "infiniband/subnet.h"

#include <stdbool.h>
#include <stddef.h>

enum dump_line {
	LINE_FAILED = -1, /* the error is set: the line breaks the grammar of its form, or out of memory */
	LINE_FOREIGN,     /* not of this form */
	LINE_TAKEN,
};

enum dump_kind { DUMP_TOPOLOGY, DUMP_TABLES, DUMP_LANES };

struct dump_reader {
	struct subnet *subnet;
	const char *file;          /* its name for messages */
	unsigned long line_number; /* counted from 1 */
	struct error *error;
	int depth;       /* of files that include files */
	int *included;   /* files, by all of them together */
	void **state;    /* [forms] */
	uint64_t *lines; /* [forms] taken */
	char place[300];
};

struct dump_form {
	const char *name;    /* of the tool or file, as users know it */
	const char *summary; /* one line for --list-forms */
	enum dump_kind kind;
	size_t state_size; /* of what it remembers from line to line; zeroed at the start of each file */
	/* Takes a line without its end, NUL-terminated, which it may change only if it takes it. Blank lines come to the last taker only.
	 */
	enum dump_line (*line)(struct dump_reader *reader, void *state, char *line, size_t length);
	/* At the end of the file, where it took lines; may be NULL. */
	enum dump_line (*end)(struct dump_reader *reader, void *state);
};

/* All forms, NULL at the end. */
extern const struct dump_form *const dump_forms[];

/*
 * Reads a file ("-": standard input; plain or compressed) into the subnet. wanted: a bit 1 << enum dump_kind for each kind that the file
 * may hold; a file without a line of one of those is an error. Returns 0, or -1: STATUS_IO, STATUS_FABRIC. Time O(length).
 */
int dump_read(struct subnet *subnet, const char *path, unsigned wanted, struct error *error);

/* The kinds of dumps, as bits, of which the beginning of a file has lines: 0 where it has none, or out of memory. The text, which
 * a NUL ends, is spoilt. */
unsigned dump_kinds(char *text);

/* Reads another file into the same subnet: for forms that include files. The path is relative to that of the reader's file. */
enum dump_line dump_include(struct dump_reader *reader, const char *path);

/* "FILE:LINE: text" as an error, status STATUS_FABRIC; returns LINE_FAILED. And "FILE:LINE", until the next call. */
enum dump_line dump_error(struct dump_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *dump_place(struct dump_reader *reader);

/*
 * Small scanners for forms: each moves *text past what it reads and returns true, or leaves *text and returns false.
 * scan_blanks: blanks and tabs, any number, always true; scan_char: this character; scan_text: these characters; scan_hex: up to 16
 * hexadecimal digits, with or without 0x; scan_number: decimal digits, at most max; scan_quoted: "..." up to the next quote, of which *from
 * and *length tell, not NUL-terminated.
 */
bool scan_blanks(char **text);
bool scan_char(char **text, char wanted);
bool scan_text(char **text, const char *wanted);
bool scan_hex(char **text, uint64_t *value);
bool scan_number(char **text, uint32_t max, uint32_t *value);
bool scan_quoted(char **text, char **from, size_t *length);

/* "25.78125", up to a blank, in Gb/s of a lane. What does not begin with a digit, as N/A, is no rate, which is fine; "0x19" is not. */
bool scan_rate(char **text, enum lane_rate *rate);

/* "4xEDR", "4X", "4x EDR": what is known of a link. */
bool scan_link(char **text, unsigned *lanes, enum lane_rate *rate);

#endif
