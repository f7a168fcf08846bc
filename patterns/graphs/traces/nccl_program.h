/* The calls of NCCL programs, as logs tell them: devices, their communicators with rings, and what each has called. */
#ifndef PATTERNS_GRAPHS_TRACES_NCCL_PROGRAM_H
#define PATTERNS_GRAPHS_TRACES_NCCL_PROGRAM_H

#include "patterns/graphs/replay/replay.h"

enum { NCCL_NONE = UINT32_MAX };

/* A communicator of devices by rank; the ring of each channel as the rank that follows each one. */
struct nccl_communicator {
	char *id; /* owned */
	uint32_t ranks;
	uint32_t *device; /* [ranks] NCCL_NONE: the log does not tell */
	uint32_t **next;  /* [channels][ranks] NCCL_NONE: not known */
	uint32_t channels;
	size_t channel_capacity;
};

enum nccl_kind { NCCL_COLLECTIVE, NCCL_SEND, NCCL_RECEIVE };

struct nccl_call {
	enum nccl_kind kind;
	enum collective collective;
	uint32_t communicator, rank, peer; /* peer: the root of a collective operation */
	uint64_t number;                   /* of the collective operations of its communicator */
	double bytes;                      /* of a block */
};

struct nccl_program {
	char **device;   /* [devices] names, owned */
	int64_t *global; /* [devices] global rank; -1: unknown */
	uint32_t devices;
	size_t device_capacity, global_capacity;
	struct nccl_communicator *communicator;
	uint32_t communicators;
	size_t communicator_capacity;
	struct nccl_call *call;
	size_t calls, call_capacity;
	uint64_t silent; /* ranks of which the log has no lines */
	uint64_t trees;  /* operations for which the log tells that they used trees */
	struct error *error;
};

/* Returns the number of a device, which is added if it is new; NCCL_NONE if out of memory. */
uint32_t nccl_device(struct nccl_program *program, const char *name);
/* Returns the number of a communicator, which is added if it is new; NCCL_NONE on errors: its number of ranks differs. */
uint32_t nccl_communicator(struct nccl_program *program, const char *id, uint32_t ranks);
/* Sets the rank that follows another in the ring of a channel. */
void nccl_ring(struct nccl_program *program, uint32_t communicator, uint32_t channel, uint32_t rank, uint32_t next);
void nccl_add(struct nccl_program *program, struct nccl_call call);

/* Finds the operation of a name, such as "AllReduce". Returns whether there is one; *all: whether sizes of Inspector are those of all
 * blocks. */
bool nccl_operation(const char *name, struct nccl_call *call, bool *all);

/* Ends reading: ranks of which there are no lines become devices, which are the missing members of the communicators. */
void nccl_complete(struct nccl_program *program);

/* Returns the number of tasks: the ranks of the largest communicator, and devices that are not in it. */
uint32_t nccl_tasks(const struct nccl_program *program);
/* Hands all calls to a replay. Returns 0, or -1. */
int nccl_replay(struct nccl_program *program, struct replay *replay, struct task_builder *builder, enum collective_set set);
void nccl_clear(struct nccl_program *program);

#endif
