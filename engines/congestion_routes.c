/*
 * Where the routes of pairs come from: a table that holds them whole, or else walks along the forwarding tables, several in turn, as they
 * wait for memory nearly always.
 */
#include "congestion_workspace.h"

enum { AHEAD = 24 }; /* pairs between asking for an entry of the table and its use */

/* Appends a route of that many channels to the buffer, and counts it in the first pass; or notes that there is none (length < 0). */
static void end_route(struct congestion *e, const struct pair *pair, const uint32_t *channels, int length)
{
	if (length < 0) {
		e->level->unroutable += e->counting;
		if (!e->setup.drop && (!e->bad_pair || pair < e->bad_pair))
			e->bad_pair = pair;
		return;
	}
	if (array_grow(&e->route, &e->route_capacity, e->route_used + (size_t)length, sizeof *e->route, e->error)) {
		e->result = CONGESTION_FAILED;
		return;
	}
	uint32_t *route = e->route + e->route_used;
	for (int hop = 0; hop < length; hop++) {
		route[hop] = channels[hop];
		e->count[route[hop]] += e->counting;
	}
	e->record[e->records++] = (struct record){*pair, (uint32_t)length};
	e->route_used += (size_t)length;
}

/* After a block: a pair without a route ends it all. The first counts, whichever way the routes are found. */
static void refuse_bad_pair(struct congestion *e)
{
	if (!e->bad_pair)
		return;
	e->bad_source = e->host[e->bad_pair->sender];
	e->bad_destination = e->host[e->bad_pair->receiver];
	e->result = CONGESTION_UNROUTABLE;
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
	if (array_grow(&e->record, &e->record_capacity, e->records + count, sizeof *e->record, e->error))
		e->result = CONGESTION_FAILED;
	while (lanes < LANES && start_route(e, &e->lane[lanes], pairs, &next, count, &pair[lanes]))
		lanes++;
	while (lanes && e->result == CONGESTION_FINE) {
		for (int l = 0; l < lanes; l++) {
			int ending = walk_step(&e->lane[l], e->setup.fabric, e->setup.forwarding);
			if (ending == ROUTE_GOES_ON)
				continue;
			end_route(e, &pairs[pair[l]], e->lane[l].channels, ending == ROUTE_ARRIVED ? (int)e->lane[l].length : ending);
			if (start_route(e, &e->lane[l], pairs, &next, count, &pair[l]))
				continue;
			struct walk ended = e->lane[l]; /* the last lane moves here, and takes its step in the next round */
			e->lane[l] = e->lane[--lanes];
			e->lane[lanes] = ended;
			pair[l] = pair[lanes];
		}
	}
}

/* One route alone; there is room for its record. */
static void walk_pair(struct congestion *e, const struct pair *pair)
{
	uint32_t *channels = e->lane[0].channels;
	int length = routes_walk(e->setup.fabric, e->setup.forwarding, e->host[pair->sender], e->host[pair->receiver], channels);
	end_route(e, pair, channels, length);
}

/* Looks the routes of a block of pairs up, each a fixed number of channels; those that the table does not hold are walked. */
static inline __attribute__((always_inline)) void look_up_block(
	struct congestion *e, const struct pair *pairs, size_t count, uint32_t inner)
{
	const struct paths *paths = e->setup.paths;
	const uint32_t *host = e->host, *entry[BLOCK + AHEAD];
	uint32_t *counts = e->count;
	size_t length = inner + 2;
	if (array_grow(&e->record, &e->record_capacity, e->records + count, sizeof *e->record, e->error) ||
		array_grow(&e->route, &e->route_capacity, e->route_used + count * length, sizeof *e->route, e->error))
		e->result = CONGESTION_FAILED;
	if (e->result != CONGESTION_FINE)
		return;
	for (size_t i = 0; i < count + AHEAD && !e->bad_pair; i++) {
		if (i < count) {
			uint32_t source = host[pairs[i].sender], destination = host[pairs[i].receiver];
			entry[i] = source == destination ? NULL : paths_entry(paths, source, destination);
			__builtin_prefetch(entry[i]);
		}
		if (i < AHEAD || !entry[i - AHEAD])
			continue;
		const struct pair *pair = &pairs[i - AHEAD];
		const uint32_t *from = entry[i - AHEAD];
		if (from[0] >= PATH_LONG) {
			e->alike = false;
			walk_pair(e, pair); /* it may have taken the room of others */
			if (array_grow(&e->route, &e->route_capacity, e->route_used + count * length, sizeof *e->route, e->error))
				e->result = CONGESTION_FAILED;
			if (e->result != CONGESTION_FINE)
				return;
			continue;
		}
		uint32_t *route = e->route + e->route_used;
		for (uint32_t k = 0; k < inner; k++)
			route[k] = from[k];
		route[inner] = paths->end[host[pair->sender]].first;
		route[inner + 1] = paths->end[host[pair->receiver]].last;
		if (e->counting)
			for (uint32_t k = 0; k < length; k++)
				counts[route[k]]++;
		e->record[e->records++] = (struct record){*pair, (uint32_t)length};
		e->route_used += length;
	}
}

void route_block(struct congestion *e, const struct pair *pairs, size_t count)
{
	e->bad_pair = NULL;
	if (!e->setup.paths)
		walk_block(e, pairs, count);
	else if (e->setup.paths->inner == 4)
		look_up_block(e, pairs, count, 4);
	else
		look_up_block(e, pairs, count, e->setup.paths->inner);
	refuse_bad_pair(e);
}
