/* The forms of a result, and single values as text, JSON and CSV have them. */
#ifndef BASE_VALUES_H
#define BASE_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* Their names, in that order; ends with NULL. */
extern const char *const format_names[];

struct value {
	enum value_type { VALUE_NULL, VALUE_BOOL, VALUE_COUNT, VALUE_NUMBER, VALUE_TEXT, VALUE_VERBATIM } type;
	union {
		bool yes;
		uint64_t count;   /* exact */
		double number;    /* not finite: as VALUE_NULL */
		const char *text; /* verbatim: written without quotes, as the digits of a number; borrowed */
	};
	const char *format; /* printf's, of a number as text */
};

#define NO_VALUE ((struct value){.type = VALUE_NULL})

static inline struct value value_of_bool(bool yes)
{
	return (struct value){.type = VALUE_BOOL, .yes = yes};
}

static inline struct value value_of_count(uint64_t count)
{
	return (struct value){.type = VALUE_COUNT, .count = count};
}

/* 0 stands for none: ports. */
static inline struct value value_of_some(uint64_t count)
{
	return count ? value_of_count(count) : NO_VALUE;
}

static inline struct value value_of_number(double number, const char *format)
{
	return isfinite(number) ? (struct value){.type = VALUE_NUMBER, .number = number, .format = format} : NO_VALUE;
}

/* NULL: none. */
static inline struct value value_of_text(const char *text)
{
	return text ? (struct value){.type = VALUE_TEXT, .text = text} : NO_VALUE;
}

static inline struct value value_verbatim(const char *digits)
{
	return (struct value){.type = VALUE_VERBATIM, .text = digits};
}

/* The value for people in the buffer, which it returns; "-" for none. */
const char *value_show(struct value value, char *buffer, size_t size);

/* A number is the shortest decimal one that reads back as the same double; none is null. */
void json_value(FILE *file, struct value value);

/* None is empty. */
void csv_value(FILE *file, struct value value);

/* A string in quotes; bytes that are no UTF-8, which JSON cannot hold, become U+FFFD. */
void json_text(FILE *file, const char *text);

/* Writes the text, in quotes if it needs them. One that begins with =, +, -, @, ', a tab or the end of a line gets a ' before it, so that
 * spreadsheets do not compute it. */
void csv_text(FILE *file, const char *text);

#endif
