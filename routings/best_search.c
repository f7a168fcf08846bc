/* The search: starts from nothing, from the tables of another engine, and from the best ones. */
#include "base/memory.h"
#include "base/random.h"
#include "routings/best.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* SAMPLES: bisections. The passes are those of a start: before it can end, again from earlier tables, and in all. */
enum { SAMPLES = 3000, PASSES_USUAL = 24, PASSES_LEAST = 7, PASSES_AGAIN = 2, PASSES_MOST = 16 };
enum { VAIN_MOST = 60 }; /* starts that do not improve the best tables, before one from nothing */

static const double gain_least = 2e-3, model_gain_least = 1e-4; /* of a pass: with less the start ends; of the expected bandwidth */
static const double changed_share = 0.02;                       /* of the destinations, when a start begins with tables of an earlier one */

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Empties the loads. */
static void reset(struct best *b)
{
	memset(b->load, 0, b->slots * sizeof *b->load);
	memset(b->own, 0, (size_t)b->slots * b->leaves * sizeof *b->own);
	if (b->shift)
		memset(b->shift, 0, (size_t)b->slots * b->graph->fabric->hosts * sizeof *b->shift);
}

/* Returns whether the row leads every leaf to the root, on a shortest path. */
static bool is_whole(const struct best *b)
{
	const struct routing_graph *n = b->graph;
	for (uint32_t l = 0; l < b->leaves; l++) {
		uint32_t node = b->leaf_node[l];
		while (node != b->choices.root && b->choices.distance[node] != NONE) {
			uint32_t c = n->column[node] == NONE ? NONE : b->row[n->column[node]];
			if (c == NONE || b->choices.distance[n->fabric->head[c]] + 1 != b->choices.distance[node])
				return false;
			node = n->fabric->head[c];
		}
	}
	return true;
}

/* Takes the tables of another engine as the start. Returns whether it has a shortest route for every pair that can have one. */
static bool start_from(struct best *b, const char *engine)
{
	const struct routing_graph *n = b->graph;
	struct routing_task task = *b->task;
	struct routed made = {0};
	struct error ignored = {0};
	task.whole = false;
	bool whole = !routing_run(&made, engine, &task, &ignored) && made.next;
	for (uint32_t g = 0; g < n->groups && whole; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1] && whole; m++) {
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			memcpy(b->row, routed_row(&made, n, n->member[m]), n->columns * sizeof *b->row);
			if ((whole = is_whole(b)))
				best_put_tree(b, true);
		}
	}
	routed_clear(&made);
	if (!whole)
		reset(b);
	return whole;
}

/* Returns the node of a leaf where the routes of a host begin, NONE if there is none. */
static uint32_t start_of(const struct best *b, uint32_t host)
{
	uint32_t column = routing_start_column(b->graph, host);
	return column == NONE || b->leaf_of[b->graph->node[column]] == NONE ? NONE : b->graph->node[column];
}

/* Returns the time of a message on the first link of a host. */
static double link_time(const struct best *b, uint32_t host)
{
	const struct fabric *f = b->graph->fabric;
	uint32_t c = f->first_channel[f->host_node[host]];
	return b->task->args[IGNORE_SPEEDS].integer || c == f->first_channel[f->host_node[host] + 1] ? 1 : 1 / f->speed[c];
}

/* Adds a route to the loads of a run, or returns the largest load on it, divided by speeds: at least that of its ends alone. */
static double follow(const struct best *b, uint32_t source, uint32_t destination, double ends, uint32_t *load, bool add)
{
	const struct routing_graph *n = b->graph;
	const uint32_t *row = routed_row(b->routed, n, destination);
	uint32_t node = start_of(b, source), column;
	double most = ends;
	while (node != NONE && (column = n->column[node]) != NONE && row[column] != NONE) {
		uint32_t s = b->slot[row[column]];
		if (s != NONE && add)
			load[s]++;
		else if (s != NONE)
			most = fmax(most, load[s] * b->scale[s]);
		node = n->fabric->head[row[column]];
	}
	return most;
}

/* Returns the mean bandwidth of random bisections, which are the same for all tables. */
static double sampled(const struct best *b, uint32_t *host, uint32_t *load)
{
	uint32_t hosts = b->graph->fabric->hosts;
	double sum = 0;
	for (uint32_t run = 0; run < SAMPLES; run++) {
		struct random random;
		random_start(&random, b->task->seed, RANDOM_ROUTE, UINT64_C(1) << 63 | run);
		for (uint32_t i = 0; i < hosts; i++) {
			uint32_t j = (uint32_t)((uint64_t)random_bits(&random) * (i + 1) >> 32);
			host[i] = host[j];
			host[j] = i;
		}
		memset(load, 0, b->slots * sizeof *load);
		for (int add = 1; add >= 0; add--)
			for (uint32_t i = 0; i + 1 < hosts; i += 2) {
				double ends = fmax(link_time(b, host[i]), link_time(b, host[i + 1]));
				double most = follow(b, host[i], host[i + 1], ends, load, add);
				sum += add ? 0 : ends / most;
			}
	}
	return sum / SAMPLES / (hosts / 2);
}

/* The passes over all starts. */
struct search {
	double begun, limit; /* seconds; limit 0: none */
	uint64_t passes, most;
	double first, best;    /* objectives: of the first pass, and of the best start */
	double value;          /* by which that is the best: for bisections their mean bandwidth, negative; otherwise what a pass reached */
	uint32_t *next;        /* its tables */
	double since_value;    /* the same of the starts since the last one from nothing */
	uint32_t *since;       /* their best tables */
	unsigned vain;         /* starts that did not improve them */
	uint32_t *order;       /* [groups] */
	uint32_t *host, *load; /* [hosts], [slots] of samples */
};

/* Returns the objective of the tables: of bisections their mean bandwidth, otherwise by the costs of the last passes: those of the first
 * ones have other powers, and the first of all costs each tree without the trees that follow. */
static double measure(struct best *b, struct search *s)
{
	const struct routing_graph *n = b->graph;
	double total = 0;
	if (b->objective == FOR_BISECTIONS)
		return sampled(b, s->host, s->load);
	best_prepare(b, PASSES_EASY);
	for (uint32_t g = 0; g < n->groups && b->objective == FOR_BOTH; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			best_put_tree(b, false);
			total += best_tree_cost(b);
			best_put_tree(b, true);
		}
	}
	return best_reached(b, total);
}

static bool goes_on(const struct search *s)
{
	return s->passes < s->most && (!s->passes || !(s->limit > 0) || seconds() - s->begun < s->limit);
}

/* Keeps the tables if they are the best of all, or of the starts since one from nothing. */
static void keep_best(struct best *b, struct search *s, double reached)
{
	size_t bytes = (size_t)b->graph->fabric->hosts * b->graph->columns * sizeof *s->next;
	bool models = b->objective == FOR_BISECTIONS;
	double value = models ? -measure(b, s) : reached;
	s->vain = value < s->since_value ? 0 : s->vain + 1;
	if (value < s->since_value) {
		s->since_value = value;
		memcpy(s->since, b->routed->next, bytes);
	}
	if (value < s->value) {
		s->best = models ? -value : measure(b, s);
		s->value = value;
		memcpy(s->next, b->routed->next, bytes);
	}
}

/* Puts the best tables since a start from nothing in, and random paths to some destinations. */
static void start_again(struct best *b, const struct search *s, unsigned start)
{
	const struct routing_graph *n = b->graph;
	const struct choices *choices = &b->choices;
	struct random random;
	random_start(&random, b->task->seed, RANDOM_ROUTE, (uint64_t)start << 32 | UINT32_MAX);
	memcpy(b->routed->next, s->since, (size_t)n->fabric->hosts * n->columns * sizeof *s->since);
	for (uint32_t g = 0; g < n->groups; g++) {
		choices_shortest(&b->choices, n->root[g]);
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			bool other = random_bits(&random) < changed_share * UINT32_MAX;
			b->row = routed_row(b->routed, n, n->member[m]);
			b->target = b->position_of[n->member[m]];
			for (uint32_t i = 0; i < choices->count && other; i++) {
				uint32_t count = choices->first[i + 1] - choices->first[i];
				uint32_t chosen = (uint32_t)((uint64_t)random_bits(&random) * count >> 32);
				b->row[n->column[choices->order[i]]] = choices->channel[choices->first[i] + chosen];
			}
			best_put_tree(b, true);
		}
	}
}

enum beginning { FROM_NOTHING, FROM_ENGINE, FROM_BEST };

/* Begins a start: the first from nothing, the second from another engine, later ones from the best tables until that was in vain. */
static enum beginning begin_start(struct best *b, struct search *s, unsigned start)
{
	reset(b);
	if (start == 1 && start_from(b, "ftree-orcs"))
		return FROM_ENGINE;
	if (start > 1 && b->objective != FOR_ALL && s->vain < VAIN_MOST) {
		start_again(b, s, start);
		return FROM_BEST;
	}
	if (start > 1) {
		s->vain = 0;
		s->since_value = INFINITY;
	}
	return FROM_NOTHING;
}

/* Runs the passes of a start, and keeps its tables if they are the best. */
static void run_start(struct best *b, struct search *s, unsigned start)
{
	enum beginning from = begin_start(b, s, start);
	bool models = b->objective == FOR_BISECTIONS, again = from == FROM_BEST;
	unsigned least = again ? PASSES_AGAIN : PASSES_LEAST, p = 0;
	double now = INFINITY, before = INFINITY, gain = models ? model_gain_least : gain_least;
	if (from == FROM_ENGINE && models)
		keep_best(b, s, 0);
	if (from != FROM_NOTHING && models)
		best_damp(b);
	for (; p < PASSES_MOST && goes_on(s); p++) {
		before = now;
		now = best_pass(b, start, p + (again ? PASSES_EASY : 0), from == FROM_NOTHING && !p, s->order);
		if (!s->passes++)
			s->first = measure(b, s);
		if (b->task->progress) {
			char text[120];
			snprintf(text, sizeof text, "start %u, pass %u: %s %.9g after %.1f s", start + 1, p + 1,
				best_objectives[b->objective], measure(b, s), seconds() - s->begun);
			b->task->progress(text);
		}
		if (p + 1 >= least && before - now < gain * fabs(now))
			break;
	}
	if (p + 1 >= least || !start) /* one that was cut short is not comparable */
		keep_best(b, s, now);
}

void best_search(struct best *b)
{
	const struct arg_value *args = b->task->args;
	size_t entries = (size_t)b->graph->fabric->hosts * b->graph->columns;
	struct search s = {.begun = seconds(), .limit = (double)args[TIME].integer, .value = INFINITY, .since_value = INFINITY};
	s.most = args[PASSES].integer ? (uint64_t)args[PASSES].integer : s.limit > 0 ? UINT64_MAX : PASSES_USUAL;
	s.order = array_create(b->graph->groups, sizeof *s.order, b->error);
	s.next = array_create(entries, sizeof *s.next, b->error);
	s.since = array_create(entries, sizeof *s.since, b->error);
	s.host = array_create(b->graph->fabric->hosts, sizeof *s.host, b->error);
	s.load = array_create(b->slots, sizeof *s.load, b->error);
	for (unsigned start = 0; !b->error->status && goes_on(&s); start++)
		run_start(b, &s, start);
	if (!b->error->status) {
		memcpy(b->routed->next, s.next, entries * sizeof *s.next);
		snprintf(b->routed->note, sizeof b->routed->note, "objective %s: %.9g after the first pass, %.9g after %" PRIu64 " passes",
			best_objectives[b->objective], s.first, s.best, s.passes);
	}
	if (!b->error->status && s.limit > 0) {
		size_t used = strlen(b->routed->note);
		snprintf(b->routed->note + used, sizeof b->routed->note - used, "; passes=%" PRIu64 " repeats this", s.passes);
	}
	free(s.order);
	free(s.next);
	free(s.since);
	free(s.host);
	free(s.load);
}
