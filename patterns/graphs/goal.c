/*
 * Schedules in GOAL, the Group Operation Assembly Language (Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language, ICPP 2009), in
 * the text format of LogGOPSim (goal_binary.c has its binary form): the sends, receives and computations of every rank, and their
 * dependencies, see orcs-traces(5).
 */
#include "base/memory.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/arena.h"
#include "base/name_table.h"
#include "patterns/graphs/goal_schedule.h"
#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/trace_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char marks[] = ":{}";

static const struct arg goal_args[] = {
	{"FILE", ARG_WORD, NULL, 0, 0, "a schedule: num_ranks, then what each rank sends, receives and computes"},
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* "a requires b" whose labels are not both known yet. */
struct goal_requirement {
	const char *label[2];
	bool begun;
	unsigned long line;
};

struct goal {
	struct trace_file file;
	const char *path;
	struct task_builder *builder;
	struct error *error;
	uint32_t ranks;
	bool *had; /* [ranks] its block has been read */
	struct goal_schedule schedule;
	/* of the open block */
	int64_t rank; /* -1: none */
	bool opened;  /* its opening brace has been read */
	void *arena;
	struct name_table labels;
	size_t label_count;
	struct goal_requirement *later;
	size_t later_count, later_capacity;
};

static struct word next(struct goal *goal)
{
	return trace_word(&goal->file, marks);
}

static int integer(struct goal *goal, const char *what, int64_t max, int64_t *value)
{
	return trace_integer(&goal->file, next(goal), what, max, value, goal->error);
}

/* Reads the given keyword. */
static int keyword(struct goal *goal, const char *text)
{
	struct word word = next(goal);
	char what[40];
	snprintf(what, sizeof what, "'%s'", text);
	return word_is(word, text) ? 0 : trace_wrong(&goal->file, word, what, goal->error);
}

/* Reads "num_ranks N", the first line. */
static int read_ranks(struct goal *goal)
{
	int64_t ranks;
	goal->file.slashes = true;
	if (!trace_line(&goal->file, goal->error))
		return error_at(goal->error, STATUS_USAGE, input_name(goal->file.lines.input), 0,
			"the file is not a schedule, which begins with 'num_ranks N'");
	struct word word = next(goal);
	if (!word_is(word, "num_ranks"))
		return trace_wrong(&goal->file, word, "'num_ranks', the beginning of a schedule", goal->error);
	if (integer(goal, "number of ranks", TRACE_TASKS_MAX, &ranks))
		return -1;
	if (!ranks)
		return trace_error(&goal->file, goal->error, "a schedule of no ranks");
	goal->ranks = (uint32_t)ranks;
	return trace_line_end(&goal->file, goal->error);
}

/* ---- labels and requirements */

static const char *keep(struct goal *goal, struct word word)
{
	char *copy = arena_alloc(goal->arena, word.length + 1);
	if (!copy)
		error_set(goal->error, STATUS_IO, "out of memory");
	else
		memcpy(copy, word.text, word.length);
	return copy;
}

static int add_label(struct goal *goal, struct word label, uint32_t operation)
{
	if (name_table_find(&goal->labels, label.text, label.length) != NAME_NONE)
		return trace_error(&goal->file, goal->error, "rank %" PRId64 " already has an operation with the label '%.*s'", goal->rank,
			(int)(label.length < 100 ? label.length : 100), label.text);
	const char *name = keep(goal, label);
	if (!name || name_table_reserve(&goal->labels, ++goal->label_count, goal->error))
		return -1;
	name_table_add(&goal->labels, name, operation);
	return 0;
}

static int read_requirement(struct goal *goal, struct word label, bool begun)
{
	struct word other = next(goal);
	if (!other.text || strchr(marks, *other.text))
		return trace_wrong(&goal->file, other, "label", goal->error);
	uint32_t operation = name_table_find(&goal->labels, label.text, label.length);
	uint32_t before = name_table_find(&goal->labels, other.text, other.length);
	if (operation != NAME_NONE && before != NAME_NONE)
		return goal_require(&goal->schedule, (struct goal_order){operation, before, begun});
	struct goal_requirement later = {{keep(goal, label), keep(goal, other)}, begun, goal->file.lines.number};
	if (goal->error->status || array_grow(&goal->later, &goal->later_capacity, goal->later_count + 1, sizeof *goal->later, goal->error))
		return -1;
	goal->later[goal->later_count++] = later;
	return 0;
}

/* ---- operations */

/* Reads "send SIZEb to R" or "recv SIZEb from R", then "tag T", "cpu C", "nic N" in any order. */
static int read_message(struct goal *goal, bool receive, uint32_t *operation)
{
	struct word size = next(goal);
	int64_t bytes, other, number, tag = 0;
	bool given[3] = {false};
	static const char *const options[] = {"tag", "cpu", "nic"};
	if (!size.length || size.text[size.length - 1] != 'b')
		return trace_wrong(&goal->file, size, "size in bytes, such as '64b'", goal->error);
	size.length--;
	if (trace_integer(&goal->file, size, "whole number of bytes", INT64_C(1) << 53, &bytes, goal->error) ||
		keyword(goal, receive ? "from" : "to") || integer(goal, "rank", goal->ranks - 1, &other))
		return -1;
	for (struct word word; (word = next(goal)).text;) {
		size_t o = 0;
		while (o < 3 && !word_is(word, options[o]))
			o++;
		if (o == 3 || given[o])
			return trace_wrong(&goal->file, word, "'tag T', 'cpu C' or 'nic N', each once", goal->error);
		given[o] = true;
		if (integer(goal, options[o], TRACE_TAG_MAX, &number))
			return -1;
		tag = o ? tag : number;
	}
	*operation = goal_message(&goal->schedule, (uint32_t)goal->rank, (uint32_t)other, receive, (double)bytes, (uint32_t)tag,
		input_name(goal->file.lines.input), goal->file.lines.number);
	return goal->error->status ? -1 : 0;
}

/* Reads "calc NS [cpu C]". */
static int read_calc(struct goal *goal, uint32_t *operation)
{
	int64_t nanoseconds, number;
	if (integer(goal, "whole number of nanoseconds", INT64_C(1) << 53, &nanoseconds))
		return -1;
	struct word word = next(goal);
	if (word.text && !word_is(word, "cpu"))
		return trace_wrong(&goal->file, word, "'cpu C'", goal->error);
	if (word.text && (integer(goal, "cpu", TRACE_TAG_MAX, &number) || trace_line_end(&goal->file, goal->error)))
		return -1;
	*operation = task_compute(goal->builder, (uint32_t)goal->rank, (double)nanoseconds / 1e9 * goal->schedule.factor);
	return 0;
}

/* Reads an operation, with or without a label, or a requirement. */
static int read_statement(struct goal *goal, struct word word)
{
	struct word label = {NULL, 0};
	const char *rest = goal->file.next;
	struct word second = next(goal);
	uint32_t operation = 0;
	if (word_is(second, "requires") || word_is(second, "irequires"))
		return read_requirement(goal, word, second.length > 8);
	if (word_is(second, ":")) {
		label = word;
		word = next(goal);
	} else {
		goal->file.next = rest;
	}
	task_line(goal->builder, goal->path, goal->file.lines.number);
	int result = word_is(word, "send")   ? read_message(goal, false, &operation)
		     : word_is(word, "recv") ? read_message(goal, true, &operation)
		     : word_is(word, "calc") ? read_calc(goal, &operation)
					     : trace_wrong(&goal->file, word, "'send', 'recv', 'calc' or requirement", goal->error);
	return result || (label.text && add_label(goal, label, operation)) ? -1 : 0;
}

/* ---- blocks */

static int open_block(struct goal *goal)
{
	if (integer(goal, "rank", goal->ranks - 1, &goal->rank))
		return -1;
	if (goal->had[goal->rank])
		return trace_error(&goal->file, goal->error, "rank %" PRId64 " has two blocks", goal->rank);
	goal->had[goal->rank] = true;
	goal->opened = false;
	goal->label_count = goal->later_count = 0;
	goal->arena = arena_create();
	if (!goal->arena)
		return error_set(goal->error, STATUS_IO, "out of memory");
	return name_table_init(&goal->labels, 16, goal->error);
}

static void clear_block(struct goal *goal)
{
	name_table_clear(&goal->labels);
	if (goal->arena)
		arena_destroy(goal->arena);
	goal->arena = NULL;
	goal->rank = -1;
}

static int close_block(struct goal *goal)
{
	for (size_t i = 0; i < goal->later_count; i++) {
		const struct goal_requirement *later = &goal->later[i];
		uint32_t operation[2];
		for (int j = 0; j < 2; j++) {
			operation[j] = name_table_find(&goal->labels, later->label[j], strlen(later->label[j]));
			if (operation[j] == NAME_NONE)
				return error_at(goal->error, STATUS_USAGE, input_name(goal->file.lines.input), later->line,
					"rank %" PRId64 " has no operation with the label '%.100s'", goal->rank, later->label[j]);
		}
		if (goal_require(&goal->schedule, (struct goal_order){operation[0], operation[1], later->begun}))
			return -1;
	}
	goal_end_rank(&goal->schedule);
	clear_block(goal);
	return 0;
}

/* Reads a line: the beginning of a block, its end, and its content; each operation and requirement has a line of its own. */
static int read_line(struct goal *goal)
{
	for (struct word word; (word = next(goal)).text;) {
		if (goal->rank < 0) {
			if (!word_is(word, "rank"))
				return trace_wrong(&goal->file, word, "'rank'", goal->error);
			if (open_block(goal))
				return -1;
		} else if (!goal->opened) {
			if (!word_is(word, "{"))
				return trace_wrong(&goal->file, word, "'{'", goal->error);
			goal->opened = true;
		} else if (word_is(word, "}")) {
			if (close_block(goal))
				return -1;
		} else if (read_statement(goal, word)) {
			return -1;
		}
	}
	return 0;
}

static int read_blocks(struct goal *goal)
{
	while (!task_builder_check(goal->builder, goal->error) && trace_line(&goal->file, goal->error))
		if (read_line(goal))
			return -1;
	if (!goal->error->status && goal->rank >= 0)
		trace_error(&goal->file, goal->error, "the file ends within rank %" PRId64, goal->rank);
	return goal->error->status ? -1 : 0;
}

static int goal_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct goal goal = {.error = error};
	if (goal_is_binary(args[0].text))
		return goal_binary_count(args[0].text, tasks, error);
	if (!trace_open(&goal.file, args[0].text, error))
		read_ranks(&goal);
	trace_close(&goal.file);
	*tasks = goal.ranks;
	return error->status ? -1 : 0;
}

static int goal_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct goal goal = {.error = error,
		.path = task->args[0].text,
		.builder = builder,
		.rank = -1,
		.schedule = {.builder = builder, .error = error, .pairing.by_posting = true}};
	struct replay_compute compute;
	if (replay_compute_read(&compute, &task->args[1], false, "goal", error))
		return -1;
	goal.schedule.factor = compute.factor;
	if (goal_is_binary(goal.path))
		return goal_binary_build(goal.path, task, compute.factor, builder, error);
	if (!trace_open(&goal.file, goal.path, error) && !read_ranks(&goal)) {
		if (goal.ranks > task->tasks)
			trace_error(&goal.file, error, "%" PRIu32 " ranks, but there are %" PRIu32 " tasks", goal.ranks, task->tasks);
		goal.had = array_create(goal.ranks, sizeof *goal.had, error);
		if (!error->status && !read_blocks(&goal))
			pairing_end(&goal.schedule.pairing, builder, error);
	}
	clear_block(&goal);
	goal_schedule_clear(&goal.schedule);
	free(goal.later);
	free(goal.had);
	trace_close(&goal.file);
	return error->status ? -1 : 0;
}

const struct pattern pattern_goal = {
	.name = "goal",
	.summary = "a schedule in GOAL, the text or binary format of LogGOPSim",
	.source = "orcs-traces(5); Hoefler, Siebert, Lumsdaine, ICPP 2009",
	.args = goal_args,
	.ordered = true,
	.phases = true,
	.count = goal_count,
	.files = trace_files,
	.build = goal_build,
};
