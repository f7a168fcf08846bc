/* Routes a topology with the engines of OpenSM, by the script route_with_opensm.sh. */
#ifndef COMPARE_OPENSM_H
#define COMPARE_OPENSM_H

#include "compare/engine.h"

#include <signal.h>

/* The engines that need only the topology; ends with NULL. */
extern const char *const opensm_engines[];

struct opensm_setup {
	const char *topology;              /* a file, possibly unnamed, such as /dev/fd/3; or the specification of a topology */
	const char *keep;                  /* directory for the routed fabrics, as ENGINE.dot; NULL: none */
	struct files *files;               /* files already read or written; borrowed */
	bool allow_fallback;               /* accept another engine than the requested one */
	FILE *notes;                       /* progress notes; NULL: none */
	const volatile sig_atomic_t *stop; /* set by a signal: end the running engine, and return */
};

/*
 * Routes the topology with run[0..count-1].asked, one after the other, except ENGINE_AS_IS. An engine that cannot route it is not an error:
 * its failure is recorded. No files are left. Returns 0, or -1: STATUS_USAGE for a specification, STATUS_IO if a file or the script fails,
 * or out of memory, or after *stop. Call engine_runs_clear() in either case.
 */
int opensm_route(const struct opensm_setup *setup, struct engine_run *run, int count, struct error *error);

#endif
