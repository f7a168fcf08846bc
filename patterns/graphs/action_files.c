#include "patterns/graphs/action_files.h"

#include "base/memory.h"
#include "patterns/graphs/trace_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int add_path(
	struct action_files *paths, const char *folder, size_t length, const char *name, size_t name_length, struct error *error)
{
	char *path = NULL;
	if (array_grow(&paths->list, &paths->capacity, paths->count + 1, sizeof *paths->list, error))
		return -1;
	if (asprintf(&path, "%.*s%.*s", (int)length, folder, (int)name_length, name) < 0)
		return error_set(error, STATUS_IO, "out of memory");
	paths->list[paths->count++] = path;
	return 0;
}

void action_files_clear(struct action_files *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->list[i]);
	free(paths->list);
}

static int is_shown(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* Lists all files of a directory, 2 before 10. */
static int list_folder(struct action_files *paths, const char *folder, struct error *error)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_shown, versionsort);
	char *slash = NULL;
	if (count < 0 || asprintf(&slash, "%s/", folder) < 0)
		return error_at(error, STATUS_IO, folder, 0, "cannot read the directory: %s", strerror(errno));
	for (int i = 0; i < count; i++) {
		add_path(paths, slash, strlen(slash), entries[i]->d_name, strlen(entries[i]->d_name), error);
		free(entries[i]);
	}
	free(entries);
	free(slash);
	if (!count)
		error_at(error, STATUS_USAGE, folder, 0, "the directory has no files");
	return error->status ? -1 : 0;
}

/*
 * Lists the files that a file names, one per line, in its directory unless their paths begin with '/'; the file itself if it contains
 * actions.
 */
static int list_file(struct action_files *paths, const char *path, struct error *error)
{
	struct trace_file file;
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
	bool actions = false;
	if (!trace_open(&file, path, error))
		while (!actions && trace_line(&file, error)) {
			struct word name = trace_word(&file, ""), more = trace_word(&file, "");
			actions = !paths->count && (more.text || strspn(name.text, "0123456789") >= name.length);
			if (actions)
				add_path(paths, path, 0, path, strlen(path), error);
			else if (more.text)
				trace_error(&file, error, "a line of a list names one file");
			else
				add_path(paths, path, *name.text == '/' ? 0 : folder, name.text, name.length, error);
			if (error->status)
				break;
		}
	trace_close(&file);
	if (!paths->count && !error->status)
		error_at(error, STATUS_USAGE, path, 0, "the file has no actions");
	return error->status ? -1 : 0;
}

int action_files_list(struct action_files *paths, const char *path, struct error *error)
{
	struct stat about;
	bool folder = strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode);
	return folder ? list_folder(paths, path, error) : list_file(paths, path, error);
}
