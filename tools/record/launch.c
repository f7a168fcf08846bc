#include "tools/record/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const library_names[] = {[RECORD_OPENMPI] = "liborcs-record-openmpi.so", [RECORD_MPICH] = "liborcs-record-mpich.so"};

/* Finds the library beside this program: in the build directory, or where it is installed. Returns whether there is one. */
static bool find_library(enum record_mpi mpi, char *path)
{
	static const char *const places[] = {"../../lib", "../lib/orcs", "."};
	char own[PATH_MAX], beside[2 * PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
	if (length <= 0)
		return false;
	own[length] = 0;
	*strrchr(own, '/') = 0;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(beside, sizeof beside, "%s/%s/%s", own, places[i], library_names[mpi]);
		if (realpath(beside, path))
			return true;
	}
	return false;
}

/* Returns the MPI to which the launcher belongs, by the file that its name leads to. */
static enum record_mpi mpi_of(const char *command)
{
	char beside[PATH_MAX], path[PATH_MAX];
	const char *list = strchr(command, '/') ? NULL : getenv("PATH");
	snprintf(path, sizeof path, "%s", command);
	bool found = realpath(command, path) && !list;
	for (const char *at = list; at && *at && !found;) {
		size_t length = strcspn(at, ":");
		snprintf(beside, sizeof beside, "%.*s/%s", (int)length, at, command);
		found = !access(beside, X_OK) && realpath(beside, path);
		at += length + (at[length] == ':');
	}
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	if (!found)
		return RECORD_ANY_MPI;
	if (!strcmp(name, "orterun") || !strcmp(name, "prterun") || strstr(name, "openmpi"))
		return RECORD_OPENMPI;
	return !strncmp(name, "mpiexec.hydra", strlen("mpiexec.hydra")) || strstr(name, "mpich") ? RECORD_MPICH : RECORD_ANY_MPI;
}

/* Makes Open MPI pass the environment on to other machines, unless the command itself says what to pass on: both are not possible. */
static int pass_environment(char *const *command)
{
	static const char list[] = "mca_base_env_list";
	for (; *command; command++)
		if (!strcmp(*command, "-x") || !strcmp(*command, list))
			return 0;
	return setenv("OMPI_MCA_mca_base_env_list", "LD_PRELOAD;ORCS_RECORD", 0);
}

/* Sets the environment of the command. Returns 0, or -1. */
static int set_environment(const struct record_options *options, struct error *error)
{
	enum record_mpi mpi = options->mpi ? options->mpi : mpi_of(options->command[0]);
	char path[PATH_MAX], list[4 * PATH_MAX] = "", directory[PATH_MAX];
	for (enum record_mpi each = RECORD_OPENMPI; each <= RECORD_MPICH; each++)
		if ((!mpi || mpi == each) && find_library(each, path))
			snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ":" : "", path);
	if (!*list)
		return error_set(error, STATUS_IO, "there is no %s beside this program: orcs was built without %s",
			mpi ? library_names[mpi] : "library that records", mpi == RECORD_MPICH ? "MPICH" : "MPI");
	if (!realpath(options->directory, directory))
		return error_at(error, STATUS_IO, options->directory, 0, "%s", strerror(errno));
	const char *others = getenv("LD_PRELOAD");
	if (others && *others)
		snprintf(list + strlen(list), sizeof list - strlen(list), ":%s", others);
	if (setenv("ORCS_RECORD", directory, 1) || setenv("LD_PRELOAD", list, 1) ||
		(mpi_of(options->command[0]) == RECORD_OPENMPI && pass_environment(options->command)))
		return error_set(error, STATUS_IO, "out of memory");
	return 0;
}

static pid_t child;

static void pass_on(int signal_number)
{
	if (child > 0)
		kill(child, signal_number);
}

static int wait_for_child(void)
{
	int state = 0;
	while (waitpid(child, &state, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

int launch(const struct record_options *options, struct error *error)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
	if (set_environment(options, error))
		return 0;
	/* a pipe that closes when the command runs, and otherwise has the reason why not */
	int reason[2], failed = 0;
	if (pipe2(reason, O_CLOEXEC) || (child = fork()) < 0) {
		error_set(error, STATUS_IO, "cannot start '%s': %s", options->command[0], strerror(errno));
		return 0;
	}
	if (!child) {
		execvp(options->command[0], options->command);
		failed = errno;
		ssize_t written = write(reason[1], &failed, sizeof failed);
		_exit(written < 0 ? 126 : failed == ENOENT ? 127 : 126);
	}
	struct sigaction passes = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &passes, NULL);
	close(reason[1]);
	ssize_t told = read(reason[0], &failed, sizeof failed);
	close(reason[0]);
	int status = wait_for_child();
	unsetenv("LD_PRELOAD");
	if (told > 0)
		error_set(error, STATUS_IO, "cannot run '%s': %s", options->command[0], strerror(failed));
	return status;
}
