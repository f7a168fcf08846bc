/* lftsdump2dot, a command of the ORCS paper (section 3): orcs-import. */
#include "infiniband/import.h"
#include "tools/two_files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "lftsdump2dot", 2, "OSM LFT",
		"Combines a netfile of ibsim and the forwarding tables printed by dump_fts into a routed dot graph on "
		"standard output. The same as orcs-import --topology OSM --lft LFT.",
		argc, argv);
	struct fabric_source source = {.program = given.program};
	const struct import import = {.program = given.program, .source = &source, .notes = stderr};
	if (fabric_source_add(&source, given.file[0], 1U << DUMP_TOPOLOGY, &error) ||
		fabric_source_add(&source, given.file[1], 1U << DUMP_TABLES, &error) || import_run(&import, &source, "-", &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	fabric_source_clear(&source);
	return (int)error.status;
}
