/*
 * The grid is unbounded and has no sizes at first. A neighbour of placed switches goes to the free spot that is adjacent to most of them,
 * if at least two are adjacent to it. If only one is, the switches two cables away decide: a switch straight behind another has one common
 * neighbour with it, one round a corner has two. Rings show when the grid has grown all the way round: the cables from one end to the other
 * then all span the same length.
 *
 * Spots have keys: sums of the coordinates times random numbers, so that the key of an adjacent spot differs by the same number everywhere.
 */
#include "shapes/shape_grow.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TALLIES = 4 * GRID_DIMENSIONS * 2 * GRID_DIMENSIONS, WORK = 60 };
enum { PLACED = 1, QUEUED = 2, WAITING = 4 }; /* bits of state: has a spot, is in the queue, is in the waiting list */

struct spot {
	uint64_t key;
	uint32_t taken_by; /* switch + 1; 0: free */
};

struct tally {
	uint64_t key;
	uint32_t votes, from; /* from: a neighbour next to it */
	uint32_t dimension;
	int32_t way; /* direction from there: 1 or -1 */
};

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

int growth_init(struct growth *growth, const struct part *part, struct error *error)
{
	size_t n = part->switches, spots = 4;
	while (spots < 2 * n)
		spots *= 2;
	*growth = (struct growth){
		.part = part,
		.place = array_create(n, sizeof *growth->place, error),
		.at = array_create(n * GRID_DIMENSIONS, sizeof *growth->at, error),
		.key = array_create(n, sizeof *growth->key, error),
		.state = array_create(n, sizeof *growth->state, error),
		.queue = array_create(n, sizeof *growth->queue, error),
		.waiting = array_create(n, sizeof *growth->waiting, error),
		.count = array_create(2 * n + 3, sizeof *growth->count, error),
		.spot = array_create(spots, sizeof *growth->spot, error),
		.spots = spots,
		.tally = array_create(TALLIES, sizeof *growth->tally, error),
		.tallied = array_create(TALLIES, sizeof *growth->tallied, error),
	};
	for (uint32_t k = 0; k < GRID_DIMENSIONS; k++)
		growth->step[k] = mix(UINT64_C(0x9e3779b97f4a7c15) * (k + 1));
	return error->status ? -1 : 0;
}

void growth_clear(struct growth *growth)
{
	free(growth->place);
	free(growth->at);
	free(growth->key);
	free(growth->state);
	free(growth->queue);
	free(growth->waiting);
	free(growth->count);
	free(growth->spot);
	free(growth->tally);
	free(growth->tallied);
	*growth = (struct growth){0};
}

/* ---- the grid */

static struct spot *find_spot(const struct growth *g, uint64_t key)
{
	size_t i = mix(key) & (g->spots - 1);
	while (g->spot[i].taken_by && g->spot[i].key != key)
		i = (i + 1) & (g->spots - 1);
	return &g->spot[i];
}

/* Returns the switch at the spot, or NONE. */
static uint32_t switch_at(const struct growth *g, uint64_t key)
{
	return find_spot(g, key)->taken_by - 1;
}

/* Queues the neighbours that have no spot. */
static void wake_neighbours(struct growth *g, uint32_t v)
{
	const struct part *part = g->part;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t u = part->neighbour[i].to;
		if (g->state[u] & (PLACED | QUEUED))
			continue;
		g->state[u] |= QUEUED;
		g->queue[(g->head + g->queued++) % part->switches] = u;
	}
}

/* Puts the switch at the spot next to another switch. */
static void put(struct growth *g, uint32_t v, uint32_t from, uint32_t dimension, int32_t way)
{
	int32_t *at = g->at + (size_t)v * GRID_DIMENSIONS;
	memcpy(at, g->at + (size_t)from * GRID_DIMENSIONS, GRID_DIMENSIONS * sizeof *at);
	at[dimension] += way;
	g->low[dimension] = at[dimension] < g->low[dimension] ? at[dimension] : g->low[dimension];
	g->high[dimension] = at[dimension] > g->high[dimension] ? at[dimension] : g->high[dimension];
	g->key[v] = g->key[from] + (uint64_t)(int64_t)way * g->step[dimension];
	*find_spot(g, g->key[v]) = (struct spot){g->key[v], v + 1};
	g->state[v] |= PLACED;
	wake_neighbours(g, v);
}

static bool next_to(const struct growth *g, uint64_t a, uint64_t b)
{
	for (uint32_t k = 0; k < g->dimensions; k++)
		if (a - b == g->step[k] || b - a == g->step[k])
			return true;
	return false;
}

/*
 * Finds the opposite neighbour of each neighbour, or NONE: opposite neighbours have no other common neighbour. Returns the number of
 * dimensions, 0 if it is ambiguous.
 */
static uint32_t find_opposites(const struct part *part, uint32_t origin, uint32_t *opposite)
{
	const struct neighbour *neighbour = part->neighbour + part->first[origin];
	uint32_t degree = part_degree(part, origin), directions = 0;
	for (uint32_t i = 0; i < degree; i++) {
		opposite[i] = NONE;
		for (uint32_t j = 0; j < degree; j++) {
			if (j == i || part_common(part, neighbour[i].to, neighbour[j].to) != 1)
				continue;
			if (opposite[i] != NONE)
				return 0;
			opposite[i] = j;
		}
		directions += opposite[i] > i;
	}
	return directions <= GRID_DIMENSIONS ? directions : 0;
}

/* Places the origin and its neighbours. */
static void put_first(struct growth *g, uint32_t origin, const uint32_t *opposite)
{
	const struct part *part = g->part;
	const struct neighbour *neighbour = part->neighbour + part->first[origin];
	g->key[origin] = 0;
	memset(g->at + (size_t)origin * GRID_DIMENSIONS, 0, GRID_DIMENSIONS * sizeof *g->at);
	*find_spot(g, 0) = (struct spot){0, origin + 1};
	g->state[origin] |= PLACED;
	for (uint32_t i = 0; i < part_degree(part, origin); i++) {
		if (opposite[i] < i)
			continue;
		put(g, neighbour[i].to, origin, g->dimensions, 1);
		if (opposite[i] != NONE)
			put(g, neighbour[opposite[i]].to, origin, g->dimensions, -1);
		g->dimensions++;
	}
}

/* ---- where a switch belongs */

static const int32_t *coordinates(const struct growth *g, uint32_t v)
{
	return g->at + (size_t)v * GRID_DIMENSIONS;
}

/* Returns whether the spot is free and the sizes permit it. */
static bool is_free(const struct growth *g, const struct tally *spot)
{
	uint32_t k = spot->dimension;
	int32_t x = coordinates(g, spot->from)[k] + spot->way, size = g->sizes ? (int32_t)g->sizes->length[k] : 0;
	return switch_at(g, spot->key) == NONE && (!size || (x < g->low[k] + size && x > g->high[k] - size));
}

static void vote(struct growth *g, uint64_t key, uint32_t from, uint32_t dimension, int32_t way)
{
	size_t i = mix(key) % TALLIES;
	while (g->tally[i].votes && g->tally[i].key != key)
		i = (i + 1) % TALLIES;
	if (!g->tally[i].votes) {
		g->tally[i] = (struct tally){key, 0, from, dimension, way};
		g->tallied[g->tallies++] = (uint32_t)i;
	}
	g->tally[i].votes++;
}

/* Counts votes for the free spots next to the spots of the switch's neighbours; clear_tallies() resets them. Returns the most votes. */
static uint32_t tally_spots(struct growth *g, uint32_t v)
{
	const struct part *part = g->part;
	uint32_t most = 0, kept = 0;
	g->tallies = 0;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t u = part->neighbour[i].to;
		for (uint32_t k = 0; (g->state[u] & PLACED) && k < g->dimensions; k++) {
			vote(g, g->key[u] + g->step[k], u, k, 1);
			vote(g, g->key[u] - g->step[k], u, k, -1);
		}
	}
	for (uint32_t i = 0; i < g->tallies; i++) {
		struct tally *tally = &g->tally[g->tallied[i]];
		if (tally->votes >= most && is_free(g, tally)) {
			kept = tally->votes == most ? kept + 1 : 1;
			most = tally->votes;
		}
	}
	g->work += 1;
	return kept ? most : 0;
}

static void clear_tallies(struct growth *g)
{
	for (uint32_t i = 0; i < g->tallies; i++)
		g->tally[g->tallied[i]].votes = 0;
	g->tallies = 0;
}

/* Puts the switch at the spot adjacent to most of its neighbours, if at least two are and no other spot has as many votes. */
static void review(struct growth *g, uint32_t v)
{
	uint32_t most = tally_spots(g, v), several = 0;
	struct tally best = {0};
	for (uint32_t i = 0; i < g->tallies && most > 1; i++) {
		struct tally tally = g->tally[g->tallied[i]];
		if (tally.votes == most && is_free(g, &tally)) {
			best = tally;
			several++;
		}
	}
	clear_tallies(g);
	if (several == 1)
		put(g, v, best.from, best.dimension, best.way);
}

/* Returns the difference between the expected and the actual number of common neighbours of the switch and the one at the other spot. */
static uint32_t unlike(const struct growth *g, uint32_t v, uint64_t other, uint32_t expected)
{
	uint32_t u = switch_at(g, other);
	if (u == NONE || u == v)
		return 0;
	uint32_t common = part_common(g->part, v, u);
	return common > expected ? common - expected : expected - common;
}

/* Returns the evidence against the switch being at a spot. */
static uint32_t count_against(struct growth *g, uint32_t v, uint64_t key)
{
	const struct part *part = g->part;
	uint32_t against = 0;
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		uint32_t u = part->neighbour[i].to;
		against += (g->state[u] & PLACED) && !next_to(g, g->key[u], key) ? 2 : 0;
	}
	for (uint32_t k = 0; k < g->dimensions; k++)
		for (int way = 0; way < 2; way++) {
			uint64_t beside = way ? key + g->step[k] : key - g->step[k];
			uint32_t u = switch_at(g, beside);
			against += u != NONE && !part_cables(part, u, v);
			against += unlike(g, v, way ? beside + g->step[k] : beside - g->step[k], 1);
			for (uint32_t j = k + 1; j < g->dimensions; j++)
				against += unlike(g, v, beside + g->step[j], 2) + unlike(g, v, beside - g->step[j], 2);
		}
	g->work += 1 + g->dimensions * g->dimensions / 4;
	return against;
}

/* The best spot for a switch, and how clear that choice is. */
struct choice {
	uint32_t who;
	struct tally spot;
	uint32_t against, next; /* next: against the second best spot */
	uint64_t luck;
};

static uint64_t luck_of(const struct growth *g, uint32_t v, uint64_t key)
{
	return mix(g->luck + key + v);
}

/* Chooses the best spot; who is NONE if none is free. */
static struct choice choose(struct growth *g, uint32_t v)
{
	struct choice best = {.who = NONE, .against = UINT32_MAX / 2, .next = UINT32_MAX / 2};
	uint32_t most = tally_spots(g, v);
	for (uint32_t i = 0; i < g->tallies && most; i++) {
		struct tally tally = g->tally[g->tallied[i]];
		if (tally.votes + (most > 2) < most || !is_free(g, &tally))
			continue;
		uint64_t luck = luck_of(g, v, tally.key);
		uint32_t against = count_against(g, v, tally.key) + (g->luck % 2 ? (uint32_t)(luck >> 60) % 3 : 0);
		if (against < best.against || (against == best.against && luck < best.luck))
			best = (struct choice){v, tally, against, best.against, luck};
		else if (against < best.next)
			best.next = against;
	}
	clear_tallies(g);
	return best;
}

static bool clearer(const struct choice *a, const struct choice *b)
{
	/* the margin of the second best spot, minus the evidence against the best */
	int64_t x = (int64_t)a->next - 2 * (int64_t)a->against, y = (int64_t)b->next - 2 * (int64_t)b->against;
	return x != y ? x > y : a->luck < b->luck;
}

/*
 * Places all waiting switches whose best spot has no evidence against it or, if there is none, the one with the clearest choice. Returns
 * whether one was placed.
 */
static bool put_waiting(struct growth *g)
{
	struct choice best = {.who = NONE};
	uint32_t kept = 0, put_some = 0;
	for (uint32_t i = 0; i < g->waits; i++) {
		uint32_t v = g->waiting[i];
		if (g->state[v] & PLACED)
			continue;
		struct choice choice = choose(g, v);
		if (choice.who != NONE && !choice.against && choice.next > 1) {
			put(g, v, choice.spot.from, choice.spot.dimension, choice.spot.way);
			put_some++;
			continue;
		}
		g->waiting[kept++] = v;
		if (choice.who != NONE && (best.who == NONE || clearer(&choice, &best)))
			best = choice;
	}
	g->waits = kept;
	if (!put_some && best.who != NONE)
		put(g, best.who, best.spot.from, best.spot.dimension, best.spot.way);
	return put_some || best.who != NONE;
}

static void grow(struct growth *g)
{
	uint64_t most = (uint64_t)WORK * g->part->switches + 1000;
	do {
		while (g->queued && g->work < most) {
			uint32_t v = g->queue[g->head];
			g->head = (g->head + 1) % g->part->switches;
			g->queued--;
			g->state[v] &= (uint8_t)~QUEUED;
			review(g, v);
			if (!(g->state[v] & (PLACED | WAITING))) {
				g->state[v] |= WAITING;
				g->waiting[g->waits++] = v;
			}
		}
	} while (g->work < most && put_waiting(g));
}

/* ---- sizes */

static uint32_t round_ring(uint32_t far, uint32_t length)
{
	uint32_t rest = far % length;
	return rest < length - rest ? rest : length - rest;
}

/*
 * Counts, for each length, the cables that indicate a ring of that length: cables all the way back, or all the way round to a neighbour in
 * another dimension.
 */
static void count_rounds(struct growth *g, uint32_t dimension)
{
	const struct part *part = g->part;
	memset(g->count, 0, (2 * (size_t)part->switches + 3) * sizeof *g->count);
	for (uint32_t v = 0; v < part->switches; v++)
		for (uint32_t i = part->first[v]; (g->state[v] & PLACED) && i < part->first[v + 1]; i++) {
			uint32_t u = part->neighbour[i].to, span = 0, others = 0;
			if (u < v || !(g->state[u] & PLACED))
				continue;
			for (uint32_t k = 0; k < g->dimensions; k++) {
				uint32_t far = (uint32_t)abs(coordinates(g, u)[k] - coordinates(g, v)[k]), ring = g->dimension[k].length;
				span = k == dimension ? far : span;
				others += k == dimension ? 0 : ring ? round_ring(far, ring) : far;
			}
			if (!others && span > 1)
				g->count[span + 1]++;
			if (!others && span > 3)
				g->count[span - 1]++;
			if (others == 1 && span > 2)
				g->count[span]++;
		}
}

/* Returns the length of the ring, the longest of those indicated by equally many cables; 0 if the dimension is not a ring. */
static uint32_t ring_length(struct growth *g, uint32_t dimension)
{
	uint32_t n = g->part->switches, best = 0;
	count_rounds(g, dimension);
	for (uint32_t length = 3; length <= n; length++)
		if (g->count[length] && (!best || g->count[length] >= g->count[best]))
			best = length;
	return best && 2 * (uint64_t)g->count[best] * best >= n ? best : 0;
}

/* Returns the length of a path, and its beginning: end slices with less than half of the switches of other slices are errors. */
static uint32_t path_length(struct growth *g, uint32_t dimension, int32_t *begin)
{
	int32_t n = (int32_t)g->part->switches, low = n, high = -n;
	uint64_t all = 0;
	memset(g->count, 0, (2 * (size_t)n + 3) * sizeof *g->count);
	for (uint32_t v = 0; v < g->part->switches; v++) {
		int32_t x = coordinates(g, v)[dimension];
		if (!(g->state[v] & PLACED))
			continue;
		g->count[n + x]++;
		low = x < low ? x : low;
		high = x > high ? x : high;
		all++;
	}
	while (low < high && 2 * g->count[n + low] * (uint64_t)(high - low + 1) < all)
		all -= g->count[n + low++];
	while (low < high && 2 * g->count[n + high] * (uint64_t)(high - low + 1) < all)
		all -= g->count[n + high--];
	*begin = low;
	return (uint32_t)(high - low + 1);
}

/* Adds each switch's coordinate along the dimension found last to its place. */
static void add_coordinates(struct growth *g, uint32_t dimension, int32_t begin, uint32_t length, bool ring, uint32_t stride)
{
	for (uint32_t v = 0; v < g->part->switches; v++) {
		int32_t x = coordinates(g, v)[dimension] - begin, size = (int32_t)length;
		if (!(g->state[v] & PLACED) || g->place[v] == NONE || (!ring && (x < 0 || x >= size)))
			g->place[v] = NONE;
		else
			g->place[v] += (uint32_t)((x % size + size) % size) * stride;
	}
}

/* Finds the dimensions that are rings: a cable may lead round several rings, so known rings help to find others. */
static void find_rings(struct growth *g)
{
	memset(g->dimension, 0, sizeof g->dimension);
	for (int turn = 0; turn < 2; turn++)
		for (uint32_t k = 0; k < g->dimensions; k++)
			if (!g->dimension[k].ring) {
				uint32_t length = ring_length(g, k);
				g->dimension[k] = (struct shape_dimension){length, length > 0, 0};
			}
}

/* Determines sizes and places. Returns whether these make up all switches, or a few more. */
static bool measure(struct growth *g)
{
	uint32_t found = g->dimensions, n = g->part->switches;
	uint64_t stride = 1;
	find_rings(g);
	memset(g->place, 0, n * sizeof *g->place);
	g->dimensions = 0;
	for (uint32_t k = 0; k < found; k++) {
		int32_t begin = 0;
		bool ring = g->dimension[k].ring;
		uint32_t length = ring ? g->dimension[k].length : path_length(g, k, &begin);
		add_coordinates(g, k, begin, length, ring, (uint32_t)stride);
		stride *= length;
		if (stride > (uint64_t)n + missing_allowed(g->part))
			return false;
		if (length > 1)
			g->dimension[g->dimensions++] = (struct shape_dimension){length, ring, 0};
	}
	return stride >= n;
}

bool growth_from(struct growth *growth, uint32_t origin, const struct sizes *sizes, uint64_t luck)
{
	struct growth *g = growth;
	uint32_t opposite[2 * GRID_DIMENSIONS];
	g->dimensions = g->head = g->queued = g->waits = 0;
	g->work = 0;
	g->sizes = sizes;
	g->luck = luck;
	uint32_t directions = find_opposites(g->part, origin, opposite);
	if (!directions || (sizes && sizes->dimensions != directions))
		return false;
	memset(g->low, 0, sizeof g->low);
	memset(g->high, 0, sizeof g->high);
	memset(g->state, 0, g->part->switches * sizeof *g->state);
	memset(g->spot, 0, g->spots * sizeof *g->spot);
	put_first(g, origin, opposite);
	grow(g);
	return measure(g);
}
