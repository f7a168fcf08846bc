/*
 * Which algorithm a collective operation uses, by its size and the number of ranks: in Open MPI 4.1, whose decisions were taken from its
 * component coll/tuned (4.1.4) for up to 4,096 ranks, and in MPICH after Thakur, Rabenseifner, Gropp: Optimization of Collective
 * Communication Operations in MPICH, IJHPCA 19 (2005).
 */
#include "patterns/graphs/collective_algorithms.h"

#include <stdlib.h>

/* ---- Open MPI */

/* From this number of ranks on: "BYTES:ALGORITHM ...", each from these bytes on, with the algorithms' numbers in Open MPI. */
struct choice {
	uint32_t ranks;
	const char *sizes;
};

static const struct choice allgather_choices[] = {
	{2, "0:6"},
	{3, "0:3"},
	{32, "0:3 1024:5 65536:4"},
	{64, "0:3 512:5 65536:4"},
	{128, "0:3 512:5 131072:4 524288:5 1048576:4"},
	{256, "0:3 32:2 128:3 1024:5 131072:4 524288:5 1048576:4"},
	{512, "0:3 64:2 256:3 2048:5"},
	{1024, "0:3 4:2 8:3 16:2 32:3 256:2 512:3 4096:5"},
	{2048, "0:2 32:3 128:2 512:3 4096:5"},
	{4096, "0:3 2:2 8:3 16:2 512:3 4096:5"},
	{0, NULL},
};

static const struct choice allgatherv_choices[] = {
	{2, "0:3 2048:5 4096:3 8192:5"},
	{3, "0:1 256:4 4096:3 8192:4 16384:2 262144:4"},
	{8, "0:1 1024:2"},
	{16, "0:1 128:2 262144:3"},
	{32, "0:1 256:2 8192:3"},
	{64, "0:1 256:2 4096:3"},
	{128, "0:2 1024:4 65536:3"},
	{256, "0:2 1024:3"},
	{512, "0:2 512:1 1024:2 4096:4 1048576:3"},
	{1024, "0:2 4096:4"},
	{0, NULL},
};

static const struct choice allreduce_choices[] = {
	{2, "0:4 8:3 4096:4 8192:3 16384:4 65536:5 262144:6"},
	{4, "0:4 16:3 8192:6"},
	{8, "0:3 8192:6"},
	{16, "0:5 64:3 4096:6"},
	{32, "0:5 128:6"},
	{64, "0:3 262144:6"},
	{128, "0:2 131072:3 262144:6"},
	{256, "0:2 4096:6"},
	{512, "0:2 2048:3 16384:6"},
	{2048, "0:2 2048:5 4096:3 16384:6"},
	{4096, "0:2 2048:5 16384:3 32768:6"},
	{0, NULL},
};

static const struct choice alltoall_choices[] = {
	{2, "0:2 2:5 4:2 16:5 64:2 256:5 4096:2 32768:4 262144:5 1048576:2"},
	{3, "0:4 8192:1 16384:4 65536:1 524288:2 1048576:1"},
	{8, "0:4 262144:1"},
	{16, "0:4 4:3 512:4 8192:1 32768:4 262144:1 524288:4"},
	{32, "0:3 512:1 524288:4"},
	{64, "0:3 1024:1 2048:4 4096:1 262144:2"},
	{128, "0:3 1024:4 2048:1 262144:2"},
	{256, "0:3 1024:4 8192:1 32768:2"},
	{512, "0:3 512:4 8192:1 16384:4 131072:1 262144:2"},
	{1024, "0:3 512:4 1024:1 2048:4 16384:1 262144:4"},
	{2048, "0:3 1024:4 4096:1 8192:4 131072:1"},
	{4096, "0:3 2048:4 8192:1 16384:4 32768:1 65536:4"},
	{0, NULL},
};

static const struct choice barrier_choices[] = {
	{2, "0:3"},
	{4, "0:1"},
	{8, "0:3"},
	{64, "0:4"},
	{256, "0:6"},
	{512, "0:4"},
	{1024, "0:6"},
	{4096, "0:4"},
	{0, NULL},
};

static const struct choice bcast_choices[] = {
	{2, "0:3 32:5 256:3 512:7 1024:1 32768:5 131072:2 262144:1 524288:6 1048576:5"},
	{4, "0:5 64:6 128:5 2048:6 8192:1 1048576:2"},
	{8, "0:7 8:5 64:7 4096:5 16384:6 32768:1"},
	{16, "0:7 4096:6 1048576:8"},
	{32, "0:6 2048:7"},
	{64, "0:7"},
	{128, "0:6 2:5 16384:1 32768:5 65536:7"},
	{256, "0:7 16384:4 32768:7"},
	{1024, "0:7 524288:8"},
	{2048, "0:7 262144:8"},
	{4096, "0:7 8192:5 16384:7 262144:8"},
	{0, NULL},
};

static const struct choice gather_choices[] = {
	{2, "0:3 2:1 4:2 32768:1 65536:2 131072:3"},
	{4, "0:2 1024:1 8192:2 32768:1 262144:3"},
	{8, "0:2"},
	{256, "0:2 2048:1 8192:2"},
	{512, "0:2"},
	{0, NULL},
};

static const struct choice reduce_choices[] = {
	{2, "0:7 8:4 16:3 32:1 262144:3 524288:2 1048576:3"},
	{4, "0:4 4096:2 65536:5 262144:1 524288:5 1048576:1"},
	{8, "0:4 8192:5"},
	{16, "0:4 4096:5"},
	{32, "0:5"},
	{256, "0:5 8192:6 16384:5"},
	{512, "0:5"},
	{2048, "0:5 512:6 1024:5 8192:6 16384:5"},
	{4096, "0:5 16:6 32:5 1024:6 2048:5 8192:6 16384:5"},
	{0, NULL},
};

static const struct choice scatter_choices[] = {
	{2, "0:3 2:1 131072:3 262144:1"},
	{4, "0:2 2048:1 4096:2 8192:1 32768:3 1048576:1"},
	{8, "0:2 16384:3 1048576:1"},
	{16, "0:2 16384:1 32768:3"},
	{32, "0:2 512:3 8192:2 16384:3"},
	{64, "0:2 512:3"},
	{0, NULL},
};

static const struct choice reduce_scatter_block_choices[] = {
	{2, "0:2 4:4 8:3 16:4 128:3 256:4 4096:3 8192:4 131072:1"},
	{4, "0:3 8:2 32:4 256:3 8192:4 16384:3 1048576:1"},
	{8, "0:1 4:3 32:4 128:3 524288:1 4194304:4"},
	{16, "0:1 32:3 524288:1 2097152:3 4194304:4"},
	{32, "0:3 4:1 16:4 65536:1 262144:4"},
	{0, NULL},
};

/* By the bytes of all blocks. */
static const struct choice reduce_scatter_choices[] = {
	{2, "0:3 65536:4 131072:3"},
	{4, "0:1 8:2 262144:3"},
	{8, "0:2 262144:3"},
	{32, "0:1 64:2 2048:4 524288:3"},
	{64, "0:1 256:2 512:4 2048:2 4096:4"},
	{128, "0:1 256:2 512:4"},
	{256, "0:1 1:2 1024:4"},
	{512, "0:1 1:2 2048:4 8192:2 16384:4"},
	{1024, "0:1 1:2 4096:4 16384:2 32768:4"},
	{2048, "0:1 1:2 4096:4"},
	{0, NULL},
};

/* Returns the number of the algorithm. */
static unsigned choose(const struct choice *choice, uint32_t ranks, double bytes)
{
	unsigned long algorithm = 0;
	while (choice[1].ranks && choice[1].ranks <= ranks)
		choice++;
	for (const char *text = choice->sizes; *text;) {
		char *end;
		double from = (double)strtoull(text, &end, 10);
		if (from > bytes)
			break;
		algorithm = strtoul(end + 1, &end, 10);
		text = end;
	}
	return (unsigned)algorithm;
}

static bool is_power(uint32_t number)
{
	return !(number & (number - 1));
}

/* The number of elements is at least that of ranks, as algorithms that divide them need. */
static bool can_divide(const struct collective_call *call)
{
	return call->bytes >= call->ranks * call->datatype;
}

static void openmpi_barrier(const struct collective_call *call)
{
	struct collective_call empty = *call;
	empty.bytes = 0;
	empty.root = 0;
	switch (choose(barrier_choices, call->ranks, 0)) {
	case 3: algorithm_doubling(&empty, false); break;
	case 4: algorithm_dissemination(&empty); break;
	default: /* linear, or a tree: up, then down */
		algorithm_up(&empty, call->ranks < 8 ? TREE_LINEAR : TREE_IN_ORDER);
		algorithm_down(&empty, call->ranks < 8 ? TREE_LINEAR : TREE_IN_ORDER);
	}
}

static void openmpi_bcast(const struct collective_call *call)
{
	static const enum tree trees[] = {
		TREE_BINOMIAL, TREE_LINEAR, TREE_CHAIN, TREE_CHAIN, TREE_BINARY, TREE_BINARY, TREE_BINOMIAL, TREE_FOUR};
	unsigned algorithm = choose(bcast_choices, call->ranks, call->bytes);
	if (algorithm == 8)
		algorithm_bcast_scatter(call, true);
	else
		algorithm_down(call, trees[algorithm]);
}

static void openmpi_reduce(const struct collective_call *call)
{
	static const enum tree trees[] = {
		TREE_BINOMIAL, TREE_LINEAR, TREE_CHAIN, TREE_CHAIN, TREE_BINARY, TREE_IN_ORDER, TREE_BINARY, TREE_LINEAR};
	algorithm_up(call, trees[choose(reduce_choices, call->ranks, call->bytes)]);
}

static void openmpi_allreduce(const struct collective_call *call)
{
	unsigned algorithm = choose(allreduce_choices, call->ranks, call->bytes);
	struct collective_call rooted = *call;
	rooted.root = 0;
	if (algorithm == 2) {
		openmpi_reduce(&rooted);
		openmpi_bcast(&rooted);
	} else if (algorithm == 3 || !can_divide(call)) {
		algorithm_doubling(call, true);
	} else if (algorithm == 6) {
		algorithm_allreduce_halving(call);
	} else {
		algorithm_allreduce_ring(call);
	}
}

static void openmpi_allgather(const struct collective_call *call)
{
	unsigned algorithm = choose(allgather_choices, call->ranks, call->bytes);
	if (algorithm == 3 && is_power(call->ranks))
		algorithm_allgather_doubling(call);
	else if (algorithm == 2 || algorithm == 3)
		algorithm_allgather_bruck(call);
	else if (algorithm == 5 && call->ranks % 2 == 0)
		algorithm_allgather_neighbours(call);
	else
		algorithm_ring(call);
}

static void openmpi_allgatherv(const struct collective_call *call)
{
	double all = bytes_of_blocks(call, 0, call->ranks);
	struct collective_call whole = *call;
	whole.root = 0;
	switch (choose(allgatherv_choices, call->ranks, all / call->ranks)) {
	case 1: /* gather, then broadcast */
		whole.bytes = bytes_for(call, call->rank);
		algorithm_gather_linear(&whole);
		whole.bytes = all;
		openmpi_bcast(&whole);
		break;
	case 2: algorithm_allgather_bruck(call); break;
	case 4:
		if (call->ranks % 2 == 0) {
			algorithm_allgather_neighbours(call);
			break;
		} /* fall through */
	default: algorithm_ring(call);
	}
}

static void openmpi_gather(const struct collective_call *call)
{
	unsigned algorithm = choose(gather_choices, call->ranks, call->bytes);
	if (algorithm == 2) {
		algorithm_gather_binomial(call);
		return;
	}
	if (algorithm == 3) { /* the root lets each begin */
		if (call->rank != call->root)
			take(call, call->root);
		for (uint32_t rank = 0; call->rank == call->root && rank < call->ranks; rank++)
			if (rank != call->root)
				give(call, rank, 0);
	}
	algorithm_gather_linear(call);
}

static void openmpi_scatter(const struct collective_call *call)
{
	(choose(scatter_choices, call->ranks, call->bytes) == 2 ? algorithm_scatter_binomial : algorithm_scatter_linear)(call);
}

static void openmpi_reduce_scatter(const struct collective_call *call)
{
	double all = bytes_of_blocks(call, 0, call->ranks);
	bool blocks = call->collective == COLLECTIVE_REDUCESCATTER_BLOCK;
	struct collective_call whole = *call;
	unsigned algorithm =
		blocks ? choose(reduce_scatter_block_choices, call->ranks, call->bytes) : choose(reduce_scatter_choices, call->ranks, all);
	whole.root = 0;
	switch (algorithm) {
	case 1: /* reduction, then scatter */
		whole.bytes = all;
		openmpi_reduce(&whole);
		whole.bytes = call->bytes;
		(blocks ? openmpi_scatter : algorithm_scatter_linear)(&whole);
		break;
	case 3:
		if (!blocks) {
			algorithm_reduce_scatter_ring(call);
			break;
		} /* fall through */
	case 2: algorithm_reduce_scatter_halving(call); break;
	default: algorithm_reduce_scatter_butterfly(call);
	}
}

void collective_run_openmpi(const struct collective_call *call)
{
	switch (call->collective) {
	case COLLECTIVE_BARRIER: openmpi_barrier(call); break;
	case COLLECTIVE_BCAST: openmpi_bcast(call); break;
	case COLLECTIVE_REDUCE: openmpi_reduce(call); break;
	case COLLECTIVE_ALLREDUCE: openmpi_allreduce(call); break;
	case COLLECTIVE_ALLTOALL:
		if (choose(alltoall_choices, call->ranks, call->bytes) == 3)
			algorithm_alltoall_bruck(call);
		else
			algorithm_direct(call);
		break;
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW: algorithm_direct(call); break;
	case COLLECTIVE_GATHER: openmpi_gather(call); break;
	case COLLECTIVE_GATHERV: algorithm_gather_linear(call); break;
	case COLLECTIVE_SCATTER: openmpi_scatter(call); break;
	case COLLECTIVE_SCATTERV: algorithm_scatter_linear(call); break;
	case COLLECTIVE_ALLGATHER: openmpi_allgather(call); break;
	case COLLECTIVE_ALLGATHERV: openmpi_allgatherv(call); break;
	case COLLECTIVE_REDUCESCATTER:
	case COLLECTIVE_REDUCESCATTER_BLOCK: openmpi_reduce_scatter(call); break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN:
	default: algorithm_scan_linear(call);
	}
}

/* ---- nonblocking operations of Open MPI: its component coll/libnbc (4.1.4), whose choices are few */

/* Trees whose root has changed places with rank 0, where those above go round. */
static uint32_t exchanged(const struct collective_call *call, uint32_t rank)
{
	return rank == call->root ? 0 : rank == 0 ? call->root : rank;
}

static void give_exchanged(void *data, uint32_t rank, double bytes)
{
	give(data, exchanged(data, rank), bytes);
}

static void take_exchanged(void *data, uint32_t rank)
{
	take(data, exchanged(data, rank));
}

static struct collective_call with_exchanged(const struct collective_call *call)
{
	struct collective_call other = *call;
	other.rank = exchanged(call, call->rank);
	other.root = 0;
	other.give = give_exchanged;
	other.take = take_exchanged;
	other.data = (void *)(uintptr_t)call;
	return other;
}

void collective_run_openmpi_nonblocking(const struct collective_call *call)
{
	enum { LONG = 65536 };
	struct collective_call part = *call, tree = with_exchanged(call);
	switch (call->collective) {
	case COLLECTIVE_BARRIER:
		part.bytes = 0;
		algorithm_dissemination(&part);
		break;
	case COLLECTIVE_BCAST: algorithm_down(&tree, call->ranks <= 4 ? TREE_LINEAR : TREE_BINOMIAL); break;
	case COLLECTIVE_REDUCE:
		if (call->ranks > 2 && call->bytes >= power_below(call->ranks) * call->datatype)
			algorithm_reduce_halving(call);
		else
			algorithm_up(&tree, TREE_IN_ORDER);
		break;
	case COLLECTIVE_ALLREDUCE:
		part.root = 0;
		if (call->ranks >= 4 && call->bytes >= LONG && call->bytes >= power_below(call->ranks) * call->datatype) {
			algorithm_allreduce_halving(call);
			break;
		}
		algorithm_up(&part, TREE_IN_ORDER);
		algorithm_down(&part, TREE_BINOMIAL);
		break;
	case COLLECTIVE_REDUCESCATTER:
	case COLLECTIVE_REDUCESCATTER_BLOCK:
		part.root = 0;
		part.bytes = bytes_of_blocks(call, 0, call->ranks);
		algorithm_up(&part, TREE_IN_ORDER);
		part.bytes = call->bytes;
		algorithm_scatter_linear(&part);
		break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV: algorithm_gather_linear(call); break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV: algorithm_scatter_linear(call); break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN: algorithm_scan_linear(call); break;
	default: algorithm_direct(call);
	}
}

/* ---- MPICH; sizes in kB of 1,024 bytes, section numbers of the article */

enum { KB = 1024 };

/* 4.1 */
static void mpich_allgather(const struct collective_call *call)
{
	double all = bytes_of_blocks(call, 0, call->ranks);
	if (is_power(call->ranks) && all < 512 * KB)
		algorithm_allgather_doubling(call);
	else if (all < 80 * KB)
		algorithm_allgather_bruck(call);
	else
		algorithm_ring(call);
}

/* 4.2 */
static void mpich_bcast(const struct collective_call *call)
{
	if (call->bytes < 12 * KB || call->ranks < 8)
		algorithm_down(call, TREE_IN_ORDER);
	else
		algorithm_bcast_scatter(call, call->bytes < 512 * KB);
}

/* 4.3 */
static void mpich_alltoall(const struct collective_call *call)
{
	if (call->bytes <= 256 && call->ranks >= 8 && call->collective == COLLECTIVE_ALLTOALL)
		algorithm_alltoall_bruck(call);
	else
		algorithm_direct(call);
}

/* 4.4; long vectors by pairwise exchange, which are direct messages */
static void mpich_reduce_scatter(const struct collective_call *call)
{
	if (bytes_of_blocks(call, 0, call->ranks) < 512 * KB)
		algorithm_reduce_scatter_halving(call);
	else
		algorithm_direct(call);
}

/* 4.5 */
static void mpich_reduce(const struct collective_call *call)
{
	if (call->bytes <= 2 * KB || !can_divide(call))
		algorithm_up(call, TREE_IN_ORDER);
	else
		algorithm_reduce_scatter_gather(call);
}

static void mpich_allreduce(const struct collective_call *call)
{
	if (call->bytes <= 2 * KB || !can_divide(call))
		algorithm_doubling(call, true);
	else
		algorithm_allreduce_halving(call);
}

void collective_run_mpich(const struct collective_call *call)
{
	struct collective_call empty = *call;
	empty.bytes = 0;
	switch (call->collective) {
	case COLLECTIVE_BARRIER: algorithm_dissemination(&empty); break;
	case COLLECTIVE_BCAST: mpich_bcast(call); break;
	case COLLECTIVE_REDUCE: mpich_reduce(call); break;
	case COLLECTIVE_ALLREDUCE: mpich_allreduce(call); break;
	case COLLECTIVE_GATHER: algorithm_gather_binomial(call); break;
	case COLLECTIVE_GATHERV: algorithm_gather_linear(call); break;
	case COLLECTIVE_SCATTER: algorithm_scatter_binomial(call); break;
	case COLLECTIVE_SCATTERV: algorithm_scatter_linear(call); break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV: mpich_allgather(call); break;
	case COLLECTIVE_REDUCESCATTER:
	case COLLECTIVE_REDUCESCATTER_BLOCK: mpich_reduce_scatter(call); break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN: algorithm_scan_doubling(call); break;
	default: mpich_alltoall(call);
	}
}
