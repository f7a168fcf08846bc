/* Routing a fabric with the engines of orcs-route. */
#ifndef TOOLS_COMPARE_OWN_ENGINES_H
#define TOOLS_COMPARE_OWN_ENGINES_H

#include "tools/compare/engine.h"

#include <stdint.h>

struct own_setup {
	struct fabric_source *source; /* of the fabric, open */
	const char *label;            /* what it is called in messages */
	const char *keep;             /* a folder for the routed fabrics, as ENGINE.dot; NULL: none */
	struct files *files;          /* that are read and written already; borrowed */
	uint64_t seed;
	bool skip;          /* an engine that cannot route the fabric is left out: its failure tells */
	bool allow_no_link; /* forwarding sets may be missing */
	bool all;           /* multipath entries are kept whole */
	FILE *notes;        /* what is done goes there; NULL: nowhere */
	FILE *oddities;     /* what is odd about dumps likewise */
};

/*
 * Routes the fabric with run[0..count-1].asked, one after the other, but for ENGINE_AS_IS, each as "orcs-route ENGINE" does. Returns 0, or
 * -1: what fabric_source_load() and routing_run() return, STATUS_FABRIC without skip where an engine cannot route it, STATUS_IO when the
 * memory or a temporary file fails. engine_runs_clear() in every case.
 */
int own_route(const struct own_setup *setup, struct engine_run *run, int count, struct error *error);

#endif
