/* Switches are given places in a whole topology: by most of their neighbours, so that a few cables that deviate do not matter. */
#ifndef SHAPES_SHAPE_PLACE_H
#define SHAPES_SHAPE_PLACE_H

#include "shapes/shape_part.h"

/* A whole topology: places 0..places-1, at least as many as switches. Links of a kind have equally many cables. */
struct ideal {
	uint32_t places, kinds;
	uint32_t *first;        /* [places + 1] */
	struct neighbour *link; /* [first[places]] ascending for each place once ideal_finish was called */
	size_t links, capacity;
};

/* Adds the links of the place that comes next; then ideal_next. Returns 0, or -1. ideal_clear() in every case. */
int ideal_init(struct ideal *ideal, uint32_t places, struct error *error);
int ideal_link(struct ideal *ideal, uint32_t to, uint32_t kind, struct error *error);
void ideal_next(struct ideal *ideal);
void ideal_clear(struct ideal *ideal);

static inline bool ideal_linked(const struct ideal *ideal, uint32_t a, uint32_t b)
{
	return find_neighbour(ideal->link, ideal->first[a], ideal->first[a + 1], b);
}

/* Where switches are. */
struct places {
	const struct part *part;
	const struct ideal *ideal;
	uint32_t *place; /* [switches] NONE: not known */
	uint32_t *at;    /* [places] the switch there, NONE: none */
	uint32_t *fit;   /* [switches] neighbours that are next to its place */
	uint32_t *votes; /* [places] 0 but while they are counted */
	uint32_t *voted; /* [places] */
	bool *settled;   /* [switches] */
};

int places_init(struct places *places, const struct part *part, const struct ideal *ideal, struct error *error);
void places_clear(struct places *places);

/*
 * A switch is settled if at least half of its neighbours are next to its place, and no other switch there has a larger share; others move
 * to the free place that most settled neighbours are next to, in rounds. Those that have no place of their own in the end get a free one,
 * and pairs of switches change places while more cables fit that way. Returns whether all have a place: no, if it was more than a quarter
 * that had none. Time O(links log neighbours) a round, and for each switch that moves O(its neighbours' links).
 */
bool places_settle(struct places *places);

/* The links between all places. cables: [kinds] what most links of each kind have. Returns 0, or -1. */
int places_plan(const struct places *places, struct plan *plan, uint32_t *cables, struct error *error);

#endif
