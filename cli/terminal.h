/* What a person at a terminal sees beside the result: colour and a progress bar, on standard error, and never in a pipe. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on, shown;
	const char *unit;
	double started, last; /* seconds */
};

/* Seconds of a clock that only goes forward. */
double now(void);

/* Seconds of CPU time that this process has spent in user mode. */
double user_time(void);

/* Whether the stream is a terminal on which colour is welcome (NO_COLOR unset or empty, TERM not "dumb"). stream: 1 or 2. */
bool terminal_colour(int stream);

/* A bar for work over two seconds, with rate and time left. on: only when standard error is a terminal too. */
void progress_start(struct progress *progress, bool on, const char *unit);
void progress_show(struct progress *progress, uint64_t done, uint64_t total);
void progress_end(struct progress *progress);

#endif
