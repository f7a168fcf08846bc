/*
 * Reads a dot file by the reader of plain graphs if it is one, otherwise by cgraph, which also finds all errors: it then gets the text from
 * its beginning, as if nothing had been read.
 */
#include "base/memory.h"
#include "formats/dot_plain.h"

#include <stdlib.h>
#include <string.h>

/* A text of which a part is in memory. */
struct ahead {
	const struct dot_text *whole;
	char *text; /* [room] the part, with a NUL behind it */
	size_t length, given, room;
	bool ended; /* nothing follows the part, but for this error, if it is one */
	struct error stopped;
};

static ssize_t read_ahead(void *from, char *buffer, size_t size, struct error *error)
{
	struct ahead *a = from;
	size_t left = a->length - a->given;
	if (!left && a->ended) {
		if (a->stopped.status)
			*error = a->stopped;
		return a->stopped.status ? -1 : 0;
	}
	if (!left)
		return a->whole->read(a->whole->from, buffer, size, error);
	size = size < left ? size : left;
	memcpy(buffer, a->text + a->given, size);
	a->given += size;
	return (ssize_t)size;
}

/* Reads the text while it can be plain. Returns 1 if that is all of it, 0 if cgraph must read it, -1 if out of memory. */
static int take_ahead(struct ahead *a, struct error *error)
{
	enum { PART = 1 << 16 };
	ssize_t got;
	bool first = true;
	do {
		if (array_grow(&a->text, &a->room, a->length + PART + 1, 1, error))
			return -1;
		size_t room = a->room - a->length - 1, most = 16 * PART;
		got = a->whole->read(a->whole->from, a->text + a->length, room < most ? room : most, &a->stopped);
		const bool zero = got > 0 && memchr(a->text + a->length, '\0', (size_t)got);
		a->length += got > 0 ? (size_t)got : 0;
		a->text[a->length] = '\0';
		if (zero || (first && !dot_plain_begins(a->text)))
			return 0;
		first = false;
	} while (got > 0);
	a->ended = true;
	return got == 0;
}

int dot_graph_read(struct dot_graph *graph, const struct dot_text *text, struct dot_report *report, struct error *error)
{
	struct ahead ahead = {.whole = text};
	*graph = (struct dot_graph){0};
	int plain = take_ahead(&ahead, error);
	if (plain > 0) {
		char *smaller = realloc(ahead.text, ahead.length + 1);
		ahead.text = smaller ? smaller : ahead.text;
		plain = dot_plain_read(graph, ahead.text, ahead.length, error);
	}
	if (plain < 0) {
		*error = (struct error){0};
		error_at(error, STATUS_IO, text->name, 0, "out of memory: the graph needs more than the %.3g GB available",
			(double)memory_available() / 1e9);
	} else if (!plain) {
		dot_cgraph_read(graph, &(struct dot_text){read_ahead, &ahead, text->name}, report, error);
	}
	if (plain <= 0)
		free(ahead.text);
	if (graph->attributes && !error->status)
		dot_graph_split(graph, error);
	return error->status ? -1 : 0;
}
