/* What the pictures of a fabric share. */
#ifndef PICTURES_SCENE_H
#define PICTURES_SCENE_H

#include "fabric/planes.h"
#include "pictures/blocks.h"
#include "pictures/labels.h"
#include "shapes/shape.h"

struct scene {
	const struct fabric *fabric;
	const struct fair_share *fair;
	struct chassis_list chassis;
	struct labels labels;
	struct cables cables;
	struct blocks blocks;
	struct planes planes;
	struct shape shape; /* of fabrics that are no trees; of a tree its kind is NULL */
	uint32_t *rank;     /* [nodes] order of nodes: by chassis, then by label, numbers by value */
};

/*
 * Finds all of it for a fabric with labels; attributes may be NULL. Returns 0, or -1 if out of memory; call scene_clear() in every case.
 * Time O(nodes log nodes + channels log channels), and of fabrics that are no trees that of shape_find().
 */
int scene_make(struct scene *scene, const struct fabric *fabric, const struct fair_share *fair, const struct attributes *attributes,
	struct error *error);
void scene_clear(struct scene *scene);

/* Returns whether the fabric is a tree, or nearly all of its cables between switches join different levels. */
bool scene_has_levels(const struct scene *scene);

#endif
