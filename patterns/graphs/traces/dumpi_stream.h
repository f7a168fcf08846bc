/* The stream of calls of one rank in a DUMPI file. */
#ifndef PATTERNS_GRAPHS_TRACES_DUMPI_STREAM_H
#define PATTERNS_GRAPHS_TRACES_DUMPI_STREAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers of the calls that matter here: those of MPI in the order of DUMPI. */
enum dumpi_call_number {
	DUMPI_SEND = 0,
	DUMPI_RECV,
	DUMPI_BSEND = 3,
	DUMPI_SSEND,
	DUMPI_RSEND,
	DUMPI_ISEND = 8,
	DUMPI_IBSEND,
	DUMPI_ISSEND,
	DUMPI_IRSEND,
	DUMPI_IRECV,
	DUMPI_WAIT,
	DUMPI_TEST,
	DUMPI_REQUEST_FREE,
	DUMPI_WAITANY,
	DUMPI_TESTANY,
	DUMPI_WAITALL,
	DUMPI_TESTALL,
	DUMPI_WAITSOME,
	DUMPI_TESTSOME,
	DUMPI_CANCEL = 24,
	DUMPI_SEND_INIT = 26,
	DUMPI_BSEND_INIT,
	DUMPI_SSEND_INIT,
	DUMPI_RSEND_INIT,
	DUMPI_RECV_INIT,
	DUMPI_START,
	DUMPI_STARTALL,
	DUMPI_SENDRECV,
	DUMPI_SENDRECV_REPLACE,
	DUMPI_TYPE_CONTIGUOUS,
	DUMPI_TYPE_VECTOR,
	DUMPI_TYPE_HVECTOR,
	DUMPI_TYPE_INDEXED,
	DUMPI_TYPE_HINDEXED,
	DUMPI_TYPE_STRUCT,
	DUMPI_BARRIER = 52,
	DUMPI_BCAST,
	DUMPI_GATHER,
	DUMPI_GATHERV,
	DUMPI_SCATTER,
	DUMPI_SCATTERV,
	DUMPI_ALLGATHER,
	DUMPI_ALLGATHERV,
	DUMPI_ALLTOALL,
	DUMPI_ALLTOALLV,
	DUMPI_REDUCE,
	DUMPI_ALLREDUCE = 65,
	DUMPI_REDUCE_SCATTER,
	DUMPI_SCAN,
	DUMPI_COMM_GROUP = 72,
	DUMPI_GROUP_UNION,
	DUMPI_GROUP_INTERSECTION,
	DUMPI_GROUP_DIFFERENCE,
	DUMPI_GROUP_INCL,
	DUMPI_GROUP_EXCL,
	DUMPI_GROUP_RANGE_INCL,
	DUMPI_GROUP_RANGE_EXCL,
	DUMPI_COMM_DUP = 84,
	DUMPI_COMM_CREATE,
	DUMPI_COMM_SPLIT,
	DUMPI_COMM_FREE,
	DUMPI_COMM_REMOTE_GROUP = 90,
	DUMPI_INTERCOMM_CREATE,
	DUMPI_INTERCOMM_MERGE,
	DUMPI_CART_CREATE = 99,
	DUMPI_GRAPH_CREATE = 101,
	DUMPI_CART_SUB = 111,
	DUMPI_COMM_ACCEPT = 130,
	DUMPI_COMM_CONNECT,
	DUMPI_COMM_JOIN = 134,
	DUMPI_COMM_SPAWN,
	DUMPI_COMM_SPAWN_MULTIPLE,
	DUMPI_ACCUMULATE = 141,
	DUMPI_GET,
	DUMPI_PUT,
	DUMPI_WIN_COMPLETE,
	DUMPI_WIN_CREATE,
	DUMPI_WIN_FENCE,
	DUMPI_WIN_FREE,
	DUMPI_WIN_GET_GROUP,
	DUMPI_WIN_POST = 150,
	DUMPI_WIN_START,
	DUMPI_WIN_TEST,
	DUMPI_WIN_UNLOCK,
	DUMPI_WIN_WAIT,
	DUMPI_ALLTOALLW,
	DUMPI_EXSCAN,
	DUMPI_TYPE_DUP = 178,
	DUMPI_TYPE_CREATE_HINDEXED = 218,
	DUMPI_TYPE_CREATE_HVECTOR,
	DUMPI_TYPE_CREATE_INDEXED_BLOCK,
	DUMPI_TYPE_CREATE_RESIZED,
	DUMPI_TYPE_CREATE_STRUCT,
	DUMPI_TYPE_CREATE_SUBARRAY,
	DUMPI_END = 293,
	DUMPI_CALLS = 291
};

/* An array within the file: big-endian elements. */
struct dumpi_array {
	const uint8_t *data;
	uint32_t length;
};

enum { DUMPI_VALUES = 16, DUMPI_ARRAYS = 6 };

/* The arguments of an operation with a root: count and datatype of the caller's own block, and of all blocks at the root. */
struct dumpi_rooted {
	int32_t rank, root, count, type, count_at_root, type_at_root, communicator;
};

/* A call with its arguments, in the order of the file. */
struct dumpi_call {
	unsigned number;
	uint32_t thread;
	int64_t entry, exit; /* nanoseconds; -1: not recorded */
	int32_t value[DUMPI_VALUES];
	struct dumpi_array array[DUMPI_ARRAYS];
	struct dumpi_array status;
	struct dumpi_rooted rooted;
};

struct dumpi_stream {
	const char *path;
	const uint8_t *data, *at, *body_end;
	size_t bytes, dropped; /* of the file; those that are no longer in memory */
	bool cpu;              /* the times are those of the processor; set before dumpi_open(), which keeps it */
	bool tags;             /* statuses have tags */
	const uint8_t *sizes;  /* of datatypes */
	uint32_t size_count;
	const uint8_t *footer; /* DUMPI_CALLS numbers of calls, then of those that were not recorded */
	uint32_t ranks;        /* of the trace */
	uint8_t *alternative;  /* [DUMPI_CALLS] the form of the arguments that fitted last, in any file of the trace; borrowed */
};

/* Opens the file of a rank. Returns 0, or -1 with STATUS_IO or STATUS_FABRIC. Call dumpi_close() in either case. The rest is borrowed. */
int dumpi_open(struct dumpi_stream *stream, const char *path, uint32_t ranks, uint8_t alternative[DUMPI_CALLS], struct error *error);
void dumpi_close(struct dumpi_stream *stream);

/* Reads the next call, whose arrays are valid until the one after it. Returns 1, 0 at the end, -1 on errors. */
int dumpi_next(struct dumpi_stream *stream, struct dumpi_call *call, struct error *error);

/* Returns the name of a call, such as "MPI_Send". */
const char *dumpi_name(unsigned number);

/* Return an element of an array of 4 or of 2 bytes; 0 behind its end. */
static inline int32_t dumpi_element(struct dumpi_array array, uint32_t i)
{
	const uint8_t *p = array.data + 4 * (size_t)i;
	return i < array.length ? (int32_t)((uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]) : 0;
}

static inline int32_t dumpi_short(struct dumpi_array array, uint32_t i)
{
	const uint8_t *p = array.data + 2 * (size_t)i;
	return i < array.length ? p[0] << 8 | p[1] : 0;
}

#endif
