/* The inside of a builder of task graphs, for task_graph.c and task_programs.c only. */
#ifndef PATTERNS_TASK_BUILDER_H
#define PATTERNS_TASK_BUILDER_H

#include "patterns/task_graph.h"

enum step_kind { STEP_SEND, STEP_RECEIVE, STEP_WORK, STEP_WAIT };

/* One step of the program of a task. */
struct program_step {
	uint32_t task;
	uint32_t other; /* the operation; for a receive the sender, and its message after match() */
	uint32_t tag;
	uint8_t kind;
	uint32_t line;
};

/* A dependency: the operation waits for the other. */
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
	uint8_t priority, service_level;
	double weight;
	double scale;     /* of computations */
	const char *file; /* of the lines; NULL: none */
	uint32_t at;      /* current line */
	uint32_t *line;   /* [operations] 0: none; NULL: no operation has one */
	struct program_step *steps;
	size_t step_count, step_capacity;
	struct wait_list ended, begun;
	const volatile sig_atomic_t *stop; /* NULL: none */
	struct error error;                /* the first error */
};

/* Returns whether there is no error so far, such as an interruption by a signal. */
bool builder_goes_on(struct task_builder *builder);

/* Returns whether the task exists; otherwise sets an error. */
bool builder_has_task(struct task_builder *builder, uint32_t task);

/* Sets an error at that line, if there is one. */
void builder_refuse(struct task_builder *builder, uint32_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Turns the steps of the programs into waits. */
void builder_end_programs(struct task_builder *builder);

#endif
