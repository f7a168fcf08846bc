/*
 * Memory that is freed all at once. Block sizes double up to 64 MB, so a small arena stays small; blocks use huge pages where the system
 * grants them. The signatures are those of cgraph's memory disciplines, whose state is a void *.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/* Returns an empty arena, NULL if out of memory. */
void *arena_create(void);
void arena_destroy(void *arena);

/* Allocates zeroed memory. NULL if out of memory. */
void *arena_alloc(void *arena, size_t bytes);

/* Returns a copy of memory (old bytes) with the new size, larger or smaller. */
void *arena_resize(void *arena, void *memory, size_t old, size_t bytes);

/* Does nothing: the memory is freed by arena_destroy(). */
void arena_free(void *arena, void *memory);

#endif
