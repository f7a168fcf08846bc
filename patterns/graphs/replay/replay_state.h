/* The inside of a replay, for the files of this directory. */
#ifndef PATTERNS_GRAPHS_REPLAY_REPLAY_STATE_H
#define PATTERNS_GRAPHS_REPLAY_REPLAY_STATE_H

#include "patterns/graphs/pairing.h"
#include "patterns/graphs/replay/replay.h"

enum { UNKNOWN = UINT32_MAX };

/* A communicator as a rank knows it. */
struct membership {
	replay_handle handle;
	uint32_t communicator; /* UNKNOWN until its members are found */
	uint32_t rank;         /* the rank's own number in it */
	uint32_t side;         /* 1: the second group of an intercommunicator is the rank's own */
	uint32_t collectives;  /* number of its collective operations so far */
	uint32_t made;         /* number of communicators made of it so far */
	uint32_t fences;       /* number of fences so far */
	bool freed;
};

struct rank {
	uint32_t thread, point; /* the operation on which the next call depends; OPERATION_NONE: none */
	uint32_t last;          /* the membership used last */
	uint32_t memberships;
	size_t membership_capacity;
	struct membership *membership; /* the first are the world and the rank itself */
	struct {
		uint32_t thread, point;
	} * asleep;       /* other threads */
	uint32_t *access; /* [accesses] one-sided messages that are not complete */
	uint32_t accesses;
	size_t access_capacity;
	uint32_t sleepers;
	size_t sleeper_capacity;
};

/* A collective operation of all members. */
struct collective_step {
	const char *name;
	uint32_t root, arrived, line, task; /* of the first that reached it; the root as a place among the members of both groups */
	const char *file;
	double *bytes; /* [members of both groups] of their blocks; of intercommunicators */
};

struct communicator {
	uint32_t *group[2]; /* tasks by rank; the second: of an intercommunicator; NULL with the world */
	uint32_t size[2];
	struct collective_step *step;
	size_t steps, step_capacity;
	uint32_t *fence; /* [fences] joins of all members */
	uint32_t fences;
	size_t fence_capacity;
	int32_t *dimension; /* [dimensions] of a grid */
	uint32_t dimensions;
};

struct request {
	replay_handle handle;
	uint32_t rank;
	uint32_t operation; /* its end; OPERATION_NONE: no wait */
	uint32_t half;      /* of a receive; UNKNOWN: another */
	uint32_t prepared;  /* index of what a start repeats; UNKNOWN: it is not persistent */
	bool used, active, cancels;
};

/* A message or receive that is not started yet. */
struct prepared {
	struct replay_message message;
	bool receive;
};

/* How a communicator is made of another. */
enum making { MAKING_SPLIT, MAKING_GRID, MAKING_SUBGRID, MAKING_GROUP, MAKING_BRIDGE, MAKING_MERGE };

struct construction {
	enum making making;
	uint32_t task, membership; /* the new one, of that task */
	uint32_t parent, number;   /* membership of the parent; its number among those made of it */
	int64_t colour, key;       /* of a bridge: its leader, and the remote one */
	int64_t tag;               /* of a bridge */
	uint32_t peers;            /* of a bridge: membership */
	int32_t *list;             /* [length] of a grid: dimensions; of a part: whether they are kept */
	uint32_t length, group;
	bool done;
};

struct group {
	replay_handle handle;
	enum replay_group kind;
	uint32_t task, left, right; /* membership or groups */
	int32_t (*range)[3];
	size_t ranges;
};

/* A signal to another rank, or a wait for one: of a post for a start, of the end of accesses for the wait of a window. */
struct signal {
	uint32_t from, to;  /* tasks; from, or to of signals, are those of the group */
	uint32_t group;     /* UNKNOWN: the tasks are known */
	uint32_t operation; /* that ends with the signal, OPERATION_NONE: the beginning; or that waits for it */
	uint32_t order, line;
	const char *file;
	bool waits, ends; /* ends: of accesses */
};

/* A fence of a communicator whose members are not known yet. */
struct open_fence {
	uint32_t task, membership, number;
	uint32_t entry, exit; /* operations around it */
};

/* A collective operation whose members are not known yet. */
struct deferred {
	struct replay_collective call;
	uint32_t task, membership, number;
	uint32_t entry, exit; /* operations around it */
	uint32_t line;
	const char *file;
	double *count;
	uint32_t *neighbours; /* [tos + froms] */
};

struct replay {
	struct task_builder *builder;
	struct error *error;
	struct replay_options options;
	uint32_t ranks, at; /* number of ranks; the current one */
	struct rank *rank;  /* [ranks] */
	const char *file;
	uint32_t line;
	struct pairing pairing;
	uint32_t join;           /* of the wait that is being built; OPERATION_NONE */
	struct request *request; /* [request_mask + 1] a hash table */
	size_t request_mask, requests;
	struct prepared *prepared;
	size_t prepared_count, prepared_capacity;
	struct communicator *communicator; /* the first are the world and each rank itself */
	uint32_t communicators;
	size_t communicator_capacity;
	struct construction *construction;
	size_t constructions, construction_capacity;
	struct group *group;
	uint32_t groups;
	size_t group_capacity;
	struct deferred *deferred;
	size_t deferred_count, deferred_capacity;
	struct signal *signal;
	size_t signals, signal_capacity;
	struct open_fence *open_fence;
	size_t open_fences, open_fence_capacity;
	uint64_t tag;          /* of the messages of the collective operation that is being expanded */
	struct membership *in; /* its communicator */
	uint64_t wild;         /* number of receives without a recorded status */
};

/* Makes the calls that follow wait for the end of the operation. */
void replay_advance(struct replay *replay, uint32_t join);

/* Returns the current rank's communicator of that handle; an error if it has none. */
uint32_t replay_membership(struct replay *replay, replay_handle handle);

/* Returns the task with a rank of a communicator, on the side to which the member sends; UNKNOWN if there is none. */
uint32_t replay_task(const struct replay *replay, const struct membership *membership, uint32_t task, uint32_t rank);

/* The tag that separates messages of a communicator, or of one of its collective operations. */
static inline uint64_t separate_tag(uint32_t communicator, uint64_t tag)
{
	return (uint64_t)communicator << 33 | tag;
}

/* Adds a communicator, which it takes. Returns its number; UNKNOWN if out of memory. */
uint32_t replay_add_communicator(struct replay *replay, struct communicator communicator);

/* Returns whether the communicators from which a group is derived are known. */
bool replay_group_known(const struct replay *replay, uint32_t group);

/* Finds the members of all communicators. Returns 0, or -1. */
int replay_find_members(struct replay *replay);

/* Sets the members and tags of messages whose communicator was not known. Returns 0, or -1. */
int replay_resolve(struct replay *replay);

/* Expands the collective operations that were deferred, and checks that all have their members. Returns 0, or -1. */
int replay_end_collectives(struct replay *replay);

/* Adds a message, or a receive, of the current rank after its last call; the peer is a task. Returns the operation. */
uint32_t replay_add_message(struct replay *replay, uint32_t receiver, uint64_t tag, double bytes);
uint32_t replay_add_receive(struct replay *replay, uint32_t sender, uint64_t tag);

/* Appends a message or receive to those that are matched. */
void replay_add_half(struct replay *replay, struct half half);

/* Sets the tag of a message, and its peer as a task, if the members of its communicator are known. Returns 0, or -1. */
int replay_address(struct replay *replay, const struct replay_message *message, struct half *half, uint32_t *peer);

/* Begins a send; *wait becomes what its end waits for, OPERATION_NONE: nothing. */
void replay_open_send(struct replay *replay, const struct replay_message *message, uint32_t *wait);
/* Posts a receive; *wait becomes its end, *place its place in the list. */
void replay_open_receive(struct replay *replay, const struct replay_message *message, uint32_t *wait, uint32_t *place);
/* Posts a receive as an operation of its own, which is posted when the rank reaches it and ends when it has the message. Returns it. */
uint32_t replay_open_half(struct replay *replay, uint32_t sender, struct half half);
/* Gives a receive what its status has recorded. */
void replay_set_status(struct replay *replay, uint32_t place, const struct replay_status *status);

/* Makes fences and waits of windows wait, once all members are known. Returns 0, or -1. */
int replay_end_windows(struct replay *replay);

/* Gives receives without a recorded status the messages that would arrive first if messages took no time. Returns 0, or -1. */
int replay_match_wild(struct replay *replay);

/* Adds a request of the current rank that ends with an operation; OPERATION_NONE: at once. */
void replay_own_request(struct replay *replay, replay_handle handle, uint32_t operation);

void replay_error(struct replay *replay, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the tasks of a group, in its order; their number to *count. NULL if out of memory, or if a communicator is not known. */
uint32_t *replay_group_tasks(struct replay *replay, uint32_t group, uint32_t *count);

#endif
