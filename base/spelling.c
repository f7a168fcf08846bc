#include "base/spelling.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the Damerau-Levenshtein distance: characters changed, inserted, deleted, or swapped with the next; names are cut at 63
 * characters after those with which both begin.
 */
static size_t edit_distance(const char *a, const char *b)
{
	for (; *a && *a == *b; a++)
		b++;
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
	size_t limit = (strnlen(text, 63) + 2) / 3; /* 1 error in up to 3 letters, 2 in 4 to 6 */
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
