/* What sssp and dfsssp share. */
#ifndef ROUTINGS_OPENSM_SSSP_H
#define ROUTINGS_OPENSM_SSSP_H

#include "routings/opensm/fabric.h"

/* A LID that is routed to, and its port. */
struct sssp_target {
	uint32_t to; /* switch */
	uint16_t lid;
	uint8_t at; /* port of the switch, 0: itself */
	bool one_sl;
};

struct sssp {
	const struct opensm_fabric *fabric;
	uint32_t *load;             /* [switches] LIDs of it and its CAs */
	struct sssp_target *target; /* [targets] in the order in which they are routed */
	uint32_t targets;
};

/* Routes. Returns 0, or -1 if out of memory. sssp_clear() in every case. Time O(LIDs * (links + switches * log switches)). */
int sssp_route(struct sssp *sssp, struct opensm_task *task, bool ends_only);
void sssp_clear(struct sssp *sssp);

#endif
