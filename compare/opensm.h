/* Routing a topology with the engines of OpenSM, by the script route_with_opensm.sh. */
#ifndef COMPARE_OPENSM_H
#define COMPARE_OPENSM_H

#include "error.h"

#include <signal.h>
#include <stdbool.h>

/* The engines that need nothing but the topology; ends with NULL. */
extern const char *const opensm_engines[];

/* What an engine made of the topology. */
struct engine_run {
	const char *asked; /* the engine; borrowed */
	char used[40];     /* the engine that OpenSM really routed with */
	double seconds;    /* that it took */
	char failure[600]; /* why there is no routed fabric; "" when there is one */
	int file;          /* descriptor of the routed fabric, whose name is gone; -1: none */
};

/* No engine of OpenSM: the tables that a graph has. */
#define ENGINE_AS_IS "as-is"

struct opensm_setup {
	const char *topology;              /* "-": standard input */
	const char *keep;                  /* a folder for the routed fabrics, as ENGINE.dot; NULL: none */
	bool allow_fallback;               /* another engine than the one asked for will do */
	bool verbose;                      /* say on standard error what is done */
	const volatile sig_atomic_t *stop; /* set by a signal: end the engine that is at work, and return */
};

/*
 * Routes the topology with run[0..count-1].asked, one after the other, but for ENGINE_AS_IS. An engine that cannot is no error: its failure tells. Nothing is
 * left behind. Returns 0, or -1: STATUS_IO when a file, the script or the memory fails, or after *stop. engine_runs_clear() in every case.
 */
int opensm_route(const struct opensm_setup *setup, struct engine_run *run, int count, struct error *error);
void engine_runs_clear(struct engine_run *run, int count);

#endif
