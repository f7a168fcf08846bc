/* orcs: options -> fabric -> runs -> report. */
#include "base/files.h"
#include "base/input.h"
#include "base/shown.h"
#include "base/signals.h"
#include "base/version.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "topologies/topology.h"
#include "formats/cache.h"
#include "infiniband/source_options.h"
#include "formats/route_file.h"
#include "parallel/comm.h"
#include "parallel/distribute.h"
#include "orcs/content.h"
#include "orcs/job.h"
#include "orcs/job_planes.h"
#include "orcs/lists.h"
#include "orcs/reroute.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of runs that a precision is assumed to take. */
enum { PRECISE_RUNS = 1000 };

static int save_fabric(struct job *job, struct error *error)
{
	double started = now();
	job->odd.straight = false; /* the cache records it */
	if (cache_write(job->cache.file, job->fabric, job->forwarding, job->attributes, &job->odd, error) ||
		output_commit(&job->cache, error))
		return -1;
	if (job->options.verbose)
		fprintf(stderr, "wrote %s in %.2f s\n", SHOWN(job->options.save), now() - started);
	if (job->options.only_save && !job->options.quiet)
		dot_report_write(&job->odd, stderr, "orcs", job->fabric->labels->source, !job->options.ignore_speeds);
	return 0;
}

/* Records all files that are read. */
static int name_inputs(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	if (fabric_source_open(&job->options.fabric, &job->files, error))
		return -1;
	size_t fabric = job->files.count;
	job->fabric_files = o->fabric.form == FORM_SPECIFICATION ? 0 : fabric;
	if ((o->routes && files_read(&job->files, o->routes, error)) || (o->terms.file && files_read(&job->files, o->terms.file, error)) ||
		placement_files(o->subset, o->mapping, &job->files, error))
		return -1;
	struct pattern_request sent = o->pattern;
	if (o->terms.open)
		sent.spec = o->terms.sent;
	int failed = pattern_files(&sent, options_use(o), &job->files, error);
	job->named = job->files.count > fabric;
	return failed;
}

/* Returns whether the engine needs the name of the topology, an attribute of the graph. */
static bool wants_topology(const struct job *job)
{
	bool channels = false;
	for (int m = 0; m < job->metric_count; m++)
		channels |= (job->metrics[m].metric->gathers & METRIC_CHANNELS) != 0;
	return job->options.terms.topology || (job->options.terms.channels_topology && channels);
}

/* Reports the fabric on standard error. */
static void tell_fabric(const struct job *job, double seconds)
{
	const struct fabric *f = job->fabric;
	fprintf(stderr, "read %s in %.2f s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels", SHOWN(f->labels->source),
		seconds, f->hosts, f->nodes - f->hosts, f->channels);
	if (job->forwarding)
		fprintf(stderr, ", %" PRIu32 " forwarding tables%s", job->forwarding->columns,
			job->forwarding->function ? ", computed routing" : "");
	putc('\n', stderr);
}

/* Routes the fabric by --routing, and discards its own routes. */
static int route_anew(struct job *job, unsigned wants, struct error *error)
{
	const struct options *o = &job->options;
	struct rerouted rerouted;
	struct rerouting rerouting = {
		.engine = o->routing,
		.seed = o->seed,
		.all = wants & DOT_ALTERNATIVES,
		.lanes = o->terms.lanes,
		.few_pairs = o->terms.few_pairs,
		.written = o->save || job_wants_graph(job),
		.files = &job->files,
	};
	if (reroute(&rerouting, job->fabric, &job->attributes, &rerouted, &job->odd, error))
		return -1;
	if (*rerouted.warning && !o->quiet)
		fprintf(stderr, "orcs: note: %s\n", SHOWN(rerouted.warning));
	job->forwarding = rerouted.forwarding;
	job->routes = rerouted.routes;
	job->lanes = rerouted.lanes;
	job->demand = rerouted.demand;
	return 0;
}

/* Reads the fabric, writes its cache, and chooses the hosts; in process 0 only. */
static int load(struct job *job, struct error *error)
{
	struct options *o = &job->options;
	bool keep = o->save || job_wants_graph(job) || wants_topology(job);
	unsigned wants = DOT_TABLES | (keep ? DOT_KEEP : 0) | (o->terms.lanes ? DOT_KEEP_LANES : 0) | (o->drop ? DOT_ALLOW_NO_LINK : 0) |
			 (o->multipath > MULTIPATH_FIRST ? DOT_ALTERNATIVES : 0) | (o->terms.places ? DOT_KEEP_PLACES : 0);
	double started = now();
	if (o->checkpoint && source_is_standard(&o->fabric) && input_rewind_standard(error)) /* its bytes are compared */
		return -1;
	if (!job->plane && !name_inputs(job, error) && o->save && !files_write(&job->files, &job->cache, o->save, error) &&
		!cache_replaceable(o->save))
		error_at(error, STATUS_USAGE, o->save, 0, "the file exists and is not a cache; --save-fabric does not overwrite it");
	unsigned first = o->routing ? (wants & ~(DOT_TABLES | DOT_ALTERNATIVES)) | DOT_KEEP : wants;
	if (error->status || fabric_source_load(&o->fabric, first, &job->files, o->quiet ? NULL : stderr, &job->fabric, &job->forwarding,
				     &job->attributes, &job->odd, error))
		return -1;
	if (o->verbose)
		tell_fabric(job, now() - started);
	started = now();
	const char *topology = job->attributes ? attributes_of_graph(job->attributes, "topology") : NULL;
	if (topology && topology_files(topology, &job->files, error))
		return -1;
	if (!o->only_save && job_find_planes(job, error))
		return -1;
	if (job->parts)
		return 0;
	if (o->routing && route_anew(job, wants, error))
		return -1;
	if (o->routing && o->verbose)
		fprintf(stderr, "routed with %s in %.2f s\n", SHOWN(o->routing), now() - started);
	if (o->routes && route_file_read(o->routes, job->fabric, &job->routes, error))
		return -1;
	if (o->save && save_fabric(job, error))
		return -1;
	return o->only_save ? 0 : placement_init(&job->placement, job->fabric, o->subset, o->mapping, job->ranks, o->seed, error);
}

/* Records everything that must not change between campaign and resumption, and checks that the checkpoint can be written; in process 0,
 * before the runs. */
static void open_checkpoint(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	struct marks *marks = &job->checkpoint.marks;
	struct output output;
	uint64_t content;
	if (!job->checkpoint.path || marks_add(marks, "orcs", ORCS_VERSION, error) || options_mark(o, marks, error) ||
		marks_add_inputs(marks, &job->files, job->fabric_files, error) ||
		content_of(&o->fabric, job->fabric, job->forwarding, job->attributes, &content, error) ||
		marks_add_number(marks, "the fabric", content, error) || checkpoint_check(&job->checkpoint, error))
		return;
	files_write(&job->files, &output, job->checkpoint.path, error);
	output_discard(&output);
}

/* Reports the speed of the runs, and the time for checkpoints. */
static void tell_runs(const struct job *job, double seconds, double used)
{
	const struct checkpoint *c = &job->checkpoint;
	uint64_t connections = job->outcome.connections - c->connections;
	if (c->resume)
		fprintf(stderr, "resumed from %s after %" PRIu64 " runs\n", c->resume, c->runs);
	fprintf(stderr, "%" PRIu64 " runs, %" PRIu64 " connections in %.2f s (%.3f s of user time): %.1f ns each\n",
		job->outcome.runs - c->runs, connections, seconds, used, connections ? 1e9 * seconds / (double)connections : 0);
	if (c->path)
		fprintf(stderr, "wrote %" PRIu64 " checkpoints to %s in %.2f s\n", c->written, c->path, c->spent);
}

/* Reads the fabric in process 0, and all that is known before. Collective. Returns 0, or -1. */
static int prepare(struct job *job, struct error *error)
{
	job->metric_count = metrics_parse(job->options.metrics, job->metrics, error);
	if (job->metric_count < 0)
		job->metric_count = 0;
	else if (!job_make_workload(job, error) && !comm_rank(job->comm))
		load(job, error);
	return comm_agree(job->comm, error);
}

/* Makes the runs and opens the outputs, those of a part excepted. Collective. Returns 0, or -1. */
static int make_runs(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	struct campaign_setup *setup = &job->setup;
	if (distribute(job->comm, &job->fabric, &job->forwarding, &job->placement, error) ||
		distribute_routes(job->comm, &job->routes, error) || job_share_demand(job, error) || job_make_multipath(job, error) ||
		job_set_up(job, error))
		return -1;
	*setup = (struct campaign_setup){
		.work = &job->runs,
		.placement = &job->placement,
		.metrics = job->metrics,
		.metric_count = job->metric_count,
		.seed = o->seed,
		.runs = o->runs * o->terms.load_points,
		.precision = o->terms.open ? 0 : o->precision, /* each run of an open loop has its own */
		.notes = job->notes,
		.levels = o->verbose > 1 ? stderr : NULL,
		.progress = !o->quiet,
		.comm = job->comm,
	};
	job->report = (struct report){.options = o, .setup = setup, .outcome = &job->outcome, .attributes = job->attributes};
	job->report.ranks = o->rank_table ? &job->rank_table : NULL;
	if (o->control && job_make_control(job, error))
		return -1;
	setup->control = o->control ? &job->control : NULL;
	job->runs.setup.weights = o->control ? job->control.routes : NULL;
	job->checkpoint.path = o->checkpoint;
	job->checkpoint.resume = o->resume;
	job->checkpoint.seconds = o->checkpoint_seconds;
	setup->checkpoint = o->checkpoint ? &job->checkpoint : NULL;
	setup->ranks = o->rank_table ? &job->rank_table : NULL;
	if (!comm_rank(job->comm) && !report_make(&job->report, error) && !job_check_thresholds(&job->report, error) && !job->plane) {
		job_open_outputs(job, error);
		open_checkpoint(job, error);
	}
	report_clear(&job->report);
	if (comm_agree(job->comm, error))
		return -1;
	uint64_t runs = o->precision > 0 && o->runs > PRECISE_RUNS ? PRECISE_RUNS : o->runs;
	if (!job->multipath && runs_of_pairs(&job->runs) &&
		shared_route_cache_make(&job->table, job->comm, job->fabric, job->forwarding, runs * pattern_pairs(job->pattern, o->level),
			o->route_memory, o->verbose ? stderr : NULL, error))
		return -1;
	job->runs.setup.route_cache = job->table.used ? &job->table.route_cache : NULL;
	double started = now(), before = user_time();
	catch_signals(true); /* a second signal ends the program at once */
	if (campaign_run(setup, &job->outcome, error)) {
		dot_report_hint(&job->odd, error);
		return -1;
	}
	uint64_t used = (uint64_t)((user_time() - before) * 1e6);
	comm_sum(job->comm, &used, 1);
	if (job->verbose)
		tell_runs(job, now() - started, (double)used * 1e-6);
	if (o->engine->describe)
		o->engine->describe(job->runs.state, now() - started, (double)used * 1e-6);
	return job_find_loads(job, &job->report.loads, error);
}

/* Sets the streams for notes: process 0 alone writes more than errors. */
static void speak(struct job *job)
{
	bool first = !comm_rank(job->comm);
	peers_init(&job->peers, job->comm);
	job->log = stderr;
	job->notes = first && !job->options.quiet ? stderr : NULL;
	job->verbose = first && job->options.verbose ? stderr : NULL;
	job->terminal = first && terminal_read(STDOUT_FILENO) ? stdout : NULL;
}

static void run_parts(struct job *job, struct error *error)
{
	if (!comm_rank(job->comm))
		files_write(&job->files, &job->output, job->options.output, error);
	if (comm_agree(job->comm, error))
		return;
	for (uint32_t i = 0; i < job->parts; i++) {
		struct job *part = &job->part[i];
		speak(part);
		if (part->verbose)
			fprintf(part->verbose, "plane %" PRIu32 ":\n", part->plane);
		if (prepare(part, error) || make_runs(part, error)) {
			job_name_plane(part, error);
			return;
		}
	}
	if (!comm_rank(job->comm))
		job_write_planes(job, error);
	comm_agree(job->comm, error);
}

static void run_job(struct job *job, struct error *error)
{
	if (prepare(job, error) || job->options.only_save || job_make_parts(job, error))
		return;
	if (job->parts) {
		run_parts(job, error);
		return;
	}
	if (make_runs(job, error))
		return;
	if (!comm_rank(job->comm))
		job_write_results(job, &job->report, error);
	report_clear(&job->report);
	comm_agree(job->comm, error);
}

/* Frees what a job has for itself. */
static void clear_one(struct job *job)
{
	outcome_clear(&job->outcome);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->plot);
	output_discard(&job->cache);
	output_discard(&job->timeline);
	output_discard(&job->flows);
	output_discard(&job->counters);
	output_discard(&job->rank_file);
	output_discard(&job->queue_file);
	for (int m = 0; m < METRICS_MAX; m++) {
		output_discard(&job->graph[m]);
		metric_clear(&job->metrics[m]);
	}
	pattern_free(job->pattern);
	runs_clear(&job->runs);
	peers_clear(&job->peers);
	virtual_lanes_free(job->lanes);
	lane_arbitrations_free(job->arbitrations);
	free(job->topology);
	free(job->capacity);
	free(job->latency);
	marks_clear(&job->checkpoint.marks);
	rank_table_clear(&job->rank_table);
	report_clear(&job->report);
	placement_clear(&job->placement);
	shared_route_cache_clear(&job->table);
	route_choice_free(job->multipath);
	source_routes_free(job->routes);
	control_clear(&job->control);
	pair_loads_clear(&job->loads);
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
	attributes_free(job->attributes);
}

static void clear(struct job *job)
{
	for (uint32_t i = 0; i < job->parts && job->part; i++)
		clear_one(&job->part[i]);
	job_clear_parts(job);
	clear_one(job);
	options_clear(&job->options);
	fabric_source_clear(&job->options.fabric);
}

int main(int argc, char **argv)
{
	static struct job job;
	struct error error = {0};
	options_parse(&job.options, argc, argv);
	if (job.options.list >= 0) {
		list_write(job.options.list, stdout);
		return usage_end("orcs");
	}
	job.comm = comm_create(&error);
	if (job.comm) {
		speak(&job);
		run_job(&job, &error);
	}
	bool piped = stop_signal == SIGPIPE && error.status; /* the reader of the output has closed it */
	if (error.status && error.status != STATUS_THRESHOLD && !piped && (!job.comm || !comm_rank(job.comm)))
		fprintf(stderr, "orcs: %s\n", error.text);
	int status = piped ? 128 + SIGPIPE : error.status ? (int)error.status : job.outcome.stopped ? 128 + job.outcome.stopped : STATUS_OK;
	clear(&job);
	comm_free(job.comm);
	return status;
}
