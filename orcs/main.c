/* orcs: options -> fabric -> runs -> report. */
#include "base/files.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/signals.h"
#include "base/version.h"
#include "cli/gnuplot.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "topologies/topology.h"
#include "formats/cache.h"
#include "infiniband/source_options.h"
#include "formats/route_file.h"
#include "parallel/comm.h"
#include "parallel/distribute.h"
#include "parallel/route_table.h"
#include "orcs/campaign.h"
#include "orcs/content.h"
#include "orcs/failing.h"
#include "orcs/lists.h"
#include "orcs/options.h"
#include "orcs/packet_job.h"
#include "orcs/report.h"
#include "orcs/reroute.h"
#include "orcs/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many runs a precision is guessed to take. */
enum { PRECISE_RUNS = 1000 };

/* All that a call of orcs works on. */
struct job {
	struct options options;
	uint32_t ranks; /* 0: all hosts */
	struct comm *comm;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct placement placement;
	struct route_table table;
	struct route_set *routes; /* NULL: none but those of the tables */
	struct multipath *multipath;
	struct control control;
	struct pattern_call *pattern; /* NULL with the flow engine */
	struct flow_job flow;         /* workload NULL without it */
	double *capacity, *latency;   /* [channels] for it */
	struct packet_job packets;    /* of the packet engine */
	struct lanes *lanes;
	char *topology; /* the attribute of the graph; NULL: none */
	bool together;  /* the processes share each run */
	struct flow_failure *failure;
	struct forwarding **afterwards; /* [failures] */
	struct metric_call metrics[METRICS_MAX];
	int metric_count;
	struct dot_report odd;
	struct files files;
	size_t fabric_files;                                                    /* the first of them, the bytes of which are the fabric */
	struct output output, plot, cache, timeline, flows, graph[METRICS_MAX]; /* graph: of get_cable_cong:FILE */
	struct outcome outcome;
	struct checkpoint checkpoint;
};

/* Whether a graph will be written, so that the input is to be kept. */
static bool wants_graph(const struct job *job)
{
	for (int m = 0; m < job->metric_count; m++)
		if (job->metrics[m].metric->gathers & METRIC_CHANNELS)
			if (metric_file(&job->metrics[m]) ||
				(job->options.format == FORMAT_TEXT && metric_is_graph(job->metrics[m].metric)))
				return true;
	return false;
}

static int save_fabric(struct job *job, struct error *error)
{
	double started = now();
	job->odd.straight = false; /* the cache tells of it */
	if (cache_write(job->cache.file, job->fabric, job->forwarding, job->attributes, &job->odd, error) ||
		output_commit(&job->cache, error))
		return -1;
	if (job->options.verbose)
		fprintf(stderr, "wrote %s in %.2f s\n", SHOWN(job->options.save), now() - started);
	if (job->options.only_save && !job->options.quiet)
		dot_report_write(&job->odd, stderr, "orcs", job->fabric->labels->source, job->options.speed_aware);
	return 0;
}

/* Takes note of all files that are read. */
static int name_inputs(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	if (fabric_source_open(&job->options.fabric, &job->files, error))
		return -1;
	job->fabric_files = o->fabric.form == FORM_SPECIFICATION ? 0 : job->files.count;
	if ((o->routes && files_read(&job->files, o->routes, error)) || placement_files(o->subset, o->mapping, &job->files, error))
		return -1;
	struct pattern_request sent = o->pattern;
	if (options_use(o) == PATTERN_LOAD)
		sent.spec = o->packet.traffic;
	return pattern_files(&sent, options_use(o), &job->files, error);
}

/* Whether the packet engine may need the name of the topology, which the graph has: for its routing, for traffic, for tiers of cables. */
static bool wants_topology(const struct job *job)
{
	const struct packet_options *p = &job->options.packet;
	bool tiers = false;
	for (int m = 0; m < job->metric_count; m++)
		tiers |= (job->metrics[m].metric->gathers & METRIC_CHANNELS) != 0;
	bool named = p->routing && strncmp(p->routing, "tables", 6);
	return job->options.engine == PACKET && (job->options.routing || named || p->loads || p->saturation || tiers);
}

/* What was read, on standard error. */
static void tell_fabric(const struct job *job, double seconds)
{
	const struct fabric *f = job->fabric;
	fprintf(stderr, "read %s in %.2f s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels", SHOWN(f->labels->source),
		seconds, f->hosts, f->nodes - f->hosts, f->channels);
	if (job->forwarding)
		fprintf(stderr, ", %" PRIu32 " forwarding tables%s", job->forwarding->columns,
			job->forwarding->computed ? ", computed routing" : "");
	putc('\n', stderr);
}

/* Routes the fabric by --routing, whatever routes it has. */
static int route_anew(struct job *job, unsigned wants, struct error *error)
{
	const struct options *o = &job->options;
	struct rerouted rerouted;
	struct rerouting rerouting = {
		.engine = o->routing,
		.seed = o->seed,
		.all = wants & DOT_ALTERNATIVES,
		.lanes = o->engine == PACKET,
		.written = o->save || wants_graph(job),
	};
	if (reroute(&rerouting, job->fabric, &job->attributes, &rerouted, &job->odd, error))
		return -1;
	job->forwarding = rerouted.forwarding;
	job->routes = rerouted.routes;
	job->lanes = rerouted.lanes;
	return 0;
}

/* What only the first process does: read the fabric, write its cache, and choose the hosts. */
static int load(struct job *job, struct error *error)
{
	struct options *o = &job->options;
	bool keep = o->save || wants_graph(job) || o->reroute || wants_topology(job);
	unsigned wants = DOT_TABLES | (keep ? DOT_KEEP : 0) | (o->engine == PACKET ? DOT_KEEP_LANES : 0) |
			 (o->drop ? DOT_ALLOW_NO_LINK : 0) | (o->multipath > MULTIPATH_FIRST ? DOT_ALTERNATIVES : 0) |
			 (o->failures ? DOT_KEEP_PLACES : 0);
	double started = now();
	if (o->checkpoint && source_is_standard(&o->fabric) && input_rewind_standard(error)) /* its bytes are compared */
		return -1;
	if (!name_inputs(job, error) && o->save)
		files_write(&job->files, &job->cache, o->save, error);
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
	if (o->routing && route_anew(job, wants, error))
		return -1;
	if (o->routing && o->verbose)
		fprintf(stderr, "routed it by %s in %.2f s\n", SHOWN(o->routing), now() - started);
	if (o->routes && route_file_read(o->routes, job->fabric, &job->routes, error))
		return -1;
	if (o->save && save_fabric(job, error))
		return -1;
	return o->only_save ? 0 : placement_init(&job->placement, job->fabric, o->subset, o->mapping, job->ranks, o->seed, error);
}

/* The first process sees that the output can be written before any work is done for it. */
static void open_outputs(struct job *job, struct error *error)
{
	files_write(&job->files, &job->output, job->options.output, error);
	for (int m = 0; m < job->metric_count && !error->status; m++)
		if (metric_file(&job->metrics[m]))
			files_write(&job->files, &job->graph[m], metric_file(&job->metrics[m]), error);
	if (job->options.timeline && !error->status)
		files_write(&job->files, &job->timeline, job->options.timeline, error);
	if (job->options.flows && !error->status)
		files_write(&job->files, &job->flows, job->options.flows, error);
	if (job->options.plot && !error->status && !gnuplot_check(error))
		files_write(&job->files, &job->plot, job->options.plot, error);
}

/* What must be the same for the campaign to go on, and that it can be kept; in the first process, before any work is done for it. */
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

/* The workload, which may know how many tasks it has; in every process. */
static int make_workload(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	uint32_t tasks = 0;
	job->ranks = o->ranks;
	if (o->engine == CONGESTION || o->packet.loads || o->packet.saturation)
		return 0;
	size_t length = strlen(o->pattern.spec);
	if (comm_size(job->comm) > 1 && length > 1 && !strcmp(o->pattern.spec + length - 2, ":-"))
		return error_set(error, STATUS_USAGE, "'%s': only one process has standard input: name a file", o->pattern.spec);
	job->flow.workload = workload_create(&o->pattern, error);
	if (job->flow.workload && !workload_count(job->flow.workload, &tasks, error) && tasks) {
		if (o->ranks && o->ranks != tasks)
			return error_set(error, STATUS_USAGE, "'%s' has %" PRIu32 " tasks, not the %" PRIu32 " of --commsize",
				o->pattern.spec, tasks, o->ranks);
		job->ranks = tasks;
	}
	return error->status ? -1 : 0;
}

/* Capacities and latencies of the channels, in every process. */
static int make_channels(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	const struct fabric *f = job->fabric;
	const double usual = 10e9;
	double slowest = o->capacity > 0 ? o->capacity : f->slowest > 0 ? f->slowest * 1e9 : usual;
	job->capacity = array_create(f->channels, sizeof *job->capacity, error);
	const double short_cable = 10e-9;
	double everywhere = o->latency >= 0 ? o->latency : o->engine == PACKET && !f->latency ? short_cable : -1;
	if (o->packet.cycles)
		slowest = CYCLE_RATE;
	if (everywhere > 0 || (everywhere < 0 && f->latency))
		job->latency = array_create(f->channels, sizeof *job->latency, error);
	for (uint32_t c = 0; !error->status && c < f->channels; c++) {
		job->capacity[c] = slowest * (o->packet.cycles ? 1 : f->speed[c]);
		if (job->latency)
			job->latency[c] = everywhere > 0 ? everywhere : f->latency[c];
	}
	return error->status ? -1 : 0;
}

/* What the graph says of lanes, and of the topology, in all processes. */
static int share_names(struct job *job, struct error *error)
{
	const char *spec = job->forwarding->computed ? job->forwarding->computed->spec
			   : job->attributes         ? attributes_of_graph(job->attributes, "topology")
						     : NULL;
	uint64_t length = spec ? strlen(spec) + 1 : 0;
	comm_broadcast(job->comm, &length, sizeof length);
	job->topology = length ? array_create(length, 1, error) : NULL;
	if (spec && job->topology)
		memcpy(job->topology, spec, length);
	if (!comm_rank(job->comm) && !job->options.routing)
		lanes_load(&job->lanes, job->attributes, job->fabric, true, error);
	if (comm_agree(job->comm, error))
		return -1;
	comm_broadcast(job->comm, job->topology, length);
	return distribute_lanes(job->comm, job->fabric, &job->lanes, error);
}

/* Bytes of a lane's buffer, where the user gives none: some packets, and as many as are on their way while credits come back. */
static uint32_t usual_buffer(const struct job *job)
{
	const struct packet_options *p = &job->options.packet;
	const double few = 8, most = UINT32_MAX / 2;
	double packets = few;
	for (uint32_t c = 0; c < job->fabric->channels; c++) {
		double way = 2 * (job->latency ? job->latency[c] : 0) + p->routing_delay + p->arbitration_delay + p->credit_delay;
		packets = fmax(packets, ceil(way * job->capacity[c] / 8 / p->mtu - 1e-9) + 2);
	}
	return (uint32_t)fmin(packets * p->mtu, most);
}

/* The packet engine, in every process. */
static int set_up_packets(struct job *job, bool link_times, struct error *error)
{
	const struct options *o = &job->options;
	const struct packet_options *p = &o->packet;
	bool open = p->loads || p->saturation;
	job->together = open && comm_size(job->comm) > 1 && o->runs * packet_job_points(p) < (uint64_t)comm_size(job->comm);
	uint32_t buffer = p->buffer ? p->buffer : usual_buffer(job);
	if (share_names(job, error))
		return -1;
	job->packets = (struct packet_job){
		.options = p,
		.pattern = &o->pattern,
		.routing =
			{
				.fabric = job->fabric,
				.forwarding = job->forwarding,
				.multipath = job->multipath,
				.service = job->lanes,
				.topology = job->topology,
				.lanes = p->lanes,
				.buffer = buffer,
				.packet = p->mtu,
				.seed = o->seed,
			},
		.setup =
			{
				.fabric = job->fabric,
				.capacity = job->capacity,
				.latency = job->latency,
				.buffer = buffer,
				.mtu = p->mtu,
				.eager = p->eager,
				.control = p->control,
				.routing_delay = p->routing_delay,
				.arbitration_delay = p->arbitration_delay,
				.credit_delay = p->credit_delay,
				.speedup = p->speedup,
				.voq = p->voq,
				.store_forward = p->store_forward,
				.arbiter = p->arbiter,
				.allocator = p->allocator,
				.inject_rate = p->inject_rate,
				.deliver_rate = p->deliver_rate,
				.inject_latency = p->inject_latency,
				.deliver_latency = p->deliver_latency,
				.memory = o->memory,
				.drop = o->drop,
				.link_times = link_times,
				.seed = o->seed,
				.stop = &stop_signal,
			},
		.comm = job->comm,
		.bytes = (uint32_t)o->bytes,
		.ranks = job->placement.ranks,
		.crowded = job->placement.crowded,
	};
	job->flow.packets = &job->packets;
	return packet_job_init(&job->packets, job->together, o->quiet ? NULL : stderr, error);
}

/* What the flow engine runs; of the first run, how many levels it has. */
static int set_up_flow(struct job *job, uint32_t *levels, struct error *error)
{
	const struct options *o = &job->options;
	struct flow_job *flow = &job->flow;
	uint32_t *host = array_create(job->placement.ranks, sizeof *host, error);
	if (!error->status && !make_channels(job, error) &&
		!failing_make(&job->failure, &job->afterwards, job->comm, job->fabric, job->forwarding, job->attributes, o, error)) {
		if (o->verbose && !comm_rank(job->comm))
			failing_tell(job->failure, (size_t)o->failures, job->fabric, stderr);
		flow->setup = (struct flow_setup){
			.fabric = job->fabric,
			.forwarding = job->forwarding,
			.multipath = job->multipath,
			.capacity = job->capacity,
			.latency = job->latency,
			.memory = o->memory,
			.classes = o->classes,
			.failure = job->failure,
			.failures = (size_t)o->failures,
			.afterwards = job->afterwards,
			.drop = o->drop,
			.stop = &stop_signal,
		};
		flow->name = o->pattern.spec;
		unsigned processes = (unsigned)comm_neighbours(job->comm);
		flow->task = (struct workload_task){
			.tasks = job->placement.ranks, .bytes = o->bytes, .sync = o->sync, .seed = o->seed, .processes = processes};
		flow->processes = o->runs < processes && o->precision <= 0 ? (unsigned)o->runs : processes;
		for (int m = 0; m < job->metric_count; m++) {
			const struct metric_call *call = &job->metrics[m];
			flow->wants |= call->metric->wants;
			flow->setup.link_times |= (call->metric->gathers & METRIC_CHANNELS) != 0;
			if (call->metric->args && call->metric->args[0].type == ARG_FLAG && !call->args.value[0].integer)
				flow->wants |= FLOW_EXACT;
		}
		placement_run(&job->placement, o->seed, 0, host);
		const struct task_graph *graph =
			flow_job_init(flow, error) || !flow->workload ? NULL : flow_job_graph(flow, 0, host, error);
		if (!comm_agree(job->comm, error) && o->engine == PACKET)
			set_up_packets(job, flow->setup.link_times, error);
		*levels = graph ? graph->levels : 0;
	}
	free(host);
	return error->status ? -1 : 0;
}

/* The first run message by message; in the first process. */
static int write_first_run(struct job *job, struct error *error)
{
	struct observation seen;
	uint32_t *host = array_create(job->placement.ranks, sizeof *host, error);
	if (!host)
		return -1;
	job->flow.wants = FLOW_TIMES;
	placement_run(&job->placement, job->options.seed, 0, host);
	enum run_status ending = flow_job_run(&job->flow, 0, host, &seen, error);
	if (ending == RUN_INTERRUPTED) /* without these files the command has not done all that it was asked for */
		job->outcome.stopped = (int)stop_signal;
	if (ending == RUN_FINE) {
		if (job->timeline.file) {
			timeline_write(seen.times, job->fabric, job->timeline.file);
			output_commit(&job->timeline, error);
		}
		if (job->flows.file && !error->status) {
			timeline_flows(seen.times, job->fabric, job->flows.file);
			output_commit(&job->flows, error);
		}
	}
	free(host);
	return error->status ? -1 : 0;
}

/* The pattern and the metrics, in every process. */
static int set_up(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	uint32_t levels = 0;
	if (o->engine == CONGESTION)
		job->pattern = pattern_create(&o->pattern, job->placement.ranks, error);
	else
		set_up_flow(job, &levels, error);
	if (job->pattern && o->level >= 0 && (uint64_t)o->level >= pattern_levels(job->pattern))
		error_set(error, STATUS_USAGE, "--ptrn_level is %" PRId64 ": the pattern has %" PRIu64 " levels, counted from 0", o->level,
			pattern_levels(job->pattern));
	for (int m = 0; m < job->metric_count && !error->status; m++)
		metric_setup(&job->metrics[m], job->placement.ranks, levels, o->serialise_sends, error);
	return comm_agree(job->comm, error);
}

/* All thresholds must speak of values that the metrics yield; seen before the runs. */
static int check_thresholds(const struct report *report, struct error *error)
{
	double value;
	for (int t = 0; t < report->options->thresholds; t++)
		if (report_value(report, &report->options->threshold[t], &value))
			return error_set(error, STATUS_USAGE, "--fail-if '%s': the metrics asked for yield no value '%s'",
				report->options->threshold[t].text, report->options->threshold[t].key);
	return 0;
}

static bool holds(double value, const char *comparison, double limit)
{
	if (comparison[1])
		return comparison[0] == '<' ? value <= limit : value >= limit;
	return comparison[0] == '<' ? value < limit : value > limit;
}

/* Whether any threshold is met, or cannot be told, which must not pass for good; says which. */
static bool threshold_met(const struct report *report)
{
	bool met = false;
	for (int t = 0; t < report->options->thresholds; t++) {
		const struct threshold *threshold = &report->options->threshold[t];
		double value;
		if (report_value(report, threshold, &value) || (!isnan(value) && !holds(value, threshold->comparison, threshold->limit)))
			continue;
		if (isnan(value))
			fprintf(stderr, "orcs: --fail-if '%s' cannot be told: nothing was sent\n", SHOWN(threshold->text));
		else
			fprintf(stderr, "orcs: --fail-if '%s' holds: %s is %.6g\n", SHOWN(threshold->text), threshold->key, value);
		met = true;
	}
	return met;
}

/* What the numbers of the text are, and what they are a share of: beside the text, which is the paper's. */
static void tell_units(const struct job *job)
{
	const struct options *o = &job->options;
	for (int m = 0; o->format == FORMAT_TEXT && !o->quiet && m < job->metric_count; m++)
		if (job->metrics[m].metric->unit)
			fprintf(stderr, "orcs: %s: %s\n", job->metrics[m].metric->name, job->metrics[m].metric->unit);
}

/* The first process writes everything, the result first: what fails leaves nothing half-written, and nothing follows it. */
static void write_results(struct job *job, struct report *report, struct error *error)
{
	const struct options *o = &job->options;
	if (report_make(report, error) || report_write(report, job->output.file, error) || output_commit(&job->output, error))
		return;
	for (int m = 0; m < job->metric_count; m++)
		if (job->graph[m].file) {
			report_graph(report, job->graph[m].file);
			if (output_commit(&job->graph[m], error))
				return;
		}
	if (o->plot && (job->outcome.runs || !job->outcome.partial) && report_plot(report, &job->plot, error))
		return;
	if ((o->timeline || o->flows) && !job->outcome.partial && write_first_run(job, error))
		return;
	tell_units(job);
	if (!o->quiet)
		dot_report_write(&job->odd, stderr, "orcs", job->fabric->labels->source, o->speed_aware || o->engine != CONGESTION);
	if (o->precision > 0 && !job->outcome.precise && !job->outcome.partial && !o->quiet)
		fprintf(stderr, "orcs: warning: the precision was not reached in %" PRIu64 " runs\n", job->outcome.runs);
	if (o->control && !o->quiet)
		for (int m = 0; m < job->metric_count; m++)
			if (job->metrics[m].metric->gathers & METRIC_VALUES && job->outcome.value_count[m] < job->outcome.runs)
				fprintf(stderr,
					"orcs: warning: no control variates for %s: runs in which nothing was sent have no bandwidth\n",
					job->metrics[m].metric->name);
	if (threshold_met(report) && !job->outcome.partial)
		error_set(error, STATUS_THRESHOLD, " ");
}

/* What follows several routes of a pair, where there are any. In every process. */
static int make_multipath(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	bool random = job->routes || job->forwarding->via;
	bool chooses = o->packet.routing && packet_routing_chooses(o->packet.routing);
	struct multipath_setup setup = {
		.mode = o->multipath >= 0 ? (enum multipath_mode)o->multipath
			: random          ? MULTIPATH_RANDOM
					  : MULTIPATH_FIRST,
		.fabric = job->fabric,
		.forwarding = job->forwarding,
		.routes = job->routes,
		.seed = o->seed,
	};
	job->odd.straight = false; /* or it was asked for */
	if (multipath_any(&setup))
		job->multipath = multipath_create(&setup, error);
	else if (o->multipath > MULTIPATH_FIRST && !o->quiet && !comm_rank(job->comm))
		fprintf(stderr, "orcs: %s: note: every pair has one route, --%s changes nothing\n", SHOWN(job->fabric->labels->source),
			chooses ? "packet-routing" : "multipath");
	if (job->multipath && chooses && o->verbose && !comm_rank(job->comm))
		fprintf(stderr, "each packet chooses among the routes of its pair (--multipath %s)\n", multipath_modes[setup.mode]);
	return comm_agree(job->comm, error);
}

/* Counts the routes that control variates need. Collective. */
static int make_control(struct job *job, struct error *error)
{
	const char *unknown = job->multipath ? "pairs have several routes" : control_unknown(job->fabric, &job->placement, job->pattern);
	double started = now();
	if (unknown)
		return error_set(error, STATUS_USAGE, "--control-variates: %s", unknown);
	int failed = control_make(&job->control, job->comm, job->fabric, job->forwarding, job->pattern, error);
	if (job->options.verbose && !failed && !comm_rank(job->comm))
		fprintf(stderr, "counted the routes over each channel in %.2f s\n", now() - started);
	return failed;
}

/* How fast packets went through the network. Collective. */
static void tell_passes(struct job *job, double started, double used)
{
	uint64_t passes = job->packets.passes;
	if (!job->together) /* else each process knows the sum */
		comm_sum(job->comm, &passes, 1);
	if (job->options.verbose && !comm_rank(job->comm))
		fprintf(stderr, "packets passed %" PRIu64 " channels: %.3f million a second, %.3f a second of user time\n", passes,
			(double)passes / (now() - started) * 1e-6, used > 0 ? (double)passes / used * 1e-6 : 0);
}

/* How fast runs were made here, and what checkpoints took. */
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

static void run_job(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	job->metric_count = metrics_parse(o->metrics, job->metrics, error);
	if (job->metric_count < 0)
		job->metric_count = 0;
	else if (!make_workload(job, error) && !comm_rank(job->comm))
		load(job, error);
	if (comm_agree(job->comm, error) || o->only_save || distribute(job->comm, &job->fabric, &job->forwarding, &job->placement, error) ||
		distribute_routes(job->comm, &job->routes, error) || make_multipath(job, error) || set_up(job, error))
		return;
	struct campaign_setup setup = {
		.fabric = job->fabric,
		.forwarding = job->forwarding,
		.multipath = job->multipath,
		.placement = &job->placement,
		.pattern = job->pattern,
		.flow = o->engine == CONGESTION ? NULL : &job->flow,
		.metrics = job->metrics,
		.metric_count = job->metric_count,
		.points = packet_job_points(&o->packet),
		.together = job->together,
		.seed = o->seed,
		.runs = o->runs * packet_job_points(&o->packet),
		.precision = o->precision,
		.only_level = o->level,
		.speed_aware = o->speed_aware,
		.drop = o->drop,
		.notes = o->quiet ? NULL : stderr,
		.levels = o->verbose > 1 ? stderr : NULL,
		.progress = !o->quiet,
		.comm = job->comm,
		.stop = &stop_signal,
	};
	struct report report = {.options = o, .setup = &setup, .outcome = &job->outcome, .attributes = job->attributes};
	if (o->control && make_control(job, error))
		return;
	setup.control = o->control ? &job->control : NULL;
	job->checkpoint.path = o->checkpoint;
	job->checkpoint.resume = o->resume;
	job->checkpoint.seconds = o->checkpoint_seconds;
	setup.checkpoint = o->checkpoint ? &job->checkpoint : NULL;
	if (!comm_rank(job->comm) && !report_make(&report, error) && !check_thresholds(&report, error)) {
		open_outputs(job, error);
		open_checkpoint(job, error);
	}
	report_clear(&report);
	if (comm_agree(job->comm, error))
		return;
	uint64_t runs = o->precision > 0 && o->runs > PRECISE_RUNS ? PRECISE_RUNS : o->runs;
	if (!job->multipath && !setup.flow &&
		route_table_make(&job->table, job->comm, job->fabric, job->forwarding, runs * pattern_pairs(job->pattern, o->level),
			o->route_memory, o->verbose ? stderr : NULL, error))
		return;
	setup.paths = job->table.used ? &job->table.paths : NULL;
	double started = now(), before = user_time();
	catch_signals(true); /* a second signal ends the program at once */
	if (campaign_run(&setup, &job->outcome, error)) {
		dot_report_hint(&job->odd, error);
		return;
	}
	uint64_t used = (uint64_t)((user_time() - before) * 1e6);
	comm_sum(job->comm, &used, 1);
	if (o->verbose && !comm_rank(job->comm))
		tell_runs(job, now() - started, (double)used * 1e-6);
	if (o->engine == PACKET)
		tell_passes(job, started, (double)used * 1e-6);
	if (!comm_rank(job->comm))
		write_results(job, &report, error);
	report_clear(&report);
	comm_agree(job->comm, error);
}

static void clear(struct job *job)
{
	outcome_clear(&job->outcome);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->plot);
	output_discard(&job->cache);
	output_discard(&job->timeline);
	output_discard(&job->flows);
	for (int m = 0; m < METRICS_MAX; m++) {
		output_discard(&job->graph[m]);
		metric_clear(&job->metrics[m]);
	}
	pattern_free(job->pattern);
	flow_job_clear(&job->flow);
	packet_job_clear(&job->packets);
	lanes_free(job->lanes);
	free(job->topology);
	free(job->capacity);
	free(job->latency);
	failing_free(job->failure, job->afterwards, (size_t)job->options.failures);
	marks_clear(&job->checkpoint.marks);
	free(job->options.checkpoint);
	placement_clear(&job->placement);
	route_table_clear(&job->table);
	multipath_free(job->multipath);
	route_set_free(job->routes);
	control_clear(&job->control);
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
	attributes_free(job->attributes);
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
	if (job.comm)
		run_job(&job, &error);
	bool piped = stop_signal == SIGPIPE && error.status; /* nobody reads what is written */
	if (error.status && error.status != STATUS_THRESHOLD && !piped && (!job.comm || !comm_rank(job.comm)))
		fprintf(stderr, "orcs: %s\n", error.text);
	int status = piped                 ? 128 + SIGPIPE
		     : error.status        ? (int)error.status
		     : job.outcome.stopped ? 128 + job.outcome.stopped
					   : STATUS_FINE;
	clear(&job);
	comm_free(job.comm);
	return status;
}
