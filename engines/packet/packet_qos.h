/*
 * Quality of service of the packet engine: the service levels of messages, the lanes of levels, and the arbitration of lanes, by options
 * and by the graph.
 */
#ifndef ENGINES_PACKET_PACKET_QOS_H
#define ENGINES_PACKET_PACKET_QOS_H

#include "base/document.h"
#include "engines/engine.h"
#include "engines/packet/packet.h"

#include <argp.h>

/* The options. */
struct packet_qos_options {
	bool leveled, mapped, limited;
	unsigned level;                   /* --service-level */
	uint8_t map[SERVICE_LEVELS_MOST]; /* --qos-sl2vl */
	struct lane_arbitration tables;   /* --qos-vlarb-high, --qos-vlarb-low, --qos-high-limit */
};

/* Rows of an argp table, and the reader of their values: returns false for other keys. Ends the program on errors. */
#define PACKET_QOS_KEYS 0x480
#define PACKET_QOS_ROWS \
	{"service-level", PACKET_QOS_KEYS, "SL", OPTION_NO_USAGE, \
		"Service level of messages that have none of their own (default: that of their pair in the fabric)", 0}, \
		{"qos-sl2vl", PACKET_QOS_KEYS + 1, "VL,VL,...", OPTION_NO_USAGE, \
			"Virtual lane of each service level from 0 on, at every port, as in opensm.conf (default: as the fabric)", 0}, \
		{"qos-vlarb-high", PACKET_QOS_KEYS + 2, "VL:WEIGHT,...", OPTION_NO_USAGE, \
			"Arbitration of virtual lanes at every port: table of high priority, weights in units of 64 bytes (default: as the fabric)", \
			0}, \
		{"qos-vlarb-low", PACKET_QOS_KEYS + 3, "VL:WEIGHT,...", OPTION_NO_USAGE, "The same, table of low priority", 0}, \
		{"qos-high-limit", PACKET_QOS_KEYS + 4, "N", OPTION_NO_USAGE, \
			"Units of 4096 bytes that high priority sends before low priority may send a packet; 0: one packet; 255: no limit (default: 0)", \
			0},
bool packet_qos_parse(struct packet_qos_options *options, int key, const char *text);

/* Rejects options that cannot be combined; ends the program then. */
void packet_qos_settle(const struct packet_qos_options *options, enum packet_allocator allocator);

/* What they make of the graph. */
struct packet_qos {
	const struct virtual_lanes *lanes;
	const struct lane_arbitrations *arbitrations;
	uint32_t levels; /* of messages, a bit each; SERVICE_LEVEL_OF_PAIR: those of their pairs */
	struct virtual_lanes *own_lanes;
	struct lane_arbitrations *own_arbitrations;
};

/* Combines options and graph. Returns 0, or -1 if out of memory. Call packet_qos_clear() in either case. */
int packet_qos_make(
	struct packet_qos *qos, const struct packet_qos_options *options, const struct engine_setup *setup, struct error *error);
void packet_qos_clear(struct packet_qos *qos);

/*
 * Checks that the routing uses service levels if there are any, and that every lane that packets can take has a weight. Returns 0, or -1:
 * STATUS_USAGE, or STATUS_FABRIC for tables of the graph.
 */
int packet_qos_check(const struct packet_qos *qos, const struct packet_qos_options *options, const struct packet_router *router,
	enum packet_allocator allocator, struct error *error);

/* Records the options that are given. */
void packet_qos_record(const struct packet_qos_options *options, struct node *result);

#endif
