#include "cli/terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double user_time(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

bool terminal_read(int stream)
{
	return isatty(stream) && !getenv("OMPI_COMM_WORLD_SIZE"); /* Open MPI forwards through a terminal of its own, also to a file */
}

/* Whether the stream is read at a terminal that can do more than text. */
static bool is_able(int stream)
{
	const char *terminal = getenv("TERM");
	return terminal_read(stream) && terminal && strcmp(terminal, "dumb");
}

bool terminal_colour(int stream)
{
	const char *no_colour = getenv("NO_COLOR");
	return is_able(stream) && !(no_colour && *no_colour);
}

bool terminal_unicode(int stream)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = NULL;
	for (size_t i = 0; i < sizeof variables / sizeof *variables && !(locale && *locale); i++)
		locale = getenv(variables[i]);
	return is_able(stream) && locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}

void progress_start(struct progress *progress, bool on, const char *unit)
{
	*progress = (struct progress){.on = on && isatty(STDERR_FILENO), .unit = unit, .started = now()};
}

void progress_show(struct progress *progress, uint64_t done, uint64_t total)
{
	enum { WIDTH = 30, DELAY = 2 };
	if (!progress->on)
		return;
	double time = now(), passed = time - progress->started;
	if (passed < DELAY || time - progress->last < 0.1)
		return;
	progress->last = time;
	progress->shown = true;
	double rate = (double)done / passed, share = total ? (double)done / (double)total : 1;
	char bar[WIDTH + 1];
	for (int i = 0; i < WIDTH; i++)
		bar[i] = i < (int)(share * WIDTH) ? '#' : '.';
	bar[WIDTH] = '\0';
	bool colour = terminal_colour(STDERR_FILENO);
	fprintf(stderr, "\r%s%s%s %3.0f%%  %" PRIu64 " of %" PRIu64 " %s, %.*f/s, %.0f s left\033[K", colour ? "\033[32m" : "", bar,
		colour ? "\033[0m" : "", 100 * share, done, total, progress->unit, rate < 100 ? 1 : 0, rate,
		rate > 0 ? (double)(total - done) / rate : 0);
	fflush(stderr);
}

void progress_end(struct progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->on = false;
}
