#include "base/error.h"

#include "base/shown.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets the text and the status, unless an error is set already. Returns -1. */
static int set_text(struct error *error, enum status status, enum error_code code, const char *format, va_list list)
{
	if (error->status != STATUS_OK)
		return -1;
	char text[sizeof error->text];
	vsnprintf(text, sizeof text, format, list);
	show_text(error->text, sizeof error->text, text);
	error->status = status;
	error->code = code;
	return -1;
}

int error_set(struct error *error, enum status status, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int result = set_text(error, status, ERROR_OTHER, format, list);
	va_end(list);
	return result;
}

int error_nameless(struct error *error, enum status status, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int result = set_text(error, status, ERROR_NAMELESS, format, list);
	va_end(list);
	return result;
}

int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
{
	if (error->status != STATUS_OK)
		return -1;
	char text[sizeof error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	char colon[30] = ":";
	if (line)
		snprintf(colon, sizeof colon, ":%lu:", line);
	error_set(error, status, "%s%s %s", file, colon, text);
	size_t all = strlen(error->text), shown = strlen(SHOWN(file)), reason = shown + strlen(colon) + 1;
	error->line = line;
	error->file = shown < all ? shown : all;
	error->reason = reason < all ? reason : all;
	return -1;
}

void error_rename(struct error *error, const char *file)
{
	struct error renamed = {0};
	if (!error->file)
		return;
	error_at(&renamed, error->status, file, error->line, "%s", error->text + error->reason);
	renamed.code = error->code;
	*error = renamed;
}

void error_ends_with(struct error *error, const char *advice)
{
	error->behind = strlen(error->text);
	error->advice = error->behind - strlen(advice);
}

void error_facts(const struct error *error, char *text, size_t size)
{
	const char *facts = error->text + error->reason;
	size_t length = error->advice ? error->advice - error->reason : strlen(facts);
	snprintf(text, size, "%.*s%s", (int)length, facts, error->advice ? error->text + error->behind : "");
}
