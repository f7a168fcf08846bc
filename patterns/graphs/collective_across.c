/*
 * Collective operations of intercommunicators, MPI 4.0, section 6.2.3: what one group has goes to the other. Members of a group work
 * together by the algorithms of the set, and its first rank exchanges the data with the other group. Messages of Open MPI 4.1.4 were
 * counted.
 */
#include "patterns/graphs/collective_algorithms.h"

/* The size of a count that Open MPI sends before the blocks of operations with counts. */
enum { COUNT_BYTES = 4 };

static double sum_of(const double *bytes, uint32_t count)
{
	double sum = 0;
	for (uint32_t i = 0; i < count; i++)
		sum += bytes[i];
	return sum;
}

/* Runs an operation within the group whose root is its first rank. count: [ranks] bytes; NULL: the same for all. */
static void run_within(const struct collective_call *call, enum collective collective, double bytes, const double *count)
{
	struct collective_call within = *call;
	within.collective = collective;
	within.remote = within.root = 0;
	within.bytes = bytes;
	within.count = count;
	within.datatype = count ? 1 : call->datatype;
	collective_run(&within);
}

/* Returns whether the operation sends its counts first. */
static bool sends_counts(const struct collective_call *call, enum collective with_counts)
{
	return call->set == COLLECTIVES_OPENMPI && call->collective == with_counts;
}

/* The first ranks of both groups exchange what these have. */
static void exchange(const struct collective_call *call, double bytes)
{
	if (call->rank)
		return;
	give(call, call->ranks, bytes);
	take(call, call->ranks);
}

static void bcast(const struct collective_call *call)
{
	if (call->root == call->rank)
		give(call, call->ranks, call->bytes);
	if (call->root < call->ranks)
		return;
	if (!call->rank)
		take(call, call->root);
	run_within(call, COLLECTIVE_BCAST, call->bytes, NULL);
}

static void reduce(const struct collective_call *call)
{
	if (call->root == call->rank)
		take(call, call->ranks);
	if (call->root < call->ranks)
		return;
	run_within(call, COLLECTIVE_REDUCE, call->bytes, NULL);
	if (!call->rank)
		give(call, call->root, call->bytes);
}

/* Collects the blocks of the group at its first rank. */
static void collect(const struct collective_call *call, enum collective with_counts)
{
	if (sends_counts(call, with_counts))
		run_within(call, COLLECTIVE_GATHER, COUNT_BYTES, NULL);
	run_within(call, call->collective == with_counts ? COLLECTIVE_GATHERV : COLLECTIVE_GATHER, call->own[call->rank], NULL);
}

static void gather(const struct collective_call *call)
{
	if (call->root == call->rank)
		take(call, call->ranks);
	if (call->root < call->ranks)
		return;
	collect(call, COLLECTIVE_GATHERV);
	if (!call->rank)
		give(call, call->root, sum_of(call->own, call->ranks));
}

static void scatter(const struct collective_call *call)
{
	bool counts = sends_counts(call, COLLECTIVE_SCATTERV);
	if (call->root == call->rank) {
		if (counts)
			give(call, call->ranks, COUNT_BYTES * (double)call->remote);
		give(call, call->ranks, sum_of(call->other, call->remote));
	}
	if (call->root < call->ranks)
		return;
	for (int part = counts ? 0 : 1; part < 2 && !call->rank; part++)
		take(call, call->root);
	if (call->collective == COLLECTIVE_SCATTERV)
		run_within(call, COLLECTIVE_SCATTERV, 0, call->own);
	else
		run_within(call, COLLECTIVE_SCATTER, call->bytes, NULL);
}

static void allgather(const struct collective_call *call)
{
	collect(call, COLLECTIVE_ALLGATHERV);
	exchange(call, sum_of(call->own, call->ranks));
	run_within(call, COLLECTIVE_BCAST, sum_of(call->other, call->remote), NULL);
}

static void allreduce(const struct collective_call *call, double bytes)
{
	run_within(call, COLLECTIVE_REDUCE, bytes, NULL);
	exchange(call, bytes);
	run_within(call, COLLECTIVE_BCAST, bytes, NULL);
}

/* In steps in which each rank sends to one of the other group, and receives from one. */
static void alltoall(const struct collective_call *call)
{
	uint32_t steps = call->ranks > call->remote ? call->ranks : call->remote;
	for (uint32_t step = 0; step < steps; step++) {
		uint32_t to = (uint32_t)(((uint64_t)call->rank + step) % steps);
		uint32_t from = (uint32_t)(((uint64_t)call->rank + steps - step) % steps);
		if (to < call->remote)
			give(call, call->ranks + to, bytes_for(call, to));
		if (from < call->remote)
			take(call, call->ranks + from);
	}
}

/* The first rank reduces what the members of the other group have, Open MPI without a tree, and scatters the result. */
static void reduce_scatter(const struct collective_call *call)
{
	double all = bytes_of_blocks(call, 0, call->ranks);
	if (call->set == COLLECTIVES_OPENMPI) {
		give(call, call->ranks, all);
		for (uint32_t rank = 0; !call->rank && rank < call->remote; rank++)
			take(call, call->ranks + rank);
	} else {
		run_within(call, COLLECTIVE_REDUCE, all, NULL);
		exchange(call, all);
	}
	struct collective_call within = *call;
	within.collective = call->count ? COLLECTIVE_SCATTERV : COLLECTIVE_SCATTER;
	within.remote = within.root = 0;
	collective_run(&within);
}

void algorithm_across(const struct collective_call *call)
{
	switch (call->collective) {
	case COLLECTIVE_BARRIER: allreduce(call, call->set == COLLECTIVES_OPENMPI ? 4 : 1); break;
	case COLLECTIVE_BCAST: bcast(call); break;
	case COLLECTIVE_REDUCE: reduce(call); break;
	case COLLECTIVE_ALLREDUCE: allreduce(call, call->bytes); break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV: gather(call); break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV: scatter(call); break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV: allgather(call); break;
	case COLLECTIVE_REDUCESCATTER:
	case COLLECTIVE_REDUCESCATTER_BLOCK: reduce_scatter(call); break;
	default: alltoall(call);
	}
}
