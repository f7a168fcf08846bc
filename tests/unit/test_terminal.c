/* Colour and the progress bar: at a terminal, and nowhere else. */
#include "helpers.h"

#include "cli/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard error put elsewhere for a while. */
struct redirection {
	int before;
	int other; /* what is written to standard error comes out here */
};

static void begin(struct redirection *redirection, int end, int other)
{
	fcntl(other, F_SETFL, O_NONBLOCK);
	*redirection = (struct redirection){dup(STDERR_FILENO), other};
	dup2(end, STDERR_FILENO);
	close(end);
}

static void end(struct redirection *redirection)
{
	fflush(stderr);
	dup2(redirection->before, STDERR_FILENO);
	close(redirection->before);
	close(redirection->other);
}

static void to_terminal(struct redirection *redirection)
{
	int master, slave;
	if (openpty(&master, &slave, NULL, NULL, NULL))
		skip();
	begin(redirection, slave, master);
}

static void to_pipe(struct redirection *redirection)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	begin(redirection, ends[1], ends[0]);
}

/* What has been written to standard error: all up to a mark, as terminals pass on what they get when they like. */
static const char *written(const struct redirection *redirection)
{
	enum { PATIENCE = 60000 };
	static char text[2000];
	struct pollfd other = {.fd = redirection->other, .events = POLLIN};
	size_t length = 0;
	fputc(1, stderr);
	fflush(stderr);
	while (!memchr(text, 1, length) && poll(&other, 1, PATIENCE) > 0) {
		ssize_t got = read(redirection->other, text + length, sizeof text - 1 - length);
		if (got <= 0)
			break;
		length += (size_t)got;
	}
	const char *mark = memchr(text, 1, length);
	text[mark ? (size_t)(mark - text) : length] = '\0';
	return text;
}

/* Whether colour is welcome on standard error with these in the environment; NULL: not there. */
static bool colour_with(const char *terminal, const char *no_colour)
{
	unsetenv("TERM");
	unsetenv("NO_COLOR");
	if (terminal)
		setenv("TERM", terminal, 1);
	if (no_colour)
		setenv("NO_COLOR", no_colour, 1);
	return terminal_colour(STDERR_FILENO);
}

TEST(colour_is_for_terminals_that_want_it)
{
	struct redirection redirection;
	to_terminal(&redirection);
	bool plain = colour_with("xterm", NULL), empty = colour_with("xterm", ""), refused = colour_with("xterm", "1");
	bool dumb = colour_with("dumb", NULL), unknown = colour_with(NULL, NULL);
	setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
	bool forwarded = colour_with("xterm", NULL);
	unsetenv("OMPI_COMM_WORLD_SIZE");
	end(&redirection);
	assert_true(plain);
	assert_true(empty);
	assert_false(refused);
	assert_false(dumb);
	assert_false(unknown);
	assert_false(forwarded);
}

/* Whether UTF-8 is welcome on standard error with these in the environment; NULL: not there. */
static bool unicode_with(const char *terminal, const char *all, const char *type, const char *language)
{
	const char *const name[] = {"TERM", "LC_ALL", "LC_CTYPE", "LANG"}, *value[] = {terminal, all, type, language};
	for (int i = 0; i < 4; i++) {
		unsetenv(name[i]);
		if (value[i])
			setenv(name[i], value[i], 1);
	}
	return terminal_unicode(STDERR_FILENO);
}

TEST(unicode_is_for_locales_that_have_it)
{
	struct redirection redirection;
	to_terminal(&redirection);
	bool language = unicode_with("xterm", NULL, NULL, "en_GB.UTF-8"), other = unicode_with("xterm", NULL, NULL, "C.utf8");
	bool overruled = unicode_with("xterm", "C", "en_GB.UTF-8", "en_GB.UTF-8"), empty = unicode_with("xterm", "", "C.UTF-8", NULL);
	bool none = unicode_with("xterm", NULL, NULL, NULL), dumb = unicode_with("dumb", "C.UTF-8", NULL, NULL);
	end(&redirection);
	to_pipe(&redirection);
	bool piped = unicode_with("xterm", "C.UTF-8", NULL, NULL);
	end(&redirection);
	assert_true(language);
	assert_true(other);
	assert_false(overruled);
	assert_true(empty);
	assert_false(none);
	assert_false(dumb);
	assert_false(piped);
}

TEST(a_pipe_has_no_colour)
{
	struct redirection redirection;
	to_pipe(&redirection);
	bool colour = colour_with("xterm", NULL);
	end(&redirection);
	assert_false(colour);
}

/* Work that is half done. The clock is wound to times when a bar is due, and when it is not. */
static const char *show_progress(bool on, const struct redirection *redirection)
{
	struct progress progress;
	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	progress_start(&progress, on, "runs");
	progress.started += 1000;
	progress_show(&progress, 499, 1000); /* too early */
	progress.started -= 2000;
	progress_show(&progress, 500, 1000);
	progress.last += 1000;
	progress_show(&progress, 501, 1000); /* too soon after the one before */
	progress_end(&progress);
	return written(redirection);
}

TEST(a_terminal_sees_a_bar_that_goes_away)
{
	struct redirection redirection;
	to_terminal(&redirection);
	const char *text = show_progress(true, &redirection);
	end(&redirection);
	assert_contains(text, "###############...............");
	assert_contains(text, "50%");
	assert_contains(text, "500 of 1000 runs");
	assert_null(strstr(text, "499"));
	assert_null(strstr(text, "501"));
	assert_string_equal(text + strlen(text) - 4, "\r\033[K");
}

TEST(nobody_else_sees_a_bar)
{
	struct redirection redirection;
	to_pipe(&redirection);
	const char *text = show_progress(true, &redirection);
	end(&redirection);
	assert_string_equal(text, "");
	to_terminal(&redirection);
	text = show_progress(false, &redirection);
	end(&redirection);
	assert_string_equal(text, "");
}

TEST(the_clock_goes_forward)
{
	double last = now();
	for (int i = 0; i < 1000; i++) {
		double next = now();
		assert_true(next >= last);
		last = next;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_is_for_terminals_that_want_it),
		cmocka_unit_test(unicode_is_for_locales_that_have_it),
		cmocka_unit_test(a_pipe_has_no_colour),
		cmocka_unit_test(a_terminal_sees_a_bar_that_goes_away),
		cmocka_unit_test(nobody_else_sees_a_bar),
		cmocka_unit_test(the_clock_goes_forward),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
