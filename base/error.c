#include "base/error.h"

#include "base/shown.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int error_set(struct error *error, enum status status, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	char text[sizeof error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	show_text(error->text, sizeof error->text, text);
	error->status = status;
	return -1;
}

int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	char text[800];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (line)
		return error_set(error, status, "%s:%lu: %s", file, line, text);
	return error_set(error, status, "%s: %s", file, text);
}

int error_unknown(struct error *error, const char *what, const char *name, const char *const *names, size_t count)
{
	const char *near = nearest_name(name, names, count);
	if (near)
		return error_set(error, STATUS_USAGE, "unknown %s '%s'; did you mean '%s'?", what, name, near);
	char list[800] = "";
	size_t length = 0;
	for (size_t i = 0; i < count && length < sizeof list; i++)
		length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
	return error_set(error, STATUS_USAGE, "unknown %s '%s' (valid: %s)", what, name, list);
}

/* An error unless so many elements more fit into the memory. */
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
		madvise(block, bytes, MADV_HUGEPAGE); /* a wish */
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

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Damerau's and Levenshtein's distance: characters changed, added, left out, or swapped with the next; names cut at 63 characters. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t far[64][64], length = strnlen(a, 63), width = strnlen(b, 63);
	for (size_t j = 0; j <= width; j++)
		far[0][j] = j;
	for (size_t i = 1; i <= length; i++) {
		far[i][0] = i;
		for (size_t j = 1; j <= width; j++) {
			far[i][j] = least(far[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(far[i - 1][j], far[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				far[i][j] = least(far[i][j], far[i - 2][j - 2] + 1);
		}
	}
	return far[length][width];
}

const char *nearest_name(const char *text, const char *const *names, size_t count)
{
	size_t limit = (strnlen(text, 63) + 2) / 3; /* of three letters one may be wrong, of four two */
	const char *best = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t distance = edit_distance(text, names[i]);
		if (distance <= limit) {
			best = names[i];
			limit = distance ? distance - 1 : 0;
			if (!distance)
				break;
		}
	}
	return best;
}
