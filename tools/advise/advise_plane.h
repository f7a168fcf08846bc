/* The routings of a fabric, or of one of its planes, and the runs that compare them. */
#ifndef TOOLS_ADVISE_ADVISE_PLANE_H
#define TOOLS_ADVISE_ADVISE_PLANE_H

#include "compare/comparison.h"
#include "tools/advise/advice.h"

struct advise_plane {
	struct advise_options *options; /* borrowed */
	struct files *files;            /* the inputs; borrowed */
	FILE *notes;                    /* on anomalies of the input; NULL: none */
	struct fabric *fabric;
	struct forwarding *forwarding; /* the present tables */
	struct attributes *attributes;
	struct dot_report odd;
	struct comparison comparison;
	struct engine_run run[ADVICE_KINDS];
	struct virtual_lanes *lanes[ADVICE_KINDS];
	struct fabric_source real[ADVICE_KINDS]; /* what OpenSM itself routes */
	char real_path[ADVICE_KINDS][40];
	char best[100]; /* specification of the engine best */
	struct advice_result result;
};

/* Names the routings, in all processes. Returns 0, or -1 if out of memory. Call advise_plane_clear() in either case. */
int advise_plane_begin(
	struct advise_plane *plane, struct advise_options *options, struct files *files, FILE *notes, uint32_t number, struct error *error);

/*
 * Reads the fabric from the open source, in process 0. *planes: its planes with pairs of hosts [*count] if they are several and none is
 * selected; then nothing else is done. Otherwise routes it in every way. Returns 0, or -1 as fabric_source_load(), STATUS_FABRIC if there
 * is no routing to compare with.
 */
int advise_plane_prepare(struct advise_plane *plane, uint32_t **planes, uint32_t *count, struct error *error);

/* Takes the results of the runs, and chooses the steps; in process 0. Returns 0, or -1 if out of memory. */
int advise_plane_conclude(struct advise_plane *plane, struct error *error);
void advise_plane_clear(struct advise_plane *plane);

/*
 * Finds lost pairs, the largest load, and whether packets can deadlock, on plane->fabric or another one with the same names. Returns 0, or
 * -1 if out of memory.
 */
int advise_examine(struct advise_plane *plane, struct advice *a, const struct fabric *fabric, const struct forwarding *tables,
	const struct virtual_lanes *lanes, struct error *error);

/* Whether the fabric has any table entry. */
bool advise_is_routed(const struct fabric *fabric, const struct forwarding *forwarding);

#endif
