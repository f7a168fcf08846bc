/*
 * The virtual lanes of ports, as dumps state them by LID and port: the lane of each service level, and the arbitration between lanes. The
 * statements wait until the owners of the LIDs are known.
 */
#ifndef INFINIBAND_PORT_LANES_H
#define INFINIBAND_PORT_LANES_H

#include "fabric/lane_arbitration.h"
#include "infiniband/subnet.h"

/* What is known of a port. */
struct port_lanes {
	bool mapped; /* of a channel adapter: the lane of each service level */
	uint8_t lane[SERVICE_LEVELS];
	struct lane_arbitration arbitration;
};

/*
 * These state, of a port of the switch with the LID, or of the channel adapter's port that has it: the lane of each service level, of
 * packets from port in; entries of a table, instead of those so far if first; the limit of high priority. Each returns 0, or -1 if out of
 * memory.
 */
int port_lanes_map(
	struct subnet *subnet, unsigned lid, unsigned in, unsigned port, const uint8_t lane[SERVICE_LEVELS], struct error *error);
int port_lanes_weigh(
	struct subnet *subnet, unsigned lid, unsigned port, bool high, bool first, const struct lane_weights *weights, struct error *error);
int port_lanes_limit(struct subnet *subnet, unsigned lid, unsigned port, unsigned limit, struct error *error);

/*
 * Scans a row of bars with the lanes of entries of an arbitration table, or the weights of those whose lanes came before. Returns whether
 * it is one.
 */
bool port_lanes_scan(char *text, bool lanes, struct lane_weights *weights);

/* Gives the statements to the ports, once the LIDs are resolved. Returns 0, or -1 if out of memory. Time O(LIDs + statements). */
int port_lanes_resolve(struct subnet *subnet, struct error *error);

void lane_claims_free(struct lane_claims *claims);

#endif
