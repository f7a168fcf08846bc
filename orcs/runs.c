#include "orcs/runs.h"

#include "base/memory.h"
#include "fabric/routing_function.h"
#include "fabric/walk.h"

#include <math.h>
#include <stdlib.h>

struct engine_terms runs_terms(const struct engine *engine)
{
	return (struct engine_terms){.gives = engine->gives, .load_points = 1};
}

int runs_init(struct runs *runs, struct error *error)
{
	runs->setup.terms = &runs->terms;
	runs->state = runs->engine->create(&runs->setup, error);
	return runs->state ? 0 : -1;
}

int runs_prepare(struct runs *runs, struct error *error)
{
	return runs->engine->prepare ? runs->engine->prepare(runs->state, error) : 0;
}

void runs_clear(struct runs *runs)
{
	if (runs->state)
		runs->engine->free(runs->state);
	workload_free(runs->workload);
	task_graph_free(runs->graph);
	free(runs->route);
}

/* ---- task graphs */

/* Returns the hops of a pair with several routes: of one of them, or their mean, rounded. */
static int several_hops(struct route_choice *m, uint32_t source, uint32_t destination)
{
	if (m->setup.mode != MULTIPATH_SPLIT)
		return route_choice_route(m, source, destination);
	int channels = route_choice_spread(m, source, destination);
	double hops = 0;
	for (int i = 0; i < channels; i++)
		hops += m->share[i];
	return channels < 0 ? channels : (int)floor(hops + 0.5 + 1e-9);
}

/* Returns the hops between the hosts of two tasks; the maximum for hosts without a route. */
static uint32_t distance(const void *data, uint32_t task, uint32_t other)
{
	const struct runs *runs = data;
	const struct engine_setup *s = &runs->setup;
	uint32_t source = runs->host[task], destination = runs->host[other];
	int hops = source == destination     ? 0
		   : s->multipath            ? several_hops(s->multipath, source, destination)
		   : s->forwarding->function ? (int)routing_function_route(s->forwarding->function, source, destination, true, runs->route)
					     : walk_route(s->fabric, s->forwarding, source, destination, runs->route);
	return hops < 0 ? UINT32_MAX : (uint32_t)hops;
}

/* Checks that the engine has the memory for the operations, some of which wait for others. Returns 0, or -1. */
static int fits(const struct runs *runs, double operations, double waiting, struct error *error)
{
	double bytes = runs->engine->memory(runs->setup.wants, operations, waiting);
	return memory_check(bytes, operations, "operations", runs->processes, error);
}

/* Returns the number of operations of the graph that wait for others. */
static double count_waiting(const struct task_graph *graph)
{
	double waiting = 0;
	for (uint32_t o = 0; graph->waits && o < graph->operations; o++)
		waiting += graph->waits[o] > 0;
	return waiting;
}

/* Creates the graph of the run, unless the engine would run out of memory. NULL: error. */
static struct task_graph *make_graph(struct runs *runs, struct error *error)
{
	double messages = 0;
	if (!runs->begun && runs->engine->memory &&
		(workload_at_once(runs->workload, &runs->task, &messages, error) || fits(runs, messages, 0, error)))
		return NULL;
	return workload_graph(runs->workload, &runs->task, error);
}

/* Sets the placement of tasks for the workload. */
static int place_tasks(struct runs *runs, const uint32_t *host, struct error *error)
{
	const struct routing_function *function = runs->setup.forwarding->function;
	size_t room = (size_t)runs->setup.fabric->nodes + (function ? routing_function_longest(function) : 0);
	runs->host = host;
	if (!runs->route)
		runs->route = array_create(room, sizeof *runs->route, error);
	runs->task.distance = distance;
	runs->task.data = runs;
	runs->task.stop = runs->setup.stop;
	return runs->route ? 0 : -1;
}

/* Returns the number of the placement, which the load points of a sweep share. */
static uint64_t seed_of(const struct runs *runs, uint64_t run)
{
	return run / runs->terms.load_points;
}

const struct task_graph *runs_graph(struct runs *runs, uint64_t run, const uint32_t *host, struct error *error)
{
	if (place_tasks(runs, host, error))
		return NULL;
	double bytes = runs->terms.sizes ? runs->terms.sizes[run % runs->terms.load_points] : runs->task.bytes;
	bool same = runs->task.run == seed_of(runs, run) || !workload_drawn(runs->workload);
	if (runs->graph && same && runs->task.bytes == bytes)
		return runs->graph;
	task_graph_free(runs->graph);
	runs->task.bytes = bytes;
	runs->task.run = seed_of(runs, run);
	if (runs->setup.multipath)
		runs->setup.multipath->run = seed_of(runs, run);
	struct error reason = {0};
	runs->graph = make_graph(runs, &reason);
	if (!runs->graph && !*runs->setup.stop)
		error_set(error, reason.status, reason.code == ERROR_NAMELESS ? "%s: %s" : "%.0s%s", runs->name, reason.text);
	return runs->graph;
}

/* ---- running */

enum run_status runs_make(struct runs *runs, uint64_t run, const uint32_t *host, unsigned wants, const struct level_taker *taker,
	struct observation *seen, struct error *error)
{
	const struct engine_setup *s = &runs->setup;
	if (s->multipath)
		s->multipath->run = seed_of(runs, run);
	*seen = (struct observation){
		.run = run, .points = runs->terms.load_points, .fabric = s->fabric, .capacity = s->capacity, .saturation = {NAN, NAN}};
	seen->bytes = runs->terms.sizes ? runs->terms.sizes[run % runs->terms.load_points] : NAN;
	seen->graph = runs->workload ? runs_graph(runs, run, host, error) : NULL;
	if (runs->workload && !seen->graph)
		return error->status ? RUN_FAILED : RUN_INTERRUPTED;
	if (seen->graph && seen->graph->transfers && !(runs->engine->takes & TAKES_STORAGE)) {
		error_set(error, STATUS_USAGE, "%s: it reads or writes, which requires --engine flow", runs->name);
		return RUN_FAILED;
	}
	if (runs->engine->memory && !runs->begun && seen->graph && fits(runs, seen->graph->operations, count_waiting(seen->graph), error))
		return RUN_FAILED;
	runs->begun = true;
	const struct run_request call = {.number = run, .host = host, .graph = seen->graph, .wants = wants, .taker = taker};
	return runs->engine->run(runs->state, &call, seen, error);
}
