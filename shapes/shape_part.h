/*
 * Shared by the recognisers of shapes: one plane of switches as a graph, and the links of a shape. Every recogniser finds the place of each
 * switch in the whole topology (shape_place.h), or its group. The plan follows from these by the topology's definition alone, so a claim is
 * true however it was found.
 */
#ifndef SHAPES_SHAPE_PART_H
#define SHAPES_SHAPE_PART_H

#include "shapes/shape.h"

/* The link from a switch, numbered within the part, to another, with all parallel cables; or from a place to another (shape_place.h). */
struct neighbour {
	uint32_t to;
	union {
		uint32_t cables;
		uint32_t kind;
	};
};

/* Compares by their ends, for qsort. */
int compare_neighbours(const void *left, const void *right);

/* Finds a neighbour in list[low..high-1], which is ascending. NULL if there is none. Time O(log neighbours). */
static inline const struct neighbour *find_neighbour(const struct neighbour *list, uint32_t low, uint32_t high, uint32_t to)
{
	uint32_t end = high;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (list[middle].to < to)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && list[low].to == to ? &list[low] : NULL;
}

/* Switches 0..switches-1 that cables connect. */
struct part {
	uint32_t switches, links; /* links: pairs of neighbours */
	uint64_t cables;
	uint32_t *node;                   /* [switches] */
	uint32_t *hosts;                  /* [switches] number of hosts with a cable to it */
	uint32_t least_rails, most_rails; /* number of switches of the part that one of its hosts is connected to */
	uint32_t *first;                  /* [switches + 1] */
	struct neighbour *neighbour;      /* [first[switches]] ascending for each switch */
	uint32_t *stray; /* [strays] channels between switches that are not part of a cable: without one back, or to their own tail */
	uint32_t strays;
	bool whole; /* search only for shapes without deviations */
};

struct link {
	uint32_t a, b, cables;
};

/* The result of a recogniser: all links of the shape, each once, and its name. */
struct plan {
	struct link *link; /* [links] ends >= part->switches are missing switches */
	size_t links, capacity;
	uint32_t missing; /* number of missing switches */
	const char *kind;
	char name[300];
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t *level; /* [switches] of trees; otherwise NULL */
	uint32_t *place; /* [switches] of grids in them, the first dimension fastest; of groups the group; otherwise NULL */
	uint32_t grid[SHAPE_VALUES], dimensions; /* lengths of the dimensions of places; dimensions: 0 if there is no grid */
};

int plan_link(struct plan *plan, uint32_t a, uint32_t b, uint32_t cables, struct error *error);
void plan_clear(struct plan *plan);

/*
 * Returns the number of cables to remove or add for the plan, including strays, without cables of missing switches; stops counting beyond
 * limit. Sorts plan->link. Time O(links log links).
 */
uint64_t plan_deviations(const struct part *part, struct plan *plan, uint64_t limit);

/* Returns the deviations plus the cables of missing switches; UINT64_MAX if they exceed the limit. Sorts plan->link. */
uint64_t plan_cost(const struct part *part, struct plan *plan);

/*
 * Returns whether the only deviations are missing cables, as many as the plan has more than the part: no other places of the same shape
 * cost less.
 */
bool plan_is_least(const struct part *part, const struct plan *plan, uint64_t cost);

/* Steps through the links of the part and those of the plan, which is sorted, in parallel. */
struct difference {
	uint32_t a, b, wanted, there;
};

struct walk_links {
	const struct part *part;
	const struct plan *plan;
	uint32_t a, at; /* of the part: neighbour[at] of switch a */
	size_t link;    /* of the plan */
};

/* Finds the next link with more or fewer cables than wanted. Returns whether there is one. */
bool next_difference(struct walk_links *walk, struct difference *difference);

/* Returns the number of cables between two switches of the part. Time O(log neighbours). */
uint32_t part_cables(const struct part *part, uint32_t a, uint32_t b);

static inline uint32_t part_degree(const struct part *part, uint32_t a)
{
	return part->first[a + 1] - part->first[a];
}

/*
 * Returns the number of common neighbours of two switches. Time O(neighbours of the one that has fewer, times log those of the other), or
 * O(sum of both).
 */
uint32_t part_common(const struct part *part, uint32_t a, uint32_t b);

/*
 * Marks leaves without hosts: switches that have more than half of their neighbours in common with a marked switch. votes: [switches] all 0
 */
void part_mark_alike(const struct part *part, bool *leaf, uint32_t *votes);

/* Returns whether at least half of the switches have hosts. */
bool part_is_direct(const struct part *part);

/* Compares uint32_t, for qsort and bsearch. */
int compare_numbers(const void *left, const void *right);

/* Returns the most common value in values[0..count-1], the largest of several, 0 if there are none. Sorts the values. */
uint32_t most_common(uint32_t *values, size_t count);

/*
 * Returns the largest number of cables that may be missing from a part that has the others: a twentieth of the whole shape's cables (and
 * switches) may be missing. plan_cost() knows the shape.
 */
static inline uint64_t deviations_allowed(const struct part *part)
{
	return part->whole ? 0 : part->cables < 38 ? 1 : part->cables / 19;
}

static inline uint32_t missing_allowed(const struct part *part)
{
	return part->whole || part->switches < 7 ? 0 : part->switches < 38 ? 1 : part->switches / 19;
}

/*
 * Renumbers the switches by the cabling alone: order[new number] is the old one. The renumbered graph, with its hosts, is the same for any
 * order of the switches. Returns 0, 1 if no such numbering was found within a limit of work that depends on the cabling alone, too, or -1.
 * Time a few times O(links log switches) for graphs with few or simple symmetries; at most some seconds.
 */
int part_order(const struct part *part, uint32_t *order, struct error *error);

/* The parts of all switches, [nodes]. */
struct cabling_parts {
	const struct fabric *fabric;
	const uint32_t *reverse;
	uint32_t *part; /* [nodes] NONE: a host */
	uint32_t parts;
	uint32_t *number;                   /* [nodes] within its part */
	uint32_t *first, *member;           /* [parts + 1], [switches] nodes of each part */
	uint32_t *hosts;                    /* [parts] number of hosts with a channel to it */
	uint32_t *switch_hosts;             /* [nodes] of each switch */
	uint32_t *least_rails, *most_rails; /* [parts] see struct part */
	bool planes; /* parts are fabrics of their own, or planes that have (nearly) all hosts in common; false if hosts connect hosts or
			parts */
};

int parts_find(struct cabling_parts *parts, const struct fabric *fabric, const uint32_t *reverse, struct error *error);
void shape_parts_clear(struct cabling_parts *parts);

/* Reads one part, its switches in the order of the file. Returns 0, or -1; call part_clear() in either case. */
int part_make(struct part *part, const struct cabling_parts *parts, uint32_t index, struct error *error);

/* Puts the switches into the order of part_order(). Returns the same values. */
int part_renumber(struct part *part, struct error *error);
void part_clear(struct part *part);

/* Recognisers: fill a zeroed plan if the part may have the shape; otherwise leave plan->kind NULL. Return 0, or -1 if out of memory. */
int shape_tree(const struct part *part, struct plan *plan, struct error *error);
int shape_full_mesh(const struct part *part, struct plan *plan, struct error *error);
int shape_torus(const struct part *part, struct plan *plan, struct error *error);
int shape_hyperx(const struct part *part, struct plan *plan, struct error *error);
int shape_slimfly(const struct part *part, struct plan *plan, struct error *error);
int shape_dragonfly(const struct part *part, struct plan *plan, struct error *error);
int shape_dragonfly_plus(const struct part *part, struct plan *plan, struct error *error);

#endif
