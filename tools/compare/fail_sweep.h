/* Failures one after another on one fabric, which an engine routes again. */
#ifndef TOOLS_COMPARE_FAIL_SWEEP_H
#define TOOLS_COMPARE_FAIL_SWEEP_H

#include "tools/compare/compare_options.h"
#include "tools/compare/fail_effect.h"
#include "tools/compare/fail_lanes.h"
#include "tools/compare/fail_list.h"

#include <stdio.h>

/* What the tables of a failure are made by. */
enum fail_reroute {
	REROUTE_SCRATCH, /* the engine, as if there had been nothing before */
	REROUTE_REPAIR,  /* only routes that have failed change */
};

struct fail_sweep {
	const struct compare_options *options;
	FILE *notes;  /* anomalies of the input are written there; NULL: nowhere */
	char *engine; /* specification; NULL: the tables of the fabric */
	enum fail_reroute reroute;
	const struct routing *routing;
	struct files files;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report odd;
	uint32_t *reverse;
	struct routing_graph graph;
	struct opensm_failing failing;
	struct fail_state state;
	struct fail_lanes lanes; /* of the intact fabric */
	bool several;            /* it uses several lanes */
	uint8_t *level, *bit;    /* its own, or of an engine: see struct routed */
	struct virtual_lanes *own;
	uint8_t *new_level, *new_bit; /* of a failure that an engine of orcs routes */
	struct fail_list failures;
	struct fail_effect *effect; /* [failures.count], shared with the workers */
	char warning[1200];         /* of the engine; "": none */
};

/*
 * Runs the sweep of options->fail: reads the first input, routes it, and judges each failure, in as many processes as the machine has
 * cores. Returns 0, or -1. Call fail_sweep_clear() in either case.
 */
int fail_sweep_run(struct fail_sweep *sweep, struct error *error);
void fail_sweep_clear(struct fail_sweep *sweep);

#endif
