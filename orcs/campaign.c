/*
 * Processes take runs from a shared counter, a few at a time, fewer towards the end, so that none idles while others have runs waiting.
 * What a run yields depends on its number alone, integers are added in any order, and values are put into the order of the runs before
 * anything is summed: the result therefore does not depend on which process made which run.
 */
#include "base/memory.h"
#include "orcs/campaign_workspace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Added to the counter to stop all processes. */
static const uint64_t no_more = UINT64_C(1) << 50;

uint64_t campaign_next_stop(uint64_t runs)
{
	return runs ? runs + (runs + 1) / 2 : 100;
}

/* Passes weighed pairs to the metrics that want them. */
static void take_weighed(void *data, const struct weighed *pairs, size_t count, int part)
{
	const struct campaign_setup *setup = ((struct campaign *)data)->setup;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->pairs)
			setup->metrics[m].metric->pairs(&setup->metrics[m], pairs, count, part);
}

/* Passes a level to the metrics, and prints it with -vv. */
static int take_level(void *data, const struct level *level, struct error *error)
{
	const struct campaign *c = data;
	const struct campaign_setup *setup = c->setup;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->level && setup->metrics[m].metric->level(&setup->metrics[m], level, error))
			return -1;
	if (setup->levels)
		fprintf(setup->levels, "run %" PRIu64 " level %" PRIu64 ": %" PRIu64 " connections, largest weight %g\n", c->run,
			level->index, level->connections, level->largest);
	return 0;
}

/* Returns whether the run failed because of the fabric. */
static bool is_bad(enum run_status status)
{
	return status == RUN_UNROUTABLE || status == RUN_STUCK || status == RUN_ENDLESS;
}

/* Keeps the record of a successful run, in the process that has it. */
static int keep_record(struct campaign *c, const struct observation *seen, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	if (array_grow(&c->records, &c->capacity, c->used + record_width(c), sizeof *c->records, error))
		return -1;
	c->records[c->used++] = (double)c->run;
	for (int m = 0; m < setup->metric_count; m++) {
		if (metric_end_run(&setup->metrics[m], seen, &c->records[c->used], error))
			return -1;
		if (c->run == 0 && !comm_rank(setup->comm) && metric_take_first(&setup->metrics[m], seen, error))
			return -1;
		c->used += setup->metrics[m].numbers;
	}
	for (int k = 0; setup->control && k < CONTROLS; k++)
		c->records[c->used++] = seen->sums[k];
	const struct engine_terms *terms = &setup->work->terms;
	if (setup->ranks && c->run < terms->load_points &&
		rank_table_add(setup->ranks, seen, c->host, setup->placement->ranks, terms->cycles, error))
		return -1;
	c->made.runs++;
	c->made.connections += seen->connections;
	c->made.unroutable += seen->undelivered;
	return 0;
}

/* Performs one run, from its mapping to its record. A failed run leaves no record. */
static enum run_status make_run(struct campaign *c, uint64_t run, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	struct runs *runs = setup->work;
	struct observation seen;
	c->run = run;
	placement_run(setup->placement, setup->seed, run / runs->terms.load_points, c->host);
	for (int m = 0; m < setup->metric_count; m++)
		metric_begin_run(&setup->metrics[m]);
	c->status = runs_make(runs, run, c->host, runs->setup.wants, &c->taker, &seen, error);
	if (is_bad(c->status)) {
		c->bad_source = seen.source;
		c->bad_destination = seen.destination;
	}
	bool here = !runs->setup.shared_run || !comm_rank(setup->comm); /* process 0 keeps the record of a shared run */
	if (c->status == RUN_OK && here && keep_record(c, &seen, error))
		return RUN_FAILED;
	if (c->status == RUN_OK && here && setup->made)
		setup->made(setup->made_data, &seen, c->host);
	if (runs->engine->keep)
		runs->engine->keep(runs->state, &seen, c->status == RUN_OK && here);
	return c->status;
}

/* Returns a run of the batch: first the holes that earlier batches left, then the runs from next on. */
static uint64_t run_of(const struct campaign *c, uint64_t number)
{
	return number < c->made.holes ? c->made.hole[number] : c->made.next + (number - c->made.holes);
}

/* Stops all processes, and keeps for later the runs that this process has taken: begin to end of the batch. */
static void leave_runs(struct campaign *c, uint64_t begin, uint64_t end, struct error *error)
{
	uint64_t taken = comm_next(c->setup->comm, no_more);
	c->taken = taken < c->taken ? taken : c->taken;
	if (begin < end && array_grow(&c->left, &c->left_capacity, c->lefts + (end - begin), sizeof *c->left, error))
		return;
	for (uint64_t number = begin; number < end; number++)
		c->left[c->lefts++] = run_of(c, number);
}

/* Takes runs of a batch from the counter until none is left, a checkpoint is due, or an error occurs in this process. */
static void make_runs(struct campaign *c, uint64_t count, struct error *error)
{
	const double short_run = 1e-5; /* seconds; reading the clock after each would take more than 1% of the time */
	uint64_t processes = (uint64_t)comm_size(c->setup->comm), next = 0;
	bool look = c->deadline < INFINITY, due = false;
	while (next < count && !due) {
		uint64_t share = (count - next) / (8 * processes), chunk = share < 1 ? 1 : share > 64 ? 64 : share;
		next = comm_next(c->setup->comm, chunk);
		progress_show(&c->progress, next < count ? run_of(c, next) : c->made.next, c->setup->runs);
		uint64_t end = next + chunk < count ? next + chunk : count, number = next;
		double started = c->deadline < INFINITY ? now() : 0, time = started;
		for (; number < end && !due; number++) {
			enum run_status result = *c->setup->work->setup.stop ? RUN_INTERRUPTED : make_run(c, run_of(c, number), error);
			if (is_bad(result))
				c->bad_run = run_of(c, number);
			if (result != RUN_OK) {
				leave_runs(c, number, end, error);
				return;
			}
			due = look && (time = now()) >= c->deadline;
		}
		if (c->deadline < INFINITY && next < end) {
			time = look ? time : now();
			due = time >= c->deadline;
			look = time - started > short_run * (double)(end - next);
		}
		if (due)
			leave_runs(c, number, end, error);
	}
}

/* Performs the runs of a batch with all other processes, until a checkpoint is due or an error occurs in any of them. */
static void make_together(struct campaign *c, uint64_t count, struct error *error)
{
	enum { WRONG, DUE, FINE };
	for (uint64_t number = 0; number < count; number++) {
		uint64_t run = run_of(c, number);
		progress_show(&c->progress, run, c->setup->runs);
		enum run_status result = make_run(c, run, error);
		if (is_bad(result))
			c->bad_run = run;
		uint64_t all = comm_min(c->setup->comm, result != RUN_OK ? WRONG : now() >= c->deadline ? DUE : FINE);
		if (all != FINE) {
			c->taken = number + (all == DUE);
			return;
		}
	}
}

static int compare_runs(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

/* Makes the runs of a batch that were taken but not made, or not taken, the holes of the next batch, in all processes. */
static int find_holes(struct campaign *c, struct error *error)
{
	struct comm *comm = c->setup->comm;
	struct made *made = &c->made;
	uint64_t taken = comm_min(comm, c->taken), lefts = c->lefts, count;
	comm_total(comm, &lefts, 1);
	count = lefts + (taken < made->holes ? made->holes - taken : 0);
	size_t bytes;
	uint64_t *hole = array_create(count, sizeof *hole, error);
	uint64_t *all = comm_gather(comm, c->left, c->lefts * sizeof *c->left, &bytes, error);
	if (comm_agree(comm, error)) {
		free(hole);
		free(all);
		return -1;
	}
	if (all)
		memcpy(hole, all, bytes);
	free(all);
	if (taken < made->holes)
		memcpy(hole + lefts, made->hole + taken, (made->holes - taken) * sizeof *hole);
	else
		made->next += taken - made->holes;
	comm_broadcast(comm, hole, lefts * sizeof *hole);
	if (count)
		qsort(hole, count, sizeof *hole, compare_runs);
	free(made->hole);
	made->hole = hole;
	made->holes = count;
	c->lefts = 0;
	return 0;
}

/* Collects all records in process 0. */
static int merge_records(struct campaign *c, struct error *error)
{
	size_t bytes;
	double *all = comm_gather(c->setup->comm, c->records, c->used * sizeof *c->records, &bytes, error);
	c->used = 0;
	if (all) {
		size_t count = bytes / sizeof *all;
		if (count && !array_grow(&c->made.records, &c->made.capacity, c->made.used + count, sizeof *c->made.records, error)) {
			memcpy(c->made.records + c->made.used, all, bytes);
			c->made.used += count;
		}
		free(all);
	}
	return comm_agree(c->setup->comm, error);
}

/* Repeats the first run that had an unroutable pair, in process 0, and reports the pair. */
static int explain_bad_run(struct campaign *c, uint64_t run, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	if (setup->work->setup.shared_run) { /* the pair is known in the process that has the node */
		uint64_t pair = c->bad_run == run ? (uint64_t)c->bad_source << 32 | c->bad_destination : UINT64_MAX;
		pair = comm_min(setup->comm, pair);
		c->bad_source = (uint32_t)(pair >> 32);
		c->bad_destination = (uint32_t)pair;
	}
	if (!comm_rank(setup->comm) && (setup->work->setup.shared_run || is_bad(make_run(c, run, error))))
		setup->work->engine->explain(setup->work->state, c->status, c->bad_source, c->bad_destination, error);
	/* an earlier error stays; this one covers a signal in between, and the other processes */
	error_set(error, STATUS_FABRIC, "run %" PRIu64 " has a pair without a route", run);
	return comm_agree(setup->comm, error);
}

/* Merges the histograms of all processes into that of process 0, and clears the others. */
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
	if (comm_rank(comm))
		histogram_reset(pooled);
	free(mine);
	free(all);
	return comm_agree(comm, error);
}

/* Adds the sums of all processes in process 0, and clears the others. NULL: there are none. */
static void merge_sums(const struct campaign_setup *setup, uint64_t *sum, size_t count)
{
	if (!sum)
		return;
	comm_sum(setup->comm, sum, count);
	if (comm_rank(setup->comm))
		memset(sum, 0, count * sizeof *sum);
}

/* Merges everything but the records, which are merged after each batch. */
static int merge_all(struct campaign *c, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	struct made *made = &c->made;
	uint64_t totals[] = {made->runs, made->connections, made->unroutable};
	comm_sum(setup->comm, totals, sizeof totals / sizeof *totals);
	bool first = !comm_rank(setup->comm);
	made->runs = first ? totals[0] : 0;
	made->connections = first ? totals[1] : 0;
	made->unroutable = first ? totals[2] : 0;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->gathers & METRIC_POOLED && merge_pooled(setup->comm, &setup->metrics[m].pooled, error))
			return -1;
	size_t channels = setup->work->setup.fabric->channels;
	merge_sums(setup, made->sum, channels);
	merge_sums(setup, made->limit, channels);
	merge_sums(setup, made->carried, 2 * channels);
	return 0;
}

/* ---- checkpoints */

/* Loads the runs of a checkpoint, if one is to be resumed. */
static int resume(struct campaign *c, struct error *error)
{
	struct checkpoint *checkpoint = c->setup->checkpoint;
	bool resumes = checkpoint && checkpoint->resume;
	comm_broadcast(c->setup->comm, &resumes, sizeof resumes); /* other processes may have no access to the file */
	if (!resumes)
		return 0;
	if (!comm_rank(c->setup->comm))
		checkpoint_read(checkpoint, &c->made, error);
	if (comm_agree(c->setup->comm, error))
		return -1;
	comm_broadcast(c->setup->comm, &c->made.next, sizeof c->made.next);
	comm_broadcast(c->setup->comm, &c->made.holes, sizeof c->made.holes);
	if (comm_rank(c->setup->comm))
		c->made.hole = array_create(c->made.holes, sizeof *c->made.hole, error);
	if (comm_agree(c->setup->comm, error))
		return -1;
	comm_broadcast(c->setup->comm, c->made.hole, c->made.holes * sizeof *c->made.hole);
	return 0;
}

/* Returns the time of the next checkpoint, after one that took each process so many seconds: when all checkpoints together take 1% of the
 * time, even if the next takes twice as long, as more runs need more space. */
static void set_deadline(struct campaign *c, double cost)
{
	const double share = 0.01;
	const struct checkpoint *checkpoint = c->setup->checkpoint;
	double time = now(), wait = INFINITY;
	if (checkpoint && checkpoint->path)
		wait = fmax(checkpoint->seconds, c->started + (c->spent + 2 * cost) / share - time);
	comm_broadcast(c->setup->comm, &wait, sizeof wait);
	c->deadline = time + wait;
}

/* Writes a checkpoint if it is due, or the last one, which needs no more safety than the result beside it. A failure does not end the runs:
 * the next checkpoint may succeed. */
static int keep(struct campaign *c, bool finished, bool partial, struct error *error)
{
	struct comm *comm = c->setup->comm;
	if (!c->setup->checkpoint || !c->setup->checkpoint->path || (!finished && !partial && comm_min(comm, now() < c->deadline)))
		return 0;
	if (merge_all(c, error))
		return -1;
	struct error failed = {0};
	if (!comm_rank(comm) && checkpoint_write(c->setup->checkpoint, &c->made, !finished, &failed) && c->setup->notes)
		fprintf(c->setup->notes, "orcs: warning: %s; the runs go on\n", failed.text);
	comm_min(comm, 0); /* all have waited for it */
	uint64_t lost = (uint64_t)((now() - c->idle) * 1e9);
	comm_sum(comm, &lost, 1);
	double cost = (double)lost * 1e-9 / comm_size(comm);
	c->spent += cost;
	set_deadline(c, cost);
	return 0;
}

/* ---- batches */

/* Returns the end of the batch after so many runs: the last run, or the next check of the precision. */
static uint64_t batch_end(const struct campaign_setup *setup, uint64_t next)
{
	uint64_t end = setup->runs;
	if (setup->precision > 0)
		for (end = campaign_next_stop(setup->first); end < next;)
			end = campaign_next_stop(end);
	return end < setup->runs ? end : setup->runs;
}

/* Performs the holes and the runs from next to end, until a signal. Returns 0, or -1, also if a run has an unroutable pair. */
static int make_batch(struct campaign *c, uint64_t end, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	uint64_t bad = UINT64_MAX, found;
	do {
		c->bad_run = UINT64_MAX;
		c->taken = c->made.holes + (end - c->made.next);
		comm_restart(setup->comm, 0);
		if (setup->work->setup.shared_run)
			make_together(c, c->taken, error);
		else
			make_runs(c, c->taken, error);
		c->idle = now();
		if (comm_agree(setup->comm, error))
			return -1;
		found = comm_min(setup->comm, c->bad_run);
		bad = found < bad ? found : bad;
		if (find_holes(c, error))
			return -1;
		while (bad != UINT64_MAX && c->made.holes && c->made.hole[c->made.holes - 1] >= bad)
			c->made.holes--;
		end = c->made.next;
		c->deadline = bad == UINT64_MAX ? c->deadline : INFINITY;
	} while (bad != UINT64_MAX && c->made.holes && comm_min(setup->comm, !*setup->work->setup.stop)); /* one of these may be bad, too */
	return bad == UINT64_MAX ? merge_records(c, error) : explain_bad_run(c, bad, error);
}

/* Performs all batches: one, or as many as the precision takes; each in parts that end at checkpoints. */
static int make_batches(struct campaign *c, struct outcome *outcome, struct error *error)
{
	const struct campaign_setup *setup = c->setup;
	const double first_cost = 0.001; /* seconds; assumed before the first checkpoint */
	c->started = now();
	set_deadline(c, first_cost);
	for (;;) {
		uint64_t end = batch_end(setup, c->made.next);
		bool ended = c->made.next == end && !c->made.holes;
		if (ended && setup->precision > 0) {
			if (!comm_rank(setup->comm))
				outcome->precise = precise_enough(c, error);
			comm_broadcast(setup->comm, &outcome->precise, sizeof outcome->precise);
		}
		bool finished = ended && (end == setup->runs || outcome->precise);
		uint64_t stopped = comm_min(setup->comm, *setup->work->setup.stop ? (uint64_t)*setup->work->setup.stop : UINT64_MAX);
		outcome->partial = stopped != UINT64_MAX && !finished;
		outcome->stopped = outcome->partial ? (int)stopped : 0;
		if (keep(c, finished, outcome->partial, error))
			return -1;
		if (finished || outcome->partial)
			return merge_all(c, error);
		if (make_batch(c, ended ? batch_end(setup, end + 1) : end, error))
			return -1;
	}
}

/* Allocates the state of the campaign. */
static void clear(struct campaign *c)
{
	free(c->host);
	free(c->records);
	free(c->made.records);
	free(c->made.hole);
	free(c->left);
}

int campaign_run(const struct campaign_setup *setup, struct outcome *outcome, struct error *error)
{
	struct campaign c = {.setup = setup, .bad_run = UINT64_MAX, .idle = now(), .taker = {.level = take_level}};
	struct runs *runs = setup->work;
	*outcome = (struct outcome){0};
	c.taker.data = &c;
	for (int m = 0; m < setup->metric_count; m++)
		if (setup->metrics[m].metric->pairs)
			c.taker.pairs = take_weighed;
	if (!runs_prepare(runs, error) && runs->engine->channels)
		c.sums = runs->engine->channels(runs->state);
	c.made = (struct made){
		.next = setup->first,
		.width = record_width(&c),
		.sum = c.sums.sum,
		.limit = c.sums.limit,
		.carried = c.sums.carried,
		.channels = runs->setup.fabric->channels,
		.metrics = setup->metrics,
		.metric_count = setup->metric_count,
	};
	c.host = array_create(setup->placement->ranks, sizeof *c.host, error);
	for (int m = 0; m < setup->metric_count; m++) /* also of metrics whose runs other processes make */
		setup->metrics[m].cycles = runs->terms.cycles;
	progress_start(&c.progress, setup->progress && !comm_rank(setup->comm), "runs");
	int failed = comm_agree(setup->comm, error) || resume(&c, error) || make_batches(&c, outcome, error) ||
		     take_outcome(&c, outcome, error) || (setup->ranks && rank_table_merge(setup->ranks, setup->comm, error));
	progress_end(&c.progress);
	clear(&c);
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
	free(outcome->channel_carried);
	*outcome = (struct outcome){0};
}
