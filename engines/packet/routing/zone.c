/* Zone routing on meshes and tori, also of blocks of switches: adaptive within one group of dimensions after another. */
#include "engines/packet/routing/grid_route.h"

static int zone_setup(struct packet_router *router, struct error *error)
{
	const struct arg_value *value = router->args.value;
	return grid_route_setup(router,
		&(struct grid_wish){
			.guard = value[1].text, .ties = value[2].text, .zones = value[0].text, .order = value[3].text, .adaptive = true},
		error);
}

static const struct arg zone_args[] = {
	{"zones", ARG_WORD, "", 0, 0, "dimensions, the first is 1, e.g. 12:34 (default: the first half of them, then the others)"},
	{"guard", ARG_WORD, "dateline", 0, 0, "deadlock avoidance of escape routes, dateline: on lanes 0 and 1; bubble: on lane 0"},
	{"ties", ARG_WORD, "random", 0, 0, "on these, " TIES_HELP},
	{"order", ARG_WORD, "", 0, 0, "order of escape routes within the zones, such as 2143, or random, see dor (default: as in zones)"},
	{.type = ARG_END},
};

const struct packet_routing packet_routing_zone = {
	.name = "zone",
	.summary = "adaptive within zones of dimensions, with dimension order as the escape route",
	.source = "HiNetSim 3.3 and 4.3; Chen and others 2011",
	.args = zone_args,
	.looks = true,
	.setup = zone_setup,
	.clear = grid_route_clear,
	.candidates = grid_route_candidates,
	.decide = grid_route_decide,
};
