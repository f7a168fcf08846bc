#include "text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The bytes of the character that text begins with, 0 where that is no UTF-8 or what XML does not allow. */
static size_t character_bytes(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	if (c[0] < 0x80)
		return c[0] >= ' ' && c[0] != 0x7f;
	size_t bytes = c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : c[0] >= 0xe0 ? 3 : c[0] >= 0xc2 ? 2 : 0;
	if (!bytes || c[0] >= 0xf5)
		return 0;
	for (size_t i = 1; i < bytes; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
	bool surrogate = c[0] == 0xed && c[1] >= 0xa0, beyond = c[0] == 0xf4 && c[1] >= 0x90;
	bool control = c[0] == 0xc2 && c[1] < 0xa0, none = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
	return overlong || surrogate || beyond || control || none ? 0 : bytes;
}

char *text_clean(char *clean, size_t size, const char *text)
{
	size_t used = 0;
	while (*text) {
		size_t bytes = character_bytes(text), take = bytes ? bytes : 1;
		if (used + take >= size)
			break;
		memcpy(clean + used, bytes ? text : "?", take);
		used += take;
		text += take;
	}
	clean[used] = '\0';
	return clean;
}

/* The place where the character of that index begins. */
static char *character_at(char *text, size_t index)
{
	while (index-- && *text)
		do
			text++;
		while ((*text & 0xc0) == 0x80);
	return text;
}

void text_shorten(char *text, size_t characters)
{
	size_t count = 0;
	for (const char *c = text; *c; c++)
		count += (*c & 0xc0) != 0x80;
	if (count <= characters)
		return;
	char *cut = character_at(text, characters / 2), *rest = character_at(text, count - (characters - characters / 2 - 1));
	static const char ellipsis[] = "…";
	size_t room = (size_t)(rest - cut);
	/* at least two characters go; where they are single bytes, the three of the ellipsis need one more */
	while (room < sizeof ellipsis - 1) {
		rest = character_at(rest, 1);
		room = (size_t)(rest - cut);
	}
	memcpy(cut, ellipsis, sizeof ellipsis - 1);
	memmove(cut + sizeof ellipsis - 1, rest, strlen(rest) + 1);
}

double text_width(const char *text, double font_size)
{
	double ems = 0;
	for (const char *c = text; *c; c++) {
		unsigned char byte = (unsigned char)*c;
		if ((byte & 0xc0) == 0x80)
			continue;
		if (byte >= 0xe1) /* from Korean on, and emoji */
			ems += 1.05;
		else if (strchr("mwMW@%", byte))
			ems += 0.97;
		else if (strchr("iljtf.,:;'|!()[]/\\ -", byte))
			ems += 0.38;
		else
			ems += byte >= 0x80 || isupper(byte) ? 0.72 : 0.64;
	}
	return ems * font_size;
}

int text_compare(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			while (*a == '0')
				a++;
			while (*b == '0')
				b++;
			size_t length = strspn(a, "0123456789"), other = strspn(b, "0123456789");
			int order = length != other ? (length < other ? -1 : 1) : strncmp(a, b, length);
			if (order)
				return order;
			a += length;
			b += length;
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	return (unsigned char)*a - (unsigned char)*b;
}

void text_put_quoted(FILE *file, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '"': fputs("\\\"", file); break;
		case '\\': fputs("\\\\", file); break;
		case '&': fputs("&amp;", file); break; /* Graphviz reads entities everywhere */
		case '\n': fputs("\\n", file); break;
		default: putc(*text, file);
		}
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
