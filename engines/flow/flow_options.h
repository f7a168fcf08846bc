/* The options of the flow engine: a part of the command line of orcs. */
#ifndef ENGINES_FLOW_FLOW_OPTIONS_H
#define ENGINES_FLOW_FLOW_OPTIONS_H

#include "engines/flow/flow_rates.h"

#include <argp.h>
#include <stdbool.h>

enum { FAILURES_MAX = 64 };

struct flow_options {
	struct class_setup classes;
	const char *fail_at[FAILURES_MAX]; /* [failures] */
	int failures;
	const char *reroute; /* the routing engine once a cable has failed; NULL: none */
};

/* To be a child of the argp of orcs; its input is a struct flow_options. */
extern const struct argp flow_argp;

/* What options are when none is given, the name of one that is, and once all are read: ends the program on errors. */
void flow_options_begin(void *options);
const char *flow_options_given(const void *options);
void flow_options_check(const struct flow_options *options);

#endif
