#include "formats/dot_numbers.h"

#include "base/args.h"
#include "fabric/fabric.h"

#include <stdio.h>
#include <string.h>

bool dot_read_port(const char *text, uint32_t *port)
{
	int64_t number;
	if (!read_integer(text, 0, DOT_PORT_MOST, &number))
		return false;
	*port = (uint32_t)number;
	return true;
}

bool dot_is_lid(const char *text)
{
	int64_t lid;
	return read_integer(text, 0, LID_LAST, &lid);
}

/* Checks one piece of length characters, "5" or "8-11". */
static bool is_range(const char *text, size_t length)
{
	char copy[32], *to = copy;
	int64_t first, last;
	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	const char *from = length < sizeof copy && !strchr(copy, '+') ? strsep(&to, "-") : NULL;
	return from && read_integer(from, 1, LID_LAST, &first) && (!to || read_integer(to, first, LID_LAST, &last));
}

bool dot_is_lids(const char *text)
{
	size_t length = strcspn(text, ",");
	while (is_range(text, length)) {
		if (!text[length])
			return true;
		text += length + 1;
		length = strcspn(text, ",");
	}
	return false;
}

unsigned dot_width(const char *text)
{
	static const struct {
		const char *text;
		unsigned lanes;
	} widths[] = {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"12", 12}};
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
		size_t length = strlen(widths[i].text);
		if (!strncmp(text, widths[i].text, length) && text[length + ((text[length] | 0x20) == 'x')] == '\0')
			return widths[i].lanes;
	}
	return 0;
}
