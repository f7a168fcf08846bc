/* A hash table from names, which are borrowed, to dense ids. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { NAME_NONE = UINT32_MAX };

struct name_slot {
	uint64_t hash;
	const char *name; /* NULL: free */
	uint32_t length, id;
};

struct names {
	struct name_slot *slots; /* [mask + 1], a power of two, at most half full */
	size_t mask;
};

/* Creates a table for up to count names. Returns 0, or -1. */
int names_init(struct names *names, size_t count, struct error *error);

/* Makes room for count names in all. Returns 0, or -1; then the table is unchanged. Amortised time O(1) per added name. */
int names_reserve(struct names *names, size_t count, struct error *error);
void names_clear(struct names *names);

/* Adds a name, which is borrowed. Returns its id, or the id of the same name added earlier. */
uint32_t names_add(struct names *names, const char *name, uint32_t id);

/* Changes the id of a name in the table. */
void names_set(struct names *names, const char *name, uint32_t id);

/* Returns the id of the name of length bytes, NAME_NONE if the table does not have it. */
uint32_t names_find(const struct names *names, const char *name, size_t length);

#endif
