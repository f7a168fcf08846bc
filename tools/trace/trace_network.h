/*
 * The fabric of orcs-trace, and the nodes at which routes begin and end. Hosts are followed in the forwarding tables, which a cache has
 * ready; the complete subnet (fabric/whole_fabric.h), with switches, aggregation nodes, routers and further LIDs, is made only when an end
 * needs it.
 */
#ifndef TOOLS_TRACE_TRACE_NETWORK_H
#define TOOLS_TRACE_TRACE_NETWORK_H

#include "base/files.h"
#include "fabric/source_routes.h"
#include "fabric/virtual_lanes.h"
#include "fabric/whole_fabric.h"
#include "tools/trace/trace_options.h"

struct trace_network {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes; /* NULL: none, or not needed so far */
	struct virtual_lanes *lanes;
	struct source_routes *routes;
	struct whole_fabric *whole; /* NULL: not needed so far */
	struct dot_report odd;
	struct files files;
};

/* A node as routes show it. */
struct trace_node {
	const char *name, *desc; /* borrowed */
	uint64_t guid;           /* of the node; 0: unknown */
	uint64_t port_guid;      /* of the port of a channel adapter or router; 0: unknown */
	uint16_t lid;            /* base LID; 0: unknown */
	uint8_t lmc;
	enum whole_kind kind;
};

/* An end of routes. */
struct trace_end {
	uint32_t vertex; /* see struct whole_fabric */
	uint32_t host;   /* host index; NONE: no host */
	uint32_t lid;    /* the LID that was named, if it is not the base LID; 0: all */
};

/* Loads the fabric, with anomalies to notes (NULL: none). Returns 0, or -1. Call trace_network_clear() in either case. */
int trace_network_load(struct trace_network *network, struct trace_options *options, FILE *notes, struct error *error);
void trace_network_clear(struct trace_network *network);

/*
 * Finds both ends, which must differ, and makes the complete subnet if routes between them need it. Returns 0, or -1: STATUS_USAGE for a
 * name that no node has. Time O(nodes log nodes).
 */
int trace_ends_find(struct trace_network *network, struct trace_options *options, struct trace_end end[2], struct error *error);

/* Finds the channel that leaves a node by a port, "NODE:PORT". Returns it, or NONE with STATUS_USAGE. */
uint32_t trace_channel_find(const struct trace_network *network, const char *text, struct error *error);

/* Returns a node of the fabric as a route shows it that enters or leaves by the port (0: unknown). */
struct trace_node trace_node_of(const struct trace_network *network, uint32_t node, uint32_t port);

/* Returns the node of a port of the complete subnet. */
struct trace_node trace_node_at(const struct trace_network *network, uint32_t port);

#endif
