#include "base/acyclic.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Steps of all searches, and the fraction of the remaining ones that a single search may take: later searches give up sooner. */
enum { EFFORT = 1 << 22, SHARES = 1 << 14, LEAST_SHARE = 8 };

/* A refused edge closes a cycle from then on, as edges are never removed. */
enum edge_state { NOT_TRIED, ADDED, REFUSED };

/* Vertices that follow the edge, or lead to it. */
enum side { NEITHER, FOLLOWING, LEADING };

/* Renumbers all positions in the current order. */
static void number(struct acyclic *a)
{
	uint32_t end = a->graph->vertices, v = a->next[end];
	uint64_t gap = UINT64_MAX / ((uint64_t)end + 1);
	for (uint64_t place = gap; v != end; v = a->next[v], place += gap)
		a->place[v] = place;
	a->place[end] = UINT64_MAX;
}

int acyclic_init(struct acyclic *acyclic, const struct digraph *graph, struct error *error)
{
	struct acyclic *a = acyclic;
	uint64_t edges = graph->first[graph->vertices];
	size_t vertices = graph->vertices;
	*a = (struct acyclic){
		.graph = graph,
		.effort = EFFORT,
		.component = digraph_cyclic(graph, error),
		.first_into = array_create(vertices + 1, sizeof *a->first_into, error),
		.to = array_create(edges, sizeof *a->to, error),
		.from = array_create(edges, sizeof *a->from, error),
		.onwards = array_create(vertices, sizeof *a->onwards, error),
		.back = array_create(vertices, sizeof *a->back, error),
		.state = array_create(edges, sizeof *a->state, error),
		.place = array_create(vertices + 1, sizeof *a->place, error),
		.next = array_create(vertices + 1, sizeof *a->next, error),
		.previous = array_create(vertices + 1, sizeof *a->previous, error),
		.side = array_create(vertices, sizeof *a->side, error),
		.following = array_create(vertices, sizeof *a->following, error),
		.leading = array_create(vertices, sizeof *a->leading, error),
	};
	if (error->status)
		return -1;
	for (uint32_t v = 0; v <= vertices; v++) {
		a->next[v] = v < vertices ? v + 1 : 0;
		a->previous[a->next[v]] = v;
	}
	number(a);
	for (uint64_t e = 0; e < edges; e++)
		a->first_into[graph->to[e] + 1]++;
	for (uint32_t v = 0; v < vertices; v++)
		a->first_into[v + 1] += a->first_into[v];
	return 0;
}

void acyclic_clear(struct acyclic *acyclic)
{
	free(acyclic->component);
	free(acyclic->first_into);
	free(acyclic->to);
	free(acyclic->from);
	free(acyclic->onwards);
	free(acyclic->back);
	free(acyclic->state);
	free(acyclic->place);
	free(acyclic->next);
	free(acyclic->previous);
	free(acyclic->side);
	free(acyclic->following);
	free(acyclic->leading);
	*acyclic = (struct acyclic){0};
}

void acyclic_empty(struct acyclic *acyclic)
{
	const struct digraph *g = acyclic->graph;
	memset(acyclic->state, NOT_TRIED, g->first[g->vertices] * sizeof *acyclic->state);
	memset(acyclic->onwards, 0, g->vertices * sizeof *acyclic->onwards);
	memset(acyclic->back, 0, g->vertices * sizeof *acyclic->back);
}

/* Adds the vertex to a side. Returns false if it is on the other side. */
static bool note(struct acyclic *a, uint32_t v, enum side side, uint32_t *list, uint32_t *count)
{
	if (!a->side[v]) {
		a->side[v] = (uint8_t)side;
		list[(*count)++] = v;
	}
	return a->side[v] == side;
}

/* Adds the successors of the vertex up to the last position. Returns false if the sides meet. */
static bool step_onwards(struct acyclic *a, uint32_t v, uint64_t last, uint32_t *count)
{
	const uint32_t *to = a->to + a->graph->first[v];
	for (uint32_t i = 0; i < a->onwards[v]; i++)
		if (a->place[to[i]] <= last && !note(a, to[i], FOLLOWING, a->following, count))
			return false;
	return true;
}

/* Adds the predecessors of the vertex down to the first position. Returns false if the sides meet. */
static bool step_back(struct acyclic *a, uint32_t v, uint64_t first, uint32_t *count)
{
	const uint32_t *from = a->from + a->first_into[v];
	for (uint32_t i = 0; i < a->back[v]; i++)
		if (a->place[from[i]] >= first && !note(a, from[i], LEADING, a->leading, count))
			return false;
	return true;
}

static int compare_places(const void *left, const void *right, void *places)
{
	uint64_t a = ((const uint64_t *)places)[*(const uint32_t *)left], b = ((const uint64_t *)places)[*(const uint32_t *)right];
	return a < b ? -1 : a > b;
}

/* Moves the vertices behind the vertex after, in their current order. */
static void move(struct acyclic *a, uint32_t *list, uint32_t count, uint32_t after)
{
	qsort_r(list, count, sizeof *list, compare_places, a->place);
	for (uint32_t i = 0; i < count; i++) {
		a->next[a->previous[list[i]]] = a->next[list[i]];
		a->previous[a->next[list[i]]] = a->previous[list[i]];
	}
	uint64_t first = after == a->graph->vertices ? 0 : a->place[after],
		 gap = (a->place[a->next[after]] - first) / ((uint64_t)count + 1);
	for (uint32_t i = 0; i < count; after = list[i++]) {
		uint32_t next = a->next[after];
		a->next[after] = a->previous[next] = list[i];
		a->previous[list[i]] = after;
		a->next[list[i]] = next;
		a->place[list[i]] = first += gap;
	}
	if (!gap)
		number(a);
}

/*
 * Reorders vertices so that the edge leads forward: the side whose search is complete moves. Returns false if the edge closes a cycle, or
 * the search gave up.
 */
static bool make_way(struct acyclic *a, uint32_t from, uint32_t to)
{
	uint64_t first = a->place[to], last = a->place[from];
	uint32_t following = 0, leading = 0, done = 0,
		 most = a->effort < LEAST_SHARE * SHARES ? LEAST_SHARE : (uint32_t)(a->effort / SHARES);
	bool apart = note(a, to, FOLLOWING, a->following, &following) && note(a, from, LEADING, a->leading, &leading);
	for (; apart && done < following && done < leading && done < most; done++)
		apart = step_onwards(a, a->following[done], last, &following) && step_back(a, a->leading[done], first, &leading);
	a->effort -= done < a->effort ? done : a->effort;
	for (uint32_t i = 0; i < following; i++)
		a->side[a->following[i]] = NEITHER;
	for (uint32_t i = 0; i < leading; i++)
		a->side[a->leading[i]] = NEITHER;
	if (!apart || (done < following && done < leading))
		return false;
	if (done == following)
		move(a, a->following, following, from);
	else
		move(a, a->leading, leading, a->previous[to]);
	return true;
}

bool acyclic_add(struct acyclic *acyclic, uint32_t from, uint32_t to)
{
	struct acyclic *a = acyclic;
	if (!a->component[from] || a->component[from] != a->component[to])
		return true;
	uint64_t e = digraph_edge(a->graph, from, to);
	if (a->state[e] != NOT_TRIED)
		return a->state[e] == ADDED;
	if (a->place[from] > a->place[to] && !make_way(a, from, to)) {
		a->state[e] = REFUSED;
		return false;
	}
	a->state[e] = ADDED;
	a->to[a->graph->first[from] + a->onwards[from]++] = to;
	a->from[a->first_into[to] + a->back[to]++] = from;
	return true;
}
