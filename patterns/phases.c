#include "patterns/phases.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

double phases_unit(const struct arg *args, const struct arg_value *values, const char *workload, struct error *error)
{
	double bytes = 0;
	for (size_t i = 0; args && args[i].type != ARG_END; i++)
		if (args[i].key && !strcmp(args[i].key, "unit") && *values[i].text && (!read_size(values[i].text, &bytes) || bytes < 1)) {
			error_set(error, STATUS_USAGE, "workload '%s': unit is '%s', not a number of bytes", workload, values[i].text);
			return -1;
		}
	return bytes;
}

static bool is_between(const struct task_graph *graph, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE && graph->task[operation] != graph->receiver[operation];
}

/* Operations whose dependencies have been looked at, and what is left of others. */
struct visit {
	uint32_t *depth, *left, *queue;
	uint32_t queued;
};

/* Raises the depth of those that wait for an operation, and queues those for which it was the last. */
static void pass_on(struct visit *v, const uint64_t *first, const uint32_t *next, uint32_t operation, uint32_t depth)
{
	for (uint64_t i = first ? first[operation] : 0; first && i < first[operation + 1]; i++) {
		uint32_t other = next[i];
		v->depth[other] = depth > v->depth[other] ? depth : v->depth[other];
		if (!--v->left[other])
			v->queue[v->queued++] = other;
	}
}

/* Sets the depth of all operations. */
static void visit_all(struct visit *v, const struct task_graph *graph)
{
	if (graph->waits)
		memcpy(v->left, graph->waits, graph->operations * sizeof *v->left);
	for (uint32_t o = 0; o < graph->operations; o++)
		if (!v->left[o])
			v->queue[v->queued++] = o;
	for (uint32_t i = 0; i < v->queued; i++) {
		uint32_t o = v->queue[i];
		pass_on(v, graph->first, graph->next, o, v->depth[o] + is_between(graph, o));
		pass_on(v, graph->first_begun, graph->next_begun, o, v->depth[o]);
	}
}

/* Lists the messages by their depths, with a counting sort. */
static int sort_messages(struct message_phases *phases, const struct task_graph *graph, const uint32_t *depth, struct error *error)
{
	uint32_t messages = 0;
	for (uint32_t o = 0; o < graph->operations; o++)
		if (is_between(graph, o)) {
			messages++;
			phases->count = depth[o] >= phases->count ? depth[o] + 1 : phases->count;
		}
	phases->first = array_create((size_t)phases->count + 2, sizeof *phases->first, error);
	phases->message = array_create(messages, sizeof *phases->message, error);
	if (error->status)
		return -1;
	uint32_t *place = phases->first + 1; /* becomes the end of each phase, the beginning of the next */
	for (uint32_t o = 0; o < graph->operations; o++)
		if (is_between(graph, o))
			place[depth[o] + 1]++;
	for (uint32_t p = 0; p < phases->count; p++)
		place[p + 1] += place[p];
	for (uint32_t o = 0; o < graph->operations; o++)
		if (is_between(graph, o))
			phases->message[place[depth[o]]++] = o;
	return 0;
}

int message_phases_find(struct message_phases *phases, const struct task_graph *graph, struct error *error)
{
	*phases = (struct message_phases){.count = 0};
	struct visit v = {.depth = array_create(graph->operations, sizeof *v.depth, error),
		.left = array_create(graph->operations, sizeof *v.left, error),
		.queue = array_create(graph->operations, sizeof *v.queue, error)};
	if (!error->status) {
		visit_all(&v, graph);
		sort_messages(phases, graph, v.depth, error);
	}
	free(v.depth);
	free(v.left);
	free(v.queue);
	return error->status ? -1 : 0;
}

void message_phases_clear(struct message_phases *phases)
{
	free(phases->message);
	free(phases->first);
	*phases = (struct message_phases){.count = 0};
}
