/* The cables that fail during a run (--fail-at, --fail-links), and the tables that avoid them. */
#ifndef ENGINES_FAILING_H
#define ENGINES_FAILING_H

#include "engines/engine.h"
#include "engines/failing_options.h"

#include <stdio.h>

/* A cable that fails at a time in picoseconds; its other channel can be NONE. */
struct cable_failure {
	uint64_t time;
	uint32_t channel[2];
};

struct failing {
	struct cable_failure *failure;  /* [count] by time; NULL: none */
	struct forwarding **afterwards; /* [count] the tables without the cables that have failed by then; NULL: no rerouting */
	size_t count;
};

/*
 * Reads the failures from the options of the setup and, if messages are to be rerouted, computes for each failure the tables of the routing
 * engine without the cables that have failed by then. Collective. Process 0 has the fabric's labels, and the order of the channels in the
 * graph. Returns 0, or -1 in all processes: STATUS_USAGE if a failure does not fit the fabric, or the error of routing_run(). Call
 * failing_clear() in either case.
 */
int failing_make(struct failing *failing, const struct engine_setup *setup, struct error *error);

/* Writes one line for each cable that fails; in process 0. */
void failing_tell(const struct failing *failing, const struct fabric *fabric, FILE *file);
void failing_clear(struct failing *failing);

#endif
