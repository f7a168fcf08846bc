#include "base/output.h"

#include "base/hash.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* NAMED: the maximum number of simultaneous temporary names for one path; STALE: how many of these are checked for stale files. */
enum { NAMED = 1000, STALE = 16 };

/*
 * Returns the temporary name with that number in the directory of path. It includes the name of this machine, as locks do not show writers
 * on other machines.
 */
static char *name_beside(const char *path, unsigned number)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const int longest = NAME_MAX - (int)sizeof ".orcs-01234567-999";
	char *name, host[HOST_NAME_MAX + 1] = "";
	gethostname(host, sizeof host - 1);
	uint32_t hash = (uint32_t)hash_words(0, host, strlen(host));
	if (asprintf(&name, "%.*s%.*s.orcs-%08" PRIx32 "-%u", (int)(base - path), path, longest, base, hash, number) < 0)
		return NULL;
	return name;
}

/* Removes the file of that name if its writer has died. */
static void remove_stale(const char *name)
{
	struct stat about;
	int file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return;
	if (!flock(file, LOCK_EX | LOCK_NB) && !fstat(file, &about) && S_ISREG(about.st_mode) && about.st_uid == geteuid())
		unlink(name);
	close(file);
}

/* Opens a file without a name (O_TMPFILE). Returns its descriptor, -1 if the file system does not support that. */
static int open_nameless(struct output *output)
{
	const char *base = strrchr(output->path, '/');
	char *directory = base ? strndup(output->path, (size_t)(base + 1 - output->path)) : strdup(".");
	int file = directory ? open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) : -1;
	free(directory);
	if (file < 0)
		return -1;
	output->hold = fcntl(file, F_DUPFD_CLOEXEC, 3);
	if (output->hold >= 0 && asprintf(&output->temporary, "/proc/%ld/fd/%d", (long)getpid(), output->hold) >= 0 &&
		!access(output->temporary, F_OK)) {
		flock(file, LOCK_EX | LOCK_NB);
		return file;
	}
	free(output->temporary);
	output->temporary = NULL;
	if (output->hold >= 0)
		close(output->hold);
	close(file);
	return -1;
}

/*
 * Creates and locks a file of that name. Returns its descriptor; -1 if it exists, another process considers it stale, or it cannot be
 * created.
 */
static int open_new(const char *name)
{
	struct stat about;
	int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	bool taken = flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	if (!taken && !fstat(file, &about) && about.st_nlink)
		return file;
	close(file);
	errno = EEXIST;
	return -1;
}

/* Opens a file with a temporary name next to path. Returns its descriptor, or -1. */
static int open_named(struct output *output)
{
	int file = -1;
	errno = EEXIST;
	for (unsigned n = 0; file < 0 && n < NAMED && errno == EEXIST; n++) {
		free(output->temporary);
		output->temporary = name_beside(output->path, n);
		file = output->temporary ? open_new(output->temporary) : -1;
	}
	output->hold = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 3);
	output->named = output->hold >= 0;
	if (output->named) {
		doom_file(output->temporary);
		return file;
	}
	int reason = errno;
	if (file >= 0) {
		unlink(output->temporary);
		close(file);
	}
	free(output->temporary);
	output->temporary = NULL;
	errno = reason;
	return -1;
}

/* Opens the temporary file that will become the file at path. */
static FILE *open_beside(struct output *output)
{
	for (unsigned n = 0; n < STALE; n++) {
		char *name = name_beside(output->path, n);
		if (name)
			remove_stale(name);
		free(name);
	}
	ignore_file_limit();
	int file = open_nameless(output);
	if (file < 0)
		file = open_named(output);
	return file < 0 ? NULL : fdopen(file, "w");
}

int output_open(struct output *output, const char *path, struct error *error)
{
	*output = (struct output){0};
	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")) {
		output->file = stdout;
		return 0;
	}
	struct stat about;
	errno = ENOENT;                    /* the path is empty */
	char *real = realpath(path, NULL); /* a symbolic link is kept */
	output->path = real ? real : strdup(path);
	if (!strncmp(path, "/dev/", 5) ||
		!strncmp(path, "/proc/", 6)) /* the name of a descriptor: its target may have been written already */
		output->file = fopen(path, "a");
	else if (output->path && real && !stat(real, &about) && !S_ISREG(about.st_mode))
		output->file = fopen(real, "w");
	else if (output->path && *path)
		output->file = open_beside(output);
	if (output->file)
		return 0;
	error_at(error, STATUS_IO, path, 0, "cannot write: %s", strerror(errno));
	output_discard(output);
	return -1;
}

/* Links a nameless file to the path; an existing file is replaced by renaming a temporary name. Returns 0, or -1. */
static int link_file(const struct output *output)
{
	if (!linkat(AT_FDCWD, output->temporary, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW))
		return 0;
	for (unsigned n = 0; errno == EEXIST && n < NAMED; n++) {
		char *name = name_beside(output->path, n);
		int linked = name ? linkat(AT_FDCWD, output->temporary, AT_FDCWD, name, AT_SYMLINK_FOLLOW) : -1;
		int reason = errno, moved = linked ? -1 : rename(name, output->path);
		if (!linked && moved) {
			reason = errno;
			unlink(name);
		}
		free(name);
		errno = reason;
		if (!linked)
			return moved;
	}
	return -1;
}

/* Renames the file to its path, with the permissions of the file that it replaces, or of a new file. Returns 0, or -1. */
static int place_file(struct output *output)
{
	struct stat about;
	mode_t mask = umask(0);
	umask(mask);
	fchmod(output->hold, stat(output->path, &about) ? 0666 & ~mask : about.st_mode & 0777);
	if (!output->named)
		return link_file(output);
	if (rename(output->temporary, output->path))
		return -1;
	spare_file(output->temporary);
	output->named = false;
	return 0;
}

int output_commit(struct output *output, struct error *error)
{
	int failed = fflush(output->file) || ferror(output->file);
	const char *path = output->path ? output->path : "<stdout>";
	if (output->file != stdout) {
		failed |= fclose(output->file) != 0;
		output->file = NULL;
		if (!failed && output->temporary)
			failed = place_file(output) != 0;
	}
	if (failed)
		error_at(error, STATUS_IO, path, 0, "cannot write: %s", strerror(errno));
	output_discard(output);
	return failed ? -1 : 0;
}

void output_discard(struct output *output)
{
	if (output->file && output->file != stdout)
		fclose(output->file);
	if (output->named) {
		unlink(output->temporary);
		spare_file(output->temporary);
	}
	if (output->temporary)
		close(output->hold);
	free(output->temporary);
	free(output->path);
	*output = (struct output){0};
}
