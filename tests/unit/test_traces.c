/*
 * Traces: known graphs of small ones, the same program in three forms, every line that is refused, real ones where they are. Graphs are
 * judged by running them where every message takes a second.
 */
#include "helpers.h"

#include "patterns/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

extern const struct pattern pattern_trace, pattern_goal, pattern_actions, pattern_jobs;

/* ---- reading */

static struct task_graph *read_bytes(const struct pattern *workload, const char *spec, double bytes, struct error *error)
{
	struct arg_values values;
	struct workload_task task = {.bytes = bytes, .seed = 1, .args = values.value};
	struct task_graph *graph = NULL;
	if (!args_parse(&values, workload->args, spec, "workload", workload->name, error) &&
		!workload->count(values.value, &task.tasks, error)) {
		struct task_builder *builder = task_builder_create(task.tasks, error);
		assert_non_null(builder);
		if (workload->build(&task, builder, error))
			task_builder_free(builder);
		else
			graph = task_builder_end(builder, error);
	}
	assert_int_equal(!graph, error->status != STATUS_OK);
	args_clear(&values);
	return graph;
}

/* The graph of a file, which must be fine. */
static struct task_graph *read_spec(const struct pattern *workload, const char *spec)
{
	struct error error = {0};
	struct task_graph *graph = read_bytes(workload, spec, 1000, &error);
	assert_fine(&error);
	return graph;
}

static struct task_graph *read_text(const struct pattern *workload, const char *text)
{
	return read_spec(workload, write_text("trace", text).text);
}

static void refuse(const struct pattern *workload, const char *text, enum status status, const char *words)
{
	struct error error = {0};
	assert_null(read_bytes(workload, write_text("trace", text).text, 1000, &error));
	assert_error(&error, status, words);
}

/* ---- running: messages take a second, whatever their size */

struct times {
	double *begin, *end; /* [operations] */
};

static void set_free(const struct task_graph *graph, struct times *times, uint32_t o, uint32_t *left, uint32_t *ready, uint32_t *count)
{
	const uint64_t *first[] = {graph->first, graph->first_begun};
	const uint32_t *next[] = {graph->next, graph->next_begun};
	double time[] = {times->end[o], times->begin[o]};
	for (int k = 0; k < 2; k++)
		for (uint64_t i = first[k] ? first[k][o] : 0; first[k] && i < first[k][o + 1]; i++) {
			uint32_t then = next[k][i];
			times->begin[then] = fmax(times->begin[then], time[k]);
			if (!--left[then])
				ready[(*count)++] = then;
		}
}

static struct times run(const struct task_graph *graph)
{
	size_t room = graph->operations + 1;
	struct times times = {calloc(room, sizeof(double)), calloc(room, sizeof(double))};
	uint32_t *left = calloc(room, sizeof *left), *ready = calloc(room, sizeof *ready), count = 0;
	assert_true(times.begin && times.end && left && ready);
	for (uint32_t o = 0; o < graph->operations; o++)
		if (!(left[o] = graph->waits ? graph->waits[o] : 0))
			ready[count++] = o;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t o = ready[i];
		times.end[o] = times.begin[o] + (graph->kind[o] == OPERATION_MESSAGE ? 1 : graph->size[o]);
		set_free(graph, &times, o, left, ready, &count);
	}
	assert_int_equal(count, graph->operations);
	free(left);
	free(ready);
	return times;
}

static void times_clear(struct times *times)
{
	free(times->begin);
	free(times->end);
}

static double last_end(const struct task_graph *graph)
{
	struct times times = run(graph);
	double last = 0;
	for (uint32_t o = 0; o < graph->operations; o++)
		last = fmax(last, times.end[o]);
	times_clear(&times);
	return last;
}

static int compare_lines(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

/* "0 0>1 5b | 1.5 2 c2s": what begins when, without joins, sorted; to be freed. */
static char *timetable(const struct task_graph *graph)
{
	struct times times = run(graph);
	char **line = calloc(graph->operations + 1, sizeof *line);
	size_t count = 0, length = 1;
	assert_non_null(line);
	for (uint32_t o = 0; o < graph->operations; o++) {
		if (graph->kind[o] == OPERATION_MESSAGE)
			length += (size_t)asprintf(&line[count++], "%g %" PRIu32 ">%" PRIu32 " %gb", times.begin[o], graph->task[o],
				graph->receiver[o], graph->size[o]);
		else if (graph->kind[o] == OPERATION_COMPUTE || graph->kind[o] == OPERATION_PAUSE)
			length += (size_t)asprintf(&line[count++], "%g %" PRIu32 " %c%gs", times.begin[o], graph->task[o],
				graph->kind[o] == OPERATION_COMPUTE ? 'c' : 'p', graph->size[o]);
	}
	qsort(line, count, sizeof *line, compare_lines);
	char *text = calloc(length + 3 * count, 1);
	assert_non_null(text);
	for (size_t i = 0; i < count; i++) {
		strcat(strcat(text, i ? " | " : ""), line[i]);
		free(line[i]);
	}
	free(line);
	times_clear(&times);
	return text;
}

static void assert_timetable(struct task_graph *graph, const char *expected)
{
	char *text = timetable(graph);
	assert_string_equal(text, expected);
	free(text);
	task_graph_free(graph);
}

static void assert_text(const struct pattern *workload, const char *text, const char *expected)
{
	assert_timetable(read_text(workload, text), expected);
}

static uint32_t count_of(const struct task_graph *graph, enum operation kind)
{
	uint32_t count = 0;
	for (uint32_t o = 0; o < graph->operations; o++)
		count += graph->kind[o] == kind;
	return count;
}

static double sum_of(const struct task_graph *graph, enum operation kind)
{
	double sum = 0;
	for (uint32_t o = 0; o < graph->operations; o++)
		sum += graph->kind[o] == kind ? graph->size[o] : 0;
	return sum;
}

/* ---- events */

TEST(events_go_one_after_the_other)
{
	assert_text(&pattern_trace,
		"# two tasks\r\n"
		"c 0 1.5\n"
		"s 0 1 7 100 # a comment\n"
		"s 0 1 7 200\n"
		"\n"
		"r 0 1 7 100\n"
		"s\t1\t0 0\t300\n"
		"r 0 1 7 200\n"
		"r 1 0 0 300\n"
		"c 0 2e-1",
		"0 0 c1.5s | 1.5 0>1 100b | 1.5 0>1 200b | 2.5 1>0 300b | 3.5 0 c0.2s");
}

/* Messages keep what they are given, those before the first of them too. */
TEST(events_have_weights_and_classes)
{
	static const char text[] = "s 0 1 0 10\ns 0 1 0 20 weight=3\ns 0 1 0 30 priority=2\ns 0 1 0 40 priority=1 weight=0.5\ns 0 1 0 50\n"
				   "r 0 1 0 1\nr 0 1 0 1\nr 0 1 0 1\nr 0 1 0 1\nr 0 1 0 1\n";
	static const double weight[] = {1, 3, 1, 0.5, 1};
	static const uint8_t priority[] = {0, 0, 2, 1, 0};
	struct task_graph *graph = read_text(&pattern_trace, text);
	assert_non_null(graph->weight);
	assert_non_null(graph->priority);
	for (uint32_t o = 0; o < graph->operations; o++) {
		if (graph->kind[o] != OPERATION_MESSAGE)
			continue;
		int number = (int)graph->size[o] / 10 - 1;
		assert_true(graph->weight[o] == weight[number]);
		assert_int_equal(graph->priority[o], priority[number]);
	}
	task_graph_free(graph);
	graph = read_text(&pattern_trace, "s 0 1 0 10 weight=1\nr 0 1 0 1\n");
	assert_null(graph->weight);
	task_graph_free(graph);
}

TEST(tasks_are_as_many_as_the_largest_number_says)
{
	struct task_graph *graph = read_text(&pattern_trace, "c 6 1\n");
	assert_int_equal(graph->tasks, 7);
	assert_int_equal(graph->operations, 1);
	task_graph_free(graph);
	graph = read_text(&pattern_goal, "num_ranks 5\nrank 2 {\n}\n");
	assert_int_equal(graph->tasks, 5);
	assert_int_equal(graph->operations, 0);
	task_graph_free(graph);
	graph = read_text(&pattern_actions, "2 init\n2 compute 5\n");
	assert_int_equal(graph->tasks, 3);
	task_graph_free(graph);
}

TEST(events_that_are_none_are_refused)
{
	static const char *const bad[][2] = {
		{"", "no event"},
		{"y 0 1 0 1\n", ":1: 'y' is not 's SRC DST TAG BYTES'"},
		{"c 0 1\nsend 0 1 0 1\n", ":2: 'send' is not 's SRC DST TAG BYTES'"},
		{"s 0 1 0\n", ":1: whole number of bytes is missing"},
		{"s 0 1 0 1 2\n", ":1: '2' is not 'weight=W', 'priority=P', 'sl=L', 'comm=ID'"},
		{"r 0 1 0 1 weight=2\n", ":1: the line has a word too many: 'weight=2'"},
		{"s 0 1 0 1 weight=2 weight=2\n", "each once"},
		{"s 0 1 0 1 weight=0\n", "'0' is not a weight from"},
		{"s 0 1 0 1 weight=-1\n", "'-1' is not a weight"},
		{"s 0 1 0 1 weight=1e7\n", "'1e7' is not a weight from"},
		{"s 0 1 0 1 weight=\n", "weight"},
		{"s 0 1 0 1 priority=256\n", "priority is at most 255"},
		{"s 0 1 0 1.5\n", ":1: '1.5' is not a whole number of bytes"},
		{"s 0 1 0 1k\n", ":1: '1k' is not a whole number of bytes"},
		{"s 0 1 0 -1\n", ":1: '-1' is not a whole number of bytes"},
		{"s 0 1 0 99999999999999999999\n", ":1: '99999999999999999999': whole number of bytes is at most"},
		{"s 0 1 4294967296 1\n", "tag is at most 4294967295"},
		{"s 0 1 a 1\n", "'a' is not a tag"},
		{"s 0 one 0 1\n", "'one' is not a task"},
		{"s -1 1 0 1\n", "'-1' is not a task"},
		{"s 16777216 1 0 1\n", "task is at most 16777215"},
		{"c 0\n", "time in seconds is missing"},
		{"c 0 inf\n", "'inf' is not a time"},
		{"c 0 nan\n", "'nan' is not a time"},
		{"c 0 1e999\n", "'1e999' is not a time"},
		{"c 0 -1\n", "'-1' is not a time"},
		{"c 0 1e\n", "'1e' is not a time"},
		{"c 0 0x10\n", "'0x10' is not a time"},
		{"c 0 1 1\n", "the line has a word too many: '1'"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		refuse(&pattern_trace, bad[i][0], STATUS_USAGE, bad[i][1]);
}

TEST(events_that_wait_for_ever_are_told)
{
	refuse(&pattern_trace, "r 0 1 5 1\n", STATUS_FABRIC, "task 1 waits for a message from task 0");
	refuse(&pattern_trace, "c 1 1\n\ns 0 1 5 1\n", STATUS_FABRIC,
		":3: task 0 sends a message to task 1 (tag 5) that is never received");
	refuse(&pattern_trace, "s 1 0 0 1\nr 0 1 5 1\nr 1 0 0 1\n", STATUS_FABRIC,
		":2: task 1 waits for a message from task 0 (tag 5) that is never sent");
	refuse(&pattern_trace, "r 1 0 0 1\ns 0 1 0 1\nr 0 1 0 1\ns 1 0 0 1\n", STATUS_FABRIC, "task 0 waits for a message of task 1");
}

/* ---- calls of MPI */

TEST(receives_are_posted_early)
{
	assert_text(&pattern_trace, "p 0 1 0 5 request=1\nc 1 2\nw 1 1\nc 1 1\ns 0 1 0 5 mode=sync\nc 0 1\n",
		"0 0>1 5b | 0 1 c2s | 1 0 c1s | 2 1 c1s");
	assert_text(
		&pattern_trace, "c 1 2\nr 0 1 0 5 comm=0\nc 1 1\ns 0 1 0 5 mode=sync\nc 0 1\n", "0 1 c2s | 2 0>1 5b | 3 0 c1s | 3 1 c1s");
}

TEST(requests_end_at_their_wait)
{
	/* the send of request 2 begins at once, and the wait for it lasts until it has arrived */
	assert_text(&pattern_trace, "s 0 1 0 5 request=2 mode=sync\nc 0 0.5\nw 0 2\nc 0 1\np 0 1 0 5 request=7\nc 1 3\nw 1 7\nc 1 1\n",
		"0 0 c0.5s | 0 0>1 5b | 0 1 c3s | 1 0 c1s | 3 1 c1s");
	/* numbers can be used again; one wait for several */
	assert_text(&pattern_trace,
		"p 0 1 0 5 request=1\np 0 1 0 6 request=2\nw 1 2 1\np 0 1 0 7 request=1\nw 1 1\nc 1 1\n"
		"s 0 1 0 5\nc 0 2\ns 0 1 0 6\nc 0 2\ns 0 1 0 7\n",
		"0 0 c2s | 0 0>1 5b | 2 0 c2s | 2 0>1 6b | 4 0>1 7b | 5 1 c1s");
}

TEST(large_messages_wait_for_their_receives)
{
	static const char text[] = "c 1 2\nr 0 1 0 0\nr 0 1 0 0\ns 0 1 0 9\ns 0 1 0 10\nc 0 1\n";
	char spec[600];
	snprintf(spec, sizeof spec, "%s,eager=10", write_text("trace", text).text);
	assert_timetable(read_spec(&pattern_trace, spec), "0 0>1 9b | 0 1 c2s | 2 0>1 10b | 3 0 c1s");
	snprintf(spec, sizeof spec, "%s,eager=11", write_text("trace", text).text);
	assert_timetable(read_spec(&pattern_trace, spec), "0 0 c1s | 0 0>1 10b | 0 0>1 9b | 0 1 c2s");
	snprintf(spec, sizeof spec, "%s,eager=0", write_text("trace", text).text);
	assert_timetable(read_spec(&pattern_trace, spec), "0 1 c2s | 2 0>1 9b | 3 0>1 10b | 4 0 c1s");
}

/* Messages do not overtake those of their communicator and tag, and those of others do not matter. */
TEST(messages_match_by_tag_and_communicator)
{
	assert_text(&pattern_trace,
		"comm 7 1 0\ns 0 1 5 10\nc 0 1\ns 0 1 5 20 comm=7\nc 0 1\ns 0 1 6 30\nc 0 1\ns 0 1 5 40\n"
		"r 0 1 5 0 comm=7\nc 1 0.1\nr 0 1 5 0\nc 1 0.2\nr 0 1 5 0\nc 1 0.3\nr 0 1 6 0\nc 1 0.4\n",
		"0 0 c1s | 0 0>1 10b | 1 0 c1s | 1 0>1 20b | 2 0 c1s | 2 0>1 30b | 2 1 c0.1s | 2.1 1 c0.2s | 3 0>1 40b | 4 1 c0.3s | 4.3 1 c0.4s");
	refuse(&pattern_trace, "comm 7 1 0\ns 0 1 5 10 comm=7\nr 0 1 5 10\n", STATUS_FABRIC, ":2: task 1 never receives this message");
}

/* What has no recorded status receives what comes first. */
TEST(receives_of_any_source_take_the_first)
{
	assert_text(&pattern_trace, "c 1 3\ns 1 0 5 1\nc 2 1\ns 2 0 6 2\nr * 0 * 1\nc 0 1\nr * 0 * 1\nc 0 2\n",
		"0 1 c3s | 0 2 c1s | 1 2>0 2b | 2 0 c1s | 3 1>0 1b | 4 0 c2s");
	/* a receive of one source is served before, if it is posted before */
	assert_text(&pattern_trace,
		"s 1 0 5 1\nc 1 4\ns 1 0 5 2\nc 2 1\ns 2 0 5 3\np 1 0 5 0 request=1\nr * 0 5 1\nc 0 1\nw 0 1\nr 1 0 5 0\n",
		"0 1 c4s | 0 1>0 1b | 0 2 c1s | 1 2>0 3b | 2 0 c1s | 4 1>0 2b");
	struct task_graph *graph = read_text(&pattern_trace, "s 1 0 5 1\nr * 0 5 1\n");
	assert_non_null(graph->note);
	assert_non_null(strstr(graph->note, "1 receives of any source"));
	task_graph_free(graph);
}

TEST(collective_operations_of_events)
{
	assert_text(&pattern_trace, "comm 9 2 0\nx 0 allreduce 8 comm=9\nx 2 allreduce 8 comm=9\nc 0 1\nc 1 5\n",
		"0 0>2 8b | 0 1 c5s | 0 2>0 8b | 1 0 c1s");
	assert_text(&pattern_trace, "x 0 bcast 8 root=2\nc 0 1\nx 1 bcast 8 root=2\nc 1 1\nx 2 bcast 8 root=2\n",
		"0 2>0 8b | 0 2>1 8b | 1 0 c1s | 1 1 c1s");
	/* a nonblocking one goes on beside */
	assert_text(&pattern_trace, "x 0 barrier 0 request=1\nc 0 5\nw 0 1\nc 0 1\nx 1 barrier 0\nc 1 1\n",
		"0 0 c5s | 0 0>1 1b | 0 1>0 1b | 1 1 c1s | 5 0 c1s");
	assert_text(&pattern_trace, "x 0 alltoallv 0 counts=1,2\nx 1 alltoallv 0 counts=3,4\n", "0 0>1 2b | 0 1>0 3b");
	assert_text(&pattern_trace,
		"x 0 neighbor_alltoallv 0 to=1,0,1 from=1,0 counts=1,2,3\nx 1 neighbor_alltoallv 0 to=0 from=0,0 counts=4\n",
		"0 0>0 2b | 0 0>1 1b | 0 0>1 3b | 0 1>0 4b");
	assert_text(&pattern_trace, "x 0 neighbor_allgather 9 comm=1 to=0 from=0\nx 1 barrier 0 comm=1\n", "0 0>0 9b");
	assert_text(&pattern_trace, "comm 2 0 / 1\nx 0 scatterv 0 comm=2 root=*\nx 1 barrier 0 comm=1\nx 1 scatterv 7 comm=2 root=0\n",
		"0 0>1 7b");
	refuse(&pattern_trace, "x 0 barrier 0\nx 1 bcast 8\n", STATUS_USAGE,
		":2: collective operation 1 of rank 1 is 'bcast' with root 0, that of rank 0");
	refuse(&pattern_trace, "x 0 barrier 0\nx 1 barrier 0\nx 1 barrier 0\n", STATUS_FABRIC,
		":3: rank 1 waits in 'barrier' for rank 0, which never calls");
}

TEST(calls_that_are_none_are_refused)
{
	static const char *const bad[][2] = {
		{"p 0 1 0 1\n", ":1: 'request=N' is missing"},
		{"w 0\n", ":1: request is missing"},
		{"w 0 1\n", ":1: task 0 has no request 1, or has waited for it"},
		{"s 0 1 0 1 mode=fast\n", "'fast' is not 'sync' or 'buffered'"},
		{"s 0 1 0 1 mode=sync mode=sync\n", "each once"},
		{"s * 1 0 1\n", "'*' is not a task"},
		{"r 0 1 0 1 request=5\n", "a word too many: 'request=5'"},
		{"comm 1 0\n", "communicators 0 (all tasks) and 1"},
		{"comm 2\n", "a communicator without members"},
		{"comm 2 0 /\n", "a communicator without members"},
		{"comm 2 0 0\n", "task 0 is a member of the communicator twice"},
		{"comm 2 5-3\n", "'5-3' is not a range of tasks"},
		{"x 0 allreduces 8\n", "unknown operation 'allreduces'; did you mean 'allreduce'?"},
		{"x 0 allreduce\n", "whole number of bytes is missing"},
		{"x 0 allreduce 8 counts=1,\n", "is not a whole number of bytes"},
		{"x 0 alltoallv 8\n", "'alltoallv' needs counts=, a number of bytes for each of 1 members"},
		{"comm 2 1\nx 0 barrier 0 comm=2\n", ":2: task 0 is not a member of communicator 2"},
		{"s 0 1 0 1 comm=5\n", "rank 0 does not have communicator 5"},
		{"x 0 barrier 0 to=0\n", "'barrier' has no neighbours"},
		{"x 0 neighbor_alltoallv 0 to=0,0 from=0,0 counts=5\n", "needs counts=, a number of bytes for each of 2 members"},
		{"comm 2 1\nx 1 neighbor_allgather 8 comm=2 to=0\n", "neighbour 0 is not a member of communicator 2"},
		{"x 0 neighbor_allgather 8 to=1\nx 1 neighbor_allgather 8\n", "task 1 never receives this message from task 0"},
		{"x 0 bcast 8 root=*\n", "root=* is for intercommunicators"},
		{"comm 2 0 / 1\nx 0 scan 8 comm=2\nx 1 scan 8 comm=2\n", "'scan' is not an operation of intercommunicators"},
		{"comm 2 0 / 1\nx 0 bcast 8 comm=2 root=*\nx 1 bcast 8 comm=2 root=*\n", "no rank of the other group names a root"},
		{"comm 2 0 / 1\nx 0 bcast 8 comm=2 root=1\nx 1 bcast 8 comm=2 root=0\n", "collective operation 1 of rank 1 is 'bcast'"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct error error = {0};
		assert_null(read_bytes(&pattern_trace, write_text("trace", bad[i][0]).text, 1000, &error));
		assert_non_null(strstr(error.text, bad[i][1]));
	}
}

/* ---- GOAL */

TEST(operations_of_a_schedule_begin_when_they_may)
{
	assert_text(&pattern_goal,
		"num_ranks 3\n"
		"// comments of one kind\n"
		"rank 0 {\n"
		"l1: calc 1500000000 cpu 1\n"
		"l2: send 10b to 1 tag 5 cpu 0 nic 1\n"
		"l2 requires l1\n"
		"send 20b to 2 # begins at once\n"
		"}\n"
		"rank 1 {\n"
		"l3 requires l1 // ahead\n"
		"l1: recv 10b from 0 nic 0 tag 5\n"
		"l2: calc 500000000\n"
		"l2 irequires l3\n"
		"l3: calc 2000000000\n"
		"}\n"
		"rank 2\n"
		"{\n"
		"recv 20b from 0\n"
		"}\n",
		"0 0 c1.5s | 0 0>2 20b | 1.5 0>1 10b | 2.5 1 c0.5s | 2.5 1 c2s");
}

/* A receive begins when it is posted: when what it requires has come to be, be its message there or not. */
TEST(the_beginning_of_a_receive_is_required)
{
	assert_text(&pattern_goal,
		"num_ranks 2\nrank 0 {\nl1: calc 1000000000\nl2: send 5b to 1\nl2 requires l1\n}\n"
		"rank 1 {\nl2: recv 5b from 0\nl3: calc 1\nl3 irequires l2\nl4: calc 5000000000\nl4 requires l3\n}\n",
		"0 0 c1s | 0 1 c1e-09s | 1 0>1 5b | 1e-09 1 c5s");
	/* what it requires, before and behind, and itself of another receive; d waits for its end too */
	assert_text(&pattern_goal,
		"num_ranks 2\nrank 0 {\nl1: calc 4000000000\nl2: send 5b to 1\nl2 requires l1\nsend 6b to 1 tag 1\n}\n"
		"rank 1 {\na: calc 1000000000\nr: recv 5b from 0\nr requires a\nc: calc 2000000000\nc irequires q\nq: recv 6b from 0 tag 1\n"
		"d: calc 3000000000\nd requires r\nd irequires q\nq irequires r\nr requires b\nb: calc 2000000000\n}\n",
		"0 0 c4s | 0 0>1 6b | 0 1 c1s | 0 1 c2s | 2 1 c2s | 4 0>1 5b | 5 1 c3s");
	/* a message begins with its send, a computation with itself */
	assert_text(&pattern_goal,
		"num_ranks 1\nrank 0 {\na: calc 1000000000\ns: send 5b to 0\ns requires a\nrecv 5b from 0\nb: calc 2000000000\nb irequires s\n"
		"c: calc 3000000000\nc irequires b\nd: calc 4000000000\nd requires s\n}\n",
		"0 0 c1s | 1 0 c2s | 1 0 c3s | 1 0>0 5b | 2 0 c4s");
	refuse(&pattern_goal, "num_ranks 1\nrank 0 {\nr: recv 1b from 0\nr irequires r\nsend 1b to 0\n}\n", STATUS_FABRIC,
		"task 0 waits for");
	refuse(&pattern_goal,
		"num_ranks 1\nrank 0 {\nr: recv 1b from 0\nq: recv 1b from 0 tag 1\nr irequires q\nq requires r\nsend 1b to 0\nsend 1b to 0 tag 1\n}\n",
		STATUS_FABRIC, "task 0 waits for");
}

/* Nothing is added where nobody asks. */
TEST(receives_that_nobody_begins_with_are_one_operation)
{
	struct task_graph *graph = read_text(
		&pattern_goal, "num_ranks 1\nrank 0 {\ns: send 1b to 0\nr: recv 1b from 0\nr irequires s\nc: calc 1\nc requires r\n}\n");
	assert_int_equal(graph->operations, 3);
	task_graph_free(graph);
}

TEST(schedules_have_comments_as_c_has)
{
	assert_text(&pattern_goal,
		"/* a tool's heading # with // anything,\n"
		" * num_ranks 9 /* and no nesting */ num_ranks /**/ 2 // ranks\n"
		"/*/ not closed yet */ rank /* two */ 0 /* of\n"
		"several lines\n\n"
		"*/ { # the first /*\n"
		"send/* no blank */10b to 1// nor here\n"
		"}\n"
		"rank 1 { // /*\n"
		"recv 10b from 0 /* *//* */\n"
		"calc 1000000000\n"
		"}\n",
		"0 0>1 10b | 0 1 c1s");
}

TEST(schedules_that_are_none_are_refused)
{
	static const char *const bad[][2] = {
		{"", "begins with 'num_ranks N'"},
		{"// nothing\n", "num_ranks"},
		{"/* num_ranks 1 */\n", "num_ranks"},
		{"num_ranks 1\n/* of\n * lines */ rank 0 { /*\n */ work 5\n}\n", ":4: 'work' is not 'send', 'recv', 'calc'"},
		{"num_ranks 1\nrank 0 {\n} /* open\n\n", ":3: a comment begins here and does not end"},
		{"/* num_ranks 1\n", ":1: a comment begins here and does not end"},
		{"num_ranks 1\nrank 0 {\ncalc 5 / 2\n}\n", ":3: '/' is not 'cpu C'"},
		{"rank 0 {\n}\n", ":1: 'rank' is not 'num_ranks'"},
		{"num_ranks\n", ":1: number of ranks is missing"},
		{"num_ranks 0\n", ":1: a schedule of no ranks"},
		{"num_ranks 1 2\n", ":1: the line has a word too many: '2'"},
		{"num_ranks 99999999999\n", "number of ranks is at most 16777216"},
		{"num_ranks 1\ncalc 5\n", ":2: 'calc' is not 'rank'"},
		{"num_ranks 1\nrank 1 {\n}\n", ":2: '1': rank is at most 0"},
		{"num_ranks 1\nrank {\n}\n", ":2: '{' is not a rank"},
		{"num_ranks 1\nrank 0\ncalc 5\n}\n", ":3: 'calc' is not '{'"},
		{"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", ":4: rank 0 has two blocks"},
		{"num_ranks 1\nrank 0 {\ncalc 5\n", ":3: the file ends within rank 0"},
		{"num_ranks 1\nrank 0\n", "the file ends within rank 0"},
		{"num_ranks 1\nrank 0 {\nwork 5\n}\n", ":3: 'work' is not 'send', 'recv', 'calc'"},
		{"num_ranks 1\nrank 0 {\nl1:\n}\n", ":3: 'send', 'recv', 'calc' or requirement is missing"},
		{"num_ranks 1\nrank 0 {\nl1: l2: calc 5\n}\n", ":3: 'l2' is not 'send'"},
		{"num_ranks 1\nrank 0 {\ncalc\n}\n", "nanoseconds is missing"},
		{"num_ranks 1\nrank 0 {\ncalc 1.5\n}\n", "'1.5' is not a whole number of nanoseconds"},
		{"num_ranks 1\nrank 0 {\ncalc 1 nic 1\n}\n", "'nic' is not 'cpu C'"},
		{"num_ranks 1\nrank 0 {\ncalc 1 cpu x\n}\n", "'x' is not a cpu"},
		{"num_ranks 1\nrank 0 {\ncalc 1 cpu 1 cpu 1\n}\n", "a word too many"},
		{"num_ranks 1\nrank 0 {\nsend 1 to 0\n}\n", "'1' is not a size"},
		{"num_ranks 1\nrank 0 {\nsend b to 0\n}\n", "is not a whole number of bytes"},
		{"num_ranks 1\nrank 0 {\nsend 1kb to 0\n}\n", "'1k' is not a whole number of bytes"},
		{"num_ranks 1\nrank 0 {\nsend\n}\n", "is missing"},
		{"num_ranks 1\nrank 0 {\nsend 1b from 0\n}\n", "'from' is not 'to'"},
		{"num_ranks 1\nrank 0 {\nrecv 1b to 0\n}\n", "'to' is not 'from'"},
		{"num_ranks 1\nrank 0 {\nrecv 1b from 1\n}\n", "rank is at most 0"},
		{"num_ranks 1\nrank 0 {\nsend 1b to 0 tag\n}\n", "tag is missing"},
		{"num_ranks 1\nrank 0 {\nsend 1b to 0 tag 1 tag 2\n}\n", "each once"},
		{"num_ranks 1\nrank 0 {\nsend 1b to 0 size 1\n}\n", "'size' is not 'tag T'"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n", ":4: rank 0 already has an operation with the label 'a'"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}\n", ":4: rank 0 has no operation with the label 'b'"},
		{"num_ranks 1\nrank 0 {\na: calc 1\nb irequires a\n}\n", ":4: rank 0 has no operation with the label 'b'"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires\n}\n", "label is missing"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires :\n}\n", "':' is not a label"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		refuse(&pattern_goal, bad[i][0], STATUS_USAGE, bad[i][1]);
	refuse(&pattern_goal, "num_ranks 2\nrank 1 {\ncalc 1\nrecv 1b from 0 tag 3\n}\n", STATUS_FABRIC,
		":4: task 1 waits for a message from task 0 with tag 3 that is never sent");
	refuse(&pattern_goal, "num_ranks 2\nrank 1 {\nsend 1b to 0 tag 3\n}\nrank 0 {\nrecv 1b from 1\n}\n", STATUS_FABRIC,
		":3: task 0 never receives this message from task 1 with tag 3");
	refuse(&pattern_goal, "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n", STATUS_FABRIC,
		"task 0 waits for");
}

/* Labels are those of one rank, and as many as it likes. */
TEST(schedules_may_be_long)
{
	enum { OPERATIONS = 5000 };
	char *text = malloc(OPERATIONS * 60 + 100);
	assert_non_null(text);
	size_t length = (size_t)sprintf(text, "num_ranks 2\n");
	for (int rank = 0; rank < 2; rank++) {
		length += (size_t)sprintf(text + length, "rank %d {\n", rank);
		for (int i = 0; i < OPERATIONS / 2; i++)
			length += (size_t)sprintf(text + length, "l%d: calc 1000000000\nl%d requires l%d\n", i, i, i + 1);
		length += (size_t)sprintf(text + length, "l%d: calc 0\n}\n", OPERATIONS / 2);
	}
	struct task_graph *graph = read_text(&pattern_goal, text);
	assert_int_equal(graph->operations, OPERATIONS + 2);
	assert_within(last_end(graph), OPERATIONS / 2, 1e-9);
	task_graph_free(graph);
	free(text);
}

/* ---- actions */

TEST(actions_of_two_ranks)
{
	/* small messages need no receive to begin, and nobody waits for them */
	assert_text(&pattern_actions,
		"0 init\n1 init\n"
		"0 compute 2e9\n0 send 1 0 1000\n0 compute 1e9\n0 finalize\n"
		"1 compute 1e9\n1 recv 0 0 1000\n1 send 0 7 5\n1 finalize\n0 recv 1 7\n0 compute 5e8\n",
		"0 0 c2s | 0 1 c1s | 2 0 c1s | 2 0>1 1000b | 3 1>0 5b | 4 0 c0.5s");
	/* large ones wait for the receive, and their sender for them */
	assert_text(&pattern_actions, "0 send 1 0 1e5\n0 compute 1e9\n1 compute 3e9\n1 recv 0 0 1e5\n1 compute 1e9\n",
		"0 1 c3s | 3 0>1 100000b | 4 0 c1s | 4 1 c1s");
}

TEST(requests_are_waited_for)
{
	/* the first irecv takes the first message, even if the second is waited for before */
	assert_text(&pattern_actions,
		"0 init\n0 compute 1e9\n0 isend 1 0 100\n0 compute 1e9\n0 send 1 0 200\n"
		"1 irecv 0 0 100\n1 recv 0 0 200\n1 compute 1e9\n1 wait 0 1 0\n1 compute 2e9\n",
		"0 0 c1s | 1 0 c1s | 1 0>1 100b | 2 0>1 200b | 3 1 c1s | 4 1 c2s");
	assert_text(&pattern_actions,
		"0 init\n0 isend 1 0 1e6\n0 compute 1e9\n0 wait 0 1 0\n0 compute 1e9\n"
		"1 compute 2e9\n1 irecv 0 0 1e6\n1 compute 1e9\n1 wait\n1 compute 1e9\n",
		"0 0 c1s | 0 1 c2s | 2 0>1 1e+06b | 2 1 c1s | 3 0 c1s | 3 1 c1s");
	assert_text(&pattern_actions,
		"0 irecv 1 0 10\n0 irecv 2 0 10\n0 test 1 0 0\n0 WaitAll\n0 compute 1e9\n1 send 0 0 10\n2 compute 4e9\n2 send 0 0 10\n"
		"0 waitall\n0 wait 2 0 0\n",
		"0 1>0 10b | 0 2 c4s | 4 2>0 10b | 5 0 c1s");
}

TEST(counts_are_of_a_datatype)
{
	assert_text(&pattern_actions,
		"0 init\n1 init 1\n0 send 1 0 10\n0 send 1 0 10 1\n0 send 1 0 10 0\n1 send 0 0 10\n1 send 0 0 10 6\n"
		"0 recv 1 0\n0 recv 1 0 10 6\n1 recv 0 0\n1 recv 0 0\n1 recv 0 0\n",
		"0 0>1 10b | 0 0>1 40b | 0 0>1 80b | 0 1>0 10b | 0 1>0 80b");
}

TEST(rates_and_limits_are_parameters)
{
	char spec[400];
	struct error error = {0};
	struct path path = write_text("trace", "0 compute 50\n0 send 1 0 10\n0 compute 50\n1 recv 0 0\n");
	snprintf(spec, sizeof spec, "%s,rate=25", path.text);
	assert_timetable(read_spec(&pattern_actions, spec), "0 0 c2s | 2 0 c2s | 2 0>1 10b");
	snprintf(spec, sizeof spec, "%s,rate=25,eager=10", path.text);
	assert_timetable(read_spec(&pattern_actions, spec), "0 0 c2s | 2 0>1 10b | 3 0 c2s");
	static const char *const rates[] = {"0", "-1", "x", "1e9x", "inf", "nan"};
	for (size_t i = 0; i < ARRAY_LENGTH(rates); i++) {
		snprintf(spec, sizeof spec, "%s,rate=%s", path.text, rates[i]);
		assert_null(read_bytes(&pattern_actions, spec, 1, &error));
		assert_error(&error, STATUS_USAGE, "rate is '", rates[i]);
	}
}

/* The largest power of two in n has so many digits behind its one. */
static uint32_t log2_down(uint32_t n)
{
	uint32_t digits = 0;
	while (n >>= 1)
		digits++;
	return digits;
}

/* The graph of all ranks doing that. */
static struct task_graph *together(uint32_t ranks, const char *action)
{
	char *text = calloc(ranks, strlen(action) + 40);
	assert_non_null(text);
	for (uint32_t r = 0; r < ranks; r++)
		sprintf(text + strlen(text), "%" PRIu32 " %s\n", r, action);
	struct task_graph *graph = read_text(&pattern_actions, text);
	free(text);
	return graph;
}

/* Takes from least to most seconds: where ranks are folded, those that are not begin earlier. */
static void assert_together(uint32_t ranks, const char *action, uint32_t messages, double bytes, double least, double most)
{
	struct task_graph *graph = together(ranks, action);
	assert_int_equal(count_of(graph, OPERATION_MESSAGE), messages);
	assert_within(sum_of(graph, OPERATION_MESSAGE), bytes, 1e-9);
	double time = last_end(graph);
	assert_true(time >= least && time <= most);
	task_graph_free(graph);
}

TEST(collective_operations_take_their_messages_and_levels)
{
	for (uint32_t n = 1; n <= 20; n++) {
		uint32_t levels = log2_down(n), half = UINT32_C(1) << levels, folded = n - half, shifts = 0;
		uint32_t doubling = half * levels + 2 * folded, fold_time = levels + (folded ? 2 : 0);
		char action[100];
		for (uint32_t distance = 1; distance < n; distance *= 2)
			shifts += n - distance;
		assert_together(n, "barrier", doubling, doubling, levels, fold_time);
		assert_together(n, "allReduce 10 0 1", doubling, 40. * doubling, levels, fold_time);
		assert_together(n, "alltoall 5 5", n * (n - 1), 5. * n * (n - 1), n - 1, n - 1);
		assert_together(n, "allgather 5 5 1 1", n * (n - 1), 20. * n * (n - 1), n - 1, n - 1);
		assert_together(n, "scan 5 0", shifts, 5. * shifts, levels, levels);
		for (uint32_t root = 0; root < n; root++) {
			snprintf(action, sizeof action, "bcast 3 %" PRIu32, root);
			assert_together(n, action, n - 1, 3. * (n - 1), levels, levels);
			snprintf(action, sizeof action, "reduce 3 0 %" PRIu32, root);
			assert_together(n, action, n - 1, 3. * (n - 1), levels, levels);
			snprintf(action, sizeof action, "gather 3 3 %" PRIu32, root);
			assert_together(n, action, n - 1, 3. * (n - 1), n > 1, n > 1);
			snprintf(action, sizeof action, "scatter 3 3 %" PRIu32 " 5 5", root);
			assert_together(n, action, n - 1, 12. * (n - 1), n > 1, n > 1);
		}
	}
}

/* After an allreduce every rank has had something of every other; before, none has gone on. */
TEST(nobody_leaves_a_barrier_before_the_last_came)
{
	for (uint32_t n = 2; n <= 20; n++)
		for (uint32_t late = 0; late < n; late++) {
			char *text = calloc(n, 100);
			assert_non_null(text);
			for (uint32_t r = 0; r < n; r++)
				sprintf(text + strlen(text), "%" PRIu32 " compute %s\n%" PRIu32 " barrier\n%" PRIu32 " compute 1e9\n", r,
					r == late ? "1e11" : "1", r, r);
			struct task_graph *graph = read_text(&pattern_actions, text);
			struct times times = run(graph);
			for (uint32_t o = 0; o < graph->operations; o++)
				if (graph->kind[o] == OPERATION_COMPUTE && graph->size[o] == 1)
					assert_true(times.begin[o] >= 100);
			times_clear(&times);
			task_graph_free(graph);
			free(text);
		}
}

TEST(vectors_of_counts_are_read)
{
	assert_text(&pattern_actions, "0 alltoallv 9 1 2 3 9 1 4 7\n1 alltoallv 9 4 5 6 9 2 5 8\n2 alltoallv 9 7 8 9 9 3 6 9 1 1\n",
		"0 0>1 2b | 0 1>2 6b | 0 2>0 28b | 1 0>2 3b | 1 1>0 4b | 1 2>1 32b");
	assert_text(&pattern_actions, "0 gatherv 5 5 6 7 1\n1 gatherv 6 5 6 7 1 1 1\n2 gatherv 7 5 6 7 1\n", "0 0>1 5b | 0 2>1 7b");
	assert_text(&pattern_actions, "0 scatterv 5 6 7 5 1\n1 scatterv 5 6 7 6 1 1 1\n2 scatterv 5 6 7 7 1\n", "0 1>0 20b | 0 1>2 28b");
	assert_text(&pattern_actions, "0 allgatherv 5 5 6 7\n1 allgatherv 6 5 6 7\n2 allgatherv 7 5 6 7\n",
		"0 0>1 5b | 0 1>2 6b | 0 2>0 7b | 1 0>1 7b | 1 1>2 5b | 1 2>0 6b");
	assert_text(&pattern_actions, "0 allgatherv 5 5 6 6 1\n1 allgatherv 6 5 6 6 1\n", "0 0>1 20b | 0 1>0 24b");
	assert_text(&pattern_actions, "0 reducescatter 5 6 7 1e9\n1 reducescatter 5 6 7 1e9\n2 reducescatter 5 6 7 1e9\n",
		"0 0>1 6b | 0 1>2 7b | 0 2>0 5b | 1 0>2 7b | 1 1>0 5b | 1 2>1 6b | 2 0 c1s | 2 1 c1s | 2 2 c1s");
}

TEST(actions_that_are_none_are_refused)
{
	static const char *const bad[][2] = {
		{"", "no action"},
		{"0 init\nx send\n", ":2: 'x' is not a rank"},
		{"0 init\n-1 send 0 0 1\n", "'-1' is not a rank"},
		{"16777216 init\n", "rank is at most 16777215"},
		{"0 init\n0\n", ":2: action is missing"},
		{"0 recieve 0 0\n", ":1: unknown action 'recieve'"},
		{"0 alltoal 1 1\n", "did you mean 'alltoall'?"},
		{"0 xyzzyxyzzy 1 1\n", "'xyzzyxyzzy' is not a known action"},
		{"0 compute\n", ":1: 'compute' has too few numbers: 0"},
		{"0 compute 1 2\n", "'compute' has too many numbers: 2"},
		{"0 compute x\n", "'x' is not a number"},
		{"0 compute -5\n", "'-5' is not a number"},
		{"0 compute nan\n", "'nan' is not a number"},
		{"0 send 0 0\n", "too few"},
		{"0 send 1 0 5\n", "1 is not a rank from 0 to 0"},
		{"0 send 0.5 0 5\n", "0.5 is not a rank"},
		{"0 send 0 0.5 5\n", "0.5 is not a tag"},
		{"0 send 0 5e9 5\n", "5e+09 is not a tag"},
		{"0 send 0 0 5 25\n", "25 is not a known datatype"},
		{"0 send 0 0 5 6 7\n", "too many"},
		{"0 recv 0\n", "too few"},
		{"0 wait 1\n", "'RANK wait SENDER RECEIVER TAG'"},
		{"0 wait 0 0 0 0\n", "too many"},
		{"0 barrier 5\n", "too many"},
		{"0 bcast\n", "too few"},
		{"0 bcast 5 1\n", "1 is not a rank"},
		{"0 alltoallv 5 1 5\n1 init\n", "too few"},
		{"0 barrier\n1 bcast 5\n", ":2: collective operation 1 of rank 1 is 'bcast'"},
		{"0 bcast 5 0\n1 bcast 5 1\n", "with root 1, that of rank 0"},
		{"0 send 0 0 1e308 0\n0 recv 0 0\n", "inf is not a number of bytes"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		refuse(&pattern_actions, bad[i][0], i + 1 < ARRAY_LENGTH(bad) ? STATUS_USAGE : STATUS_FABRIC, bad[i][1]);
	refuse(&pattern_actions, "1 init\n0 barrier\n", STATUS_FABRIC, ":2: rank 0 waits in 'barrier' for rank 1, which never calls");
	refuse(&pattern_actions, "0 init\n0 recv 1 5\n1 init\n", STATUS_FABRIC,
		":2: task 0 waits for a message from task 1 with tag 5 that is never sent");
	refuse(&pattern_actions, "0 isend 1 5 1\n1 init\n", STATUS_FABRIC, ":1: task 1 never receives this message from task 0 with tag 5");
	/* what MPI programs must not do, though it works with small messages */
	assert_text(&pattern_actions, "0 send 1 0 5\n0 recv 1 0\n1 send 0 0 5\n1 recv 0 0\n", "0 0>1 5b | 0 1>0 5b");
	refuse(&pattern_actions, "0 send 1 0 1e6\n0 recv 1 0\n1 send 0 0 1e6\n1 recv 0 0\n", STATUS_FABRIC, "in a cycle");
}

TEST(a_file_may_list_others_and_a_folder_hold_them)
{
	struct path folder = scratch_path("ranks"), hidden = scratch_path("ranks/.hidden"), list, files[12];
	char names[400] = "";
	struct error error = {0};
	assert_int_equal(mkdir(folder.text, 0700), 0);
	assert_null(read_bytes(&pattern_actions, folder.text, 1, &error));
	assert_error(&error, STATUS_USAGE, "the directory has no files");
	write_text("ranks/.hidden", "nonsense");
	for (int r = 0; r < 12; r++) {
		char name[40], text[100];
		sprintf(name, "ranks/trace%d", r);
		sprintf(text, "%d barrier\n%d compute 1e9\n", r, r);
		files[r] = write_text(name, text);
		sprintf(names + strlen(names), "%s\n", r ? name : files[0].text);
	}
	list = write_text("list", names);
	struct task_graph *by_folder = read_spec(&pattern_actions, folder.text), *by_list = read_spec(&pattern_actions, list.text);
	assert_int_equal(by_folder->tasks, 12);
	assert_int_equal(by_folder->operations, by_list->operations);
	assert_memory_equal(by_folder->task, by_list->task, by_list->operations * sizeof *by_list->task);
	assert_int_equal(count_of(by_folder, OPERATION_MESSAGE), 8 * 3 + 2 * 4);
	task_graph_free(by_folder);
	task_graph_free(by_list);
	write_text("list", "ranks/trace0\nranks/trace1 more\n");
	assert_null(read_bytes(&pattern_actions, list.text, 1, &error));
	assert_error(&error, STATUS_USAGE, ":2: a line of a list names one file");
	write_text("list", "ranks/trace0\nranks/nothing\n");
	assert_null(read_bytes(&pattern_actions, list.text, 1, &error));
	assert_error(&error, STATUS_IO, "ranks/nothing: cannot open");
	write_text("ranks/trace3", "3 barrier\n3 nothing\n");
	assert_null(read_bytes(&pattern_actions, folder.text, 1, &error));
	assert_error(&error, STATUS_USAGE, "trace3:2: 'nothing' is not a known action");
	for (int r = 0; r < 12; r++)
		unlink(files[r].text);
	unlink(hidden.text);
	rmdir(folder.text);
}

/* ---- the forms together */

TEST(a_program_is_the_same_in_all_forms)
{
	static const char events[] =
		"c 0 1\ns 0 1 0 100\ns 0 2 0 200\nr 0 1 0 100\nc 1 2\ns 1 2 1 300\nr 1 2 1 300\nr 0 2 0 200\nc 2 0.5\ns 2 0 9 400\nr 2 0 9 400\nc 0 3\n";
	static const char schedule[] =
		"num_ranks 3\nrank 0 {\na: calc 1000000000\nb: send 100b to 1\nb requires a\nc: send 200b to 2\nc requires a\n"
		"d: recv 400b from 2 tag 9\nd requires a\ne: calc 3000000000\ne requires d\n}\n"
		"rank 1 {\na: recv 100b from 0\nb: calc 2000000000\nb requires a\nc: send 300b to 2 tag 1\nc requires b\n}\n"
		"rank 2 {\na: recv 300b from 1 tag 1\nb: recv 200b from 0\nc: calc 500000000\nc requires a\nc requires b\n"
		"d: send 400b to 0 tag 9\nd requires c\n}\n";
	static const char actions[] =
		"0 init\n1 init\n2 init\n0 compute 1e9\n0 send 1 0 100\n0 isend 2 0 200\n1 recv 0 0 100\n1 compute 2e9\n"
		"1 send 2 1 300\n2 irecv 1 1 300\n2 recv 0 0 200\n2 wait 1 2 1\n2 compute 5e8\n2 send 0 9 400\n0 recv 2 9\n"
		"0 compute 3e9\n0 finalize\n";
	static const char expected[] = "0 0 c1s | 1 0>1 100b | 1 0>2 200b | 2 1 c2s | 4 1>2 300b | 5 2 c0.5s | 5.5 2>0 400b | 6.5 0 c3s";
	assert_text(&pattern_trace, events, expected);
	assert_text(&pattern_goal, schedule, expected);
	assert_text(&pattern_actions, actions, expected);
}

TEST(traces_may_be_compressed)
{
	struct path path = scratch_path("trace.gz");
	gzFile file = gzopen(path.text, "w");
	assert_non_null(file);
	assert_true(gzputs(file, "num_ranks 1\nrank 0 {\ncalc 1000000000\n}\n") > 0);
	assert_int_equal(gzclose(file), Z_OK);
	assert_timetable(read_spec(&pattern_goal, path.text), "0 0 c1s");
}

/* A trace is read twice, also from a pipe. */
TEST(a_dash_is_standard_input)
{
	int kept = dup(STDIN_FILENO), ends[2];
	static const char text[] = "s 0 1 0 5\nr 0 1 0 5\n";
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
	close(ends[1]);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	assert_timetable(read_spec(&pattern_trace, "-"), "0 0>1 5b");
	assert_timetable(read_spec(&pattern_trace, "-"), "0 0>1 5b");
	assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
	close(kept);
}

TEST(files_that_are_not_there_are_told)
{
	static const struct pattern *const all[] = {&pattern_trace, &pattern_goal, &pattern_actions, &pattern_jobs};
	struct path path = scratch_path("nothing");
	struct error error = {0};
	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		assert_null(read_bytes(all[i], path.text, 1, &error));
		assert_error(&error, STATUS_IO, "nothing: cannot open");
		assert_null(read_bytes(all[i], "", 1, &error));
		assert_error(&error, STATUS_USAGE, "requires the parameter");
	}
}

/* ---- jobs */

TEST(jobs_have_tasks_and_times_of_their_own)
{
	struct path trace = write_text("one.trace", "s 0 1 0 5\nr 0 1 0 5\nc 1 1\n");
	char text[700];
	snprintf(text, sizeof text, "# two jobs\n0 4 ring bytes=1e6\n2.5 2 trace:%s priority=3\n0.5 2 shift:1\n", trace.text);
	struct task_graph *graph = read_text(&pattern_jobs, text);
	assert_int_equal(graph->tasks, 8);
	assert_int_equal(graph->levels, 3);
	assert_non_null(graph->level);
	assert_non_null(graph->priority);
	struct times times = run(graph);
	for (uint32_t o = 0; o < graph->operations; o++) {
		uint32_t job = graph->task[o] < 4 ? 0 : graph->task[o] < 6 ? 1 : 2;
		static const double arrival[] = {0, 2.5, 0.5}, bytes[] = {1e6, 5, 1000};
		assert_int_equal(graph->level[o], job);
		if (graph->kind[o] != OPERATION_MESSAGE)
			continue;
		assert_int_equal(graph->priority[o], job == 1 ? 3 : 0);
		assert_true(times.begin[o] >= arrival[job]);
		assert_true(graph->size[o] == bytes[job]);
		if (job == 1)
			assert_true(times.begin[o] == 2.5 && graph->task[o] == 4 && graph->receiver[o] == 5);
		if (job == 2)
			assert_true(times.begin[o] == 0.5 && graph->task[o] + graph->receiver[o] == 13);
	}
	times_clear(&times);
	task_graph_free(graph);
}

/* What a job says is for all its messages; else they have what its workload says. */
TEST(jobs_have_sizes_classes_and_weights)
{
	struct path trace = write_text("one.trace", "s 0 1 0 5 weight=4 priority=7\nr 0 1 0 5\n");
	char text[700];
	snprintf(text, sizeof text,
		"0 2 ring bytes=64k\n0 2 trace:%s\n0 2 trace:%s weight=2.5 priority=1\n0 2 shift:1 weight=3 bytes=1.5M\n", trace.text,
		trace.text);
	static const double bytes[] = {64e3, 5, 5, 1.5e6}, weight[] = {1, 4, 2.5, 3};
	static const uint8_t priority[] = {0, 7, 1, 0};
	struct task_graph *graph = read_text(&pattern_jobs, text);
	for (uint32_t o = 0; o < graph->operations; o++) {
		uint32_t job = graph->level[o];
		if (graph->kind[o] != OPERATION_MESSAGE)
			continue;
		assert_true(graph->size[o] == bytes[job]);
		assert_true(graph->weight[o] == weight[job]);
		assert_int_equal(graph->priority[o], priority[job]);
	}
	task_graph_free(graph);
}

/* What waits for an end, and what for a beginning, does so in a job too. */
TEST(a_job_is_the_same_later)
{
	struct path trace = write_text("one.goal",
		"num_ranks 2\nrank 0 {\na: calc 1000000000\nb: send 5b to 1\nb requires a\nc: calc 2000000000\n"
		"c irequires b\n}\nrank 1 {\na: recv 5b from 0\nb: send 6b to 1 tag 2\nb requires a\nrecv 6b from 1 tag 2\n}\n");
	char text[400];
	assert_timetable(read_spec(&pattern_goal, trace.text), "0 0 c1s | 1 0 c2s | 1 0>1 5b | 2 1>1 6b");
	snprintf(text, sizeof text, "0 1 null\n0.5 2 goal:%s\n", trace.text);
	struct task_graph *graph = read_text(&pattern_jobs, text);
	assert_null(graph->priority);
	assert_timetable(graph, "0 1 p0.5s | 0 2 p0.5s | 0.5 1 c1s | 1.5 1 c2s | 1.5 1>2 5b | 2.5 2>2 6b");
	/* a receive that is posted when the job arrives */
	trace = write_text("two.goal", "num_ranks 1\nrank 0 {\nr: recv 5b from 0\nc: calc 2000000000\nc irequires r\n"
				       "a: calc 1000000000\ns: send 5b to 0\ns requires a\n}\n");
	snprintf(text, sizeof text, "0.5 1 goal:%s\n", trace.text);
	assert_timetable(read_text(&pattern_jobs, text), "0 0 p0.5s | 0.5 0 c1s | 0.5 0 c2s | 1.5 0>0 5b");
}

TEST(jobs_that_are_none_are_refused)
{
	static const char *const bad[][2] = {
		{"", "the file has no jobs"},
		{"now 4 ring\n", ":1: 'now' is not an arrival time"},
		{"-1 4 ring\n", "'-1' is not an arrival time"},
		{"0 0 ring\n", ":1: a job of no tasks"},
		{"0 x ring\n", "'x' is not a number of tasks"},
		{"0 16777216 ring\n0 1 ring\n", ":2: '1': number of tasks is at most 0"},
		{"0 4\n", "workload of a job is missing"},
		{"0 4 jobs:x\n", "'jobs:x' is not a workload of a job"},
		{"0 4 ring size=5\n", "'size=5' is not 'bytes=B', 'priority=P', 'weight=W', 'sl=L' or 'share=S'"},
		{"0 4 ring bytes=0x10\n", "'0x10' is not a number of bytes"},
		{"0 4 ring bytes=-1\n", "'-1' is not a number of bytes"},
		{"0 4 ring bytes=1kB\n", "'1kB' is not a number of bytes"},
		{"0 4 ring weight=0\n", "'0' is not a weight"},
		{"0 4 ring weight=2 weight=2\n", "each once"},
		{"0 4 ring bytes=\n", "number of bytes"},
		{"0 4 ring bytes=5 bytes=5\n", "each once"},
		{"0 4 ring priority=256\n", "priority is at most 255"},
		{"0 4 ring\n0 4 rings\n", ":2: unknown"},
		{"0 4 shift\n", ":1: "},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
		refuse(&pattern_jobs, bad[i][0], STATUS_USAGE, bad[i][1]);
	struct path trace = write_text("one.trace", "c 1 1\n");
	char text[400];
	snprintf(text, sizeof text, "0 3 trace:%s\n", trace.text);
	refuse(&pattern_jobs, text, STATUS_USAGE, "has 2 tasks, not 3");
	write_text("one.trace", "r 0 1 0 1\n");
	snprintf(text, sizeof text, "\n0 2 trace:%s\n", trace.text);
	refuse(&pattern_jobs, text, STATUS_FABRIC, "one.trace:1: task 1 waits for a message from task 0");
}

/* ---- real ones */

static const char *data_folder(void)
{
	const char *folder = getenv("ORCS_TEST_DATA");
	return folder ? folder : "../shared/data";
}

static void check_sample(const struct pattern *workload, const char *name, uint32_t tasks, uint32_t messages, double time)
{
	char path[500];
	snprintf(path, sizeof path, "%s/traces/%s", data_folder(), name);
	if (access(path, R_OK)) {
		print_message("skipped: %s is not there (ORCS_TEST_DATA)\n", path);
		return;
	}
	struct task_graph *graph = read_spec(workload, path);
	assert_int_equal(graph->tasks, tasks);
	assert_int_equal(count_of(graph, OPERATION_MESSAGE), messages);
	if (time >= 0)
		assert_within(last_end(graph), time, 1e-9);
	task_graph_free(graph);
}

TEST(samples_are_read)
{
	check_sample(&pattern_goal, "goal/binary_tree_16.goal", 16, 15, 4);
	check_sample(&pattern_goal, "goal/dissemination_16.goal", 16, 64, 4);
	check_sample(&pattern_actions, "simgrid-ti/actions_allreduce.txt", 3, 4, 2 + .5 + .5);
	check_sample(&pattern_actions, "simgrid-ti/actions_alltoall.txt", 3, 6, 2);
	check_sample(&pattern_actions, "simgrid-ti/actions_barrier.txt", 3, 5, -1);
	check_sample(&pattern_actions, "simgrid-ti/actions_bcast.txt", 3, 6, -1);
	check_sample(&pattern_actions, "simgrid-ti/actions_waitall.txt", 3, 3, 1);
	check_sample(&pattern_actions, "simgrid-ti/actions_with_isend.txt", 3, 3, -1);
	/* 16 barriers and 6 allreduces of 5 levels, 9 trees, 5 + 2 exchanges of all pairs, a gather */
	check_sample(&pattern_actions, "simgrid-ti/ti_traces_32_1", 32, 22 * 160 + 9 * 31 + 7 * 32 * 31 + 31, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_go_one_after_the_other),
		cmocka_unit_test(events_have_weights_and_classes),
		cmocka_unit_test(tasks_are_as_many_as_the_largest_number_says),
		cmocka_unit_test(events_that_are_none_are_refused),
		cmocka_unit_test(events_that_wait_for_ever_are_told),
		cmocka_unit_test(receives_are_posted_early),
		cmocka_unit_test(requests_end_at_their_wait),
		cmocka_unit_test(large_messages_wait_for_their_receives),
		cmocka_unit_test(messages_match_by_tag_and_communicator),
		cmocka_unit_test(receives_of_any_source_take_the_first),
		cmocka_unit_test(collective_operations_of_events),
		cmocka_unit_test(calls_that_are_none_are_refused),
		cmocka_unit_test(operations_of_a_schedule_begin_when_they_may),
		cmocka_unit_test(the_beginning_of_a_receive_is_required),
		cmocka_unit_test(receives_that_nobody_begins_with_are_one_operation),
		cmocka_unit_test(schedules_have_comments_as_c_has),
		cmocka_unit_test(schedules_that_are_none_are_refused),
		cmocka_unit_test(schedules_may_be_long),
		cmocka_unit_test(actions_of_two_ranks),
		cmocka_unit_test(requests_are_waited_for),
		cmocka_unit_test(counts_are_of_a_datatype),
		cmocka_unit_test(rates_and_limits_are_parameters),
		cmocka_unit_test(collective_operations_take_their_messages_and_levels),
		cmocka_unit_test(nobody_leaves_a_barrier_before_the_last_came),
		cmocka_unit_test(vectors_of_counts_are_read),
		cmocka_unit_test(actions_that_are_none_are_refused),
		cmocka_unit_test(a_file_may_list_others_and_a_folder_hold_them),
		cmocka_unit_test(a_program_is_the_same_in_all_forms),
		cmocka_unit_test(traces_may_be_compressed),
		cmocka_unit_test(a_dash_is_standard_input),
		cmocka_unit_test(files_that_are_not_there_are_told),
		cmocka_unit_test(jobs_have_tasks_and_times_of_their_own),
		cmocka_unit_test(jobs_have_sizes_classes_and_weights),
		cmocka_unit_test(a_job_is_the_same_later),
		cmocka_unit_test(jobs_that_are_none_are_refused),
		cmocka_unit_test(samples_are_read),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
