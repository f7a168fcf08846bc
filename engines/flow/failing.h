/* Cables that fail in a run of the flow engine, as --fail-at tells, and the tables that avoid them. */
#ifndef ENGINES_FLOW_FAILING_H
#define ENGINES_FLOW_FAILING_H

#include "engines/engine.h"
#include "engines/flow/flow.h"
#include "engines/flow/flow_options.h"

#include <stdio.h>

struct failing {
	struct flow_failure *failure;   /* [count] by time; NULL without any */
	struct forwarding **afterwards; /* [count] the tables without the cables that have failed by then; NULL: nothing is rerouted */
	size_t count;
};

/*
 * Collective. The failures of the options and, where messages are to be rerouted, for each the tables of that engine without the cables
 * that have failed by then. Process 0 has the fabric's labels, and the order of the channels in the graph. Returns 0, or -1 in all
 * processes: STATUS_USAGE for what is no failure of this fabric, or what routing_run() returns. failing_clear() in every case.
 */
int failing_make(struct failing *failing, const struct flow_options *options, const struct engine_setup *setup, struct error *error);

/* Writes which cables fail, a line for each; in process 0. */
void failing_tell(const struct failing *failing, const struct fabric *fabric, FILE *file);
void failing_clear(struct failing *failing);

#endif
