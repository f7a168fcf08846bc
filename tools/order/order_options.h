/* The command line of orcs-order. */
#ifndef TOOLS_ORDER_ORDER_OPTIONS_H
#define TOOLS_ORDER_ORDER_OPTIONS_H

#include "infiniband/fabric_source.h"
#include "patterns/pattern.h"

#include <stdbool.h>

enum order_format { ORDER_LIST, ORDER_RANKFILE, ORDER_SLURM };

struct order_options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	struct pattern_request pattern; /* spec NULL: the messages of weights */
	const char *weights;            /* a file; NULL: none */
	char *hosts;                    /* "file:PATH", or the name of a subset: the hosts that are offered; owned */
	const char *host_file;          /* PATH; NULL: none */
	uint32_t ranks;                 /* 0: as many as there are hosts, or as the pattern has */
	bool choose;                    /* the hosts are chosen among all that are offered, not the first ones */
	uint32_t per_host;              /* ranks on each host */
	bool ignore_speeds;
	double seconds; /* 0: not given */
	uint64_t passes, seed;
	enum order_format format;
	const char *output, *report; /* "-": standard output; report NULL: none as JSON */
	bool verbose, quiet;
};

/* Parses the command line; on --help, --version and errors it ends the program with the documented status. */
void order_options_parse(struct order_options *options, int argc, char **argv);

#endif
