/* Collective operations as the messages that one rank sends and receives, one after another, in the algorithms of the patterns. */
#ifndef PATTERNS_GRAPHS_COLLECTIVES_H
#define PATTERNS_GRAPHS_COLLECTIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which algorithms; in the order of the names. */
enum collective_set { COLLECTIVES_NONE, COLLECTIVES_SIMPLE, COLLECTIVES_RING, COLLECTIVES_OPENMPI, COLLECTIVES_MPICH, COLLECTIVE_SETS };
extern const char *const collective_set_names[COLLECTIVE_SETS];

/* In the order of the names. */
enum collective {
	COLLECTIVE_BARRIER,
	COLLECTIVE_BCAST,
	COLLECTIVE_REDUCE,
	COLLECTIVE_ALLREDUCE,
	COLLECTIVE_ALLTOALL,
	COLLECTIVE_ALLTOALLV,
	COLLECTIVE_ALLTOALLW, /* counts are bytes */
	COLLECTIVE_GATHER,
	COLLECTIVE_GATHERV,
	COLLECTIVE_SCATTER,
	COLLECTIVE_SCATTERV,
	COLLECTIVE_ALLGATHER,
	COLLECTIVE_ALLGATHERV,
	COLLECTIVE_REDUCESCATTER,
	COLLECTIVE_REDUCESCATTER_BLOCK,
	COLLECTIVE_SCAN,
	COLLECTIVE_EXSCAN,
	COLLECTIVE_NEIGHBOR_ALLGATHER,
	COLLECTIVE_NEIGHBOR_ALLGATHERV,
	COLLECTIVE_NEIGHBOR_ALLTOALL,
	COLLECTIVE_NEIGHBOR_ALLTOALLV,
	COLLECTIVE_NEIGHBOR_ALLTOALLW, /* counts are bytes */
	COLLECTIVES
};
extern const char *const collective_names[COLLECTIVES];

/* Returns whether the operation is one of neighbours, or one with a root. */
static inline bool collective_is_local(enum collective collective)
{
	return collective >= COLLECTIVE_NEIGHBOR_ALLGATHER && collective < COLLECTIVES;
}
bool collective_is_rooted(enum collective collective);

/*
 * A collective operation as called by one rank. give sends without waiting, take waits for the next message of that rank. The members of
 * the other group of an intercommunicator are the ranks from ranks on, of which the root may be one.
 */
struct collective_call {
	enum collective_set set;
	enum collective collective;
	uint32_t ranks, rank, root;
	double bytes;        /* of one block: what the rank has, or gives to each other one; of reducescatter_block what each rank gets */
	const double *count; /* [ranks] blocks of alltoallv and alltoallw (of an intercommunicator for the other group), of scatterv at the
				root, of allgatherv and reducescatter; [tos] of operations of neighbours: bytes = count · datatype */
	double datatype;     /* bytes of an element */
	bool nonblocking;    /* for which MPI may have other algorithms */
	uint32_t remote;     /* members of the other group of an intercommunicator; 0: there is none */
	const double *own, *other; /* [ranks], [remote] bytes of the blocks of all members of an intercommunicator */
	const uint32_t *to, *from; /* [tos], [froms] neighbours, in the order of their blocks, for operations of neighbours */
	uint32_t tos, froms;
	void (*give)(void *data, uint32_t rank, double bytes);
	void (*take)(void *data, uint32_t rank);
	void *data;
};

/* Calls give and take for all messages of the rank. Time O(messages). */
void collective_run(const struct collective_call *call);

#endif
