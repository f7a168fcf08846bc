/*
 * Task graphs: what the tasks of a parallel program send, receive and compute, and their dependencies. Patterns, synthetic traffic,
 * applications and traces share this form; an engine runs it. An operation is a message, a computation, a pause, in which the task does
 * nothing, a transfer between a task and storage, or a join, which takes no time; it begins when all its dependencies have ended (or begun,
 * if that suffices). At the task to which a message goes, the first operation that waits for it receives it, except barriers: a barrier is
 * a join of what many tasks do, and receives nothing. Of a queue of jobs, whose tasks have no hosts before their job starts, a hold lasts
 * until the scheduler of the engine starts the job, and a release, a barrier, returns its hosts.
 */
#ifndef PATTERNS_TASK_GRAPH_H
#define PATTERNS_TASK_GRAPH_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Weights of messages: rates have 16 digits, and a channel may have a million messages. */
#define WEIGHT_LEAST 1e-6
#define WEIGHT_MOST 1e6

enum operation {
	OPERATION_JOIN,
	OPERATION_COMPUTE,
	OPERATION_MESSAGE,
	OPERATION_PAUSE,
	OPERATION_BARRIER,
	OPERATION_READ,
	OPERATION_WRITE,
	OPERATION_HOLD,
	OPERATION_RELEASE
};

struct job_queue;

enum { OPERATION_NONE = UINT32_MAX };

/* Operations 0..operations-1 in the order in which they were added, which decides between operations that can begin at the same time. */
struct task_graph {
	uint32_t tasks, operations;
	uint8_t *kind;      /* [operations] enum operation */
	uint32_t *task;     /* [operations] task of the operation; of a message the sender */
	uint32_t *receiver; /* [operations] receiver of a message or of the signal of a join; otherwise the task */
	double *size;       /* [operations] bytes of a message or a transfer, seconds of a computation or a pause, 0 for others */
	uint32_t *level;    /* [operations] level, phase or job step it belongs to, for reports; NULL: all are of level 0 */
	uint32_t levels;
	uint8_t *priority;      /* [operations] class of a message, 0 first; NULL: all are of class 0 */
	double *weight;         /* [operations] weight of a message, if rates are divided; NULL: all 1 */
	uint8_t *service_level; /* [operations] of a message; SERVICE_LEVEL_OF_PAIR: none of its own; NULL: no message has one */
	uint32_t *waits;        /* [operations] number of dependencies; NULL: no operation has any */
	uint64_t *first; /* [operations + 1] operations that wait for the end of o: next[first[o]] .. next[first[o + 1] - 1]; NULL with
			    waits */
	uint32_t *next;
	bool transfers; /* it has reads or writes */
	uint32_t *job;  /* [jobs] first task of each job, ascending; NULL: all tasks are one job's */
	uint32_t jobs;
	uint64_t *first_begun; /* [operations + 1] the same for its beginning; NULL: none do */
	uint32_t *next_begun;
	struct job_queue *queue; /* NULL: tasks have their hosts from the beginning */
	char *note;              /* what the trace does not hold, in one line; NULL: nothing */
};

/* Returns whether the operation is a transfer between a task and storage. */
static inline bool is_transfer(const struct task_graph *graph, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_READ || graph->kind[operation] == OPERATION_WRITE;
}

void task_graph_free(struct task_graph *graph);

/* Returns the service levels of its messages, a bit each; SERVICE_LEVEL_OF_PAIR: there are messages without one of their own. */
uint32_t task_graph_service_levels(const struct task_graph *graph);

/*
 * Checks that a graph of this number of messages, with the state of any engine, fits into memory if this number of processes of the machine
 * create one. Returns 0, or -1.
 */
int task_graph_fits(double messages, unsigned processes, struct error *error);

/* ---- building */

struct task_builder;

/* Returns a builder for this number of tasks. NULL if out of memory. Call task_builder_free() unless task_builder_end() was called. */
struct task_builder *task_builder_create(uint32_t tasks, struct error *error);
/* Makes building end with an error when *stop is set; NULL: never. */
void task_builder_stop(struct task_builder *builder, const volatile sig_atomic_t *stop);

/* Sets the factor of the times of computations that are added from now on; 1 at first. */
void task_builder_scale(struct task_builder *builder, double scale);

/* Returns whether nothing has failed so far and no signal has arrived: long loops without operations must ask. */
bool task_builder_goes_on(struct task_builder *builder);

/* Returns 0 if everything has been added so far, otherwise -1; nothing more will then be added. */
int task_builder_check(const struct task_builder *builder, struct error *error);

void task_builder_free(struct task_builder *builder);

/* Adds an operation without dependencies. Returns its number; on errors, which stay in the builder until its end, any number. */
uint32_t task_message(struct task_builder *builder, uint32_t sender, uint32_t receiver, double bytes);
uint32_t task_compute(struct task_builder *builder, uint32_t task, double seconds);
uint32_t task_pause(struct task_builder *builder, uint32_t task, double seconds);
uint32_t task_join(struct task_builder *builder, uint32_t task);
uint32_t task_barrier(struct task_builder *builder, uint32_t task);
uint32_t task_read(struct task_builder *builder, uint32_t task, double bytes);
uint32_t task_write(struct task_builder *builder, uint32_t task, double bytes);

/* Sets sender and receiver of a message that was added with others. */
void task_address(struct task_builder *builder, uint32_t message, uint32_t sender, uint32_t receiver);

/* Appends to the note of the graph (printf). */
void task_note(struct task_builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How a graph becomes a part of another. */
struct embedding {
	uint32_t first; /* number of its first task there */
	const uint32_t
		*after;   /* [its tasks] what operations wait for that wait for nothing in the graph; OPERATION_NONE; NULL: all nothing */
	int64_t priority; /* class of its messages; below 0: that of the graph */
	double weight;    /* weight of its messages; 0: that of the graph */
	int64_t service_level; /* of its messages; below 0: that of the graph */
};

/* Adds the operations of a whole graph in their order. Returns the number of the first. Class, weight and service level are the usual ones
 * afterwards. */
uint32_t task_graph_add(struct task_builder *builder, const struct task_graph *graph, const struct embedding *embedding);

/* Makes an operation wait for the end of a graph that was added from base on: for all its operations that no other waits for. */
void task_after_graph(struct task_builder *builder, uint32_t operation, const struct task_graph *graph, uint32_t base);

/* Sets the jobs of the tasks, as in the graph. */
void task_jobs(struct task_builder *builder, const uint32_t *first, uint32_t jobs);

uint32_t task_hold(struct task_builder *builder, uint32_t task);
uint32_t task_release(struct task_builder *builder, uint32_t task);

/* Makes the graph that of a queue, which is taken, with this number of tasks; before any operation. */
void task_queue(struct task_builder *builder, struct job_queue *queue, uint32_t tasks);

/* Set the level and the class of the operations added from now on, and the weight of messages, WEIGHT_LEAST to WEIGHT_MOST. */
void task_level(struct task_builder *builder, uint32_t level);
void task_priority(struct task_builder *builder, uint8_t priority);
void task_weight(struct task_builder *builder, double weight);

/* The same for the service level of messages; SERVICE_LEVEL_OF_PAIR: none of their own. */
void task_service_level(struct task_builder *builder, uint8_t level);

/*
 * Sets the line of a file ("-": standard input) of the operations added from now on, which errors of task_builder_end() name; 0: none. The
 * file name is borrowed until the end.
 */
void task_line(struct task_builder *builder, const char *file, unsigned long line);

/* Add a dependency: the operation begins only when the other has ended, or has begun. */
void task_after(struct task_builder *builder, uint32_t operation, uint32_t other);
void task_after_begun(struct task_builder *builder, uint32_t operation, uint32_t other);

/* The dependencies added so far: the number of operations each waits for, and the operations that wait for each, as in the graph. */
struct task_waits {
	uint32_t *left; /* [operations] */
	uint64_t *first, *first_begun;
	uint32_t *next, *next_begun;
};

const struct task_graph *task_builder_graph(const struct task_builder *builder);
/* Computes the dependencies. Returns 0, or -1 if out of memory. Call task_waits_clear() in either case. Time O(operations + waits). */
int task_builder_waits(struct task_builder *builder, struct task_waits *waits, struct error *error);
void task_waits_clear(struct task_waits *waits);

/*
 * Programs: each task executes one step after another. A send does not block: the task proceeds when the message begins. A receive blocks
 * until a message of that sender and tag has arrived; messages match receives of one (sender, receiver, tag) in their order. A wait blocks
 * until all messages that the task has sent so far have arrived. Every message of a send must be received; messages of task_message()
 * belong to no program and match no receive.
 */
void task_send(struct task_builder *builder, uint32_t task, uint32_t receiver, uint32_t tag, double bytes);
/* The same as a send that takes no time and is no message. */
void task_signal(struct task_builder *builder, uint32_t task, uint32_t receiver, uint32_t tag);
void task_receive(struct task_builder *builder, uint32_t task, uint32_t sender, uint32_t tag);
void task_work(struct task_builder *builder, uint32_t task, double seconds);
void task_wait(struct task_builder *builder, uint32_t task);

/*
 * Returns the graph, all operations of which will run, and frees the builder. NULL: STATUS_IO if out of memory, STATUS_FABRIC if a receive
 * has no message (or a message that a program should take is never received), or operations wait for one another in a cycle: the error
 * names tasks and what they wait for. Time O(operations + waits), except for sorting messages by their tags.
 */
struct task_graph *task_builder_end(struct task_builder *builder, struct error *error);

#endif
