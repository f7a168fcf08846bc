/* get_network_graph: the command of the ORCS paper (section 2.2), orcs-import. */
#include "infiniband/dump.h"
#include "infiniband/import.h"
#include "tools/two_files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	static struct import import = {.files = 2};
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "get_network_graph", 2, "FDBS IBNETDISCOVER",
		"Joins what ibdiagnet wrote to ibdiagnet.fdbs and what ibnetdiscover printed into a routed dot graph on standard output. The same as orcs-import --lft FDBS --topology IBNETDISCOVER.",
		argc, argv);
	import.program = given.program;
	import.notes = stderr;
	import.file[0] = (struct import_file){given.file[1], 1U << DUMP_TOPOLOGY};
	import.file[1] = (struct import_file){given.file[0], 1U << DUMP_TABLES};
	if (import_run(&import, "-", &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	return (int)error.status;
}
