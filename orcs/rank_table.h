/* What each rank sent and received in packet runs, as CSV: orcs --ranks FILE. */
#ifndef ORCS_RANK_TABLE_H
#define ORCS_RANK_TABLE_H

#include "engines/observation.h"
#include "parallel/comm.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The rows of the runs of the first placement: one run, or one of each load. */
struct rank_table {
	double *cell; /* [used] rows of RANK_COLUMNS */
	size_t used, capacity;
};

/*
 * The columns. A row is a host with at least one rank. Packets count for the host that sends them; bytes are flits, and seconds cycles, in
 * runs that count these.
 */
enum rank_column {
	RANK_RUN,           /* orders the rows; not written */
	RANK_LOAD,          /* of an open loop, otherwise NAN */
	RANK_BYTES,         /* of a message, if runs differ in it; otherwise NAN */
	RANK_FIRST,         /* its first rank */
	RANK_COUNT,         /* number of its ranks */
	RANK_HOST,          /* index of the host; its name is written */
	RANK_SENT,          /* bytes that left it during the measurement */
	RANK_ACCEPTED,      /* bytes of its packets that arrived during the measurement */
	RANK_RECEIVED,      /* bytes of packets for it that arrived during the measurement */
	RANK_PACKETS,       /* of its packets that were created during the measurement, those that have arrived; of these: */
	RANK_HOPS,          /* mean number of channels */
	RANK_LATENCY,       /* mean latency in seconds */
	RANK_P99,           /* 99% of the latencies do not exceed it */
	RANK_COMMUNICATION, /* seconds in which its tasks did not compute, until their last operation: the largest; NAN in open loops */
	RANK_BUSY,          /* share of the time in which its links send, from the host; the mean of several links */
	RANK_BLOCKED,       /* in which packets wait for them because the buffers beyond are full */
	RANK_BUSY_IN,       /* the same of its links to the host */
	RANK_BLOCKED_IN,
	RANK_MEASURED, /* seconds */
	RANK_COLUMNS,
};

/* Adds the rows of a run on these hosts. Returns 0, or -1 if out of memory. Time O(channels + operations). */
int rank_table_add(
	struct rank_table *table, const struct observation *seen, const uint32_t *host, uint32_t ranks, bool cycles, struct error *error);

/* Collects the rows of all processes in process 0, in order. Collective. Returns 0, or -1. */
int rank_table_merge(struct rank_table *table, struct comm *comm, struct error *error);

/* Writes the table. Errors of writing stay in the FILE. */
void rank_table_write(const struct rank_table *table, const struct fabric *fabric, bool cycles, FILE *file);
void rank_table_clear(struct rank_table *table);

#endif
