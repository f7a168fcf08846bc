/* Errors: a function that fails returns 0, NULL or a negative number and writes once, where it happened, what went wrong. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit statuses of the program, see orcs(1). */
enum status {
	STATUS_FINE = 0,
	STATUS_IO = 1,        /* a file or the memory failed */
	STATUS_USAGE = 2,     /* the command line asks for something that does not exist */
	STATUS_FABRIC = 3,    /* the fabric cannot be used */
	STATUS_THRESHOLD = 4, /* --fail-if was met, or the routing is not what is required (orcs-check) */
};

/* Errors that callers know how to deal with, so that none looks for words in the text. */
enum error_code {
	ERROR_OTHER,
	ERROR_SYNTAX,   /* a file is not written as it should be, at the line */
	ERROR_NO_ROUTE, /* a pair of hosts is not connected */
};

/* What went wrong, one line of text without the program's name and without a newline. status is STATUS_FINE as long as nothing did. */
struct error {
	enum status status;
	enum error_code code;
	unsigned long line;    /* of the file, 0: none */
	size_t file;           /* characters of the name of the file with which the text begins; 0: it names none */
	size_t reason;         /* where in the text it begins, behind the place */
	size_t advice, behind; /* where advice begins and ends; both 0: there is none */
	char text[1000];
};

/* Writes the text (printf) and the status; the first error stays. Returns -1. */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a place in a file: "FILE:LINE: text", or "FILE: text" where line is 0. Returns -1. */
int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The file of an error at a place gets another name; others stay. */
void error_rename(struct error *error, const char *file);

/* Notes that the text ends with this advice. */
void error_ends_with(struct error *error, const char *advice);

/* Writes the text without the place and without advice to text. */
void error_facts(const struct error *error, char *text, size_t size);

#endif
