/*
 * Parameters of patterns, metrics and every other kind that has a table: one small table per kind, one parser. A specification is NAME,
 * NAME:VALUE, NAME:VALUE,KEY=VALUE or NAME:VALUE,FLAG. Values without a key fill the table in its order and precede those with a key,
 * except a text that takes the whole rest.
 */
#ifndef BASE_ARGS_H
#define BASE_ARGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARGS_MAX = 16, DIMENSIONS_MAX = 11 };

enum arg_type {
	ARG_END,
	ARG_INTEGER,    /* 4 */
	ARG_DIMENSIONS, /* 4x4x8 */
	ARG_FLAG,       /* the key alone */
	ARG_WORD,       /* any text without a comma */
	ARG_TEXT,       /* all that follows, including commas: must be the last parameter */
};

/* One parameter; a table of them ends with {.type = ARG_END}. */
struct arg {
	const char *key;
	enum arg_type type;
	const char *preset; /* the default value; NULL: the parameter is required */
	int64_t min, max;   /* limits of an integer, or of each dimension */
	const char *help;   /* describes the default after the word "default" if the preset itself is not a value worth printing */
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
 * Parses text (what follows the colon; NULL or "" for nothing) by the table (NULL: no parameters). kind and name are used in messages.
 * Returns 0, or -1 with STATUS_USAGE. Call args_clear() in either case.
 */
int args_parse(
	struct arg_values *values, const struct arg *table, const char *text, const char *kind, const char *name, struct error *error);
void args_clear(struct arg_values *values);

/* Reads the whole text as a decimal integer in min..max, without a plus sign. Returns whether it is one. */
bool read_integer(const char *text, int64_t min, int64_t max, int64_t *value);

/*
 * Reads the number at the beginning of text as strtod() does, but decimal only: not hexadecimal, not inf, without leading spaces or plus
 * sign, not so small that it becomes 0. *end points behind it, or to text if there is none.
 */
double read_decimal(const char *text, char **end);

/* Reads the whole text as a decimal number in min..max, optionally with a fraction and an exponent. Returns whether it is one. */
bool read_number(const char *text, double min, double max, double *value);

/* The smallest number above 0: the min of a parameter that must be positive. */
#define ABOVE_ZERO 0x1p-1074

/* Reads the whole text as a GUID: up to 16 hexadecimal digits, with or without 0x. Returns whether it is one. */
bool read_guid(const char *text, uint64_t *guid);

/* A unit and its factor. */
struct unit {
	const char *name;
	double factor;
};

/*
 * Reads the whole text as a number with one of the units, the last of which has no name; the result is in min..max. Returns whether it is
 * one.
 */
bool read_scaled(const char *text, const struct unit *units, double min, double max, double *value);

/* Returns whether the engines, which count whole picoseconds, can distinguish the seconds from 0, or the seconds are 0. */
static inline bool is_time(double seconds)
{
	return seconds == 0 || seconds >= 1e-12 * (1 - 1e-9);
}

/*
 * Reads the whole text as seconds in 0..max, such as 0.5s, 20ms, 3us, 300ns or 7ps; a number without a unit is multiplied by plain. Returns
 * whether it is one.
 */
bool read_seconds(const char *text, double plain, double max, double *seconds);

/* Reads the whole text as a size in bytes >= 0, such as 4096, 64k or 1.5M (powers of 1000). Returns whether it is one. */
bool read_size(const char *text, double *bytes);

/* Writes the syntax of the specification, such as "neighbor:X" or "stencil:AxB[,torus]", to text. */
void args_usage(char *text, size_t size, const char *name, const struct arg *table);

/* Writes the description of a parameter to text: its key, its help, and its default unless the help states it. */
void arg_describe(char *text, size_t size, const struct arg *arg);

/* Returns the length of the name in a specification "NAME:...". */
size_t spec_name_length(const char *spec);

/* Returns whether a list of specifications, separated by commas, begins with one of that name. */
bool spec_begins(const char *list, const char *name);

#endif
