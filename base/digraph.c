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

/* A breadth-first search for the path back to its root, through larger vertices of its component: every cycle has a least vertex. */
struct round_trip {
	const struct digraph *graph;
	const uint32_t *cyclic;
	uint32_t *seen;   /* [vertices] root + 1 of the last search that visited it */
	uint32_t *before; /* [vertices] */
	uint32_t *queue;
};

/* Returns whether the root is on a cycle of at most `most` vertices. *last: the last vertex of the cycle, before the root. */
static bool comes_back(struct round_trip *r, uint32_t root, uint32_t most, uint32_t *length, uint32_t *last)
{
	const struct digraph *g = r->graph;
	uint32_t from = 0, to = 0;
	r->queue[to++] = root;
	r->seen[root] = root + 1;
	for (*length = 1; *length <= most && from < to; ++*length)
		for (uint32_t end = to; from < end; from++) {
			uint32_t v = r->queue[from];
			for (uint64_t e = g->first[v]; e < g->first[v + 1]; e++) {
				uint32_t w = g->to[e];
				if (w == root) {
					*last = v;
					return true;
				}
				if (w < root || r->cyclic[w] != r->cyclic[root] || r->seen[w] == root + 1 || *length == most)
					continue;
				r->seen[w] = root + 1;
				r->before[w] = v;
				r->queue[to++] = w;
			}
		}
	return false;
}

uint32_t *digraph_shortest_cycle(const struct digraph *graph, const uint32_t *cyclic, uint32_t least, uint32_t *length, struct error *error)
{
	size_t n = graph->vertices;
	struct round_trip r = {
		.graph = graph,
		.cyclic = cyclic,
		.seen = array_create(n, sizeof *r.seen, error),
		.before = array_create(n, sizeof *r.before, error),
		.queue = array_create(n, sizeof *r.queue, error),
	};
	uint32_t *best = array_create(n, sizeof *best, error), found, last, most = graph->vertices;
	*length = 0;
	for (uint32_t v = 0; v < graph->vertices && most >= least && !error->status; v++) {
		if (!cyclic[v] || !comes_back(&r, v, most, &found, &last))
			continue;
		*length = found;
		for (uint32_t i = found; i--; last = r.before[last])
			best[i] = last;
		most = found - 1;
	}
	free(r.seen);
	free(r.before);
	free(r.queue);
	if (*length)
		return best;
	free(best);
	return NULL;
}
