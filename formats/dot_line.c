/*
 * Finds the line where a node first appears in a dot file. cgraph does not keep line numbers, so the text is scanned again after an error.
 */
#include "base/memory.h"
#include "formats/dot.h"

#include "base/input.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 16 };

struct scanner {
	struct input *input;
	char *buffer; /* [BUFFER_SIZE] */
	size_t from, to;
	int before; /* the last character taken */
	unsigned long line;
	int brackets; /* nesting depth of attribute lists */
	bool inside;  /* the graph's braces have opened */
	const char *node;
	size_t length, token, same; /* lengths of the node's name, of the token, and of their common prefix */
};

/* Returns the next character, EOF at the end. */
static int peek(struct scanner *s)
{
	struct error ignored = {0};
	if (s->from == s->to) {
		ssize_t got = input_read(s->input, s->buffer, BUFFER_SIZE, &ignored);
		s->from = 0;
		s->to = got > 0 ? (size_t)got : 0;
	}
	return s->from < s->to ? (unsigned char)s->buffer[s->from] : EOF;
}

static int take(struct scanner *s)
{
	s->before = peek(s);
	s->from += s->before != EOF;
	s->line += s->before == '\n';
	return s->before;
}

/* Adds a character to the token. */
static void add(struct scanner *s, int c)
{
	s->same += s->same == s->token && s->token < s->length && (unsigned char)s->node[s->token] == c;
	s->token++;
}

/* Scans a quoted string after its opening quote; leaves it in the token. */
static void scan_string(struct scanner *s)
{
	for (int c; (c = take(s)) != EOF && c != '"';) {
		if (c == '\\' && peek(s) == '\n')
			take(s);
		else
			add(s, c == '\\' && peek(s) == '"' ? take(s) : c);
	}
}

/* Skips a comment after its first slash. */
static void skip_comment(struct scanner *s)
{
	take(s);
	while (take(s) != EOF && !(s->before == '*' && peek(s) == '/'))
		;
	take(s);
}

/* Moves to the next name or keyword; returns false at the end. */
static bool next_token(struct scanner *s)
{
	s->token = s->same = 0;
	for (;;) {
		bool starts_line = s->line == 1 || s->before == '\n';
		int c = take(s);
		if (c == EOF)
			return false;
		if ((c == '/' && peek(s) == '/') || (c == '#' && starts_line)) {
			while (peek(s) != EOF && peek(s) != '\n')
				take(s);
		} else if (c == '/' && peek(s) == '*') {
			skip_comment(s);
		} else if (c == '[' || c == ']') {
			s->brackets += c == '[' ? 1 : -1;
		} else if (c == '{') {
			s->inside = true;
		} else if (c == '"') {
			scan_string(s);
			return true;
		} else if (!strchr(" \t\r\n;,=}->:+</", c)) {
			for (add(s, c); peek(s) != EOF && !strchr(" \t\r\n;,={}->:+<[]\"/", peek(s)); add(s, take(s)))
				;
			return true;
		}
	}
}

unsigned long dot_line_of(const char *path, const char *node)
{
	struct error ignored = {0};
	struct scanner scanner = {.line = 1, .node = node, .length = strlen(node)};
	unsigned long found = 0;
	if (!strcmp(path, "<stdin>"))
		return 0;
	scanner.input = input_open(path, &ignored);
	scanner.buffer = array_create(BUFFER_SIZE, 1, &ignored);
	while (!ignored.status && !found && next_token(&scanner))
		if (scanner.inside && scanner.brackets <= 0 && scanner.token == scanner.length && scanner.same == scanner.length)
			found = scanner.line;
	input_close(scanner.input);
	free(scanner.buffer);
	return found;
}
