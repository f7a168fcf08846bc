/* Where in a dot file does a node first stand? cgraph does not keep line numbers; this scans the text once more, after an error. */
#include "dot.h"

#include "input.h"

#include <stdlib.h>
#include <string.h>

struct scanner {
	char *at;
	unsigned long line;
	int brackets;      /* how deep in attribute lists */
	bool inside;       /* the graph's braces have opened */
	const char *token; /* the last one, escapes undone in place, not terminated */
	size_t length;
};

/* Past a quoted string, whose opening quote is behind; leaves it in token. */
static void scan_string(struct scanner *s)
{
	char *from = s->at, *to = s->at;
	s->token = to;
	for (; *from && *from != '"'; from++) {
		s->line += *from == '\n';
		if (from[0] == '\\' && from[1] == '\n') {
			s->line++;
			from++;
			continue;
		}
		if (from[0] == '\\' && from[1] == '"')
			from++;
		*to++ = *from;
	}
	s->length = (size_t)(to - s->token);
	s->at = from + (*from != '\0');
}

static void skip_comment(struct scanner *s)
{
	char *end = strstr(s->at, "*/");
	end = end ? end + 2 : s->at + strlen(s->at);
	for (; s->at < end; s->at++)
		s->line += *s->at == '\n';
}

/* Moves to the next name or keyword; false at the end. */
static bool next_token(struct scanner *s)
{
	while (*s->at) {
		char *p = s->at++;
		bool starts_line = s->line == 1 || p[-1] == '\n';
		if (*p == '\n') {
			s->line++;
		} else if ((p[0] == '/' && p[1] == '/') || (*p == '#' && starts_line)) {
			s->at = p + strcspn(p, "\n");
		} else if (p[0] == '/' && p[1] == '*') {
			skip_comment(s);
		} else if (*p == '[' || *p == ']') {
			s->brackets += *p == '[' ? 1 : -1;
		} else if (*p == '{') {
			s->inside = true;
		} else if (*p == '"') {
			scan_string(s);
			return true;
		} else if (!strchr(" \t\r;,=}->:+</", *p)) {
			s->token = p;
			s->length = strcspn(p, " \t\r\n;,={}->:+<[]\"/");
			s->at = p + s->length;
			return true;
		}
	}
	return false;
}

unsigned long dot_line_of(const char *path, const char *node)
{
	struct error ignored = {0};
	char *text = strcmp(path, "<stdin>") ? input_text(path, &ignored) : NULL;
	struct scanner scanner = {.at = text, .line = 1};
	unsigned long found = 0;
	size_t length = strlen(node);
	while (text && !found && next_token(&scanner))
		if (scanner.inside && scanner.brackets <= 0 && scanner.length == length && !memcmp(scanner.token, node, length))
			found = scanner.line;
	free(text);
	return found;
}
