/* Open addressing with linear probing. The hash reads eight bytes per step, as names are looked up tens of millions of times. */
#include "base/name_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static inline uint64_t hash_name(const char *name, size_t length)
{
	const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = length * factor, word;
	for (; length >= 8; name += 8, length -= 8) {
		memcpy(&word, name, 8);
		hash = (hash ^ word) * factor;
		hash ^= hash >> 32;
	}
	word = 0;
	for (size_t i = 0; i < length; i++)
		word = word << 8 | (unsigned char)name[i];
	hash = (hash ^ word) * factor;
	return hash ^ hash >> 32;
}

int name_table_init(struct name_table *names, size_t count, struct error *error)
{
	size_t size = 16;
	while (size < 2 * count)
		size *= 2;
	names->mask = size - 1;
	names->slots = array_create(size, sizeof *names->slots, error);
	return names->slots ? 0 : -1;
}

void name_table_clear(struct name_table *names)
{
	free(names->slots);
	*names = (struct name_table){0};
}

static inline struct name_slot *find_slot(const struct name_table *names, const char *name, size_t length, uint64_t hash)
{
	for (size_t i = hash & names->mask;; i = (i + 1) & names->mask) {
		struct name_slot *slot = &names->slots[i];
		if (!slot->name || (slot->hash == hash && slot->length == length && !memcmp(slot->name, name, length)))
			return slot;
	}
}

int name_table_reserve(struct name_table *names, size_t count, struct error *error)
{
	if (2 * count <= names->mask + 1)
		return 0;
	struct name_table larger;
	if (name_table_init(&larger, 2 * count, error))
		return -1;
	for (size_t i = 0; i <= names->mask; i++) {
		struct name_slot *slot = &names->slots[i];
		if (slot->name)
			*find_slot(&larger, slot->name, slot->length, slot->hash) = *slot;
	}
	name_table_clear(names);
	*names = larger;
	return 0;
}

uint32_t name_table_put(struct name_table *names, const char *name, size_t length, uint32_t id)
{
	uint64_t hash = hash_name(name, length);
	struct name_slot *slot = find_slot(names, name, length, hash);
	if (!slot->name)
		*slot = (struct name_slot){hash, name, (uint32_t)length, id};
	return slot->id;
}

uint32_t name_table_add(struct name_table *names, const char *name, uint32_t id)
{
	return name_table_put(names, name, strlen(name), id);
}

uint32_t name_table_find(const struct name_table *names, const char *name, size_t length)
{
	const struct name_slot *slot = find_slot(names, name, length, hash_name(name, length));
	return slot->name ? slot->id : NAME_NONE;
}

void name_table_set(struct name_table *names, const char *name, uint32_t id)
{
	size_t length = strlen(name);
	find_slot(names, name, length, hash_name(name, length))->id = id;
}
