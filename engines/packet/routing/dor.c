/* Dimension-order routing on meshes and tori: one dimension after another, in the shorter direction. */
#include "engines/packet/routing/grid_route.h"

static int dor_setup(struct packet_router *router, struct error *error)
{
	const struct arg_value *value = router->args.value;
	return grid_route_setup(router, &(struct grid_wish){.guard = value[0].text, .ties = value[1].text, .order = value[2].text}, error);
}

static const struct arg dor_args[] = {
	{"guard", ARG_WORD, "dateline", 0, 0,
		"dateline: two classes of lanes; balanced: the same, but packets that pass no dateline take either; bubble: lane 0 of a ring is "
		"entered if two packets have room, the others are not restricted"},
	{"ties", ARG_WORD, "balanced", 0, 0, TIES_HELP},
	{"order", ARG_WORD, "", 0, 0,
		"order of the dimensions, such as 4321 (default: 1234); random: each packet draws that one or its reverse, on lanes of their own"},
	{.type = ARG_END},
};

const struct packet_routing packet_routing_dor = {
	.name = "dor",
	.summary = "dimension order on meshes and tori",
	.source = "Dally, Seitz 1987; Puente and others 2001; Seo and others 2005; HiNetSim 3.3; CODES 4.3.2",
	.args = dor_args,
	.setup = dor_setup,
	.clear = grid_route_clear,
	.candidates = grid_route_candidates,
	.decide = grid_route_decide,
};
