#include "tools/order/rank_order.h"

#include "base/memory.h"
#include "base/random.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROPOSALS = 4096, PASSES = 120, SAMPLES = 256, GROWTH = 4, PARTS = 16, FEW_LEVELS = 64 };
#define MEMORY_MOST (UINT64_C(1) << 30) /* bytes of loads: with more, the search sees a part of the levels */
#define WARMTH 0.01                     /* temperature at the beginning of a cycle, relative to the usual loss of an exchange */
#define COLDEST 1e-3                    /* temperature at its end, relative to its beginning */

/* ---- sums and bounds */

/* Returns the load that a level has in any order: that of a host's link, if each host has one rank. Several ranks of a host need no link.
 */
static double least_load(const struct rank_messages *messages, const struct rank_slots *slots, uint32_t level)
{
	return slots->per_host > 1 ? 0 : messages->least[level] / slots->routes->fastest;
}

double rank_order_sum(const struct rank_messages *messages, const struct rank_slots *slots, const uint32_t *slot, struct error *error)
{
	const struct slot_routes *r = slots->routes;
	double *load = array_create(r->channels, sizeof *load, error), sum = 0;
	for (uint32_t l = 0; l < messages->levels && load; l++) {
		double most = least_load(messages, slots, l);
		for (int again = 0; again < 2; again++)
			for (uint64_t i = messages->first[l]; i < messages->first[l + 1]; i++) {
				const struct rank_message *m = &messages->message[i];
				uint32_t hops, from = slot[m->sender] / slots->per_host, to = slot[m->receiver] / slots->per_host;
				if (from == to)
					continue;
				const uint32_t *hop = slot_route(r, from, to, &hops);
				for (uint32_t h = 0; h < hops; h++) {
					double *at = &load[hop[h] >> STEP_BITS];
					*at = again ? 0 : *at + m->weight * (r->share ? r->share[hop + h - r->hop] : 1);
					most = *at > most ? *at : most;
				}
			}
		sum += most * messages->times[l];
	}
	free(load);
	return sum;
}

static int descending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a < b) - (a > b);
}

static int ascending(const void *left, const void *right)
{
	return descending(right, left);
}

/*
 * Returns what so many ranks under a leaf, whichever they are, send at least to the others in all levels: each keeps its heaviest
 * receivers. sent: [count] the sums of all levels, by ranks. work: [2 * ranks].
 */
static double least_sent(const struct rank_message *sent, uint64_t count, uint32_t all, uint32_t ranks, double *work)
{
	double *own = work, *weight = work + all, sum = 0;
	uint64_t at = 0;
	for (uint32_t k = 0; k < all; k++) {
		uint32_t n = 0;
		double total = 0;
		for (; at < count && sent[at].sender == k; at++)
			total += weight[n++] = sent[at].weight;
		qsort(weight, n, sizeof *weight, descending);
		for (uint32_t i = 0; i < n && i + 1 < ranks; i++)
			total -= weight[i];
		own[k] = fmax(total, 0);
	}
	qsort(own, all, sizeof *own, ascending);
	for (uint32_t i = 0; i < ranks; i++)
		sum += own[i];
	return sum;
}

double rank_order_bound(const struct rank_messages *messages, const struct rank_slots *slots, const uint32_t *used, struct error *error)
{
	const struct rank_messages *d = messages;
	const struct slot_routes *r = slots->routes;
	double bound = 0;
	for (uint32_t l = 0; l < d->levels; l++)
		bound += d->times[l] * least_load(d, slots, l);
	if (!used)
		return bound;
	uint64_t count = d->first[d->levels];
	struct rank_message *sent = array_copy(d->message, count, sizeof *sent, error);
	double *work = array_create(d->ranks, 2 * sizeof *work, error);
	double *least = array_create((size_t)d->ranks + 1, sizeof *least, error); /* by number of ranks; NAN: not known yet */
	for (uint32_t i = 0; i <= d->ranks && !error->status; i++)
		least[i] = NAN;
	for (uint32_t l = 0; l < d->levels && !error->status; l++)
		for (uint64_t i = d->first[l]; i < d->first[l + 1]; i++)
			sent[i].weight *= d->times[l];
	if (!error->status)
		count = rank_messages_merge(sent, count);
	for (uint32_t leaf = 0; leaf < r->leaves && !error->status; leaf++) {
		if (!used[leaf] || r->uplink[leaf] <= 0 || !isfinite(r->uplink[leaf]))
			continue;
		if (isnan(least[used[leaf]]))
			least[used[leaf]] = least_sent(sent, count, d->ranks, used[leaf], work);
		bound = fmax(bound, least[used[leaf]] / r->uplink[leaf]);
	}
	free(least);
	free(sent);
	free(work);
	return bound;
}

/* ---- the search */

/* A message of a rank, as the search sees it. */
struct end {
	uint32_t level, other, weight; /* weight: twice, + 1 if the rank receives it */
};

struct search {
	struct rank_search *task;
	const struct slot_routes *routes;
	uint32_t levels;
	uint64_t *first; /* [ranks + 1] */
	struct end *end; /* [first[ranks]] */
	uint32_t *load;  /* [levels][channels] in steps */
	uint32_t *floor; /* [levels] loads up to here are free */
	double *times;   /* [levels] */
	uint32_t *slot;  /* [ranks] */
	uint32_t *rank;  /* [slots] NONE: free */
	double cost;
	struct random random;
};

static inline double cost_of(uint32_t load, uint32_t floor)
{
	double x = load;
	return load > floor ? x * x * x : 0;
}

/* Adds the messages of a rank in the levels below `end` to the loads, or takes them away (sign -1), but those with `except`. *at: the first
 * of them, and then the first of the next levels. Returns how the cost changes. */
static double change(struct search *s, uint32_t rank, uint32_t except, uint32_t end, int sign, uint64_t *at)
{
	const struct slot_routes *r = s->routes;
	uint32_t per_host = s->task->slots.per_host, own = s->slot[rank] / per_host;
	double delta = 0;
	for (; *at < s->first[rank + 1] && s->end[*at].level < end; ++*at) {
		const struct end *e = &s->end[*at];
		uint32_t hops, other = s->slot[e->other] / per_host;
		if (e->other == except || other == own)
			continue;
		const uint32_t *hop = e->weight & 1 ? slot_route(r, other, own, &hops) : slot_route(r, own, other, &hops);
		uint32_t *load = s->load + (size_t)e->level * r->channels, floor = s->floor[e->level];
		int32_t weight = sign * (int32_t)(e->weight >> 1);
		double level = 0;
		for (uint32_t h = 0; h < hops; h++) {
			uint32_t *channel = &load[hop[h] >> STEP_BITS], before = *channel;
			*channel += (uint32_t)(weight * (int32_t)(hop[h] & ((1 << STEP_BITS) - 1)));
			level += cost_of(*channel, floor) - cost_of(before, floor);
		}
		delta += level * s->times[e->level];
	}
	return delta;
}

/* An exchange: a rank and the slot to which it goes; the other rank, which is there, or NONE. */
struct exchange {
	uint32_t rank, other, from, to;
	uint64_t at[2]; /* the next messages of both */
};

static void place(struct search *s, uint32_t rank, uint32_t slot)
{
	if (rank != NONE)
		s->slot[rank] = slot;
}

/* Makes the loads of the levels below `end`, as far as they are not yet, those of the exchange. Returns how the cost changes. */
static double change_both(struct search *s, struct exchange *x, uint32_t end)
{
	double delta = 0;
	uint64_t begin[2] = {x->at[0], x->at[1]};
	for (int sign = -1; sign <= 1; sign += 2) {
		x->at[0] = begin[0];
		x->at[1] = begin[1];
		delta += change(s, x->rank, NONE, end, sign, &x->at[0]);
		if (x->other != NONE)
			delta += change(s, x->other, x->rank, end, sign, &x->at[1]);
		if (sign < 0) {
			place(s, x->rank, x->to);
			place(s, x->other, x->from);
		}
	}
	place(s, x->rank, x->from);
	place(s, x->other, x->to);
	return delta;
}

static void begin_exchange(const struct search *s, struct exchange *x, uint32_t rank, uint32_t slot)
{
	*x = (struct exchange){rank, s->rank[slot], s->slot[rank], slot, {s->first[rank], 0}};
	x->at[1] = x->other == NONE ? 0 : s->first[x->other];
}

/* Both ranks have changed places. */
static void end_exchange(struct search *s, const struct exchange *x)
{
	s->rank[x->to] = x->rank;
	s->rank[x->from] = x->other;
	place(s, x->rank, x->to);
	place(s, x->other, x->from);
}

/* Takes an exchange back whose loads are made below `end`. */
static void undo(struct search *s, struct exchange *x, uint32_t end)
{
	struct exchange back = {x->rank, x->other, x->to, x->from, {s->first[x->rank], x->other == NONE ? 0 : s->first[x->other]}};
	place(s, x->rank, x->to);
	place(s, x->other, x->from);
	change_both(s, &back, end);
	place(s, x->rank, x->from);
	place(s, x->other, x->to);
}

/*
 * Proposes an exchange at a temperature. With many levels it is rejected as soon as the first of them leave little hope, which saves most
 * of the work: the sum of the parts so far is above the limit by more than twice its standard deviation.
 */
static void propose(struct search *s, double temperature)
{
	const struct rank_search *task = s->task;
	uint32_t rank = random_below(&s->random, task->messages->ranks), slot = random_below(&s->random, task->slots.slots);
	double draw = random_bits(&s->random) * 0x1p-32, limit = temperature > 0 ? -temperature * log(draw) : 0, delta = 0, squares = 0;
	if (s->slot[rank] / task->slots.per_host == slot / task->slots.per_host)
		return;
	struct exchange x;
	uint32_t parts = s->levels < FEW_LEVELS ? 1 : PARTS, end = 0;
	begin_exchange(s, &x, rank, slot);
	for (uint32_t part = 1; part <= parts; part++) {
		end = (uint32_t)((uint64_t)s->levels * part / parts);
		double more = change_both(s, &x, end);
		delta += more;
		squares += more * more;
		if (part == parts ? delta > limit : part > 1 && delta > limit + 2 * sqrt(fmax(0, squares - delta * delta / part))) {
			undo(s, &x, end);
			return;
		}
	}
	end_exchange(s, &x);
	s->cost += delta;
}

/* Computes all loads anew, and their cost: sums of rounded numbers do not grow old. */
static void count_all(struct search *s)
{
	const struct rank_messages *d = s->task->messages;
	s->cost = 0;
	memset(s->load, 0, (size_t)s->levels * s->routes->channels * sizeof *s->load);
	for (uint32_t slot = 0; slot < s->task->slots.slots; slot++)
		s->rank[slot] = NONE;
	for (uint32_t k = 0; k < d->ranks; k++)
		s->rank[s->slot[k]] = k;
	/* every message is known to both of its ranks, and counts once */
	for (uint32_t k = 0; k < d->ranks; k++)
		for (uint64_t i = s->first[k]; i < s->first[k + 1]; i++) {
			const struct end *e = &s->end[i];
			uint32_t hops, per_host = s->task->slots.per_host, from = s->slot[k] / per_host, to = s->slot[e->other] / per_host;
			if (e->weight & 1 || from == to)
				continue;
			const uint32_t *hop = slot_route(s->routes, from, to, &hops);
			for (uint32_t h = 0; h < hops; h++)
				s->load[(size_t)e->level * s->routes->channels + (hop[h] >> STEP_BITS)] +=
					(e->weight >> 1) * (hop[h] & ((1 << STEP_BITS) - 1));
		}
	for (uint32_t l = 0; l < s->levels; l++)
		for (uint32_t c = 0; c < s->routes->channels; c++)
			s->cost += s->times[l] * cost_of(s->load[(size_t)l * s->routes->channels + c], s->floor[l]);
}

/* Returns the factor by which weights become integers. */
static double scale_of(const struct rank_messages *d, uint32_t unit)
{
	double least = INFINITY, most = 0, level_most = 0;
	for (uint32_t l = 0; l < d->levels; l++) {
		double sum = 0;
		for (uint64_t i = d->first[l]; i < d->first[l + 1]; i++) {
			double w = d->message[i].weight;
			least = fmin(least, w);
			most = fmax(most, w);
			sum += w;
		}
		level_most = fmax(level_most, sum);
	}
	return least == most ? 1 / most : fmin(1000 / most, 0x1p30 / STEP_BITS / (level_most * unit));
}

/* Lists the messages of each rank, in the levels that the search sees. */
static int list_ends(struct search *s, struct error *error)
{
	const struct rank_messages *d = s->task->messages;
	double scale = scale_of(d, s->routes->unit);
	s->first = array_create((size_t)d->ranks + 2, sizeof *s->first, error);
	s->floor = array_create(s->levels, sizeof *s->floor, error);
	s->times = array_create(s->levels, sizeof *s->times, error);
	for (int fill = 0; fill < 2 && !error->status; fill++) {
		for (uint32_t seen = 0; seen < s->levels; seen++) {
			uint32_t l = (uint32_t)((uint64_t)seen * d->levels / s->levels);
			s->times[seen] = d->times[l];
			s->floor[seen] = (uint32_t)(least_load(d, &s->task->slots, l) * scale * s->routes->unit);
			for (uint64_t i = d->first[l]; i < d->first[l + 1]; i++) {
				const struct rank_message *m = &d->message[i];
				uint32_t weight = (uint32_t)fmax(1, round(m->weight * scale));
				if (fill) {
					s->end[s->first[m->sender + 1]++] = (struct end){seen, m->receiver, 2 * weight};
					s->end[s->first[m->receiver + 1]++] = (struct end){seen, m->sender, 2 * weight + 1};
				} else {
					s->first[m->sender + 2]++;
					s->first[m->receiver + 2]++;
				}
			}
		}
		for (uint32_t k = 0; k < d->ranks && !fill; k++)
			s->first[k + 2] += s->first[k + 1];
		if (!fill)
			s->end = array_create(s->first[d->ranks + 1], sizeof *s->end, error);
	}
	return error->status ? -1 : 0;
}

/* Returns the mean by which exchanges of the best order worsen it. */
static double usual_loss(struct search *s)
{
	const struct rank_search *task = s->task;
	double sum = 0;
	uint32_t count = 0;
	for (int i = 0; i < SAMPLES; i++) {
		uint32_t rank = random_below(&s->random, task->messages->ranks), slot = random_below(&s->random, task->slots.slots);
		struct exchange x;
		begin_exchange(s, &x, rank, slot);
		double delta = change_both(s, &x, s->levels);
		undo(s, &x, s->levels);
		sum += delta > 0 ? delta : 0;
		count += delta > 0;
	}
	return count ? sum / count : 0;
}

/* Keeps the present order if it is better than the best so far. */
static void keep(struct search *s, double *best_cost, struct error *error)
{
	struct rank_search *task = s->task;
	double sum = rank_order_sum(task->messages, &task->slots, s->slot, error);
	if (sum > task->sum || (sum == task->sum && s->cost >= *best_cost))
		return;
	task->sum = sum;
	*best_cost = s->cost;
	memcpy(task->slot, s->slot, task->messages->ranks * sizeof *s->slot);
}

/* One annealing of so many passes, from the best order so far. */
static void anneal(struct search *s, uint64_t passes, double *best_cost, struct error *error)
{
	struct rank_search *task = s->task;
	memcpy(s->slot, task->slot, task->messages->ranks * sizeof *s->slot);
	random_start(&s->random, task->seed, RANDOM_ORDER, task->done);
	count_all(s);
	double hottest = WARMTH * usual_loss(s);
	for (uint64_t pass = 0; pass < passes && task->sum > task->bound && !error->status; pass++) {
		double part = passes > 1 ? (double)pass / (double)(passes - 1) : 1;
		double temperature = pass + 1 < passes ? hottest * pow(COLDEST, part) : 0;
		for (int i = 0; i < PROPOSALS; i++)
			propose(s, temperature);
		keep(s, best_cost, error);
	}
	task->done += passes;
	if (task->progress)
		task->progress(task->done, task->sum);
}

/*
 * Cycles of 1, 4, 16, … passes and a last one of the rest, so that a number of passes stands for one result, whether it was given or is
 * what the time allowed.
 */
static void run_cycles(struct search *s, struct error *error)
{
	struct rank_search *task = s->task;
	double begin = now(), best_cost = s->cost;
	uint64_t passes = task->passes ? task->passes : task->seconds > 0 ? 0 : PASSES, cycle = 1;
	for (bool last = false; !last && task->sum > task->bound && !error->status; cycle *= GROWTH) {
		uint64_t left = passes - task->done;
		if (!passes && task->done)
			left = (uint64_t)fmax(0, floor((double)task->done * (task->seconds / (now() - begin) - 1)));
		last = (passes || task->done) && left <= cycle;
		uint64_t length = last ? left : cycle;
		if (length)
			anneal(s, length, &best_cost, error);
	}
}

static void clear(struct search *s)
{
	free(s->first);
	free(s->end);
	free(s->load);
	free(s->floor);
	free(s->times);
	free(s->slot);
	free(s->rank);
}

int rank_order_search(struct rank_search *search, struct error *error)
{
	const struct rank_messages *d = search->messages;
	const struct slot_routes *r = search->slots.routes;
	struct search s = {.task = search, .routes = r, .levels = d->levels};
	double bytes = (double)r->channels * sizeof *s.load * d->levels;
	if (bytes > (double)MEMORY_MOST)
		s.levels = (uint32_t)fmax(1, floor(d->levels * ((double)MEMORY_MOST / bytes)));
	search->levels = s.levels;
	search->done = 0;
	search->sum = rank_order_sum(d, &search->slots, search->slot, error);
	s.load = array_create((size_t)s.levels * r->channels, sizeof *s.load, error);
	s.slot = array_copy(search->slot, d->ranks, sizeof *s.slot, error);
	s.rank = array_create(search->slots.slots, sizeof *s.rank, error);
	if (!error->status && !list_ends(&s, error)) {
		count_all(&s);
		run_cycles(&s, error);
	}
	clear(&s);
	return error->status ? -1 : 0;
}
