/*
 * The roots that updn finds, again and again as cables and switches fail: how many end ports a switch sees at each distance is kept, and
 * only the distances to a switch are found anew over whose tree of shortest paths a lost cable led.
 */
#ifndef ROUTINGS_OPENSM_ROOT_SEARCH_H
#define ROUTINGS_OPENSM_ROOT_SEARCH_H

#include "routings/opensm/spread.h"

struct root_search {
	const struct opensm_fabric *fabric; /* the intact one */
	uint32_t *leaf;                     /* [leaves] switches with end ports */
	uint32_t leaves, words;
	uint8_t *least, *changed;   /* [leaves][switches] hops; after a failure, of leaves that are fresh */
	uint64_t *tree;             /* [leaves][words] a bit for each of near: it is in the tree */
	bool *fresh;                /* [leaves] */
	uint32_t (*at)[HOPS_LIMIT]; /* [switches] end ports by hops */
};

/* A root sees most end ports at one distance: above 90% of all at one, above 5% at no other. at: end ports by hops, of all. */
bool root_search_is_root(const uint32_t at[HOPS_LIMIT], uint32_t all);

/* Returns 0, or -1 if out of memory; root_search_clear() in either case. Time O(leaves * links). */
int root_search_init(struct root_search *search, const struct opensm_fabric *fabric, struct error *error);
void root_search_clear(struct root_search *search);

/*
 * Sets the ranks of the roots to 0 and all others to OPENSM_NONE; returns how many there are. cut: [cuts] of near, of both directions;
 * lost: [switches]. hops: workspace of the fabric that is left. Time O(links) for each leaf whose tree has a cut, and O(switches).
 */
uint32_t root_search_again(
	struct root_search *search, const uint32_t *cut, uint32_t cuts, const bool *lost, struct hops *hops, uint32_t *rank);

#endif
