/*
 * The arbitration of the virtual lanes of a port (InfiniBand Architecture Specification 1, 7.6.9): two tables of lanes with weights, one of
 * high and one of low priority, given by the edge attribute vlarb of a graph, see orcs-dot(5). Weights count blocks of 64 bytes.
 */
#ifndef FABRIC_LANE_ARBITRATION_H
#define FABRIC_LANE_ARBITRATION_H

#include "fabric/attributes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	ARBITRATION_ENTRIES = 64,
	WEIGHT_BYTES = 64,         /* of a weight of 1 */
	HIGH_LIMIT_BYTES = 4096,   /* of a limit of 1 */
	HIGH_LIMIT_UNBOUNDED = 255 /* lanes of high priority always go first */
};

struct lane_weight {
	uint8_t lane, weight; /* a weight of 0 skips the entry */
};

struct lane_weights {
	uint32_t entries;
	struct lane_weight entry[ARBITRATION_ENTRIES];
};

struct lane_arbitration {
	struct lane_weights high, low;
	uint8_t limit; /* HIGH_LIMIT_BYTES that high priority may send before low priority has a chance; 0: one packet */
};

/* The arbitration of all channels, at their tails. */
struct lane_arbitrations {
	uint32_t *table_of; /* [channels] NONE: none */
	struct lane_arbitration *table;
	uint32_t tables;
};

/* Reads a table as OpenSM writes it, "0:32,1:64". Returns whether it is one. */
bool lane_weights_read(const char *text, struct lane_weights *weights);

/* Returns the lanes that have a weight above 0 in either table, a bit each. */
uint32_t lane_arbitration_lanes(const struct lane_arbitration *arbitration);

/* Formats the attribute, "low=0:32,1:64;high=2:4;limit=6": entries of weight 0 are left out; "" if no entry is left. Returns its length. */
enum { ARBITRATION_TEXT = 2 * ARBITRATION_ENTRIES * 8 + 40 };
int lane_arbitration_text(const struct lane_arbitration *arbitration, char text[ARBITRATION_TEXT]);

/*
 * Reads the attributes; *arbitrations is NULL if no channel has one, or attributes is NULL. Returns 0, or -1: STATUS_FABRIC for an invalid
 * attribute. Time O(channels + different texts).
 */
int lane_arbitrations_load(
	struct lane_arbitrations **arbitrations, const struct attributes *attributes, const struct fabric *fabric, struct error *error);
void lane_arbitrations_free(struct lane_arbitrations *arbitrations);

#endif
