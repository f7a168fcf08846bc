/* Routing a topology with the engines of OpenSM, by the script route_with_opensm.sh. */
#ifndef TOOLS_COMPARE_OPENSM_H
#define TOOLS_COMPARE_OPENSM_H

#include "tools/compare/engine.h"

#include <signal.h>

/* The engines that need nothing but the topology; ends with NULL. */
extern const char *const opensm_engines[];

struct opensm_setup {
	const char *topology;              /* a file, which may have no name, as /dev/fd/3; or the specification of a topology */
	const char *keep;                  /* a folder for the routed fabrics, as ENGINE.dot; NULL: none */
	struct files *files;               /* that are read and written already; borrowed */
	bool allow_fallback;               /* another engine than the one asked for will do */
	FILE *notes;                       /* what is done goes there; NULL: nowhere */
	const volatile sig_atomic_t *stop; /* set by a signal: end the engine that is at work, and return */
};

/*
 * Routes the topology with run[0..count-1].asked, one after the other, but for ENGINE_AS_IS. An engine that cannot is no error: its failure
 * tells. Nothing is left behind. Returns 0, or -1: STATUS_USAGE for a specification, STATUS_IO when a file, the script or the memory fails,
 * or after *stop. engine_runs_clear() in every case.
 */
int opensm_route(const struct opensm_setup *setup, struct engine_run *run, int count, struct error *error);

#endif
