/* Routes a fabric in several ways, examines each routing and compares them by the same runs. */
#ifndef COMPARE_ADVICE_RUN_H
#define COMPARE_ADVICE_RUN_H

#include "compare/advice.h"
#include "compare/comparison.h"
#include "fabric/virtual_lanes.h"

#include <stdbool.h>
#include <stdint.h>

struct advice_setup {
	struct fabric_source *source; /* can be read repeatedly */
	struct files *files;
	const struct pattern_request *pattern; /* [patterns] at most ADVICE_PATTERNS */
	int patterns;
	const struct advice_kind *kind; /* [kinds] at most ADVICE_MOST; the first has no engine: the present tables */
	int kinds;
	uint64_t runs, seed;
	uint64_t seconds; /* for the engine of kinds with tables; 0: its default */
	bool ignore_speeds, progress;
	bool opensm; /* kinds that only OpenSM itself can route are wanted */
	bool shifts; /* their loads are wanted, see shift_loads_mean() */
	bool brief;  /* the present tables have been examined: only their bandwidth is wanted */
};

struct advice_run {
	struct advice_setup setup;
	/* the fabric of process 0; borrowed, but attributes may be replaced, and the fabric gets the hashes of its routings */
	struct fabric *fabric;
	const struct forwarding *forwarding; /* the present tables; NULL: none */
	struct attributes *attributes;
	struct dot_report odd;
	/* results */
	struct comparison comparison;
	struct engine_run run[ADVICE_MOST];
	struct virtual_lanes *lanes[ADVICE_MOST];
	struct fabric_source real[ADVICE_MOST]; /* what OpenSM itself has routed */
	char real_path[ADVICE_MOST][40];
	char best[100]; /* specification of the engine of kinds with tables */
	struct advice_result result;
};

/* Names the routings, in all processes. Returns 0, or -1 if out of memory; call advice_clear() in either case. */
int advice_begin(struct advice_run *run, const struct advice_setup *setup, struct error *error);

/*
 * Examines the present tables, and routes the fabric in all other ways; in process 0, once the fabric is set. Returns 0, or -1:
 * STATUS_FABRIC if there is no routing at all, STATUS_IO.
 */
int advice_route(struct advice_run *run, struct error *error);

/* Compares the routings and chooses those to be advised, in process 0. Collective. Returns 0, or -1 as comparison_run(). */
int advice_compare(struct advice_run *run, struct comm *comm, struct error *error);

void advice_clear(struct advice_run *run);

/*
 * Finds lost pairs, the largest load, and whether packets can deadlock, on run->fabric or another one with the same names. Returns 0, or -1
 * if out of memory.
 */
int advice_examine(struct advice_run *run, struct advice *a, const struct fabric *fabric, const struct forwarding *tables,
	const struct virtual_lanes *lanes, struct error *error);

#endif
