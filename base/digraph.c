#include "base/digraph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int digraph_init(struct digraph *graph, uint32_t vertices, uint64_t edges, struct error *error)
{
	*graph = (struct digraph){
		.vertices = vertices,
		.first = array_create((size_t)vertices + 1, sizeof *graph->first, error),
		.to = array_create(edges, sizeof *graph->to, error),
	};
	return error->status ? -1 : 0;
}

void digraph_clear(struct digraph *graph)
{
	free(graph->first);
	free(graph->to);
	*graph = (struct digraph){0};
}

uint64_t digraph_edge(const struct digraph *graph, uint32_t from, uint32_t to)
{
	uint64_t low = graph->first[from], high = graph->first[from + 1];
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		if (graph->to[middle] <= to)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Tarjan's algorithm with an explicit stack for the path of the search. */
struct tarjan {
	const struct digraph *graph;
	uint32_t *index, *low; /* [vertices] 1 or more, 0: not visited */
	uint32_t *open;        /* vertices whose component is not complete */
	uint32_t *way;         /* vertices whose edges are being visited */
	uint64_t *edge;        /* [vertices] the next edge to visit */
	bool *is_open;         /* [vertices] */
	uint32_t opens, length, seen, components;
	uint32_t *cyclic;
};

static void enter(struct tarjan *t, uint32_t v)
{
	t->index[v] = t->low[v] = ++t->seen;
	t->edge[v] = t->graph->first[v];
	t->open[t->opens++] = v;
	t->is_open[v] = true;
	t->way[t->length++] = v;
}

/* Ends the visit of a vertex: its component is complete if the vertex is the first of it. */
static void leave(struct tarjan *t, uint32_t v)
{
	t->length--;
	if (t->length && t->low[v] < t->low[t->way[t->length - 1]])
		t->low[t->way[t->length - 1]] = t->low[v];
	if (t->low[v] != t->index[v])
		return;
	uint32_t component =
		t->open[t->opens - 1] == v ? 0 : ++t->components; /* a single vertex is not a cycle: no vertex has an edge to itself */
	uint32_t member;
	do {
		member = t->open[--t->opens];
		t->is_open[member] = false;
		t->cyclic[member] = component;
	} while (member != v);
}

static void search(struct tarjan *t, uint32_t root)
{
	enter(t, root);
	while (t->length) {
		uint32_t v = t->way[t->length - 1];
		if (t->edge[v] == t->graph->first[v + 1]) {
			leave(t, v);
			continue;
		}
		uint32_t w = t->graph->to[t->edge[v]++];
		if (!t->index[w])
			enter(t, w);
		else if (t->is_open[w] && t->index[w] < t->low[v])
			t->low[v] = t->index[w];
	}
}

uint32_t *digraph_cyclic(const struct digraph *graph, struct error *error)
{
	size_t n = graph->vertices;
	struct tarjan t = {
		.graph = graph,
		.index = array_create(n, sizeof *t.index, error),
		.low = array_create(n, sizeof *t.low, error),
		.open = array_create(n, sizeof *t.open, error),
		.way = array_create(n, sizeof *t.way, error),
		.edge = array_create(n, sizeof *t.edge, error),
		.is_open = array_create(n, sizeof *t.is_open, error),
		.cyclic = array_create(n, sizeof *t.cyclic, error),
	};
	for (uint32_t v = 0; v < graph->vertices && !error->status; v++)
		if (!t.index[v])
			search(&t, v);
	free(t.index);
	free(t.low);
	free(t.open);
	free(t.way);
	free(t.edge);
	free(t.is_open);
	if (!error->status)
		return t.cyclic;
	free(t.cyclic);
	return NULL;
}

/*
 * A breadth-first search for the path back to its root, through larger vertices of its component: every cycle has a least vertex. The last
 * edge of the path is found from its end, so that the edges of the farthest vertices, which are most, are not looked at.
 */
struct round_trip {
	const struct digraph *graph;
	const uint32_t *cyclic;
	uint64_t *first; /* [vertices + 1] the edges into vertex v are from[first[v]] .. */
	uint32_t *from;
	uint32_t *seen;   /* [vertices] root + 1 of the last search that visited it */
	uint32_t *leads;  /* [vertices] root + 1 of the last search to whose root it has an edge */
	uint32_t *before; /* [vertices] */
	uint32_t *queue;
};

static void turn_round(struct round_trip *r)
{
	const struct digraph *g = r->graph;
	for (uint64_t e = 0; e < g->first[g->vertices]; e++)
		r->first[g->to[e] + 1]++;
	for (uint32_t v = 0; v < g->vertices; v++)
		r->first[v + 1] += r->first[v];
	for (uint32_t v = g->vertices; v-- > 0;)
		for (uint64_t e = g->first[v + 1]; e-- > g->first[v];)
			r->from[--r->first[g->to[e] + 1]] = v;
	memmove(r->first, r->first + 1, g->vertices * sizeof *r->first);
	r->first[g->vertices] = g->first[g->vertices];
}

/* Returns whether the root is on a cycle of at most `most` vertices. *last: the last vertex of the cycle, before the root. */
static bool comes_back(struct round_trip *r, uint32_t root, uint32_t most, uint32_t *length, uint32_t *last)
{
	const struct digraph *g = r->graph;
	uint32_t from = 0, to = 0;
	for (uint64_t e = r->first[root]; e < r->first[root + 1]; e++)
		r->leads[r->from[e]] = root + 1;
	r->queue[to++] = root;
	r->seen[root] = root + 1;
	for (*length = 1; from < to; ++*length) {
		uint32_t end = to;
		for (uint32_t i = from; i < end; i++)
			if (r->leads[r->queue[i]] == root + 1) {
				*last = r->queue[i];
				return true;
			}
		for (; from < end && *length < most; from++) {
			uint32_t v = r->queue[from];
			for (uint64_t e = g->first[v]; e < g->first[v + 1]; e++) {
				uint32_t w = g->to[e];
				if (w < root || r->cyclic[w] != r->cyclic[root] || r->seen[w] == root + 1)
					continue;
				r->seen[w] = root + 1;
				r->before[w] = v;
				r->queue[to++] = w;
			}
		}
		if (*length >= most)
			break;
	}
	return false;
}

uint32_t *digraph_shortest_cycle(const struct digraph *graph, const uint32_t *cyclic, uint32_t least, uint32_t *length, struct error *error)
{
	size_t n = graph->vertices;
	struct round_trip r = {
		.graph = graph,
		.cyclic = cyclic,
		.first = array_create(n + 1, sizeof *r.first, error),
		.from = array_create(graph->first[n], sizeof *r.from, error),
		.seen = array_create(n, sizeof *r.seen, error),
		.leads = array_create(n, sizeof *r.leads, error),
		.before = array_create(n, sizeof *r.before, error),
		.queue = array_create(n, sizeof *r.queue, error),
	};
	uint32_t *best = array_create(n, sizeof *best, error), found, last, most = graph->vertices;
	*length = 0;
	if (!error->status)
		turn_round(&r);
	for (uint32_t v = 0; v < graph->vertices && most >= least && !error->status; v++) {
		if (!cyclic[v] || !comes_back(&r, v, most, &found, &last))
			continue;
		*length = found;
		for (uint32_t i = found; i--; last = r.before[last])
			best[i] = last;
		most = found - 1;
	}
	free(r.first);
	free(r.from);
	free(r.seen);
	free(r.leads);
	free(r.before);
	free(r.queue);
	if (*length)
		return best;
	free(best);
	return NULL;
}
