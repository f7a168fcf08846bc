/* One process, without MPI: stands in for parallel/comm.c in the library and in tests. */
#include "base/memory.h"
#include "parallel/comm.h"

#include <stdlib.h>
#include <string.h>

struct comm {
	uint64_t counter;
	void *memory; /* of comm_memory, one at a time */
};

struct comm *comm_create(struct error *error)
{
	return array_create(1, sizeof(struct comm), error);
}

void comm_free(struct comm *comm)
{
	if (comm)
		free(comm->memory);
	free(comm);
}

int comm_rank(const struct comm *comm)
{
	(void)comm;
	return 0;
}

int comm_size(const struct comm *comm)
{
	(void)comm;
	return 1;
}

int comm_neighbours(const struct comm *comm)
{
	(void)comm;
	return 1;
}

int comm_agree(struct comm *comm, struct error *error)
{
	(void)comm;
	return error->status ? -1 : 0;
}

void comm_broadcast(struct comm *comm, void *data, size_t bytes)
{
	(void)comm, (void)data, (void)bytes;
}

int comm_share(struct comm *comm, void *data, size_t bytes, struct error *error)
{
	(void)comm, (void)data, (void)bytes, (void)error;
	return 0;
}

void comm_unshare(struct comm *comm)
{
	(void)comm;
}

void *comm_memory(struct comm *comm, size_t bytes, int *part, int *parts, struct error *error)
{
	*part = 0;
	*parts = 1;
	free(comm->memory);
	return comm->memory = array_create(bytes, 1, error);
}

void comm_sum(struct comm *comm, uint64_t *numbers, size_t count)
{
	(void)comm, (void)numbers, (void)count;
}

uint64_t comm_min(struct comm *comm, uint64_t number)
{
	(void)comm;
	return number;
}

void *comm_gather(struct comm *comm, const void *data, size_t bytes, size_t *total, struct error *error)
{
	(void)comm;
	void *copy = array_create(bytes, 1, error);
	if (copy && bytes)
		memcpy(copy, data, bytes);
	*total = bytes;
	return copy;
}

uint64_t comm_next(struct comm *comm, uint64_t add)
{
	uint64_t was = comm->counter;
	comm->counter += add;
	return was;
}

void comm_restart(struct comm *comm, uint64_t value)
{
	comm->counter = value;
}

void comm_total(struct comm *comm, uint64_t *numbers, size_t count)
{
	(void)comm, (void)numbers, (void)count;
}

int comm_exchange(
	struct comm *comm, void *const *send, const size_t *bytes, void **buffer, size_t *room, size_t *total, struct error *error)
{
	(void)comm;
	*total = bytes[0];
	if (array_grow(buffer, room, *total + 1, 1, error))
		return -1;
	memcpy(*buffer, send[0], bytes[0]);
	return 0;
}
