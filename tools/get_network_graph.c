/* get_network_graph, a command of the ORCS paper (section 2.2): orcs-import. */
#include "infiniband/import.h"
#include "tools/two_files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "get_network_graph", 2, "FDBS IBNETDISCOVER",
		"Combines the ibdiagnet.fdbs of ibdiagnet and the output of ibnetdiscover into a routed dot graph "
		"on standard output. The same as orcs-import --lft FDBS --topology IBNETDISCOVER.",
		argc, argv);
	struct fabric_source source = {.program = given.program};
	const struct import import = {.program = given.program, .source = &source, .notes = stderr};
	if (fabric_source_add(&source, given.file[1], 1U << DUMP_TOPOLOGY, &error) ||
		fabric_source_add(&source, given.file[0], 1U << DUMP_TABLES, &error) || import_run(&import, &source, "-", &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	fabric_source_clear(&source);
	return (int)error.status;
}
