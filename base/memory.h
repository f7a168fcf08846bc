/* Arrays and blocks whose sizes come from outside, and the available memory. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Allocates a zeroed array of count elements of size bytes each, never NULL for 0 elements. NULL if out of memory (large arrays are checked
 * before they are allocated) or if the product overflows.
 */
void *array_create(size_t count, size_t size, struct error *error);

/* Returns a copy of such an array, NULL if out of memory. */
void *array_copy(const void *array, size_t count, size_t size, struct error *error);

/*
 * Allocates bytes with undefined content, aligned to a cache line, in huge pages where the system grants them, so that random reads of a
 * large table cause fewer TLB misses. Free with free(). NULL if out of memory.
 */
void *block_create(size_t bytes, struct error *error);

/* Grows the array *items of elements of size bytes to at least need elements; *capacity doubles. Returns 0, or -1. */
int array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);

/* As array_grow(), for a block of block_create(). */
int block_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);

/*
 * Returns the bytes of memory that the machine, the control groups and the limits leave to this process, minus what it was granted and has
 * not used yet; UINT64_MAX if unknown.
 */
uint64_t memory_available(void);

/*
 * Returns whether that many bytes fit: the system may grant more and kill the process when they are used. A few bytes always fit: the check
 * takes some 50 microseconds. available: the memory found.
 */
bool memory_fits(double bytes, double *available);

/*
 * Checks that count things (what: their name in the plural) fit, which take bytes in each of that many processes of this machine. Returns
 * 0, or -1.
 */
int memory_check(double bytes, double count, const char *what, unsigned processes, struct error *error);

#endif
