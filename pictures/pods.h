/*
 * Pods: the parts of a tree that remain if its highest level is taken away. Planes: the blocks of the cables to that level. Bundles: all
 * cables of a pod to a plane.
 */
#ifndef PICTURES_PODS_H
#define PICTURES_PODS_H

#include "pictures/scene.h"

struct pod {
	uint32_t first;                  /* its switch that comes first in the order of nodes */
	uint32_t switches, hosts;        /* hosts: with a cable to one of its switches */
	uint32_t count[2][LOAD_CLASSES]; /* channels between its switches, by way and class */
};

struct bundle {
	uint32_t pod, block;
	uint32_t cables;
	uint32_t count[2][LOAD_CLASSES];
};

struct pods {
	struct pod *pod; /* [pods] in the order of their first switches */
	uint32_t pods;
	uint32_t *of; /* [nodes] NONE: in none */
	uint32_t first_block, blocks;
	struct bundle *bundle; /* [bundles] by pod, then block */
	uint32_t bundles;
};

/*
 * Finds them. Without blocks between switches of the highest level and others, pods is 0. Returns 0, or -1 if out of memory; call
 * pods_clear() in every case. Time O(channels + cables log cables).
 */
int pods_find(struct pods *pods, const struct scene *scene, struct error *error);
void pods_clear(struct pods *pods);

/* Writes the label of a pod: its first switch and, if there are more, an ellipsis. Returns text. */
const char *pod_label(const struct pods *pods, const struct scene *scene, uint32_t pod, char *text, size_t size);

/* Likewise of a block: the chassis of its upper switches if they are in one, otherwise the first of them. */
const char *plane_label(const struct scene *scene, uint32_t block, char *text, size_t size);

#endif
