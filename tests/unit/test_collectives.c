/*
 * Collective operations as messages: what is sent is received, the bytes that each algorithm must move, and those of Open MPI between each
 * pair of ranks, as counted in a real run (tests/data/openmpi_collectives.txt).
 */
#include "helpers.h"

#include "patterns/graphs/collectives.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 40 };

/* What all ranks send and receive. */
struct traffic {
	uint32_t ranks, at;
	double bytes[RANKS_MOST][RANKS_MOST];
	int sent[RANKS_MOST][RANKS_MOST], taken[RANKS_MOST][RANKS_MOST];
};

static void give(void *data, uint32_t rank, double bytes)
{
	struct traffic *t = data;
	assert_true(rank < t->ranks && rank != t->at && bytes >= 0);
	t->bytes[t->at][rank] += bytes;
	t->sent[t->at][rank]++;
}

static void take(void *data, uint32_t rank)
{
	struct traffic *t = data;
	assert_true(rank < t->ranks && rank != t->at);
	t->taken[rank][t->at]++;
}

static bool has_counts(enum collective collective)
{
	return collective == COLLECTIVE_ALLTOALLV || collective == COLLECTIVE_ALLTOALLW || collective == COLLECTIVE_SCATTERV ||
	       collective == COLLECTIVE_ALLGATHERV || collective == COLLECTIVE_REDUCESCATTER ||
	       collective == COLLECTIVE_NEIGHBOR_ALLTOALLV || collective == COLLECTIVE_NEIGHBOR_ALLTOALLW;
}

/* Runs an operation with blocks of so many bytes, of elements of 8 bytes. */
static struct traffic *run(
	enum collective_set set, enum collective collective, bool nonblocking, uint32_t ranks, uint32_t root, double bytes)
{
	struct traffic *t = calloc(1, sizeof *t);
	double count[RANKS_MOST];
	assert_non_null(t);
	t->ranks = ranks;
	for (uint32_t r = 0; r < ranks; r++)
		count[r] = bytes / 8;
	for (t->at = 0; t->at < ranks; t->at++) {
		const uint32_t near[2] = {(t->at + 1) % ranks, (t->at + ranks - 1) % ranks};
		const struct collective_call call = {.set = set,
			.collective = collective,
			.nonblocking = nonblocking,
			.ranks = ranks,
			.rank = t->at,
			.root = root,
			.bytes = bytes,
			.count = has_counts(collective) ? count : NULL,
			.datatype = 8,
			.to = near,
			.from = near,
			.tos = ranks > 1 ? 2 : 0,
			.froms = ranks > 1 ? 2 : 0,
			.give = give,
			.take = take,
			.data = t};
		collective_run(&call);
	}
	return t;
}

static double all_bytes(const struct traffic *t)
{
	double sum = 0;
	for (uint32_t a = 0; a < t->ranks; a++)
		for (uint32_t b = 0; b < t->ranks; b++)
			sum += t->bytes[a][b];
	return sum;
}

static void check_all(uint32_t ranks, double bytes, bool nonblocking)
{
	for (int set = 0; set < COLLECTIVE_SETS; set++)
		for (int collective = 0; collective < COLLECTIVES; collective++) {
			struct traffic *t = run(set, collective, nonblocking, ranks, ranks / 3, bytes);
			for (uint32_t a = 0; a < ranks; a++)
				for (uint32_t b = 0; b < ranks; b++)
					if (t->sent[a][b] != t->taken[a][b])
						fail_msg("%s of %s, %u ranks, %g bytes: %u sends %d messages to %u, which takes %d",
							collective_names[collective], collective_set_names[set], ranks, bytes, a,
							t->sent[a][b], b, t->taken[a][b]);
			assert_true((all_bytes(t) > 0) ==
					    (set != COLLECTIVES_NONE && ranks > 1 && bytes > 0 && collective != COLLECTIVE_BARRIER) ||
				    collective == COLLECTIVE_BARRIER);
			free(t);
		}
}

TEST(what_is_sent_is_received)
{
	static const double sizes[] = {8, 64, 800, 8000, 80000, 800000, 8000000};
	for (uint32_t ranks = 1; ranks <= RANKS_MOST; ranks++)
		for (size_t s = 0; s < ARRAY_LENGTH(sizes); s++)
			for (int nonblocking = 0; nonblocking < 2; nonblocking++)
				check_all(ranks, sizes[s], nonblocking);
}

/* The bytes that the algorithms of the literature move in all, of n ranks and S bytes. */
TEST(algorithms_move_what_they_must)
{
	static const struct {
		enum collective_set set;
		enum collective collective;
		uint32_t ranks;
		double bytes, all;
	} known[] = {
		{COLLECTIVES_RING, COLLECTIVE_ALLREDUCE, 8, 80000, 2 * 7 * 80000.0},
		{COLLECTIVES_RING, COLLECTIVE_ALLREDUCE, 7, 80000, 2 * 6 * 80000.0},
		{COLLECTIVES_RING, COLLECTIVE_BCAST, 9, 100, 8 * 100.0},
		{COLLECTIVES_RING, COLLECTIVE_REDUCESCATTER, 5, 80, 5 * 4 * 80.0},
		{COLLECTIVES_SIMPLE, COLLECTIVE_ALLREDUCE, 8, 80, 24 * 80.0},
		{COLLECTIVES_SIMPLE, COLLECTIVE_ALLGATHERV, 6, 80, 30 * 80.0},
		{COLLECTIVES_OPENMPI, COLLECTIVE_ALLREDUCE, 8, 2048, 24 * 2048.0},   /* doubling */
		{COLLECTIVES_OPENMPI, COLLECTIVE_ALLREDUCE, 8, 16384, 14 * 16384.0}, /* halving and doubling */
		{COLLECTIVES_OPENMPI, COLLECTIVE_ALLTOALL, 16, 64, 512 * 64.0},      /* Bruck: 4 steps of 8 blocks */
		{COLLECTIVES_OPENMPI, COLLECTIVE_ALLTOALL, 16, 4096, 240 * 4096.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLREDUCE, 8, 2048, 24 * 2048.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLREDUCE, 8, 4096, 14 * 4096.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLREDUCE, 6, 4096,
			(3 + 6 + 2) * 4096.0}, /* two pairs share and reduce; halving; the result back */
		{COLLECTIVES_MPICH, COLLECTIVE_BCAST, 8, 16000, 12 * 2000.0 + 7 * 16000.0}, /* scatter, all-gather */
		{COLLECTIVES_MPICH, COLLECTIVE_REDUCE, 8, 16000, 7 * 16000.0 + 12 * 2000.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLGATHER, 8, 100, 56 * 100.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLGATHER, 7, 100, 42 * 100.0},
		{COLLECTIVES_MPICH, COLLECTIVE_ALLTOALL, 8, 8, 8 * 12 * 8.0}, /* Bruck: 3 steps of 4 blocks */
		{COLLECTIVES_MPICH, COLLECTIVE_GATHER, 8, 8, 12 * 8.0},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++) {
		struct traffic *t = run(known[i].set, known[i].collective, false, known[i].ranks, 0, known[i].bytes);
		if (all_bytes(t) != known[i].all)
			fail_msg("case %zu: %g bytes, not %g", i, all_bytes(t), known[i].all);
		free(t);
	}
}

/* Reads the next measured case. Returns whether there is one. */
static bool read_case(
	FILE *file, enum collective *collective, bool *nonblocking, uint32_t *ranks, uint32_t *root, double *bytes, uint64_t sums[3])
{
	char line[200], name[40];
	while (fgets(line, sizeof line, file)) {
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%" SCNu32 " %39s %lf %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64, ranks, name, bytes, root,
					 &sums[0], &sums[1], &sums[2]),
			7);
		*nonblocking = *name == 'i';
		for (int c = 0; c < COLLECTIVES; c++)
			if (!strcmp(name + *nonblocking, collective_names[c]))
				*collective = c;
		return true;
	}
	return false;
}

TEST(open_mpi_moves_the_same_bytes)
{
	FILE *file = fopen("tests/data/openmpi_collectives.txt", "r");
	enum collective collective = 0;
	bool nonblocking = false;
	uint32_t ranks, root, cases = 0;
	double bytes;
	uint64_t wanted[3];
	assert_non_null(file);
	while (read_case(file, &collective, &nonblocking, &ranks, &root, &bytes, wanted)) {
		struct traffic *t = run(COLLECTIVES_OPENMPI, collective, nonblocking, ranks, root, bytes);
		uint64_t sums[3] = {0};
		for (uint32_t a = 0; a < ranks; a++)
			for (uint32_t b = 0; b < ranks; b++) {
				sums[0] += t->bytes[a][b] > 0;
				sums[1] += (uint64_t)t->bytes[a][b];
				sums[2] += (uint64_t)t->bytes[a][b] * (101 * a + 37 * b + 1);
			}
		if (sums[0] != wanted[0] || sums[1] != wanted[1] || (uint32_t)sums[2] != wanted[2])
			fail_msg("%s%s of %u ranks, root %u, %g bytes: %" PRIu64 " pairs and %" PRIu64 " bytes, not %" PRIu64
				 " and %" PRIu64,
				nonblocking ? "i" : "", collective_names[collective], ranks, root, bytes, sums[0], sums[1], wanted[0],
				wanted[1]);
		free(t);
		cases++;
	}
	fclose(file);
	assert_int_equal(cases, 774 + 721);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sent_is_received),
		cmocka_unit_test(algorithms_move_what_they_must),
		cmocka_unit_test(open_mpi_moves_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
