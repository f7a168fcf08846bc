#include "pictures/lettering.h"

#include <ctype.h>
#include <string.h>

/* Returns the beginning of the character with that index. */
static char *character_at(char *text, size_t index)
{
	while (index-- && *text)
		do
			text++;
		while ((*text & 0xc0) == 0x80);
	return text;
}

void text_shorten(char *text, size_t characters, size_t kept)
{
	size_t count = 0;
	for (const char *c = text; *c; c++)
		count += (*c & 0xc0) != 0x80;
	if (count <= characters)
		return;
	char *cut = character_at(text, kept), *rest = character_at(text, count - (characters - kept - 1));
	static const char ellipsis[] = "…";
	size_t room = (size_t)(rest - cut);
	/* at least two characters are removed; if they are single bytes, the three bytes of the ellipsis need one more */
	while (room < sizeof ellipsis - 1) {
		if (*rest)
			rest = character_at(rest, 1);
		else
			do
				cut--;
			while ((*cut & 0xc0) == 0x80);
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
		if (byte >= 0xe1) /* Korean and above, and emoji */
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
