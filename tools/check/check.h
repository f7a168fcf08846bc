/* All that orcs-check finds out about a fabric and its routes. */
#ifndef TOOLS_CHECK_CHECK_H
#define TOOLS_CHECK_CHECK_H

#include "fabric/forwarding.h"
#include "fabric/source_routes.h"
#include "shapes/shape.h"
#include "tools/check/balance.h"
#include "tools/check/check_options.h"
#include "tools/check/symmetry.h"

struct deadlock {
	uint64_t dependencies;
	uint32_t *cycle, length; /* vertices channel * lanes + lane of a shortest cycle; length 0: there is none */
	uint32_t channels;       /* on cycles */
	unsigned lanes;          /* that packets may use */
	uint32_t lanes_needed;   /* see layers_count; 0: not asked, as the lanes there are free of deadlock */
};

struct check {
	const struct fabric *fabric;
	bool via;                            /* packets go by way of a random switch: what is known of routes is of each half of theirs */
	const struct forwarding *forwarding; /* NULL where there are source routes */
	const struct source_routes *routes;  /* NULL where there are tables */
	const struct virtual_lanes *lanes;   /* NULL: the fabric tells of none */
	uint32_t *reverse;                   /* of fabric_reverse */
	struct destination_trees *trees;     /* of all ways of the tables; of source routes, empty */
	bool unrouted;                       /* no node forwards anything but by its only channel */
	const char *hint;                    /* why that may be, in words, or NULL; set by the user */
	struct faults faults;
	struct pair_statistics statistics;
	struct symmetry symmetry;
	struct deadlock deadlock;
	struct shape shape;
	struct balance balance;
	bool met[REQUIREMENTS];
	bool sound; /* all that is required is met */
};

/* forwarding, or else routes: what leads from host to host, lanes NULL with these. topology: what the fabric says to be, NULL: nothing.
 * Returns 0 whatever is found, -1 if out of memory; check_clear() in every case. */
int check_run(struct check *check, const struct fabric *fabric, const struct forwarding *forwarding, const struct source_routes *routes,
	const struct virtual_lanes *lanes, const char *topology, const struct check_options *options, struct error *error);
void check_clear(struct check *check);

#endif
