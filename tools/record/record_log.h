/*
 * The log that the preloaded library writes for each rank, and orcs-record turns into a trace: a header, then one record per call. A record
 * is a byte (enum record_kind), the time since the call before it as two numbers (nanoseconds of the wall clock; how many of these the
 * processor did not spend on the thread), then the numbers of its kind, all of variable length: seven bits per byte, the lowest first.
 * Numbers called signed have their sign in the lowest bit. A handle is a byte below 128, the signed difference to the last handle of its
 * class, or the byte 128 and the eight bytes of the handle. A byte 0 ends the log. The file is in the byte order of the machine.
 */
#ifndef TOOLS_RECORD_RECORD_LOG_H
#define TOOLS_RECORD_RECORD_LOG_H

#include <stdint.h>

#define RECORD_MAGIC "ORCSREC1"
enum { RECORD_HEADER = 4096 }; /* bytes before the first record */

enum record_state { RECORD_RUNS, RECORD_FINALIZED, RECORD_ABORTED };

struct record_header {
	char magic[8];
	uint32_t rank, ranks;
	uint32_t state;      /* enum record_state: how far the rank has come */
	uint32_t full;       /* errno of the failure that ended the log early; 0: none */
	uint32_t status;     /* argument of MPI_Abort */
	uint32_t processors; /* of the machine */
	uint64_t left_out;   /* a bit for each kind of call that was made and is not recorded, enum record_left_out */
	char program[256], host[256];
};

enum record_left_out { LEFT_OUT_SPAWN, LEFT_OUT_CONNECT, LEFT_OUT_SESSION };

/* u: a number, s: signed, c, q, w, m: handle of a communicator, request, window, message, n: a list (its length, then signed numbers) */
enum record_kind {
	RECORD_END,
	RECORD_THREAD,     /* u thread: the records that follow are its; without times */
	RECORD_MESSAGE,    /* u enum message_flags, c, s peer, s tag, u bytes; with a request: q, s its place */
	RECORD_START,      /* q, s place: of a persistent request */
	RECORD_COMPLETE,   /* u number, then for each: q, s place */
	RECORD_STATUSES,   /* the same, then s source, s tag, u cancelled */
	RECORD_FREE,       /* q, s place */
	RECORD_PROBED,     /* c, s source, s tag, m */
	RECORD_TAKEN,      /* m, u with a request: q, s place */
	RECORD_COLLECTIVE, /* u operation, u enum call_class, c, s root, u bytes, u element, n counts; with a request: q, s place */
	RECORD_MADE,       /* u enum making, c parent, s key, c new, s first task, s first task of the remote group, n tasks */
	RECORD_TOPOLOGY,   /* c, n sources, n destinations */
	RECORD_FREED,      /* c */
	RECORD_WINDOW,     /* w, c */
	RECORD_ACCESS,     /* w, s target, u bytes put, u bytes got, u with a request: q, s place */
	RECORD_FLUSH,      /* w */
	RECORD_FENCE,      /* w */
	RECORD_FINALIZE,   /* none */
	RECORD_EPOCH,      /* w, u enum window_epoch, n tasks of those that begin */
	RECORD_KINDS
};

enum message_flags {
	MESSAGE_RECEIVE = 1,
	MESSAGE_SYNCHRONOUS = 2,
	MESSAGE_BUFFERED = 4,
	MESSAGE_REQUEST = 8,    /* it has a request */
	MESSAGE_PERSISTENT = 16 /* it begins with each start */
};

/* Epochs between some ranks; those of accesses follow those of the window. */
enum window_epoch { EPOCH_POST, EPOCH_WAIT, EPOCH_START, EPOCH_COMPLETE };

enum call_class { CALL_BLOCKS, CALL_BEGINS, CALL_PREPARES };

/* The order of these is that of enum collective of patterns/graphs/collectives.h. */
enum record_collective {
	CALL_BARRIER,
	CALL_BCAST,
	CALL_REDUCE,
	CALL_ALLREDUCE,
	CALL_ALLTOALL,
	CALL_ALLTOALLV,
	CALL_ALLTOALLW,
	CALL_GATHER,
	CALL_GATHERV,
	CALL_SCATTER,
	CALL_SCATTERV,
	CALL_ALLGATHER,
	CALL_ALLGATHERV,
	CALL_REDUCESCATTER,
	CALL_REDUCESCATTER_BLOCK,
	CALL_SCAN,
	CALL_EXSCAN,
	CALL_NEIGHBOR_ALLGATHER,
	CALL_NEIGHBOR_ALLGATHERV,
	CALL_NEIGHBOR_ALLTOALL,
	CALL_NEIGHBOR_ALLTOALLV,
	CALL_NEIGHBOR_ALLTOALLW
};

/* Which calls of other members a new communicator belongs to: the n-th of the parent, or the n-th with this key and these first tasks. */
enum making { MADE_OF_PARENT, MADE_BY_KEY };

enum { PEER_ANY = -1, PEER_NONE = -2, ROOT_HERE = -3 /* MPI_ROOT */ };

#endif
