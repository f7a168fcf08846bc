/* Reads JSON (RFC 8259): results of programs, which others compare. */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_item {
	enum json_type type;
	const char *key; /* of a member of an object; otherwise NULL */
	union {
		double number; /* of a bool 0 or 1 */
		const char *text;
		size_t items; /* of lists and objects */
	};
	size_t next; /* index of the item behind this one and all within it */
};

/* A document: the items in the order of the text, each list or object before those within. */
struct json {
	char *text;
	struct json_item *item; /* [count] the first one is the whole */
	size_t count, capacity;
};

enum { JSON_DEPTH = 64 };

/*
 * Reads the file ("-": standard input; also compressed). Returns 0, or -1: STATUS_IO, STATUS_FABRIC for a text that is not JSON or deeper
 * than JSON_DEPTH. json_clear() in either case.
 */
int json_read(struct json *json, const char *path, struct error *error);
void json_clear(struct json *json);

/* Returns a member of an object, the first of that name; NULL if there is none, or if object is NULL or not an object. */
const struct json_item *json_member(const struct json *json, const struct json_item *object, const char *key);

/* Returns the first item of a list or object, and the one after an item of it; NULL at the end. list may be NULL. */
const struct json_item *json_first(const struct json *json, const struct json_item *list);
const struct json_item *json_next(const struct json *json, const struct json_item *list, const struct json_item *item);

/* Return the value of a member, or what stands for one that is missing or of another type: NAN, "", false. */
double json_number(const struct json *json, const struct json_item *object, const char *key);
const char *json_string(const struct json *json, const struct json_item *object, const char *key);
bool json_true(const struct json *json, const struct json_item *object, const char *key);

#endif
