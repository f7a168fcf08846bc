#include "base/arena.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct arena {
	struct block {
		struct block *before;
		size_t bytes;
		max_align_t memory[];
	} * block;
	char *at;
	size_t left, size;
};

void *arena_create(void)
{
	struct arena *arena = calloc(1, sizeof *arena);
	if (arena)
		arena->size = 1 << 16;
	return arena;
}

void *arena_alloc(void *state, size_t bytes)
{
	struct arena *arena = state;
	bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (bytes > arena->left) {
		size_t size = sizeof(struct block) + bytes > arena->size ? sizeof(struct block) + bytes : arena->size;
		double available;
		if (!memory_fits((double)size, &available))
			return NULL;
		struct block *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (block == MAP_FAILED)
			return NULL;
		madvise(block, size, MADV_HUGEPAGE); /* best effort */
		*block = (struct block){arena->block, size};
		arena->block = block;
		arena->at = (char *)block->memory;
		arena->left = size - sizeof *block;
		arena->size = arena->size < 1 << 26 ? 2 * arena->size : arena->size;
	}
	char *memory = arena->at;
	arena->at += bytes;
	arena->left -= bytes;
	return memory;
}

void *arena_resize(void *state, void *memory, size_t old, size_t bytes)
{
	void *larger = arena_alloc(state, bytes);
	if (larger && memory)
		memcpy(larger, memory, old < bytes ? old : bytes);
	return larger;
}

void arena_free(void *state, void *memory)
{
	(void)state, (void)memory;
}

void arena_destroy(void *state)
{
	struct arena *arena = state;
	while (arena->block) {
		struct block *block = arena->block;
		arena->block = block->before;
		munmap(block, block->bytes);
	}
	free(arena);
}
