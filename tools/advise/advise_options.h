/* The command line of orcs-advise. */
#ifndef TOOLS_ADVISE_ADVISE_OPTIONS_H
#define TOOLS_ADVISE_ADVISE_OPTIONS_H

#include "base/values.h"
#include "compare/advice.h"
#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>

struct advise_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *folder;         /* of the files; NULL: none */
	const char *before, *after; /* files of counters, --measured; NULL: none */
	struct pattern_request pattern[ADVICE_PATTERNS];
	int patterns;
	uint64_t runs, seed, seconds; /* seconds: for the engine best; 0: its default number of passes */
	enum format format;
	bool ignore_speeds, opensm, quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void advise_options_parse(struct advise_options *options, int argc, char **argv);

#endif
