/*
 * Signals that request the end of a program. A signal that was ignored when the program started (nohup) stays ignored. SIGQUIT always ends
 * the program at once. Temporary files are removed whichever signal ends it, except SIGKILL.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The first signal that requested the end; 0: none. */
extern volatile sig_atomic_t stop_signal;

/*
 * Makes SIGHUP, SIGINT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2 and SIGXCPU set stop_signal instead of ending the program. With once,
 * the second SIGINT or SIGTERM ends it; the other signals may repeat (a lost terminal sends SIGHUP twice, the limit of CPU time SIGXCPU
 * every second).
 */
void catch_signals(bool once);

/*
 * Makes the same signals end the program at once, with status 128 + the signal's number and that line on standard error (borrowed; NULL:
 * none; SIGPIPE writes none). For programs without partial results. catch_signals() replaces it.
 */
void end_on_signals(const char *line);

/* Registers a file (borrowed name) that is removed if a signal ends this process before spare_file(). */
void doom_file(const char *path);
void spare_file(const char *path);

/* Registers the child that SIGTERM ends if a signal ends this process; one at a time, 0: none. */
void doom_program(pid_t child);

/* Makes a write beyond the file size limit (ulimit -f) fail instead of raising a signal. */
void ignore_file_limit(void);

#endif
