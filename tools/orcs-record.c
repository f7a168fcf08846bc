/* orcs-record: runs an MPI program and records its traffic -> a trace for 'orcs -p trace:'. */
#include "base/files.h"
#include "base/memory.h"
#include "base/signals.h"
#include "cli/usage.h"
#include "tools/record/collect.h"
#include "tools/record/launch.h"
#include "tools/record/record_options.h"

#include <stdio.h>
#include <unistd.h>

static const char program[] = "orcs-record";

int main(int argc, char **argv)
{
	struct record_options options;
	struct error error = {0};
	int status = 0;
	record_options_parse(&options, argc, argv);
	bool created = false;
	if (!options.merge && !collect_prepare(options.directory, &created, &error))
		status = launch(&options, &error);
	if (!error.status)
		collect(&options, options.quiet ? NULL : stderr, &error);
	if (error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	if (error.status && created)
		rmdir(options.directory); /* unless it has logs */
	/* the program's status, unless it has succeeded and the recording has not */
	return status ? status : error.status ? (int)error.status : usage_end(program);
}
