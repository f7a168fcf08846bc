/* JSON that programs read. */
#include "helpers.h"

#include "base/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads a text. Returns the status. */
static enum status read_data(struct json *json, const char *text, size_t length, struct error *error)
{
	struct path path = write_bytes("read.json", text, length);
	*error = (struct error){0};
	json_read(json, path.text, error);
	return error->status;
}

static enum status read_string(struct json *json, const char *text)
{
	struct error error;
	return read_data(json, text, strlen(text), &error);
}

TEST(values_are_found)
{
	struct json json;
	assert_int_equal(read_string(&json, " {\"a\" : [1, -2.5e1, true,false ,null,\"x\"], \"b\":{\"c\":{}},\"d\":7,\"d\":8,\"e\":[]}\n"),
		STATUS_OK);
	const struct json_item *whole = json.item, *list = json_member(&json, whole, "a"), *item = json_first(&json, list);
	static const enum json_type types[] = {JSON_NUMBER, JSON_NUMBER, JSON_BOOL, JSON_BOOL, JSON_NULL, JSON_TEXT};
	assert_int_equal(list->items, 6);
	for (int i = 0; i < 6; i++, item = json_next(&json, list, item))
		assert_int_equal(item->type, types[i]);
	assert_null(item);
	assert_true(json_number(&json, whole, "d") == 7); /* the first */
	assert_true(isnan(json_number(&json, whole, "a")));
	assert_true(isnan(json_number(&json, whole, "none")));
	assert_string_equal(json_string(&json, whole, "d"), "");
	assert_false(json_true(&json, whole, "d"));
	assert_null(json_first(&json, json_member(&json, json_member(&json, whole, "b"), "c")));
	assert_null(json_first(&json, json_member(&json, whole, "e")));
	assert_null(json_member(&json, list, "a"));
	assert_null(json_first(&json, NULL));
	json_clear(&json);
}

TEST(escapes_become_characters)
{
	struct json json;
	assert_int_equal(
		read_string(&json, "[\"\\\"\\\\\\/\\n\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00\", \"\\u0000|\\ud800|\\udc00x\"]"), STATUS_OK);
	const struct json_item *first = json_first(&json, json.item);
	assert_string_equal(first->text, "\"\\/\n\tA\u00e9\u20ac\U0001f600");
	assert_string_equal(json_next(&json, json.item, first)->text, "\ufffd|\ufffd|\ufffdx"); /* no end of the text within, no half */
	json_clear(&json);
}

TEST(other_texts_are_refused)
{
	static const char *const texts[] = {"", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]",
		"\"x", "\"\\x\"", "\"\\u12\"", "tru", "+1", "1 1", "nul", "}", "[}", "{]", "NaN", "'x'"};
	struct json json;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_int_equal(read_string(&json, texts[i]), STATUS_FABRIC);
		json_clear(&json);
	}
}

TEST(depth_is_limited)
{
	char text[2 * JSON_DEPTH + 5] = "";
	struct json json;
	for (int depth = JSON_DEPTH - 1; depth <= JSON_DEPTH + 1; depth++) {
		memset(text, '[', (size_t)depth);
		memset(text + depth, ']', (size_t)depth);
		assert_int_equal(
			read_data(&json, text, 2 * (size_t)depth, &(struct error){0}), depth <= JSON_DEPTH ? STATUS_OK : STATUS_FABRIC);
		json_clear(&json);
	}
}

TEST(errors_name_the_line)
{
	static const char text[] = "{\n\"a\": 1,\n\"b\": x}";
	struct json json;
	struct error error;
	assert_int_equal(read_data(&json, text, strlen(text), &error), STATUS_FABRIC);
	assert_error(&error, STATUS_FABRIC, "read.json:3: not JSON: a value is missing");
	json_clear(&json);
}

/* Cut and changed texts are read or refused. */
TEST(any_bytes_are_survived)
{
	static const char text[] = "{\"schema\":\"x\\u00e9\",\"list\":[1,2.5,{\"a\":null}],\"t\":true,\"s\":\"\\\"\\\\\"}";
	struct json json;
	struct error error;
	for (size_t length = 0; length < sizeof text - 1; length++) {
		assert_int_equal(read_data(&json, text, length, &error), STATUS_FABRIC);
		json_clear(&json);
	}
	uint32_t random = 1;
	for (int i = 0; i < 2000; i++) {
		char changed[sizeof text];
		memcpy(changed, text, sizeof text);
		for (int k = 0; k < 3; k++) {
			random = random * 1664525 + 1013904223;
			changed[(random >> 8) % (sizeof text - 1)] = (char)(random >> 24);
		}
		enum status status = read_data(&json, changed, sizeof text - 1, &error);
		assert_true(status == STATUS_OK || status == STATUS_FABRIC);
		json_clear(&json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found),
		cmocka_unit_test(escapes_become_characters),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(any_bytes_are_survived),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
