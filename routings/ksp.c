/*
 * Several routes per pair, the shortest first: ksp takes K of them, allpath all that are at most that many channels longer than the
 * shortest. Routes are loopless; parallel cables make different routes. Found by the algorithm of Yen (Finding the K Shortest Loopless
 * Paths in a Network, Management Science 1971) with the partition of Lawler (A Procedure for Computing the K Best Solutions to Discrete
 * Optimization Problems, Management Science 1972). Its searches know the distance of each node from the end, and stop when enough shorter
 * routes are known. Among routes of equal length the choice is random, drawn for each pair of places. Time for each pair of places:
 * O(routes * hops) searches; a search enters few more nodes than it finds, in the worst case all.
 */
#include "base/memory.h"
#include "base/random.h"
#include "base/spelling.h"
#include "routings/ksp_workspace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KSP_PURPOSE = 0x6b7370 /* purpose of random streams, different from those of base/random.h */ };

/* Makes the distances from a node, the end of the routes, known. */
void ksp_measure(struct search *s, uint32_t end)
{
	const bool *passes = s->shortest->passes;
	s->closed[s->end] = !passes[s->end];
	s->end = s->shortest->place[end];
	s->closed[s->end] = false;
	s->row = shortest_routes_distances(s->shortest, end);
}

/* Returns the distance of a place from the end, in channels; NONE: no path. */
static inline uint32_t distance_of(const struct search *s, uint32_t place)
{
	return s->row->near ? s->row->near[place] - 1U : s->row->wide[place] - 1;
}

/* Closes a place for this search. */
static void close_place(struct search *s, uint32_t place)
{
	s->closed[place] = true;
	s->entered[s->entries++] = place;
}

/* Opens all places that were closed for the last search. */
static void open_places(struct search *s)
{
	while (s->entries) {
		uint32_t place = s->entered[--s->entries];
		s->closed[place] = place != s->end && !s->shortest->passes[place];
	}
}

static bool is_barred(const struct search *s, uint32_t list, uint32_t channel)
{
	for (; list != NONE; list = s->barred[list].next)
		if (s->barred[list].channel == channel)
			return true;
	return false;
}

/* Removes the barred channels from the choices. Returns how many are left. */
static uint32_t remove_barred(struct search *s, uint32_t count, uint32_t barred)
{
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++)
		if (!is_barred(s, barred, s->shortest->out[s->choice[i]]))
			s->choice[left++] = s->choice[i];
	return left;
}

/*
 * Lists the channels from a place by which routes may go on, in order, as numbers of r->out. Returns their number. Without branches that
 * depend on the places, as half of these would be mispredicted.
 */
static uint32_t list_choices(struct search *s, uint32_t place, uint32_t hops, uint32_t barred)
{
	const struct shortest_routes *r = s->shortest;
	const struct distance_row row = *s->row;
	const uint32_t *head = r->head, last = r->first_out[place + 1], most = s->limit - hops - 1;
	const bool *closed = s->closed;
	uint32_t count = 0, *choice = s->choice;
	if (hops >= s->limit)
		return 0;
	for (uint32_t i = r->first_out[place]; i < last; i++) {
		uint32_t to = head[i], far = row.near ? row.near[to] - 1U : row.wide[to] - 1;
		choice[count] = i;
		count += (far <= most) & !closed[to];
	}
	return barred == NONE ? count : remove_barred(s, count, barred);
}

/* Pushes the places after one onto the stacks of their bounds, in random order. Returns 0, or -1. */
static int go_on(struct search *s, uint32_t place, uint32_t hops, uint32_t barred, struct error *error)
{
	uint32_t count = list_choices(s, place, hops, barred);
	if (array_grow(&s->step, &s->step_capacity, s->steps + count, sizeof *s->step, error))
		return -1;
	random_shuffle(&s->random, s->choice, count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t to = s->shortest->head[s->choice[i]], bound = hops + 1 + distance_of(s, to);
		s->step[s->steps] = (struct step){to, place, s->choice[i], hops + 1, s->stack[bound]};
		s->stack[bound] = (uint32_t)s->steps++;
		s->highest = bound > s->highest ? bound : s->highest;
	}
	return 0;
}

/*
 * Finds a shortest route from a place, hops channels after the beginning, that enters no closed place and does not begin with a
 * barred channel. Takes the least bound first, which never decreases along a route (Hart, Nilsson, Raphael: A Formal Basis for the
 * Heuristic Determination of Minimum Cost Paths, IEEE Transactions on Systems Science and Cybernetics 1968). Writes its hops to route
 * from index hops. Returns its length including the part before; NONE if there is none within the limit, or on errors.
 */
static uint32_t find_route(struct search *s, uint32_t from, uint32_t hops, uint32_t barred, struct error *error)
{
	const struct shortest_routes *r = s->shortest;
	uint32_t bound = hops + distance_of(s, from), lowest = bound, found = NONE;
	s->steps = 0;
	s->highest = 0;
	if (go_on(s, from, hops, barred, error))
		return NONE;
	for (; bound <= s->limit && found == NONE && !error->status; bound++)
		while (s->stack[bound] != NONE && found == NONE && !error->status) {
			struct step step = s->step[s->stack[bound]];
			s->stack[bound] = step.next;
			if (s->closed[step.place])
				continue;
			close_place(s, step.place);
			s->by[step.place] = (struct path_hop){step.choice, step.from};
			if (step.place == s->end)
				found = step.hops;
			else
				go_on(s, step.place, step.hops, NONE, error);
		}
	for (uint32_t b = lowest; b <= s->highest; b++)
		s->stack[b] = NONE;
	for (uint32_t v = s->end, i = found; found != NONE && i > hops; v = s->by[v].place)
		s->route[--i] = (struct path_hop){r->out[s->by[v].channel], v};
	return error->status ? NONE : found;
}

/* ---- candidates */

static bool comes_before(const struct path_candidate *a, const struct path_candidate *b)
{
	if (a->length != b->length)
		return a->length < b->length;
	return a->chance != b->chance ? a->chance < b->chance : a->start < b->start;
}

/* Lowers the limit to the least length within which there are as many candidates as wanted. */
static void lower_limit(struct search *s)
{
	if (s->limit >= s->lengths && s->within >= s->wanted)
		s->limit = s->lengths ? s->lengths - 1 : 0; /* no candidate is longer */
	while (s->limit && s->within - s->of_length[s->limit] >= s->wanted)
		s->within -= s->of_length[s->limit--];
}

/* Adds the route of this length that was found by leaving another at a turn. Returns 0, or -1. */
static int add_candidate(struct search *s, uint32_t length, uint32_t turn, uint32_t barred, struct error *error)
{
	if (array_grow(&s->heap, &s->heap_capacity, s->candidates + 1, sizeof *s->heap, error) ||
		array_grow(&s->hop, &s->hop_capacity, s->hops + length + 1, sizeof *s->hop, error))
		return -1;
	struct path_candidate new = {s->hops, length, random_bits(&s->random), turn, barred};
	memcpy(s->hop + s->hops, s->route, length * sizeof *s->hop);
	s->hops += length;
	size_t at = s->candidates++;
	for (; at && comes_before(&new, &s->heap[(at - 1) / 2]); at = (at - 1) / 2)
		s->heap[at] = s->heap[(at - 1) / 2];
	s->heap[at] = new;
	s->of_length[length]++;
	s->lengths = length + 1 > s->lengths ? length + 1 : s->lengths;
	s->within++;
	lower_limit(s);
	return 0;
}

static struct path_candidate take_candidate(struct search *s)
{
	struct path_candidate first = s->heap[0], last = s->heap[--s->candidates];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < s->candidates; at = child) {
		if (child + 1 < s->candidates && comes_before(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (comes_before(&last, &s->heap[child]))
			break;
		s->heap[at] = s->heap[child];
	}
	s->heap[at] = last;
	s->of_length[first.length]--;
	s->within--;
	s->wanted--;
	lower_limit(s);
	return first;
}

/* Finds the candidates of the sets that remain beside a route: those that leave it at its turn, or at any later place. Returns 0, or -1. */
static int branch(struct search *s, const struct path_candidate *c, uint32_t from, struct error *error)
{
	for (uint32_t i = c->turn; i < c->length; i++) {
		const struct path_hop *hop = s->hop + c->start;
		if (array_grow(&s->barred, &s->barred_capacity, s->bars + 1, sizeof *s->barred, error))
			return -1;
		uint32_t barred = (uint32_t)s->bars++;
		s->barred[barred] = (struct barred){hop[i].channel, i == c->turn ? c->barred : NONE};
		open_places(s);
		close_place(s, from);
		for (uint32_t k = 0; k < i; k++)
			close_place(s, hop[k].place);
		memcpy(s->route, hop, i * sizeof *s->route);
		uint32_t length = find_route(s, i ? hop[i - 1].place : from, i, barred, error);
		if (error->status || (length != NONE && add_candidate(s, length, i, barred, error)))
			return -1;
	}
	return 0;
}

/* ---- engines */

/* Adds the route of a pair of hosts with these hops between its ends. Returns 0, or -1. */
static int add_route(struct ksp *e, uint32_t source, uint32_t destination, const struct path_hop *hop, uint32_t count, struct error *error)
{
	struct route_builder *b = &e->builder;
	uint32_t *route = e->search.whole, length = 0;
	if (b->first[source] != NONE)
		route[length++] = b->first[source];
	for (uint32_t i = 0; i < count; i++)
		route[length++] = hop[i].channel;
	if (b->last[destination] != NONE)
		route[length++] = b->last[destination];
	return route_builder_add(b, source, destination, e->by_length ? 1.0 / length : 1, route, length, error);
}

/* Finds the routes of two hosts from a node to the node that the search knows distances to. Returns 0, or -1. */
int ksp_find_routes(struct ksp *e, uint32_t source, uint32_t destination, uint32_t node, struct error *error)
{
	struct search *s = &e->search;
	uint32_t from = s->shortest->place[node], shortest = from == NONE ? NONE : distance_of(s, from), nodes = s->graph->fabric->nodes;
	if (shortest == NONE) /* or a host that nothing leaves */
		return 0;
	if (!shortest)
		return add_route(e, source, destination, NULL, 0, error);
	random_start(&s->random, e->seed, KSP_PURPOSE, (uint64_t)source << 32 | destination);
	s->candidates = s->hops = s->bars = 0;
	s->wanted = e->most;
	s->limit = e->longer < nodes - 1 - shortest ? shortest + e->longer : nodes - 1;
	s->within = 0;
	while (s->lengths)
		s->of_length[--s->lengths] = 0;
	open_places(s);
	close_place(s, from);
	uint32_t length = find_route(s, from, 0, NONE, error);
	if (error->status || add_candidate(s, length, 0, NONE, error))
		return -1;
	while (s->candidates && s->wanted) {
		struct path_candidate c = take_candidate(s);
		if (e->longer != NONE && !s->wanted) { /* one more than wanted was searched, to detect that there are more */
			e->pairs_cut++;
			break;
		}
		if (add_route(e, source, destination, s->hop + c.start, c.length, error) || (s->wanted && branch(s, &c, from, error)))
			return -1;
	}
	return 0;
}

static int search_init(struct search *s, const struct routing_graph *graph, struct error *error)
{
	const struct fabric *f = graph->fabric;
	bool forwards = routing_some_host_forwards(graph);
	uint32_t most = 0;
	for (uint32_t v = 0; v < f->nodes; v++)
		if (f->first_channel[v + 1] - f->first_channel[v] > most)
			most = f->first_channel[v + 1] - f->first_channel[v];
	*s = (struct search){
		.graph = graph,
		.shortest = shortest_routes_create(f, forwards, false, error),
		.whole = array_create((size_t)f->nodes + 2, sizeof *s->whole, error),
		.closed = array_create(f->nodes, sizeof *s->closed, error),
		.entered = array_create(f->nodes, sizeof *s->entered, error),
		.by = array_create(f->nodes, sizeof *s->by, error),
		.choice = array_create(most, sizeof *s->choice, error),
		.stack = array_create((size_t)f->nodes, sizeof *s->stack, error),
		.route = array_create(f->nodes, sizeof *s->route, error),
		.of_length = array_create(f->nodes, sizeof *s->of_length, error),
	};
	for (uint32_t p = 0; s->shortest && s->closed && p < s->shortest->places; p++)
		s->closed[p] = !s->shortest->passes[p];
	if (s->stack)
		memset(s->stack, 0xff, f->nodes * sizeof *s->stack); /* NONE */
	return error->status ? -1 : 0;
}

static void search_clear(struct search *s)
{
	shortest_routes_free(s->shortest);
	free(s->whole);
	free(s->closed);
	free(s->entered);
	free(s->by);
	free(s->choice);
	free(s->stack);
	free(s->step);
	free(s->heap);
	free(s->hop);
	free(s->barred);
	free(s->route);
	free(s->of_length);
}

/* Finds the routes from one host of each place to one host of each place, or to another host of the same. Returns 0, or -1. */
static int find_all(struct ksp *e, struct error *error)
{
	const struct route_builder *b = &e->builder;
	const struct fabric *f = b->fabric;
	for (uint32_t q = 0; q < b->places; q++) {
		uint32_t host = b->member[b->first_member[q]];
		ksp_measure(&e->search, b->last[host] == NONE ? f->host_node[host] : fabric_tail(f, b->last[host]));
		for (uint32_t p = 0; p < b->places; p++) {
			uint32_t source = b->member[b->first_member[p]], k = b->first_member[q] + (p == q);
			uint32_t from = b->first[source] == NONE ? f->host_node[source] : f->head[b->first[source]];
			if (k < b->first_member[q + 1] && ksp_find_routes(e, source, b->member[k], from, error))
				return -1;
		}
	}
	return 0;
}

/* Reads the parameters. Returns 0, or -1. weights: the value of that parameter. */
int ksp_begin(struct ksp *e, const struct routing_task *task, const char *weights, const struct routing_graph *graph, struct error *error)
{
	static const char *const rules[] = {"equal", "inverse-length"};
	e->seed = task->seed;
	e->by_length = !strcmp(weights, rules[1]);
	if (!e->by_length && strcmp(weights, rules[0]))
		return error_unknown(error, "rule for weights", weights, rules, 2);
	bool failed = search_init(&e->search, graph, error);
	return route_builder_init(&e->builder, graph->fabric, true, error) || failed ? -1 : 0;
}

void ksp_end(struct ksp *e)
{
	search_clear(&e->search);
	route_builder_clear(&e->builder);
}

static int make_routes(struct ksp *e, const struct routing_task *task, const char *weights, struct routed *routed, struct error *error)
{
	if (!ksp_begin(e, task, weights, task->graph, error) && !find_all(e, error))
		routed->routes = route_builder_end(&e->builder, error);
	routed->deadlocks = true;
	ksp_end(e);
	return error->status ? -1 : 0;
}

static struct ksp ksp_of(const struct routing_task *task)
{
	return (struct ksp){.most = (uint32_t)task->args[0].integer, .longer = NONE};
}

static int ksp_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct ksp engine = ksp_of(task);
	return make_routes(&engine, task, task->args[1].text, routed, error);
}

static struct ksp allpath_of(const struct routing_task *task)
{
	return (struct ksp){.most = (uint32_t)task->args[1].integer + 1, .longer = (uint32_t)task->args[0].integer};
}

static int allpath_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct ksp engine = allpath_of(task);
	if (make_routes(&engine, task, task->args[2].text, routed, error))
		return -1;
	if (engine.pairs_cut)
		snprintf(routed->note, sizeof routed->note, "pairs of switches with more routes than the limit most=%" PRIu32 ": %" PRIu64,
			engine.most - 1, engine.pairs_cut);
	return 0;
}

static int ksp_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	struct ksp engine = ksp_of(task);
	return ksp_prepare_routes(&engine, task, task->args[1].text, demand, error);
}

static int allpath_prepare(const struct routing_task *task, struct routing_demand *demand, struct error *error)
{
	struct ksp engine = allpath_of(task);
	return ksp_prepare_routes(&engine, task, task->args[2].text, demand, error);
}

#define WEIGHTS \
	{ \
		"weights", ARG_WORD, "equal", 0, 0, "shares of a pair's routes: equal, or inverse-length (proportional to 1 / channels)" \
	}

static const struct arg ksp_args[] = {
	{"k", ARG_INTEGER, "8", 1, 1000000, "number of routes per pair"},
	WEIGHTS,
	{.type = ARG_END},
};

static const struct arg allpath_args[] = {
	{"longer", ARG_INTEGER, "0", 0, 1000000, "number of channels by which routes may exceed the shortest"},
	{"most", ARG_INTEGER, "100", 1, 1000000, "maximum number of routes per pair; the shortest are kept"},
	WEIGHTS,
	{.type = ARG_END},
};

const struct routing routing_ksp = {
	.name = "ksp",
	.summary = "k shortest loopless routes per pair, as source routes",
	.source = "Yen 1971; Singla, Hong, Popa, Godfrey 2012",
	.needs = "any fabric; --routes",
	.args = ksp_args,
	.source_routes = true,
	.route = ksp_route,
	.demand = ksp_prepare,
};

const struct routing routing_allpath = {
	.name = "allpath",
	.summary = "all loopless routes per pair up to a length, as source routes",
	.source = "Yen 1971",
	.needs = "any fabric; --routes",
	.args = allpath_args,
	.source_routes = true,
	.route = allpath_route,
	.demand = allpath_prepare,
};
