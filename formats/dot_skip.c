#include "formats/dot_skip.h"

#include <ctype.h>
#include <string.h>

static const char wanted[] = "comment=";

/* Follows a character outside of quotes and markup. */
static void step_outside(struct dot_skip *s, char c)
{
	bool whole = s->matched == sizeof wanted - 1;
	if (c == '"') {
		s->state = whole ? SKIP_VALUE : SKIP_QUOTED;
		s->matched = 0;
		s->identifier = s->escaped = false;
		return;
	}
	if (c == '<') {
		s->state = SKIP_MARKUP;
		s->depth = 1;
	}
	bool goes_on = !s->identifier && !whole && c == wanted[s->matched];
	s->matched = goes_on ? s->matched + 1 : 0;
	s->identifier = !goes_on && (isalnum((unsigned char)c) || c == '_');
}

/* Returns where the quotes end from here on, NULL: not in this text. */
static const char *end_of_quotes(struct dot_skip *s, const char *at, const char *end)
{
	while (at < end) {
		const char *quote = memchr(at, '"', (size_t)(end - at)), *stop = quote ? quote : end, *slash = stop;
		while (slash > at && slash[-1] == '\\')
			slash--;
		bool odd = (stop - slash) % 2;
		s->escaped = slash == at ? s->escaped != odd : odd;
		if (!quote)
			return NULL;
		if (!s->escaped)
			return quote;
		s->escaped = false;
		at = quote + 1;
	}
	return NULL;
}

/* Copies a text of that length over itself without the values. Returns the length that is left. */
static size_t leave_out(struct dot_skip *s, char *text, size_t length)
{
	const char *at = text, *end = text + length;
	char *to = text;
	while (at < end) {
		const char *from = at, *stop = end;
		if (s->state == SKIP_QUOTED || s->state == SKIP_VALUE) {
			const char *quote = end_of_quotes(s, at, end);
			stop = quote ? quote + 1 : end;
			at = stop;
			if (s->state == SKIP_VALUE)
				from = quote ? quote : end;
			if (quote)
				s->state = SKIP_OUTSIDE;
		} else if (s->state == SKIP_MARKUP) {
			for (; at < end && s->depth; at++)
				s->depth += *at == '<' ? 1U : *at == '>' ? UINT32_MAX : 0;
			s->state = s->depth ? SKIP_MARKUP : SKIP_OUTSIDE;
			stop = at;
		} else {
			while (at < end && s->state == SKIP_OUTSIDE)
				step_outside(s, *at++);
			stop = at;
		}
		memmove(to, from, (size_t)(stop - from));
		to += stop - from;
	}
	return (size_t)(to - text);
}

ssize_t dot_skip_read(void *from, char *buffer, size_t size, struct error *error)
{
	struct dot_skip *s = from;
	for (;;) {
		ssize_t length = s->text->read(s->text->from, buffer, size, error);
		if (length <= 0)
			return length;
		size_t left = leave_out(s, buffer, (size_t)length);
		if (left)
			return (ssize_t)left;
	}
}
