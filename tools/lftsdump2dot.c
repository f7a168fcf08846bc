/* lftsdump2dot: the command of the ORCS paper (section 3), orcs-import. */
#include "infiniband/dump.h"
#include "infiniband/import.h"
#include "tools/two_files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	static struct import import = {.files = 2};
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "lftsdump2dot", 2, "OSM LFT",
		"Joins a net for ibsim and the forwarding tables that dump_fts printed into a routed dot graph on standard output. The same as orcs-import --topology OSM --lft LFT.",
		argc, argv);
	import.program = given.program;
	import.notes = stderr;
	import.file[0] = (struct import_file){given.file[0], 1U << DUMP_TOPOLOGY};
	import.file[1] = (struct import_file){given.file[1], 1U << DUMP_TABLES};
	if (import_run(&import, "-", &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	return (int)error.status;
}
