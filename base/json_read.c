#include "base/json_read.h"

#include "base/input.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct json *json;
	const char *name; /* of the file */
	char *at;
	struct error *error;
};

static int refuse(const struct reader *r, const char *what)
{
	unsigned long line = 1;
	for (const char *c = r->json->text; c < r->at; c++)
		line += *c == '\n';
	return error_at(r->error, STATUS_FABRIC, r->name, line, "not JSON: %s", what);
}

static void skip(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
		r->at++;
}

static int add(struct reader *r, size_t *index)
{
	struct json *j = r->json;
	if (array_grow(&j->item, &j->capacity, j->count + 1, sizeof *j->item, r->error))
		return -1;
	*index = j->count;
	j->item[j->count++] = (struct json_item){.type = JSON_NULL};
	return 0;
}

/* Writes a character as UTF-8. */
static char *put(char *to, unsigned long code)
{
	if (code < 0x80) {
		*to++ = (char)code;
		return to;
	}
	int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	*to++ = (char)((0xff00U >> (more + 1) & 0xff) | code >> 6 * more);
	while (more--)
		*to++ = (char)(0x80 | (code >> 6 * more & 0x3f));
	return to;
}

/* Reads the four digits of an escaped character. Returns it, or ULONG_MAX. */
static unsigned long hexadecimal(char **at)
{
	unsigned long code = 0;
	for (int i = 0; i < 4; i++, ++*at) {
		char c = **at;
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
		if (digit < 0)
			return (unsigned long)-1;
		code = code * 16 + (unsigned long)digit;
	}
	return code;
}

/* Reads an escape behind its backslash. Returns the end of what it wrote, NULL for none. */
static char *read_escape(struct reader *r, char *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	const char *plain = *r->at ? strchr(from, *r->at) : NULL;
	if (plain) {
		r->at++;
		*to++ = into[plain - from];
		return to;
	}
	if (*r->at++ != 'u')
		return NULL;
	unsigned long code = hexadecimal(&r->at);
	if (code >= 0xd800 && code < 0xdc00 && r->at[0] == '\\' && r->at[1] == 'u') {
		r->at += 2;
		unsigned long low = hexadecimal(&r->at);
		code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : (unsigned long)-1;
	}
	if (code == (unsigned long)-1)
		return NULL;
	return put(to, !code || (code >= 0xd800 && code < 0xe000) ? 0xfffd : code); /* a NUL would end the text */
}

/* Reads a string, and puts it in its place. Returns it, or NULL. */
static const char *read_string(struct reader *r)
{
	char *start = ++r->at, *to = start;
	while (*r->at && *r->at != '"')
		if (*r->at != '\\') {
			*to++ = *r->at++;
		} else {
			r->at++;
			if (!(to = read_escape(r, to))) {
				refuse(r, "an escape in a string is unknown");
				return NULL;
			}
		}
	if (*r->at != '"') {
		refuse(r, "a string does not end");
		return NULL;
	}
	r->at++;
	*to = '\0';
	return start;
}

static int read_value(struct reader *r, int depth);

/* Reads the items of a list or object behind its first letter. */
static int read_items(struct reader *r, size_t index, int depth)
{
	bool object = r->json->item[index].type == JSON_OBJECT;
	char end = object ? '}' : ']';
	skip(r);
	for (size_t items = 0;; items++) {
		const char *key = NULL;
		r->json->item[index].items = items;
		if (*r->at == end && !items)
			break;
		if (object && (*r->at != '"' || !(key = read_string(r))))
			return r->error->status ? -1 : refuse(r, "a member has no name");
		skip(r);
		if (object && *r->at++ != ':')
			return refuse(r, "a member has no value");
		size_t next = r->json->count;
		if (read_value(r, depth + 1))
			return -1;
		r->json->item[next].key = key;
		r->json->item[index].items = items + 1;
		skip(r);
		if (*r->at == end)
			break;
		if (*r->at++ != ',')
			return refuse(r, "a list or object does not end");
		skip(r);
	}
	r->at++;
	r->json->item[index].next = r->json->count;
	return 0;
}

/* Reads true, false, null or a number. */
static int read_word(struct reader *r, struct json_item *item)
{
	static const char *const words[] = {"false", "true", "null"};
	for (int i = 0; i < 3; i++)
		if (!strncmp(r->at, words[i], strlen(words[i]))) {
			r->at += strlen(words[i]);
			item->type = i < 2 ? JSON_BOOL : JSON_NULL;
			item->number = i;
			return 0;
		}
	char *end = r->at;
	if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9'))
		item->number = strtod(r->at, &end);
	if (end == r->at)
		return refuse(r, "a value is missing");
	item->type = JSON_NUMBER;
	r->at = end;
	return 0;
}

static int read_value(struct reader *r, int depth)
{
	size_t index;
	skip(r);
	if (depth >= JSON_DEPTH)
		return refuse(r, "it is too deep");
	if (add(r, &index))
		return -1;
	struct json_item *item = &r->json->item[index];
	item->next = index + 1;
	if (*r->at == '{' || *r->at == '[') {
		item->type = *r->at++ == '{' ? JSON_OBJECT : JSON_LIST;
		return read_items(r, index, depth);
	}
	if (*r->at != '"')
		return read_word(r, item);
	item->type = JSON_TEXT;
	return (item->text = read_string(r)) ? 0 : -1;
}

/* Reads the whole file into json->text. */
static int read_text(struct json *json, struct input *input, struct error *error)
{
	size_t length = 0, capacity = 0;
	ssize_t got;
	do {
		if (array_grow(&json->text, &capacity, length + 65536, 1, error))
			return -1;
		got = input_read(input, json->text + length, capacity - length - 1, error);
		length += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	json->text[length] = '\0';
	return got < 0 ? -1 : 0;
}

int json_read(struct json *json, const char *path, struct error *error)
{
	*json = (struct json){.text = NULL};
	struct input *input = input_open(path, error);
	if (!input)
		return -1;
	struct reader r = {json, input_name(input), NULL, error};
	if (!read_text(json, input, error)) {
		r.at = json->text;
		if (!read_value(&r, 0)) {
			skip(&r);
			if (*r.at)
				refuse(&r, "there is more behind it");
		}
	}
	input_close(input);
	return error->status ? -1 : 0;
}

void json_clear(struct json *json)
{
	free(json->text);
	free(json->item);
	*json = (struct json){.text = NULL};
}

const struct json_item *json_first(const struct json *json, const struct json_item *list)
{
	bool any = list && (list->type == JSON_LIST || list->type == JSON_OBJECT) && list->items;
	return any ? &json->item[list - json->item + 1] : NULL;
}

const struct json_item *json_next(const struct json *json, const struct json_item *list, const struct json_item *item)
{
	return item->next < list->next ? &json->item[item->next] : NULL;
}

const struct json_item *json_member(const struct json *json, const struct json_item *object, const char *key)
{
	if (!object || object->type != JSON_OBJECT)
		return NULL;
	for (const struct json_item *i = json_first(json, object); i; i = json_next(json, object, i))
		if (!strcmp(i->key, key))
			return i;
	return NULL;
}

double json_number(const struct json *json, const struct json_item *object, const char *key)
{
	const struct json_item *item = json_member(json, object, key);
	return item && item->type == JSON_NUMBER ? item->number : NAN;
}

const char *json_string(const struct json *json, const struct json_item *object, const char *key)
{
	const struct json_item *item = json_member(json, object, key);
	return item && item->type == JSON_TEXT ? item->text : "";
}

bool json_true(const struct json *json, const struct json_item *object, const char *key)
{
	const struct json_item *item = json_member(json, object, key);
	return item && item->type == JSON_BOOL && item->number > 0;
}
