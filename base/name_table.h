/* A hash table from names, which are borrowed, to dense ids. */
#ifndef BASE_NAME_TABLE_H
#define BASE_NAME_TABLE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { NAME_NONE = UINT32_MAX };

struct name_slot {
	uint64_t hash;
	const char *name; /* NULL: free */
	uint32_t length, id;
};

struct name_table {
	struct name_slot *slots; /* [mask + 1], a power of two, at most half full */
	size_t mask;
};

/* Creates a table for up to count names. Returns 0, or -1. */
int name_table_init(struct name_table *names, size_t count, struct error *error);

/* Makes room for count names in all. Returns 0, or -1; then the table is unchanged. Amortised time O(1) per added name. */
int name_table_reserve(struct name_table *names, size_t count, struct error *error);
void name_table_clear(struct name_table *names);

/* Adds a name, which is borrowed. Returns its id, or the id of the same name added earlier. */
uint32_t name_table_add(struct name_table *names, const char *name, uint32_t id);

/* As name_table_add(), for a name of length bytes. */
uint32_t name_table_put(struct name_table *names, const char *name, size_t length, uint32_t id);

/* Changes the id of a name in the table. */
void name_table_set(struct name_table *names, const char *name, uint32_t id);

/* Returns the id of the name of length bytes, NAME_NONE if the table does not have it. */
uint32_t name_table_find(const struct name_table *names, const char *name, size_t length);

#endif
