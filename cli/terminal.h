/* Output for terminals beside the result: colour, and a progress bar on standard error; neither is written to a pipe. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	const char *unit;
	double started, last; /* seconds */
};

/* Returns the seconds of a monotonic clock. */
double now(void);

/* Returns the seconds of CPU time that this process has spent in user mode. */
double user_time(void);

/* Returns whether the stream (1 or 2) is a terminal; not one that mpirun forwards. */
bool terminal_read(int stream);

/* Returns whether the stream (1 or 2) is a terminal that may show colour: NO_COLOR unset or empty, TERM not "dumb". */
bool terminal_colour(int stream);

/* Returns whether the stream is a terminal that shows UTF-8, by the locale of LC_ALL, LC_CTYPE or LANG; TERM not "dumb". */
bool terminal_unicode(int stream);

/*
 * Starts a progress bar with rate and remaining time, shown for work of more than two seconds. on: shown only if standard error is a
 * terminal, too.
 */
void progress_start(struct progress *progress, bool on, const char *unit);
void progress_show(struct progress *progress, uint64_t done, uint64_t total);
void progress_end(struct progress *progress);

#endif
