/* The lines of a trace of events as calls of MPI, which are replayed. */
#ifndef PATTERNS_GRAPHS_TRACE_CALLS_H
#define PATTERNS_GRAPHS_TRACE_CALLS_H

#include "patterns/graphs/trace_events.h"

/* A trace that is being read as calls. */
struct trace_calls {
	struct trace_file *file;
	struct task_builder *builder;
	struct replay *replay;
	double *count;    /* [count_capacity] of a collective operation */
	uint32_t *peers;  /* [peer_capacity] its neighbours */
	uint32_t *thread; /* [tasks] whose lines follow */
	size_t count_capacity, peer_capacity;
	uint32_t tasks;
	struct replay_compute compute;
	struct error *error;
};

/* Sets weight, priority and service level of the messages that follow to those of the event. */
void trace_set_class(const struct trace_event *event, struct task_builder *builder);

/* Adds the call of an event. Returns 0, or -1. */
int trace_calls_add(struct trace_calls *calls, const struct trace_event *event, const struct line_numbers *numbers);

#endif
