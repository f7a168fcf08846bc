/* Command lines that cannot be read: the message names the word that is wrong, however many options there are, in a child's table too. */
#include "helpers.h"
#include "cli/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 300 };

static char many_name[MANY][16];
static struct argp_option many[MANY + 1];

static const struct argp_option parent_table[] = {
	{"quiet", 'q', 0, 0, "", 0},
	{"quick", 1, 0, 0, "", 0},
	{"input_file", 'i', "FILE", 0, "", 0},
	{"input-file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{0},
};

static error_t take(int key, char *text, struct argp_state *state)
{
	(void)key, (void)text, (void)state;
	return 0;
}

/* What a command line of one program whose child has many options is answered with, without the advice at the end. */
static const char *refusal(char *first, char *second)
{
	static char text[100000];
	const struct argp child = {.options = many, .parser = take};
	const struct argp_child children[] = {{&child, 0, 0, 0}, {0}};
	const struct argp argp = {.options = parent_table, .parser = take, .children = children};
	char *words[] = {"p", first, second, NULL};
	int ends[2], status;
	for (int i = 0; i < MANY; i++) {
		snprintf(many_name[i], sizeof many_name[i], "many-%03u", (unsigned)i % 1000);
		many[i] = (struct argp_option){many_name[i], 0x200 + i, "N", 0, "", 0};
	}
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid_t process = fork();
	if (!process) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		usage_parse("p", &argp, 3, words, NULL);
		_exit(0);
	}
	close(ends[1]);
	size_t length = 0;
	for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
		length += (size_t)got;
	text[length] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(process, &status, 0), process);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
	char *advice = strstr(text, "; see 'p --help'");
	assert_non_null(advice);
	*advice = '\0';
	return text;
}

TEST(the_wrong_word_is_named)
{
	assert_string_equal(refusal("--many-007=1", "--quite"), "p: unknown option '--quite'; did you mean '--quiet'?");
	assert_string_equal(refusal("-q", "--many-25O"), "p: unknown option '--many-25O'; did you mean '--many-250'?");
	assert_string_equal(refusal("--many-299=1", "--many-299"), "p: option '--many-299' needs an argument");
	assert_string_equal(refusal("-q", "-qx"), "p: unknown option '-x'");
	assert_string_equal(refusal("-q", "--quiet=1"), "p: option '--quiet' takes no argument");
	assert_string_equal(refusal("-q", "--=1"), "p: unknown option '--'");
}

TEST(an_ambiguous_beginning_has_candidates)
{
	assert_string_equal(refusal("--many-000=3", "--qui"), "p: ambiguous option '--qui': --quick, --quiet");
	assert_string_equal(refusal("-q", "--many-10=2"),
		"p: ambiguous option '--many-10': --many-100, --many-101, --many-102, --many-103, --many-104, --many-105, --many-106, "
		"--many-107, --many-108, --many-109");
	const char *all = refusal("-q", "--many");
	assert_non_null(strstr(all, "--many-000, "));
	assert_string_equal(all + strlen(all) - strlen("--many-298, --many-299"), "--many-298, --many-299");
}

/* An alias is no other option: the beginning of both is clear, and only the argument is missing. */
TEST(an_alias_is_no_candidate)
{
	assert_string_equal(refusal("-q", "--input"), "p: option '--input' needs an argument");
}

TEST(a_long_word_is_named_whole)
{
	char word[3000] = "--";
	memset(word + 2, 'x', sizeof word - 3);
	const char *text = refusal("-q", word);
	assert_int_equal(strlen(text), strlen("p: unknown option ''") + sizeof word - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wrong_word_is_named),
		cmocka_unit_test(an_ambiguous_beginning_has_candidates),
		cmocka_unit_test(an_alias_is_no_candidate),
		cmocka_unit_test(a_long_word_is_named_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
