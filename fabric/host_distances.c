#include "fabric/host_distances.h"

#include "base/memory.h"

#include <stdlib.h>

/* Finds the nodes' neighbours over channels of either direction: other[first[v]] .. */
static int find_neighbours(const struct fabric *f, uint64_t **first, uint32_t **other, struct error *error)
{
	*first = array_create((size_t)f->nodes + 2, sizeof **first, error);
	*other = array_create(2 * (size_t)f->channels, sizeof **other, error);
	for (int fill = 0; fill < 2 && !error->status; fill++) {
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t u = f->head[c];
				if (fill) {
					(*other)[(*first)[v + 1]++] = u;
					(*other)[(*first)[u + 1]++] = v;
				} else {
					(*first)[v + 2]++;
					(*first)[u + 2]++;
				}
			}
		for (uint32_t v = 0; v < f->nodes && !fill; v++)
			(*first)[v + 2] += (*first)[v + 1];
	}
	return error->status ? -1 : 0;
}

uint32_t *host_distances_make(const struct fabric *fabric, struct error *error)
{
	const struct fabric *f = fabric;
	uint64_t *first;
	uint32_t *level = array_create(f->nodes, sizeof *level, error), *queue = array_create(f->nodes, sizeof *queue, error);
	uint32_t *other, from = 0, to = 0;
	if (!find_neighbours(f, &first, &other, error) && level && queue) {
		for (uint32_t v = 0; v < f->nodes; v++)
			level[v] = f->node_host[v] != NONE ? LEVEL_HOST : LEVEL_NONE;
		for (uint32_t h = 0; h < f->hosts; h++)
			queue[to++] = f->host_node[h];
		for (; from < to; from++)
			for (uint64_t i = first[queue[from]]; i < first[queue[from] + 1]; i++)
				if (level[other[i]] == LEVEL_NONE) {
					level[other[i]] = level[queue[from]] + 1;
					queue[to++] = other[i];
				}
	}
	free(first);
	free(other);
	free(queue);
	if (!error->status)
		return level;
	free(level);
	return NULL;
}
