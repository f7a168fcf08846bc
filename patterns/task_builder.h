/* The inside of a builder of task graphs, for task_graph.c and task_programs.c alone. */
#ifndef PATTERNS_TASK_BUILDER_H
#define PATTERNS_TASK_BUILDER_H

#include "patterns/task_graph.h"

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_WORK, STEP_WAIT };

/* One step of the program of a task. */
struct program_step {
	uint32_t task;
	uint32_t other; /* the operation; of a receive the sender, and its message after match() */
	uint32_t tag;
	uint8_t kind;
	uint32_t line;
};

/* The operation waits for the other. */
struct wait {
	uint32_t operation, other;
};

struct wait_list {
	struct wait *list;
	size_t count, capacity;
};

struct number_list {
	uint32_t *list;
	size_t count, capacity;
};

struct task_builder {
	struct task_graph *graph;
	size_t capacity; /* of the arrays of the graph */
	uint32_t level;
	uint8_t priority;
	double weight;
	const char *file; /* of the lines; NULL: none */
	uint32_t at;      /* the line */
	uint32_t *line;   /* [operations] 0: none; NULL: no operation has one */
	struct program_step *steps;
	size_t step_count, step_capacity;
	struct wait_list ended, begun;
	const volatile sig_atomic_t *stop; /* NULL: none */
	struct error error;                /* the first */
};

/* Whether there is no error so far, such as the end that a signal asks for. */
bool builder_goes_on(struct task_builder *builder);

/* Whether there is such a task; it is an error otherwise. */
bool builder_has_task(struct task_builder *builder, uint32_t task);

/* An error at that line, where there is one. */
void builder_refuse(struct task_builder *builder, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Turns the steps into waits. */
void builder_end_programs(struct task_builder *builder);

#endif
