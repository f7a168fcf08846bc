/* Collective operations as the messages that one rank sends and receives, one after another, in the algorithms of the patterns. */
#ifndef PATTERNS_GRAPHS_COLLECTIVES_H
#define PATTERNS_GRAPHS_COLLECTIVES_H

#include <stddef.h>
#include <stdint.h>

enum collective {
	COLLECTIVE_BARRIER,
	COLLECTIVE_BCAST,
	COLLECTIVE_REDUCE,
	COLLECTIVE_ALLREDUCE,
	COLLECTIVE_ALLTOALL,
	COLLECTIVE_ALLTOALLV,
	COLLECTIVE_GATHER,
	COLLECTIVE_SCATTER,
	COLLECTIVE_SCATTERV,
	COLLECTIVE_ALLGATHER,
	COLLECTIVE_ALLGATHERV,
	COLLECTIVE_REDUCESCATTER,
	COLLECTIVE_SCAN,
};

/* A collective operation as called by one rank. give sends without waiting, take waits for the next message of that rank. */
struct collective_call {
	enum collective collective;
	uint32_t ranks, rank, root;
	double bytes;        /* of each message */
	const double *count; /* [ranks] for operations whose name ends with v, and for reducescatter: bytes = count · datatype */
	double datatype;
	void (*give)(void *data, uint32_t rank, double bytes);
	void (*take)(void *data, uint32_t rank);
	void *data;
};

/* Calls give and take for all messages of the rank. Time O(messages). */
void collective_run(const struct collective_call *call);

#endif
