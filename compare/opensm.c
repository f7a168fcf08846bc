#include "compare/opensm.h"

#include "base/args.h"
#include "base/input.h"
#include "base/shown.h"
#include "fabric/topology_fabric.h"
#include "compare/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SCRIPT "route_with_opensm.sh"

const char *const opensm_engines[] = {
	"minhop", "updn", "dnup", "ftree", "lash", "dor", "torus-2QoS", "nue", "dfsssp", "sssp", ENGINE_AS_IS, NULL};

/* A call of the script for one engine, and its private directory. */
struct call {
	const struct opensm_setup *setup;
	pid_t guard; /* removes the directory when alive is closed */
	int alive;
	char script[PATH_MAX], topology[PATH_MAX];
	char folder[PATH_MAX - 64];                                              /* with space for the names in it */
	char fabric[PATH_MAX], report[PATH_MAX], log[PATH_MAX], dumps[PATH_MAX]; /* in the directory */
};

/* The script is in $ORCS_SCRIPTS, otherwise where the source tree or 'make install' has it, relative to the program. */
static int find_script(char *path, size_t size, struct error *error)
{
	static const char *const places[] = {"../scripts", "../../../scripts", "../share/orcs/scripts"};
	const char *folder = getenv("ORCS_SCRIPTS");
	if (folder && *folder) {
		snprintf(path, size, "%s/" SCRIPT, folder);
		return access(path, X_OK)
			       ? error_at(error, STATUS_IO, path, 0, "cannot run the script: %s (see ORCS_SCRIPTS)", strerror(errno))
			       : 0;
	}
	char program[PATH_MAX - 64];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	program[length > 0 ? length : 0] = '\0';
	char *slash = strrchr(program, '/');
	if (slash)
		*slash = '\0';
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		snprintf(path, size, "%s/%s/" SCRIPT, program, places[i]);
		if (!access(path, X_OK))
			return 0;
	}
	return error_set(error, STATUS_IO, "cannot find the script " SCRIPT ": set ORCS_SCRIPTS to its directory");
}

/* The script reads the topology once per engine, from a named file: anything else is copied into the directory. */
static int prepare_topology(struct call *call, struct error *error)
{
	const char *given = call->setup->topology;
	bool regular = topology_fabric_is(given);
	if (!regular && !copy_is_needed(given) && realpath(given, call->topology) && !access(call->topology, R_OK))
		return 0;
	snprintf(call->topology, sizeof call->topology, "%s/topology", call->folder);
	FILE *file = fopen(call->topology, "w");
	if (!file)
		return error_at(error, STATUS_IO, call->topology, 0, "cannot write: %s", strerror(errno));
	if (regular)
		topology_fabric_write(given, file, error);
	else
		copy_file(given, file, error);
	if (fclose(file))
		error_at(error, STATUS_IO, call->topology, 0, "cannot write: %s", strerror(errno));
	return error->status ? -1 : 0;
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
	(void)about, (void)type, (void)place;
	return remove(path);
}

/*
 * Starts the process that removes the directory: it waits for the end of a pipe, which comes when this process closes it or ends for any
 * reason. The script may still be writing then, so removal is retried for a while. Returns 0, or -1.
 */
static int start_guard(struct call *call, struct error *error)
{
	const struct timespec pause = {.tv_nsec = 50 * 1000 * 1000};
	int ends[2];
	if (pipe2(ends, O_CLOEXEC))
		return error_set(error, STATUS_IO, "cannot create a pipe: %s", strerror(errno));
	call->guard = fork();
	if (!call->guard) {
		char byte;
		setsid(); /* mpirun kills the process group of its programs */
		signal(SIGINT, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		close(ends[1]);
		while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
			;
		for (int i = 0; i < 100 && nftw(call->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS); i++)
			nanosleep(&pause, NULL);
		_exit(0);
	}
	close(ends[0]);
	call->alive = ends[1];
	return call->guard < 0 ? error_set(error, STATUS_IO, "cannot start a process: %s", strerror(errno)) : 0;
}

/* Makes the guard remove the directory. */
static void end_guard(const struct call *call)
{
	close(call->alive);
	if (call->guard > 0)
		waitpid(call->guard, NULL, 0);
}

static int make_folder(struct call *call, struct error *error)
{
	const char *parent = getenv("TMPDIR");
	snprintf(call->folder, sizeof call->folder, "%s/orcs-opensm.XXXXXX", parent && *parent ? parent : "/tmp");
	if (mkdtemp(call->folder)) {
		if (!start_guard(call, error))
			return 0;
		rmdir(call->folder);
		return -1;
	}
	return error_at(error, STATUS_IO, call->folder, 0, "cannot create a directory: %s", strerror(errno));
}

/* Starts the script; its output goes to the log. It ends when this process ends for any reason. Returns -1 on errors. */
static pid_t start_script(const struct call *call, const char *engine, struct error *error)
{
	const char *arguments[12] = {call->script, "-e", engine, "-o", call->fabric, "--report", call->report, "--allow-missing-entries"};
	int count = 8;
	if (!strcmp(engine, "torus-2QoS")) {
		arguments[count++] = "--keep-dumps";
		arguments[count++] = call->dumps;
	}
	if (call->setup->allow_fallback)
		arguments[count++] = "--allow-fallback";
	arguments[count] = call->topology;
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC), log = open(call->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	pid_t child = nothing < 0 || log < 0 ? -1 : fork();
	if (child < 0)
		error_set(error, STATUS_IO, "cannot start " SCRIPT ": %s", strerror(errno));
	if (child) {
		close(nothing);
		close(log);
		return child;
	}
	setsid();
	dup2(nothing, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execv(call->script, (char *const *)arguments);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", call->script, strerror(errno));
	_exit(127);
}

/*
 * Waits for the script; a signal to this process also ends the script, after ten seconds by force. Returns its wait status, -1 if there is
 * none.
 */
static int wait_for(pid_t child, const volatile sig_atomic_t *stop)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
	int status, waited = 0;
	pid_t ended;
	while (!(ended = waitpid(child, &status, WNOHANG))) {
		if (*stop && (waited == 0 || waited == 1000))
			kill(child, waited ? SIGKILL : SIGTERM);
		waited += *stop != 0;
		nanosleep(&pause, NULL);
	}
	return ended < 0 ? -1 : status;
}

/* Reads the last nonempty line, without the leading name of the script. */
static void read_failure(const char *log, char *failure, size_t size)
{
	struct error error = {0};
	struct line_reader lines;
	size_t length;
	snprintf(failure, size, "the script printed no reason (is the directory for temporary files full?)");
	line_reader_open(&lines, log, LINE_LONGEST, &error);
	for (char *line; !error.status && (line = line_reader_next(&lines, &length, &error));) {
		if (!strncmp(line, SCRIPT ": ", strlen(SCRIPT ": ")))
			line += strlen(SCRIPT ": ");
		if (line[strspn(line, " \t\r")])
			snprintf(failure, size, "%s", line);
	}
	for (char *c = failure; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	line_reader_close(&lines);
}

/* Reads "used ENGINE" and "seconds S". */
static void read_report(const char *path, struct engine_run *run)
{
	struct error error = {0};
	struct line_reader lines;
	line_reader_open(&lines, path, LIST_LINE_LONGEST, &error);
	for (char *line; !error.status && (line = line_reader_list(&lines, &error));) {
		const char *key = next_word(&line), *value = next_word(&line);
		if (key && value && !strcmp(key, "used"))
			snprintf(run->used, sizeof run->used, "%s", value);
		else if (key && value && !strcmp(key, "seconds"))
			read_number(value, 0, DBL_MAX, &run->seconds);
	}
	line_reader_close(&lines);
}

/* Reads the file that the script has made for torus-2QoS, if any. */
static int read_torus(const struct call *call, struct engine_run *run, struct error *error)
{
	char path[PATH_MAX + 20], *text = NULL;
	size_t size = 0, got;
	snprintf(path, sizeof path, "%s/torus-2QoS.conf", call->dumps);
	FILE *file = fopen(path, "r"), *copy = file ? open_memstream(&text, &size) : NULL;
	char part[4096];
	while (copy && (got = fread(part, 1, sizeof part, file)))
		fwrite(part, 1, got, copy);
	if (file && (!copy || fclose(copy)))
		error_set(error, STATUS_IO, "out of memory");
	if (file)
		fclose(file);
	run->torus = text;
	return error->status ? -1 : 0;
}

static int route(struct call *call, struct engine_run *run, struct error *error)
{
	snprintf(call->dumps, sizeof call->dumps, "%s/%s.dumps", call->folder, run->asked);
	snprintf(call->fabric, sizeof call->fabric, "%s/%s.dot", call->folder, run->asked);
	snprintf(call->report, sizeof call->report, "%s/%s.report", call->folder, run->asked);
	snprintf(call->log, sizeof call->log, "%s/%s.log", call->folder, run->asked);
	if (call->setup->notes)
		fprintf(call->setup->notes, "routing with %s\n", SHOWN(run->asked));
	pid_t child = start_script(call, run->asked, error);
	if (child < 0)
		return -1;
	int status = wait_for(child, call->setup->stop);
	if (*call->setup->stop)
		return error_set(error, STATUS_IO, "interrupted");
	read_report(call->report, run);
	if (read_torus(call, run, error))
		return -1;
	if (status)
		read_failure(call->log, run->failure, sizeof run->failure);
	else if (!*run->used)
		snprintf(run->failure, sizeof run->failure, SCRIPT " reports no engine");
	else if ((run->file = open(call->fabric, O_RDONLY | O_CLOEXEC)) < 0)
		snprintf(run->failure, sizeof run->failure, SCRIPT " wrote no fabric");
	else if (call->setup->keep)
		return engine_keep(call->setup->keep, run, call->setup->files, error);
	return 0;
}

int opensm_route(const struct opensm_setup *setup, struct engine_run *run, int count, struct error *error)
{
	struct call call = {.setup = setup, .alive = -1};
	if (!find_script(call.script, sizeof call.script, error) && !make_folder(&call, error) && !prepare_topology(&call, error)) {
		if (setup->keep)
			engine_folder(setup->keep, error);
		for (int i = 0; i < count && !error->status; i++)
			if (strcmp(run[i].asked, ENGINE_AS_IS) != 0)
				route(&call, &run[i], error);
	}
	end_guard(&call);
	return error->status ? -1 : 0;
}
