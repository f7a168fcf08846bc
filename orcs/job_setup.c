/* The inputs of the runs, in every process. */
#include "base/memory.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "parallel/distribute.h"
#include "fabric/service_levels.h"
#include "patterns/job_queue.h"
#include "patterns/traffic.h"
#include "orcs/job.h"
#include "orcs/reroute.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the specification is that of a trace, which has its own number of tasks even where its pairs are counted. */
static bool is_trace(const char *spec)
{
	struct error unseen = {0};
	const struct pattern *pattern = pattern_find(spec, PATTERN_PAIRS, &unseen);
	return pattern && pattern->ordered;
}

int job_make_workload(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	uint32_t tasks = 0;
	job->ranks = o->ranks;
	bool pairs = o->engine->takes & TAKES_PAIRS;
	if (o->terms.open || (pairs && !is_trace(o->pattern.spec)))
		return 0;
	size_t length = strlen(o->pattern.spec);
	if (comm_size(job->comm) > 1 && length > 1 && !strcmp(o->pattern.spec + length - 2, ":-"))
		return error_set(error, STATUS_USAGE, "'%s': only process 0 has standard input; name a file", o->pattern.spec);
	job->runs.workload = workload_create(&o->pattern, error);
	if (job->runs.workload && !workload_count(job->runs.workload, &tasks, error) && tasks) {
		if (o->ranks && o->ranks != tasks)
			return error_set(error, STATUS_USAGE, "'%s' has %" PRIu32 " tasks, not the %" PRIu32 " of --ranks", o->pattern.spec,
				tasks, o->ranks);
		job->ranks = tasks;
	}
	if (pairs) { /* only the number of tasks was wanted */
		workload_free(job->runs.workload);
		job->runs.workload = NULL;
	}
	return error->status ? -1 : 0;
}

int job_share_demand(struct job *job, struct error *error)
{
	if (comm_size(job->comm) == 1)
		return 0;
	comm_broadcast(job->comm, &job->demand, sizeof job->demand);
	if (!job->demand)
		return 0;
	bool all = job->forwarding->shortest && job->forwarding->shortest->all;
	comm_broadcast(job->comm, &all, sizeof all);
	const char *spec = job->attributes ? attributes_of_graph(job->attributes, "topology") : NULL; /* of process 0 */
	uint64_t length = spec ? strlen(spec) + 1 : 0;
	comm_broadcast(job->comm, &length, sizeof length);
	char *topology = length ? array_create(length, 1, error) : NULL;
	if (spec && topology)
		memcpy(topology, spec, length);
	if (!comm_agree(job->comm, error)) {
		if (length)
			comm_broadcast(job->comm, topology, length);
		if (comm_rank(job->comm))
			reroute_again(job->options.routing, job->options.seed, job->fabric, topology, job->forwarding, &job->routes, error);
		if (job->forwarding->shortest)
			job->forwarding->shortest->all = all;
		job->forwarding->demand = true;
	}
	free(topology);
	return comm_agree(job->comm, error);
}

int job_make_multipath(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	bool random = job->routes || job->forwarding->via;
	bool chooses = o->terms.chooses != NULL;
	struct route_choice_setup setup = {
		.mode = o->multipath >= 0 ? (enum multipath_mode)o->multipath
			: random          ? MULTIPATH_RANDOM
					  : MULTIPATH_FIRST,
		.fabric = job->fabric,
		.forwarding = job->forwarding,
		.routes = job->routes,
		.seed = o->seed,
	};
	job->odd.straight = false; /* or --multipath first was given */
	if (route_choice_any(&setup))
		job->multipath = route_choice_create(&setup, error);
	else if (o->multipath > MULTIPATH_FIRST && job->notes)
		fprintf(job->notes, "orcs: %s: note: every pair has one route; --%s has no effect\n", SHOWN(job->fabric->labels->source),
			chooses ? "packet-routing" : "multipath");
	if (job->multipath && chooses && job->verbose)
		fprintf(job->verbose, "each packet chooses among the routes of its pair (--multipath %s)\n", multipath_modes[setup.mode]);
	return comm_agree(job->comm, error);
}

int job_make_control(struct job *job, struct error *error)
{
	const char *unknown = job->multipath ? "pairs have several routes" : control_unknown(job->fabric, &job->placement, job->pattern);
	double started = now();
	if (unknown)
		return error_set(error, STATUS_USAGE, "--control-variates: %s", unknown);
	int failed = control_make(&job->control, job->comm, job->fabric, job->forwarding, job->pattern, error);
	if (job->verbose && !failed)
		fprintf(job->verbose, "counted the routes over each channel in %.2f s\n", now() - started);
	return failed;
}

int job_find_loads(struct job *job, struct run_loads *loads, struct error *error)
{
	const struct outcome *outcome = &job->outcome;
	bool wanted = false, known = true;
	for (int m = 0; m < job->metric_count; m++)
		wanted |= (job->metrics[m].metric->gathers & METRIC_CHANNELS) != 0;
	if (!wanted || !runs_of_pairs(&job->runs))
		return 0;
	*loads = (struct run_loads){
		.fabric = job->fabric,
		.basis = load_basis_of(&job->placement, job->pattern, job->multipath),
		.pairs = &job->loads,
		.ranks = job->placement.ranks,
		.pattern = job->pattern->pattern->name,
		.runs = outcome->runs,
		.levels = job->options.level >= 0 ? 1 : pattern_levels(job->pattern),
		.messages = outcome->connections + outcome->unroutable,
		.sum = outcome->channel_sum,
		.unit = outcome->channel_unit,
		.by_speed = job->runs.setup.speed_aware,
	};
	if (loads->basis == LOADS_EXPECTED &&
		expected_loads_count(&job->loads, job->comm, job->fabric, job->forwarding, job->multipath, &job->placement, &known, error))
		return -1;
	if (!known)
		loads->basis = LOADS_SAMPLED;
	if (loads->basis == LOADS_SAMPLED && !comm_rank(job->comm))
		loads->together = messages_together(job->pattern, job->options.level, job->placement.shuffled, error);
	return comm_agree(job->comm, error);
}

/* Computes the capacities and latencies of the channels, in every process. */
static int make_channels(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	const struct fabric *f = job->fabric;
	const double usual = 10e9;
	double slowest = o->capacity > 0         ? o->capacity
			 : f->slowest > 0        ? f->slowest * 1e9
			 : o->terms.capacity > 0 ? o->terms.capacity
						 : usual;
	job->capacity = array_create(f->channels, sizeof *job->capacity, error);
	double everywhere = o->latency >= 0 ? o->latency : o->engine->cable > 0 && !f->latency ? o->engine->cable : -1;
	if (o->terms.cycles)
		slowest = CYCLE_RATE;
	if (everywhere > 0 || (everywhere < 0 && f->latency))
		job->latency = array_create(f->channels, sizeof *job->latency, error);
	for (uint32_t c = 0; !error->status && c < f->channels; c++) {
		job->capacity[c] = slowest * (o->terms.cycles || o->ignore_speeds ? 1 : f->speed[c]);
		if (job->latency)
			job->latency[c] = everywhere > 0 ? everywhere : f->latency[c];
	}
	return error->status ? -1 : 0;
}

/* Distributes the virtual lanes, their arbitration and the topology of the graph to all processes. */
static int share_names(struct job *job, struct error *error)
{
	const char *spec = job->forwarding->function ? job->forwarding->function->spec
			   : job->attributes         ? attributes_of_graph(job->attributes, "topology")
						     : NULL;
	uint64_t length = spec ? strlen(spec) + 1 : 0;
	comm_broadcast(job->comm, &length, sizeof length);
	job->topology = length ? array_create(length, 1, error) : NULL;
	if (spec && job->topology)
		memcpy(job->topology, spec, length);
	if (!comm_rank(job->comm) && job->options.terms.lanes && !job->options.routing)
		virtual_lanes_load(&job->lanes, job->attributes, job->fabric, true, error);
	if (!comm_rank(job->comm) && job->options.terms.lanes && !error->status)
		lane_arbitrations_load(&job->arbitrations, job->attributes, job->fabric, error);
	if (comm_agree(job->comm, error))
		return -1;
	comm_broadcast(job->comm, job->topology, length);
	if (distribute_lanes(job->comm, job->fabric, &job->lanes, error))
		return -1;
	return distribute_arbitrations(job->comm, job->fabric, &job->arbitrations, error);
}

/* Writes the note of a pattern, or those of the two that ptrnvsptrn joins. */
static void note_pattern(const struct job *job, const struct pattern_call *call)
{
	char note[200] = "";
	if (!call || !job->notes)
		return;
	if (call->pattern->note)
		call->pattern->note(call, note, sizeof note);
	if (*note)
		fprintf(job->notes, "orcs: %s: note: %s\n", SHOWN(call->pattern->name), note);
	note_pattern(job, call->first);
	note_pattern(job, call->second);
}

/* Creates the pattern, and checks --ptrn_level. */
static void make_pattern(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	struct pattern_call *pattern = job->pattern = job->runs.setup.pattern = pattern_create(&o->pattern, job->placement.ranks, error);
	if (pattern && o->level >= 0 && (uint64_t)o->level >= pattern_levels(pattern))
		error_set(error, STATUS_USAGE, "--ptrn_level is %" PRId64 ": the pattern has %" PRIu64 " level%s, numbered from 0",
			o->level, pattern_levels(pattern), pattern_levels(pattern) == 1 ? "" : "s");
	if (!error->status)
		note_pattern(job, pattern);
}

/* Sets the inputs of the engine that are known so far. */
static void describe_work(struct job *job)
{
	const struct options *o = &job->options;
	struct runs *runs = &job->runs;
	runs->engine = o->engine;
	runs->terms = o->terms;
	runs->setup = (struct engine_setup){
		.options = options_own(o),
		.failing = &o->failing,
		.terms = &runs->terms,
		.fabric = job->fabric,
		.forwarding = job->forwarding,
		.attributes = job->attributes,
		.multipath = job->multipath,
		.only_level = o->level,
		.request = &o->pattern,
		.ranks = job->placement.ranks,
		.oversubscribed = job->placement.oversubscribed,
		.speed_aware = o->engine->takes & TAKES_PAIRS && !o->ignore_speeds && fabric_speeds_differ(job->fabric),
		.drop = o->drop,
		.bytes = o->bytes,
		.memory = o->memory,
		.seed = o->seed,
		.precision = o->terms.open ? o->precision : 0,
		.wants = metrics_want(job->metrics, job->metric_count) | (o->rank_table ? SEEN_HOSTS : 0) |
			 (o->counters ? o->engine->gives & SEEN_CARRIED : 0),
		.shared_run = o->terms.open && !o->terms.undivided && comm_size(job->comm) > 1 &&
			      o->runs * o->terms.load_points < (uint64_t)comm_size(job->comm),
		.peers = &job->peers.peers,
		.notes = job->notes,
		.verbose = job->verbose,
		.stop = job->stop,
	};
}

/* Returns the service levels of the messages of open-loop traffic on these hosts, a bit each. */
static uint32_t open_levels(const struct job *job, const uint32_t *host, struct error *error)
{
	const struct options *o = &job->options;
	const struct pattern *pattern = o->terms.open ? pattern_find(o->terms.sent, PATTERN_LOAD, error) : NULL;
	struct traffic_setup setup = {.fabric = job->fabric, .ranks = job->placement.ranks, .host = host, .seed = o->seed};
	uint32_t levels = 1u << SERVICE_LEVEL_OF_PAIR;
	struct traffic_call *traffic =
		pattern && pattern->levels_of_service ? traffic_create(o->terms.sent, &o->pattern, &setup, error) : NULL;
	if (traffic)
		levels = traffic_service_levels(traffic);
	traffic_free(traffic);
	return levels;
}

/* Sets the inputs of engines that simulate time: the channels, and the number of levels of the first run's graph. */
static void make_times(struct job *job, uint32_t *levels, struct error *error)
{
	const struct options *o = &job->options;
	struct runs *runs = &job->runs;
	unsigned processes = (unsigned)comm_neighbours(job->comm);
	uint32_t *host = array_create(job->placement.ranks, sizeof *host, error);
	runs->name = o->pattern.spec;
	runs->task = (struct workload_task){
		.tasks = job->placement.ranks,
		.bytes = o->bytes,
		.sync = o->sync,
		.compute_scale = o->compute_scale,
		.compute_none = o->compute_scale == 0,
		.seed = o->seed,
		.processes = processes,
	};
	runs->processes = o->runs < processes && o->precision <= 0 ? (unsigned)o->runs : processes;
	if (host && !make_channels(job, error)) {
		runs->setup.capacity = job->capacity;
		runs->setup.latency = job->latency;
		placement_run(&job->placement, o->seed, 0, host);
		const struct task_graph *graph = runs->workload ? runs_graph(runs, 0, host, error) : NULL;
		*levels = graph ? graph->levels : 0;
		runs->setup.service_levels = graph ? task_graph_service_levels(graph) : open_levels(job, host, error);
		if (graph && graph->queue && graph->queue->left_out && job->notes)
			fprintf(job->notes, "orcs: %s: note: %" PRIu64 " %s without a run time or processors %s left out\n",
				SHOWN(o->pattern.spec), graph->queue->left_out, graph->queue->left_out == 1 ? "job" : "jobs",
				graph->queue->left_out == 1 ? "is" : "are");
		if (graph && graph->note && job->notes)
			fprintf(job->notes, "orcs: %s: note: %s\n", SHOWN(o->pattern.spec), SHOWN(graph->note));
	}
	free(host);
	if (comm_agree(job->comm, error) || share_names(job, error))
		return;
	runs->setup.topology = job->topology;
	runs->setup.lanes = job->lanes;
	runs->setup.arbitrations = job->arbitrations;
}

int job_set_up(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	uint32_t levels = 0;
	describe_work(job);
	if (o->engine->takes & TAKES_PAIRS)
		make_pattern(job, error);
	else
		make_times(job, &levels, error);
	if (!comm_agree(job->comm, error))
		runs_init(&job->runs, error);
	for (int m = 0; m < job->metric_count && !error->status; m++) {
		job->metrics[m].points = o->terms.load_points;
		metric_setup(&job->metrics[m], job->placement.ranks, levels, o->serialise_sends, error);
	}
	return comm_agree(job->comm, error);
}
