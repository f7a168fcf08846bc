/*
 * Receivers by distance: for the ranks of every part, the classes of other ranks at certain distances, each with its probability. Distances
 * are hops between parts along shortest paths, whatever the routing; the other ranks of the same part are at distance 0.
 */
#ifndef PATTERNS_OPEN_NEAR_H
#define PATTERNS_OPEN_NEAR_H

#include "patterns/open/parts.h"

enum { NEAR_CLASSES = 3 };

/* The rule that assigns parts to classes, and probabilities to classes. */
struct near_rule {
	double decay;  /* > 0: one class per distance, a rank d hops away has a probability proportional to decay^d; 0: use the shares */
	bool exact;    /* with decay 1: only ranks that are hops away, between their switches unless hosts forward; ranks may have none */
	uint32_t hops; /* the last distance of class 1; 0: the smallest distance that occurs */
	double share[NEAR_CLASSES]; /* of the same part, of parts 1 to hops away, and of all others: each share is divided equally between
				       the ranks of the class */
};

/* A class of one part: chosen by numbers below until that are not below that of the class before. */
struct near_class {
	double until;
	uint32_t ranks, distance; /* 0: the same part, without runs */
	uint64_t first;           /* index of its first run; the runs end where those of the next class begin */
};

/* Ranks at consecutive places. */
struct near_run {
	uint32_t place, until; /* the first place; the number of ranks of the class up to the run's end */
};

struct near {
	struct parts parts;
	uint64_t *first; /* [parts + 1] classes of each part; of part 0 only if parts are alike */
	struct near_class *class;
	struct near_run *run;
	size_t classes, runs, class_room, run_room;
};

/*
 * Sets the call's data. Returns 0, or -1 with STATUS_USAGE if a rank has no other rank in a class that has a share, or no other rank at
 * all (exact: if no rank has one), or the tables would exceed 2 GiB; or with the errors of parts_init(). Time O(parts (nodes + channels)),
 * or O(nodes + channels) if parts are alike.
 */
int near_setup(struct traffic_call *call, enum parts_of of, const struct near_rule *rule, struct error *error);
void near_clear(struct traffic_call *call);

/* Returns the receiver of a message; NONE: the rank has none. Time O(log parts). */
uint32_t near_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4]);

#endif
