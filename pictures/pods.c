#include "pictures/pods.h"

#include "base/disjoint.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_below(const struct scene *scene, uint32_t node)
{
	return scene->fabric->node_host[node] == NONE && scene->fair->level[node] + 1 < scene->fair->levels;
}

/* Joins the switches below the highest level that cables between levels connect. */
static void join(const struct scene *scene, uint32_t *root)
{
	disjoint_init(root, scene->fabric->nodes);
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const uint32_t *end = scene->cables.cable[i].end;
		if (is_below(scene, end[0]) && is_below(scene, end[1]) && scene->fair->level[end[0]] != scene->fair->level[end[1]])
			disjoint_join(root, end[0], end[1]);
	}
}

/* Returns whether a switch comes before another: one of a lower level, then by the order of nodes. */
static bool is_before(const struct scene *scene, uint32_t v, uint32_t other)
{
	const uint32_t *level = scene->fair->level;
	return level[v] != level[other] ? level[v] < level[other] : scene->rank[v] < scene->rank[other];
}

/* A part: its root, and its first switch. */
struct part {
	uint32_t root, level, rank;
};

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Numbers the parts in the order of their first switches. */
static int list_pods(struct pods *pods, const struct scene *scene, uint32_t *root, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes, *first = array_create(nodes, sizeof *first, error);
	struct part *part = array_create(nodes, sizeof *part, error);
	for (uint32_t v = 0; v < nodes && !error->status; v++)
		first[v] = pods->of[v] = NONE;
	for (uint32_t v = 0; v < nodes && !error->status; v++)
		if (is_below(scene, v)) {
			uint32_t *own = &first[disjoint_root(root, v)];
			*own = *own == NONE || is_before(scene, v, *own) ? v : *own;
		}
	for (uint32_t v = 0; v < nodes && !error->status; v++)
		if (first[v] != NONE)
			part[pods->pods++] = (struct part){v, scene->fair->level[first[v]], scene->rank[first[v]]};
	if (pods->pods)
		qsort(part, pods->pods, sizeof *part, compare_parts);
	for (uint32_t i = 0; i < pods->pods; i++) {
		pods->pod[i].first = first[part[i].root];
		first[part[i].root] = i;
	}
	for (uint32_t v = 0; v < nodes && !error->status; v++)
		if (is_below(scene, v))
			pods->pod[pods->of[v] = first[disjoint_root(root, v)]].switches++;
	free(first);
	free(part);
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

/* ---- planes and bundles */

/* Returns the plane of an upper switch of a block, a new one if it is the first. plane_of: [chassis + 1] of the block, by chassis. */
static uint32_t find_plane(struct pods *pods, const struct scene *scene, uint32_t block, uint32_t node, uint32_t *plane_of)
{
	uint32_t chassis = scene->chassis.of[node] == NONE ? scene->chassis.count : scene->chassis.of[node], plane = plane_of[chassis];
	if (plane == NONE || pods->plane[plane].block != block) {
		plane = plane_of[chassis] = pods->planes++;
		pods->plane[plane] = (struct plane){.block = block, .first = node, .chassis = scene->chassis.of[node]};
	}
	return plane;
}

static int list_planes(struct pods *pods, const struct scene *scene, struct error *error)
{
	const struct blocks *blocks = &scene->blocks;
	uint32_t *plane_of = array_create((size_t)scene->chassis.count + 1, sizeof *plane_of, error);
	for (uint32_t i = 0; i <= scene->chassis.count && plane_of; i++)
		plane_of[i] = NONE;
	for (uint32_t b = 0; b < blocks->blocks && plane_of; b++) {
		const struct block *block = &blocks->block[b];
		if (blocks->stage[block->stage].upper + 1 != scene->fair->levels || block->square)
			continue;
		for (uint32_t i = 0; i < block->columns; i++) {
			uint32_t node = blocks->node[block->first_column + i], plane = find_plane(pods, scene, b, node, plane_of);
			pods->plane_of[node] = plane;
			pods->plane[plane].switches++;
		}
	}
	free(plane_of);
	return error->status ? -1 : 0;
}

static int compare_bundles(const void *left, const void *right)
{
	const struct bundle *a = left, *b = right;
	if (a->pod != b->pod)
		return a->pod < b->pod ? -1 : 1;
	return (a->plane > b->plane) - (a->plane < b->plane);
}

/* Makes a bundle of each cable to the highest level, then one of all with the same ends. */
static int find_bundles(struct pods *pods, const struct scene *scene, struct error *error)
{
	uint32_t kept = 0;
	pods->bundle = array_create(scene->cables.cables, sizeof *pods->bundle, error);
	for (uint32_t i = 0; i < scene->cables.cables && pods->bundle; i++) {
		const struct cable *cable = &scene->cables.cable[i];
		uint32_t pod = pods->of[cable->end[0]], plane = pods->plane_of[cable->end[1]];
		if (pod == NONE || plane == NONE)
			continue;
		struct bundle *bundle = &pods->bundle[pods->bundles++];
		*bundle = (struct bundle){.pod = pod, .plane = plane, .cables = 1};
		count_cable(scene, cable, bundle->count);
	}
	if (pods->bundles)
		qsort(pods->bundle, pods->bundles, sizeof *pods->bundle, compare_bundles);
	for (uint32_t i = 0; i < pods->bundles; i++) {
		struct bundle *last = &pods->bundle[kept ? kept - 1 : 0], *own = &pods->bundle[i];
		if (!kept || compare_bundles(last, own)) {
			pods->bundle[kept++] = *own;
			continue;
		}
		last->cables += own->cables;
		for (int k = 0; k < 2 * LOAD_CLASSES; k++)
			last->count[k / LOAD_CLASSES][k % LOAD_CLASSES] += own->count[k / LOAD_CLASSES][k % LOAD_CLASSES];
	}
	pods->bundles = kept;
	return error->status ? -1 : 0;
}

int pods_find(struct pods *pods, const struct scene *scene, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes, *root = array_create(nodes, sizeof *root, error);
	*pods = (struct pods){
		.pod = array_create(nodes, sizeof *pods->pod, error),
		.of = array_create(nodes, sizeof *pods->of, error),
		.plane = array_create(nodes, sizeof *pods->plane, error),
		.plane_of = array_create(nodes, sizeof *pods->plane_of, error),
	};
	if (!error->status) {
		memset(pods->plane_of, 0xff, nodes * sizeof *pods->plane_of);
		join(scene, root);
		if (!list_pods(pods, scene, root, error) && !list_planes(pods, scene, error)) {
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
	free(pods->plane);
	free(pods->plane_of);
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

const char *plane_label(const struct pods *pods, const struct scene *scene, uint32_t plane, char *text, size_t size)
{
	const struct plane *p = &pods->plane[plane];
	if (p->chassis != NONE && p->switches > 1)
		snprintf(text, size, "%s", scene->labels.chassis[p->chassis]);
	else
		snprintf(text, size, "%s%s", scene->labels.text[p->first], p->switches > 1 ? " …" : "");
	return text;
}
