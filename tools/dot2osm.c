/* dot2osm: the command of the ORCS paper (section 3), orcs-export --to ibsim. */
#include "export.h"
#include "two_files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct two_files given;
	struct error error = {0};
	read_two_files(&given, "dot2osm", "INPUT.dot OUTPUT.osm",
		"Writes a dot graph as a net for ibsim, which OpenSM routes. The same as orcs-export --to ibsim -o OUTPUT.osm INPUT.dot.",
		argc, argv);
	const struct export export = {.program = given.program, .form = EXPORT_IBSIM, .file = given.file, .files = 1};
	if (export_run(&export, given.file[1], &error))
		fprintf(stderr, "%s: %s\n", given.program, error.text);
	return (int)error.status;
}
