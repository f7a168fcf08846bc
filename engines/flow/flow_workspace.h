/* The workspace of the flow engine. For engines/flow*.c. */
#ifndef ENGINES_FLOW_FLOW_WORKSPACE_H
#define ENGINES_FLOW_FLOW_WORKSPACE_H

#include "engines/flow/flow.h"
#include "engines/task_run.h"

/* The channels of a route as the engine has them: those of the fabric, then one for each host's memory. */
struct flow_path {
	const uint32_t *channel;
	const double *part; /* NULL: all 1 */
	uint32_t count;
	uint32_t hops;
};

/* A message on its way. */
struct message {
	double whole;   /* bits that were left when it took its route */
	double left;    /* bits; in a queue as of when it joined */
	double target;  /* in a queue: what that has sent when nothing is left */
	double passes;  /* channels of the fabric, each as the part of the message on it, times its weight */
	double latency; /* seconds */
	struct flow_key key;
	uint32_t queue;                 /* NONE: no channel limits it yet */
	uint32_t child, next, previous; /* in the queue */
	bool moving;                    /* in the rates; else it has to arrive yet, or is no message */
};

/* Messages whose bottleneck is the same channel of the same part of the rates: they have one rate, times their weights. */
struct flow_queue {
	double sent;    /* bits, by each of weight 1 that has been there since the queue was empty last, at the time since */
	double rate;    /* bits/s of each of weight 1 */
	double passes;  /* of all */
	double target;  /* of the first */
	uint64_t since; /* picoseconds */
	uint32_t first; /* operation to end first; NONE */
};

/* The end of an operation, or of the first of a queue: these are numbered after the operations. */
struct event {
	uint64_t time;
	uint32_t number;
};

struct flow_engine {
	struct flow_setup setup;
	uint32_t channels; /* with those of memories */
	double *capacity;  /* [channels] bits/s, 0 for those that have failed */
	uint32_t *route;   /* [nodes] */
	uint32_t longest;  /* of computed routes */
	uint32_t bad_source, bad_destination;

	struct histogram lengths, loads; /* see struct flow_shares */

	/* in time */
	struct task_run run;
	struct flow_rates *rates;
	uint32_t *operation[CLASSES_MAX]; /* [flows] of each part of the rates */
	size_t operation_room[CLASSES_MAX];
	struct message *message; /* [operations] */
	enum run_status ending;
	struct error *error;
	size_t message_room;
	struct flow_queue *queue; /* [parts of the rates * their channels], while it runs */
	struct event *event;      /* a heap */
	uint32_t *place;          /* [operations + queues] in it; NONE: not there */
	size_t events, event_room, place_room;
	uint64_t now;
	size_t failed;          /* failures that have happened */
	uint32_t *limits;       /* [channels] queues that it limits, with link_times */
	uint64_t *limits_since; /* [channels] */
	double carried;         /* bits/s over all channels, with link_times */
	uint64_t carried_since;
};

/* The message joins the queue, by its target; or leaves it. Time O(log messages there), amortised. */
void flow_queue_put(struct flow_engine *engine, struct flow_queue *queue, uint32_t operation);
void flow_queue_take(struct flow_engine *engine, struct flow_queue *queue, uint32_t operation);

/* The route of a message between hosts, valid until the next call. Returns 0, or -1 where there is none: then bad_source and
 * bad_destination tell. */
int flow_find_route(struct flow_engine *engine, uint32_t source, uint32_t destination, struct flow_path *path);

/* As before any failure: all capacities are what they were. */
void flow_mend(struct flow_engine *engine);

/* Whether some channel of the route has failed. */
bool flow_meets_failure(const struct flow_engine *engine, const struct flow_path *path);

/* Seconds for so many bytes alone on the network. */
double flow_path_alone(const struct flow_engine *engine, const struct flow_path *path, double bytes);

#endif
