#include "routings/opensm/heap.h"

#include "base/memory.h"

#include <stdlib.h>

enum { CHILDREN = 4 };

int heap_init(struct heap *heap, uint32_t vertices, struct error *error)
{
	*heap = (struct heap){.key = array_create(vertices, sizeof *heap->key, error),
		.at = array_create(vertices, sizeof *heap->at, error),
		.place = array_create(vertices, sizeof *heap->place, error)};
	return error->status ? -1 : 0;
}

void heap_clear(struct heap *heap)
{
	free(heap->key);
	free(heap->at);
	free(heap->place);
}

void heap_fill(struct heap *heap, uint32_t count)
{
	heap->count = count;
	for (uint32_t v = 0; v < count; v++) {
		heap->key[v] = HEAP_FAR;
		heap->at[v] = heap->place[v] = v;
	}
}

static void put(struct heap *heap, uint32_t place, uint32_t vertex)
{
	heap->place[place] = vertex;
	heap->at[vertex] = place;
}

void heap_lower(struct heap *heap, uint32_t vertex, uint64_t key)
{
	uint32_t place = heap->at[vertex];
	heap->key[vertex] = key;
	while (place && key < heap->key[heap->place[(place - 1) / CHILDREN]]) {
		put(heap, place, heap->place[(place - 1) / CHILDREN]);
		place = (place - 1) / CHILDREN;
	}
	put(heap, place, vertex);
}

/* Of children with equal keys the last. */
static uint32_t smallest_child(const struct heap *heap, uint32_t place)
{
	uint32_t first = place * CHILDREN + 1, best = first;
	for (uint32_t child = first; child < first + CHILDREN && child < heap->count; child++)
		if (heap->key[heap->place[child]] <= heap->key[heap->place[best]])
			best = child;
	return best;
}

uint32_t heap_take(struct heap *heap)
{
	uint32_t taken = heap->place[0], vertex = heap->place[--heap->count], place = 0;
	while (place * CHILDREN + 1 < heap->count) {
		uint32_t child = smallest_child(heap, place);
		if (heap->key[heap->place[child]] >= heap->key[vertex])
			break;
		put(heap, place, heap->place[child]);
		place = child;
	}
	put(heap, place, vertex);
	return taken;
}
