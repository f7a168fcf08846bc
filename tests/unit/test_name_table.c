/* The table from names to numbers. */
#include "helpers.h"

#include "base/name_table.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 20000, WIDTH = 40 };

/* Names of many lengths, so that the hash sees all its paths. */
static char (*many_names(void))[WIDTH]
{
	char(*names)[WIDTH] = calloc(MANY, sizeof *names);
	assert_non_null(names);
	for (int i = 0; i < MANY; i++)
		snprintf(names[i], sizeof names[i], "%.*s%d", i % 17, "Switch-abcdefghij", i);
	return names;
}

TEST(all_names_are_found_again)
{
	struct name_table names;
	struct error error = {0};
	char(*list)[WIDTH] = many_names();
	assert_int_equal(name_table_init(&names, MANY, &error), 0);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(name_table_add(&names, list[i], i), i);
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(name_table_find(&names, list[i], strlen(list[i])), i);
	name_table_clear(&names);
	free(list);
}

TEST(the_first_of_equal_names_keeps_its_number)
{
	struct name_table names;
	struct error error = {0};
	char again[] = "H1";
	assert_int_equal(name_table_init(&names, 2, &error), 0);
	assert_int_equal(name_table_add(&names, "H1", 7), 7);
	assert_int_equal(name_table_add(&names, again, 9), 7);
	assert_int_equal(name_table_find(&names, "H1", 2), 7);
	name_table_clear(&names);
}

TEST(parts_of_a_name_are_other_names)
{
	struct name_table names;
	struct error error = {0};
	assert_int_equal(name_table_init(&names, 4, &error), 0);
	name_table_add(&names, "H12345678", 1);
	assert_int_equal(name_table_find(&names, "H12345678", 8), NAME_NONE);
	assert_int_equal(name_table_find(&names, "H12345678", 0), NAME_NONE);
	assert_int_equal(name_table_find(&names, "H123456789", 9), 1);
	assert_int_equal(name_table_find(&names, "h12345678", 9), NAME_NONE);
	name_table_add(&names, "", 3);
	assert_int_equal(name_table_find(&names, "anything", 0), 3);
	name_table_clear(&names);
}

TEST(an_empty_table_finds_nothing)
{
	struct name_table names;
	struct error error = {0};
	assert_int_equal(name_table_init(&names, 0, &error), 0);
	assert_int_equal(name_table_find(&names, "H1", 2), NAME_NONE);
	name_table_clear(&names);
	assert_null(names.slots);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names_are_found_again),
		cmocka_unit_test(the_first_of_equal_names_keeps_its_number),
		cmocka_unit_test(parts_of_a_name_are_other_names),
		cmocka_unit_test(an_empty_table_finds_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
