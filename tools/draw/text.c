#include "tools/draw/text.h"

static void put_quoted(FILE *file, const char *text, const char *backslash)
{
	for (; *text; text++)
		switch (*text) {
		case '"': fputs("\\\"", file); break;
		case '\\': fputs(backslash, file); break;
		case '&': fputs("&amp;", file); break; /* Graphviz interprets entities everywhere */
		case '\n': fputs("\\n", file); break;
		default: putc(*text, file);
		}
}

void text_put_quoted(FILE *file, const char *text)
{
	put_quoted(file, text, "\\\\");
}

void text_put_tooltip(FILE *file, const char *text)
{
	put_quoted(file, text, "\\\\\\\\"); /* Graphviz interprets its escapes (\N) twice */
}

void text_put_html(FILE *file, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<': fputs("&lt;", file); break;
		case '>': fputs("&gt;", file); break;
		case '"': fputs("&quot;", file); break;
		case '&': fputs("&amp;", file); break;
		case '\n': fputs("<BR/>", file); break;
		default: putc(*text, file);
		}
}
