/*
 * Counters of ports: data sent and received, and the time for which data waited. A form takes lines, one by one, as those of dumps do
 * (dump.h): each line goes to the form that took the line before, then to the others; what no form takes is skipped. To add a form, write
 * its file, with one const struct at the bottom, and add a line to counter_forms.c.
 */
#ifndef INFINIBAND_COUNTERS_H
#define INFINIBAND_COUNTERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Data in units of 4 bytes; waiting in ticks of the port. */
enum counter { COUNTER_SENT, COUNTER_RECEIVED, COUNTER_WAIT, COUNTERS };

/* The counters of a port, which the GUID of its node or of itself identifies, or a LID. */
struct port_counters {
	uint64_t guid; /* 0: unknown */
	uint32_t lid, port;
	uint64_t value[COUNTERS];
	uint8_t bits[COUNTERS]; /* 32: the counter stays at its largest value; 64; 0: unknown */
	unsigned long line;     /* of the file */
};

struct counters {
	struct port_counters *port; /* [ports] ascending by GUID, LID, number */
	size_t ports, capacity;
};

enum { COUNTER_PLACES = 9 };

enum counter_line {
	COUNTER_FAILED = -1, /* the error is set */
	COUNTER_FOREIGN,     /* not of this form */
	COUNTER_TAKEN,
};

struct counter_reader {
	struct counters *counters;
	const char *file; /* name for messages */
	unsigned long line_number;
	const void *section; /* for forms: of a table with columns, whose numbers (from 1; 0: none) are in place; NULL: none */
	unsigned place[COUNTER_PLACES];
	bool inside, wide; /* for forms: the port that was added last gets counters, of 64 bits */
	struct error *error;
};

struct counter_form {
	const char *name, *summary;
	/* Parses a line, which it may change only if it takes it. */
	enum counter_line (*line)(struct counter_reader *reader, char *line);
};

/* All forms, ending with NULL. */
extern const struct counter_form *const counter_forms[];

/*
 * Reads the counters of a file ("-": standard input; plain or compressed). An empty file has none. Returns 0, or -1: STATUS_IO, or
 * STATUS_USAGE for a file without any counters, a damaged line, or a port with two different values. Call counters_clear() in either case.
 * Time O(lines log ports).
 */
int counters_read(struct counters *counters, const char *path, struct error *error);
void counters_clear(struct counters *counters);

/* Finds the counters of a port by a GUID, or by a LID with guid 0; NULL: there are none. Time O(log ports). */
const struct port_counters *counters_find(const struct counters *counters, uint64_t guid, uint32_t lid, uint32_t port);

/* ---- for forms */

/* Begins the counters of a port. Returns COUNTER_TAKEN, or COUNTER_FAILED if out of memory. */
enum counter_line counters_begin(struct counter_reader *reader, uint64_t guid, uint32_t lid, uint32_t port, bool wide);

/* Sets a counter of the port begun last. Does nothing if it has a wider value. */
void counters_set(struct counter_reader *reader, enum counter counter, uint64_t value, unsigned bits);

/* Sets "FILE:LINE: text" with STATUS_USAGE and returns COUNTER_FAILED. */
enum counter_line counter_error(struct counter_reader *reader, const char *text);

/* Reads a number below 2^64, decimal or with 0x, and moves *text behind it; otherwise returns false and leaves *text. */
bool scan_count(char **text, uint64_t *value);

#endif
