/* The options of the flow engine that say how a queue of jobs is run, each a list of kinds: all combinations are compared. */
#ifndef ENGINES_FLOW_QUEUE_OPTIONS_H
#define ENGINES_FLOW_QUEUE_OPTIONS_H

#include "engines/engine.h"
#include "scheduling/schedule.h"

enum { QUEUE_KINDS_MAX = 16 };

/* Those that are given, as numbers in their tables. */
struct queue_list {
	unsigned kind[QUEUE_KINDS_MAX], count; /* 0: none is given, the default is the first of the table */
};

struct queue_options {
	struct queue_list scheduler, allocation, mapping;
	double bounded; /* seconds; below 0: not given */
};

/* Read an option, and end the program on errors. */
void queue_options_schedulers(struct queue_options *options, const char *text);
void queue_options_allocations(struct queue_options *options, const char *text);
void queue_options_mappings(struct queue_options *options, const char *text);

/* Returns the name of an option that is given, or NULL. */
const char *queue_options_given(const struct queue_options *options);

/* Applies the options, and the pattern (NULL: none is given), to the terms of the engine. Ends the program on errors. */
void queue_options_settle(const struct queue_options *options, const char *pattern, struct engine_terms *terms);

/* Returns the combination with this number. */
struct scheduling queue_policy(const struct queue_options *options, uint64_t number);

#endif
