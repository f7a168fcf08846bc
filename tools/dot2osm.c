/* dot2osm, a command of the ORCS paper (section 3): orcs-export --to ibsim. */
#include "infiniband/export.h"
#include "tools/two_files.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "dot2osm", 0, "[INPUT.dot [OUTPUT.osm]]",
		"Writes a dot graph as a netfile of ibsim, on which OpenSM can run. The same as orcs-export --to ibsim -o OUTPUT.osm INPUT.dot. "
		"INPUT.dot can also be the specification of a topology; if it is - or missing, the graph is read from standard input. If OUTPUT.osm "
		"is - or missing, the netfile is written to standard output."
		"\vExamples:\n"
		"  dot2osm fabric.dot net.osm\n"
		"  orcs-topology torus:8x8x8,hosts=2 | orcs-route dor | dot2osm > net.osm\n",
		argc, argv);
	if (!given.files && isatty(STDIN_FILENO))
		usage_error(given.program, "no fabric: name a dot file, or pipe one to standard input");
	struct fabric_source source = {.program = given.program};
	const struct export export = {.program = given.program, .notes = stderr, .form = EXPORT_IBSIM, .source = &source};
	if (fabric_source_add(&source, given.file[0], DUMPS_ANY, &error) || export_run(&export, given.file[1], &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	fabric_source_clear(&source);
	return (int)error.status;
}
