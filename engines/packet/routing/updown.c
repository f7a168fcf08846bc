/*
 * Up, then down, adaptively: on trees packets go up by any channel to a common ancestor, and come down; on any other fabric they take the
 * shortest of the legal paths, which first go towards one root, then away from it. As no packet goes up after it went down, one lane
 * suffices (Schroeder et al.: Autonet, IEEE Journal on Selected Areas in Communications 9, 1991).
 */
#include "base/memory.h"
#include "engines/packet/routing/distances.h"

#include <stdlib.h>

static int updown_setup(struct packet_router *router, struct error *error)
{
	struct distances *distances = router->data = array_create(1, sizeof *distances, error);
	router->alike = true;
	router->leaders = 1;
	return !distances || distances_init(distances, &router->setup, DISTANCES_LEGAL, error)
		       ? -1
		       : packet_router_need(router, 1, "its packets", error);
}

static void updown_clear(struct packet_router *router)
{
	distances_clear(router->data);
	free(router->data);
}

static unsigned updown_candidates(
	struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct distances *r = router->data;
	uint32_t target = r->target[packet->destination], room[PACKET_CANDIDATES_MAX];
	const uint32_t *channel;
	uint16_t lanes = packet_lanes_all(router);
	if (node == r->root[target]) {
		*candidates = (struct packet_candidate){r->last[packet->destination], lanes, 0, 0};
		return 1;
	}
	uint32_t found = distances_legal_ways(r, target, node, room, &channel);
	if (found > 1 && channel != room)
		packet_rank_late(router, packet, channel, found, candidates);
	else if (found > 1)
		packet_rank_all(router, packet, channel, found, lanes, candidates);
	else
		*candidates = (struct packet_candidate){found ? *channel : NONE, lanes, 0, 0};
	return found;
}

const struct packet_routing packet_routing_updown = {
	.name = "updown",
	.summary = "up by the channel with the shortest queue, then down",
	.source = "Schroeder et al. 1991",
	.looks = true,
	.late = true,
	.setup = updown_setup,
	.clear = updown_clear,
	.candidates = updown_candidates,
};
