/* Paths that go up towards the roots, then down: what updn allows. */
#ifndef ROUTINGS_OPENSM_UPDN_H
#define ROUTINGS_OPENSM_UPDN_H

#include "routings/opensm/spread.h"

struct updn {
	const struct opensm_fabric *fabric;
	uint32_t *rank; /* [switches] distance from the roots */
	bool keep_root_hops;
};

/* Finds the ranks, rank [switches] is the caller's. hops: workspace. Returns the number of roots; 0: OpenSM refuses. Time O(links), without
 * given roots O(switches * links). */
uint32_t updn_begin(struct updn *updn, const struct opensm_options *options, struct hops *hops);

/* Finds the ranks from those of the roots, 0; all others are OPENSM_NONE. Time O(links). */
void updn_rank(struct updn *updn, uint32_t roots, const struct opensm_options *options, struct hops *hops);

/* Fills the hops to a switch; engine: a struct updn. */
hops_fill updn_fill;

#endif
