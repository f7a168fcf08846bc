#include "base/values.h"

#include "base/shown.h"

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

/* cJSON's own output of a double may differ in the last bit. */
cJSON *json_number(double number)
{
	char text[40];
	int digits = 15;
	do
		snprintf(text, sizeof text, "%.*g", digits, number);
	while (strtod(text, NULL) != number && ++digits <= 17);
	return isfinite(number) ? cJSON_CreateRaw(text) : cJSON_CreateNull();
}

cJSON *json_string(const char *text)
{
	char *clean = malloc(3 * strlen(text) + 1), *to = clean;
	while (clean && *text) {
		size_t length = utf8_length(text);
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
