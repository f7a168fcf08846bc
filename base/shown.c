#include "base/shown.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PIECE = 20 /* bytes for a character of four bytes as \ooo each, and the final zero */ };

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

/* Returns the code point of the character of length bytes. */
static uint32_t code_of(const char *text, size_t length)
{
	uint32_t code = (unsigned char)*text & (length > 1 ? 0xff >> (length + 1) : 0x7f);
	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	return code;
}

/*
 * Returns whether the character is not printed as it is: controls (C0, C1), changes of the writing direction, ends of lines, characters of
 * no width, and those that XML does not permit.
 */
static bool is_hidden(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {{0x01, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x61c, 0x61c}, {0x200b, 0x200b}, {0x200e, 0x200f}, {0x2028, 0x202e},
		{0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe007f}};
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (code >= hidden[i].first && code <= hidden[i].last)
			return true;
	return false;
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

/* Moves *text past the next character and writes its printed form to piece. Returns the length of that. */
static size_t next_piece(const char **text, char piece[PIECE])
{
	const char *from = *text;
	size_t length = is_plain(*from) ? 1 : utf8_length(from), written = 0;
	*text += length ? length : 1;
	if (length && !is_hidden(code_of(from, length))) {
		memcpy(piece, from, length);
		return length;
	}
	if (*from == '\n' || *from == '\t')
		return (size_t)snprintf(piece, PIECE, "\\%c", *from == '\n' ? 'n' : 't');
	for (; from < *text; from++)
		written += (size_t)snprintf(piece + written, PIECE - written, "\\%03o", (unsigned char)*from);
	return written;
}

char *show_text(char *buffer, size_t size, const char *text)
{
	static const char more[] = "...";
	char piece[PIECE];
	size_t used = 0, kept = 0; /* kept: where "..." would fit */
	while (*text) {
		size_t length = next_piece(&text, piece);
		if (used + length >= size) {
			used = kept + (size_t)snprintf(buffer + kept, size - kept, "%s", more);
			break;
		}
		memcpy(buffer + used, piece, length);
		used += length;
		kept = used + sizeof more <= size ? used : kept;
	}
	buffer[used < size ? used : size - 1] = '\0';
	return buffer;
}

bool append_whole(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(text + used, size - used, format, arguments);
	va_end(arguments);
	bool fits = length >= 0 && used + (size_t)length < size;
	if (!fits)
		text[used] = '\0';
	return fits;
}

void write_shown(FILE *file, const char *text)
{
	char piece[PIECE];
	while (*text) {
		size_t plain = 0;
		while (is_plain(text[plain]))
			plain++;
		fwrite(text, 1, plain, file);
		text += plain;
		if (*text)
			fwrite(piece, 1, next_piece(&text, piece), file);
	}
}
