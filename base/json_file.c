#include "base/json_file.h"

#include "base/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cJSON *json_parse(const char *text, size_t length, const char *name, enum status status, struct error *error)
{
	const char *end;
	unsigned long line = 1;
	cJSON *tree = strlen(text) < length ? NULL : cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
	if (tree)
		return tree;
	if (strlen(text) < length)
		end = text + strlen(text);
	for (const char *at = text; at < end; at++)
		line += *at == '\n';
	error_at(error, status, name, line, "broken JSON%s", strlen(text) == length && end == text + length ? ": it ends too early" : "");
	return NULL;
}

cJSON *json_file_read(const char *path, struct error *error)
{
	size_t length;
	char *text = input_text(path, &length, error);
	cJSON *tree = text ? json_parse(text, length, strcmp(path, "-") ? path : "<stdin>", STATUS_FABRIC, error) : NULL;
	free(text);
	return tree;
}

const cJSON *json_member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

double json_number(const cJSON *object, const char *key)
{
	const cJSON *item = json_member(object, key);
	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const char *json_string(const cJSON *object, const char *key)
{
	const cJSON *item = json_member(object, key);
	return cJSON_IsString(item) ? item->valuestring : "";
}
