/*
 * Calls of MPI programs as a task graph. A reader hands over the calls of each rank in their order, all of one rank after another or those
 * of ranks in turn; what MPI would do with them becomes operations that wait for one another: messages match receives by source, tag and
 * communicator without overtaking, receives are posted when they are called, waits end by what was recorded. Communicators may be derived
 * from calls of ranks that are read later: their members are found at the end. Collective operations become messages (collectives.h).
 */
#ifndef PATTERNS_GRAPHS_REPLAY_REPLAY_H
#define PATTERNS_GRAPHS_REPLAY_REPLAY_H

#include "base/args.h"
#include "patterns/graphs/collectives.h"
#include "patterns/task_graph.h"

/* Which times computations take. */
struct replay_compute {
	double factor;
	bool cpu; /* those of the processor, not those of the clock on the wall */
};

struct replay_options {
	enum collective_set collectives;
	double eager; /* bytes of the smallest message that waits for its receive */
	struct replay_compute compute;
	bool tasks;      /* peers are tasks, not ranks of the communicator */
	bool incomplete; /* the trace is known to lack calls: what has no counterpart is counted, not refused */
};

/* Rows of parameters of traces of MPI programs. */
#define REPLAY_ARG_COLLECTIVES \
	{ \
		"collectives", ARG_WORD, "simple", 0, 0, "how collective operations become messages: none, simple, ring, openmpi or mpich" \
	}
#define REPLAY_ARG_EAGER(preset, also) \
	{ \
		"eager", ARG_INTEGER, preset, 0, INT64_C(1) << 53, \
			"smallest message in bytes that uses rendezvous: it waits for its receive, and its send for it" also \
	}

#define REPLAY_ARG_COMPUTE(also) \
	{ \
		"compute", ARG_WORD, "wall", 0, 0, "times of computations: a factor of those recorded, wall (as recorded), none" also \
	}

/* Reads that parameter. cpu: the format can have times of the processor. Returns 0, or -1 with STATUS_USAGE. */
int replay_compute_read(struct replay_compute *compute, const struct arg_value *value, bool cpu, const char *workload, struct error *error);

/* Reads the others. workload is used in messages. Returns 0, or -1 with STATUS_USAGE. */
int replay_options_read(struct replay_options *options, const struct arg_value *collectives, const struct arg_value *eager,
	const char *workload, struct error *error);

struct replay;

/* Handles of communicators and requests are the reader's own numbers; those of ranks are independent of one another. */
typedef uint64_t replay_handle;

enum { REPLAY_ANY = -1, REPLAY_NOBODY = -2 };

/* Returns the replay of a number of ranks. NULL if out of memory. builder and error are borrowed. */
struct replay *replay_create(struct task_builder *builder, uint32_t ranks, const struct replay_options *options, struct error *error);
void replay_free(struct replay *replay);

/* Sets whether the trace is known to lack calls. */
void replay_incomplete(struct replay *replay, bool incomplete);

/* Ends the calls: finds communicators, and pairs messages with receives. Returns 0, or -1 with STATUS_FABRIC. */
int replay_end(struct replay *replay);

/* Sets the rank whose calls follow, and its thread: threads proceed independently of one another. */
void replay_at(struct replay *replay, uint32_t rank, uint32_t thread);

/* The same for a thread of that rank that begins, if it is new, where the current one is. */
void replay_at_thread(struct replay *replay, uint32_t rank, uint32_t thread);

/* Returns, and sets, the operation on which the next call of the current rank depends, OPERATION_NONE: none; of graphs of calls. */
uint32_t replay_point(const struct replay *replay);
void replay_go_on_from(struct replay *replay, uint32_t operation);

/* Sets the place of the calls that follow, for errors: the file, whose name is borrowed until the end, and the line, 0: none. */
void replay_place(struct replay *replay, const char *file, unsigned long line);

/* A computation, whose time the options' factor multiplies. */
void replay_compute(struct replay *replay, double seconds);

/* ---- messages */

enum replay_mode { REPLAY_STANDARD, REPLAY_SYNCHRONOUS, REPLAY_BUFFERED };

struct replay_message {
	replay_handle communicator;
	int64_t peer; /* rank in the communicator (the remote group's of an intercommunicator), REPLAY_NOBODY; of a receive REPLAY_ANY */
	int64_t tag;  /* 0..2^32 - 1; of a receive REPLAY_ANY */
	double bytes;
	enum replay_mode mode;
};

/* What a status has recorded; REPLAY_ANY: not known. */
struct replay_status {
	int64_t source, tag;
	bool kept; /* the request was not cancelled, although that was tried */
};

void replay_send(struct replay *replay, const struct replay_message *message);
/* Receives; the status is that of the receive, NULL: none was recorded. */
void replay_receive(struct replay *replay, const struct replay_message *message, const struct replay_status *status);

/* Begin a send, post a receive: the rank proceeds, and the request lasts until a wait. */
void replay_begin_send(struct replay *replay, const struct replay_message *message, replay_handle request);
void replay_begin_receive(struct replay *replay, const struct replay_message *message, replay_handle request);

/* Post a receive of which nothing is known yet; say what it has received, before the wait for it. */
void replay_post(struct replay *replay, replay_handle request);
void replay_received(struct replay *replay, const struct replay_message *message, replay_handle request);

/* Prepares a persistent request, starts it, or frees any request. */
void replay_prepare(struct replay *replay, const struct replay_message *message, bool receive, replay_handle request);
void replay_start(struct replay *replay, replay_handle request);
void replay_free_request(struct replay *replay, replay_handle request);
/* Tries to cancel: the receive is left out, unless the status of its wait says that it was kept; sends are kept. */
void replay_cancel(struct replay *replay, replay_handle request);

/*
 * Adds a request to those whose end the rank waits for, which replay_wait() then does. Returns false if there is no such request: it is
 * the null request, or has ended before.
 */
bool replay_wait_for(struct replay *replay, replay_handle request, const struct replay_status *status);
void replay_wait(struct replay *replay);

/*
 * One-sided communication of the current rank with a rank of the communicator: what is put or got, a message that nobody receives, which
 * replay_complete() waits for.
 */
void replay_access(struct replay *replay, replay_handle communicator, int64_t peer, double bytes, bool get);
void replay_complete(struct replay *replay);
/* The same with a request. */
void replay_begin_access(struct replay *replay, replay_handle communicator, int64_t peer, double bytes, bool get, replay_handle request);
/* Waits for the end of all that the members of the communicator have put or got before the same call. */
void replay_fence(struct replay *replay, replay_handle communicator);

/*
 * Access epochs between some ranks: a start waits for the posts of all targets, and the wait of a target for the ends of all that have
 * accessed it. The first start for a target goes with its first post for that rank, the second with the second, whichever the windows.
 */
enum replay_epoch { REPLAY_POST, REPLAY_START, REPLAY_END, REPLAY_WAIT };
void replay_epoch(struct replay *replay, enum replay_epoch epoch, const uint32_t *tasks, uint32_t count);
/* The same with a group of the current rank, as returned by replay_group_number(). */
void replay_epoch_of_group(struct replay *replay, enum replay_epoch epoch, uint32_t group);

/* ---- communicators; those that are made belong to the current rank, which is one of the members of the parent */

/* Names the communicator of all ranks, and that of each rank alone. */
void replay_world(struct replay *replay, replay_handle handle);
void replay_self(struct replay *replay, replay_handle handle);
/* Adds a communicator of these tasks, at all of them; an intercommunicator if remote is not NULL. Returns 0, or -1. */
int replay_define(struct replay *replay, replay_handle handle, const uint32_t *members, uint32_t count, const uint32_t *remote,
	uint32_t remote_count);

enum { REPLAY_UNDEFINED = INT32_MIN /* a colour: no communicator */ };

void replay_split(struct replay *replay, replay_handle parent, int64_t colour, int64_t key, replay_handle handle);
void replay_duplicate(struct replay *replay, replay_handle parent, replay_handle handle);
/* Communicators of the first ranks: grids with these dimensions, and graphs. */
void replay_grid(struct replay *replay, replay_handle parent, const int32_t *dimension, uint32_t dimensions, replay_handle handle);
/* A part of a grid that keeps some dimensions. */
void replay_subgrid(struct replay *replay, replay_handle parent, const bool *kept, uint32_t dimensions, replay_handle handle);
void replay_from_group(struct replay *replay, replay_handle parent, replay_handle group, replay_handle handle);
void replay_bridge(struct replay *replay, replay_handle local, int64_t leader, replay_handle peers, int64_t remote_leader, int64_t tag,
	replay_handle handle);
void replay_merge(struct replay *replay, replay_handle parent, bool high, replay_handle handle);
void replay_free_communicator(struct replay *replay, replay_handle handle);

/* The place of a task in a communicator: its rank and group, and the members of that group and of the other, of an intercommunicator. */
struct replay_place {
	uint32_t rank, side, members, remote;
};
/* Finds the place. Returns false if the task is no member, or members are not known yet. Time O(communicators of the task). */
bool replay_find(const struct replay *replay, uint32_t task, replay_handle communicator, struct replay_place *place);

/* Groups, of the current rank; sets of ranks are triples {first, last, stride}, or single ranks. */
enum replay_group {
	REPLAY_GROUP_OF, /* a communicator */
	REPLAY_GROUP_REMOTE,
	REPLAY_GROUP_UNION,
	REPLAY_GROUP_INTERSECTION,
	REPLAY_GROUP_DIFFERENCE,
	REPLAY_GROUP_INCLUDE,
	REPLAY_GROUP_EXCLUDE
};
void replay_group_of(struct replay *replay, enum replay_group kind, replay_handle communicator, replay_handle handle);
void replay_group_of_two(struct replay *replay, enum replay_group kind, replay_handle left, replay_handle right, replay_handle handle);
void replay_group_of_ranks(
	struct replay *replay, enum replay_group kind, replay_handle group, const int32_t (*range)[3], size_t ranges, replay_handle handle);
/* Returns the number of a group, which stays when its handle stands for another; UINT32_MAX, with an error, if there is none. */
uint32_t replay_group_number(struct replay *replay, replay_handle handle);

/* ---- collective operations */

enum { REPLAY_ROOT_OWN = UINT32_MAX /* a root of an intercommunicator: one of the caller's own group, perhaps itself */ };

struct replay_collective {
	const char *name; /* for errors; the same for all ranks */
	enum collective collective;
	replay_handle communicator;
	uint32_t root;             /* rank in the communicator, in the other group of an intercommunicator, or REPLAY_ROOT_OWN */
	double bytes;              /* of one block: what a rank gives to each, or has */
	const double *count;       /* [counts] for operations with counts: bytes = count · datatype; NULL: bytes */
	uint32_t counts;           /* at least the number of members, or of neighbours to which the rank gives */
	const uint32_t *to, *from; /* [tos], [froms] ranks that are neighbours, for operations of neighbours */
	uint32_t tos, froms;
	double datatype; /* bytes of an element */
	bool begins;     /* it is nonblocking, with a request */
	bool device;     /* it begins, but MPI has no part in it */
	replay_handle request;
};

void replay_collective(struct replay *replay, const struct replay_collective *call);

#endif
