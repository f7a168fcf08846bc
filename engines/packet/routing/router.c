/* A routing during a run, and functions that all routings share: lanes, ranks, random numbers. */
#include "base/memory.h"
#include "engines/packet/routing/packet_routing.h"

#include "base/random.h"
#include "fabric/routing_function.h"
#include "topologies/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool packet_routing_chooses(const char *spec)
{
	struct error ignored = {0};
	const struct packet_routing *routing = packet_routing_find(spec, &ignored);
	const char *colon = strchr(spec, ':');
	struct arg_values args = {0};
	bool chooses = routing && routing->chooses &&
		       !args_parse(&args, routing->args, colon ? colon + 1 : NULL, "packet routing", routing->name, &ignored) &&
		       routing->chooses(args.value);
	args_clear(&args);
	return chooses;
}

struct packet_router *packet_router_create(const char *spec, const struct packet_router_setup *setup, struct error *error)
{
	const struct packet_routing *routing = packet_routing_find(spec, error);
	const char *colon = strchr(spec, ':');
	struct packet_router *router = routing ? array_create(1, sizeof *router, error) : NULL;
	if (!router)
		return NULL;
	router->routing = routing;
	router->setup = *setup;
	router->lanes = setup->lanes;
	router->rank_scale = (UINT64_C(8) << 32) / (setup->packet ? setup->packet : 1);
	router->rank_limit = (uint64_t)setup->packet * (PACKET_RANK_MAX / 8);
	if (!args_parse(&router->args, routing->args, colon ? colon + 1 : NULL, "packet routing", routing->name, error) &&
		!routing->setup(router, error))
		return router;
	packet_router_free(router);
	return NULL;
}

void packet_router_free(struct packet_router *router)
{
	if (!router)
		return;
	if (router->routing->clear && router->data)
		router->routing->clear(router);
	args_clear(&router->args);
	free(router);
}

const struct routing_function *packet_computed(
	const struct packet_router_setup *setup, enum structure_form form, struct routing_function **own, struct error *error)
{
	const struct topology_kind *kind = setup->topology ? topology_find(setup->topology) : NULL;
	if (!kind || kind->form != form || !kind->routing)
		return NULL;
	const struct routing_function *function = setup->forwarding ? setup->forwarding->function : NULL;
	return function ? function : (*own = routing_function_create(setup->fabric, setup->topology, kind->routing, error));
}

int packet_router_need(struct packet_router *router, unsigned lanes, const char *why, struct error *error)
{
	if (!router->lanes)
		router->lanes = lanes;
	if (router->lanes < lanes)
		return error_set(error, STATUS_USAGE, "packet routing '%s' needs %u virtual lanes for %s, but --virtual-lanes is %u",
			router->routing->name, lanes, why, router->lanes);
	if (router->lanes > PACKET_LANES_MAX)
		return error_set(error, STATUS_USAGE, "packet routing '%s' needs %u virtual lanes for %s, but a port has at most %d",
			router->routing->name, router->lanes, why, PACKET_LANES_MAX);
	return 0;
}

int packet_word(
	const struct packet_router *router, const char *key, const char *text, const char *const *words, size_t count, struct error *error)
{
	char all[100];
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(text, words[i]))
			return (int)i;
		used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", !i ? "" : i + 1 < count ? ", " : " or ", words[i]);
	}
	return error_set(error, STATUS_USAGE, "packet routing '%s': %s is '%s', not %s", router->routing->name, key, text, all);
}

uint16_t packet_lanes_of(const struct packet_router *router, unsigned first, unsigned class, unsigned classes)
{
	unsigned lanes = router->lanes - first, from = class * lanes / classes, to = (class + 1) * lanes / classes;
	return (uint16_t)(((1u << to) - (1u << from)) << first);
}

uint16_t packet_rank(const struct packet_router *router, uint32_t channel, uint32_t lanes)
{
	return packet_rank_of(router->view.queued(router->view.engine, channel, lanes, false), router->rank_limit, router->rank_scale);
}

/* The source and the packet's number take the places of a pair in the random generator, in blocks that no pair uses. */
void packet_rank_all(const struct packet_router *router, const struct packet_head *packet, const uint32_t *channel, uint32_t count,
	uint16_t lanes, struct packet_candidate *candidates)
{
	const struct packet_view *view = &router->view;
	uint32_t turn = count > 1 && !view->any_order ? packet_draw(router, packet, DRAW_WAY, count) : 0;
	if (view->rank_all) {
		view->rank_all(view->engine, channel + turn, count - turn, lanes, candidates);
		view->rank_all(view->engine, channel, turn, lanes, candidates + (count - turn));
		return;
	}
	for (uint32_t i = 0; i < count; i++, turn = turn + 1 < count ? turn + 1 : 0)
		candidates[i] = (struct packet_candidate){channel[turn], lanes, packet_rank(router, channel[turn], lanes), 0};
}

uint32_t packet_draw(const struct packet_router *router, const struct packet_head *packet, enum packet_purpose purpose, uint32_t bound)
{
	uint32_t word[4];
	random_pair(word, router->setup.seed, router->setup.run, packet->source, packet->number,
		0x8000 | (uint32_t)packet->hops << 4 | purpose);
	return (uint32_t)((uint64_t)word[0] * bound >> 32);
}
