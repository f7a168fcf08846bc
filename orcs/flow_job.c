#include "orcs/flow_job.h"

#include "base/memory.h"
#include "orcs/packet_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hops between the hosts of two tasks; those without a route are as far as can be. */
static uint32_t distance(const void *data, uint32_t task, uint32_t other)
{
	const struct flow_job *job = data;
	return flow_hops(job->engine, job->host[task], job->host[other]);
}

int flow_job_init(struct flow_job *job, struct error *error)
{
	job->engine = flow_create(&job->setup, error);
	job->task.distance = distance;
	job->task.data = job;
	job->task.stop = job->setup.stop;
	return job->engine ? 0 : -1;
}

void flow_job_clear(struct flow_job *job)
{
	flow_free(job->engine);
	workload_free(job->workload);
	task_graph_free(job->graph);
	free(job->alone);
}

/* Whether what the flow engine makes of operations, of which so many wait for others, fits into the memory: by what it was measured to take
 * at least. Returns 0, or -1. */
static int fits(const struct flow_job *job, double operations, double waiting, struct error *error)
{
	enum { BEGIN_BYTES = 250, WAIT_BYTES = 40, EXACT_BYTES = 80 }; /* in time: of what begins at once, of others; all at once */
	double bytes = job->wants & FLOW_TIMES   ? (operations - waiting) * BEGIN_BYTES + waiting * WAIT_BYTES
		       : job->wants & FLOW_EXACT ? operations * EXACT_BYTES
						 : 0;
	return memory_check(bytes, operations, "operations", job->processes, error);
}

/* How many operations of the graph wait for others. */
static double count_waiting(const struct task_graph *graph)
{
	double waiting = 0;
	for (uint32_t o = 0; graph->waits && o < graph->operations; o++)
		waiting += graph->waits[o] > 0;
	return waiting;
}

/* Makes the graph of the run, unless it is known before that the engine will not have the memory. NULL with the reason. */
static struct task_graph *make_graph(struct flow_job *job, struct error *error)
{
	double messages = 0;
	if (!job->begun && !job->packets &&
		(workload_at_once(job->workload, &job->task, &messages, error) || fits(job, messages, 0, error)))
		return NULL;
	return workload_graph(job->workload, &job->task, error);
}

const struct task_graph *flow_job_graph(struct flow_job *job, uint64_t run, const uint32_t *host, struct error *error)
{
	job->host = host;
	if (job->graph && (job->task.run == run || !workload_drawn(job->workload)))
		return job->graph;
	task_graph_free(job->graph);
	job->task.run = run;
	if (job->setup.multipath)
		job->setup.multipath->run = run;
	struct error reason = {0};
	job->graph = make_graph(job, &reason);
	if (!job->graph && !*job->setup.stop) /* what a graph lacks has no line of a file; of all else the reader has said where */
		error_set(error, reason.status, !strncmp(reason.text, "task", 4) ? "%s: %s" : "%.0s%s", job->name, reason.text);
	return job->graph;
}

/* What each message takes alone. Returns 0, or -1 when the memory is not there. */
static enum run_status find_alone(struct flow_job *job, const uint32_t *host, struct observation *seen, struct error *error)
{
	const struct task_graph *g = job->graph;
	if (array_grow(&job->alone, &job->alone_room, g->operations, sizeof *job->alone, error))
		return RUN_FAILED;
	for (uint32_t o = 0; o < g->operations; o++) {
		if (*job->setup.stop)
			return RUN_INTERRUPTED;
		if (!flow_enters(g, host, o))
			continue;
		double seconds = flow_alone(job->engine, host[g->task[o]], host[g->receiver[o]], g->size[o]);
		if (!isnan(seconds))
			job->alone[seen->alones++] = seconds;
		else if (!job->setup.drop)
			return RUN_UNROUTABLE;
		else
			seen->unroutable++;
	}
	seen->alone = job->alone;
	return RUN_FINE;
}

enum run_status flow_job_run(struct flow_job *job, uint64_t run, const uint32_t *host, struct observation *seen, struct error *error)
{
	enum run_status ending = RUN_FINE;
	if (job->setup.multipath)
		job->setup.multipath->run = run;
	*seen = (struct observation){.fabric = job->setup.fabric, .capacity = job->setup.capacity, .saturation = {NAN, NAN}};
	seen->graph = job->workload ? flow_job_graph(job, run, host, error) : NULL;
	if (job->workload && !seen->graph)
		return error->status ? RUN_FAILED : RUN_INTERRUPTED;
	if (!job->packets && !job->begun && seen->graph && fits(job, seen->graph->operations, count_waiting(seen->graph), error))
		return RUN_FAILED;
	job->begun = true;
	if (job->packets)
		return packet_job_run(job->packets, run, seen->graph, host, seen, error);
	if (job->wants & FLOW_SHARES)
		ending = flow_share(job->engine, seen->graph, host, job->wants & FLOW_EXACT, &job->shares, error);
	if (ending == RUN_FINE && job->wants & FLOW_ALONE)
		ending = find_alone(job, host, seen, error);
	if (ending == RUN_FINE && job->wants & FLOW_TIMES)
		ending = flow_run(job->engine, seen->graph, host, &job->times, error);
	seen->shares = job->wants & FLOW_SHARES ? &job->shares : NULL;
	seen->times = job->wants & FLOW_TIMES ? &job->times : NULL;
	return ending;
}
