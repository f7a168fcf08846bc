/* A schedule in GOAL as a task graph: its operations and requirements, whichever form they are read from. */
#ifndef PATTERNS_GRAPHS_GOAL_SCHEDULE_H
#define PATTERNS_GRAPHS_GOAL_SCHEDULE_H

#include "patterns/graphs/pairing.h"
#include "patterns/workload.h"

/* A dependency: the operation requires the other to have ended, or begun. */
struct goal_order {
	uint32_t operation, other;
	bool begun;
};

struct goal_schedule {
	double factor; /* of the times of computations */
	struct task_builder *builder;
	struct error *error;
	struct pairing pairing;
	struct goal_order *order; /* [orders] all requirements of the rank */
	size_t orders, order_capacity;
	bool posts; /* some operation requires the beginning of a receive */
};

/* Adds a message, or a receive, of a rank, as read from that place. Returns the operation. */
uint32_t goal_message(struct goal_schedule *schedule, uint32_t rank, uint32_t other, bool receive, double bytes, uint32_t tag,
	const char *file, unsigned long line);

/* Adds a requirement between operations of the current rank. Returns 0, or -1 if out of memory. */
int goal_require(struct goal_schedule *schedule, struct goal_order order);

/* Ends a rank: a receive is posted when all its requirements are met. */
void goal_end_rank(struct goal_schedule *schedule);

void goal_schedule_clear(struct goal_schedule *schedule);

/* The binary form: returns whether the file begins as one. */
bool goal_is_binary(const char *path);
int goal_binary_count(const char *path, uint32_t *ranks, struct error *error);
/* Adds all operations. Returns 0, or -1. */
int goal_binary_build(const char *path, const struct workload_task *task, double factor, struct task_builder *builder, struct error *error);

#endif
