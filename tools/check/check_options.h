/* The command line of orcs-check. */
#ifndef TOOLS_CHECK_CHECK_OPTIONS_H
#define TOOLS_CHECK_CHECK_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"
#include "fabric/dependencies.h"

#include <stdbool.h>

/* Requirements on a routing. */
enum requirement {
	REQUIRE_ROUTABLE,      /* every pair has a route, and no packet is discarded */
	REQUIRE_DEADLOCK_FREE, /* the dependencies have no cycle */
	REQUIRE_HALVES,        /* the same, but for packets via a random switch within each Valiant phase */
	REQUIRE_MINIMAL,       /* every route is minimal */
	REQUIRE_SYMMETRIC,     /* every route is the reverse of the opposite one */
	REQUIRE_BALANCED,      /* the coefficient of variation of no group of channels between switches exceeds the limit */
	REQUIRE_REGULAR,       /* the topology is recognised, and no cable deviates from it */
	REQUIREMENTS,
};

/* Names of the requirements, in that order; ends with NULL. */
extern const char *const requirement_names[];

struct check_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *output;                 /* "-": standard output */
	const char *routes;                 /* a file of source routes, NULL: tables */
	struct fabric_source plan, against; /* to compare the fabric with, in place of the check; no files: not */
	bool require_given;
	bool required[REQUIREMENTS];
	double balance_limit;
	int level; /* service level, EVERY_LEVEL, or LEVEL_TOLD */
	enum format format;
	bool all, quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void check_options_parse(struct check_options *options, int argc, char **argv);

#endif
