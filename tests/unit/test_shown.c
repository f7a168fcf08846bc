/* What people see of a text from a file. */
#include "helpers.h"

#include "base/random.h"
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *text, const char *expected)
{
	char *written = NULL;
	size_t size;
	FILE *file = open_memstream(&written, &size);
	assert_string_equal(SHOWN(text), expected);
	write_shown(file, text);
	fclose(file);
	assert_string_equal(written, expected);
	free(written);
}

TEST(plain_text_and_letters_stay)
{
	check("", "");
	check("H1 spine-2 (rack 3) \"x\" 'y' ~", "H1 spine-2 (rack 3) \"x\" 'y' ~");
	check("M\303\274nchen \344\270\255\346\226\207 \360\237\230\200", "M\303\274nchen \344\270\255\346\226\207 \360\237\230\200");
	check("C:\\n\\\\", "C:\\n\\\\");
}

TEST(control_characters_are_escaped)
{
	check("a\nBW: 1.0\n", "a\\nBW: 1.0\\n");
	check("\t\r\b\007\177", "\\t\\015\\010\\007\\177");
	check("\033[2J\033]0;title\007", "\\033[2J\\033]0;title\\007");
	check("\302\233"
	      "31m\302\205",
		"\\302\\23331m\\302\\205"); /* CSI and NEL of C1 */
}

TEST(what_turns_the_writing_or_is_not_seen_is_escaped)
{
	check("a\342\200\256b", "a\\342\\200\\256b");                          /* U+202E */
	check("\342\201\246x\342\201\251", "\\342\\201\\246x\\342\\201\\251"); /* U+2066, U+2069 */
	check("\342\200\216\342\200\217\330\234", "\\342\\200\\216\\342\\200\\217\\330\\234");
	check("\342\200\250\342\200\251", "\\342\\200\\250\\342\\200\\251"); /* line and paragraph separator */
	check("H\342\200\2131\357\273\277", "H\\342\\200\\2131\\357\\273\\277");
	check("\342\200\260\342\201\201", "\342\200\260\342\201\201"); /* their neighbours */
}

TEST(what_is_no_utf8_is_escaped_byte_by_byte)
{
	check("\377\376", "\\377\\376");
	check("\303", "\\303");
	check("\303(", "\\303(");
	check("\300\257", "\\300\\257");                   /* overlong */
	check("\355\240\200", "\\355\\240\\200");          /* a surrogate */
	check("\364\220\200\200", "\\364\\220\\200\\200"); /* beyond U+10FFFF */
	check("\342\202", "\\342\\202");
	check("\360\237\230", "\\360\\237\\230");
}

TEST(what_is_shown_is_printable_and_stays_as_it_is)
{
	struct random random;
	random_start(&random, 1, RANDOM_SUBSET, 0);
	for (int i = 0; i < 20000; i++) {
		char text[40], shown[400], again[400];
		size_t length = random_below(&random, sizeof text);
		for (size_t k = 0; k < length; k++)
			text[k] = (char)(1 + random_below(&random, 255));
		text[length] = '\0';
		show_text(shown, sizeof shown, text);
		for (const char *c = shown; *c; c += utf8_length(c)) {
			assert_true(utf8_length(c) > 0);
			assert_true((unsigned char)*c >= ' ' && *c != 127);
		}
		assert_string_equal(show_text(again, sizeof again, shown), shown);
	}
}

TEST(a_long_text_is_cut_between_characters)
{
	char buffer[9];
	assert_string_equal(show_text(buffer, sizeof buffer, "12345678"), "12345678");
	assert_string_equal(show_text(buffer, sizeof buffer, "123456789"), "12345...");
	assert_string_equal(show_text(buffer, sizeof buffer, "1234\n6789"), "1234...");
	assert_string_equal(show_text(buffer, sizeof buffer, "12\3001234567"), "12...");
	assert_string_equal(show_text(buffer, sizeof buffer, "1234\303\274789"), "1234...");
	assert_string_equal(show_text(buffer, 3, "12345"), "..");
	assert_string_equal(show_text(buffer, 1, "12345"), "");
	for (size_t size = 1; size <= sizeof buffer; size++)
		for (const char *text = "ab\n\377\303\274cdefghijkl"; *text; text++)
			assert_true(strlen(show_text(buffer, size, text)) < size);
}

TEST(a_name_is_appended_whole_or_not_at_all)
{
	char text[16] = "";
	assert_true(append_whole(text, sizeof text, "%s", "0123456"));
	assert_false(append_whole(text, sizeof text, ", %s", "0123456"));
	assert_string_equal(text, "0123456");
	assert_true(append_whole(text, sizeof text, ", %d", 12345));
	assert_string_equal(text, "0123456, 12345");
	assert_true(append_whole(text, sizeof text, "!"));
	assert_false(append_whole(text, sizeof text, "!"));
	assert_true(append_whole(text, sizeof text, "%s", ""));
	assert_string_equal(text, "0123456, 12345!");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_and_letters_stay),
		cmocka_unit_test(control_characters_are_escaped),
		cmocka_unit_test(what_turns_the_writing_or_is_not_seen_is_escaped),
		cmocka_unit_test(what_is_no_utf8_is_escaped_byte_by_byte),
		cmocka_unit_test(what_is_shown_is_printable_and_stays_as_it_is),
		cmocka_unit_test(a_long_text_is_cut_between_characters),
		cmocka_unit_test(a_name_is_appended_whole_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
