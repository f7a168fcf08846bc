/* The communicators of all ranks: which of those that ranks have made for themselves are one, and their members. */
#ifndef TOOLS_RECORD_RANK_COMMUNICATORS_H
#define TOOLS_RECORD_RANK_COMMUNICATORS_H

#include "tools/record/record_reader.h"

/* A communicator; 0 has all ranks, 1 each rank alone. */
struct joint {
	uint64_t key;
	struct {
		uint64_t making, parent, number;
		int64_t first[2], key; /* first: first tasks of the groups, the smaller one first */
	} of;
	uint32_t *group[2]; /* tasks by rank; NULL: not known, or there is no such group */
	size_t size[2];
};

/* A communicator as one rank knows it. */
struct own_communicator {
	uint64_t handle;
	uint32_t joint;
	uint8_t side;       /* its own group */
	bool live;          /* it is there, and has not been freed */
	uint64_t made;      /* number of those made of it so far */
	int64_t *from, *to; /* neighbours, ranks */
	size_t froms, tos;
};

struct own_communicators {
	struct own_communicator *list;
	size_t count, capacity;
};

struct joints {
	struct joint *list;
	size_t count, capacity;
	uint32_t *slot; /* [mask + 1] */
	size_t mask;
	uint32_t ranks;
};

int joints_init(struct joints *joints, uint32_t ranks, struct error *error);
void joints_clear(struct joints *joints);

/*
 * Follows the communicators of a rank through its records: call it for each record. members: also sets the members, in the first of several
 * passes.
 */
void own_follow(struct own_communicators *own, struct joints *joints, const struct record *record, bool members, struct error *error);
void own_clear(struct own_communicators *own);

/* Returns the rank's communicator of a handle; NULL: none. */
const struct own_communicator *own_find(const struct own_communicators *own, uint64_t handle);

/* Returns the task at a rank of a communicator, of the other group of an intercommunicator; -1: not known. */
int64_t task_at(const struct joints *joints, const struct own_communicator *own, uint32_t task, int64_t rank);

#endif
