/* A fabric, or one of its planes, of which the routings are compared. */
#ifndef TOOLS_ADVISE_ADVISE_PLANE_H
#define TOOLS_ADVISE_ADVISE_PLANE_H

#include "compare/advice_run.h"
#include "tools/advise/advise_options.h"

struct advise_plane {
	struct advise_options *options; /* borrowed */
	FILE *notes;                    /* on anomalies of the input; NULL: none */
	struct fabric *fabric;
	struct forwarding *forwarding; /* the present tables */
	struct attributes *attributes;
	struct dot_report odd;
	struct advice_run run;
};

/* Names the routings, in all processes. Returns 0, or -1 if out of memory. Call advise_plane_clear() in either case. */
int advise_plane_begin(
	struct advise_plane *plane, struct advise_options *options, struct files *files, FILE *notes, uint32_t number, struct error *error);

/*
 * Reads the fabric from the open source, in process 0. *planes: its planes with pairs of hosts [*count] if they are several and none is
 * selected; then nothing else is done. Otherwise routes it in every way. Returns 0, or -1 as fabric_source_load() and advice_route().
 */
int advise_plane_prepare(struct advise_plane *plane, uint32_t **planes, uint32_t *count, struct error *error);

void advise_plane_clear(struct advise_plane *plane);

#endif
