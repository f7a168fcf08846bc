/* Colours for congestion. */
#include "helpers.h"

#include "cli/palette.h"

#include <string.h>

static void assert_colour(const char *palette, double share, const char *expected)
{
	char text[40];
	assert_int_equal(palette_colour(palette, share, text, sizeof text), 0);
	assert_string_equal(text, expected);
}

/* ORCS paper, section 2.5: from green to red, h = 0.4 (1 - congestion). */
TEST(the_papers_palette_goes_from_green_to_red)
{
	assert_colour("green-red", 0, "0.400000 0.900000 0.900000");
	assert_colour("green-red", 0.25, "0.300000 0.900000 0.900000");
	assert_colour("green-red", 0.5, "0.200000 0.900000 0.900000");
	assert_colour("green-red", 1, "0.000000 0.900000 0.900000");
}

/* The ends of matplotlib's maps, and the middle between two of their points. */
TEST(the_others_go_from_dark_to_light)
{
	assert_colour("viridis", 0, "#440154");
	assert_colour("viridis", 1, "#fde725");
	assert_colour("viridis", 0.5 / 9, "#461566");
	assert_colour("cividis", 0, "#00224e");
	assert_colour("cividis", 1, "#fee838");
}

TEST(shares_beyond_the_ends_are_the_ends)
{
	for (const char *const *palette = palettes; *palette; palette++) {
		char least[40], below[40], most[40], above[40];
		palette_colour(*palette, 0, least, sizeof least);
		palette_colour(*palette, -3, below, sizeof below);
		palette_colour(*palette, 1, most, sizeof most);
		palette_colour(*palette, 1e300, above, sizeof above);
		assert_string_equal(least, below);
		assert_string_equal(most, above);
		assert_string_not_equal(least, most);
	}
}

TEST(an_unknown_palette_is_none)
{
	char text[40];
	assert_int_equal(palette_colour("grey", 0.5, text, sizeof text), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_palette_goes_from_green_to_red),
		cmocka_unit_test(the_others_go_from_dark_to_light),
		cmocka_unit_test(shares_beyond_the_ends_are_the_ends),
		cmocka_unit_test(an_unknown_palette_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
