#include "pictures/pods.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t root_of(uint32_t *root, uint32_t node)
{
	for (; root[node] != node; node = root[node])
		root[node] = root[root[node]];
	return node;
}

static bool is_below(const struct scene *scene, uint32_t node)
{
	return scene->fabric->node_host[node] == NONE && scene->fair->level[node] + 1 < scene->fair->levels;
}

/* Joins the switches below the highest level that cables connect. */
static void join(const struct scene *scene, uint32_t *root)
{
	for (uint32_t v = 0; v < scene->fabric->nodes; v++)
		root[v] = v;
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const uint32_t *end = scene->cables.cable[i].end;
		if (!is_below(scene, end[0]) || !is_below(scene, end[1]))
			continue;
		uint32_t a = root_of(root, end[0]), b = root_of(root, end[1]);
		root[a > b ? a : b] = a < b ? a : b;
	}
}

/* Numbers the parts in the order of nodes. */
static int list_pods(struct pods *pods, const struct scene *scene, uint32_t *root, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes, *node_of = array_create(nodes, sizeof *node_of, error);
	uint32_t *number = array_create(nodes, sizeof *number, error);
	for (uint32_t v = 0; v < nodes && !error->status; v++) {
		node_of[scene->rank[v]] = v;
		number[v] = pods->of[v] = NONE;
	}
	for (uint32_t i = 0; i < nodes && !error->status; i++) {
		uint32_t v = node_of[i], part;
		if (!is_below(scene, v))
			continue;
		part = root_of(root, v);
		if (number[part] == NONE) {
			number[part] = pods->pods;
			pods->pod[pods->pods++] = (struct pod){.first = v};
		}
		pods->of[v] = number[part];
		pods->pod[number[part]].switches++;
	}
	free(node_of);
	free(number);
	return error->status ? -1 : 0;
}

static void count_cable(const struct scene *scene, const struct cable *cable, uint32_t count[2][LOAD_CLASSES])
{
	for (int way = 0; way < 2; way++)
		if (cable->channel[way] != NONE)
			count[way][scene->fair->class[cable->channel[way]]]++;
}

static void count_inside(struct pods *pods, const struct scene *scene)
{
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const struct cable *cable = &scene->cables.cable[i];
		uint32_t a = pods->of[cable->end[0]], b = pods->of[cable->end[1]];
		bool host = scene->fabric->node_host[cable->end[0]] != NONE;
		if (host && b != NONE)
			pods->pod[b].hosts++;
		else if (!host && a != NONE && a == b)
			count_cable(scene, cable, pods->pod[a].count);
	}
}

/* ---- bundles */

static int compare_bundles(const void *left, const void *right)
{
	const struct bundle *a = left, *b = right;
	if (a->pod != b->pod)
		return a->pod < b->pod ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}

/* Adds the cables of a block, whose cells are sorted by rows. */
static int bundle_block(struct pods *pods, const struct scene *scene, uint32_t index, size_t *capacity, uint32_t *last, struct error *error)
{
	const struct blocks *blocks = &scene->blocks;
	const struct block *block = &blocks->block[index];
	for (uint32_t i = 0; i < block->cells; i++) {
		const struct cell *cell = &blocks->cell[block->first_cell + i];
		uint32_t pod = pods->of[blocks->node[block->first_row + cell->row]];
		if (pod == NONE)
			continue;
		if (last[pod] == NONE || pods->bundle[last[pod]].block != index) {
			if (array_grow(&pods->bundle, capacity, (size_t)pods->bundles + 1, sizeof *pods->bundle, error))
				return -1;
			pods->bundle[last[pod] = pods->bundles++] = (struct bundle){.pod = pod, .block = index};
		}
		struct bundle *bundle = &pods->bundle[last[pod]];
		bundle->cables += cell->cables;
		for (uint32_t k = 0; k < cell->cables; k++)
			count_cable(scene, &scene->cables.cable[blocks->cable[cell->first + k]], bundle->count);
	}
	return 0;
}

static int find_bundles(struct pods *pods, const struct scene *scene, struct error *error)
{
	const struct blocks *blocks = &scene->blocks;
	uint32_t *last = array_create(pods->pods, sizeof *last, error);
	size_t capacity = 0;
	for (uint32_t i = 0; i < pods->pods && last; i++)
		last[i] = NONE;
	for (uint32_t s = 0; s < blocks->stages && last; s++) {
		const struct stage *stage = &blocks->stage[s];
		if (stage->upper + 1 != scene->fair->levels || stage->lower == stage->upper)
			continue;
		if (!pods->blocks)
			pods->first_block = stage->first;
		pods->blocks = stage->first + stage->blocks - pods->first_block;
		for (uint32_t i = 0; i < stage->blocks && !error->status; i++)
			bundle_block(pods, scene, stage->first + i, &capacity, last, error);
	}
	if (pods->bundles)
		qsort(pods->bundle, pods->bundles, sizeof *pods->bundle, compare_bundles);
	free(last);
	return error->status ? -1 : 0;
}

int pods_find(struct pods *pods, const struct scene *scene, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes, *root = array_create(nodes, sizeof *root, error);
	*pods = (struct pods){
		.pod = array_create(nodes, sizeof *pods->pod, error),
		.of = array_create(nodes, sizeof *pods->of, error),
	};
	if (!error->status) {
		join(scene, root);
		if (!list_pods(pods, scene, root, error)) {
			count_inside(pods, scene);
			find_bundles(pods, scene, error);
		}
	}
	free(root);
	return error->status ? -1 : 0;
}

void pods_clear(struct pods *pods)
{
	free(pods->pod);
	free(pods->of);
	free(pods->bundle);
	*pods = (struct pods){0};
}

/* ---- labels */

const char *pod_label(const struct pods *pods, const struct scene *scene, uint32_t pod, char *text, size_t size)
{
	const struct pod *p = &pods->pod[pod];
	snprintf(text, size, "%s%s", scene->labels.text[p->first], p->switches > 1 ? " …" : "");
	return text;
}

const char *plane_label(const struct scene *scene, uint32_t block, char *text, size_t size)
{
	const struct block *b = &scene->blocks.block[block];
	const uint32_t *node = scene->blocks.node + b->first_column;
	uint32_t chassis = scene->chassis.of[node[0]];
	for (uint32_t i = 1; i < b->columns; i++)
		chassis = scene->chassis.of[node[i]] == chassis ? chassis : NONE;
	if (chassis != NONE && b->columns > 1)
		snprintf(text, size, "%s", scene->labels.chassis[chassis]);
	else
		snprintf(text, size, "%s%s", scene->labels.text[node[0]], b->columns > 1 ? " …" : "");
	return text;
}
