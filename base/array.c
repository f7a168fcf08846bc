#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Fails unless that many more elements fit into the memory. Returns 0, or -1. */
static int check(size_t count, size_t size, struct error *error)
{
	double available, bytes = (double)count * (double)size;
	return memory_fits(bytes, &available)
		       ? 0
		       : error_set(error, STATUS_IO, "out of memory: %zu elements of %zu bytes take %.3g GB, and %.3g GB are available",
				 count, size, bytes / 1e9, available / 1e9);
}

static int refuse(size_t count, size_t size, struct error *error)
{
	return error_set(error, STATUS_IO, "out of memory: %zu elements of %zu bytes", count, size);
}

void *array_create(size_t count, size_t size, struct error *error)
{
	if (check(count, size, error))
		return NULL;
	void *array = count <= SIZE_MAX / size ? calloc(count ? count : 1, size) : NULL;
	if (!array)
		refuse(count, size, error);
	return array;
}

void *array_copy(const void *array, size_t count, size_t size, struct error *error)
{
	void *copy = array_create(count, size, error);
	if (copy && count)
		memcpy(copy, array, count * size);
	return copy;
}

void *block_create(size_t bytes, struct error *error)
{
	const size_t large_page = 2 << 20, line = 64, whole = bytes < large_page ? line : large_page;
	if (check(bytes, 1, error))
		return NULL;
	void *block = bytes < SIZE_MAX - large_page ? aligned_alloc(whole, bytes / whole * whole + whole) : NULL;
	if (block && whole == large_page)
		madvise(block, bytes, MADV_HUGEPAGE); /* best effort */
	else if (!block)
		refuse(bytes, 1, error);
	return block;
}

int block_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error)
{
	if (need <= *capacity)
		return 0;
	size_t wanted = need > 2 * *capacity ? need + 64 : 2 * *capacity;
	void *old, *block = wanted <= SIZE_MAX / size ? block_create(wanted * size, error) : NULL;
	if (!block)
		return refuse(wanted, size, error);
	memcpy(&old, items, sizeof old);
	if (old)
		memcpy(block, old, *capacity * size);
	free(old);
	memcpy(items, &block, sizeof block);
	*capacity = wanted;
	return 0;
}

int array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error)
{
	if (need <= *capacity)
		return 0;
	size_t wanted = *capacity ? *capacity : 16;
	while (wanted < need)
		wanted = wanted > SIZE_MAX / 2 ? need : wanted * 2;
	if (check(wanted - *capacity, size, error))
		return -1;
	void *old, *array = NULL;
	memcpy(&old, items, sizeof old);
	if (wanted <= SIZE_MAX / size)
		array = realloc(old, wanted * size);
	if (!array)
		return refuse(wanted, size, error);
	memcpy(items, &array, sizeof array);
	*capacity = wanted;
	return 0;
}
