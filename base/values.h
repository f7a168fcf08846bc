/* Output formats, and single values as text, JSON and CSV. */
#ifndef BASE_VALUES_H
#define BASE_VALUES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

/* The names of the formats, in the order of the enum; ends with NULL. */
extern const char *const format_names[];

struct value {
	enum value_type { VALUE_NULL, VALUE_BOOL, VALUE_COUNT, VALUE_NUMBER, VALUE_TEXT, VALUE_VERBATIM } type;
	union {
		bool yes;
		uint64_t count;   /* exact */
		double number;    /* not finite: as VALUE_NULL */
		const char *text; /* verbatim: written without quotes, as the digits of a number; borrowed */
	};
	const char *format; /* printf format of a number as text */
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

/* 0 means no value, such as an unknown port. */
static inline struct value value_of_some(uint64_t count)
{
	return count ? value_of_count(count) : NO_VALUE;
}

static inline struct value value_of_number(double number, const char *format)
{
	return isfinite(number) ? (struct value){.type = VALUE_NUMBER, .number = number, .format = format} : NO_VALUE;
}

/* NULL means no value. */
static inline struct value value_of_text(const char *text)
{
	return text ? (struct value){.type = VALUE_TEXT, .text = text} : NO_VALUE;
}

static inline struct value value_verbatim(const char *digits)
{
	return (struct value){.type = VALUE_VERBATIM, .text = digits};
}

/* Writes the value as text to buffer, which it returns; "-" for no value. */
const char *value_show(struct value value, char *buffer, size_t size);

/* Writes a value as JSON: a number as the shortest decimal that reads back as the same double, no value as null. */
void json_value(FILE *file, struct value value);

/* Writes a value as CSV: nothing for no value. */
void csv_value(FILE *file, struct value value);

/* Writes a string in quotes; bytes that are not UTF-8, which JSON cannot hold, become U+FFFD. */
void json_text(FILE *file, const char *text);

/*
 * Writes the text, in quotes if it needs them. A text that begins with =, +, -, @, ', a tab or an end of line gets a ' in front, so that
 * spreadsheets do not evaluate it.
 */
void csv_text(FILE *file, const char *text);

#endif
