/* The workspace of the flow engine, for engines/flow*.c. */
#ifndef ENGINES_FLOW_FLOW_WORKSPACE_H
#define ENGINES_FLOW_FLOW_WORKSPACE_H

#include "engines/flow/flow.h"
#include "engines/task_run.h"

/* The channels of a route as the engine numbers them: those of the fabric, then one for each host's memory. */
struct flow_path {
	const uint32_t *channel;
	const double *part; /* NULL: all 1 */
	uint32_t count;
	uint32_t hops;
};

/* A message in transit. */
struct message {
	double whole;   /* bits left when it took its route */
	double left;    /* bits left; in a queue: when it joined */
	double target;  /* in a queue: the queue's sent when nothing of the message is left */
	double passes;  /* sum over the channels of the fabric of the part of the message on each, times its weight */
	double latency; /* seconds */
	struct flow_key key;
	uint32_t queue;                 /* NONE: no channel limits it */
	uint32_t child, next, previous; /* links within the queue */
	bool moving;                    /* in the rates; otherwise it has not arrived yet, or the operation is not a message */
};

/* Messages with the same bottleneck: one channel of one part of the rates. All have one rate, times their weights. */
struct flow_queue {
	double sent;    /* bits that a message of weight 1 has sent by the time since, counted from when the queue was last empty */
	double rate;    /* bits/s of a message of weight 1 */
	double passes;  /* sum over its messages */
	double target;  /* of the first message */
	uint64_t since; /* picoseconds */
	uint64_t event; /* time of its event, not after the end of the first message */
	uint32_t first; /* the operation that ends first; NONE */
	uint32_t unused[3];
};

/* The end of an operation, or of the first operation of a queue; queues are numbered after the operations. */
struct event {
	uint64_t time;
	uint32_t number;
};

struct flow_engine {
	struct flow_setup setup;
	uint32_t channels; /* including those of memories */
	double *capacity;  /* [channels] bits/s, 0 for failed channels */
	uint32_t *route;   /* [nodes] */
	struct storage storage;
	uint32_t *passed; /* [passed_room] channels of a transfer */
	double *passed_part;
	uint32_t *outside; /* hosts of devices outside a job */
	size_t passed_room, part_room, outside_room;
	uint32_t longest; /* of computed routes */
	uint32_t bad_source, bad_destination;

	struct histogram lengths, loads; /* see struct flow_shares */

	/* dynamic runs */
	struct task_run run;
	struct schedule *schedule; /* of a queue of jobs; NULL: none */
	struct flow_rates *rates;
	uint32_t *operation[CLASSES_MAX]; /* [flows] of each part of the rates */
	size_t operation_room[CLASSES_MAX];
	struct message *message; /* [operations] */
	enum run_status ending;
	struct error *error;
	size_t message_room;
	struct flow_queue *queue; /* [parts of the rates * their channels], during a run */
	struct event *event;      /* a heap */
	uint32_t *place;          /* [operations + queues] in the heap; NONE: not in it */
	size_t events, event_room, place_room;
	uint64_t now;
	size_t failed;          /* failures that have occurred */
	uint32_t *limits;       /* [channels] number of queues that it limits, with link_times */
	uint64_t *limits_since; /* [channels] */
	double carried;         /* bits/s over all channels, with link_times */
	uint64_t carried_since;
};

/* Returns the weight of a message. */
static inline double flow_weight(const struct flow_engine *engine, uint32_t operation)
{
	return engine->run.graph->weight ? engine->run.graph->weight[operation] : 1;
}

/* Returns the time of the next event, NEVER if there is none; e->event[0] is that event. */
uint64_t flow_next_event(struct flow_engine *engine);

/* Sets the time of an event; NEVER: not known. Time O(log events). */
void flow_set_event(struct flow_engine *engine, uint32_t number, uint64_t time);
void flow_remove_event(struct flow_engine *engine, uint32_t number);

/* Ends the operation after these seconds, independent of other events. */
void flow_end_after(struct flow_engine *engine, uint32_t operation, double seconds);

/*
 * Adds a message to a queue, with the bits it has left; or removes it from its queue, if it is in one, and updates these. Time O(log
 * messages of the queue), amortised.
 */
void flow_join(struct flow_engine *engine, uint32_t queue, uint32_t operation);
void flow_part(struct flow_engine *engine, uint32_t operation);

/* Gives the messages of the queue a rate (NAN: that of its first in the allocation), which changes when the first of them ends. */
void flow_change_rate(struct flow_engine *engine, uint32_t queue, double rate, const struct max_min *rates);

/* Prepares the jobs' devices for a run. Returns 0, or -1. */
int flow_prepare_jobs(struct flow_engine *engine, uint64_t run, const struct task_graph *graph, const uint32_t *host, struct error *error);

/* Lets the scheduler start jobs, whose operations then begin; on errors the run ends. */
void flow_start_jobs(struct flow_engine *engine);

/*
 * Finds the route of a message between hosts, valid until the next call. Returns 0, or -1 if there is none: bad_source and bad_destination
 * name the pair.
 */
int flow_find_route(struct flow_engine *engine, uint32_t source, uint32_t destination, struct flow_path *path);

/* The same for an operation: a message, or a transfer between the task and its storage. */
int flow_find_path(struct flow_engine *engine, uint32_t operation, struct flow_path *path, struct error *error);

/* Restores all capacities to those before any failure. */
void flow_mend(struct flow_engine *engine);

/* Returns whether a channel of the route has failed. */
bool flow_meets_failure(const struct flow_engine *engine, const struct flow_path *path);

/* Returns the zero-load seconds of a message with this number of bytes. */
double flow_path_zero_load(const struct flow_engine *engine, const struct flow_path *path, double bytes);

#endif
