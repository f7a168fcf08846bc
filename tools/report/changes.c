#include "tools/report/changes.h"
int changes_write(FILE *file, const struct report_options *options, struct error *error)
{
	(void)file;
	(void)options;
	return error_set(error, STATUS_USAGE, "not yet");
}
