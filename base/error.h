/* Errors: a function that fails returns 0, NULL or a negative number and describes the failure once, where it happened. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit statuses of the programs, see orcs(1). */
enum status {
	STATUS_OK = 0,
	STATUS_IO = 1,        /* I/O error or out of memory */
	STATUS_USAGE = 2,     /* the command line is invalid */
	STATUS_FABRIC = 3,    /* the fabric cannot be used */
	STATUS_THRESHOLD = 4, /* --fail-if was met, or orcs-check found that the routing does not satisfy --require */
};

/* Errors that callers know how to deal with, so that none looks for words in the text. */
enum error_code {
	ERROR_OTHER,
	ERROR_SYNTAX,   /* a file is not written as it should be, at the line */
	ERROR_NO_ROUTE, /* a pair of hosts is not connected */
	ERROR_NAMELESS, /* the name of the input belongs before the text, see error_nameless() */
};

/* An error: one line of text without the program's name and without a newline. status is STATUS_OK until an error is set. */
struct error {
	enum status status;
	enum error_code code;
	unsigned long line;    /* of the file, 0: none */
	size_t file;           /* characters of the name of the file with which the text begins; 0: it names none */
	size_t reason;         /* where in the text it begins, behind the place */
	size_t advice, behind; /* where advice begins and ends; both 0: there is none */
	char text[1000];
};

/* Sets the text (as printf) and the status, unless an error is set already. Returns -1. */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Sets an error whose text lacks the name of the input, which only the caller knows: its code becomes ERROR_NAMELESS. Returns -1.
 */
int error_nameless(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets an error at a place in a file: "FILE:LINE: text", or "FILE: text" if line is 0. Returns -1. */
int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* The file of an error at a place gets another name; others stay. */
void error_rename(struct error *error, const char *file);

/* Notes that the text ends with this advice. */
void error_ends_with(struct error *error, const char *advice);

/* Writes the text without the place and without advice to text. */
void error_facts(const struct error *error, char *text, size_t size);

#endif
