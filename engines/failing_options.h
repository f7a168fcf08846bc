/* The options for cables that fail, of the engines that take failures. */
#ifndef ENGINES_FAILING_OPTIONS_H
#define ENGINES_FAILING_OPTIONS_H

#include "topologies/failures.h"

#include <argp.h>

enum { FAILURES_MAX = 64 };

struct failing_options {
	const char *fail_at[FAILURES_MAX]; /* [failures] */
	int failures;
	const char *fail_links;  /* as given; NULL: none */
	struct share fail_share; /* the number of cables that it draws */
	const char *reroute;     /* the routing engine that reroutes after a failure; NULL: none */
};

/* A child of the argp of orcs; its input is a struct failing_options. */
extern const struct argp failing_argp;

/* Returns the name of an option that is given, or NULL. The second checks the options after all are read, and ends the program on errors.
 */
const char *failing_options_given(const struct failing_options *options);
void failing_options_check(const struct failing_options *options);

#endif
