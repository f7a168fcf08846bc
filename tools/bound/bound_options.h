/* The command line of orcs-bound. */
#ifndef TOOLS_BOUND_BOUND_OPTIONS_H
#define TOOLS_BOUND_BOUND_OPTIONS_H

#include "base/values.h"
#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>
#include <stdint.h>

/* Parts of the analysis besides the loads. */
enum bound_part { PART_LOADS = 1, PART_WORST = 2, PART_THROUGHPUT = 4, PART_IDEAL = 8, PARTS_ALL = 15 };

struct bound_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	unsigned parts;                 /* enum bound_part */
	struct pattern_request pattern; /* spec NULL: none */
	double epsilon;
	uint32_t phases; /* 0: as many as affordable */
	uint32_t levels; /* of the ideal tree; 0: levels of the fabric */
	bool drop, ignore_speeds, quiet, verbose;
	bool speed_aware; /* the fabric's speeds differ and count; set when it is loaded */
	enum format format;
	uint32_t top;                                   /* number of channels that the text lists */
	const char *output, *witness, *graph, *palette; /* witness, graph: NULL, none */
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void bound_options_parse(struct bound_options *options, int argc, char **argv);

#endif
