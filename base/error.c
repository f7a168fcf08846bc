#include "base/error.h"

#include "base/shown.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct error *error, enum status status, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	char text[sizeof error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	show_text(error->text, sizeof error->text, text);
	error->status = status;
	return -1;
}

int error_nameless(struct error *error, enum status status, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	char text[sizeof error->text];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	error->nameless = true;
	return error_set(error, status, "%s", text);
}

int error_at(struct error *error, enum status status, const char *file, unsigned long line, const char *format, ...)
{
	if (error->status != STATUS_FINE)
		return -1;
	char text[800];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (line)
		return error_set(error, status, "%s:%lu: %s", file, line, text);
	return error_set(error, status, "%s: %s", file, text);
}
