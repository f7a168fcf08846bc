#include "compare/engine.h"

#include "base/files.h"
#include "compare/copy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int engine_folder(const char *folder, struct error *error)
{
	if (mkdir(folder, 0777) && errno != EEXIST)
		error_at(error, STATUS_IO, folder, 0, "cannot create the directory: %s", strerror(errno));
	return error->status ? -1 : 0;
}

char *engine_path(char *text, size_t size, int file)
{
	snprintf(text, size, "/dev/fd/%d", file);
	return text;
}

int engine_open(struct output *output, const char *folder, const struct engine_run *run, const char *ending, struct files *files,
	struct error *error)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/%s.%s", folder, run->asked, ending);
	return files_write(files, output, path, error);
}

int engine_keep(const char *folder, const struct engine_run *run, struct files *files, struct error *error)
{
	char from[40];
	struct output output;
	if (engine_open(&output, folder, run, "dot", files, error))
		return -1;
	if (!copy_file(engine_path(from, sizeof from, run->file), output.file, error))
		return output_commit(&output, error);
	output_discard(&output);
	return -1;
}

void engine_runs_clear(struct engine_run *run, int count)
{
	for (int i = 0; i < count; i++) {
		if (run[i].file >= 0)
			close(run[i].file);
		forwarding_free(run[i].forwarding);
		source_routes_free(run[i].routes);
		free(run[i].torus);
	}
}
