#include "parallel/comm.h"

#include "base/memory.h"

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LINE: bytes of a cache line; access across two lines takes twice as long. */
enum { CHUNK = 1 << 30, SHARES_MAX = 64, LINE = 64 };

struct comm {
	int rank, size;
	MPI_Comm node;    /* the processes of this machine */
	MPI_Comm leaders; /* process 0 of each machine; MPI_COMM_NULL in the others */
	int node_rank;
	MPI_Win share[SHARES_MAX];
	int shares;
	void *owned[SHARES_MAX]; /* private copies, if shared memory is unavailable */
	int owns;
	MPI_Win counter_window;
	uint64_t *counter; /* owned by process 0; the only one if size is 1 */
	uint64_t alone;
};

/* Returns whether a launcher started this process: launchers set these environment variables. */
static bool launched(void)
{
	static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		if (getenv(signs[i]))
			return true;
	return false;
}

struct comm *comm_create(struct error *error)
{
	struct comm *comm = array_create(1, sizeof *comm, error);
	if (!comm)
		return NULL;
	comm->size = 1;
	comm->counter = &comm->alone;
	if (!launched())
		return comm;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &comm->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &comm->size);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm->node);
	MPI_Comm_rank(comm->node, &comm->node_rank);
	MPI_Comm_split(MPI_COMM_WORLD, comm->node_rank ? MPI_UNDEFINED : 0, comm->rank, &comm->leaders);
	MPI_Win_allocate(comm->rank ? 0 : sizeof *comm->counter, sizeof *comm->counter, MPI_INFO_NULL, MPI_COMM_WORLD, &comm->counter,
		&comm->counter_window);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, comm->counter_window);
	comm_restart(comm, 0);
	return comm;
}

void comm_unshare(struct comm *comm)
{
	while (comm->shares)
		MPI_Win_free(&comm->share[--comm->shares]);
	while (comm->owns)
		free(comm->owned[--comm->owns]);
}

void comm_free(struct comm *comm)
{
	if (!comm)
		return;
	comm_unshare(comm);
	int started = 0;
	MPI_Initialized(&started);
	if (started) {
		MPI_Win_unlock_all(comm->counter_window);
		MPI_Win_free(&comm->counter_window);
		if (comm->leaders != MPI_COMM_NULL)
			MPI_Comm_free(&comm->leaders);
		MPI_Comm_free(&comm->node);
		MPI_Finalize();
	}
	free(comm);
}

int comm_rank(const struct comm *comm)
{
	return comm->rank;
}

int comm_size(const struct comm *comm)
{
	return comm->size;
}

int comm_neighbours(const struct comm *comm)
{
	int neighbours = 1;
	if (comm->size > 1)
		MPI_Comm_size(comm->node, &neighbours);
	return neighbours;
}

int comm_agree(struct comm *comm, struct error *error)
{
	if (comm->size > 1) {
		int mine = error->status ? comm->rank : comm->size, first;
		MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
		if (first < comm->size)
			MPI_Bcast(error, sizeof *error, MPI_BYTE, first, MPI_COMM_WORLD);
	}
	return error->status ? -1 : 0;
}

static void broadcast(void *data, size_t bytes, MPI_Comm over)
{
	for (char *at = data; bytes;) {
		int size = bytes < CHUNK ? (int)bytes : CHUNK;
		MPI_Bcast(at, size, MPI_BYTE, 0, over);
		at += size;
		bytes -= (size_t)size;
	}
}

void comm_broadcast(struct comm *comm, void *data, size_t bytes)
{
	if (comm->size > 1)
		broadcast(data, bytes, MPI_COMM_WORLD);
}

/*
 * Allocates memory that the processes of this machine share, aligned to a cache line. NULL everywhere if any machine cannot share memory.
 */
static void *share_memory(struct comm *comm, size_t bytes)
{
	void *memory = NULL;
	MPI_Win window;
	double available;
	int fits = comm->node_rank || memory_fits((double)bytes, &available);
	MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (!fits)
		return NULL;
	MPI_Comm_set_errhandler(comm->node, MPI_ERRORS_RETURN);
	MPI_Aint wanted = comm->node_rank ? 0 : (MPI_Aint)(bytes + LINE - 1);
	int failed = MPI_Win_allocate_shared(wanted, 1, MPI_INFO_NULL, comm->node, &memory, &window);
	MPI_Comm_set_errhandler(comm->node, MPI_ERRORS_ARE_FATAL);
	MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm->node);
	int any_failed = failed;
	MPI_Allreduce(MPI_IN_PLACE, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (any_failed && !failed)
		MPI_Win_free(&window);
	if (any_failed)
		return NULL;
	MPI_Aint size;
	int unit;
	MPI_Win_shared_query(window, 0, &size, &unit, &memory);
	comm->share[comm->shares++] = window;
	return (void *)(((uintptr_t)memory + LINE - 1) / LINE *
			LINE); /* the same offset in all processes, as pages are larger than a line */
}

/*
 * Allocates memory that the processes of this machine share or, if that is impossible, memory of this process. NULL everywhere on errors.
 */
static void *allocate(struct comm *comm, size_t bytes, bool *shared, struct error *error)
{
	void *memory = comm->size > 1 && comm->shares < SHARES_MAX && bytes ? share_memory(comm, bytes) : NULL;
	*shared = memory != NULL;
	if (!memory && (memory = block_create(bytes, error)))
		comm->owned[comm->owns++] = memory;
	return comm_agree(comm, error) ? NULL : memory;
}

void *comm_memory(struct comm *comm, size_t bytes, int *part, int *parts, struct error *error)
{
	bool shared;
	void *memory = allocate(comm, bytes, &shared, error);
	*part = 0;
	*parts = 1;
	if (memory && shared) {
		*part = comm->node_rank;
		MPI_Comm_size(comm->node, parts);
	}
	return memory;
}

int comm_share(struct comm *comm, void *data, size_t bytes, struct error *error)
{
	if (comm->size == 1)
		return 0;
	void *original = NULL;
	bool shared;
	if (!comm->rank)
		memcpy(&original, data, sizeof original);
	void *memory = allocate(comm, bytes, &shared, error);
	if (!memory)
		return -1;
	if (!comm->rank)
		memcpy(memory, original, bytes);
	if (!shared)
		broadcast(memory, bytes, MPI_COMM_WORLD);
	else if (comm->leaders != MPI_COMM_NULL)
		broadcast(memory, bytes, comm->leaders);
	MPI_Barrier(comm->node);
	free(original);
	memcpy(data, &memory, sizeof memory);
	return 0;
}

void comm_sum(struct comm *comm, uint64_t *numbers, size_t count)
{
	for (size_t done = 0; comm->size > 1 && done < count;) {
		int size = count - done < CHUNK / 8 ? (int)(count - done) : CHUNK / 8;
		MPI_Reduce(comm->rank ? numbers + done : MPI_IN_PLACE, numbers + done, size, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
		done += (size_t)size;
	}
}

void comm_total(struct comm *comm, uint64_t *numbers, size_t count)
{
	for (size_t done = 0; comm->size > 1 && done < count;) {
		int size = count - done < CHUNK / 8 ? (int)(count - done) : CHUNK / 8;
		MPI_Allreduce(MPI_IN_PLACE, numbers + done, size, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
		done += (size_t)size;
	}
}

int comm_exchange(
	struct comm *comm, void *const *send, const size_t *bytes, void **buffer, size_t *room, size_t *total, struct error *error)
{
	enum { TAG = 1 };
	int size = comm->size, requests = 0;
	uint64_t out[size], in[size];
	MPI_Request request[2 * size];
	for (int p = 0; p < size; p++)
		out[p] = in[p] = bytes[p];
	if (size > 1)
		MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, MPI_COMM_WORLD);
	*total = 0;
	for (int p = 0; p < size; p++)
		*total += in[p];
	if (array_grow(buffer, room, *total + 1, 1, error))
		return -1;
	char *at = *buffer;
	for (int p = 0; p < size; at += in[p++])
		if (p == comm->rank && bytes[p])
			memcpy(at, send[p], bytes[p]);
		else if (p != comm->rank && in[p])
			MPI_Irecv(at, (int)in[p], MPI_BYTE, p, TAG, MPI_COMM_WORLD, &request[requests++]);
	for (int p = 0; p < size; p++)
		if (p != comm->rank && out[p])
			MPI_Isend(send[p], (int)out[p], MPI_BYTE, p, TAG, MPI_COMM_WORLD, &request[requests++]);
	MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
	return 0;
}

uint64_t comm_min(struct comm *comm, uint64_t number)
{
	if (comm->size > 1)
		MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
	return number;
}

/* Prints the error and ends all processes with its status at once: others wait for this one. */
static void __attribute__((noreturn)) end_job(const struct comm *comm, const struct error *error)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, error->text);
	if (comm->size > 1)
		MPI_Abort(MPI_COMM_WORLD, (int)error->status);
	exit((int)error->status);
}

void *comm_gather(struct comm *comm, const void *data, size_t bytes, size_t *total, struct error *error)
{
	uint64_t mine = bytes, *sizes = array_create((size_t)comm->size, sizeof *sizes, error);
	*total = bytes;
	if (!sizes)
		end_job(comm, error);
	if (comm->size > 1)
		MPI_Gather(&mine, 1, MPI_UINT64_T, sizes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	for (int from = 1; from < comm->size && !comm->rank; from++)
		*total += sizes[from];
	char *all = comm->rank ? NULL : array_create(*total, 1, error);
	if (!comm->rank && !all)
		end_job(comm, error);
	if (!comm->rank && bytes)
		memcpy(all, data, bytes);
	size_t at = bytes;
	for (int from = 1; from < comm->size; from++) {
		uint64_t left = comm->rank ? bytes : sizes[from];
		for (size_t done = 0; (comm->rank == from || !comm->rank) && done < left;) {
			int size = left - done < CHUNK ? (int)(left - done) : CHUNK;
			if (comm->rank)
				MPI_Send((const char *)data + done, size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
			else
				MPI_Recv(all + at, size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			done += (size_t)size;
			at += comm->rank ? 0 : (size_t)size;
		}
	}
	free(sizes);
	return all;
}

uint64_t comm_next(struct comm *comm, uint64_t add)
{
	uint64_t value;
	if (comm->size == 1) {
		value = *comm->counter;
		*comm->counter += add;
		return value;
	}
	MPI_Fetch_and_op(&add, &value, MPI_UINT64_T, 0, 0, MPI_SUM, comm->counter_window);
	MPI_Win_flush(0, comm->counter_window);
	return value;
}

void comm_restart(struct comm *comm, uint64_t value)
{
	if (comm->size == 1) {
		*comm->counter = value;
		return;
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (!comm->rank) {
		uint64_t before;
		MPI_Fetch_and_op(&value, &before, MPI_UINT64_T, 0, 0, MPI_REPLACE, comm->counter_window);
		MPI_Win_flush(0, comm->counter_window);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}
