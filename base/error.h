/* Errors: a function that fails returns 0, NULL or a negative number and writes once, where it happened, what went wrong. */
#ifndef ORCS_ERROR_H
#define ORCS_ERROR_H

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
	char text[1000];
};

/* Writes the text (printf) and the status; the first error stays. Returns -1. */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for a place in a file: "FILE:LINE: text", or "FILE: text" where line is 0. Returns -1. */
int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* A zeroed array of count elements of size bytes each, never NULL for 0 elements; NULL when the memory is not there (of a large array:
 * before the system is asked for it) or the product overflows. */
void *array_create(size_t count, size_t size, struct error *error);

/* A copy of such an array. NULL when the memory is not there. */
void *array_copy(const void *array, size_t count, size_t size, struct error *error);

/* So many bytes, of no certain content, from the begin of a cache line on, in large pages where the system grants them: random reads of a
 * large table then wait less for addresses. For free(). NULL when the memory is not there. */
void *block_create(size_t bytes, struct error *error);

/* Grows the array *items of elements of size bytes to hold at least need of them, doubling *capacity. Returns 0, or -1. */
int array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);

/* The same in such a block. */
int block_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);

/* Bytes of memory that the machine, control groups and limits leave to this process, without what it has been granted and not used yet;
 * UINT64_MAX where nothing says. */
uint64_t memory_available(void);

/* Whether so many bytes fit into these: the system may grant more, and end the program when they are used. Few bytes always do: looking
 * takes some 50 microseconds. available: what it has seen. */
bool memory_fits(double bytes, double *available);

/* Whether so many things (what: in the plural), which take so many bytes in each of so many processes of this machine, fit. Returns 0, or
 * -1. */
int memory_check(double bytes, double count, const char *what, unsigned processes, struct error *error);

/* "unknown WHAT 'name'", with the nearest of the names[0..count-1], or where none is near the list of all. Returns -1, with STATUS_USAGE.
 */
int error_unknown(struct error *error, const char *what, const char *name, const char *const *names, size_t count);

/* The name in names[0..count-1] nearest to text, NULL when none is near enough to be meant (edit distance; for "did you mean"). */
const char *nearest_name(const char *text, const char *const *names, size_t count);

#endif
