/* A fabric as OpenSM's engines take it: a subnet of nodes with numbered ports, GUIDs and LIDs, see opensm/opensm.h. */
#ifndef ROUTINGS_OPENSM_VIEW_H
#define ROUTINGS_OPENSM_VIEW_H

#include "routings/opensm/opensm.h"
#include "routings/routing_graph.h"

struct opensm_view {
	struct opensm_subnet subnet;
	struct opensm_node *node; /* of the subnet */
	struct opensm_port *port; /* of the subnet */
	uint32_t *channel;        /* [subnet.ports] channel that leaves there; NONE: none */
	uint32_t *node_of;        /* [nodes of the fabric] node of the subnet */
	uint32_t *lid_port;       /* [nodes of the fabric] port that has its LID */
};

/*
 * Makes the subnet of a fabric with labels. Port numbers that are missing are the lowest free ones, in the order of the channels. Nodes
 * without a GUID get GUIDs in their order: each takes one, and one for each of its ports, from 0x100000, or from above all GUIDs that the
 * graph has where these would coincide; the GUID of a host is that of its port. Missing LIDs are the lowest free ones, in the order of the
 * nodes. lanes: virtual lanes of all links. Returns 0, or -1: STATUS_FABRIC if InfiniBand cannot have this fabric, or hosts forward in it;
 * engine: name in that message. opensm_view_clear() in every case.
 */
int opensm_view_init(struct opensm_view *view, const struct routing_graph *graph, unsigned lanes, const char *engine, struct error *error);
void opensm_view_clear(struct opensm_view *view);

#endif
