/* Memory: arrays and blocks of sizes that come from outside, and how much there is. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
