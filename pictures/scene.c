#include "pictures/scene.h"

#include "base/memory.h"
#include "pictures/lettering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WITHIN_PERCENT = 10 /* of the cables may be within a level */ };

/* A node with what decides about its place. */
struct placed {
	uint32_t chassis; /* after all others: NONE */
	const char *label;
	uint32_t node;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	if (a->chassis != b->chassis)
		return a->chassis < b->chassis ? -1 : 1;
	int order = text_compare(a->label, b->label);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

static int compare_labels(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	int order = text_compare(a->label, b->label);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* Orders the chassis by their labels: place[index]. */
static void order_chassis(const struct scene *scene, struct placed *placed, uint32_t *place)
{
	for (uint32_t i = 0; i < scene->chassis.count; i++)
		placed[i] = (struct placed){.label = scene->labels.chassis[i], .node = i};
	qsort(placed, scene->chassis.count, sizeof *placed, compare_labels);
	for (uint32_t i = 0; i < scene->chassis.count; i++)
		place[placed[i].node] = i;
}

static int order_nodes(struct scene *scene, struct error *error)
{
	uint32_t nodes = scene->fabric->nodes;
	struct placed *placed = array_create(nodes, sizeof *placed, error);
	uint32_t *place = array_create(scene->chassis.count, sizeof *place, error);
	scene->rank = array_create(nodes, sizeof *scene->rank, error);
	if (!error->status) {
		order_chassis(scene, placed, place);
		for (uint32_t v = 0; v < nodes; v++) {
			uint32_t chassis = scene->chassis.of[v];
			placed[v] = (struct placed){chassis == NONE ? NONE : place[chassis], scene->labels.text[v], v};
		}
		qsort(placed, nodes, sizeof *placed, compare_placed);
		for (uint32_t i = 0; i < nodes; i++)
			scene->rank[placed[i].node] = i;
	}
	free(placed);
	free(place);
	return error->status ? -1 : 0;
}

static int find_shape(struct scene *scene, struct error *error)
{
	uint32_t *reverse = scene->fair->tree ? NULL : fabric_reverse(scene->fabric, error);
	if (reverse)
		shape_find(&scene->shape, scene->fabric, reverse, error);
	free(reverse);
	return error->status ? -1 : 0;
}

int scene_make(struct scene *scene, const struct fabric *fabric, const struct fair_share *fair, const struct attributes *attributes,
	struct error *error)
{
	*scene = (struct scene){.fabric = fabric, .fair = fair};
	if (chassis_find(&scene->chassis, fabric, attributes, error) || labels_make(&scene->labels, fabric, &scene->chassis, error) ||
		order_nodes(scene, error) || cables_list(&scene->cables, fabric, fair->level, error) ||
		blocks_find(&scene->blocks, fabric, fair, &scene->cables, scene->rank, error) ||
		planes_find(&scene->planes, fabric, error) || find_shape(scene, error))
		return -1;
	return 0;
}

bool scene_has_levels(const struct scene *scene)
{
	uint64_t within = 0, all = 0;
	for (uint32_t s = 0; s < scene->blocks.stages; s++) {
		const struct stage *stage = &scene->blocks.stage[s];
		all += stage->cables;
		within += stage->lower == stage->upper ? stage->cables : 0;
	}
	return scene->fair->tree || (scene->fair->levels > 1 && within * 100 <= all * WITHIN_PERCENT);
}

void scene_clear(struct scene *scene)
{
	chassis_clear(&scene->chassis);
	labels_clear(&scene->labels);
	cables_clear(&scene->cables);
	blocks_clear(&scene->blocks);
	planes_clear(&scene->planes);
	shape_clear(&scene->shape);
	free(scene->rank);
	*scene = (struct scene){0};
}
