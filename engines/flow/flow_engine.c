/* The flow engine as rows of the table: flow, messages that share the channels, static or dynamic; latency, uncontended messages. */
#include "base/memory.h"
#include "base/shown.h"
#include "engines/failing.h"
#include "engines/flow/flow.h"
#include "engines/flow/flow_options.h"
#include "fabric/node_names.h"
#include "routings/routing.h"
#include "scheduling/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct flows {
	const struct engine_setup *setup;
	struct failing failing;
	struct flow_engine *engine, *idle; /* idle: for runs in which messages share nothing; NULL: not needed */
	struct channel_sums sums;
	double *zero_load;
	size_t zero_load_room;
	/* of the last run */
	struct task_times times;
	struct flow_shares shares;
	struct schedule schedule;
	bool scheduled;
};

static void release(void *engine)
{
	struct flows *f = engine;
	if (!f)
		return;
	flow_free(f->engine);
	flow_free(f->idle);
	failing_clear(&f->failing);
	free(f->sums.sum);
	free(f->sums.limit);
	free(f->zero_load);
	if (f->scheduled)
		schedule_clear(&f->schedule);
	free(f);
}

/* Sets up the cables that fail, and lists them if requested. */
static int make_failures(struct flows *f, struct error *error)
{
	if (failing_make(&f->failing, f->setup, error))
		return -1;
	if (f->setup->verbose)
		failing_tell(&f->failing, f->setup->fabric, f->setup->verbose);
	return 0;
}

/* Finds the host of --storage nas, in every process. Returns 0, or -1. */
static int find_nas(const struct engine_setup *s, const char *text, uint32_t *host, struct error *error)
{
	const struct peers *peers = s->peers;
	if (!text)
		return 0;
	if (!peers || !peers->rank) {
		struct node_names names;
		char hint[NODE_HINT_SIZE];
		uint32_t node =
			node_names_init(&names, s->fabric, NODES_HOSTS, error) ? NAME_NONE : node_names_find(&names, text, strlen(text));
		bool found = node != NAME_NONE && node != NODE_AMBIGUOUS;
		if (found)
			*host = s->fabric->node_host[node];
		else if (!error->status)
			error_set(error, STATUS_USAGE, "--storage nas: %s host '%s'%s", node == NODE_AMBIGUOUS ? "more than one" : "no",
				SHOWN(text), node_names_hint(&names, text, strlen(text), hint));
		node_names_clear(&names);
	}
	if (peers && peers->agree(peers->data, error))
		return -1;
	if (peers)
		peers->broadcast(peers->data, host, sizeof *host);
	return error->status ? -1 : 0;
}

static void *create(const struct engine_setup *s, struct error *error)
{
	const struct flow_options *options = s->options; /* NULL: the engine latency, which has none */
	struct flows *f = array_create(1, sizeof *f, error);
	uint32_t nas = NONE;
	if (!f)
		return NULL;
	f->setup = s;
	f->sums.unit = 1;
	if (s->wants & SEEN_CHANNELS) {
		f->sums.sum = array_create(s->fabric->channels, sizeof *f->sums.sum, error);
		f->sums.limit = array_create(s->fabric->channels, sizeof *f->sums.limit, error);
	}
	if (error->status || (options && (make_failures(f, error) || find_nas(s, options->storage.nas, &nas, error)))) {
		release(f);
		return NULL;
	}
	if (options && options->queue_pairs > 1 && (!s->multipath || s->multipath->setup.mode != MULTIPATH_RANDOM)) {
		error_set(error, STATUS_USAGE, "--queue-pairs requires --multipath random, and pairs with several routes");
		release(f);
		return NULL;
	}
	const struct storage_setup storage = {options ? &options->storage : NULL, nas, s->seed};
	const struct flow_setup setup = {
		.fabric = s->fabric,
		.forwarding = s->forwarding,
		.multipath = s->multipath,
		.capacity = s->capacity,
		.latency = s->latency,
		.memory = s->memory,
		.classes = options ? options->classes : (struct class_setup){CLASSES_ALIKE, 1, {1}},
		.storage = storage,
		.queue_pairs = options ? options->queue_pairs : 0,
		.failure = f->failing.failure,
		.failures = f->failing.count,
		.afterwards = f->failing.afterwards,
		.drop = s->drop,
		.link_times = s->wants & SEEN_CHANNELS,
		.alone = !options,
		.stop = s->stop,
	};
	struct flow_setup idle = setup;
	idle.alone = true;
	idle.link_times = false;
	idle.failures = 0;
	f->idle = s->wants & SEEN_IDLE ? flow_create(&idle, error) : NULL;
	f->engine = error->status ? NULL : flow_create(&setup, error);
	if (f->engine)
		return f;
	release(f);
	return NULL;
}

/* Returns the measured minimum memory: for dynamic runs, by operations that can begin at once and others; for static runs. */
static double memory(unsigned wants, double operations, double waiting)
{
	enum { BEGIN_BYTES = 250, WAIT_BYTES = 40, EXACT_BYTES = 80 };
	return wants & SEEN_TIMES   ? (operations - waiting) * BEGIN_BYTES + waiting * WAIT_BYTES
	       : wants & SEEN_EXACT ? operations * EXACT_BYTES
				    : 0;
}

/* Computes the zero-load time of each message. */
static enum run_status find_zero_load(struct flows *f, const struct run_request *run, struct observation *seen, struct error *error)
{
	const struct task_graph *g = run->graph;
	if (array_grow(&f->zero_load, &f->zero_load_room, g->operations, sizeof *f->zero_load, error))
		return RUN_FAILED;
	for (uint32_t o = 0; o < g->operations; o++) {
		if (*f->setup->stop)
			return RUN_INTERRUPTED;
		if (!flow_enters(g, run->host, o))
			continue;
		double seconds = flow_zero_load(f->engine, run->host[g->task[o]], run->host[g->receiver[o]], g->size[o]);
		if (!isnan(seconds))
			f->zero_load[seen->alones++] = seconds;
		else if (!f->setup->drop)
			return RUN_UNROUTABLE;
		else
			seen->unroutable++;
	}
	seen->zero_load = f->zero_load;
	return RUN_OK;
}

/* Begins the schedule of a queue, if the graph is that of one. Returns 0, or -1. */
static int begin_schedule(struct flows *f, const struct run_request *run, struct error *error)
{
	const struct engine_setup *s = f->setup;
	const struct flow_options *options = s->options;
	uint64_t points = s->terms->load_points;
	if (f->scheduled)
		schedule_clear(&f->schedule);
	f->scheduled = run->graph->queue;
	flow_use_schedule(f->engine, f->scheduled ? &f->schedule : NULL);
	if (!f->scheduled)
		return 0;
	const struct scheduling policy = queue_policy(&options->queue, run->number % points);
	return schedule_init(&f->schedule, &policy, run->graph->queue, s->fabric, run->host, s->ranks, PICOSECONDS, s->seed,
		run->number / points, error);
}

/* Finds when the run would end if messages shared nothing. */
static enum run_status run_idle(struct flows *f, const struct run_request *run, struct observation *seen, struct error *error)
{
	struct task_times times;
	enum run_status status = flow_run(f->idle, run->number / f->setup->terms->load_points, run->graph, run->host, &times, error);
	seen->idle = status == RUN_OK ? times.end : 0;
	return status;
}

static enum run_status make_run(void *engine, const struct run_request *run, struct observation *seen, struct error *error)
{
	struct flows *f = engine;
	unsigned wants = run->wants;
	enum run_status status = begin_schedule(f, run, error) ? RUN_FAILED : RUN_OK;
	if (status == RUN_OK && wants & SEEN_SHARES)
		status = flow_share(f->engine, run->graph, run->host, wants & SEEN_EXACT, &f->shares, error);
	if (status == RUN_OK && wants & SEEN_ALONE)
		status = find_zero_load(f, run, seen, error);
	if (status == RUN_OK && wants & SEEN_TIMES)
		status = flow_run(f->engine, run->number / f->setup->terms->load_points, run->graph, run->host, &f->times, error);
	if (status == RUN_OK && wants & SEEN_IDLE)
		status = run_idle(f, run, seen, error);
	f->times.schedule = f->scheduled ? &f->schedule : NULL;
	if (status == RUN_UNROUTABLE || status == RUN_STUCK)
		flow_bad_pair(f->engine, &seen->source, &seen->destination);
	if (status != RUN_OK)
		return status;
	seen->shares = wants & SEEN_SHARES ? &f->shares : NULL;
	seen->times = wants & SEEN_TIMES ? &f->times : NULL;
	seen->connections = seen->times ? f->times.messages + f->times.transfers : seen->shares ? f->shares.messages : seen->alones;
	seen->undelivered = seen->times ? f->times.unroutable : seen->shares ? f->shares.unroutable : seen->unroutable;
	return RUN_OK;
}

static void keep(void *engine, const struct observation *seen, bool kept)
{
	struct flows *f = engine;
	for (uint32_t c = 0; kept && f->sums.sum && seen->times && c < f->setup->fabric->channels; c++) {
		f->sums.sum[c] += (uint64_t)llround(f->times.sent[c]);
		f->sums.limit[c] += (uint64_t)llround(f->times.bottleneck[c] * PICOSECONDS);
	}
}

static struct channel_sums channels(const void *engine)
{
	return ((const struct flows *)engine)->sums;
}

static void explain(const void *engine, enum run_status status, uint32_t source, uint32_t destination, struct error *error)
{
	const struct flows *f = engine;
	const struct fabric *fabric = f->setup->fabric;
	const struct fabric_labels *labels = fabric->labels;
	if (status == RUN_ENDLESS)
		engine_explain_endless(f->setup, LONGEST_TIME, error);
	else if (status == RUN_STUCK)
		error_at(error, STATUS_FABRIC, labels->source, 0, "the message from '%s' to '%s' never gets bandwidth",
			labels->name[fabric->host_node[source]], labels->name[fabric->host_node[destination]]);
	else
		engine_explain_route(f->setup, source, destination, error);
}

static void settle(void *own, const struct engine_request *request, struct engine_terms *terms)
{
	struct flow_options *options = own;
	uint32_t pairs;
	flow_options_check(options);
	if (!options->queue_pairs && ecmp_hashes(request->routing, &pairs))
		options->queue_pairs = pairs;
	queue_options_settle(&options->queue, request->pattern, terms);
	terms->few_pairs = true;
	if (options->classes.policy != CLASSES_ALIKE && !terms->queue) {
		terms->gives &= ~(unsigned)SEEN_EXACT;
		terms->gives_not = "metric %s does not support --priority; choose makespan, fct or levels";
	}
}

static void settle_latency(void *own, const struct engine_request *request, struct engine_terms *terms)
{
	(void)own;
	(void)request;
	terms->few_pairs = true;
}

const struct engine engine_flow = {
	.name = "flow",
	.summary = "divides bandwidth fairly, statically or dynamically",
	.source = "INRFlow paper 3.1",
	.metrics = "makespan",
	.takes = TAKES_GRAPH | TAKES_QUEUE | TAKES_STORAGE | TAKES_FAILURES,
	.gives = SEEN_TIMES | SEEN_SHARES | SEEN_EXACT | SEEN_ALONE | SEEN_LINKS | SEEN_CHANNELS | SEEN_QUEUE | SEEN_IDLE,
	.options = {&flow_argp, 0, "Classes, storage and queues, with --engine flow:", 0},
	.options_size = sizeof(struct flow_options),
	.options_begin = flow_options_begin,
	.options_given = flow_options_given,
	.settle = settle,
	.memory = memory,
	.create = create,
	.free = release,
	.run = make_run,
	.keep = keep,
	.channels = channels,
	.explain = explain,
};

const struct engine engine_latency = {
	.name = "latency",
	.summary = "computes each message in an idle network",
	.source = "xSim: Jones, Engelmann 2011, section III",
	.metrics = "latency",
	.takes = TAKES_GRAPH | TAKES_STORAGE,
	.gives = SEEN_ALONE | SEEN_TIMES,
	.settle = settle_latency,
	.memory = memory,
	.create = create,
	.free = release,
	.run = make_run,
	.explain = explain,
};
