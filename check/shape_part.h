/* What the recognisers of shapes share: one plane of switches as a graph, and the links that a shape wants. */
#ifndef CHECK_SHAPE_PART_H
#define CHECK_SHAPE_PART_H

#include "shape.h"

/* All parallel cables between two switches, numbered within the part; of a neighbour, its end. */
struct neighbour {
	uint32_t to, cables;
};

/* Switches 0..switches-1 that cables connect. */
struct part {
	uint32_t switches, links; /* links: pairs of neighbours */
	uint64_t cables;
	uint32_t *node;              /* [switches] */
	uint32_t *hosts;             /* [switches] how many have a cable to it */
	uint32_t *first;             /* [switches + 1] */
	struct neighbour *neighbour; /* [first[switches]] ascending for each switch */
};

struct link {
	uint32_t a, b, cables;
};

/* What a recogniser finds: links that the shape wants, each once, and what to call it. */
struct plan {
	struct link *link; /* [links] */
	size_t links, capacity;
	const char *kind;
	char name[300];
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t *level; /* [switches] of trees; else NULL */
};

int plan_link(struct plan *plan, uint32_t a, uint32_t b, uint32_t cables, struct error *error);
void plan_clear(struct plan *plan);

/* How many cables must be taken away or added for the plan; stops counting beyond limit. Sorts plan->link. Time O(links log links). */
uint64_t plan_deviations(const struct part *part, struct plan *plan, uint64_t limit);

/* The cables between two switches of the part. Time O(log neighbours). */
uint32_t part_cables(const struct part *part, uint32_t a, uint32_t b);

static inline uint32_t part_degree(const struct part *part, uint32_t a)
{
	return part->first[a + 1] - part->first[a];
}

/* Common neighbours of two switches. Time O(their neighbours). */
uint32_t part_common(const struct part *part, uint32_t a, uint32_t b);

/* The value that occurs most among values[0..count-1], of several the largest; sorts them. 0 if there are none. */
uint32_t most_common(uint32_t *values, size_t count);

/* So many deviations still are this shape. */
static inline uint64_t deviations_allowed(const struct part *part)
{
	return part->cables < 40 ? 1 : part->cables / 20;
}

/* Each fills a zeroed plan if the part may have the shape; else it leaves plan->kind NULL. Return 0, or -1 when the memory is not there. */
int shape_tree(const struct part *part, struct plan *plan, struct error *error);
int shape_full_mesh(const struct part *part, struct plan *plan, struct error *error);
int shape_torus(const struct part *part, struct plan *plan, struct error *error);
int shape_dragonfly(const struct part *part, struct plan *plan, struct error *error);

#endif
