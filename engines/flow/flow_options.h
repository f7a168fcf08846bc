/* The options of the flow engine: a part of the command line of orcs. */
#ifndef ENGINES_FLOW_FLOW_OPTIONS_H
#define ENGINES_FLOW_FLOW_OPTIONS_H

#include "engines/flow/flow_rates.h"
#include "engines/flow/storage_options.h"
#include "engines/flow/queue_options.h"

#include <argp.h>
#include <stdbool.h>

struct flow_options {
	struct class_setup classes;
	struct storage_options storage;
	uint32_t queue_pairs; /* 0: not given */
	struct queue_options queue;
};

/* A child of the argp of orcs; its input is a struct flow_options. */
extern const struct argp flow_argp;

/* Set the defaults; return the name of an option that is given, or NULL; check the options after all are read, and end the program on
 * errors. */
void flow_options_begin(void *options);
const char *flow_options_given(const void *options);
void flow_options_check(const struct flow_options *options);

#endif
