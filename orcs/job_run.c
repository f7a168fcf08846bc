/* A job from its fabric to the outcome of its runs, in every process. */
#include "base/version.h"
#include "cli/terminal.h"
#include "orcs/content.h"
#include "orcs/job_planes.h"
#include "parallel/distribute.h"

#include <inttypes.h>
#include <stdlib.h>

/* The number of runs that a precision is assumed to take. */
enum { PRECISE_RUNS = 1000 };

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
		fprintf(job->verbose, "resumed from %s after %" PRIu64 " runs\n", c->resume, c->runs);
	fprintf(job->verbose, "%" PRIu64 " runs, %" PRIu64 " connections in %.2f s (%.3f s of user time): %.1f ns each\n",
		job->outcome.runs - c->runs, connections, seconds, used, connections ? 1e9 * seconds / (double)connections : 0);
	if (c->path)
		fprintf(job->verbose, "wrote %" PRIu64 " checkpoints to %s in %.2f s\n", c->written, c->path, c->spent);
}

/* Reads the fabric, unless the job has one, and chooses the hosts, unless they are chosen. */
static int find_fabric(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	if (!job->borrowed && job_load(job, error))
		return -1;
	if (job->parts || o->only_save || job->placement.host)
		return 0;
	return placement_init(&job->placement, job->fabric, o->subset, o->mapping, job->ranks, o->seed, error);
}

int job_prepare(struct job *job, struct error *error)
{
	job->metric_count = metrics_parse(job->options.metrics, job->metrics, error);
	if (job->metric_count < 0)
		job->metric_count = 0;
	else if (!job_make_workload(job, error) && !comm_rank(job->comm))
		find_fabric(job, error);
	return comm_agree(job->comm, error);
}

int job_ready(struct job *job, struct error *error)
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
		.levels = o->verbose > 1 ? job->log : NULL,
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
	if (!comm_rank(job->comm) && !report_make(&job->report, error) && !job_check_thresholds(&job->report, error) && !job->plane &&
		!job->borrowed) {
		job_open_outputs(job, error);
		open_checkpoint(job, error);
	}
	report_clear(&job->report);
	if (comm_agree(job->comm, error))
		return -1;
	uint64_t runs = o->precision > 0 && o->runs > PRECISE_RUNS ? PRECISE_RUNS : o->runs;
	if (!job->multipath && runs_of_pairs(&job->runs) &&
		shared_route_cache_make(&job->table, job->comm, job->fabric, job->forwarding, runs * pattern_pairs(job->pattern, o->level),
			o->route_memory, o->verbose ? job->log : NULL, error))
		return -1;
	job->runs.setup.route_cache = job->table.used ? &job->table.route_cache : NULL;
	return 0;
}

int job_run(struct job *job, struct error *error)
{
	double started = now(), before = user_time();
	if (campaign_run(&job->setup, &job->outcome, error)) {
		dot_report_hint(&job->odd, error);
		return -1;
	}
	uint64_t used = (uint64_t)((user_time() - before) * 1e6);
	comm_sum(job->comm, &used, 1);
	if (job->verbose)
		tell_runs(job, now() - started, (double)used * 1e-6);
	if (job->options.engine->describe)
		job->options.engine->describe(job->runs.state, now() - started, (double)used * 1e-6);
	return job_find_loads(job, &job->report.loads, error);
}

void job_clear(struct job *job)
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
	if (!job->lanes_borrowed)
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
	control_clear(&job->control);
	pair_loads_clear(&job->loads);
	if (job->borrowed)
		return;
	source_routes_free(job->routes);
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
	attributes_free(job->attributes);
}
