/*
 * Counters of ports, as tools print them. Each line goes to the form that accepted the line before, then to the others, so that every file
 * is recognised by its content. To add a form, write its function in counters_NAME.c, and add a line to the table in counters.c.
 */
#ifndef INFINIBAND_COUNTERS_H
#define INFINIBAND_COUNTERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter { COUNTER_XMIT_BYTES, COUNTER_RCV_BYTES, COUNTER_XMIT_WAIT, COUNTERS };

struct port_counters {
	uint64_t guid;            /* of the node or the port; 0: unknown */
	uint32_t lid;             /* 0: unknown */
	uint32_t number;          /* of the port */
	uint64_t value[COUNTERS]; /* bytes, bytes, ticks */
	bool has[COUNTERS];
	bool full[COUNTERS]; /* a counter of 32 bits that stays at its maximum */
};

struct counters {
	struct port_counters *port; /* [ports] */
	size_t ports, capacity;
	const char *form; /* name of the form of most lines */
};

/* Where a form is in a file. */
struct counter_reader {
	struct counters *counters;
	struct error *error;
	size_t at;    /* port that lines without one belong to; SIZE_MAX: none */
	bool wide;    /* perfquery's counters of data have 64 bits */
	bool columns; /* ibdiagnet's database: inside of the section */
	unsigned place[8];
};

struct counter_form {
	const char *name;
	/* Takes a line, which it may change only then. Returns whether it did. */
	bool (*line)(struct counter_reader *reader, char *line);
};

bool counters_perfquery(struct counter_reader *reader, char *line);
bool counters_ibqueryerrors(struct counter_reader *reader, char *line);
bool counters_ibdiagnet(struct counter_reader *reader, char *line);
bool counters_prometheus(struct counter_reader *reader, char *line);

/*
 * Reads a file ("-": standard input). Returns 0, or -1: STATUS_IO, or STATUS_USAGE for a file without any counter of data. Call
 * counters_clear() in either case. Time O(length).
 */
int counters_read(struct counters *counters, const char *path, struct error *error);
void counters_clear(struct counters *counters);

/* ---- for the forms */

/* Returns the number of the port in the list, which is added unless it is the last one; SIZE_MAX if out of memory. guid or lid may be 0. */
size_t counters_port(struct counter_reader *reader, uint64_t guid, uint32_t lid, uint32_t number);

/*
 * Sets a counter by the name of the management datagram's field (PortXmitData, …, in any case, with or without underscores, and
 * "Extended"), which counts 4 bytes. Returns whether it is one that is kept. A counter of 64 bits goes before one of 32.
 */
bool counters_set(struct counter_reader *reader, size_t port, const char *name, uint64_t value);

#endif
