/* The cables of a fabric, with their two directions: upwards first, by the levels of the fair shares. */
#ifndef PICTURES_CABLES_H
#define PICTURES_CABLES_H

#include "fabric/fair_share.h"

enum cable_way { CABLE_UP, CABLE_DOWN };

/*
 * The lower end is the one with the lower level, hosts being lowest and switches of LEVEL_NONE highest; of equal ones the node with the
 * lower number.
 */
struct cable {
	uint32_t end[2];     /* lower and upper node */
	uint32_t channel[2]; /* CABLE_UP leaves the lower end, CABLE_DOWN the upper one; one may be NONE */
};

struct cables {
	struct cable *cable; /* [cables] in the order of the first of their channels */
	uint32_t cables;
	uint32_t *of; /* [channels] the cable of a channel */
};

/* Returns 0, or -1 if out of memory; call cables_clear() in every case. Time that of fabric_reverse(). */
int cables_list(struct cables *cables, const struct fabric *fabric, const uint32_t *level, struct error *error);
void cables_clear(struct cables *cables);

#endif
