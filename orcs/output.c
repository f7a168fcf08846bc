#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A temporary file beside path, with the permissions that a new file gets. */
static FILE *open_beside(struct output *output)
{
	size_t size = strlen(output->path) + sizeof ".XXXXXX";
	output->temporary = malloc(size);
	if (!output->temporary)
		return NULL;
	snprintf(output->temporary, size, "%s.XXXXXX", output->path);
	int file = mkstemp(output->temporary);
	if (file < 0) {
		free(output->temporary);
		output->temporary = NULL;
		return NULL;
	}
	mode_t mask = umask(0);
	umask(mask);
	struct stat about;
	fchmod(file, stat(output->path, &about) ? 0666 & ~mask : about.st_mode & 0777);
	return fdopen(file, "w");
}

int output_open(struct output *output, const char *path, struct error *error)
{
	*output = (struct output){0};
	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout")) {
		output->file = stdout;
		return 0;
	}
	struct stat about;
	errno = ENOENT;                    /* of an empty path */
	char *real = realpath(path, NULL); /* a symbolic link stays one */
	output->path = real ? real : strdup(path);
	if (!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)) /* a descriptor's name: what it leads to may be written already */
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

int output_commit(struct output *output, struct error *error)
{
	int failed = fflush(output->file) || ferror(output->file);
	const char *path = output->path ? output->path : "<stdout>";
	if (output->file != stdout) {
		failed |= fclose(output->file) != 0;
		output->file = NULL;
		if (!failed && output->temporary) {
			failed = rename(output->temporary, output->path) != 0;
			if (!failed) {
				free(output->temporary);
				output->temporary = NULL;
			}
		}
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
	if (output->temporary)
		unlink(output->temporary);
	free(output->temporary);
	free(output->path);
	*output = (struct output){0};
}
