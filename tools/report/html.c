#include "tools/report/html.h"

#include "base/shown.h"

#include <math.h>

void html_text(FILE *file, const char *text)
{
	for (const char *c = SHOWN(text); *c; c++)
		switch (*c) {
		case '<': fputs("&lt;", file); break;
		case '>': fputs("&gt;", file); break;
		case '&': fputs("&amp;", file); break;
		case '"': fputs("&quot;", file); break;
		case '\'': fputs("&#39;", file); break;
		default: putc(*c, file);
		}
}

void html_json(FILE *file, const char *text)
{
	putc('"', file);
	for (const char *c = SHOWN(text); *c; c++)
		if (*c == '<')
			fputs("\\u003c", file);
		else if (*c == '"' || *c == '\\')
			fprintf(file, "\\%c", *c);
		else
			putc(*c, file);
	putc('"', file);
}

void html_number(FILE *file, double number, int digits)
{
	if (isfinite(number))
		fprintf(file, "%.*g", digits, number);
	else
		fputs("null", file);
}
