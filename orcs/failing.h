/* Cables that fail in a run of the flow engine, as --fail-at tells, and the tables that avoid them. */
#ifndef ORCS_FAILING_H
#define ORCS_FAILING_H

#include "formats/dot.h"
#include "engines/flow/flow.h"
#include "parallel/comm.h"
#include "orcs/options.h"

#include <stdio.h>

/*
 * Collective. The failures of the options by time (an array to be freed, NULL without any) and, where messages are to be rerouted, for each
 * the tables of that engine without the cables that have failed by then, else NULL. The first process has the fabric's labels, and what it
 * read with DOT_KEEP_PLACES. Returns 0, or -1 in all processes: STATUS_USAGE for what is no failure of this fabric, or what routing_run()
 * returns. failing_free() in every case.
 */
int failing_make(struct flow_failure **failure, struct forwarding ***afterwards, struct comm *comm, const struct fabric *fabric,
	const struct forwarding *forwarding, const struct attributes *attributes, const struct options *options, struct error *error);

/* Writes which cables fail, a line for each; in the first process. */
void failing_tell(const struct flow_failure *failure, size_t count, const struct fabric *fabric, FILE *file);
void failing_free(struct flow_failure *failure, struct forwarding **afterwards, size_t count);

#endif
