/* The command line of orcs-compare. */
#ifndef TOOLS_COMPARE_COMPARE_OPTIONS_H
#define TOOLS_COMPARE_COMPARE_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>
#include <stdint.h>

enum { ENGINES_COMPARED_MAX = 16, PATTERNS_MAX = 64 };

struct compare_options {
	int argc;
	char **argv;
	struct fabric_source dumps;  /* files of --topology and similar options; then moved to the first input */
	struct fabric_source *input; /* [inputs] routed fabrics; with engines one topology */
	int inputs;
	char *engine[ENGINES_COMPARED_MAX]; /* [engines] owned */
	int engines;
	bool opensm;                                  /* whether the engines are OpenSM's */
	struct pattern_request pattern[PATTERNS_MAX]; /* [patterns] their spec is owned */
	int patterns;
	const char *subset, *mapping;
	uint32_t ranks; /* 0: all */
	uint64_t runs;
	double precision; /* 0: off */
	uint64_t seed;
	enum format format;
	const char *output, *plot, *keep; /* plot, keep: NULL, none */
	const char *fail, *reroute;       /* a sweep of failures, and what routes them; NULL: none */
	const char *graph;                /* the fabric with the cost of each cable; NULL: none */
	size_t top;                       /* failures to list as text; 0: all */
	bool top_given;
	int multipath; /* enum multipath_mode; -1: default of the routes */
	bool drop, ignore_speeds, allow_fallback, quiet, verbose;
};

/*
 * Parses the command line; on --help, --version and errors it ends the program with the documented status. Checks all names that do not
 * depend on the fabrics.
 */
void compare_options_parse(struct compare_options *options, int argc, char **argv);
void compare_options_clear(struct compare_options *options);

#endif
