/*
 * The common part of the topology formats: one end of a link as a line of a dump describes it, and what the line states about ports and
 * nodes.
 */
#ifndef INFINIBAND_LINK_END_H
#define INFINIBAND_LINK_END_H

#include "infiniband/dump.h"

/* 0, NODE_UNKNOWN and NULL mean unknown; without a node GUID, the port GUID identifies the node. */
struct link_end {
	enum node_kind kind;
	uint64_t node_guid, port_guid, system_guid;
	uint32_t vendor, device, ports;
	uint32_t number, lid; /* of the port */
	const char *desc;     /* of the node */
	size_t desc_length;
};

/*
 * Returns the port, created if new, and stores everything that the end states. The port GUID of a channel adapter with a node GUID, or of a
 * node of unknown kind, is deferred to link_ends_settle(). Returns NONE if out of memory.
 */
uint32_t link_end_port(struct dump_reader *reader, const struct link_end *end);

/*
 * Determines kinds at the end of a file whose lines do not state the kind of a node, or not reliably: a node is a switch if several of its
 * ports have the same GUID, otherwise a channel adapter. Returns 0, or -1 if out of memory. Time O(ports).
 */
int link_ends_settle(struct dump_reader *reader);

/* Records a cable of which this line gives both ends, and its width and speed, as far as known, at both ends. */
void link_note(struct dump_reader *reader, uint32_t port, uint32_t peer, unsigned lanes, enum lane_rate rate);

/*
 * Records the LID of a port as stated by itself (own) or by a neighbour: its own statement takes precedence, then the first one. Values
 * that are not a unicast LID, or not an LMC, are ignored.
 */
void port_note_lid(struct dump_reader *reader, uint32_t port, uint32_t lid, uint32_t lmc, bool own);

/* Sets the description of a node that has none yet. Returns 0, or -1 if out of memory. */
int node_note_desc(struct dump_reader *reader, uint32_t node, const char *desc, size_t length);

/*
 * lanes_of_mask() and the function below return the number of lanes and the rate of a link from the bit masks of PortInfo: the highest bit
 * counts. Unknown masks give 0 and RATE_UNKNOWN.
 */
unsigned lanes_of_mask(uint32_t mask);
enum lane_rate rate_of_mask(uint32_t speed, uint32_t extended);

#endif
