/* Assigns the switches to places of a whole topology, by the majority of their neighbours, so that a few deviating cables do not matter. */
#ifndef SHAPES_SHAPE_PLACE_H
#define SHAPES_SHAPE_PLACE_H

#include "shapes/shape_part.h"

/* A whole topology: places 0..places-1, at least as many as switches. All links of a kind have equally many cables. */
struct ideal_place {
	uint32_t places, kinds;
	uint32_t *first;        /* [places + 1] */
	struct neighbour *link; /* [first[places]] ascending for each place after ideal_finish() */
	size_t links, capacity;
};

/* Begin: then add the links of each place in order, with ideal_next() after each. Returns 0, or -1. Call ideal_clear() in either case. */
int ideal_init(struct ideal_place *ideal, uint32_t places, struct error *error);
int ideal_link(struct ideal_place *ideal, uint32_t to, uint32_t kind, struct error *error);
void ideal_next(struct ideal_place *ideal);
void ideal_clear(struct ideal_place *ideal);

static inline bool ideal_linked(const struct ideal_place *ideal, uint32_t a, uint32_t b)
{
	return find_neighbour(ideal->link, ideal->first[a], ideal->first[a + 1], b);
}

/* The places of the switches. */
struct places {
	const struct part *part;
	const struct ideal_place *ideal;
	uint32_t *place; /* [switches] NONE: unknown */
	uint32_t *at;    /* [places] the switch at the place, NONE: none */
	uint32_t *fit;   /* [switches] number of neighbours adjacent to its place */
	uint32_t *votes; /* [places] 0 except while counting */
	uint32_t *voted; /* [places] */
	bool *settled;   /* [switches] */
};

int places_init(struct places *places, const struct part *part, const struct ideal_place *ideal, struct error *error);
void places_clear(struct places *places);

/*
 * Assigns places by votes. A switch is settled if at least half of its neighbours are adjacent to its place and no other switch there has a
 * larger share; in rounds, other switches move to the free place adjacent to most of their settled neighbours. Finally, switches without a
 * place of their own get a free one, and pairs of switches exchange places while that makes more cables fit. Returns whether all have a
 * place: not if more than a quarter had none. Time O(links log neighbours) per round, and for each switch that moves O(its neighbours'
 * links).
 */
bool places_settle(struct places *places);

/* Makes the plan: the links between all places. cables: [kinds] cables of most links of each kind. Returns 0, or -1. */
int places_plan(const struct places *places, struct plan *plan, uint32_t *cables, struct error *error);

/* Keeps the places of a grid in the plan. Returns 0, or -1. */
int places_keep(const struct places *places, struct plan *plan, const uint32_t *length, uint32_t dimensions, struct error *error);

#endif
