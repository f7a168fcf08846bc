/*
 * Receivers by how far they are: for the ranks of every part the classes of other ranks at certain distances, each with its chance.
 * Distances are hops between parts by shortest ways, whatever the routing; the other ranks of the own part are at distance 0.
 */
#ifndef PATTERNS_OPEN_NEAR_H
#define PATTERNS_OPEN_NEAR_H

#include "patterns/open/parts.h"

enum { NEAR_CLASSES = 3 };

/* Which parts are of a class, and what a class gets. */
struct near_rule {
	double decay;  /* > 0: a class each distance, a rank d hops away with a chance in proportion to decay^d; 0: the shares */
	uint32_t hops; /* the last distance of class 1; 0: the least there is */
	double share[NEAR_CLASSES]; /* of the own part, of those 1 to hops away, and of all others: each share alike for all ranks of the
				       class */
};

/* A class of one part: its chances are those below until and not below that of the class before. */
struct near_class {
	double until;
	uint32_t ranks, distance; /* 0: the own part, without runs */
	uint64_t first;           /* of its runs, which end where those of the next class begin */
};

/* Ranks at consecutive places. */
struct near_run {
	uint32_t place, until; /* the first place; how many ranks the class has up to the run's end */
};

struct near {
	struct parts parts;
	uint64_t *first; /* [parts + 1] classes of each part; of part 0 alone where parts are alike */
	struct near_class *class;
	struct near_run *run;
	size_t classes, runs, class_room, run_room;
};

/*
 * Fills the call's data. Returns 0, or -1 with STATUS_USAGE where a rank has nobody of a class that has a share, or nobody at all, or the
 * tables would be larger than 2 GiB; with the errors of parts_init(). Time O(parts (nodes + channels)), but O(nodes + channels) where parts
 * are alike.
 */
int near_setup(struct traffic_call *call, enum parts_of of, const struct near_rule *rule, struct error *error);
void near_clear(struct traffic_call *call);

/* Time O(log parts). */
uint32_t near_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);

#endif
