/* The outputs of the runs. */
#include "base/shown.h"
#include "base/memory.h"
#include "cli/gnuplot.h"
#include "infiniband/link_speeds.h"
#include "fabric/described.h"
#include "fabric/load_class.h"
#include "orcs/counters_file.h"
#include "orcs/job.h"
#include "orcs/queue_file.h"
#include "orcs/summary.h"
#include "orcs/timeline.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool job_wants_graph(const struct job *job)
{
	for (int m = 0; m < job->metric_count; m++)
		if (job->metrics[m].metric->gathers & METRIC_CHANNELS)
			if (metric_file(&job->metrics[m]) ||
				(job->options.format == FORMAT_TEXT && metric_is_graph(job->metrics[m].metric)))
				return true;
	return false;
}

void job_open_outputs(struct job *job, struct error *error)
{
	files_write(&job->files, &job->output, job->options.output, error);
	for (int m = 0; m < job->metric_count && !error->status; m++)
		if (metric_file(&job->metrics[m]))
			files_write(&job->files, &job->graph[m], metric_file(&job->metrics[m]), error);
	if (job->options.timeline && !error->status)
		files_write(&job->files, &job->timeline, job->options.timeline, error);
	if (job->options.flows && !error->status)
		files_write(&job->files, &job->flows, job->options.flows, error);
	if (job->options.counters && !error->status && !counters_check(job->fabric, counters_are_table(job->options.counters), error))
		files_write(&job->files, &job->counters, job->options.counters, error);
	if (job->options.rank_table && !error->status)
		files_write(&job->files, &job->rank_file, job->options.rank_table, error);
	if (job->options.queues && !error->status)
		files_write(&job->files, &job->queue_file, job->options.queues, error);
	if (job->options.plot && !error->status && !gnuplot_check(error))
		files_write(&job->files, &job->plot, job->options.plot, error);
}

/* Makes the first run for metrics that need it, if another process made it, or an earlier part of a campaign; in process 0. */
static int make_first_run(struct job *job, struct error *error)
{
	bool needed = false;
	for (int m = 0; m < job->metric_count; m++)
		needed |= metric_needs_first(&job->metrics[m]);
	uint32_t *host = needed && job->outcome.runs ? array_create(job->placement.ranks, sizeof *host, error) : NULL;
	struct observation seen;
	if (!host)
		return error->status ? -1 : 0;
	placement_run(&job->placement, job->options.seed, 0, host);
	bool made = runs_make(&job->runs, 0, host, job->runs.setup.wants, NULL, &seen, error) == RUN_OK;
	for (int m = 0; made && m < job->metric_count && !error->status; m++)
		metric_take_first(&job->metrics[m], &seen, error);
	free(host);
	return error->status ? -1 : 0;
}

/* Writes the messages of the first run; in process 0. */
static int write_first_run(struct job *job, struct error *error)
{
	struct observation seen;
	uint32_t *host = array_create(job->placement.ranks, sizeof *host, error);
	if (!host)
		return -1;
	placement_run(&job->placement, job->options.seed, 0, host);
	enum run_status status = runs_make(&job->runs, 0, host, SEEN_TIMES, NULL, &seen, error);
	if (status == RUN_INTERRUPTED) /* without these files the command is incomplete */
		job->outcome.stopped = (int)*job->stop;
	if (status == RUN_OK) {
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

int job_check_thresholds(const struct report *report, struct error *error)
{
	double value;
	for (int t = 0; t < report->options->thresholds; t++)
		if (report_value(report, &report->options->threshold[t], &value))
			return error_set(error, STATUS_USAGE,
				"--fail-if '%s': the selected metrics have no value '%s'; see --fail-if in orcs(1)",
				report->options->threshold[t].text, report->options->threshold[t].key);
	return 0;
}

static bool holds(double value, const char *comparison, double limit)
{
	if (comparison[1])
		return comparison[0] == '<' ? value <= limit : value >= limit;
	return comparison[0] == '<' ? value < limit : value > limit;
}

/* Reports each threshold that holds, or whose value is missing, which counts as a failure. Returns whether there is any. */
static bool threshold_met(const struct job *job, const struct report *report)
{
	FILE *log = job->log;
	char plane[30] = "";
	if (job->plane)
		snprintf(plane, sizeof plane, "plane %" PRIu32 ": ", job->plane);
	bool met = false;
	for (int t = 0; t < report->options->thresholds; t++) {
		const struct threshold *threshold = &report->options->threshold[t];
		double value;
		if (report_value(report, threshold, &value) || (!isnan(value) && !holds(value, threshold->comparison, threshold->limit)))
			continue;
		if (isnan(value))
			fprintf(log, "orcs: %s--fail-if '%s' counts as true: nothing was sent, so the value is missing\n", plane,
				SHOWN(threshold->text));
		else
			fprintf(log, "orcs: %s--fail-if '%s' holds: %s is %.6g\n", plane, SHOWN(threshold->text), threshold->key, value);
		met = true;
	}
	return met;
}

/* Names the hottest channel on standard error, as the text is a graph. */
static void tell_hottest(const struct job *job, const struct report *report)
{
	const struct hottest_channel *h = &report->hottest;
	const struct fabric *f = job->fabric;
	char remark[60], guids[GUIDS_TEXT];
	if (!job->notes || job->options.format != FORMAT_TEXT || !report->loads.levels || h->channel == NONE)
		return;
	fputs("orcs: hottest: ", job->notes);
	write_channel(job->notes, f, h->channel);
	char excess[60] = "";
	if (load_class_of(1, h->excess) >= LOAD_WARM) /* not if it is unknown */
		snprintf(excess, sizeof excess, ", %.3g times its fair share", h->excess);
	fprintf(job->notes, ": %s%.4g routes per level%s%s%s; next: %.4g\n", h->basis == LOADS_EXPECTED ? "expected " : "", h->load, excess,
		hottest_remark(h, remark, sizeof remark),
		guids_text(f->labels->guid[fabric_tail(f, h->channel)], f->labels->guid[f->head[h->channel]], guids), h->next);
}

/* Explains the numbers of the text and their units on standard error; the text itself has the format of the paper. */
static void tell_units(const struct job *job)
{
	for (int m = 0; job->options.format == FORMAT_TEXT && job->notes && m < job->metric_count; m++)
		if (job->metrics[m].metric->unit)
			fprintf(job->notes, "orcs: %s: %s\n", job->metrics[m].metric->name, job->metrics[m].metric->unit);
}

void job_judge(const struct job *job, const struct report *report, struct error *error)
{
	const struct options *o = &job->options;
	if (o->precision > 0 && !o->terms.open && !job->outcome.precise && !job->outcome.partial && job->notes)
		fprintf(job->notes, "orcs: warning: the precision was not reached in %" PRIu64 " runs; increase --runs\n",
			job->outcome.runs);
	if (o->control && job->notes)
		for (int m = 0; m < job->metric_count; m++)
			if (job->metrics[m].metric->gathers & METRIC_VALUES && job->outcome.value_count[m] < job->outcome.runs)
				fprintf(job->notes,
					"orcs: warning: no control variates for %s: runs in which nothing was sent have no bandwidth\n",
					job->metrics[m].metric->name);
	if (threshold_met(job, report) && !job->outcome.partial)
		error_set(error, STATUS_THRESHOLD, " ");
}

void job_write_results(struct job *job, struct report *report, struct error *error)
{
	const struct options *o = &job->options;
	if (make_first_run(job, error) || report_make(report, error) || report_write(report, job->output.file, error) ||
		output_commit(&job->output, error))
		return;
	for (int m = 0; m < job->metric_count; m++)
		if (job->graph[m].file) {
			report_graph(report, job->graph[m].file);
			if (output_commit(&job->graph[m], error))
				return;
		}
	if (o->counters && !job->outcome.partial &&
		(counters_write(report, job->capacity, counters_are_table(job->options.counters), job->counters.file, error) ||
			output_commit(&job->counters, error)))
		return;
	if (o->rank_table && !job->outcome.partial) {
		rank_table_write(&job->rank_table, job->fabric, o->terms.cycles, job->rank_file.file);
		if (output_commit(&job->rank_file, error))
			return;
	}
	if (o->queues && queues_of(report)) {
		queue_file_write(queues_of(report), job->queue_file.file);
		if (output_commit(&job->queue_file, error))
			return;
	}
	if (o->plot && (job->outcome.runs || !job->outcome.partial) && report_plot(report, &job->plot, error))
		return;
	if ((o->timeline || o->flows) && !job->outcome.partial && write_first_run(job, error))
		return;
	tell_units(job);
	tell_hottest(job, report);
	if (job->notes) {
		const char *source = job->fabric->labels->source;
		dot_report_write(&job->odd, job->notes, "orcs", source, !o->ignore_speeds);
		if (link_speeds_note(job->fabric, o->ignore_speeds || o->terms.cycles ? SPEEDS_IGNORED : SPEEDS_COUNT, job->notes, "orcs",
			    source, error))
			return;
	}
	if (summary_write(job, report, error))
		return;
	job_judge(job, report, error);
}
