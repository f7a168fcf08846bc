/*
 * Phases of a task graph: the phase of a message is the number of messages, between different tasks, in the longest chain of those that
 * must arrive before it begins. Messages of one phase can be under way together, whatever computations take.
 */
#ifndef PATTERNS_PHASES_H
#define PATTERNS_PHASES_H

#include "base/args.h"
#include "patterns/task_graph.h"

/* The parameter of traces: how often a message counts where routes are counted, see phases_unit(). */
#define PHASES_ARG_UNIT \
	{ \
		"unit", ARG_WORD, "", 0, 0, "where routes are counted: a message counts once for each of these bytes (default: once)" \
	}

/* Returns the bytes of the parameter "unit" of such a pattern, 0: none, or if it has no such parameter; < 0 with STATUS_USAGE. */
double phases_unit(const struct arg *args, const struct arg_value *values, const char *workload, struct error *error);

struct message_phases {
	uint32_t count;
	uint32_t *message; /* [first[count]] operations: the messages between different tasks by phase, in their order within it */
	uint32_t *first;   /* [count + 1] */
};

/* Finds the phases. Returns 0, or -1 if out of memory. Call message_phases_clear() in either case. Time O(operations + waits). */
int message_phases_find(struct message_phases *phases, const struct task_graph *graph, struct error *error);
void message_phases_clear(struct message_phases *phases);

#endif
