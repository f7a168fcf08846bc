/* The table from numbers to numbers. */
#include "helpers.h"

#include "base/number_table.h"

enum { MANY = 20000 };

/* Numbers far apart, close to each other, and alike in their lower or upper halves. */
static uint64_t number(uint64_t i)
{
	switch (i % 4) {
	case 0: return i;
	case 1: return i << 32;
	case 2: return i << 32 | i;
	default: return UINT64_MAX - i;
	}
}

TEST(all_numbers_are_found_again_while_the_table_grows)
{
	struct number_table table = {0};
	struct error error = {0};
	for (uint64_t i = 0; i < MANY; i++) {
		assert_int_equal(number_table_find(&table, number(i)), NUMBER_NONE);
		assert_int_equal(number_table_reserve(&table, table.count + 1, &error), 0);
		assert_true(number_table_add(&table, number(i), i));
		assert_true(2 * table.count <= table.mask + 1);
	}
	for (uint64_t i = 0; i < MANY; i++)
		assert_int_equal(number_table_find(&table, number(i)), i);
	assert_int_equal(table.count, MANY);
	number_table_clear(&table);
	assert_null(table.slots);
}

TEST(a_number_keeps_its_first_value)
{
	struct number_table table;
	struct error error = {0};
	assert_int_equal(number_table_init(&table, 2, &error), 0);
	assert_true(number_table_add(&table, UINT64_MAX, 7));
	assert_false(number_table_add(&table, UINT64_MAX, 9));
	assert_int_equal(number_table_find(&table, UINT64_MAX), 7);
	assert_int_equal(table.count, 1);
	number_table_clear(&table);
}

TEST(an_emptied_table_has_nothing_and_takes_all)
{
	struct number_table table = {0};
	struct error error = {0};
	number_table_empty(&table);
	assert_int_equal(number_table_reserve(&table, 3, &error), 0);
	assert_true(number_table_add(&table, 0, 0));
	number_table_empty(&table);
	assert_int_equal(number_table_find(&table, 0), NUMBER_NONE);
	assert_true(number_table_add(&table, 0, 1));
	assert_int_equal(number_table_find(&table, 0), 1);
	number_table_clear(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_numbers_are_found_again_while_the_table_grows),
		cmocka_unit_test(a_number_keeps_its_first_value),
		cmocka_unit_test(an_emptied_table_has_nothing_and_takes_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
