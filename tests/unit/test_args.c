/* Parameters of specifications like "stencil:4x4,torus". */
#include "helpers.h"

#include "base/args.h"

#include <math.h>
#include <string.h>

static const struct arg number[] = {{"K", ARG_INTEGER, NULL, -5, 1000, "how many"}, {.type = ARG_END}};
static const struct arg grid[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, 100, "lengths"},
	{"torus", ARG_FLAG, NULL, 0, 0, "wrap round"},
	{"hosts", ARG_INTEGER, "7", 1, 9, "of each"},
	{.type = ARG_END},
};
static const struct arg with_path[] = {
	{"count", ARG_INTEGER, "1", 0, 9, "how many"},
	{"PATH", ARG_TEXT, NULL, 0, 0, "the file"},
	{.type = ARG_END},
};
static const struct arg optional_path[] = {{"FILE", ARG_TEXT, "", 0, 0, "the file"}, {.type = ARG_END}};

/* Parses text by the table; what went wrong is in *error. */
static int parse(struct arg_values *values, const struct arg *table, const char *text, struct error *error)
{
	*error = (struct error){0};
	return args_parse(values, table, text, "pattern", "thing", error);
}

TEST(an_integer_is_read)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, number, "42", &error), 0);
	assert_int_equal(values.value[0].integer, 42);
	args_clear(&values);
	assert_int_equal(parse(&values, number, "K=-5", &error), 0);
	assert_int_equal(values.value[0].integer, -5);
	args_clear(&values);
}

TEST(what_is_no_integer_in_range_is_refused)
{
	static const char *const bad[] = {"-6", "1001", "4.5", "4x", "x", " 4", "4 ", "K=", "0x10", "99999999999999999999", "--1"};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct arg_values values;
		struct error error;
		assert_int_equal(parse(&values, number, bad[i], &error), -1);
		assert_error(&error, STATUS_USAGE, "pattern 'thing'", "not an integer from -5 to 1000");
		args_clear(&values);
	}
}

TEST(a_parameter_without_preset_must_be_given)
{
	static const char *const nothing[] = {NULL, ""};
	for (size_t i = 0; i < ARRAY_LENGTH(nothing); i++) {
		struct arg_values values;
		struct error error;
		assert_int_equal(parse(&values, number, nothing[i], &error), -1);
		assert_error(&error, STATUS_USAGE, "requires the parameter K (how many); usage: thing:K");
		args_clear(&values);
	}
}

TEST(one_parameter_too_many_is_refused)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, number, "1,2", &error), -1);
	assert_error(&error, STATUS_USAGE, "'2' is one parameter too many");
	args_clear(&values);
	assert_int_equal(parse(&values, NULL, "1", &error), -1);
	assert_error(&error, STATUS_USAGE, "one parameter too many");
	args_clear(&values);
	assert_int_equal(parse(&values, NULL, "", &error), 0);
	args_clear(&values);
}

TEST(dimensions_are_read)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, grid, "4x5x100", &error), 0);
	assert_int_equal(values.value[0].dimensions, 3);
	assert_int_equal(values.value[0].dimension[0], 4);
	assert_int_equal(values.value[0].dimension[1], 5);
	assert_int_equal(values.value[0].dimension[2], 100);
	assert_int_equal(values.value[1].integer, 0);
	assert_int_equal(values.value[2].integer, 7); /* the preset */
	args_clear(&values);
}

TEST(bad_dimensions_are_refused)
{
	static const char *const bad[] = {"4x", "x4", "4xx4", "0x4", "4x101", "4*4", "1x1x1x1x1x1x1x1x1x1x1x1", "x"};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct arg_values values;
		struct error error;
		assert_int_equal(parse(&values, grid, bad[i], &error), -1);
		assert_error(&error, STATUS_USAGE, "not up to 11 lengths such as 4x4x8");
		args_clear(&values);
	}
	char endless[1000];
	memset(endless, '1', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, grid, endless, &error), -1);
	args_clear(&values);
}

TEST(flags_and_keys_stand_in_any_order)
{
	static const char *const alike[] = {
		"4x4,torus,hosts=2", "4x4,hosts=2,torus", "torus,4x4,2", "hosts=2,torus,grid=4x4", "4x4,torus,2"};
	for (size_t i = 0; i < ARRAY_LENGTH(alike); i++) {
		struct arg_values values;
		struct error error;
		assert_int_equal(parse(&values, grid, alike[i], &error), 0);
		assert_int_equal(values.value[0].dimensions, 2);
		assert_int_equal(values.value[1].integer, 1);
		assert_int_equal(values.value[2].integer, 2);
		args_clear(&values);
	}
}

TEST(what_has_no_name_stands_first)
{
	static const char *const bad[] = {"hosts=2,4x4", "grid=4x4,2", "torus,hosts=2,4x4"};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct arg_values values;
		struct error error;
		assert_int_equal(parse(&values, grid, bad[i], &error), -1);
		assert_error(&error, STATUS_USAGE, "needs its own KEY=", "usage: thing:AxB..[,torus][,hosts]");
		args_clear(&values);
	}
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, with_path, "count=3,/tmp/a,b", &error), 0); /* a text takes the rest */
	assert_string_equal(values.value[1].text, "/tmp/a,b");
	args_clear(&values);
}

TEST(a_parameter_is_described)
{
	static const struct arg from_help = {"g", ARG_INTEGER, "0", 0, 9, "groups (default: as many as can be)"};
	char text[100];
	arg_describe(text, sizeof text, &number[0]);
	assert_string_equal(text, "K: how many");
	arg_describe(text, sizeof text, &grid[2]);
	assert_string_equal(text, "hosts: of each (default: 7)");
	arg_describe(text, sizeof text, &optional_path[0]);
	assert_string_equal(text, "FILE: the file");
	arg_describe(text, sizeof text, &from_help);
	assert_string_equal(text, "g: groups (default: as many as can be)");
}

TEST(text_takes_all_that_follows)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, with_path, "3,/tmp/a,b=c:d.txt", &error), 0);
	assert_int_equal(values.value[0].integer, 3);
	assert_string_equal(values.value[1].text, "/tmp/a,b=c:d.txt");
	args_clear(&values);
	assert_null(values.value[1].text);
	assert_int_equal(parse(&values, with_path, "PATH=x,y", &error), 0);
	assert_int_equal(values.value[0].integer, 1);
	assert_string_equal(values.value[1].text, "x,y");
	args_clear(&values);
}

TEST(optional_text_that_is_not_given_is_null)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, optional_path, "", &error), 0);
	assert_null(values.value[0].text);
	args_clear(&values);
	assert_int_equal(parse(&values, optional_path, "out.dot", &error), 0);
	assert_string_equal(values.value[0].text, "out.dot");
	args_clear(&values);
}

TEST(text_may_have_a_preset)
{
	static const struct arg table[] = {{"FILE", ARG_TEXT, "out", 0, 0, "the file"}, {.type = ARG_END}};
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, table, "", &error), 0);
	assert_string_equal(values.value[0].text, "out");
	args_clear(&values);
}

TEST(keys_are_given_once_and_exist)
{
	struct arg_values values;
	struct error error;
	assert_int_equal(parse(&values, grid, "4x4,hosts=2,hosts=3", &error), -1);
	assert_error(&error, STATUS_USAGE, "hosts is given twice");
	args_clear(&values);
	assert_int_equal(parse(&values, grid, "4x4,grid=2x2", &error), -1);
	assert_error(&error, STATUS_USAGE, "grid is given twice");
	args_clear(&values);
	assert_int_equal(parse(&values, grid, "4x4,host=2", &error), -1);
	assert_error(&error, STATUS_USAGE, "'host=2' is not a parameter");
	args_clear(&values);
}

TEST(usage_shows_what_is_optional)
{
	char text[100];
	args_usage(text, sizeof text, "stencil", grid);
	assert_string_equal(text, "stencil:AxB..[,torus][,hosts]");
	args_usage(text, sizeof text, "ring", NULL);
	assert_string_equal(text, "ring");
	args_usage(text, sizeof text, "map", optional_path);
	assert_string_equal(text, "map[:FILE]");
	char little[12];
	args_usage(little, sizeof little, "stencil", grid);
	assert_string_equal(little, "stencil:AxB");
}

TEST(whole_numbers_are_read)
{
	int64_t value = 0;
	assert_true(read_integer("9223372036854775807", INT64_MIN, INT64_MAX, &value));
	assert_true(value == INT64_MAX);
	assert_false(read_integer("9223372036854775808", INT64_MIN, INT64_MAX, &value));
	assert_false(read_integer("", INT64_MIN, INT64_MAX, &value));
	assert_false(read_integer("\t1", 0, 9, &value));
	assert_true(value == INT64_MAX);
	assert_true(read_integer("-0", 0, 9, &value));
	assert_int_equal(value, 0);
}

TEST(decimal_numbers_are_read)
{
	static const char *const none[] = {
		"", ".", "e", "1e", "1x", " 1", "1 ", "+1", "1e-400", "\v1", "0x1", "+0x1p4", "inf", "-inf", "nan", "1e999", "1,5"};
	double value = 7;
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++)
		assert_false(read_number(none[i], -INFINITY, INFINITY, &value));
	assert_false(read_number("2.5", 3, 4, &value));
	assert_false(read_number("4.5", 3, 4, &value));
	assert_false(read_number("1e-999", ABOVE_ZERO, 1, &value)); /* is 0 */
	assert_true(value == 7);
	assert_true(read_number("-2.5e-1", -1, 1, &value) && value == -0.25);
	assert_true(read_number("1e-320", ABOVE_ZERO, 1, &value) && value > 0);
	assert_true(read_number("-0", 0, 1, &value) && !signbit(value));
}

TEST(seconds_are_read)
{
	static const char *const none[] = {"", "s", "1 s", "1S", "1m", "1sec", "-1s", "0x1s", "2s", "infs", "1ss"};
	double value = 7;
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++)
		assert_false(read_seconds(none[i], 1, 1, &value));
	assert_true(value == 7);
	assert_true(read_seconds("0.5", 1e-3, 1, &value) && value == 0.5e-3);
	assert_true(read_seconds("20ms", 1, 1, &value) && value == 20 * 1e-3);
	assert_true(read_seconds("7ps", 1, 1, &value) && value == 7 * 1e-12);
	assert_true(read_seconds("1s", 1, 1, &value) && value == 1);
}

TEST(guids_are_read)
{
	static const char *const none[] = {"", "0x", "x1", "0xg", "-1", "+1", " 1", "1 ", "00000000000000001", "0x12345678901234567"};
	uint64_t value = 7;
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++)
		assert_false(read_guid(none[i], &value));
	assert_true(value == 7);
	assert_true(read_guid("0x0002c90300A1b2c3", &value) && value == UINT64_C(0x2c90300a1b2c3));
	assert_true(read_guid("FFFFffffFFFFffff", &value) && value == UINT64_MAX);
	assert_true(read_guid("10", &value) && value == 16);
}

TEST(sizes_are_read)
{
	static const char *const text[] = {"0", "4096", "64k", "64K", "1.5M", "2G", "1e3k", "3T", ".5"};
	static const double bytes[] = {0, 4096, 64e3, 64e3, 1.5e6, 2e9, 1e6, 3e12, .5};
	static const char *const none[] = {
		"", "k", "-1", "-0", "+7", "1e-400", "0x10", "+0x1p4", "1kk", "1kB", "1 k", " 1", "inf", "nan", "1e18", "1e", "."};
	double found;
	for (size_t i = 0; i < ARRAY_LENGTH(text); i++) {
		assert_true(read_size(text[i], &found));
		assert_true(found == bytes[i]);
	}
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++)
		assert_false(read_size(none[i], &found));
}

TEST(the_name_ends_at_the_colon)
{
	assert_int_equal(spec_name_length("shift:4"), 5);
	assert_int_equal(spec_name_length("ring"), 4);
	assert_int_equal(spec_name_length(":4"), 0);
	assert_int_equal(spec_name_length("file:a:b"), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_integer_is_read),
		cmocka_unit_test(what_is_no_integer_in_range_is_refused),
		cmocka_unit_test(a_parameter_without_preset_must_be_given),
		cmocka_unit_test(one_parameter_too_many_is_refused),
		cmocka_unit_test(dimensions_are_read),
		cmocka_unit_test(bad_dimensions_are_refused),
		cmocka_unit_test(flags_and_keys_stand_in_any_order),
		cmocka_unit_test(what_has_no_name_stands_first),
		cmocka_unit_test(a_parameter_is_described),
		cmocka_unit_test(text_takes_all_that_follows),
		cmocka_unit_test(optional_text_that_is_not_given_is_null),
		cmocka_unit_test(text_may_have_a_preset),
		cmocka_unit_test(keys_are_given_once_and_exist),
		cmocka_unit_test(usage_shows_what_is_optional),
		cmocka_unit_test(whole_numbers_are_read),
		cmocka_unit_test(decimal_numbers_are_read),
		cmocka_unit_test(seconds_are_read),
		cmocka_unit_test(guids_are_read),
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(the_name_ends_at_the_colon),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
