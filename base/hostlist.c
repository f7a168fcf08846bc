#include "base/hostlist.h"

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

/* Finds the end of a name: a comma outside of brackets, or the end of the text. Returns NULL if its brackets are wrong. */
static const char *name_end(const char *text)
{
	bool inside = false;
	for (; *text && (inside || *text != ','); text++) {
		if (isspace((unsigned char)*text) || (*text == '[' && inside) || (*text == ']' && !inside))
			return NULL;
		inside = *text == '[' ? true : *text == ']' ? false : inside;
	}
	return inside ? NULL : text;
}

int hostlist_expand(const char *text, int (*take)(void *data, const char *name, struct error *error), void *data, struct error *error)
{
	struct expansion x = {.take = take, .data = data, .error = error, .text = text};
	for (const char *at = text, *end;; at = end + 1) {
		if (!(end = name_end(at)))
			return wrong(&x, "has brackets or blanks where none can be");
		const char *last = memrchr(at, ']', (size_t)(end - at));
		if (last && last + 1 != end)
			return wrong(&x, "has text behind brackets, which Slurm does not allow");
		if (end > at && expand(&x, 0, at, end))
			return -1;
		if (!*end)
			return 0;
	}
}
