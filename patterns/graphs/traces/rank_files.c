#include "patterns/graphs/traces/rank_files.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

bool rank_file_is(const char *format, ...)
{
	char path[PATH_MAX];
	va_list list;
	va_start(list, format);
	int length = vsnprintf(path, sizeof path, format, list);
	va_end(list);
	return length > 0 && (size_t)length < sizeof path && !access(path, F_OK);
}
