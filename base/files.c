/* A regular file is identified by its device and inode; an output that does not exist yet, by its directory and its name. */
#include "base/files.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_named {
	char *path;
	bool output, counts, exists; /* counts: may be replaced, or may replace another */
	struct stat about;           /* of the file if it exists, as a regular file; otherwise of its directory */
};

/* Returns the part of the path behind the last slash. */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Reads the status of the directory of a file that does not exist. Returns 0, or -1. */
static int look_at_folder(const char *path, struct stat *about)
{
	size_t length = (size_t)(last_part(path) - path);
	char *folder = length ? strndup(path, length) : strdup(".");
	int result = folder ? stat(folder, about) : -1;
	free(folder);
	return result;
}

/* Returns whether the file counts: it is a regular file, standard output, or an output that does not exist yet. */
static bool look_at(struct file_named *file)
{
	bool standard = !strcmp(file->path, "-");
	int failed = standard ? fstat(file->output ? STDOUT_FILENO : STDIN_FILENO, &file->about) : stat(file->path, &file->about);
	file->exists = !failed;
	if (failed)
		return file->output && !standard && !look_at_folder(file->path, &file->about);
	return S_ISREG(file->about.st_mode) || (standard && file->output);
}

static bool is_same(const struct file_named *a, const struct file_named *b)
{
	return a->exists == b->exists && a->about.st_dev == b->about.st_dev && a->about.st_ino == b->about.st_ino &&
	       (a->exists || !strcmp(last_part(a->path), last_part(b->path)));
}

static const char *name_of(const struct file_named *file)
{
	return strcmp(file->path, "-") ? file->path : file->output ? "<stdout>" : "<stdin>";
}

static int refuse(const struct file_named *one, const struct file_named *other, struct error *error)
{
	const struct file_named *output = one->output ? one : other, *input = one->output ? other : one;
	const char *path = name_of(output);
	if (input->output)
		return error_at(error, STATUS_USAGE, path, 0, "two results cannot be written to the same file");
	if (!strcmp(path, input->path))
		return error_at(error, STATUS_USAGE, path, 0, "the output would overwrite an input; give the output another name");
	return error_at(
		error, STATUS_USAGE, path, 0, "the output would overwrite the input %s; give the output another name", name_of(input));
}

static int add(struct files *files, const char *path, bool output, struct error *error)
{
	struct file_named file = {.path = strdup(path), .output = output};
	if (!file.path)
		return error_set(error, STATUS_IO, "out of memory");
	file.counts = look_at(&file);
	for (size_t i = 0; file.counts && i < files->count && !error->status; i++) {
		struct file_named *other = &files->list[i];
		if (other->output)
			other->counts = look_at(other); /* it may have been created since */
		if (other->counts && (output || other->output) && is_same(&file, other))
			refuse(&file, other, error);
	}
	if (!error->status && !array_grow(&files->list, &files->capacity, files->count + 1, sizeof *files->list, error))
		files->list[files->count++] = file;
	else
		free(file.path);
	return error->status ? -1 : 0;
}

int files_read(struct files *files, const char *path, struct error *error)
{
	return add(files, path, false, error);
}

int files_write(struct files *files, struct output *output, const char *path, struct error *error)
{
	*output = (struct output){0};
	if (!*path)
		return error_set(error, STATUS_USAGE, "the name of an output file is empty; '-' is standard output");
	return add(files, path, true, error) ? -1 : output_open(output, path, error);
}

bool files_replaceable(const char *path, const char *start, size_t length, bool others)
{
	char found[16];
	struct stat about;
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return errno != EACCES; /* otherwise it is missing, or writing reports the reason */
	bool regular = !fstat(file, &about) && S_ISREG(about.st_mode);
	bool same = regular && (!about.st_size || (read(file, found, length) == (ssize_t)length && !memcmp(found, start, length)));
	close(file);
	return same || (others && !regular);
}

const char *files_input(const struct files *files, size_t place)
{
	return files->list[place].output ? NULL : files->list[place].path;
}

void files_clear(struct files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->list[i].path);
	free(files->list);
	*files = (struct files){0};
}
