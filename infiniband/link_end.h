/* What the forms of topologies have in common: an end of a link as a line of a dump tells of it, and what it says of ports and nodes. */
#ifndef INFINIBAND_LINK_END_H
#define INFINIBAND_LINK_END_H

#include "infiniband/dump.h"

/* 0, NODE_UNKNOWN and NULL say nothing; without a node GUID the port GUID tells the node. */
struct link_end {
	enum node_kind kind;
	uint64_t node_guid, port_guid, system_guid;
	uint32_t vendor, device, ports;
	uint32_t number, lid; /* of the port */
	const char *desc;     /* of the node */
	size_t desc_length;
};

/*
 * The port, made if new, with all that the end says put down. The port GUID of a channel adapter with a node GUID, or of a node of unknown
 * kind, waits for link_ends_settle(). Returns NONE if out of memory.
 */
uint32_t link_end_port(struct dump_reader *reader, const struct link_end *end);

/*
 * For the end of a file whose lines do not tell the kind of a node, or not reliably: a node is a switch if several of its ports have one
 * GUID, else a channel adapter. Returns 0, or -1 if out of memory. Time O(ports).
 */
int link_ends_settle(struct dump_reader *reader);

/* A cable that this line tells of with both its ends, and what is known of its speed, which holds at both. */
void link_note(struct dump_reader *reader, uint32_t port, uint32_t peer, unsigned lanes, enum lane_rate rate);

/* The LID of a port as itself (own) or a neighbour tells it: the former counts, then what was told first. What is no unicast LID, or no
 * LMC, is no word. */
void port_note_lid(struct dump_reader *reader, uint32_t port, uint32_t lid, uint32_t lmc, bool own);

/* The description of a node that has none yet. Returns 0, or -1 if out of memory. */
int node_note_desc(struct dump_reader *reader, uint32_t node, const char *desc, size_t length);

/* The lanes and the rate that a link has by the bit masks of PortInfo: the highest bit counts. Unknown ones give 0 and RATE_UNKNOWN. */
unsigned lanes_of_mask(uint32_t mask);
enum lane_rate rate_of_mask(uint32_t speed, uint32_t extended);

#endif
