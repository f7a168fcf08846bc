/* A fabric as OpenSM's engines take it: a subnet of nodes with numbered ports, GUIDs and LIDs, see opensm.h. */
#ifndef ROUTINGS_OPENSM_VIEW_H
#define ROUTINGS_OPENSM_VIEW_H

#include "fabric/whole_fabric.h"
#include "routings/opensm/opensm.h"
#include "routings/routing_graph.h"

struct opensm_view {
	struct whole_fabric *whole;  /* without tables */
	struct opensm_arrays arrays; /* with the nodes and ports of whole */
};

/*
 * Makes the subnet of a fabric with labels, see whole_fabric_create() and whole_fabric_fill_guids(). attributes: of the
 * graph; NULL: none. lanes: virtual lanes of all links. lmc: of
 * all end ports, see whole_fabric_set_lmc(); 0: those of the fabric. Returns 0, or -1: STATUS_FABRIC if InfiniBand cannot have this fabric,
 * or hosts forward in it; engine: name in that message. opensm_view_clear() in every case.
 */
int opensm_view_init(struct opensm_view *view, const struct routing_graph *graph, const struct attributes *attributes, unsigned lanes,
	unsigned lmc, const char *engine, struct error *error);
void opensm_view_clear(struct opensm_view *view);

#endif
