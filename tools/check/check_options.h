/* The command line of orcs-check. */
#ifndef TOOLS_CHECK_CHECK_OPTIONS_H
#define TOOLS_CHECK_CHECK_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"
#include "tools/check/dependencies.h"

#include <stdbool.h>

/* What may be required of a routing. */
enum requirement {
	REQUIRE_ROUTABLE,      /* every pair has a route, and no packet is discarded */
	REQUIRE_DEADLOCK_FREE, /* the dependencies have no cycle */
	REQUIRE_HALVES,        /* likewise; of packets that go by way of a random switch, those of each half */
	REQUIRE_MINIMAL,       /* every route is a shortest one */
	REQUIRE_SYMMETRIC,     /* every route is the way back turned round */
	REQUIRE_BALANCED,      /* no group of channels between switches has a coefficient of variation beyond the limit */
	REQUIRE_REGULAR,       /* the shape is known, and no cable deviates from it */
	REQUIREMENTS,
};

/* Their names, in that order; ends with NULL. */
extern const char *const requirement_names[];

struct check_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *output; /* "-": standard output */
	const char *routes; /* a file of source routes, NULL: tables */
	bool required[REQUIREMENTS];
	double balance_limit;
	int level; /* service level, EVERY_LEVEL, or LEVEL_TOLD */
	enum format format;
	bool all, quiet;
};

/* Reads the command line; on --help, --version and errors it ends the program with the documented status. */
void check_options_parse(struct check_options *options, int argc, char **argv);

#endif
