/*
 * The processes that share the work, and the only file that knows MPI. Without mpirun there is one process and MPI is never started.
 * All functions but comm_next and comm_abort are collective: every process calls them in the same order. A failing MPI call ends the job.
 */
#ifndef PARALLEL_COMM_H
#define PARALLEL_COMM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct comm;

/* Starts MPI if mpirun (or another launcher) started this process. Returns NULL when the memory is not there. */
struct comm *comm_create(struct error *error);
void comm_free(struct comm *comm);

/* This process, 0 is the first, and how many there are. */
int comm_rank(const struct comm *comm);
int comm_size(const struct comm *comm);

/* How many of them are on this machine. */
int comm_neighbours(const struct comm *comm);

/* All processes get the error of the first process that has one. Returns 0 when none has, else -1. */
int comm_agree(struct comm *comm, struct error *error);

/* Copies bytes of the first process to all. */
void comm_broadcast(struct comm *comm, void *data, size_t bytes);

/*
 * The array *data of bytes bytes (allocated by malloc in the first process, ignored in the others) becomes one read-only copy per
 * machine, which *data then points to in every process; comm_unshare() or comm_free() frees it. With one process nothing happens and the
 * caller goes on owning it.
 */
int comm_share(struct comm *comm, void *data, size_t bytes, struct error *error);

/* Frees all that comm_share() shared. */
void comm_unshare(struct comm *comm);

/*
 * Memory of bytes bytes that the processes of a machine share, or each has where there is none to share; *part of *parts is what this
 * process should fill, before the next comm_agree(). It lives as long as comm, or until comm_unshare(). NULL in all processes when the
 * memory is not there.
 */
void *comm_memory(struct comm *comm, size_t bytes, int *part, int *parts, struct error *error);

/* The sum over all processes, in the first process; integers, so the order does not matter. */
void comm_sum(struct comm *comm, uint64_t *numbers, size_t count);

/* The same, in all processes. */
void comm_total(struct comm *comm, uint64_t *numbers, size_t count);

/*
 * Sends bytes[p] bytes of send[p] to each process p, itself too. What has come, one after the other in the order of processes, is in
 * *buffer of *room bytes, which grows as needed; *total bytes. Returns 0, or -1 when the memory is not there.
 */
int comm_exchange(
	struct comm *comm, void *const *send, const size_t *bytes, void **buffer, size_t *room, size_t *total, struct error *error);

/* The smallest value over all processes, everywhere. */
uint64_t comm_min(struct comm *comm, uint64_t number);

/* The bytes of all processes one after the other: a new array in the first process (NULL elsewhere), *total bytes long. */
void *comm_gather(struct comm *comm, const void *data, size_t bytes, size_t *total, struct error *error);

/* A counter that all processes share. comm_next adds to it and returns what it was; it needs no partner. comm_restart sets it. */
uint64_t comm_next(struct comm *comm, uint64_t add);
void comm_restart(struct comm *comm, uint64_t value);

/* Prints the error and ends all processes with its status at once; for failures in the middle of what the others wait for. */
void comm_abort(struct comm *comm, const struct error *error) __attribute__((noreturn));

#endif
