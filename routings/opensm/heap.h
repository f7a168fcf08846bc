/* OpenSM's heap of vertices: four children per place. Which of several vertices at the same distance comes out first decides tables. */
#ifndef ROUTINGS_OPENSM_HEAP_H
#define ROUTINGS_OPENSM_HEAP_H

#include "base/error.h"

#define HEAP_FAR UINT64_MAX

struct heap {
	uint64_t *key;   /* [vertices] */
	uint32_t *at;    /* [vertices] place */
	uint32_t *place; /* [count] vertex */
	uint32_t count;
};

int heap_init(struct heap *heap, uint32_t vertices, struct error *error);
void heap_clear(struct heap *heap);

/* Holds the vertices 0 .. count-1 then, all with the key HEAP_FAR. */
void heap_fill(struct heap *heap, uint32_t count);

/* Lowers the key of a vertex in the heap. */
void heap_lower(struct heap *heap, uint32_t vertex, uint64_t key);

/* Takes a vertex with the smallest key out of a heap that is not empty. */
uint32_t heap_take(struct heap *heap);

#endif
