/*
 * Memory that is freed all at once. Blocks double up to 64 MB, so that little takes little, and are of large pages where the system grants
 * them. In the form of the memory disciplines of cgraph, whose state is a void *.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/* NULL when the memory is not there. */
void *arena_create(void);
void arena_destroy(void *arena);

/* Zeroed memory; NULL when it is not there. */
void *arena_alloc(void *arena, size_t bytes);

/* A larger or smaller copy. */
void *arena_resize(void *arena, void *memory, size_t old, size_t bytes);

/* Does nothing: the memory stays until arena_destroy(). */
void arena_free(void *arena, void *memory);

#endif
