#include "base/utf8.h"

size_t utf8_length(const char *text)
{
	static const struct {
		unsigned char low, high, second_low, second_high;
		size_t length;
	} forms[] = {{0x01, 0x7f, 0, 0, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4}};
	const unsigned char *c = (const unsigned char *)text;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (c[0] < forms[i].low || c[0] > forms[i].high)
			continue;
		if (forms[i].length > 1 && (c[1] < forms[i].second_low || c[1] > forms[i].second_high))
			return 0;
		for (size_t at = 2; at < forms[i].length; at++)
			if ((c[at] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}
