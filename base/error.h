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

/* What went wrong, one line of text without the program's name and without a newline. status is STATUS_FINE as long as nothing did. */
struct error {
	enum status status;
	bool nameless; /* the text lacks the name of the input, which the caller knows; see error_nameless() */
	char text[1000];
};

/* Writes the text (printf) and the status; the first error stays. Returns -1. */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same where the name of the input that is wrong belongs before the text, but only the caller knows it. Returns -1. */
int error_nameless(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a place in a file: "FILE:LINE: text", or "FILE: text" where line is 0. Returns -1. */
int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
