#include "tools/record/goal_writer.h"

#include "base/files.h"
#include "base/memory.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A graph as a schedule: a message is a send of its task and a receive of the other, with a tag of its own; a wait of a task for its own
 * operations is a requirement, that for operations of another task (as in fences of windows) a message of 0 bytes. Operations without a
 * length, which only wait, are computations of 0 ns.
 */
struct schedule {
	const struct task_graph *graph;
	uint64_t *first;  /* [operations + 1] of the operations that each one waits for */
	uint32_t *before; /* [waits] */
	uint64_t *start;  /* [tasks + 1] of the parts of each task */
	uint32_t *part;   /* operations in their order; a message stands at both tasks */
	uint64_t *signal; /* [signals] places of before whose operation must tell another task of its end, by its task */
	size_t signals;
	uint32_t *waiting; /* [waits] the operation that each place of before belongs to */
	FILE *file;
};

/* Lists what each operation waits for. */
static int turn_round(struct schedule *s, struct error *error)
{
	const struct task_graph *g = s->graph;
	uint64_t waits = g->waits ? g->first[g->operations] : 0;
	s->first = array_create((size_t)g->operations + 2, sizeof *s->first, error);
	s->before = array_create(waits, sizeof *s->before, error);
	if (error->status)
		return -1;
	for (uint64_t i = 0; i < waits; i++)
		s->first[g->next[i] + 2]++;
	for (uint32_t o = 0; o < g->operations; o++)
		s->first[o + 2] += s->first[o + 1];
	for (uint32_t o = 0; waits && o < g->operations; o++)
		for (uint64_t i = g->first[o]; i < g->first[o + 1]; i++)
			s->before[s->first[g->next[i] + 1]++] = o;
	return 0;
}

/* Lists the operations of each task. */
static int list_parts(struct schedule *s, struct error *error)
{
	const struct task_graph *g = s->graph;
	s->start = array_create((size_t)g->tasks + 2, sizeof *s->start, error);
	s->part = array_create(2 * (size_t)g->operations, sizeof *s->part, error);
	if (error->status)
		return -1;
	for (uint32_t o = 0; o < g->operations; o++) {
		s->start[g->task[o] + 2]++;
		if (g->kind[o] == OPERATION_MESSAGE)
			s->start[g->receiver[o] + 2]++;
	}
	for (uint32_t t = 0; t < g->tasks; t++)
		s->start[t + 2] += s->start[t + 1];
	for (uint32_t o = 0; o < g->operations; o++) {
		s->part[s->start[g->task[o] + 1]++] = o;
		if (g->kind[o] == OPERATION_MESSAGE)
			s->part[s->start[g->receiver[o] + 1]++] = o;
	}
	return 0;
}

/* Returns whether the task of an operation knows of the end of another without a message for it. */
static bool knows(const struct task_graph *g, uint32_t operation, uint32_t other)
{
	uint32_t task = g->task[operation];
	return g->task[other] == task || (g->kind[other] == OPERATION_MESSAGE && g->receiver[other] == task);
}

/* Lists the waits for operations of other tasks, by the tasks of these. */
static int list_signals(struct schedule *s, struct error *error)
{
	const struct task_graph *g = s->graph;
	uint64_t waits = g->waits ? g->first[g->operations] : 0;
	size_t *start = array_create((size_t)g->tasks + 1, sizeof *start, error);
	s->waiting = array_create(waits, sizeof *s->waiting, error);
	for (uint32_t o = 0; start && s->waiting && o < g->operations; o++)
		for (uint64_t i = s->first[o]; i < s->first[o + 1]; i++) {
			s->waiting[i] = o;
			start[g->task[s->before[i]] + 1] += !knows(g, o, s->before[i]);
			s->signals += !knows(g, o, s->before[i]);
		}
	s->signal = error->status ? NULL : array_create(s->signals, sizeof *s->signal, error);
	for (uint32_t t = 0; s->signal && t < g->tasks; t++)
		start[t + 1] += start[t];
	for (uint64_t i = 0; s->signal && i < waits; i++)
		if (!knows(g, s->waiting[i], s->before[i]))
			s->signal[start[g->task[s->before[i]]]++] = i;
	free(start);
	return error->status ? -1 : 0;
}

/* Tells other tasks of the end of those operations of a task for which they wait. Returns the number of the next signal. */
static size_t put_signals(const struct schedule *s, uint32_t task, size_t next)
{
	const struct task_graph *g = s->graph;
	for (; next < s->signals && g->task[s->before[s->signal[next]]] == task; next++) {
		uint64_t i = s->signal[next];
		fprintf(s->file, "s%" PRIu64 ": send 0b to %" PRIu32 " tag %" PRIu64 "\ns%" PRIu64 " requires o%" PRIu32 "\n", i,
			g->task[s->waiting[i]], g->operations + i, i, s->before[i]);
	}
	return next;
}

/* Writes what an operation of a task waits for: the end of its own ones, and of messages to it. */
static void put_requirements(const struct schedule *s, uint32_t task, uint32_t operation)
{
	const struct task_graph *g = s->graph;
	for (uint64_t i = s->first[operation]; i < s->first[operation + 1]; i++) {
		uint32_t other = s->before[i];
		bool message = g->kind[other] == OPERATION_MESSAGE;
		if (message && g->receiver[other] == task)
			fprintf(s->file, "o%" PRIu32 " requires r%" PRIu32 "\n", operation, other);
		else if (g->task[other] == task)
			fprintf(s->file, "o%" PRIu32 " requires o%" PRIu32 "\n", operation, other);
		else
			fprintf(s->file, "v%" PRIu64 ": recv 0b from %" PRIu32 " tag %" PRIu64 "\no%" PRIu32 " requires v%" PRIu64 "\n", i,
				g->task[other], g->operations + i, operation, i);
	}
}

static void put_operation(const struct schedule *s, uint32_t task, uint32_t o, bool again)
{
	const struct task_graph *g = s->graph;
	bool message = g->kind[o] == OPERATION_MESSAGE;
	if (message && g->receiver[o] == task && (again || g->task[o] != task)) {
		fprintf(s->file, "r%" PRIu32 ": recv %.0fb from %" PRIu32 " tag %" PRIu32 "\n", o, g->size[o], g->task[o], o);
		return;
	}
	if (message)
		fprintf(s->file, "o%" PRIu32 ": send %.0fb to %" PRIu32 " tag %" PRIu32 "\n", o, g->size[o], g->receiver[o], o);
	else
		fprintf(s->file, "o%" PRIu32 ": calc %.0f\n", o, g->kind[o] == OPERATION_COMPUTE ? rint(g->size[o] * 1e9) : 0);
	put_requirements(s, task, o);
}

static void put_schedule(const struct schedule *s)
{
	const struct task_graph *g = s->graph;
	size_t signal = 0;
	fprintf(s->file, "num_ranks %" PRIu32 "\n", g->tasks);
	for (uint32_t t = 0; t < g->tasks; t++) {
		fprintf(s->file, "rank %" PRIu32 " {\n", t);
		for (uint64_t i = s->start[t]; i < s->start[t + 1]; i++)
			put_operation(s, t, s->part[i], i > s->start[t] && s->part[i - 1] == s->part[i]);
		signal = put_signals(s, t, signal);
		fprintf(s->file, "}\n");
	}
}

static struct task_graph *read_graph(const char *trace, uint32_t ranks, struct error *error)
{
	char *spec;
	if (asprintf(&spec, "trace:%s", trace) < 0) {
		error_set(error, STATUS_IO, "out of memory");
		return NULL;
	}
	const struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = 1};
	struct workload_call *call = workload_create(&request, error);
	const struct workload_task task = {.tasks = ranks, .bytes = 1};
	struct task_graph *graph = call ? workload_graph(call, &task, error) : NULL;
	workload_free(call);
	free(spec);
	return graph;
}

int goal_write(const char *trace, uint32_t ranks, const char *path, struct error *error)
{
	struct schedule s = {.graph = NULL};
	struct files files = {0};
	struct output output = {0};
	struct task_graph *graph = read_graph(trace, ranks, error);
	s.graph = graph;
	if (graph && !turn_round(&s, error) && !list_parts(&s, error) && !list_signals(&s, error) &&
		!files_write(&files, &output, path, error)) {
		s.file = output.file;
		put_schedule(&s);
		output_commit(&output, error);
	}
	output_discard(&output);
	files_clear(&files);
	task_graph_free(graph);
	free(s.first);
	free(s.before);
	free(s.start);
	free(s.part);
	free(s.signal);
	free(s.waiting);
	return error->status ? -1 : 0;
}
