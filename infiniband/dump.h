/*
 * Reads the dumps of InfiniBand tools, line by line. A format is one kind of dump (ibnetdiscover, dump_fts, ...). Each line goes to the
 * format that accepted the previous line, then to the others, until one accepts it. Every file is therefore recognised by its content, one
 * file can hold several dumps, and the messages that tools mix into their output are skipped and counted. To add a format, write its file,
 * with one const struct at the bottom, and add a line to dump_forms.c.
 */
#ifndef INFINIBAND_DUMP_H
#define INFINIBAND_DUMP_H

#include "base/error.h"
#include "infiniband/subnet.h"

#include <stdbool.h>
#include <stddef.h>

enum dump_line {
	LINE_FAILED = -1, /* the error is set: the line breaks the grammar of its format, or out of memory */
	LINE_FOREIGN,     /* not of this format */
	LINE_TAKEN,
};

enum dump_kind { DUMP_TOPOLOGY, DUMP_TABLES, DUMP_LANES, DUMP_LEVELS };

struct dump_reader {
	struct subnet *subnet;
	const char *file;          /* name for messages */
	unsigned long line_number; /* counted from 1 */
	struct error *error;
	int depth;       /* nesting depth of included files */
	int *included;   /* number of included files, over all levels */
	void **state;    /* [forms] */
	uint64_t *lines; /* [forms] lines accepted */
	char place[300];
};

struct dump_form {
	const char *name;    /* name of the tool or file, as users know it */
	const char *summary; /* one line for --list-forms */
	enum dump_kind kind;
	size_t state_size; /* bytes of the state kept between lines; zeroed at the start of each file */
	/*
	 * Parses a line without its end, NUL-terminated, which it may change only if it accepts it. Blank lines are offered only to the
	 * format that accepted the previous line.
	 */
	enum dump_line (*line)(struct dump_reader *reader, void *state, char *line, size_t length);
	/* Ends a file of which it accepted lines; may be NULL. */
	enum dump_line (*end)(struct dump_reader *reader, void *state);
};

/* All formats, ending with NULL. */
extern const struct dump_form *const dump_forms[];

/*
 * Reads a file ("-": standard input; plain or compressed) into the subnet. wanted: a bit 1 << enum dump_kind for each kind that the file
 * may hold; a file without a line of any of those is an error. Returns 0, or -1: STATUS_IO, STATUS_FABRIC. Time O(length).
 */
int dump_read(struct subnet *subnet, const char *path, unsigned wanted, struct error *error);

/*
 * Returns, as bits, the kinds of dumps of which the beginning of a file has lines; 0 if it has none, or if out of memory. The text ends
 * with a NUL and is overwritten.
 */
unsigned dump_kinds(char *text);

/* Reads another file into the same subnet, for formats that include files. The path is relative to that of the reader's file. */
enum dump_line dump_include(struct dump_reader *reader, const char *path);

/*
 * dump_error() sets "FILE:LINE: text" as an error with STATUS_FABRIC and returns LINE_FAILED. dump_place() returns "FILE:LINE", valid until
 * the next call.
 */
enum dump_line dump_error(struct dump_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *dump_place(struct dump_reader *reader);

/* Like subnet_entry(); of the entries that differ the first is reported with its file and line. */
int dump_entry(struct dump_reader *reader, uint32_t node, unsigned lid, unsigned port);

/*
 * Small scanners for formats: each moves *text past what it reads and returns true, or leaves *text and returns false. scan_blanks reads
 * any number of blanks and tabs and always returns true; scan_char reads this character; scan_text, these characters; scan_hex, up to 16
 * hexadecimal digits, with or without 0x; scan_number, decimal digits, up to the value max; scan_quoted, "..." up to the next quote, where
 * *from and *length delimit the content, which is not NUL-terminated.
 */
bool scan_blanks(char **text);
bool scan_char(char **text, char wanted);
bool scan_text(char **text, const char *wanted);
bool scan_hex(char **text, uint64_t *value);
bool scan_number(char **text, uint32_t max, uint32_t *value);
bool scan_quoted(char **text, char **from, size_t *length);

/*
 * Reads numbers up to max, decimal or with 0x, between bars, "| 0| 1|0x20|", to the end of the text; the first bar may be missing. Returns
 * how many there are, at most room; 0 if the text is anything else.
 */
unsigned scan_bars(char *text, uint32_t max, uint8_t *value, unsigned room);

/*
 * Reads "25.78125", up to a blank: Gb/s per lane. Text that does not begin with a digit, such as N/A, is accepted as an unknown rate;
 * "0x19" is not accepted.
 */
bool scan_rate(char **text, enum lane_rate *rate);

/* Reads "4xEDR", "4X" or "4x EDR": the known properties of a link. */
bool scan_link(char **text, unsigned *lanes, enum lane_rate *rate);

#endif
