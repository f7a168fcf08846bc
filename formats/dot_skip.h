/* A graph without its forwarding sets, which are nearly all of its text: to read the other attributes in a tenth of the time. */
#ifndef FORMATS_DOT_SKIP_H
#define FORMATS_DOT_SKIP_H

#include "formats/dot.h"

/*
 * A text as dot_write() writes it, from which the values of all attributes named comment are left out: comment="". Begins zeroed but for
 * text.
 */
struct dot_skip {
	const struct dot_text *text;
	enum { SKIP_OUTSIDE, SKIP_QUOTED, SKIP_MARKUP, SKIP_VALUE } state;
	unsigned depth;  /* of markup: brackets that are open */
	bool escaped;    /* in quotes: an odd number of backslashes precede */
	size_t matched;  /* outside: characters of the name and its = that precede */
	bool identifier; /* outside: the character before these belongs to a longer name */
};

/* Its read(), see struct dot_text. */
ssize_t dot_skip_read(void *from, char *buffer, size_t size, struct error *error);

#endif
