#include "error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* One line: control characters of names that came from a file become '?'. */
static void one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			*text = '?';
}

int error_set(struct error *error, enum status status, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	va_list list;
	va_start(list, format);
	vsnprintf(error->text, sizeof error->text, format, list);
	va_end(list);
	one_line(error->text);
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
	char list[800] = "";
	size_t length = 0;
	for (size_t i = 0; i < count && length < sizeof list; i++)
		length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
	const char *near = nearest_name(name, names, count);
	return error_set(error, STATUS_USAGE, "unknown %s '%s'%s%s%s (valid: %s)", what, name, near ? "; did you mean '" : "",
		near ? near : "", near ? "'?" : "", list);
}

void *array_create(size_t count, size_t size, struct error *error)
{
	void *array = count <= SIZE_MAX / size ? calloc(count ? count : 1, size) : NULL;
	if (!array)
		error_set(error, STATUS_IO, "out of memory: %zu elements of %zu bytes", count, size);
	return array;
}

void *block_create(size_t bytes, struct error *error)
{
	enum { LARGE_PAGE = 2 << 20 };
	if (bytes < LARGE_PAGE)
		return array_create(bytes, 1, error);
	void *block = bytes < SIZE_MAX - LARGE_PAGE ? aligned_alloc(LARGE_PAGE, (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE) : NULL;
	if (block)
		madvise(block, bytes, MADV_HUGEPAGE); /* a wish */
	else
		error_set(error, STATUS_IO, "out of memory: %zu bytes", bytes);
	return block;
}

int array_grow(void *items, size_t *capacity, size_t need, size_t size, struct error *error)
{
	if (need <= *capacity)
		return 0;
	size_t wanted = *capacity ? *capacity : 16;
	while (wanted < need)
		wanted = wanted > SIZE_MAX / 2 ? need : wanted * 2;
	void *old, *array = NULL;
	memcpy(&old, items, sizeof old);
	if (wanted <= SIZE_MAX / size)
		array = realloc(old, wanted * size);
	if (!array)
		return error_set(error, STATUS_IO, "out of memory: %zu elements of %zu bytes", wanted, size);
	memcpy(items, &array, sizeof array);
	*capacity = wanted;
	return 0;
}

/* Levenshtein's distance, names cut at 63 characters. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[64];
	size_t width = strnlen(b, 63);
	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 0; a[i] && i < 63; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			size_t change = diagonal + (a[i] != b[j]);
			diagonal = row[j + 1];
			size_t best = diagonal < row[j] ? diagonal + 1 : row[j] + 1;
			row[j + 1] = change < best ? change : best;
		}
	}
	return row[width];
}

const char *nearest_name(const char *text, const char *const *names, size_t count)
{
	size_t length = strlen(text);
	size_t limit = length < 3 ? 1 : length / 3 + 1;
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
