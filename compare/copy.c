#include "compare/copy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

bool copy_is_needed(const char *path)
{
	struct stat about;
	return !strcmp(path, "-") || (!stat(path, &about) && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

int copy_file(const char *path, FILE *to, struct error *error)
{
	bool standard = !strcmp(path, "-");
	FILE *from = standard ? stdin : fopen(path, "r");
	char buffer[65536];
	size_t got;
	if (!from)
		return error_at(error, STATUS_IO, path, 0, "cannot open: %s", strerror(errno));
	while ((got = fread(buffer, 1, sizeof buffer, from)) > 0 && fwrite(buffer, 1, got, to) == got)
		;
	if (ferror(from))
		error_at(error, STATUS_IO, standard ? "<stdin>" : path, 0, "cannot read: %s", strerror(errno));
	if (ferror(to) || fflush(to))
		error_set(error, STATUS_IO, "cannot write a copy of %s: %s", path, strerror(errno));
	if (!standard)
		fclose(from);
	return error->status ? -1 : 0;
}

void copy_name_error(const struct fabric_source *source, const char *label, struct error *error)
{
	if (source->parts == 1 && strcmp(source->part[0].path, label) != 0)
		error_rename(error, label);
}
