/*
 * The routes of pairs: from a table that holds them whole, by sums in trees, otherwise from walks along the forwarding tables, several in
 * turn, as they nearly always wait for memory.
 */
#include "base/memory.h"
#include "engines/congestion/congestion_workspace.h"

enum { AHEAD = 64 }; /* pairs between the prefetch of an entry of the table and its use */

/* Makes room in the buffer for more routes, and channels in all. Returns false if out of memory. */
static bool make_room(struct congestion *e, size_t routes, size_t channels)
{
	if (array_grow(&e->route, &e->route_capacity, e->route_used + channels, sizeof *e->route, e->error) ||
		(!e->alike && array_grow(&e->length, &e->length_capacity, e->routes + routes, sizeof *e->length, e->error)) ||
		(e->take && array_grow(&e->pair, &e->pair_capacity, e->routes + routes, sizeof *e->pair, e->error)))
		e->result = RUN_FAILED;
	return e->result == RUN_OK;
}

/* Notes that routes differ in length from here on. Returns false if out of memory for their lengths. */
static bool end_alike(struct congestion *e)
{
	uint32_t length = e->alike;
	e->alike = 0;
	if (!make_room(e, 0, 0))
		return false;
	for (size_t i = 0; length && i < e->routes; i++)
		e->length[i] = length;
	return true;
}

/* Appends a route of this number of channels to the buffer, and counts it in the first pass; or notes that there is none (length < 0). */
static void end_route(struct congestion *e, const struct pair *pair, const uint32_t *channels, int length)
{
	if (length < 0) {
		e->level->unroutable += e->counting;
		if (!e->setup.drop && (!e->bad_pair || pair < e->bad_pair))
			e->bad_pair = pair;
		return;
	}
	if ((e->alike && !end_alike(e)) || !make_room(e, 1, (size_t)length))
		return;
	uint32_t *route = e->route + e->route_used;
	for (int hop = 0; hop < length; hop++) {
		route[hop] = channels[hop];
		e->wide |= count_add(e, e->narrow, route[hop], e->counting);
	}
	if (e->take)
		e->pair[e->routes] = *pair;
	e->length[e->routes++] = (uint32_t)length;
	e->route_used += (size_t)length;
}

void refuse_bad_pair(struct congestion *e)
{
	if (!e->bad_pair)
		return;
	e->bad_source = e->host[e->bad_pair->sender];
	e->bad_destination = e->host[e->bad_pair->receiver];
	e->result = RUN_UNROUTABLE;
}

/* Starts the next pair of the block that needs the network. Returns whether there was one. */
static bool start_route(struct congestion *e, struct walk *walk, const struct pair *pairs, size_t *next, size_t count, size_t *pair)
{
	while (*next < count && !e->bad_pair) {
		*pair = (*next)++;
		uint32_t source = e->host[pairs[*pair].sender], destination = e->host[pairs[*pair].receiver];
		if (source != destination) {
			walk_start(walk, e->setup.fabric, e->setup.forwarding, source, destination);
			return true;
		}
	}
	return false;
}

/* Walks the routes of a block of pairs, LANES at a time. */
static void walk_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	size_t next = 0, pair[LANES];
	int lanes = 0;
	while (lanes < LANES && start_route(e, &e->lane[lanes], pairs, &next, count, &pair[lanes]))
		lanes++;
	while (lanes && e->result == RUN_OK) {
		for (int l = 0; l < lanes; l++) {
			int ending = walk_step(&e->lane[l], e->setup.fabric, e->setup.forwarding);
			if (ending == ROUTE_GOES_ON)
				continue;
			end_route(e, &pairs[pair[l]], e->lane[l].channels, ending == ROUTE_ARRIVED ? (int)e->lane[l].length : ending);
			if (start_route(e, &e->lane[l], pairs, &next, count, &pair[l]))
				continue;
			struct walk ended = e->lane[l]; /* the last lane moves here, and makes its step in the next round */
			e->lane[l] = e->lane[--lanes];
			e->lane[lanes] = ended;
			pair[l] = pair[lanes];
		}
	}
}

/* Walks a single route. */
static void walk_pair(struct congestion *e, const struct pair *pair)
{
	uint32_t *channels = e->lane[0].channels;
	int length = walk_route(e->setup.fabric, e->setup.forwarding, e->host[pair->sender], e->host[pair->receiver], channels);
	end_route(e, pair, channels, length);
}

/*
 * Looks up the routes of a block of pairs, each a fixed number of channels, with the first and the last or without; those that the table
 * does not hold are walked.
 */
static inline __attribute__((always_inline)) void look_up_block(
	struct congestion *e, const struct pair *pairs, size_t count, uint32_t inner, bool ends, bool narrow)
{
	const struct route_cache *route_cache = e->setup.route_cache;
	const uint32_t *host = e->host, *asked[AHEAD];
	uint32_t *route = e->route + e->route_used;
	const uint32_t length = inner + (ends ? 2 : 0), add = e->counting;
	for (size_t i = 0; i < count + AHEAD && !e->bad_pair; i++) {
		const struct pair *pair = &pairs[i - AHEAD];
		const uint32_t *entry = i < AHEAD ? NULL : asked[i % AHEAD];
		if (i < count) {
			uint32_t source = host[pairs[i].sender], destination = host[pairs[i].receiver];
			asked[i % AHEAD] = source == destination ? NULL : route_cache_entry(route_cache, source, destination);
			__builtin_prefetch(asked[i % AHEAD], 0, 0);
		}
		if (!entry)
			continue;
		if (entry[0] >= ROUTE_CACHE_LONG) {
			walk_pair(e, pair); /* may have taken the room of others */
			if (e->result != RUN_OK || !make_room(e, count, count * length))
				return;
			route = e->route + e->route_used;
			continue;
		}
		uint32_t *between = route + ends;
		for (uint32_t k = 0; k < inner; k++)
			between[k] = entry[k];
		if (ends) {
			route[0] = route_cache->first[host[pair->sender]];
			route[inner + 1] = route_cache->last[host[pair->receiver]];
		}
		for (uint32_t k = 0; k < length; k++)
			count_add(e, narrow, route[k], add);
		if (e->take)
			e->pair[e->routes] = *pair;
		if (!e->alike)
			e->length[e->routes] = length;
		e->routes++;
		e->route_used += length;
		route += length;
	}
}

/* Looks up routes, with the most frequent lengths known to the compiler. */
static void look_up(struct congestion *e, const struct pair *pairs, size_t count)
{
	uint32_t inner = e->setup.route_cache->inner;
	if (!make_room(e, count, count * (inner + 2)))
		return;
	if (inner == 4 && !e->ends && e->narrow)
		look_up_block(e, pairs, count, 4, false, true);
	else if (inner == 4)
		look_up_block(e, pairs, count, 4, e->ends, e->narrow);
	else
		look_up_block(e, pairs, count, inner, e->ends, e->narrow);
	e->wide |= e->narrow && e->routes > UINT16_MAX; /* cheaper than a check of each counter */
}

/*
 * Adds up the routes of a block of pairs of a tree, padded to one length. far: counters are scattered over memory; each is prefetched some
 * time before it is counted.
 */
static inline __attribute__((always_inline)) void tree_block(
	struct congestion *e, const struct pair *pairs, size_t count, uint32_t levels, bool ends, bool narrow, bool far)
{
	const struct route_cache *route_cache = e->setup.route_cache;
	const struct tree_routes tree = *route_cache->tree;
	const uint32_t *host = e->host, length = 2 * levels - (ends ? 0 : 2), add = e->counting, blank = route_cache->blank;
	uint32_t *const first = e->route + e->route_used, *route = first, *counted = first;
	size_t routes = 0;
	bool wide = false;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender], destination = host[pairs[i].receiver];
		if (source == destination)
			continue;
		tree_routes_inner(tree_routes_leaf(&tree, source), tree_routes_leaf(&tree, destination),
			tree_routes_added(&tree, destination), levels, blank, route + ends);
		if (ends) {
			route[0] = route_cache->first[source];
			route[length - 1] = route_cache->last[destination];
		}
		for (uint32_t k = 0; k < length; k++)
			if (far)
				count_prefetch(e, route[k]);
			else
				count_add(e, narrow, route[k], add);
		if (e->take)
			e->pair[e->routes + routes] = pairs[i];
		routes++;
		route += length;
		for (; far && counted + CHANNELS_AHEAD < route; counted++)
			wide |= count_add(e, narrow, *counted, add);
	}
	for (; far && counted < route; counted++)
		wide |= count_add(e, narrow, *counted, add);
	for (size_t i = 0; !e->alike && i < routes; i++)
		e->length[e->routes + i] = length;
	e->routes += routes;
	e->route_used += routes * length;
	e->wide |= narrow && (far ? wide : e->routes > UINT16_MAX);
}

/* Adds up routes, with the most frequent numbers of levels known to the compiler. */
static void add_up(struct congestion *e, const struct pair *pairs, size_t count)
{
	uint32_t levels = e->setup.route_cache->tree->levels;
	if (!make_room(e, count, count * 2 * levels))
		return;
	if (levels == 3 && !e->ends && e->narrow && !e->far)
		tree_block(e, pairs, count, 3, false, true, false);
	else if (levels == 4 && !e->ends && e->narrow)
		tree_block(e, pairs, count, 4, false, true, e->far);
	else
		tree_block(e, pairs, count, levels, e->ends, e->narrow, e->far);
}

/* Computes the routes of a block of pairs. Their counters are scattered over memory: each is prefetched some time before it is counted. */
static void compute_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct routing_function *function = e->setup.forwarding->function;
	uint32_t longest = routing_function_longest(function);
	size_t counted = e->route_used;
	if (!make_room(e, count, count * longest))
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = e->host[pairs[i].sender], destination = e->host[pairs[i].receiver], *route = e->route + e->route_used;
		if (source == destination)
			continue;
		uint32_t length = routing_function_route(function, source, destination, e->ends, route);
		for (uint32_t k = 0; e->far && k < length; k++)
			count_prefetch(e, route[k]);
		if (e->take)
			e->pair[e->routes] = pairs[i];
		e->length[e->routes++] = length;
		e->route_used += length;
		for (; counted + CHANNELS_AHEAD < e->route_used; counted++)
			e->wide |= count_add(e, e->narrow, e->route[counted], e->counting);
	}
	for (; counted < e->route_used; counted++)
		e->wide |= count_add(e, e->narrow, e->route[counted], e->counting);
}

/* Draws one of the routes of each pair. */
static void draw_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count && !e->bad_pair && e->result == RUN_OK; i++) {
		uint32_t source = e->host[pairs[i].sender], destination = e->host[pairs[i].receiver];
		if (source != destination) {
			int length = route_choice_route(e->setup.multipath, source, destination);
			end_route(e, &pairs[i], e->setup.multipath->channel, length);
		}
	}
}

void route_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	e->bad_pair = NULL;
	if (e->setup.multipath)
		draw_block(e, pairs, count);
	else if (e->setup.route_cache && e->setup.route_cache->tree)
		add_up(e, pairs, count);
	else if (e->setup.route_cache)
		look_up(e, pairs, count);
	else if (e->setup.forwarding->function)
		compute_block(e, pairs, count);
	else
		walk_block(e, pairs, count);
	refuse_bad_pair(e);
}
