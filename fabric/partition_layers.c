/*
 * Partitions of layered fabrics: trees, and whatever else has its switches in layers such that channels lead from one layer to the next
 * only. Layers are taken from the hosts upwards: what a layer connects becomes one component with it, as long as it is not too large;
 * otherwise the components below become parts, and so do the switches of the layer.
 */
#include "fabric/partition.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct layers {
	const struct fabric *f;
	uint32_t *layer; /* [nodes] distance from the hosts */
	uint32_t *order; /* [nodes] by layer */
	uint32_t *near;  /* [nodes] components of the layers so far: towards the first node of each, which is its own */
	uint32_t *whole; /* [nodes] the same of components that are not divided */
	uint64_t *work;  /* [nodes] channels that begin in a component, at its first node */
	uint64_t *own;   /* [nodes] the same of whole components */
	uint32_t *list;  /* [listed] the first nodes of whole components that have no part yet */
	uint32_t listed;
	uint32_t *part;  /* [nodes] the parts of the others, at their first nodes */
	uint32_t *last;  /* [nodes] the last part, or the only whole component, of a component, at its first node; */
	uint64_t *fill;  /* [nodes] the work of that part, */
	uint32_t *since; /* [nodes] and the step that began it */
	uint64_t most;   /* work of a part */
	uint32_t parts;
};

static uint32_t first_of(uint32_t *link, uint32_t node)
{
	while (link[node] != node)
		node = link[node] = link[link[node]];
	return node;
}

/* Finds the layers. Returns whether all channels lead from one to the next. */
static bool find_layers(struct layers *l)
{
	const struct fabric *f = l->f;
	uint32_t put = 0;
	memset(l->layer, 0xff, f->nodes * sizeof *l->layer); /* NONE */
	for (uint32_t h = 0; h < f->hosts; h++) {
		l->layer[f->host_node[h]] = 0;
		l->order[put++] = f->host_node[h];
	}
	for (uint32_t i = 0; i < put; i++) {
		uint32_t v = l->order[i];
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (l->layer[f->head[c]] == NONE) {
				l->layer[f->head[c]] = l->layer[v] + 1;
				l->order[put++] = f->head[c];
			}
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t from = l->layer[v], to = l->layer[f->head[c]];
			if (from == NONE || to == NONE || from == to || (from > to ? from - to : to - from) != 1)
				return false;
		}
	return put == f->nodes;
}

/* Connects the node to those of the layer below. */
static void connect(struct layers *l, uint32_t node)
{
	const struct fabric *f = l->f;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++) {
		if (l->layer[f->head[c]] > l->layer[node])
			continue;
		uint32_t a = first_of(l->near, node), b = first_of(l->near, f->head[c]);
		if (a == b)
			continue;
		l->near[b] = a;
		l->work[a] += l->work[b];
	}
}

/* Gives a whole component the last part of the component that begins at that node, as long as it is not full, or else a new one. */
static void pack(struct layers *l, uint32_t whole, uint32_t of, uint32_t step)
{
	if (l->since[of] != step || l->fill[of] + l->own[whole] > l->most) {
		l->since[of] = step;
		l->fill[of] = 0;
		l->last[of] = l->parts++;
	}
	l->fill[of] += l->own[whole];
	l->part[whole] = l->last[of];
}

/* Makes a whole component part of the one that begins at that node. */
static void join(struct layers *l, uint32_t whole, uint32_t of, uint32_t step)
{
	if (l->since[of] != step) {
		l->since[of] = step;
		l->last[of] = l->list[l->listed++] = whole;
		l->own[whole] = l->work[of];
	}
	l->whole[whole] = l->last[of];
}

/* Adds the nodes from begin to end - 1 in order, which are a layer. Hosts stay with their switches. */
static void add_layer(struct layers *l, uint32_t begin, uint32_t end, uint32_t layer)
{
	uint32_t below = l->listed, step = 2 * layer + 1;
	l->listed = 0;
	for (uint32_t i = begin; i < end; i++)
		connect(l, l->order[i]);
	for (uint32_t i = 0; i < below + (end - begin); i++) {
		uint32_t whole = i < below ? l->list[i] : l->order[begin + i - below], of = first_of(l->near, whole);
		if (layer <= 1 || l->work[of] <= l->most)
			join(l, whole, of, step);
		else
			pack(l, whole, of, step + (i >= below));
	}
}

static void divide(struct layers *l)
{
	const struct fabric *f = l->f;
	uint32_t begin = 0;
	for (uint32_t v = 0; v < f->nodes; v++) {
		l->near[v] = l->whole[v] = v;
		l->own[v] = l->work[v] = f->first_channel[v + 1] - f->first_channel[v];
	}
	for (uint32_t end = 1; end <= f->nodes; end++)
		if (end == f->nodes || l->layer[l->order[end]] != l->layer[l->order[begin]]) {
			add_layer(l, begin, end, l->layer[l->order[begin]]);
			begin = end;
		}
	for (uint32_t i = 0; i < l->listed; i++)
		pack(l, l->list[i], 0, UINT32_MAX);
}

uint32_t partition_layers(const struct fabric *f, uint32_t parts, uint32_t *part, struct error *error)
{
	struct layers l = {.f = f, .most = f->channels / (parts ? parts : 1)};
	uint32_t **const number[] = {&l.layer, &l.order, &l.near, &l.whole, &l.list, &l.part, &l.last, &l.since};
	uint64_t **const sum[] = {&l.work, &l.own, &l.fill};
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		*number[i] = array_create(f->nodes, sizeof **number[i], error);
	for (size_t i = 0; i < sizeof sum / sizeof *sum; i++)
		*sum[i] = array_create(f->nodes, sizeof **sum[i], error);
	if (!error->status && find_layers(&l)) {
		divide(&l);
		for (uint32_t v = 0; v < f->nodes; v++)
			part[v] = l.part[first_of(l.whole, v)];
	}
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		free(*number[i]);
	for (size_t i = 0; i < sizeof sum / sizeof *sum; i++)
		free(*sum[i]);
	return l.parts;
}
