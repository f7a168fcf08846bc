#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const format_names[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv", NULL};

cJSON *json_count(uint64_t count)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRIu64, count);
	return cJSON_CreateRaw(text);
}

/* cJSON's own form of a double may differ in the last bit. */
cJSON *json_number(double number)
{
	char text[40];
	int digits = 15;
	do
		snprintf(text, sizeof text, "%.*g", digits, number);
	while (strtod(text, NULL) != number && ++digits <= 17);
	return isfinite(number) ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

/* How many bytes the UTF-8 character at text has, 0 if there is none (RFC 3629; "overlong" forms and surrogates count as none). */
static size_t character_length(const unsigned char *text)
{
	static const struct {
		unsigned char low, high, second_low, second_high;
		size_t length;
	} forms[] = {{0x01, 0x7f, 0, 0, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (text[0] < forms[i].low || text[0] > forms[i].high)
			continue;
		if (forms[i].length > 1 && (text[1] < forms[i].second_low || text[1] > forms[i].second_high))
			return 0;
		for (size_t at = 2; at < forms[i].length; at++)
			if ((text[at] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

cJSON *json_string(const char *text)
{
	char *clean = malloc(3 * strlen(text) + 1), *to = clean;
	while (clean && *text) {
		size_t length = character_length((const unsigned char *)text);
		memcpy(to, length ? text : "\xef\xbf\xbd", length ? length : 3);
		to += length ? length : 3;
		text += length ? length : 1;
	}
	if (clean)
		*to = '\0';
	cJSON *json = clean ? cJSON_CreateString(clean) : NULL;
	free(clean);
	return json;
}

void json_text(FILE *file, const char *text)
{
	cJSON *json = json_string(text);
	char *printed = json ? cJSON_PrintUnformatted(json) : NULL;
	fputs(printed ? printed : "\"\"", file);
	cJSON_free(printed);
	cJSON_Delete(json);
}

void csv_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"\n")) {
		fputs(text, file);
		return;
	}
	putc('"', file);
	for (; *text; text++)
		fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
	putc('"', file);
}
