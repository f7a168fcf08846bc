/* Graphs read without their forwarding sets: nothing else is lost, however the text is cut into pieces. */
#include "helpers.h"

#include "formats/dot_skip.h"

#include <stdlib.h>
#include <string.h>

/* A text that comes in pieces of so many bytes. */
struct pieces {
	struct dot_memory memory;
	size_t piece;
};

static ssize_t read_piece(void *from, char *buffer, size_t size, struct error *error)
{
	struct pieces *p = from;
	return dot_read_memory(&p->memory, buffer, p->piece < size ? p->piece : size, error);
}

/* Returns what is left of a text, to be freed. */
static char *left_of(const char *text, size_t piece)
{
	struct error error = {0};
	struct pieces pieces = {{text, strlen(text)}, piece};
	const struct dot_text whole = {read_piece, &pieces, "test"};
	struct dot_skip skip = {.text = &whole};
	char *left = calloc(strlen(text) + 2, 1);
	assert_non_null(left);
	size_t length = 0;
	for (ssize_t got; (got = dot_skip_read(&skip, left + length, strlen(text) + 1 - length, &error)) > 0;)
		length += (size_t)got;
	assert_fine(&error);
	left[length] = '\0';
	return left;
}

static void leaves(const char *text, const char *expected)
{
	for (size_t piece = 1; piece <= strlen(text) + 1; piece++) {
		char *left = left_of(text, piece);
		assert_string_equal(left, expected);
		free(left);
	}
}

TEST(forwarding_sets_are_left_out)
{
	leaves("\"a\" -> \"b\" [port=\"1\", comment=\"H1,H2\", speed=\"100\"];\na -> b [comment=\"*\"];",
		"\"a\" -> \"b\" [port=\"1\", comment=\"\", speed=\"100\"];\na -> b [comment=\"\"];");
}

TEST(other_attributes_stay)
{
	static const char text[] =
		"a [xcomment=\"H1\", comment_=\"H2\", comments=\"H3\", comment1=\"H4\", \"comment\"=\"H5\", co=\"mment=\"];";
	leaves(text, text);
	leaves("a [desc=\"comment=\", comment=\"x\"];", "a [desc=\"comment=\", comment=\"\"];");
	leaves("a [desc=\"[comment=\\\"x\\\"]\"];", "a [desc=\"[comment=\\\"x\\\"]\"];");
}

TEST(quotes_and_backslashes)
{
	leaves("a [comment=\"x\\\"y\", b=\"1\"];", "a [comment=\"\", b=\"1\"];");
	leaves("a [comment=\"x\\\\\", b=\"1\"];", "a [comment=\"\", b=\"1\"];");
	leaves("a [comment=\"x\\\\\\\"y\\\\\", b=\"1\\\\\", comment=\"z\"];", "a [comment=\"\", b=\"1\\\\\", comment=\"\"];");
	leaves("a [c=\"\\\\\\\\\", comment=\"\\\\\\\\\"];", "a [c=\"\\\\\\\\\", comment=\"\"];");
}

TEST(markup)
{
	leaves("a [l=<b <i> \" comment=\"x\" </i>>, comment=\"y\"]; a -> b [comment=\"z\"];",
		"a [l=<b <i> \" comment=\"x\" </i>>, comment=\"\"]; a -> b [comment=\"\"];");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forwarding_sets_are_left_out),
		cmocka_unit_test(other_attributes_stay),
		cmocka_unit_test(quotes_and_backslashes),
		cmocka_unit_test(markup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
