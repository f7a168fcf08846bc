/*
 * Processes take runs from a shared counter, a few at a time, fewer towards the end, so that none idles while others have runs waiting.
 * What a run yields depends on its number alone, integers are added in any order, and values are put into the order of the runs before
 * anything is summed: so the result does not depend on who made which run.
 */
#include "campaign.h"

#include "flow_job.h"
#include "packet_job.h"
#include "routes.h"
#include "statistics.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Added to the counter to send everybody home. */
static const uint64_t no_more = UINT64_C(1) << 50;

struct campaign {
	const struct campaign_setup *setup;
	struct congestion *engine; /* NULL: the flow engine runs */
	uint64_t *bits, *limits; /* [channels] that the flow engine has sent, picoseconds in which it was a bottleneck; NULL: nobody asks */
	uint32_t bad_source, bad_destination; /* of the run that has an unroutable pair */
	enum flow_ending ending;              /* of the flow engine's last run */
	struct pair_taker taker;              /* take is NULL when no metric wants pairs */
	uint32_t *host;                       /* [ranks] */
	double *records;                      /* (run, value of each metric) of this process since the last merge */
	size_t used, capacity;                /* of records, in doubles */
	uint64_t runs;                        /* made by this process since the last merge */
	uint64_t connections, unroutable;
	uint64_t bad_run; /* the first with an unroutable pair, UINT64_MAX: none */
	double *merged;   /* records of all processes, all batches */
	size_t merged_used, merged_capacity;
	double sums[CONTROLS]; /* of the run being made */
	struct progress progress;
};

/* Where the values of a metric stand in a record: behind the run, and those of the metrics before. */
static size_t record_place(const struct campaign *c, int metric)
{
	size_t place = 1;
	for (int m = 0; m < metric; m++)
		place += c->setup->metrics[m].numbers;
	return place;
}

/* How many numbers a record has: the run, the values of the metrics, and the sums that control variates need. */
static size_t record_width(const struct campaign *c)
{
	return record_place(c, c->setup->metric_count) + (c->setup->control ? CONTROLS : 0);
}

uint64_t campaign_next_stop(uint64_t runs)
{
	return runs ? runs + (runs + 1) / 2 : 100;
}

/* Hands weighed pairs to the metrics that want them. */
static void take_weighed(void *data, const struct weighed *pairs, size_t count, int part)
{
	const struct campaign_setup *setup = data;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->pairs)
			setup->metrics[m].metric->pairs(&setup->metrics[m], pairs, count, part);
}

static enum congestion_result make_level(
	struct campaign *c, uint64_t run, uint64_t index, uint64_t *connections, uint64_t *unroutable, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	struct level level;
	enum congestion_result result =
		congestion_level(c->engine, setup->pattern, index, c->host, &level, c->taker.take ? &c->taker : NULL, error);
	if (result != CONGESTION_FINE)
		return result;
	for (int k = 0; k < CONTROLS; k++)
		c->sums[k] += level.sums[k];
	*connections += level.connections;
	*unroutable += level.unroutable;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->level && setup->metrics[m].metric->level(&setup->metrics[m], &level, error))
			return CONGESTION_FAILED;
	if (setup->verbose)
		fprintf(stderr, "run %" PRIu64 " level %" PRIu64 ": %" PRIu64 " connections, largest weight %g\n", run, index,
			level.connections, level.largest);
	return CONGESTION_FINE;
}

/* All levels of a run. */
static enum congestion_result make_levels(
	struct campaign *c, uint64_t run, uint64_t *connections, uint64_t *unroutable, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	uint64_t first = setup->only_level < 0 ? 0 : (uint64_t)setup->only_level;
	uint64_t end = setup->only_level < 0 ? pattern_levels(setup->pattern) : first + 1;
	pattern_run(setup->pattern, run);
	if (setup->multipath)
		setup->multipath->run = run;
	for (uint64_t level = first; level < end; level++) {
		enum congestion_result result =
			*setup->stop ? CONGESTION_INTERRUPTED : make_level(c, run, level, connections, unroutable, error);
		if (result == CONGESTION_UNROUTABLE)
			congestion_bad_pair(c->engine, &c->bad_source, &c->bad_destination);
		if (result != CONGESTION_FINE)
			return result;
	}
	return CONGESTION_FINE;
}

/* A run of the flow engine. */
static enum congestion_result make_flows(
	struct campaign *c, uint64_t run, struct flow_seen *seen, uint64_t *connections, uint64_t *unroutable, struct error *error)
{
	struct flow_job *job = c->setup->flow;
	enum flow_ending ending = flow_job_run(job, run, c->host, seen, error);
	if ((ending == FLOW_UNROUTABLE || ending == FLOW_STUCK) && job->packets)
		packet_bad_pair(job->packets->engine, &c->bad_source, &c->bad_destination);
	else if (ending == FLOW_UNROUTABLE || ending == FLOW_STUCK)
		flow_bad_pair(job->engine, &c->bad_source, &c->bad_destination);
	c->ending = ending;
	if (ending == FLOW_STUCK || ending == FLOW_ENDLESS)
		return CONGESTION_UNROUTABLE;
	if (ending != FLOW_FINE)
		return (enum congestion_result)ending;
	if (seen->packets) {
		*connections = seen->times ? seen->times->messages : seen->packets->packets;
		*unroutable = seen->times ? seen->times->unroutable : seen->packets->unroutable;
		bool kept = !c->setup->together || !comm_rank(c->setup->comm);
		for (uint32_t channel = 0; kept && c->bits && channel < c->setup->fabric->channels; channel++) {
			c->bits[channel] += seen->packets->busy[channel];
			c->limits[channel] += seen->packets->blocked[channel];
		}
		return CONGESTION_FINE;
	}
	*connections = seen->times ? seen->times->messages : seen->shares ? seen->shares->messages : seen->alones;
	*unroutable = seen->times ? seen->times->unroutable : seen->shares ? seen->shares->unroutable : seen->unroutable;
	for (uint32_t channel = 0; c->bits && seen->times && channel < c->setup->fabric->channels; channel++) {
		c->bits[channel] += (uint64_t)llround(seen->times->sent[channel]);
		c->limits[channel] += (uint64_t)llround(seen->times->bottleneck[channel] * PICOSECONDS);
	}
	return CONGESTION_FINE;
}

/* One run, from mapping to its record. A run that does not end well leaves nothing behind. */
static enum congestion_result make_run(struct campaign *c, uint64_t run, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	uint64_t connections = 0, unroutable = 0;
	struct flow_seen seen;
	memset(c->sums, 0, sizeof c->sums);
	placement_run(setup->placement, setup->seed, setup->points ? run / setup->points : run, c->host);
	for (int m = 0; m < setup->metric_count; m++)
		metric_begin_run(&setup->metrics[m]);
	enum congestion_result result = setup->flow ? make_flows(c, run, &seen, &connections, &unroutable, error)
						    : make_levels(c, run, &connections, &unroutable, error);
	if (result != CONGESTION_FINE) {
		if (c->engine)
			congestion_drop_run(c->engine);
		return result;
	}
	if (setup->together && comm_rank(setup->comm))
		return CONGESTION_FINE; /* the first process keeps it */
	if (array_grow(&c->records, &c->capacity, c->used + record_width(c), sizeof *c->records, error))
		return CONGESTION_FAILED;
	c->records[c->used++] = (double)run;
	for (int m = 0; m < setup->metric_count; m++) {
		if (metric_end_run(&setup->metrics[m], setup->flow ? &seen : NULL, &c->records[c->used], error))
			return CONGESTION_FAILED;
		c->used += setup->metrics[m].numbers;
	}
	for (int k = 0; setup->control && k < CONTROLS; k++)
		c->records[c->used++] = c->sums[k];
	if (c->engine)
		congestion_keep_run(c->engine);
	c->runs++;
	c->connections += connections;
	c->unroutable += unroutable;
	return CONGESTION_FINE;
}

/* Takes runs below end from the counter until there are none, or something goes wrong here. */
static void make_runs(struct campaign *c, uint64_t end, struct error *error)
{
	uint64_t processes = (uint64_t)comm_size(c->setup->comm), next = 0;
	while (next < end && !error->status && c->bad_run == UINT64_MAX && !*c->setup->stop) {
		uint64_t share = (end - next) / (8 * processes), chunk = share < 1 ? 1 : share > 64 ? 64 : share;
		next = comm_next(c->setup->comm, chunk);
		progress_show(&c->progress, next < end ? next : end, c->setup->runs);
		for (uint64_t run = next; run < end && run < next + chunk; run++) {
			enum congestion_result result = make_run(c, run, error);
			if (result == CONGESTION_UNROUTABLE)
				c->bad_run = run;
			if (result != CONGESTION_FINE) {
				comm_next(c->setup->comm, no_more);
				return;
			}
		}
	}
}

/* Makes the runs together with all other processes, until something goes wrong anywhere. */
static void make_together(struct campaign *c, uint64_t begin, uint64_t end, struct error *error)
{
	for (uint64_t run = begin; run < end; run++) {
		progress_show(&c->progress, run, c->setup->runs);
		enum congestion_result result = make_run(c, run, error);
		if (result == CONGESTION_UNROUTABLE)
			c->bad_run = run;
		if (!comm_min(c->setup->comm, result == CONGESTION_FINE))
			return;
	}
}

/* All records so far come to the first process. */
static int merge_records(struct campaign *c, struct error *error)
{
	size_t bytes;
	double *all = comm_gather(c->setup->comm, c->records, c->used * sizeof *c->records, &bytes, error);
	c->used = 0;
	if (all) {
		size_t count = bytes / sizeof *all;
		if (count && !array_grow(&c->merged, &c->merged_capacity, c->merged_used + count, sizeof *c->merged, error)) {
			memcpy(c->merged + c->merged_used, all, bytes);
			c->merged_used += count;
		}
		free(all);
	}
	return comm_agree(c->setup->comm, error);
}

/* Repeats the first run that had an unroutable pair, in the first process, and says which pair it was. */
static int explain_bad_run(struct campaign *c, uint64_t run, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	if (setup->together) { /* the pair is known in the process that has the node */
		uint64_t pair = c->bad_run == run ? (uint64_t)c->bad_source << 32 | c->bad_destination : UINT64_MAX;
		pair = comm_min(setup->comm, pair);
		c->bad_source = (uint32_t)(pair >> 32);
		c->bad_destination = (uint32_t)pair;
	}
	if (!comm_rank(setup->comm) && (setup->together || make_run(c, run, error) == CONGESTION_UNROUTABLE)) {
		const struct fabric_labels *labels = setup->fabric->labels;
		char planes[200];
		if (c->ending == FLOW_ENDLESS)
			error_at(error, STATUS_FABRIC, labels->source, 0, "the run takes longer than %d days, the longest time there is",
				setup->flow->packets ? 26 : 106);
		else if (c->ending == FLOW_STUCK)
			error_at(error, STATUS_FABRIC, labels->source, 0, "a message from '%s' to '%s' gets no bandwidth for ever",
				labels->name[setup->fabric->host_node[c->bad_source]],
				labels->name[setup->fabric->host_node[c->bad_destination]]);
		else if (setup->flow && setup->flow->packets && strncmp(setup->flow->packets->name, "tables", 6))
			routes_planes(setup->fabric, c->bad_source, c->bad_destination, planes, sizeof planes),
				error_at(error, STATUS_FABRIC, labels->source, 0, "no way from '%s' to '%s' by the packet routing %s%s",
					labels->name[setup->fabric->host_node[c->bad_source]],
					labels->name[setup->fabric->host_node[c->bad_destination]], setup->flow->packets->name, planes);
		else if (setup->multipath)
			multipath_explain(setup->multipath, c->bad_source, c->bad_destination, error);
		else
			routes_explain(setup->fabric, setup->forwarding, c->bad_source, c->bad_destination, error);
	}
	/* the first error stays; this one is for a signal that came between, and for the other processes */
	error_set(error, STATUS_FABRIC, "run %" PRIu64 " has a pair without a route", run);
	return comm_agree(setup->comm, error);
}

/* The values of a metric in the order of the records, without those of runs that have none. Returns how many. */
static size_t collect_values(const struct campaign *c, int m, double *values)
{
	size_t width = record_width(c), place = record_place(c, m), count = 0;
	for (size_t r = 0; r < c->merged_used; r += width)
		if (!isnan(c->merged[r + place]))
			values[count++] = c->merged[r + place];
	return count;
}

static int compare_records(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Puts the records into the order of the runs: nearly all numbers of runs occur, so each has its place. */
static void order_records(struct campaign *c, size_t width, size_t runs)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (size_t r = 0; r < runs; r++) {
		uint64_t run = (uint64_t)c->merged[r * width];
		first = run < first ? run : first;
		last = run > last ? run : last;
	}
	size_t *place = runs && last - first < 4 * runs ? calloc(last - first + 1, sizeof *place) : NULL;
	double *ordered = place ? malloc(runs * width * sizeof *ordered) : NULL;
	if (!ordered && runs)
		qsort(c->merged, runs, width * sizeof *c->merged, compare_records);
	for (size_t r = 0; ordered && r < runs; r++)
		place[(uint64_t)c->merged[r * width] - first] = r + 1;
	size_t next = 0;
	for (uint64_t run = 0; ordered && run <= last - first; run++)
		if (place[run])
			memcpy(ordered + next++ * width, c->merged + (place[run] - 1) * width, width * sizeof *ordered);
	free(place);
	if (!ordered)
		return;
	free(c->merged);
	c->merged = ordered;
	c->merged_capacity = runs * width;
}

/* The sums of each run, which all have a value of that metric. Returns a new array, NULL when the memory is not there. */
static double (*collect_sums(const struct campaign *c, struct error *error))[CONTROLS]
{
	size_t width = record_width(c), runs = c->merged_used / width;
	double(*sums)[CONTROLS] = array_create(runs, sizeof *sums, error);
	for (size_t r = 0; sums && r < runs; r++)
		memcpy(sums[r], c->merged + (r + 1) * width - CONTROLS, sizeof *sums);
	return sums;
}

/* Half the width of the interval of a mean, and the mean. count > 0. */
static double half_width(const struct campaign *c, double *values, size_t count, double *mean, struct error *error)
{
	if (c->setup->control && count == c->merged_used / record_width(c)) {
		double(*sums)[CONTROLS] = collect_sums(c, error);
		struct controlled controlled = {0};
		if (sums)
			controlled = control_estimate(values, sums, count, c->setup->control->expected);
		free(sums);
		*mean = controlled.mean;
		return controlled.half;
	}
	sort_values(values, count); /* every process makes other runs: the sums here must not depend on their order */
	struct statistics s = statistics_of(values, values, count);
	*mean = s.mean;
	return count > 1 ? (s.high - s.low) / 2 : INFINITY;
}

/* Whether all intervals are narrow enough; in the first process. */
static bool precise_enough(struct campaign *c, struct error *error)
{
	size_t width = record_width(c), runs = c->merged_used / width;
	double mean, *values = array_create(runs, sizeof *values, error);
	bool enough = values != NULL;
	if (c->setup->control)
		order_records(c, width, runs);
	for (int m = 0; enough && m < c->setup->metric_count; m++) {
		if (!(c->setup->metrics[m].metric->gathers & METRIC_VALUES))
			continue;
		size_t count = collect_values(c, m, values);
		if (count)
			enough = half_width(c, values, count, &mean, error) <= c->setup->precision * fabs(mean);
	}
	free(values);
	return enough;
}

/* Puts the records into the order of the runs and each metric's values into a list. */
static int sort_records(struct campaign *c, struct outcome *outcome, struct error *error)
{
	size_t width = record_width(c), runs = c->merged_used / width;
	order_records(c, width, runs);
	outcome->run = array_create(runs, sizeof *outcome->run, error);
	for (size_t r = 0; outcome->run && r < runs; r++)
		outcome->run[r] = (uint64_t)c->merged[r * width];
	if (c->setup->control)
		outcome->sums = collect_sums(c, error);
	for (int m = 0; m < c->setup->metric_count; m++) {
		if (!(c->setup->metrics[m].metric->gathers & METRIC_VALUES))
			continue;
		double *raw = outcome->raw[m] = array_create(runs, sizeof *raw, error);
		double *values = outcome->values[m] = array_create(runs, sizeof *values, error);
		size_t numbers = c->setup->metrics[m].numbers, place = record_place(c, m);
		double *all = outcome->numbers[m] = array_create(runs * numbers, sizeof *all, error);
		if (error->status)
			return -1;
		for (size_t r = 0; r < runs; r++) {
			raw[r] = numbers ? c->merged[r * width + place] : NAN;
			memcpy(all + r * numbers, c->merged + r * width + place, numbers * sizeof *all);
		}
		outcome->value_count[m] = collect_values(c, m, values);
	}
	return 0;
}

/* The histogram of all processes comes to the first. */
static int merge_pooled(struct comm *comm, struct histogram *pooled, struct error *error)
{
	size_t count = histogram_bins(pooled), bytes;
	struct bin *mine = array_create(count, sizeof *mine, error);
	if (comm_agree(comm, error)) {
		free(mine);
		return -1;
	}
	histogram_list(pooled, mine);
	struct bin *all = comm_gather(comm, mine, count * sizeof *mine, &bytes, error);
	for (size_t i = count; all && i < bytes / sizeof *all && !error->status; i++)
		histogram_add(pooled, all[i].value, all[i].count, error);
	free(mine);
	free(all);
	return comm_agree(comm, error);
}

/* The sums over all processes, in the first. NULL without any. */
static uint64_t *take_sums(const struct campaign_setup *setup, uint64_t *sum, struct error *error)
{
	uint32_t channels = setup->fabric->channels;
	if (!sum)
		return NULL;
	comm_sum(setup->comm, sum, channels);
	uint64_t *copy = array_create(channels, sizeof *copy, error);
	if (copy)
		memcpy(copy, sum, channels * sizeof *copy);
	return copy;
}

static int merge_all(struct campaign *c, struct outcome *outcome, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	uint64_t totals[3] = {c->runs, c->connections, c->unroutable};
	comm_sum(setup->comm, totals, 3);
	outcome->runs = totals[0];
	outcome->connections = totals[1];
	outcome->unroutable = totals[2];
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->gathers & METRIC_POOLED && merge_pooled(setup->comm, &setup->metrics[m].pooled, error))
			return -1;
	uint64_t *sum = c->engine ? congestion_channel_sum(c->engine) : c->bits;
	outcome->channel_unit = c->engine ? congestion_channel_unit(setup->multipath) : 1;
	outcome->channel_sum = take_sums(setup, sum, error);
	outcome->channel_limit = take_sums(setup, c->limits, error);
	if (!comm_rank(setup->comm) && !error->status)
		sort_records(c, outcome, error);
	return comm_agree(setup->comm, error);
}

/* The batches: one, or with precision as many as it takes. */
static int make_batches(struct campaign *c, struct outcome *outcome, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	uint64_t end = setup->first;
	for (bool go_on = true; go_on;) {
		uint64_t begin = end;
		end = setup->precision > 0 ? campaign_next_stop(end) : setup->runs;
		if (end > setup->runs)
			end = setup->runs;
		comm_restart(setup->comm, begin);
		if (setup->together)
			make_together(c, begin, end, error);
		else
			make_runs(c, end, error);
		if (comm_agree(setup->comm, error))
			return -1;
		uint64_t bad_run = comm_min(setup->comm, c->bad_run);
		if (bad_run != UINT64_MAX)
			return explain_bad_run(c, bad_run, error);
		if (merge_records(c, error))
			return -1;
		if (!comm_rank(setup->comm) && setup->precision > 0)
			outcome->precise = precise_enough(c, error);
		comm_broadcast(setup->comm, &outcome->precise, sizeof outcome->precise);
		outcome->partial = comm_min(setup->comm, !*setup->stop) == 0;
		go_on = end < setup->runs && !outcome->precise && !outcome->partial;
	}
	return 0;
}

int campaign_run(const struct campaign_setup *setup, struct outcome *outcome, struct error *error)
{
	struct campaign c = {.setup = setup, .bad_run = UINT64_MAX};
	*outcome = (struct outcome){0};
	bool sum_channels = false;
	c.taker.data = (void *)setup;
	for (int m = 0; m < setup->metric_count; m++) {
		sum_channels |= (setup->metrics[m].metric->gathers & METRIC_CHANNELS) != 0;
		if (setup->metrics[m].metric->pairs)
			c.taker.take = take_weighed;
	}
	if (!setup->flow)
		c.engine = congestion_create(&(struct congestion_setup){.fabric = setup->fabric,
						     .forwarding = setup->forwarding,
						     .paths = setup->paths,
						     .multipath = setup->multipath,
						     .speed_aware = setup->speed_aware,
						     .drop = setup->drop,
						     .sum_channels = sum_channels,
						     .routes = setup->control ? setup->control->routes : NULL,
						     .crowded = setup->placement->crowded,
						     .stop = setup->stop},
			error);
	for (int i = 0; setup->flow && sum_channels && i < 2; i++)
		*(i ? &c.bits : &c.limits) = array_create(setup->fabric->channels, sizeof *c.bits, error);
	c.host = array_create(setup->placement->ranks, sizeof *c.host, error);
	progress_start(&c.progress, setup->progress && !comm_rank(setup->comm), "runs");
	int failed = comm_agree(setup->comm, error) || make_batches(&c, outcome, error) || merge_all(&c, outcome, error);
	progress_end(&c.progress);
	congestion_free(c.engine);
	free(c.bits);
	free(c.limits);
	free(c.host);
	free(c.records);
	free(c.merged);
	return failed ? -1 : 0;
}

void outcome_clear(struct outcome *outcome)
{
	for (int m = 0; m < METRICS_MAX; m++) {
		free(outcome->raw[m]);
		free(outcome->values[m]);
		free(outcome->numbers[m]);
	}
	free(outcome->run);
	free(outcome->sums);
	free(outcome->channel_sum);
	free(outcome->channel_limit);
	*outcome = (struct outcome){0};
}
