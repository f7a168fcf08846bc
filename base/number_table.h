/* A hash table from numbers to numbers below NUMBER_NONE; also a set of numbers. */
#ifndef BASE_NUMBER_TABLE_H
#define BASE_NUMBER_TABLE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_NONE UINT64_MAX

struct number_slot {
	uint64_t key, value; /* value NUMBER_NONE: free */
};

/* {0} is an empty table without room. */
struct number_table {
	struct number_slot *slots; /* [mask + 1], a power of two, at most half full */
	size_t mask, count;
};

/* Creates a table for up to count numbers. Returns 0, or -1. */
int number_table_init(struct number_table *table, size_t count, struct error *error);

/* Makes room for count numbers in all. Returns 0, or -1; then the table is unchanged. Amortised time O(1) per added number. */
int number_table_reserve(struct number_table *table, size_t count, struct error *error);

/* Removes all numbers; the room remains. */
void number_table_empty(struct number_table *table);
void number_table_clear(struct number_table *table);

/* Adds a number that the table has room for. Returns whether it is new; if not, the value that it has stays. */
bool number_table_add(struct number_table *table, uint64_t key, uint64_t value);

/* Returns the value of a number, NUMBER_NONE if the table does not have it. */
uint64_t number_table_find(const struct number_table *table, uint64_t key);

#endif
