/*
 * Iterations of a workload, with a computation of every task before each: bulk-synchronous programs such as solvers. An iteration of a task
 * begins when all its operations of the iteration before have ended, and all messages to it have arrived; tasks do not wait for one
 * another beyond that. Source: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.3.
 */
#include "base/memory.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct arg iterate_args[] = {
	{"N,WORKLOAD[,compute=S]", ARG_TEXT, NULL, 0, 0,
		"number of iterations, a pattern or workload, and the seconds that every task computes before each, e.g. 10,stencil:8x8,compute=1ms"},
	{.type = ARG_END},
};

struct iterations {
	int64_t count;
	char *text;       /* owned */
	const char *spec; /* of the workload, in text */
	double compute;   /* seconds */
};

/* Reads the parameters. Returns 0, or -1; free text in either case. */
static int read_iterations(struct iterations *it, const char *args, struct error *error)
{
	static const char key[] = ",compute=";
	*it = (struct iterations){.text = strdup(args)};
	if (!it->text)
		return error_set(error, STATUS_IO, "out of memory");
	char *comma = strchr(it->text, ','), *compute = NULL;
	for (char *at = it->text; (at = strstr(at, key)); at++)
		compute = strchr(at + 1, ',') ? compute : at; /* the last of all parameters */
	if (compute) {
		*compute = '\0';
		if (!read_seconds(compute + strlen(key), 1, 1e6, &it->compute))
			return error_set(
				error, STATUS_USAGE, "workload 'iterate': compute is '%s', not a time such as 1ms", compute + strlen(key));
	}
	if (comma)
		*comma++ = '\0';
	if (!comma || !*comma || !read_integer(it->text, 1, 1000000000, &it->count))
		return error_set(
			error, STATUS_USAGE, "workload 'iterate:%s' is not iterate:N,WORKLOAD[,compute=S] with N iterations", args);
	it->spec = comma;
	return 0;
}

static struct workload_call *call_of(const struct iterations *it, uint64_t seed, struct error *error)
{
	return workload_create(&(struct pattern_request){.spec = it->spec, .first_ranks = -1, .seed = seed}, error);
}

static int iterate_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct iterations it;
	struct workload_call *call = read_iterations(&it, args[0].text, error) ? NULL : call_of(&it, 1, error);
	*tasks = 0;
	if (call)
		workload_count(call, tasks, error);
	workload_free(call);
	free(it.text);
	return error->status ? -1 : 0;
}

static int iterate_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct iterations it;
	struct error wrong = {0}; /* an invalid specification names no files */
	if (!read_iterations(&it, args[0].text, &wrong))
		pattern_files(&(struct pattern_request){.spec = it.spec, .first_ranks = -1}, PATTERN_GRAPH, files, error);
	free(it.text);
	return error->status ? -1 : 0;
}

static bool iterate_drawn(const struct arg_value *args)
{
	struct iterations it;
	struct error error = {0};
	struct workload_call *call = read_iterations(&it, args[0].text, &error) ? NULL : call_of(&it, 1, &error);
	bool drawn = call && workload_drawn(call);
	workload_free(call);
	free(it.text);
	return drawn;
}

/* Adds the beginning of an iteration for every task: its computation, after its previous iteration. last: [tasks] its end; OPERATION_NONE.
 */
static void begin_iteration(struct task_builder *builder, uint32_t tasks, double compute, uint32_t *last)
{
	for (uint32_t task = 0; task < tasks && compute > 0 && task_builder_goes_on(builder); task++) {
		uint32_t start = task_compute(builder, task, compute);
		if (last[task] != OPERATION_NONE)
			task_after(builder, start, last[task]);
		last[task] = start;
	}
}

/* Adds for each task a join after all its operations of the iteration and all messages to it. */
static void end_iteration(struct task_builder *builder, const struct task_graph *graph, uint32_t base, uint32_t *last)
{
	for (uint32_t task = 0; task < graph->tasks && task_builder_goes_on(builder); task++) {
		uint32_t next = task_join(builder, task);
		if (last[task] != OPERATION_NONE)
			task_after(builder, next, last[task]);
		last[task] = next;
	}
	for (uint32_t o = 0; o < graph->operations && task_builder_goes_on(builder); o++) {
		task_after(builder, last[graph->task[o]], base + o);
		if (graph->receiver[o] != graph->task[o])
			task_after(builder, last[graph->receiver[o]], base + o);
	}
}

static void add_iteration(struct task_builder *builder, const struct task_graph *graph, uint32_t number, double compute, uint32_t *last)
{
	task_level(builder, number);
	begin_iteration(builder, graph->tasks, compute, last);
	end_iteration(builder, graph,
		task_graph_add(builder, graph, &(struct embedding){.after = last, .priority = -1, .service_level = -1}), last);
}

/* Returns the graph of one iteration; those of drawn workloads differ. NULL on errors. */
static struct task_graph *graph_of(struct workload_call *call, const struct workload_task *task, int64_t iteration, struct error *error)
{
	const struct workload_task own = workload_inner(task, (uint64_t)iteration, -1);
	return workload_graph(call, &own, error);
}

static int build_iterate(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct iterations it;
	struct workload_call *call = read_iterations(&it, task->args[0].text, error) ? NULL : call_of(&it, task->seed, error);
	uint32_t *last = array_create(task->tasks, sizeof *last, error);
	struct task_graph *graph = NULL;
	if (last)
		memset(last, 0xff, task->tasks * sizeof *last); /* OPERATION_NONE */
	for (int64_t i = 0; i < it.count && !error->status && task_builder_goes_on(builder); i++) {
		if (graph && workload_drawn(call)) {
			task_graph_free(graph);
			graph = NULL;
		}
		if (!graph)
			graph = graph_of(call, task, i, error);
		if (graph)
			add_iteration(builder, graph, (uint32_t)i, it.compute, last);
	}
	task_graph_free(graph);
	workload_free(call);
	free(it.text);
	free(last);
	return error->status ? -1 : 0;
}

const struct pattern pattern_iterate = {
	.name = "iterate",
	.summary = "a pattern or workload N times, each task computing before each time",
	.source = "INRFlow paper 3.3.3",
	.args = iterate_args,
	.drawn_with = iterate_drawn,
	.ordered = true,
	.count = iterate_count,
	.files = iterate_files,
	.build = build_iterate,
};
