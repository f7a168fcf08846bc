/* Errors: a function that fails returns 0, NULL or a negative number and describes the failure once, where it happened. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit statuses of the programs, see orcs(1). */
enum status {
	STATUS_FINE = 0,
	STATUS_IO = 1,        /* I/O error or out of memory */
	STATUS_USAGE = 2,     /* the command line is invalid */
	STATUS_FABRIC = 3,    /* the fabric cannot be used */
	STATUS_THRESHOLD = 4, /* --fail-if was met, or orcs-check found that the routing does not satisfy --require */
};

/* An error: one line of text without the program's name and without a newline. status is STATUS_FINE until an error is set. */
struct error {
	enum status status;
	char text[1000];
};

/* Sets the text (as printf) and the status, unless an error is set already. Returns -1. */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets an error at a place in a file: "FILE:LINE: text", or "FILE: text" if line is 0. Returns -1. */
int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
