/*
 * Programs whose traffic is known: traffic CASE. Each rank writes the messages that it sends, and the collective operations that it calls,
 * to the file EXPECT.RANK, one per line: "m RECEIVER BYTES", "g SENDER BYTES" (what it gets), "x OPERATION BYTES".
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static FILE *expected;
static char out[1 << 20], in[1 << 20];

static void expect(int to, long bytes)
{
	fprintf(expected, "m %d %ld\n", to, bytes);
}

static void expect_call(const char *name, long bytes)
{
	fprintf(expected, "x %s %ld\n", name, bytes);
}

static int next(int by)
{
	return (rank + by + ranks) % ranks;
}

static void ring(void)
{
	for (int i = 0; i < 3; i++) {
		MPI_Sendrecv(out, 1000, MPI_CHAR, next(1), 7, in, 1000, MPI_CHAR, next(-1), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(next(1), 1000);
		MPI_Sendrecv_replace(out, 10, MPI_DOUBLE, next(2), 8, next(-2), 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		expect(next(2), 80);
	}
	MPI_Sendrecv(out, 5, MPI_CHAR, MPI_PROC_NULL, 7, in, 1000, MPI_CHAR, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Nonblocking and all modes, with every kind of wait, derived datatypes, and no process beyond the ends. */
static void halo(void)
{
	MPI_Datatype column;
	MPI_Request request[4];
	int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL, index, flag;
	MPI_Type_vector(20, 3, 7, MPI_INT, &column);
	MPI_Type_commit(&column);
	for (int i = 0; i < 6; i++) {
		MPI_Irecv(in, 1, column, left, i, MPI_COMM_WORLD, &request[0]);
		MPI_Irecv(in + 4096, 1, column, right, i, MPI_COMM_WORLD, &request[1]);
		if (i == 1) {
			MPI_Issend(out, 1, column, right, i, MPI_COMM_WORLD, &request[2]);
			MPI_Issend(out, 1, column, left, i, MPI_COMM_WORLD, &request[3]);
		} else {
			MPI_Isend(out, 1, column, right, i, MPI_COMM_WORLD, &request[2]);
			MPI_Isend(out, 1, column, left, i, MPI_COMM_WORLD, &request[3]);
		}
		if (i < 2)
			MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
		for (int k = 0; i == 2 && k < 4; k++)
			MPI_Wait(&request[3 - k], MPI_STATUS_IGNORE);
		for (int k = 0; i == 3 && k < 4; k++)
			MPI_Waitany(4, request, &index, MPI_STATUS_IGNORE);
		for (int done = 0, some, indices[4]; i == 4 && done < 4; done += some)
			MPI_Waitsome(4, request, &some, indices, MPI_STATUSES_IGNORE);
		for (flag = 0; i == 5 && !flag;)
			MPI_Testall(4, request, &flag, MPI_STATUSES_IGNORE);
		for (int side = 0; side < 2; side++)
			if ((side ? left : right) != MPI_PROC_NULL)
				expect(side ? left : right, 240);
	}
	MPI_Type_free(&column);
}

static void persistent(void)
{
	MPI_Request request[2];
	MPI_Send_init(out, 300, MPI_CHAR, next(1), 1, MPI_COMM_WORLD, &request[0]);
	MPI_Recv_init(in, 300, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
	for (int i = 0; i < 4; i++) {
		if (i % 2)
			MPI_Startall(2, request);
		for (int k = 0; k < 2 && i % 2 == 0; k++)
			MPI_Start(&request[k]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		expect(next(1), 300);
	}
	MPI_Request_free(&request[0]);
	MPI_Request_free(&request[1]);
}

static void wildcards(void)
{
	MPI_Request request[2];
	MPI_Message message;
	MPI_Status status;
	if (rank) {
		for (int i = 0; i < 4; i++) {
			MPI_Send(out, 10 * rank + i, MPI_CHAR, 0, 4 * rank + i, MPI_COMM_WORLD);
			expect(0, 10 * rank + i);
		}
	}
	for (int i = 1; rank == 0 && i < ranks; i++) {
		MPI_Recv(in, 1000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Irecv(in, 1000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
		MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
		MPI_Wait(&request[0], MPI_STATUS_IGNORE);
		MPI_Mrecv(in, 1000, MPI_CHAR, &message, MPI_STATUS_IGNORE);
		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		MPI_Recv(in, 1000, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Irecv(in, 10, MPI_CHAR, MPI_ANY_SOURCE, 999, MPI_COMM_WORLD, &request[1]);
	MPI_Cancel(&request[1]);
	MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

static void communicators(void)
{
	MPI_Comm half, copy, across, merged, cart, row, later, few;
	MPI_Group all, first;
	MPI_Request request;
	int own, size, periods[2] = {1, 0}, dims[2] = {2, ranks / 2}, keep[2] = {0, 1}, list[2] = {1, 0};
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
	MPI_Comm_dup(half, &copy);
	MPI_Comm_rank(copy, &own);
	MPI_Comm_size(copy, &size);
	MPI_Sendrecv(out, 11, MPI_CHAR, (own + 1) % size, 0, in, 11, MPI_CHAR, (own + size - 1) % size, 0, copy, MPI_STATUS_IGNORE);
	expect((rank + ranks - 2) % ranks, 11); /* in the opposite order */
	MPI_Intercomm_create(copy, 0, MPI_COMM_WORLD, rank % 2 ? ranks - 2 : ranks - 1, 5, &across);
	MPI_Sendrecv(out, 12, MPI_CHAR, own, 0, in, 12, MPI_CHAR, own, 0, across, MPI_STATUS_IGNORE);
	expect(rank ^ 1, 12);
	MPI_Bcast(out, 9, MPI_CHAR, rank % 2 ? 0 : own ? MPI_PROC_NULL : MPI_ROOT, across);
	MPI_Intercomm_merge(across, rank % 2, &merged);
	MPI_Comm_rank(merged, &own);
	MPI_Comm_size(merged, &size);
	if (own == 0) {
		MPI_Send(out, 13, MPI_CHAR, size - 1, 0, merged);
		expect(1, 13);
	} else if (own == size - 1) {
		MPI_Recv(in, 13, MPI_CHAR, 0, 0, merged, MPI_STATUS_IGNORE);
	}
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
	MPI_Cart_sub(cart, keep, &row);
	MPI_Comm_rank(row, &own);
	MPI_Irecv(in, 14, MPI_CHAR, own, 3, row, &request);
	MPI_Send(out, 14, MPI_CHAR, own, 3, row);
	expect(rank, 14);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Comm_idup(row, &later, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(later);
	expect_call("barrier", 0);
	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 2, list, &first);
	if (rank < 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, first, 1, &few);
		MPI_Sendrecv(out, 15, MPI_CHAR, rank, 0, in, 15, MPI_CHAR, rank, 0, few, MPI_STATUS_IGNORE);
		expect(1 - rank, 15);
		MPI_Comm_free(&few);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&first);
	expect_call("bcast", 9);
	MPI_Comm_free(&later);
	MPI_Comm_free(&row);
	MPI_Comm_free(&cart);
	MPI_Comm_free(&merged);
	MPI_Comm_free(&across);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&half);
}

static void blocking(void)
{
	MPI_Gather(rank == 2 ? MPI_IN_PLACE : out, 4, MPI_CHAR, in, 4, MPI_CHAR, 2, MPI_COMM_WORLD);
	expect_call("gather", 4);
	MPI_Scatter(out, 8, MPI_CHAR, in, 8, MPI_CHAR, 0, MPI_COMM_WORLD);
	expect_call("scatter", 8);
	MPI_Reduce(out, in, 2, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
	expect_call("reduce", 8);
	MPI_Scan(out, in, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	expect_call("scan", 8);
	MPI_Allgather(out, 7, MPI_CHAR, in, 7, MPI_CHAR, MPI_COMM_WORLD);
	expect_call("allgather", 7);
	MPI_Allreduce(out, in, 200, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	expect_call("allreduce", 1600);
	MPI_Alltoall(out, 100, MPI_INT, in, 100, MPI_INT, MPI_COMM_WORLD);
	expect_call("alltoall", 400);
	MPI_Bcast(out, 3000, MPI_INT, 1, MPI_COMM_WORLD);
	expect_call("bcast", 12000);
}

static void collectives(void)
{
	int counts[64], places[64], other[64];
	MPI_Request request[3];
	for (int i = 0; i < ranks; i++) {
		counts[i] = rank + 2 * i;
		other[i] = i + 2 * rank;
		places[i] = 100 * i;
	}
	MPI_Alltoallv(out, counts, places, MPI_SHORT, in, other, places, MPI_SHORT, MPI_COMM_WORLD);
	for (int i = 0; i < ranks; i++)
		fprintf(expected, "v %d %d\n", i, 2 * counts[i]);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 3, MPI_INT, MPI_COMM_WORLD);
	expect_call("alltoall", 12);
	MPI_Iallreduce(MPI_IN_PLACE, in, 5, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request[0]);
	expect_call("allreduce", 40);
	MPI_Ibarrier(MPI_COMM_WORLD, &request[1]);
	expect_call("barrier", 0);
	MPI_Ibcast(out, 6, MPI_INT, 1, MPI_COMM_WORLD, &request[2]);
	expect_call("bcast", 24);
	MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
	blocking();
}

/* Operations of neighbours in a grid, of which the ends have one less, and in a graph. */
static void in_grid(MPI_Comm cart)
{
	MPI_Request request;
	int left = rank ? 2 * rank - 1 : 0, counts[2] = {rank + 1, 2 * rank + 1}, other[2] = {left, rank + 2}, places[2] = {0, 100};
	MPI_Neighbor_alltoall(out, 16, MPI_CHAR, in, 16, MPI_CHAR, cart);
	MPI_Ineighbor_allgather(out, 5, MPI_INT, in, 5, MPI_INT, cart, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Neighbor_alltoallv(out, counts, places, MPI_SHORT, in, other, places, MPI_SHORT, cart);
	for (int side = 0; side < 2; side++) {
		int to = side ? rank + 1 : rank - 1;
		if (to >= 0 && to < ranks)
			fprintf(expected, "n %d 16\nn %d 20\nn %d %d\n", to, to, to, 2 * counts[side]);
	}
}

static void in_graph(MPI_Comm graph)
{
	MPI_Request request;
	MPI_Ineighbor_allgather(out, 3, MPI_INT, in, 3, MPI_INT, graph, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	fprintf(expected, "n %d 12\nn %d 12\n", next(2), next(1));
}

static void with_neighbours(bool grid, bool in_it)
{
	MPI_Comm comm;
	int periods[1] = {0}, from[2] = {next(-2), next(-1)}, to[2] = {next(2), next(1)};
	if (grid)
		MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, periods, 0, &comm);
	else
		MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
	if (in_it)
		(grid ? in_grid : in_graph)(comm);
	MPI_Comm_free(&comm);
}

static void neighbours(void)
{
	with_neighbours(true, true);
	with_neighbours(false, true);
}

/* For counts of what MPI sends: to make a communicator, too. */
static void grid(void)
{
	with_neighbours(true, true);
}

static void no_grid(void)
{
	with_neighbours(true, false);
}

static void onesided(void)
{
	MPI_Win win;
	long one = 1, old, zero = 0;
	MPI_Request request;
	MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_fence(0, win);
	MPI_Put(out, 50, MPI_CHAR, next(1), 0, 50, MPI_CHAR, win);
	expect(next(1), 50);
	MPI_Get(out, 60, MPI_CHAR, next(2), 512, 60, MPI_CHAR, win);
	fprintf(expected, "g %d 60\n", next(2));
	MPI_Win_fence(0, win);
	MPI_Win_lock_all(0, win);
	MPI_Accumulate(out, 3, MPI_INT, next(1), 1024, 3, MPI_INT, MPI_SUM, win);
	expect(next(1), 12);
	MPI_Win_flush(next(1), win);
	MPI_Fetch_and_op(&one, &old, MPI_LONG, next(1), 2048, MPI_SUM, win);
	expect(next(1), 8);
	fprintf(expected, "g %d 8\n", next(1));
	MPI_Win_flush_all(win);
	MPI_Compare_and_swap(&one, &zero, &old, MPI_LONG, next(1), 4096, win);
	expect(next(1), 8);
	fprintf(expected, "g %d 8\n", next(1));
	MPI_Rput(out, 70, MPI_CHAR, next(1), 8192, 70, MPI_CHAR, win, &request);
	expect(next(1), 70);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
}

/* Windows that only some ranks access. */
static void epochs(void)
{
	MPI_Win win;
	MPI_Group all, before, after;
	int flag = 0, left = next(-1), right = next(1);
	MPI_Win_create(in, sizeof in, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_get_group(win, &all);
	MPI_Group_incl(all, 1, &left, &before);
	MPI_Group_incl(all, 1, &right, &after);
	for (int i = 0; i < 2; i++) {
		MPI_Win_post(before, 0, win);
		MPI_Win_start(after, 0, win);
		MPI_Put(out, 50 + i, MPI_CHAR, right, 0, 50 + i, MPI_CHAR, win);
		expect(right, 50 + i);
		MPI_Win_complete(win);
		while (i && !flag)
			MPI_Win_test(win, &flag);
		if (!i)
			MPI_Win_wait(win);
	}
	MPI_Group_free(&all);
	MPI_Group_free(&before);
	MPI_Group_free(&after);
	MPI_Win_free(&win);
}

/* A message that nobody receives. */
static void lost(void)
{
	ring();
	if (rank == 2)
		MPI_Send(out, 10, MPI_CHAR, 1, 99, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Calls whose instructions are counted, four in each turn; with one rank. */
static void turns(int count)
{
	MPI_Request request[2];
	for (int i = 0; i < count; i++) {
		MPI_Irecv(in, 100, MPI_DOUBLE, rank, i, MPI_COMM_WORLD, &request[0]);
		MPI_Isend(out, 100, MPI_DOUBLE, rank, i, MPI_COMM_WORLD, &request[1]);
		MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
		MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
}

__attribute__((noinline)) void counted_calls(void)
{
	turns(500);
}

static void counted(void)
{
	turns(1); /* which finds the functions of MPI */
	counted_calls();
}

static void *talk(void *data)
{
	int thread = *(int *)data;
	char a[100], b[100] = "";
	for (int i = 0; i < 50; i++)
		if (rank % 2 == 0) {
			MPI_Send(b, 10 + thread, MPI_CHAR, rank + 1, thread, MPI_COMM_WORLD);
			MPI_Recv(a, 100, MPI_CHAR, rank + 1, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(a, 100, MPI_CHAR, rank - 1, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(b, 20 + thread, MPI_CHAR, rank - 1, thread, MPI_COMM_WORLD);
		}
	return NULL;
}

static void threads(void)
{
	pthread_t thread[3];
	int number[3];
	for (int i = 0; i < 3; i++) {
		number[i] = i;
		pthread_create(&thread[i], NULL, talk, &number[i]);
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(thread[i], NULL);
		for (int k = 0; k < 50; k++)
			expect(rank ^ 1, (rank % 2 ? 20 : 10) + i);
	}
}

/* Programs that do not end as they should. */
static void killed(void)
{
	ring();
	MPI_Barrier(MPI_COMM_WORLD);
	fflush(expected);
	if (rank == 1)
		raise(SIGKILL);
	MPI_Recv(in, 1, MPI_CHAR, 1, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void aborts(void)
{
	ring();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		MPI_Abort(MPI_COMM_WORLD, 9);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {{"ring", ring}, {"halo", halo}, {"persistent", persistent}, {"wildcards", wildcards}, {"communicators", communicators},
		{"collectives", collectives}, {"blocking", blocking}, {"neighbours", neighbours}, {"grid", grid}, {"no_grid", no_grid},
		{"onesided", onesided}, {"epochs", epochs}, {"counted", counted}, {"lost", lost}, {"threads", threads}, {"killed", killed},
		{"aborts", aborts}};
	char path[4096];
	int provided, status = argc > 2 ? atoi(argv[2]) : 0;
	MPI_Init_thread(&argc, &argv, argc > 1 && !strcmp(argv[1], "threads") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(path, sizeof path, "%s.%d", getenv("EXPECT") ? getenv("EXPECT") : "/dev/null", rank);
	expected = fopen(getenv("EXPECT") ? path : "/dev/null", "w");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (argc > 1 && !strcmp(argv[1], cases[i].name))
			cases[i].run();
	if (rank == 0)
		printf("traffic of %d ranks\n", ranks);
	fclose(expected);
	MPI_Finalize();
	return status;
}
