/* The command line of orcs-report. */
#ifndef TOOLS_REPORT_REPORT_OPTIONS_H
#define TOOLS_REPORT_REPORT_OPTIONS_H

#include "compare/advice.h"
#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>
#include <stdint.h>

enum report_format { REPORT_HTML, REPORT_JSON, REPORT_TEXT };

struct report_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *old, *new; /* results of orcs-report that are compared; NULL: a fabric is reported on */
	char *engine[ADVICE_MOST];
	int engines;
	const char *compare;                     /* a result of orcs-compare; NULL: none */
	bool advise;                             /* all routings of orcs-advise */
	const char *jobs, *machine_name, *ports; /* running jobs, as of orcs-jobs; NULL: none */
	struct pattern_request pattern;
	const char *program, *mapping; /* a trace or pattern, and the hosts of its ranks; program NULL: none */
	double bytes;                  /* of its messages that have no size */
	uint64_t runs, seed;
	const char *title; /* of the page; NULL: by the names of the files */
	const char *output;
	enum report_format format;
	bool quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void report_options_parse(struct report_options *options, int argc, char **argv);

#endif
