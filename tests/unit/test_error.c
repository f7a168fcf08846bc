/* Errors, arrays that grow, and "did you mean". */
#include "helpers.h"
#include "base/memory.h"
#include "base/spelling.h"

#include <stdlib.h>
#include <string.h>

TEST(the_text_is_formatted)
{
	struct error error = {0};
	assert_int_equal(error_set(&error, STATUS_USAGE, "%d of %s", 3, "four"), -1);
	assert_int_equal(error.status, STATUS_USAGE);
	assert_string_equal(error.text, "3 of four");
}

TEST(the_first_error_stays)
{
	struct error error = {0};
	error_set(&error, STATUS_FABRIC, "first");
	assert_int_equal(error_set(&error, STATUS_IO, "second"), -1);
	assert_int_equal(error_at(&error, STATUS_IO, "file", 1, "third"), -1);
	assert_int_equal(error.status, STATUS_FABRIC);
	assert_string_equal(error.text, "first");
}

TEST(a_place_in_a_file_stands_before_the_text)
{
	struct error with_line = {0}, without = {0};
	assert_int_equal(error_at(&with_line, STATUS_FABRIC, "a.dot", 12, "bad %s", "thing"), -1);
	assert_string_equal(with_line.text, "a.dot:12: bad thing");
	assert_int_equal(error_at(&without, STATUS_FABRIC, "a.dot", 0, "bad"), -1);
	assert_string_equal(without.text, "a.dot: bad");
}

TEST(the_parts_of_the_text_are_known)
{
	char facts[100], little[5];
	struct error error = {0}, plain = {0};
	error_at(&error, STATUS_FABRIC, "a\n.dot", 12, "bad%s", ": do this");
	error_ends_with(&error, ": do this");
	strcat(error.text, " (more)");
	assert_string_equal(error.text, "a\\n.dot:12: bad: do this (more)");
	assert_int_equal(error.line, 12);
	assert_int_equal(error.file, strlen("a\\n.dot"));
	assert_string_equal(error.text + error.reason, "bad: do this (more)");
	error_facts(&error, facts, sizeof facts);
	assert_string_equal(facts, "bad (more)");
	error_facts(&error, little, sizeof little);
	assert_string_equal(little, "bad ");
	error_set(&plain, STATUS_FABRIC, "b.dot: bad");
	error_facts(&plain, facts, sizeof facts);
	assert_string_equal(facts, "b.dot: bad");
}

TEST(the_file_gets_another_name)
{
	struct error error = {0}, plain = {0};
	error_at(&error, STATUS_FABRIC, "/dev/fd/5", 3, "bad");
	error.code = ERROR_SYNTAX;
	error_rename(&error, "<stdin>");
	assert_string_equal(error.text, "<stdin>:3: bad");
	assert_string_equal(error.text + error.reason, "bad");
	assert_int_equal(error.code, ERROR_SYNTAX);
	assert_int_equal(error.status, STATUS_FABRIC);
	error_set(&plain, STATUS_IO, "bad");
	error_rename(&plain, "<stdin>");
	assert_string_equal(plain.text, "bad");
}

TEST(control_characters_do_not_reach_the_terminal)
{
	struct error error = {0};
	error_set(&error, STATUS_USAGE, "one\ntwo\033[31m\x7f\tthree");
	assert_string_equal(error.text, "one\\ntwo\\033[31m\\177\\tthree");
}

TEST(long_texts_are_cut)
{
	char name[5000];
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	struct error error = {0}, at = {0};
	error_set(&error, STATUS_USAGE, "%s", name);
	assert_int_equal(strlen(error.text), sizeof error.text - 1);
	error_at(&at, STATUS_USAGE, name, 1, "%s", name);
	assert_int_equal(strlen(at.text), sizeof at.text - 1);
	assert_in_range(at.reason, 0, strlen(at.text));
}

TEST(arrays_begin_as_zero)
{
	struct error error = {0};
	unsigned char *array = array_create(1000, 3, &error);
	assert_non_null(array);
	for (int i = 0; i < 3000; i++)
		assert_int_equal(array[i], 0);
	free(array);
}

TEST(an_array_of_nothing_is_no_null_pointer)
{
	struct error error = {0};
	void *array = array_create(0, 8, &error);
	assert_non_null(array);
	assert_fine(&error);
	free(array);
}

TEST(an_array_whose_size_overflows_is_refused)
{
	struct error error = {0};
	assert_null(array_create(SIZE_MAX / 2, 3, &error));
	assert_error(&error, STATUS_IO, "out of memory");
}

TEST(a_growing_array_keeps_what_it_holds)
{
	struct error error = {0};
	uint32_t *items = NULL;
	size_t capacity = 0, moves = 0;
	for (size_t i = 0; i < 10000; i++) {
		size_t before = capacity;
		assert_int_equal(array_grow(&items, &capacity, i + 1, sizeof *items, &error), 0);
		assert_true(capacity > i);
		moves += capacity != before;
		items[i] = (uint32_t)(i * i);
	}
	assert_in_range(moves, 1, 14); /* it doubles */
	for (size_t i = 0; i < 10000; i++)
		assert_int_equal(items[i], (uint32_t)(i * i));
	free(items);
}

TEST(growth_that_overflows_changes_nothing)
{
	struct error error = {0};
	uint64_t *items = NULL;
	size_t capacity = 0;
	assert_int_equal(array_grow(&items, &capacity, 5, sizeof *items, &error), 0);
	uint64_t *before = items;
	size_t capacity_before = capacity;
	assert_int_equal(array_grow(&items, &capacity, SIZE_MAX / 4, sizeof *items, &error), -1);
	assert_error(&error, STATUS_IO, "out of memory");
	assert_ptr_equal(items, before);
	assert_int_equal(capacity, capacity_before);
	free(items);
}

TEST(the_nearest_name_is_the_one_meant)
{
	static const char *const names[] = {"bisect", "bisect_fb_sym", "bruck", "gather", "scatter", "pos", "nue"};
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{"bisct", "bisect"},
		{"bisect", "bisect"},
		{"brukc", "bruck"},
		{"bisect_fb_sim", "bisect_fb_sym"},
		{"scater", "scatter"},
		{"neu", "nue"},
		{"po", "pos"},
		{"foo", NULL},
		{"nix", NULL},
		{"frobnicate", NULL},
		{"", NULL},
		{"x", NULL},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		const char *found = nearest_name(cases[i].text, names, ARRAY_LENGTH(names));
		if (cases[i].expected)
			assert_string_equal(found, cases[i].expected);
		else
			assert_null(found);
	}
	assert_null(nearest_name("bisect", names, 0));
}

TEST(endless_names_are_compared_too)
{
	char text[3000];
	memset(text, 'b', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	static const char *const names[] = {"bruck"};
	const char *const same[] = {text};
	assert_ptr_equal(nearest_name(text, same, 1), text);
	nearest_name(text, names, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_text_is_formatted),
		cmocka_unit_test(the_first_error_stays),
		cmocka_unit_test(a_place_in_a_file_stands_before_the_text),
		cmocka_unit_test(the_parts_of_the_text_are_known),
		cmocka_unit_test(the_file_gets_another_name),
		cmocka_unit_test(control_characters_do_not_reach_the_terminal),
		cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(arrays_begin_as_zero),
		cmocka_unit_test(an_array_of_nothing_is_no_null_pointer),
		cmocka_unit_test(an_array_whose_size_overflows_is_refused),
		cmocka_unit_test(a_growing_array_keeps_what_it_holds),
		cmocka_unit_test(growth_that_overflows_changes_nothing),
		cmocka_unit_test(the_nearest_name_is_the_one_meant),
		cmocka_unit_test(endless_names_are_compared_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
