/* JSON that programs read. */
#include "helpers.h"

#include "base/json_file.h"

#include <math.h>
#include <string.h>

/* Reads a text of so many bytes. NULL with the error. */
static cJSON *read_data(const char *text, size_t length, struct error *error)
{
	struct path path = write_bytes("read.json", text, length);
	*error = (struct error){0};
	return json_file_read(path.text, error);
}

TEST(values_are_found)
{
	static const char text[] = " {\"a\" : [1, -2.5e1], \"b\":{\"c\":{}},\"d\":7,\"d\":8,\"e\":\"\\u00e9\"}\n";
	struct error error;
	cJSON *whole = read_data(text, strlen(text), &error);
	assert_non_null(whole);
	assert_int_equal(cJSON_GetArraySize(json_member(whole, "a")), 2);
	assert_true(json_number(whole, "d") == 7); /* the first */
	assert_true(isnan(json_number(whole, "a")));
	assert_true(isnan(json_number(whole, "none")));
	assert_string_equal(json_string(whole, "d"), "");
	assert_string_equal(json_string(whole, "e"), "\u00e9");
	assert_non_null(json_member(json_member(whole, "b"), "c"));
	assert_null(json_member(json_member(whole, "none"), "c"));
	assert_null(json_member(json_member(whole, "a"), "c"));
	cJSON_Delete(whole);
}

TEST(other_texts_are_refused)
{
	static const char *const texts[] = {"", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "[1 2]",
		"\"x", "\"\\x\"", "tru", "1 1", "nul", "}", "[}", "{]", "NaN", "'x'"};
	struct error error;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_null(read_data(texts[i], strlen(texts[i]), &error));
		assert_int_equal(error.status, STATUS_FABRIC);
	}
	assert_null(read_data("[1]\0[2]", 7, &error));
}

TEST(errors_name_the_line)
{
	static const char text[] = "{\n\"a\": 1,\n\"b\": x}";
	struct error error;
	assert_null(read_data(text, strlen(text), &error));
	assert_error(&error, STATUS_FABRIC, "read.json:3: broken JSON");
	error = (struct error){0};
	assert_null(json_file_read("/nowhere/at.json", &error));
	assert_int_equal(error.status, STATUS_IO);
}

/* Cut texts are refused. */
TEST(no_part_is_the_whole)
{
	static const char text[] = "{\"schema\":\"x\\u00e9\",\"list\":[1,2.5,{\"a\":null}],\"t\":true,\"s\":\"\\\"\\\\\"}";
	struct error error;
	for (size_t length = 0; length < sizeof text - 1; length++)
		assert_null(read_data(text, length, &error));
	cJSON *whole = read_data(text, sizeof text - 1, &error);
	assert_non_null(whole);
	cJSON_Delete(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(no_part_is_the_whole),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
