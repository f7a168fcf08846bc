/*
 * Signals that ask a program to end. One that was ignored when the program started (nohup) stays ignored. SIGQUIT always ends the program
 * at once. Files that would stay behind are removed whichever signal ends it, but SIGKILL.
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The first signal that asked for the end; 0: none. */
extern volatile sig_atomic_t stop_signal;

/*
 * From here on SIGHUP, SIGINT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2 and SIGXCPU set stop_signal instead of ending the program. With
 * once, the second of SIGINT and SIGTERM ends it; the others may repeat (a lost terminal sends SIGHUP twice, the limit of CPU time SIGXCPU
 * every second).
 */
void catch_signals(bool once);

/*
 * From here on the same signals end the program at once, with 128 and the signal's number as its status and that line on standard error
 * (borrowed; NULL: none), which SIGPIPE leaves out. For programs without partial results. catch_signals() replaces it.
 */
void end_on_signals(const char *line);

/* The file of that name, which is borrowed, is removed if a signal ends this process before spare_file(). */
void doom_file(const char *path);
void spare_file(const char *path);

/* The program that was started ends, too, by SIGTERM, if a signal ends this process; one at a time, 0: none any more. */
void doom_program(pid_t child);

/* A file that grows beyond the limit (ulimit -f) is a failed write from here on, not a signal. */
void ignore_file_limit(void);

#endif
