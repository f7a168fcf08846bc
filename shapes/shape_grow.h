/* A grid grown switch by switch from an origin: finds the sizes and the places if many cables are missing. */
#ifndef SHAPES_SHAPE_GROW_H
#define SHAPES_SHAPE_GROW_H

#include "shapes/shape_sizes.h"

enum { GRID_DIMENSIONS = SHAPE_VALUES };

struct shape_dimension {
	uint32_t length;
	bool ring;
	uint32_t cables; /* parallel cables */
};

struct spot;  /* of the grid, with the switch placed there */
struct tally; /* number of a switch's neighbours that are adjacent to a spot */

struct growth {
	const struct part *part;
	/* results */
	uint32_t dimensions;
	struct shape_dimension dimension[GRID_DIMENSIONS];
	uint32_t *place; /* [switches] the first dimension fastest; NONE: unknown */
	/* state */
	int32_t low[GRID_DIMENSIONS], high[GRID_DIMENSIONS]; /* the range of the coordinates so far */
	const struct sizes *sizes;                           /* limits, or NULL */
	uint64_t step[GRID_DIMENSIONS];                      /* difference of keys of adjacent spots */
	int32_t *at;                                         /* [switches][GRID_DIMENSIONS] coordinates */
	uint64_t *key;                                       /* [switches] key of its spot */
	uint8_t *state;                                      /* [switches] */
	uint32_t *queue;                                     /* [switches] to be visited, a ring buffer */
	uint32_t head, queued;
	uint32_t *waiting; /* [switches] adjacent to the grid, spot not clear */
	uint32_t waits;
	uint32_t *count; /* [2 * switches + 3] */
	struct spot *spot;
	size_t spots; /* a power of two */
	struct tally *tally;
	uint32_t *tallied; /* indices of the tallies in use */
	uint32_t tallies;
	uint64_t work, luck;
};

/* Allocates. Returns 0, or -1; call growth_clear() in either case. No switch may have more than 2 GRID_DIMENSIONS neighbours. */
int growth_init(struct growth *growth, const struct part *part, struct error *error);
void growth_clear(struct growth *growth);

/*
 * Grows from an origin whose neighbours' directions are clear, up to the sizes unless they are NULL. luck: chooses among spots that suit a
 * switch equally well; if odd, also among slightly worse ones. Returns whether the resulting sizes make up all switches, or a few more.
 * Time O(switches dimensions^2 neighbours); up to some tens of times that for fabrics that are not grids.
 */
bool growth_from(struct growth *growth, uint32_t origin, const struct sizes *sizes, uint64_t luck);

#endif
