/* The lines of a trace of events, see orcs-traces(5). */
#ifndef PATTERNS_GRAPHS_TRACE_EVENTS_H
#define PATTERNS_GRAPHS_TRACE_EVENTS_H

#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/trace_file.h"

/* The kinds of events, by their words. */
enum event_kind {
	EVENT_SEND,
	EVENT_RECEIVE,
	EVENT_COMPUTE,
	EVENT_POST,
	EVENT_WAIT,
	EVENT_COLLECTIVE,
	EVENT_COMMUNICATOR,
	EVENT_ACCESS,
	EVENT_FENCE,
	EVENT_THREAD,
	EVENT_INCOMPLETE,
	EVENTS
};

struct trace_event {
	enum event_kind kind;
	int64_t source, destination, tag, bytes, priority; /* source and tag may be REPLAY_ANY; priority < 0: not given */
	int64_t service_level;                             /* SERVICE_LEVEL_OF_PAIR: not given */
	double seconds, cpu, weight;                       /* cpu: of the processor, < 0: not given; weight 0: not given */
	bool calls;                                        /* it is one of MPI's calls, which programs of tasks do not have */
	int64_t communicator, request, root;               /* < 0: not given; the root is a task, or ROOT_OWN */
	int64_t element;
	enum replay_mode mode;
	int collective;
	bool get;  /* of an access */
	int epoch; /* of a fence between some tasks, enum replay_epoch; < 0: of others */
};

enum { ROOT_OWN = -2 };

/* The numbers of a line: members, requests, or the bytes of blocks. */
struct numbers {
	int64_t *list;
	size_t count, capacity;
	size_t remote; /* members of the first group of an intercommunicator; 0: it has one group */
};

/* The numbers of a line and of its options. */
struct line_numbers {
	struct numbers all, to, from; /* the last two: neighbours */
};

/* Reads the words of a line, numbers are those of the line before, or 0. Returns 0, or -1. */
int trace_event_read(struct trace_file *file, struct trace_event *event, struct line_numbers *numbers, struct error *error);

void trace_numbers_clear(struct line_numbers *numbers);

/* Returns the largest task of an event. */
int64_t trace_event_last_task(const struct trace_event *event, const struct line_numbers *numbers);

#endif
