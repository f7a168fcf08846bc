#include "base/hostlist.h"

#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expansion {
	int (*take)(void *data, const char *name, struct error *error);
	void *data;
	struct error *error;
	const char *text; /* the whole list, for messages */
	char name[HOSTLIST_NAME_SIZE];
	unsigned long names;
};

static int wrong(struct expansion *x, const char *what)
{
	return error_set(x->error, STATUS_USAGE, "the list of hosts '%.80s%s' %s", x->text, strlen(x->text) > 80 ? "..." : "", what);
}

static int expand(struct expansion *x, size_t length, const char *rest, const char *end);

/* Reads up to 18 digits. Returns how many there are, 0 if there is no such number. */
static int read_digits(const char *text, uint64_t *number)
{
	int digits = (int)strspn(text, "0123456789");
	*number = strtoull(text, NULL, 10);
	return digits > 18 ? 0 : digits;
}

/* Adds each number of a bracket to the name, and what follows the bracket. Numbers of more digits stay text: they have no ranges. */
static int expand_bracket(struct expansion *x, size_t length, const char *at, const char *close, const char *end)
{
	for (;; at++) {
		uint64_t low, high;
		int width = read_digits(at, &low), more;
		if (!width)
			return wrong(x, "has brackets with something else than numbers and ranges");
		at += width;
		high = low;
		if (*at == '-') {
			if (!(more = read_digits(++at, &high)) || high < low)
				return wrong(x, "has a range that does not ascend");
			at += more;
		}
		if (*at != ',' && at != close)
			return wrong(x, "has brackets with something else than numbers and ranges");
		for (uint64_t i = low; i <= high; i++) {
			int digits = snprintf(x->name + length, sizeof x->name - length, "%0*" PRIu64, width, i);
			if (digits < 0 || length + (size_t)digits >= sizeof x->name)
				return wrong(x, "has a name that is too long");
			if (expand(x, length + (size_t)digits, close + 1, end))
				return -1;
		}
		if (at == close)
			return 0;
	}
}

/* Expands the rest of a name, up to end, behind the first characters of x->name. Returns 0, or -1. */
static int expand(struct expansion *x, size_t length, const char *rest, const char *end)
{
	const char *open = memchr(rest, '[', (size_t)(end - rest));
	size_t plain = (size_t)((open ? open : end) - rest);
	if (length + plain >= sizeof x->name)
		return wrong(x, "has a name that is too long");
	memcpy(x->name + length, rest, plain);
	length += plain;
	if (open)
		return expand_bracket(x, length, open + 1, memchr(open, ']', (size_t)(end - open)), end);
	x->name[length] = '\0';
	if (++x->names > HOSTLIST_NAMES)
		return wrong(x, "has more than a million names");
	return x->take(x->data, x->name, x->error);
}

/* Finds the end of a name: a comma outside of brackets, or the end of the text. Returns NULL, and what is wrong, if it has none. */
static const char *name_end(const char *text, const char **what)
{
	bool inside = false;
	for (; *text && (inside || *text != ','); text++) {
		*what = isspace((unsigned char)*text) ? "has a blank"
			: *text == '[' && inside      ? "has a bracket within brackets"
			: *text == ']' && !inside     ? "has a closing bracket without an opening one"
						      : NULL;
		if (*what)
			return NULL;
		inside = *text == '[' ? true : *text == ']' ? false : inside;
	}
	*what = "ends within brackets: it was cut off, or the last bracket is missing";
	return inside ? NULL : text;
}

int hostlist_expand(const char *text, int (*take)(void *data, const char *name, struct error *error), void *data, struct error *error)
{
	struct expansion x = {.take = take, .data = data, .error = error, .text = text};
	for (const char *at = text, *end, *what;; at = end + 1) {
		if (!(end = name_end(at, &what)))
			return wrong(&x, what);
		const char *last = memrchr(at, ']', (size_t)(end - at));
		if (last && last + 1 != end)
			return wrong(&x, "has text behind brackets, which Slurm does not allow");
		if (end > at && expand(&x, 0, at, end))
			return -1;
		if (!*end)
			return 0;
	}
}

/* ---- writing */

enum { FOLDED_DIGITS = 18 };

/* A name as a prefix and the number at its end. */
struct numbered {
	const char *name;
	size_t prefix; /* its length */
	uint64_t number;
	int digits; /* 0: no number */
};

static struct numbered split(const char *name)
{
	size_t length = strlen(name), prefix = length;
	while (prefix && length - prefix < FOLDED_DIGITS && isdigit((unsigned char)name[prefix - 1]))
		prefix--;
	return (struct numbered){name, prefix, strtoull(name + prefix, NULL, 10), (int)(length - prefix)};
}

static bool same_prefix(const struct numbered *a, const struct numbered *b)
{
	return a->digits && b->digits && a->prefix == b->prefix && !memcmp(a->name, b->name, a->prefix);
}

static int compare_numbered(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;
	size_t shorter = a->prefix < b->prefix ? a->prefix : b->prefix;
	int order = memcmp(a->name, b->name, shorter);
	if (order || a->prefix != b->prefix)
		return order ? order : (a->prefix > b->prefix) - (a->prefix < b->prefix);
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->digits > b->digits) - (a->digits < b->digits);
}

/* Returns the last of the names from one that make a range: numbers one after another, as wide as the first or, beyond it, without zeros.
 */
static size_t range_end(const struct numbered *list, size_t from, size_t count)
{
	size_t at = from;
	while (at + 1 < count && same_prefix(&list[from], &list[at + 1]) && list[at + 1].number == list[at].number + 1) {
		char digits[FOLDED_DIGITS + 4];
		snprintf(digits, sizeof digits, "%0*" PRIu64, list[from].digits, list[at + 1].number);
		if (strcmp(digits, list[at + 1].name + list[at + 1].prefix) != 0)
			break;
		at++;
	}
	return at;
}

int hostlist_write(const char *const *name, size_t count, FILE *file, struct error *error)
{
	struct numbered *list = array_create(count, sizeof *list, error);
	if (!list)
		return -1;
	for (size_t i = 0; i < count; i++)
		list[i] = split(name[i]);
	qsort(list, count, sizeof *list, compare_numbered);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && same_prefix(&list[i], &list[end]);)
			end++;
		fputs(i ? "," : "", file);
		if (end == i + 1) {
			fputs(list[i].name, file);
			continue;
		}
		fprintf(file, "%.*s[", (int)list[i].prefix, list[i].name);
		for (size_t from = i, to; from < end; from = to + 1) {
			to = range_end(list, from, end);
			fprintf(file, "%s%s", from > i ? "," : "", list[from].name + list[from].prefix);
			if (to > from)
				fprintf(file, "-%s", list[to].name + list[to].prefix);
		}
		putc(']', file);
	}
	free(list);
	return 0;
}
