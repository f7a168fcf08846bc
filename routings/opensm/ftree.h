/* The tree that ftree sees: ranks, groups of parallel cables, places. Rank 0 are the roots. */
#ifndef ROUTINGS_OPENSM_FTREE_H
#define ROUTINGS_OPENSM_FTREE_H

#include "routings/opensm/fabric.h"

enum { FTREE_UP, FTREE_DOWN, FTREE_SIDE, FTREE_DIRECTIONS };

/* All cables to one switch. up and down count the paths towards a destination that lead from there upwards and downwards. */
struct ftree_group {
	uint32_t to, cable, cables; /* cables cable .. cable + cables - 1 */
	uint32_t up, down;
};

struct ftree_cable {
	uint32_t up, down;
	uint8_t far; /* port at the other end */
};

struct ftree {
	const struct opensm_fabric *fabric;
	uint32_t *rank; /* [switches] */
	uint32_t leaf_rank;
	bool listed;               /* roots are */
	uint64_t *place;           /* [switches] bytes: the rank, then one for each level; all 255: none */
	struct ftree_group *group; /* by switch, direction and first port */
	struct ftree_cable *cable;
	uint32_t *sorted;  /* groups; those of a switch and direction stay together */
	uint32_t *first;   /* [switches * FTREE_DIRECTIONS + 1] in sorted */
	uint32_t *compute; /* [switches] compute nodes on it */
	uint32_t *other;   /* [switches] other CAs on it */
	uint32_t *leaf;    /* [leaves] by place */
	uint32_t leaves;
};

/* Finds the tree, or why OpenSM refuses it, except ftree_check_symmetry(). Returns 0, or -1 if out of memory. ftree_clear() in every case.
 */
int ftree_init(struct ftree *tree, struct opensm_task *task);
void ftree_clear(struct ftree *tree);

/* Gives the switches their places. Returns 0, or -1. */
int ftree_index(struct ftree *tree, struct error *error);

/* Refuses trees in which the switches of a rank do not look alike; of those with places, where no roots are listed. */
void ftree_check_symmetry(const struct ftree *tree, struct opensm_task *task);

/* Whether OpenSM takes the port of a CA for a compute node. */
static inline bool ftree_computes(const struct opensm_options *options, const struct opensm_end *end)
{
	return !end->router && (options->compute_nodes.given ? end->compute : !end->io);
}

#endif
