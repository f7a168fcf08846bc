/* The command line of orcs-trace. */
#ifndef TOOLS_TRACE_TRACE_OPTIONS_H
#define TOOLS_TRACE_TRACE_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"

#include <stdbool.h>

/* What the users of a channel are grouped by. */
enum trace_group { GROUP_LEAF, GROUP_MACHINE, GROUP_JOB, GROUP_HOST };

struct trace_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *from, *to;  /* names of the ends; NULL with a channel */
	const char *channel;    /* "NODE:PORT", or NULL: a pair */
	const char *routes;     /* a file of source routes; NULL: tables */
	const char *jobs;       /* a file of jobs; NULL: none */
	enum trace_group group; /* of a channel's users */
	bool grouped;           /* --by is given */
	uint32_t most;          /* routes of a pair, or rows of a channel, to list */
	const char *output;     /* "-": standard output */
	enum format format;
	bool brief; /* names are left out, as ibtracert -n does */
	bool share; /* who else uses the channels of a route */
	bool quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void trace_options_parse(struct trace_options *options, int argc, char **argv);

#endif
