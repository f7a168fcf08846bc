/*
 * The processes that share the work; the only file that uses MPI. Without mpirun there is one process, and MPI is never started. All
 * functions but comm_next are collective: every process calls them in the same order. A failing MPI call ends the job.
 */
#ifndef PARALLEL_COMM_H
#define PARALLEL_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct comm;

/* Starts MPI if mpirun (or another launcher) started this process. Returns NULL if out of memory. */
struct comm *comm_create(struct error *error);
void comm_free(struct comm *comm);

/* Return the rank of this process, 0 or more, and the number of processes. */
int comm_rank(const struct comm *comm);
int comm_size(const struct comm *comm);

/* Returns the number of processes on this machine. */
int comm_neighbours(const struct comm *comm);

/* Gives all processes the error of the lowest rank that has one. Returns 0 if none has an error, otherwise -1. */
int comm_agree(struct comm *comm, struct error *error);

/* Copies the bytes of process 0 to all processes. */
void comm_broadcast(struct comm *comm, void *data, size_t bytes);

/*
 * Replaces the array *data of bytes bytes (allocated by malloc in process 0, ignored in the others) by one read-only copy per machine, to
 * which *data then points in every process. comm_unshare() or comm_free() frees it. With one process nothing happens and the caller still
 * owns the array.
 */
int comm_share(struct comm *comm, void *data, size_t bytes, struct error *error);

/* Frees all arrays of comm_share(). */
void comm_unshare(struct comm *comm);

/*
 * Allocates bytes bytes that the processes of a machine share, or one copy per process where sharing is impossible. Part *part of *parts is
 * the one that this process must fill before the next comm_agree(). The memory lives as long as comm, or until comm_unshare(). NULL in all
 * processes if out of memory.
 */
void *comm_memory(struct comm *comm, size_t bytes, int *part, int *parts, struct error *error);

/* Sums the numbers over all processes, in process 0; integers, so the order does not matter. */
void comm_sum(struct comm *comm, uint64_t *numbers, size_t count);

/* Sums the numbers over all processes, in all processes. */
void comm_total(struct comm *comm, uint64_t *numbers, size_t count);

/*
 * Sends bytes[p] bytes of send[p] to each process p, including itself. *buffer of *room bytes, which grows as needed, gets the *total bytes
 * received, in the order of the processes. Returns 0, or -1 if out of memory.
 */
int comm_exchange(
	struct comm *comm, void *const *send, const size_t *bytes, void **buffer, size_t *room, size_t *total, struct error *error);

/* Returns the minimum over all processes, in all processes. */
uint64_t comm_min(struct comm *comm, uint64_t number);

/* Concatenates the bytes of all processes. Returns a new array of *total bytes in process 0, NULL in the others. */
void *comm_gather(struct comm *comm, const void *data, size_t bytes, size_t *total, struct error *error);

/*
 * A counter that all processes share. comm_next adds to it and returns the previous value, without waiting for another process.
 * comm_restart sets it.
 */
uint64_t comm_next(struct comm *comm, uint64_t add);
void comm_restart(struct comm *comm, uint64_t value);

#endif
