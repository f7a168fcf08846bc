/* A grid, grown switch by switch from an origin: finds the sizes and the places where many cables are missing. */
#ifndef SHAPES_SHAPE_GROW_H
#define SHAPES_SHAPE_GROW_H

#include "shapes/shape_sizes.h"

enum { GRID_DIMENSIONS = SHAPE_VALUES };

struct grid_dimension {
	uint32_t length;
	bool ring;
	uint32_t cables; /* parallel */
};

struct spot;  /* of the grid: what is there */
struct tally; /* for a switch: how many of its neighbours are next to a spot */

struct growth {
	const struct part *part;
	/* what comes of it */
	uint32_t dimensions;
	struct grid_dimension dimension[GRID_DIMENSIONS];
	uint32_t *place; /* [switches] the first dimension fastest; NONE: not known */
	/* on the way */
	int32_t low[GRID_DIMENSIONS], high[GRID_DIMENSIONS]; /* the coordinates so far */
	const struct sizes *sizes;                           /* that it must not exceed, or NULL */
	uint64_t step[GRID_DIMENSIONS];                      /* from the key of a spot to that of the next one */
	int32_t *at;                                         /* [switches][GRID_DIMENSIONS] coordinates */
	uint64_t *key;                                       /* [switches] of its spot */
	uint8_t *state;                                      /* [switches] */
	uint32_t *queue;                                     /* [switches] to be looked at, in a circle */
	uint32_t head, queued;
	uint32_t *waiting; /* [switches] next to the grid, not clear where */
	uint32_t waits;
	uint32_t *count; /* [2 * switches + 3] */
	struct spot *spot;
	size_t spots; /* a power of two */
	struct tally *tally;
	uint32_t *tallied; /* indices of those that are used */
	uint32_t tallies;
	uint64_t work, luck;
};

/* Returns 0, or -1; growth_clear() in every case. No switch has more than 2 GRID_DIMENSIONS neighbours. */
int growth_init(struct growth *growth, const struct part *part, struct error *error);
void growth_clear(struct growth *growth);

/*
 * Grows from an origin whose neighbours' directions are clear, to no more than the sizes, if they are not NULL. luck: decides where several
 * spots suit a switch as well; where it is odd, also where one suits a little better. Returns whether the sizes that come of it make up all
 * switches, or a few more. Time O(switches dimensions^2 neighbours), of fabrics that are no grid up to some tens of times that.
 */
bool growth_from(struct growth *growth, uint32_t origin, const struct sizes *sizes, uint64_t luck);

#endif
