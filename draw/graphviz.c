#include "graphviz.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 8 };

FILE *graphviz_file(struct error *error)
{
	FILE *file = tmpfile();
	if (!file)
		error_set(error, STATUS_IO, "cannot make a temporary file: %s", strerror(errno));
	return file;
}

/* Starts the program with its three streams. Returns 0, or the number of the error. */
static int start(pid_t *child, const char *program, const char *const *arguments, FILE *in, FILE *out, FILE *errors)
{
	char *list[ARGUMENTS_MAX + 2] = {(char *)program};
	for (int i = 0; i < ARGUMENTS_MAX && arguments[i]; i++)
		list[i + 1] = (char *)arguments[i];
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed)
		return failed;
	posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
	failed = posix_spawnp(child, program, &actions, NULL, list, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* How the program failed, with the first line that it said. */
static int explain(const char *program, int status, FILE *errors, struct error *error)
{
	char said[400] = "";
	rewind(errors);
	if (!fgets(said, sizeof said, errors))
		said[0] = '\0';
	said[strcspn(said, "\n")] = '\0';
	if (WIFSIGNALED(status))
		return error_set(error, STATUS_IO, "not drawn: %s of Graphviz was ended by signal %d", program, WTERMSIG(status));
	return error_set(error, STATUS_IO, "not drawn: %s of Graphviz failed%s%s", program, *said ? ": " : "", said);
}

int graphviz_run(const char *program, const char *const *arguments, FILE *in, FILE *out, struct error *error)
{
	FILE *errors = graphviz_file(error);
	if (!errors)
		return -1;
	pid_t child;
	int status = 0;
	if (fflush(in) || ferror(in) || fseek(in, 0, SEEK_SET)) {
		error_set(error, STATUS_IO, "cannot write to a temporary file: %s", strerror(errno));
	} else {
		int failed = start(&child, program, arguments, in, out, errors);
		if (failed)
			error_set(error, STATUS_IO, "not drawn: %s %s", program,
				failed == ENOENT ? "is not installed (Debian: graphviz)" : strerror(failed));
		else if (waitpid(child, &status, 0) < 0)
			error_set(error, STATUS_IO, "not drawn: lost %s: %s", program, strerror(errno));
		else if (status)
			explain(program, status, errors, error);
	}
	fclose(errors);
	rewind(out);
	return error->status ? -1 : 0;
}
