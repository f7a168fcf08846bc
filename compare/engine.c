#include "engine.h"

#include "copy.h"
#include "output.h"

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

int engine_keep(const char *folder, const struct engine_run *run, struct error *error)
{
	char path[PATH_MAX], fabric[40];
	struct output output;
	snprintf(path, sizeof path, "%s/%s.dot", folder, run->asked);
	snprintf(fabric, sizeof fabric, "/dev/fd/%d", run->file);
	if (output_open(&output, path, error))
		return -1;
	if (!copy_file(fabric, output.file, error))
		return output_commit(&output, error);
	output_discard(&output);
	return -1;
}

void engine_runs_clear(struct engine_run *run, int count)
{
	for (int i = 0; i < count; i++)
		if (run[i].file >= 0)
			close(run[i].file);
}
