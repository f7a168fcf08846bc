/*
 * A machine with little memory, so that no input takes the real one's: the linker puts these in the place of what base/memory.h has
 * (--wrap). A larger array is refused, as on a machine if out of memory: so what follows that is tried too.
 */
#include "base/error.h"

enum { LARGEST = 4 << 20 };

void *__real_array_create(size_t count, size_t size, struct error *error);
int __real_array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);
void *__real_block_create(size_t bytes, struct error *error);
int __real_block_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error);

static int refuse(size_t count, size_t size, struct error *error)
{
	return error_set(error, STATUS_IO, "out of memory: %zu elements of %zu bytes", count, size);
}

void *__wrap_array_create(size_t count, size_t size, struct error *error)
{
	return count <= LARGEST / size || refuse(count, size, error) >= 0 ? __real_array_create(count, size, error) : NULL;
}

int __wrap_array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error)
{
	return need <= LARGEST / size ? __real_array_grow(items, capacity, need, size, error) : refuse(need, size, error);
}

void *__wrap_block_create(size_t bytes, struct error *error)
{
	return bytes <= LARGEST || refuse(bytes, 1, error) >= 0 ? __real_block_create(bytes, error) : NULL;
}

int __wrap_block_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error)
{
	return need <= LARGEST / size ? __real_block_grow(items, capacity, need, size, error) : refuse(need, size, error);
}
