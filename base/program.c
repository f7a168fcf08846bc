#include "base/program.h"

#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 8 };

FILE *program_file(struct error *error)
{
	FILE *file = tmpfile();
	if (!file)
		error_set(error, STATUS_IO, "cannot make a temporary file: %s", strerror(errno));
	return file;
}

static int missing(const struct program *program, struct error *error)
{
	return error_set(error, STATUS_IO, "not drawn: %s is not installed (Debian: %s)", program->name, program->package);
}

bool program_is_there(const struct program *program)
{
	char path[PATH_MAX];
	const char *folder = getenv("PATH");
	for (folder = folder ? folder : "/bin:/usr/bin";; folder++) {
		int length = (int)strcspn(folder, ":");
		snprintf(path, sizeof path, "%.*s%s%s", length, folder, length ? "/" : "./", program->name);
		if (!access(path, X_OK))
			return true;
		folder += length;
		if (!*folder)
			return false;
	}
}

/* Starts the program with its three streams. Returns 0, or the error number. */
static int start(pid_t *child, const char *name, const char *const *arguments, FILE *in, FILE *out, FILE *errors)
{
	char *list[ARGUMENTS_MAX + 2] = {(char *)name};
	for (int i = 0; i < ARGUMENTS_MAX && arguments[i]; i++)
		list[i + 1] = (char *)arguments[i];
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed)
		return failed;
	FILE *const stream[] = {
		in, out, errors}; /* by descriptor number; the originals close on exec, as the limit of open files may be low */
	for (int i = 0; i < 3; i++) {
		fcntl(fileno(stream[i]), F_SETFD, FD_CLOEXEC);
		posix_spawn_file_actions_adddup2(&actions, fileno(stream[i]), i);
	}
	failed = posix_spawnp(child, name, &actions, NULL, list, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* Waits for the program; a signal that ends this process ends the program, too. Returns 0, or -1. */
static int wait_for(pid_t child, int *status)
{
	doom_program(child);
	int lost;
	do
		lost = waitpid(child, status, 0) < 0;
	while (lost && errno == EINTR);
	doom_program(0);
	return lost ? -1 : 0;
}

/* Sets the error of a failed program, with the last line of its standard error. Returns -1. */
static int explain(const struct program *program, int status, FILE *errors, struct error *error)
{
	char line[400], last[sizeof line] = "";
	rewind(errors);
	while (fgets(line, sizeof line, errors))
		if (line[strspn(line, " \t\r\n")])
			memcpy(last, line, sizeof last);
	last[strcspn(last, "\r\n")] = '\0';
	if (WIFSIGNALED(status))
		return error_set(error, STATUS_IO, "not drawn: %s was ended by signal %d", program->title, WTERMSIG(status));
	return error_set(error, STATUS_IO, "not drawn: %s failed%s%s", program->title, *last ? ": " : "", last + strspn(last, " \t"));
}

int program_run(const struct program *program, const char *const *arguments, FILE *in, FILE *out, struct error *error)
{
	FILE *errors = program_file(error);
	if (!errors)
		return -1;
	pid_t child;
	int status = 0, failed = 0;
	if (fflush(in) || ferror(in) || fseek(in, 0, SEEK_SET))
		error_set(error, STATUS_IO, "cannot write to a temporary file: %s", strerror(errno));
	else if ((failed = start(&child, program->name, arguments, in, out, errors)) == ENOENT)
		missing(program, error);
	else if (failed)
		error_set(error, STATUS_IO, "not drawn: cannot start %s: %s", program->name, strerror(failed));
	else if (wait_for(child, &status))
		error_set(error, STATUS_IO, "not drawn: cannot wait for %s: %s", program->name, strerror(errno));
	else if (status)
		explain(program, status, errors, error);
	fclose(errors);
	return error->status ? -1 : 0;
}
