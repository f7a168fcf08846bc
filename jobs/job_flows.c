#include "jobs/job_flows.h"

#include "base/memory.h"
#include "base/signals.h"
#include "engines/flow/flow.h"
#include "patterns/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A job during a run. */
struct pass {
	const struct task_graph *graph; /* NULL: no messages */
	uint32_t first_task, passes;
	uint32_t end;  /* the barrier at the end of its first pass */
	uint32_t last; /* ... of its last */
};

struct job_flows {
	const struct machine_loads *loads;
	double bytes;
	double *capacity; /* [channels] bits/s */
	struct flow_engine *engine;
	struct task_graph **graph;       /* [jobs] one pass; NULL: no messages */
	double *alone;                   /* [jobs] seconds */
	uint32_t *number, *host, *after; /* [jobs], [all ranks], [all ranks] scratch */
	struct pass *pass;               /* [jobs] scratch */
};

/* ---- graphs */

static struct task_graph *make_graph(const struct job_loads *job, const struct pattern_request *request, double bytes, struct error *error)
{
	struct workload_call *call = workload_create(request, error);
	const struct workload_task task = {.tasks = job->hosts, .bytes = bytes, .seed = request->seed};
	struct task_graph *graph = call ? workload_graph(call, &task, error) : NULL;
	workload_free(call);
	return graph;
}

/* Adds a pass, which begins after an operation, OPERATION_NONE: at once. after: [tasks] scratch. Returns its end. */
static uint32_t add_pass(struct task_builder *builder, const struct task_graph *graph, uint32_t first, uint32_t begin, uint32_t *after)
{
	for (uint32_t task = 0; task < graph->tasks; task++)
		after[task] = begin;
	uint32_t base = task_graph_add(builder, graph, &(struct embedding){.first = first, .after = after, .priority = -1}),
		 end = task_barrier(builder, first);
	task_after_graph(builder, end, graph, base);
	return end;
}

static struct task_graph *add_passes(struct pass *pass, uint32_t count, uint32_t tasks, uint32_t *after, struct error *error)
{
	double operations = 0;
	for (uint32_t i = 0; i < count; i++)
		operations += pass[i].graph ? (double)pass[i].graph->operations * pass[i].passes : 0;
	struct task_builder *builder = task_graph_fits(operations, 0, error) ? NULL : task_builder_create(tasks, error);
	if (!builder)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; pass[i].graph && k < pass[i].passes; k++) {
			pass[i].last = add_pass(builder, pass[i].graph, pass[i].first_task, k ? pass[i].last : OPERATION_NONE, after);
			pass[i].end = k ? pass[i].end : pass[i].last;
		}
	return task_builder_end(builder, error);
}

/* ---- runs */

/* Runs the passes. *enough: every job was still busy when the last of them had ended its first pass. Otherwise more are needed. */
static int run_passes(
	struct job_flows *flows, struct pass *pass, uint32_t count, uint32_t tasks, double *time, bool *enough, struct error *error)
{
	struct task_graph *graph = add_passes(pass, count, tasks, flows->after, error);
	struct task_times times;
	uint64_t most = 0;
	*enough = true;
	if (!graph)
		return -1;
	if (flow_run(flows->engine, 0, graph, flows->host, &times, error) == RUN_OK) {
		for (uint32_t i = 0; i < count; i++) {
			uint64_t end = pass[i].graph ? times.ended[pass[i].end] : 0;
			time[i] = (double)end / PICOSECONDS;
			most = end > most ? end : most;
		}
		for (uint32_t i = 0; i < count; i++)
			if (pass[i].graph && times.ended[pass[i].last] < most) {
				double missing = (double)most / (double)times.ended[pass[i].last];
				pass[i].passes = (uint32_t)ceil(missing * pass[i].passes) + 1;
				*enough = false;
			}
	} else if (!error->status) {
		error_set(error, STATUS_FABRIC, "the messages of the jobs take longer than the longest time");
	}
	task_graph_free(graph);
	return error->status ? -1 : 0;
}

int job_flows_run(struct job_flows *flows, const uint32_t *number, uint32_t count, double *time, struct error *error)
{
	uint32_t tasks = 0;
	double longest = 0;
	bool enough = false;
	for (uint32_t i = 0; i < count; i++)
		longest = fmax(longest, flows->alone[number[i]]);
	for (uint32_t i = 0; i < count; i++) {
		const struct job_loads *job = &flows->loads->job[number[i]];
		double alone = flows->alone[number[i]];
		memcpy(flows->host + tasks, job->host, job->hosts * sizeof *job->host);
		flows->pass[i] =
			(struct pass){flows->graph[number[i]], tasks, count > 1 && alone > 0 ? (uint32_t)(longest / alone) + 1 : 1, 0, 0};
		tasks += job->hosts;
	}
	while (!enough)
		if (run_passes(flows, flows->pass, count, tasks, time, &enough, error))
			return -1;
	return 0;
}

int job_flows_run_all(struct job_flows *flows, double *time, struct error *error)
{
	for (uint32_t j = 0; j < flows->loads->jobs; j++)
		flows->number[j] = j;
	return job_flows_run(flows, flows->number, flows->loads->jobs, time, error);
}

/* ---- all of it */

static int make_engine(struct job_flows *flows, struct error *error)
{
	const struct fabric *f = flows->loads->fabric;
	const double usual = 10e9, slowest = f->slowest > 0 ? f->slowest * 1e9 : usual;
	flows->capacity = array_create(f->channels, sizeof *flows->capacity, error);
	for (uint32_t c = 0; flows->capacity && c < f->channels; c++)
		flows->capacity[c] = slowest * f->speed[c];
	const struct flow_setup setup = {
		.fabric = f,
		.forwarding = flows->loads->forwarding,
		.capacity = flows->capacity,
		.classes = {CLASSES_ALIKE, 1, {1}},
		.stop = &stop_signal,
	};
	flows->engine = flows->capacity ? flow_create(&setup, error) : NULL;
	return flows->engine ? 0 : -1;
}

static void make_jobs(struct job_flows *flows, const struct pattern_request *request, struct error *error)
{
	const struct machine_loads *loads = flows->loads;
	for (uint32_t j = 0; j < loads->jobs && !error->status; j++)
		if (loads->job[j].messages) {
			flows->graph[j] = make_graph(&loads->job[j], request, flows->bytes, error);
			if (flows->graph[j])
				job_flows_run(flows, &j, 1, &flows->alone[j], error);
		}
}

struct job_flows *job_flows_create(
	const struct machine_loads *loads, const struct pattern_request *request, double bytes, struct error *error)
{
	struct job_flows *flows = array_create(1, sizeof *flows, error);
	size_t ranks = 0;
	if (!flows)
		return NULL;
	for (uint32_t j = 0; j < loads->jobs; j++)
		ranks += loads->job[j].hosts;
	*flows = (struct job_flows){
		.loads = loads,
		.bytes = bytes,
		.graph = array_create(loads->jobs, sizeof *flows->graph, error),
		.alone = array_create(loads->jobs, sizeof *flows->alone, error),
		.number = array_create(loads->jobs, sizeof *flows->number, error),
		.host = array_create(ranks, sizeof *flows->host, error),
		.after = array_create(ranks, sizeof *flows->after, error),
		.pass = array_create(loads->jobs, sizeof *flows->pass, error),
	};
	if (!error->status && !make_engine(flows, error))
		make_jobs(flows, request, error);
	if (!error->status)
		return flows;
	job_flows_free(flows);
	return NULL;
}

void job_flows_free(struct job_flows *flows)
{
	if (!flows)
		return;
	for (uint32_t j = 0; flows->graph && j < flows->loads->jobs; j++)
		task_graph_free(flows->graph[j]);
	flow_free(flows->engine);
	free(flows->capacity);
	free(flows->graph);
	free(flows->alone);
	free(flows->number);
	free(flows->host);
	free(flows->after);
	free(flows->pass);
	free(flows);
}

int job_flows_compare(struct job_flows *flows, struct job_result *result, struct error *error)
{
	result->seconds_alone = array_create(result->jobs, sizeof *result->seconds_alone, error);
	result->seconds_together = array_create(result->jobs, sizeof *result->seconds_together, error);
	if (error->status)
		return -1;
	memcpy(result->seconds_alone, flows->alone, result->jobs * sizeof *flows->alone);
	for (uint32_t i = 0; i < result->pairs; i++) {
		struct job_pair *pair = &result->pair[i];
		double time[2] = {0};
		if (job_flows_run(flows, (uint32_t[]){pair->a, pair->b}, 2, time, error))
			return -1;
		pair->slowdown[0] = flows->alone[pair->a] > 0 ? time[0] / flows->alone[pair->a] : NAN;
		pair->slowdown[1] = flows->alone[pair->b] > 0 ? time[1] / flows->alone[pair->b] : NAN;
	}
	return job_flows_run_all(flows, result->seconds_together, error);
}
