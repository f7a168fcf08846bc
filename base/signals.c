#include "base/signals.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* The signals that request the end of the program; SIGQUIT ends it at once. */
static const int asking[] = {SIGHUP, SIGINT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

enum { ASKING = sizeof asking / sizeof *asking, FILES = 64 };

volatile sig_atomic_t stop_signal;

/* Handlers can only read global state. */
static volatile sig_atomic_t urgent; /* SIGINT or SIGTERM has come */
static const char *volatile doomed[FILES];
static const char *volatile last_line;
static volatile pid_t doomed_program;
static volatile pid_t owner; /* the process that owns these: a child that has not yet called exec must not remove them */

static void remove_doomed(void)
{
	for (int i = 0; i < FILES && owner == getpid(); i++)
		if (doomed[i])
			unlink(doomed[i]);
	if (doomed_program && owner == getpid())
		kill(doomed_program, SIGTERM);
}

/* Ends the program by that signal, as if it were not caught. */
static void end_at_once(int number)
{
	remove_doomed();
	signal(number, SIG_DFL);
	raise(number); /* takes effect when this handler returns */
}

static void end_with_line(int number)
{
	bool told = !last_line || number == SIGPIPE || write(STDERR_FILENO, last_line, strlen(last_line)) > 0;
	(void)told;
	remove_doomed();
	_exit(128 + number);
}

static void ask_for_end(int number)
{
	if (!stop_signal)
		stop_signal = number;
}

static void ask_once(int number)
{
	bool deliberate = number == SIGINT || number == SIGTERM;
	if (deliberate && urgent)
		end_at_once(number);
	urgent |= deliberate;
	ask_for_end(number);
}

/* Installs a handler for the signal, unless it is ignored; with fresh, only if it has no handler yet. */
static void handle(int number, void (*handler)(int), bool fresh)
{
	bool person = number == SIGINT || number == SIGTERM; /* may have to end a program that waits for input */
	struct sigaction before, action = {.sa_handler = handler, .sa_flags = person ? 0 : SA_RESTART};
	if (sigaction(number, NULL, &before) || before.sa_handler == SIG_IGN || (fresh && before.sa_handler != SIG_DFL))
		return;
	sigfillset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

void catch_signals(bool once)
{
	for (int i = 0; i < ASKING; i++)
		handle(asking[i], once ? ask_once : ask_for_end, false);
}

void end_on_signals(const char *line)
{
	last_line = line;
	for (int i = 0; i < ASKING; i++)
		handle(asking[i], end_with_line, false);
}

/* Makes sure that any signal that ends this process removes the registered files. */
static void become_owner(void)
{
	owner = getpid();
	for (int i = 0; i < ASKING; i++)
		handle(asking[i], end_at_once, true);
	handle(SIGQUIT, end_at_once, true);
}

void doom_file(const char *path)
{
	for (int i = 0; i < FILES; i++)
		if (!doomed[i]) {
			doomed[i] = path;
			break;
		}
	become_owner();
}

void doom_program(pid_t child)
{
	doomed_program = child;
	become_owner();
}

void spare_file(const char *path)
{
	for (int i = 0; i < FILES; i++)
		if (doomed[i] == path)
			doomed[i] = NULL;
}

void ignore_file_limit(void)
{
	handle(SIGXFSZ, SIG_IGN, true);
}
