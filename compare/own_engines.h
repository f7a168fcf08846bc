/* Routes a fabric with the engines of orcs-route. */
#ifndef COMPARE_OWN_ENGINES_H
#define COMPARE_OWN_ENGINES_H

#include "compare/comparison.h"
#include "compare/engine.h"

#include <stdint.h>

struct own_setup {
	struct fabric_source *source; /* source of the fabric, open */
	const char *label;            /* name of the fabric in messages */
	const char *keep;             /* directory for the routed fabrics, as ENGINE.dot; NULL: none */
	struct files *files;          /* files already read or written; borrowed */
	uint64_t seed;
	bool allow_no_link;            /* hosts without links are allowed */
	bool all;                      /* multipath entries are kept whole */
	FILE *notes;                   /* progress notes; NULL: none */
	FILE *oddities;                /* notes on anomalies of dumps; NULL: none */
	struct comparison *comparison; /* receives the planes if they must be compared one by one; then nothing is routed */
};

/*
 * Routes the fabric with run[0..count-1].asked, one after the other, except ENGINE_AS_IS, each as "orcs-route ENGINE" does. Returns 0, or
 * -1: as fabric_source_load() and routing_run(), STATUS_IO if out of memory or a temporary file fails; an engine that cannot
 * route the fabric has its reason in failure. Call engine_runs_clear() in either case.
 */
int own_route(const struct own_setup *setup, struct engine_run *run, int count, struct error *error);

#endif
