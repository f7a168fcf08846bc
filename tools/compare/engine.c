#include "tools/compare/engine.h"

#include "tools/compare/copy.h"
#include "base/files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int engine_folder(const char *folder, struct error *error)
{
	if (mkdir(folder, 0777) && errno != EEXIST)
		error_at(error, STATUS_IO, folder, 0, "cannot make the folder: %s", strerror(errno));
	return error->status ? -1 : 0;
}

char *engine_path(char *text, size_t size, int file)
{
	snprintf(text, size, "/dev/fd/%d", file);
	return text;
}

static int keep(const char *folder, const char *engine, const char *ending, int file, struct files *files, struct error *error)
{
	char path[PATH_MAX], from[40];
	struct output output;
	snprintf(path, sizeof path, "%s/%s.%s", folder, engine, ending);
	if (files_write(files, &output, path, error))
		return -1;
	if (!copy_file(engine_path(from, sizeof from, file), output.file, error))
		return output_commit(&output, error);
	output_discard(&output);
	return -1;
}

int engine_keep(const char *folder, const struct engine_run *run, struct files *files, struct error *error)
{
	if (keep(folder, run->asked, "dot", run->file, files, error))
		return -1;
	return run->routes < 0 ? 0 : keep(folder, run->asked, "routes", run->routes, files, error);
}

void engine_runs_clear(struct engine_run *run, int count)
{
	for (int i = 0; i < count; i++) {
		if (run[i].file >= 0)
			close(run[i].file);
		if (run[i].routes >= 0)
			close(run[i].routes);
	}
}
