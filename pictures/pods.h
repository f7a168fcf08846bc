/*
 * Pods: the parts of a tree that remain if its highest level and cables within a level are taken away. Planes: the switches of that level
 * in one block (pictures/blocks.h) and one chassis, "spine planes" elsewhere; not the parts without a cable between them (fabric/planes.h).
 * Bundles: all cables of a pod to a plane.
 */
#ifndef PICTURES_PODS_H
#define PICTURES_PODS_H

#include "pictures/scene.h"

struct pod {
	uint32_t first;                  /* its lowest switch, the first in the order of nodes */
	uint32_t switches, hosts;        /* hosts: with a cable to one of its switches */
	uint32_t count[2][LOAD_CLASSES]; /* channels between its switches, by way and class */
};

struct plane {
	uint32_t block, chassis;  /* chassis: NONE if its switches are in none */
	uint32_t first, switches; /* first: that comes first in the order of nodes */
};

struct bundle {
	uint32_t pod, plane;
	uint32_t cables;
	uint32_t count[2][LOAD_CLASSES];
};

struct pods {
	struct pod *pod; /* [pods] in the order of their first switches */
	uint32_t pods;
	uint32_t *of;        /* [nodes] NONE: in none */
	struct plane *plane; /* [planes] by block, then by first switch */
	uint32_t planes;
	uint32_t *plane_of;    /* [nodes] NONE: in none */
	struct bundle *bundle; /* [bundles] by pod, then plane */
	uint32_t bundles;
};

/*
 * Finds them. Returns 0, or -1 if out of memory; call
 * pods_clear() in every case. Time O(channels + cables log cables).
 */
int pods_find(struct pods *pods, const struct scene *scene, struct error *error);
void pods_clear(struct pods *pods);

/* Writes the label of a pod: its first switch and, if there are more, an ellipsis. Returns text. */
const char *pod_label(const struct pods *pods, const struct scene *scene, uint32_t pod, char *text, size_t size);

/* Likewise of a plane: its chassis, otherwise its first switch. */
const char *plane_label(const struct pods *pods, const struct scene *scene, uint32_t plane, char *text, size_t size);

#endif
