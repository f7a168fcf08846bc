/* The command line of orcs-jobs. */
#ifndef TOOLS_JOBS_JOBS_OPTIONS_H
#define TOOLS_JOBS_JOBS_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>

enum jobs_engine { JOBS_COUNTED, JOBS_FLOWS };

enum jobs_table { TABLE_JOBS, TABLE_PAIRS, TABLE_CHANNELS, TABLE_MOVES };

struct jobs_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *jobs;               /* file */
	struct pattern_request pattern; /* of every job */
	enum jobs_engine engine;
	double bytes; /* of a message, with JOBS_FLOWS; 0: not given */
	const char *machine_name, *ports;
	uint32_t top;
	enum format format;
	enum jobs_table table;     /* of CSV */
	const char *output, *plot; /* "-": standard output; plot NULL: none */
	bool advise, quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void jobs_options_parse(struct jobs_options *options, int argc, char **argv);

#endif
