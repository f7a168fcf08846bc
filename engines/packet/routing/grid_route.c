#include "engines/packet/routing/grid_route.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- setup */

/*
 * Reads each dimension once, such as "4321", or in zones, "43:21": their order, and the zone of each; "": nothing. Returns whether that is
 * what the digits are.
 */
static bool read_dimensions(const char *digits, unsigned dimensions, unsigned *order, unsigned *zone)
{
	unsigned count = 0, zones = 0, seen = 0;
	for (const char *c = digits; *c; c++) {
		unsigned d = (unsigned)(*c - '1');
		if (*c == ':' && zone) {
			zones++;
			continue;
		}
		if (d >= dimensions || seen >> d & 1)
			return false;
		seen |= 1u << d;
		order[count++] = d;
		if (zone)
			zone[d] = zones;
	}
	return !*digits || count == dimensions;
}

/* Sorts the order by zones, and finds the one that goes backwards within each. */
static void sort_order(struct grid_route *r)
{
	unsigned dimensions = r->grid.dimensions, *order = r->order[0], *back = r->order[1];
	for (unsigned i = 1; i < dimensions; i++)
		for (unsigned k = i; k && r->zone[order[k]] < r->zone[order[k - 1]]; k--) {
			unsigned swap = order[k];
			order[k] = order[k - 1];
			order[k - 1] = swap;
		}
	for (unsigned from = 0, to = 0; from < dimensions; from = to) {
		while (to < dimensions && r->zone[order[to]] == r->zone[order[from]])
			to++;
		for (unsigned i = from; i < to; i++)
			back[i] = order[from + to - 1 - i];
	}
}

/* Reads the zones and the order of the dimensions. Returns 0, or -1. */
static int read_zones(struct grid_route *r, const struct grid_wish *wish, struct error *error)
{
	unsigned dimensions = r->grid.dimensions;
	const char *zones = wish->zones ? wish->zones : "", *order = wish->order ? wish->order : "";
	for (unsigned i = 0; i < dimensions; i++) {
		r->order[0][i] = i;
		r->zone[i] = wish->zones && i >= (dimensions + 1) / 2;
	}
	r->orders = strcmp(order, "random") != 0 ? 1 : 2;
	if (!read_dimensions(zones, dimensions, r->order[0], r->zone))
		return error_set(
			error, STATUS_USAGE, "zones are '%s', not each of the %u dimensions once, such as 12:34", zones, dimensions);
	if (r->orders == 1 && !read_dimensions(order, dimensions, r->order[0], NULL))
		return error_set(error, STATUS_USAGE, "order is '%s', not each of the %u dimensions once, such as 4321, nor random", order,
			dimensions);
	sort_order(r);
	return 0;
}

/* Divides the lanes between the classes. */
static int set_lanes(struct packet_router *router, struct error *error)
{
	struct grid_route *r = router->data;
	bool bubble = r->guard == GRID_BUBBLE;
	unsigned classes = bubble ? 1 : r->grid.classes;
	const char *why = bubble          ? "escape lanes and adaptive ones"
			  : r->orders > 1 ? "two orders"
			  : classes > 1   ? "the dateline"
					  : "its packets";
	unsigned all = classes * r->orders;
	if (packet_router_need(router, all + r->adaptive, why, error))
		return -1;
	bool escape = r->adaptive || bubble;
	for (unsigned c = 0; c < all; c++) {
		uint16_t mask = escape ? (uint16_t)(1u << c) : packet_lanes_of(router, 0, c, all);
		r->class_mask[c / classes][c % classes] = mask;
		router->leaders |= packet_first_lane(mask);
	}
	r->free = escape ? (uint16_t)(packet_lanes_all(router) & ~((1u << all) - 1)) : 0;
	router->leaders |= packet_first_lane(r->free);
	if (escape)
		router->escape = (uint16_t)((1u << all) - 1);
	if (!bubble)
		return 0;
	if (r->grid.block_switches > 1)
		return error_set(error, STATUS_USAGE, "packet routing '%s': guard 'bubble' does not support blocks of switches",
			router->routing->name);
	router->whole = r->grid.circles;
	if (r->grid.circles && router->setup.buffer < 2 * (uint64_t)router->setup.packet)
		return error_set(error, STATUS_USAGE,
			"packet routing '%s': guard 'bubble' needs a --buffer of two packets, %u bytes, not %u", router->routing->name,
			2 * router->setup.packet, router->setup.buffer);
	return 0;
}

int grid_route_setup(struct packet_router *router, const struct grid_wish *wish, struct error *error)
{
	static const char *const guards[] = {"dateline", "balanced", "bubble"}, *const ties[] = TIES_NAMES;
	struct grid_route *r = router->data = array_create(1, sizeof *r, error);
	int guard = packet_word(router, "guard", wish->guard, guards, 3, error),
	    tie = packet_word(router, "ties", wish->ties, ties, 4, error);
	if (!r || guard < 0 || tie < 0)
		return -1;
	r->guard = (enum grid_guard)guard;
	r->adaptive = wish->adaptive;
	r->ties = (enum ties)tie;
	if (r->adaptive && r->guard == GRID_BALANCED)
		return error_set(
			error, STATUS_USAGE, "packet routing '%s' does not support guard 'balanced', only dor does", router->routing->name);
	if (grid_init(&r->grid, &router->setup, error) || read_zones(r, wish, error))
		return -1;
	router->alike = !r->grid.parallel;
	return set_lanes(router, error);
}

void grid_route_clear(struct packet_router *router)
{
	struct grid_route *r = router->data;
	grid_clear(&r->grid);
	free(r);
}

/* ---- candidates */

/* A packet at a switch. */
struct position {
	const struct grid_route *route;
	const struct packet_head *packet;
	uint32_t node, block;
	const uint16_t *at, *to; /* coordinates */
	unsigned came;           /* direction in which it arrived */
	const unsigned *order;   /* of dimensions */
	const uint16_t *classes; /* lanes of each class */
};

/* Returns the escape lanes in a direction, and *bubble. */
static uint16_t escape_lanes(const struct position *p, unsigned direction, uint16_t *bubble)
{
	const struct grid_route *r = p->route;
	unsigned i = direction / 2, up = direction % 2;
	const struct grid_dimension *d = &r->grid.dimension[i];
	bool goes_on = p->came == direction, high = (goes_on || p->came == GRID_INSIDE) && (p->classes[1] >> p->packet->lane & 1);
	*bubble = 0;
	if (r->guard == GRID_BUBBLE) {
		*bubble = d->circle && !(goes_on && (p->classes[0] >> p->packet->lane & 1)) ? p->classes[0] : 0;
		return p->classes[0];
	}
	if (!d->circle)
		return p->classes[0] | p->classes[1];
	if (grid_crosses(p->at[i], p->to[i], up))
		return p->classes[0];
	bool crossed = goes_on && p->at[i] == (up ? 0 : d->width - 1);
	return r->guard == GRID_BALANCED && !high && !crossed ? p->classes[0] | p->classes[1] : p->classes[1];
}

/* Adds a candidate, or lanes to the candidate with the same channel. Returns the number of candidates. */
static unsigned add_way(struct packet_candidate *candidates, unsigned count, struct packet_candidate way)
{
	if (!way.lanes)
		return count;
	for (unsigned i = 0; i < count; i++)
		if (candidates[i].channel == way.channel) {
			candidates[i].lanes |= way.lanes;
			candidates[i].bubble |= way.bubble;
			return count;
		}
	if (count < PACKET_CANDIDATES_MAX)
		candidates[count++] = way;
	return count;
}

/* Returns the candidate of dimension order, in that direction. */
static struct packet_candidate escape_way(const struct position *p, unsigned direction)
{
	const struct grid *g = &p->route->grid;
	uint32_t exit = grid_exit(g, p->block, direction, p->packet->destination);
	uint16_t bubble;
	if (g->tail[exit] != p->node) { /* a packet that another switch of the block has sent here must not leave it by a third */
		unsigned i = direction / 2,
			 class = grid_inside_class(g, p->came, direction, grid_crosses(p->at[i], p->to[i], direction % 2));
		return (struct packet_candidate){grid_inside(g, p->node, g->tail[exit]),
			(uint16_t)(p->classes[class] | (p->came == GRID_INSIDE ? 0 : p->route->free)), 0, 0};
	}
	uint16_t lanes = escape_lanes(p, direction, &bubble);
	return (struct packet_candidate){g->channel[exit], lanes | p->route->free, 0, bubble};
}

/* Adds all channels in the direction. */
static unsigned add_free(const struct position *p, unsigned direction, struct packet_candidate *candidates, unsigned count)
{
	const struct grid *g = &p->route->grid;
	uint32_t list = p->block * 2 * g->dimensions + direction;
	for (uint32_t i = g->first[list]; i < g->first[list + 1]; i++) {
		bool here = g->tail[i] == p->node;
		if (here || p->came != GRID_INSIDE)
			count = add_way(candidates, count,
				(struct packet_candidate){
					here ? g->channel[i] : grid_inside(g, p->node, g->tail[i]), p->route->free, 0, 0});
	}
	return count;
}

/* Returns whether a tie in a dimension goes up. */
static bool tie_goes_up(const struct position *p, unsigned i)
{
	switch (p->route->ties) {
	case TIES_POSITIVE: return true;
	case TIES_NEGATIVE: return false;
	case TIES_RANDOM: return p->packet->via >> i & 1;
	default: return ties_go_up(p->at[i]); /* balanced */
	}
}

/* Finds the candidates towards another block: that of dimension order first. */
static unsigned ways_out(const struct position *p, struct packet_candidate *candidates)
{
	const struct grid_route *r = p->route;
	unsigned count = 0, zone = 0;
	for (unsigned k = 0; k < r->grid.dimensions; k++) {
		unsigned i = p->order[k];
		bool up, tie;
		if (p->at[i] == p->to[i])
			continue;
		if (count && r->zone[i] != zone)
			break;
		grid_way(&r->grid.dimension[i], p->at[i], p->to[i], &up, &tie);
		bool first = tie ? tie_goes_up(p, i) : up;
		if (!count) {
			zone = r->zone[i];
			candidates[count++] = escape_way(p, 2 * i + first);
			if (!r->adaptive)
				break;
		}
		count = add_free(p, 2 * i + first, candidates, count);
		if (tie)
			count = add_free(p, 2 * i + !first, candidates, count);
	}
	return count;
}

/* Ranks the candidates by their queues; equal ones are preferred in random order. */
static void rank(const struct packet_router *router, const struct packet_head *packet, struct packet_candidate *candidates, unsigned count)
{
	const struct grid_route *r = router->data;
	for (unsigned i = 0; i < count; i++)
		candidates[i].rank = candidates[i].lanes & r->free ? packet_rank(router, candidates[i].channel, r->free) : PACKET_RANK_MAX;
	unsigned other = packet_draw(router, packet, DRAW_WAY, count);
	struct packet_candidate first = candidates[0];
	candidates[0] = candidates[other];
	candidates[other] = first;
}

/* Returns the dimensions, a bit each, in which both directions are equally short. Others cannot become so later. */
static uint32_t find_ties(const struct grid *g, uint32_t node, uint32_t target)
{
	const uint16_t *at = grid_at(g, node), *to = grid_at(g, target);
	uint32_t ties = 0;
	for (unsigned i = 0; i < g->dimensions; i++) {
		bool up, tie = false;
		if (at[i] != to[i])
			grid_way(&g->dimension[i], at[i], to[i], &up, &tie);
		ties |= (uint32_t)tie << i;
	}
	return ties;
}

/*
 * Returns the number of bits that are drawn for each packet: for each dimension the direction if both are equally short, and then which
 * order it takes.
 */
static unsigned draws(const struct grid_route *r)
{
	return r->orders > 1 ? r->grid.dimensions + 1 : r->ties == TIES_RANDOM ? r->grid.dimensions : 0;
}

bool grid_route_decide(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice)
{
	const struct grid_route *r = router->data;
	if (!draws(r) || packet->via != NONE || node != r->grid.at[packet->source])
		return false;
	uint32_t drawn = r->orders > 1 ? 1u << r->grid.dimensions : 0;
	if (r->ties == TIES_RANDOM)
		drawn |= find_ties(&r->grid, r->grid.at[packet->source], r->grid.at[packet->destination]);
	packet->via = (1u << draws(r)) - 1;
	for (uint32_t left = drawn; left; left &= left - 1, choice >>= 1)
		if (choice & 1)
			packet->via &= ~(left & -left);
	return choice == 0;
}

unsigned grid_route_candidates(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	const struct grid_route *r = router->data;
	const struct grid *g = &r->grid;
	uint32_t target = g->at[packet->destination];
	if (node == target || g->member[node] == NONE) { /* no packet waits after, or before, these channels */
		uint32_t only = node == target ? g->last[packet->destination] : g->fabric->first_channel[node];
		*candidates = (struct packet_candidate){only, packet_lanes_all(router), 0, 0};
		return 1;
	}
	if (draws(r) && packet->via == NONE)
		packet->via = packet_draw(router, packet, DRAW_TIES, 1u << draws(r));
	unsigned order = r->orders > 1 ? packet->via >> g->dimensions & 1 : 0;
	if (g->block[node] == g->block[target]) {
		*candidates = (struct packet_candidate){grid_inside(g, node, target), r->class_mask[order][g->classes - 1] | r->free, 0, 0};
		return 1;
	}
	struct position at = {r, packet, node, g->block[node], grid_at(g, node), grid_at(g, target),
		packet->channel == NONE ? GRID_HOST : g->direction[packet->channel], r->order[order], r->class_mask[order]};
	unsigned count = ways_out(&at, candidates);
	if (count > 1)
		rank(router, packet, candidates, count);
	return count;
}
