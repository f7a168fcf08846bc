/*
 * Parameters of patterns and metrics (and of every kind that lives in a table): one small table per kind, one parser.
 * A specification reads NAME, NAME:VALUE, NAME:VALUE,KEY=VALUE or NAME:VALUE,FLAG. Values without a key fill the table in its order, and
 * stand before those with one (but for a text that takes all the rest).
 */
#ifndef BASE_ARGS_H
#define BASE_ARGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARGS_MAX = 8, DIMENSIONS_MAX = 8 };

enum arg_type {
	ARG_END,
	ARG_INTEGER,    /* 4 */
	ARG_DIMENSIONS, /* 4x4x8 */
	ARG_FLAG,       /* its key alone */
	ARG_WORD,       /* any text without a comma */
	ARG_TEXT,       /* all that follows, commas too: must be the last */
};

/* One parameter; a table of them ends with {.type = ARG_END}. */
struct arg {
	const char *key;
	enum arg_type type;
	const char *preset; /* the value when none is given; NULL: it must be given */
	int64_t min, max;   /* of integers, and of each dimension */
	const char *help;   /* says with the word "default" what the preset stands for, where that is no value to be shown */
};

struct arg_value {
	int64_t integer; /* also 1 for a flag that is set */
	unsigned dimensions;
	int64_t dimension[DIMENSIONS_MAX];
	char *text; /* owned */
};

struct arg_values {
	struct arg_value value[ARGS_MAX];
};

/*
 * Reads text (what stands after the colon; NULL or "" for nothing) by the table (NULL: no parameters). kind and name are for messages.
 * Returns 0, or -1 with STATUS_USAGE. args_clear() in every case.
 */
int args_parse(
	struct arg_values *values, const struct arg *table, const char *text, const char *kind, const char *name, struct error *error);
void args_clear(struct arg_values *values);

/* Reads a whole decimal number, without a plus sign, in min..max. Returns whether text is one. */
bool read_integer(const char *text, int64_t min, int64_t max, int64_t *value);

/* The number that text begins with, as strtod() reads it, but decimal: no hexadecimal one, no inf, no blanks or plus sign before it, none
 * so small that it would become 0. *end: behind it; text where there is none. */
double read_decimal(const char *text, char **end);

/* Reads a whole decimal number, perhaps with a fraction and an exponent, in min..max. Returns whether text is one. */
bool read_number(const char *text, double min, double max, double *value);

/* The least number there is above 0: the min of what must be positive. */
#define ABOVE_ZERO 0x1p-1074

/* Reads a whole GUID: up to 16 hexadecimal digits, with or without 0x. Returns whether text is one. */
bool read_guid(const char *text, uint64_t *guid);

/* A unit, and what it multiplies. */
struct unit {
	const char *name;
	double factor;
};

/* Reads a whole number with one of the units, the last of which has no name, in min..max of those. Returns whether text is one. */
bool read_scaled(const char *text, const struct unit *units, double min, double max, double *value);

/* Whether engines, which count in whole picoseconds, can tell the seconds from 0, or they are 0. */
static inline bool is_time(double seconds)
{
	return seconds == 0 || seconds >= 1e-12 * (1 - 1e-9);
}

/* Reads a whole text as seconds in 0..max: 0.5s, 20ms, 3us, 300ns or 7ps; a number without a unit times plain. Returns whether it is one.
 */
bool read_seconds(const char *text, double plain, double max, double *seconds);

/* Reads a whole text as a size in bytes >= 0, as 4096, 64k or 1.5M (powers of 1000). Returns whether it is one. */
bool read_size(const char *text, double *bytes);

/* Writes how the specification is to be given, as "neighbor:X" or "stencil:AxB[,torus]", to text. */
void args_usage(char *text, size_t size, const char *name, const struct arg *table);

/* Writes what a parameter is: its key, its help, and its preset unless the help tells, to text. */
void arg_describe(char *text, size_t size, const struct arg *arg);

/* Length of the name in a specification "NAME:…". */
size_t spec_name_length(const char *spec);

#endif
