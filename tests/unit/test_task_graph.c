/* Task graphs: what waits for what, by hand; programs against one that steps through them; what can never run. */
#include "run_tasks.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

static struct error error;

static struct task_builder *begin(uint32_t tasks)
{
	struct task_builder *builder = task_builder_create(tasks, &error);
	assert_fine(&error);
	return builder;
}

static struct task_graph *end(struct task_builder *builder)
{
	struct task_graph *graph = task_builder_end(builder, &error);
	assert_fine(&error);
	assert_non_null(graph);
	return graph;
}

#define ASSERT_FAILS(builder, ...) \
	do { \
		assert_null(task_builder_end(builder, &error)); \
		assert_error(&error, STATUS_FABRIC, __VA_ARGS__); \
	} while (0)

TEST(nothing_is_a_graph)
{
	struct task_graph *graph = end(begin(3));
	assert_int_equal(graph->tasks, 3);
	assert_int_equal(graph->operations, 0);
	assert_int_equal(graph->levels, 1);
	task_graph_free(graph);
	task_graph_free(NULL);
	task_builder_free(NULL);
	task_builder_free(begin(1));
}

/* What nobody uses takes no memory. */
TEST(messages_that_wait_for_nothing_need_few_arrays)
{
	struct task_builder *builder = begin(1000);
	for (uint32_t i = 0; i < 100000; i++)
		assert_int_equal(task_message(builder, i % 1000, i * 7 % 1000, i), i);
	struct task_graph *graph = end(builder);
	assert_int_equal(graph->operations, 100000);
	for (uint32_t i = 0; i < 100000; i++) {
		assert_int_equal(graph->kind[i], OPERATION_MESSAGE);
		assert_int_equal(graph->task[i], i % 1000);
		assert_int_equal(graph->receiver[i], i * 7 % 1000);
		assert_true(graph->size[i] == i);
	}
	assert_null(graph->level);
	assert_null(graph->priority);
	assert_null(graph->waits);
	assert_null(graph->first);
	assert_null(graph->next);
	assert_null(graph->first_begun);
	assert_null(graph->next_begun);
	task_graph_free(graph);
}

TEST(operations_wait_for_ends_and_beginnings)
{
	struct task_builder *builder = begin(2);
	uint32_t message = task_message(builder, 0, 1, 5), work = task_compute(builder, 1, 2.5), join = task_join(builder, 1);
	task_after(builder, join, message);
	task_after(builder, join, work);
	task_after_begun(builder, work, message);
	struct task_graph *graph = end(builder);
	static const uint8_t kinds[] = {OPERATION_MESSAGE, OPERATION_COMPUTE, OPERATION_JOIN};
	static const uint32_t waits[] = {0, 1, 2}, next[] = {2, 2}, next_begun[] = {1}, tasks[] = {0, 1, 1}, receivers[] = {1, 1, 1};
	static const uint64_t first[] = {0, 1, 2, 2}, first_begun[] = {0, 1, 1, 1};
	static const double sizes[] = {5, 2.5, 0};
	assert_memory_equal(graph->kind, kinds, sizeof kinds);
	assert_memory_equal(graph->task, tasks, sizeof tasks);
	assert_memory_equal(graph->receiver, receivers, sizeof receivers);
	assert_memory_equal(graph->size, sizes, sizeof sizes);
	assert_memory_equal(graph->waits, waits, sizeof waits);
	assert_memory_equal(graph->first, first, sizeof first);
	assert_memory_equal(graph->next, next, sizeof next);
	assert_memory_equal(graph->first_begun, first_begun, sizeof first_begun);
	assert_memory_equal(graph->next_begun, next_begun, sizeof next_begun);
	task_graph_free(graph);
}

/* Also for those before the first that has one. */
TEST(levels_and_classes_are_kept)
{
	struct task_builder *builder = begin(2);
	for (uint32_t i = 0; i < 100; i++) {
		if (i == 40)
			task_level(builder, 3);
		if (i == 50)
			task_priority(builder, 2);
		if (i == 60)
			task_level(builder, 1);
		if (i == 70)
			task_priority(builder, 0);
		task_message(builder, 0, 1, 1);
	}
	struct task_graph *graph = end(builder);
	assert_int_equal(graph->levels, 4);
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(graph->level[i], i < 40 ? 0 : i < 60 ? 3 : 1);
		assert_int_equal(graph->priority[i], i >= 50 && i < 70 ? 2 : 0);
	}
	task_graph_free(graph);
}

/* ---- programs by hand */

TEST(sends_go_on_receives_and_waits_block)
{
	struct task_builder *builder = begin(2);
	task_work(builder, 0, 2);        /* 0: 0 to 2 */
	task_send(builder, 0, 1, 0, 10); /* 1: 2 to 12 */
	task_work(builder, 0, 3);        /* 2: 2 to 5 */
	task_wait(builder, 0);           /* until 12 */
	task_work(builder, 0, 1);        /* 3: 12 to 13 */
	task_work(builder, 1, 4);        /* 4: 0 to 4 */
	task_receive(builder, 1, 0, 0);  /* until 12 */
	task_send(builder, 1, 0, 0, 1);  /* 5: 12 to 13 */
	task_send(builder, 1, 0, 0, 2);  /* 6: 12 to 14 */
	task_work(builder, 1, 1);        /* 7: 12 to 13 */
	task_receive(builder, 0, 1, 0);  /* until 13 */
	task_work(builder, 0, 1);        /* 8: 13 to 14 */
	task_receive(builder, 0, 1, 0);  /* until 14 */
	task_work(builder, 0, 1);        /* 9: 14 to 15 */
	struct task_graph *graph = end(builder);
	static const double begins[] = {0, 2, 2, 12, 0, 12, 12, 12, 13, 14};
	struct times times = run_tasks(graph, cost_size);
	assert_int_equal(graph->operations, ARRAY_LENGTH(begins));
	for (size_t i = 0; i < ARRAY_LENGTH(begins); i++)
		assert_true(times.begin[i] == begins[i]);
	assert_true(times.last == 15);
	times_clear(&times);
	task_graph_free(graph);
}

/* By tag, and of one tag in their order, whoever is written down first. */
TEST(messages_find_their_receives)
{
	struct task_builder *builder = begin(3);
	task_receive(builder, 1, 0, 9);
	task_work(builder, 1, 0); /* 0: when the message of tag 9 is there, which takes 3 */
	task_receive(builder, 1, 0, 7);
	task_work(builder, 1, 0); /* 1: the first of tag 7, which takes 5 */
	task_receive(builder, 1, 0, 7);
	task_work(builder, 1, 0); /* 2: the second, which takes 8 */
	task_receive(builder, 1, 2, 9);
	task_work(builder, 1, 0); /* 3: that of task 2, which takes 11 */
	task_send(builder, 2, 1, 9, 11);
	task_send(builder, 0, 1, 7, 5);
	task_send(builder, 0, 1, 7, 8);
	task_send(builder, 0, 1, 9, 3);
	struct task_graph *graph = end(builder);
	struct times times = run_tasks(graph, cost_size);
	static const double begins[] = {3, 5, 8, 11, 0, 0, 0, 0};
	for (size_t i = 0; i < ARRAY_LENGTH(begins); i++)
		assert_true(times.begin[i] == begins[i]);
	times_clear(&times);
	task_graph_free(graph);
}

/* A signal is received as a message is, but takes no time and is none. */
TEST(signals_are_no_messages)
{
	struct task_builder *builder = begin(2);
	task_work(builder, 0, 2);       /* 0: 0 to 2 */
	task_signal(builder, 0, 1, 7);  /* 1: at 2 */
	task_work(builder, 0, 3);       /* 2: 2 to 5 */
	task_receive(builder, 1, 0, 7); /* until 2 */
	task_work(builder, 1, 1);       /* 3: 2 to 3 */
	struct task_graph *graph = end(builder);
	static const double begins[] = {0, 2, 2, 2};
	struct times times = run_tasks(graph, cost_size);
	assert_int_equal(graph->operations, ARRAY_LENGTH(begins));
	for (uint32_t o = 0; o < graph->operations; o++)
		assert_int_not_equal(graph->kind[o], OPERATION_MESSAGE);
	for (size_t i = 0; i < ARRAY_LENGTH(begins); i++)
		assert_true(times.begin[i] == begins[i]);
	assert_true(times.last == 5);
	times_clear(&times);
	task_graph_free(graph);
	builder = begin(2);
	task_signal(builder, 0, 1, 7);
	ASSERT_FAILS(builder, "task 0 sends a message to task 1 (tag 7) that is never received");
}

/* As many waits as steps, not as many as receives times sends. */
TEST(waits_stay_few)
{
	struct task_builder *builder = begin(1001);
	for (uint32_t i = 1; i <= 1000; i++) {
		task_send(builder, i, 0, 0, 1);
		task_receive(builder, 0, i, 0);
	}
	for (uint32_t i = 1; i <= 1000; i++) {
		task_send(builder, 0, i, 0, 1);
		task_receive(builder, i, 0, 0);
	}
	struct task_graph *graph = end(builder);
	assert_int_equal(graph->operations, 3000); /* a thousand programs end with a receive */
	assert_int_equal(graph->first[3000], 2000);
	assert_int_equal(graph->first_begun[3000], 999);
	assert_true(last_end(graph, cost_one) == 2);
	task_graph_free(graph);
	builder = begin(1001);
	for (uint32_t i = 1; i <= 1000; i++) {
		task_receive(builder, i, (i - 1) / 2, 0);
		task_send(builder, (i - 1) / 2, i, 0, 1);
	}
	graph = end(builder);                                         /* where they wait for one, no beginning is waited for */
	assert_int_equal(graph->first[graph->operations], 998 + 501); /* 501 tasks only receive */
	assert_null(graph->first_begun);
	task_graph_free(graph);
}

/* ---- what can never run */

TEST(receives_need_messages)
{
	struct task_builder *builder = begin(6);
	task_receive(builder, 3, 5, 7);
	ASSERT_FAILS(builder, "task 3 waits for a message from task 5 (tag 7) that is never sent");
	builder = begin(6);
	task_send(builder, 5, 3, 7, 1);
	task_receive(builder, 3, 5, 7);
	task_receive(builder, 3, 5, 7);
	ASSERT_FAILS(builder, "task 3 waits for a message from task 5 (tag 7)");
	builder = begin(6);
	task_message(builder, 5, 3, 1); /* of no program */
	task_receive(builder, 3, 5, 0);
	ASSERT_FAILS(builder, "never sent");
}

TEST(messages_of_programs_need_receives)
{
	struct task_builder *builder = begin(6);
	task_send(builder, 5, 3, 7, 1);
	ASSERT_FAILS(builder, "task 5 sends a message to task 3 (tag 7) that is never received");
	builder = begin(6);
	task_send(builder, 5, 3, 7, 1);
	task_receive(builder, 3, 5, 8);
	ASSERT_FAILS(builder, "task 5 sends a message to task 3 (tag 7) that is never received");
	builder = begin(6);
	task_send(builder, 5, 3, 8, 1);
	task_receive(builder, 3, 5, 7);
	ASSERT_FAILS(builder, "task 3 waits for a message from task 5 (tag 7)");
}

/* Task i waits for a message of task (i + 1) mod length, then sends to the one before. */
static struct task_builder *circle(struct task_builder *builder, uint32_t first, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++) {
		uint32_t after = first + (i + 1) % length, before = first + (i + length - 1) % length;
		task_receive(builder, first + i, after, 7);
		task_send(builder, first + i, before, 7, 1);
	}
	return builder;
}

TEST(circles_are_told)
{
	ASSERT_FAILS(circle(begin(9), 3, 2), "in a cycle: task 3 waits for a message of task 4 (tag 7), "
					     "task 4 waits for a message of task 3 (tag 7)");
	ASSERT_FAILS(circle(begin(1), 0, 1), "in a cycle: task 0 waits for a message of task 0 (tag 7)");
	/* the shortest of several */
	struct task_builder *builder = circle(circle(begin(30), 0, 5), 10, 3);
	ASSERT_FAILS(circle(builder, 20, 4), "cycle: task 10 waits for a message of task 11 (tag 7), task 11 waits for a message of task "
					     "12 (tag 7), task 12 waits for a message of task 10 (tag 7)");
	/* from the lowest task on, whoever is written down first */
	builder = begin(9);
	task_receive(builder, 5, 2, 0);
	task_send(builder, 5, 2, 1, 1);
	task_receive(builder, 2, 5, 1);
	task_send(builder, 2, 5, 0, 1);
	ASSERT_FAILS(builder, "cycle: task 2 waits for a message of task 5 (tag 1), task 5 waits for a message of task 2 (tag 0)");
	/* long ones are cut */
	ASSERT_FAILS(
		circle(begin(1000), 0, 1000), "cycle: task 0 waits for a message of task 1 (tag 7), ", ", and so on, 1000 in the cycle");
}

/* A chain of waiting that leads into a circle is not told; nor what a task does between its receive and its message. */
TEST(circles_leave_out_what_is_beside)
{
	struct task_builder *builder = begin(4);
	task_receive(builder, 0, 1, 1);
	task_send(builder, 1, 3, 4, 1); /* runs */
	task_receive(builder, 1, 2, 2);
	task_work(builder, 1, 1);
	task_send(builder, 1, 0, 1, 1);
	task_send(builder, 1, 2, 3, 1);
	task_receive(builder, 2, 1, 3);
	task_send(builder, 2, 1, 2, 1);
	task_receive(builder, 3, 1, 4);
	ASSERT_FAILS(builder, "cycle: task 1 waits for a message of task 2 (tag 2), task 2 waits for a message of task 1 (tag 3)");
}

TEST(circles_of_operations_are_told)
{
	struct task_builder *builder = begin(4);
	uint32_t a = task_compute(builder, 1, 1), b = task_message(builder, 2, 3, 1), c = task_join(builder, 3);
	task_after(builder, a, b);
	task_after(builder, b, c);
	task_after_begun(builder, c, a);
	ASSERT_FAILS(builder, "cycle: task 1 waits for a message of task 2 to task 3, task 2 waits for a receive of task 3, "
			      "task 3 waits for a computation of task 1");
	builder = begin(4);
	a = task_compute(builder, 1, 1);
	task_after_begun(builder, a, a);
	ASSERT_FAILS(builder, "cycle: task 1 waits for a computation of task 1");
}

TEST(what_does_not_exist_is_refused)
{
	struct task_builder *builder = begin(4);
	task_message(builder, 0, 4, 1);
	ASSERT_FAILS(builder, "task 4 does not exist: the number of tasks is 4");
	builder = begin(4);
	task_compute(builder, 5, 1);
	task_join(builder, 6); /* the first error stays */
	ASSERT_FAILS(builder, "task 5 does not exist");
	builder = begin(4);
	task_receive(builder, 0, 4, 1);
	ASSERT_FAILS(builder, "task 4 does not exist");
	builder = begin(4);
	task_wait(builder, 7);
	ASSERT_FAILS(builder, "task 7 does not exist");
	builder = begin(4);
	task_after(builder, task_join(builder, 0), 1);
	ASSERT_FAILS(builder, "operation 1 does not exist: there are 1");
	builder = begin(4);
	task_level(builder, UINT32_MAX);
	ASSERT_FAILS(builder, "level 4294967295 is too large");
}

TEST(sizes_are_numbers)
{
	static const double wrong[] = {-1, -1e-300, (double)INFINITY, (double)NAN};
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		struct task_builder *builder = begin(4);
		task_message(builder, 2, 3, wrong[i]);
		ASSERT_FAILS(builder, "task 2: ", "is not a number of bytes");
		builder = begin(4);
		task_work(builder, 2, wrong[i]);
		ASSERT_FAILS(builder, "task 2: ", "is not a time");
	}
}

/* ---- drawn programs */

enum { TASKS_MAX = 6, STEPS_MAX = 200 };
enum what { SEND, RECEIVE, WORK, WAIT };

struct line {
	enum what what;
	uint32_t task, other, tag;
	double size;
	uint32_t operation; /* of sends and works */
	double begin;       /* of those, as step_through() finds */
};

struct program {
	uint32_t tasks, count, operations;
	struct line line[STEPS_MAX];
};

/* Messages here and there; fine: each receive is written down after its message, else anywhere. */
static void draw_program(struct program *program, struct random *random, bool fine)
{
	uint32_t receives = 0;
	struct line later[STEPS_MAX];
	*program = (struct program){.tasks = 1 + random_below(random, TASKS_MAX)};
	for (int i = 0; i < 40; i++) {
		uint32_t task = random_below(random, program->tasks), other = random_below(random, program->tasks),
			 tag = random_below(random, 3);
		double size = random_below(random, 50);
		enum what what = random_below(random, 5) ? SEND : random_below(random, 2) ? WORK : WAIT;
		if (what == SEND)
			later[receives++] = (struct line){RECEIVE, other, task, tag, 0, 0, 0};
		program->line[program->count++] = (struct line){what, task, other, tag, size, what == WAIT ? 0 : program->operations++, 0};
		while (receives && !random_below(random, 2)) {
			uint32_t chosen = random_below(random, receives);
			program->line[program->count++] = later[chosen];
			later[chosen] = later[--receives];
		}
	}
	while (receives)
		program->line[program->count++] = later[--receives];
	for (uint32_t i = program->count; !fine && i-- > 1;) {
		uint32_t j = i - random_below(random, i < 3 ? i : 3);
		struct line line = program->line[i];
		program->line[i] = program->line[j];
		program->line[j] = line;
	}
	program->operations = 0;
	for (uint32_t i = 0; i < program->count; i++)
		if (program->line[i].what == SEND || program->line[i].what == WORK)
			program->line[i].operation = program->operations++;
}

/* The k-th message of its kind that a task sends another. */
static struct line *find_message(struct program *program, const struct line *receive)
{
	uint32_t before = 0;
	for (const struct line *line = program->line; line < receive; line++)
		before +=
			line->what == RECEIVE && line->task == receive->task && line->other == receive->other && line->tag == receive->tag;
	for (uint32_t i = 0; i < program->count; i++) {
		struct line *line = &program->line[i];
		if (line->what == SEND && line->task == receive->other && line->other == receive->task && line->tag == receive->tag &&
			!before--)
			return line;
	}
	fail_msg("a receive without a message");
	return NULL;
}

/* Goes round the tasks, each as far as it comes. Returns whether all come to their ends. */
static bool step_through(struct program *program)
{
	uint32_t next[TASKS_MAX] = {0};
	double clock[TASKS_MAX] = {0};
	for (uint32_t i = 0; i < program->count; i++)
		program->line[i].begin = -1;
	for (bool moved = true; moved;) {
		moved = false;
		for (uint32_t task = 0; task < program->tasks; task++)
			for (; next[task] < program->count; next[task]++) {
				struct line *line = &program->line[next[task]];
				if (line->task != task)
					continue;
				double until = clock[task];
				if (line->what == RECEIVE) {
					const struct line *message = find_message(program, line);
					if (message->begin < 0)
						break;
					until = message->begin + message->size;
				} else if (line->what == WAIT) {
					for (const struct line *sent = program->line; sent < line; sent++)
						if (sent->task == task && sent->what == SEND && sent->begin + sent->size > until)
							until = sent->begin + sent->size;
				} else {
					line->begin = clock[task];
					if (line->what == WORK)
						until += line->size;
				}
				clock[task] = until > clock[task] ? until : clock[task];
				moved = true;
			}
	}
	for (uint32_t i = 0; i < program->count; i++)
		if ((program->line[i].what == SEND || program->line[i].what == WORK) && program->line[i].begin < 0)
			return false;
	return true;
}

static struct task_graph *build_program(const struct program *program)
{
	struct task_builder *builder = begin(program->tasks);
	for (const struct line *line = program->line; line < program->line + program->count; line++)
		switch (line->what) {
		case SEND: task_send(builder, line->task, line->other, line->tag, line->size); break;
		case RECEIVE: task_receive(builder, line->task, line->other, line->tag); break;
		case WORK: task_work(builder, line->task, line->size); break;
		case WAIT: task_wait(builder, line->task); break;
		}
	return task_builder_end(builder, &error);
}

TEST(drawn_programs_run_as_they_are_written)
{
	uint32_t stuck = 0;
	for (uint32_t run = 0; run < 2000; run++) {
		struct random random;
		struct program program;
		random_start(&random, 1, 0, run);
		draw_program(&program, &random, run % 2);
		bool runs = step_through(&program);
		struct task_graph *graph = build_program(&program);
		if (!runs) {
			assert_true(run % 2 == 0);
			assert_null(graph);
			assert_error(&error, STATUS_FABRIC, "tasks wait for one another in a cycle: task ");
			stuck++;
			continue;
		}
		assert_fine(&error);
		uint32_t steps = 0;
		for (uint32_t i = 0; i < graph->operations; i++)
			steps += graph->kind[i] != OPERATION_JOIN;
		assert_int_equal(steps, program.operations);
		struct times times = run_tasks(graph, cost_size);
		for (uint32_t i = 0; i < program.count; i++)
			if (program.line[i].what == SEND || program.line[i].what == WORK)
				assert_true(times.begin[program.line[i].operation] == program.line[i].begin);
		times_clear(&times);
		task_graph_free(graph);
	}
	assert_in_range(stuck, 100, 900);
}

/* A signal ends the building, also of what was added before it. */
TEST(a_signal_ends_the_building)
{
	volatile sig_atomic_t stop = 0;
	for (int early = 0; early < 2; early++) {
		struct error failed = {0};
		struct task_builder *builder = task_builder_create(2, &failed);
		task_builder_stop(builder, &stop);
		stop = early;
		task_send(builder, 0, 1, 0, 1);
		task_receive(builder, 1, 0, 0);
		stop = 1;
		assert_null(task_builder_end(builder, &failed));
		assert_string_equal(failed.text, "interrupted");
		stop = 0;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_a_graph),
		cmocka_unit_test(messages_that_wait_for_nothing_need_few_arrays),
		cmocka_unit_test(operations_wait_for_ends_and_beginnings),
		cmocka_unit_test(levels_and_classes_are_kept),
		cmocka_unit_test(sends_go_on_receives_and_waits_block),
		cmocka_unit_test(messages_find_their_receives),
		cmocka_unit_test(signals_are_no_messages),
		cmocka_unit_test(waits_stay_few),
		cmocka_unit_test(receives_need_messages),
		cmocka_unit_test(messages_of_programs_need_receives),
		cmocka_unit_test(circles_are_told),
		cmocka_unit_test(circles_leave_out_what_is_beside),
		cmocka_unit_test(circles_of_operations_are_told),
		cmocka_unit_test(what_does_not_exist_is_refused),
		cmocka_unit_test(sizes_are_numbers),
		cmocka_unit_test(drawn_programs_run_as_they_are_written),
		cmocka_unit_test(a_signal_ends_the_building),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
