/* Messages in phases of a fixed size, each of which begins when all messages of the one before have arrived. */
#ifndef PATTERNS_GRAPHS_PHASE_H
#define PATTERNS_GRAPHS_PHASE_H

#include "patterns/task_graph.h"

struct phase {
	struct task_builder *builder;
	uint32_t size;         /* messages of a phase, at least 1 */
	uint32_t number;       /* of the phase, 0 or more */
	uint32_t join;         /* the end of the previous phase, from phase 1 */
	uint32_t first, count; /* its messages so far, which are numbered consecutively */
};

/* Adds a message to the phase, or the first one to the next. Initialise with builder and size, the rest 0. */
static inline void phase_message(struct phase *phase, uint32_t sender, uint32_t receiver, double bytes)
{
	if (phase->count == phase->size) {
		uint32_t join = task_barrier(phase->builder, sender);
		for (uint32_t i = 0; i < phase->size; i++)
			task_after(phase->builder, join, phase->first + i);
		phase->join = join;
		phase->count = 0;
		task_level(phase->builder, ++phase->number);
	}
	uint32_t message = task_message(phase->builder, sender, receiver, bytes);
	if (phase->number)
		task_after(phase->builder, message, phase->join);
	if (!phase->count++)
		phase->first = message;
}

#endif
