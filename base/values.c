#include "base/values.h"

#include "base/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const format_names[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv", NULL};

const char *value_show(struct value value, char *buffer, size_t size)
{
	switch (value.type) {
	case VALUE_NULL: snprintf(buffer, size, "-"); break;
	case VALUE_BOOL: snprintf(buffer, size, "%s", value.yes ? "yes" : "no"); break;
	case VALUE_COUNT: snprintf(buffer, size, "%" PRIu64, value.count); break;
	case VALUE_NUMBER: snprintf(buffer, size, value.format ? value.format : "%g", value.number); break;
	case VALUE_TEXT: show_text(buffer, size, value.text); break;
	case VALUE_VERBATIM: snprintf(buffer, size, "%s", value.text); break;
	}
	return buffer;
}

static void write_number(FILE *file, double number)
{
	char text[40];
	int digits = 15;
	do
		snprintf(text, sizeof text, "%.*g", digits, number);
	while (strtod(text, NULL) != number && ++digits <= 17);
	fputs(text, file);
}

void json_value(FILE *file, struct value value)
{
	switch (value.type) {
	case VALUE_NULL: fputs("null", file); break;
	case VALUE_BOOL: fputs(value.yes ? "true" : "false", file); break;
	case VALUE_COUNT: fprintf(file, "%" PRIu64, value.count); break;
	case VALUE_NUMBER: write_number(file, value.number); break;
	case VALUE_TEXT: json_text(file, value.text); break;
	case VALUE_VERBATIM: fputs(value.text, file); break;
	}
}

void csv_value(FILE *file, struct value value)
{
	switch (value.type) {
	case VALUE_NULL: break;
	case VALUE_BOOL: putc(value.yes ? '1' : '0', file); break;
	case VALUE_COUNT: fprintf(file, "%" PRIu64, value.count); break;
	case VALUE_NUMBER: fprintf(file, "%.17g", value.number); break;
	case VALUE_TEXT: csv_text(file, value.text); break;
	case VALUE_VERBATIM: fputs(value.text, file); break;
	}
}

void json_text(FILE *file, const char *text)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	putc('"', file);
	while (*text) {
		size_t length = utf8_length(text);
		const char *found = strchr(escaped, *text);
		if (found)
			fprintf(file, "\\%c", letter[found - escaped]);
		else if ((unsigned char)*text < ' ')
			fprintf(file, "\\u%04x", *text);
		else
			fwrite(length ? text : "\xef\xbf\xbd", 1, length ? length : 3, file);
		text += length ? length : 1;
	}
	putc('"', file);
}

/* First characters of a text that a spreadsheet may take for a formula, and the mark itself. */
#define CSV_MARKED "=+-@\t\r\n'"

void csv_text(FILE *file, const char *text)
{
	const char *mark = *text && strchr(CSV_MARKED, *text) ? "'" : "";
	if (!strpbrk(text, ",\"\r\n")) {
		fprintf(file, "%s%s", mark, text);
		return;
	}
	fprintf(file, "\"%s", mark);
	for (; *text; text++)
		fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
	putc('"', file);
}
