#include "shapes/shape_grid.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct search {
	const struct part *part;
	uint32_t *distance; /* [switches] distance to the line */
	uint32_t *along;    /* [switches] coordinate */
	uint32_t *queue;    /* [switches] */
};

/*
 * Returns the coordinate of most of the switch's neighbours that are one hop nearer to the line (Boyer, Moore 1981: if more than half
 * agree).
 */
static uint32_t vote(const struct search *s, uint32_t v)
{
	uint32_t best = NONE, lead = 0;
	for (uint32_t i = s->part->first[v]; i < s->part->first[v + 1]; i++) {
		uint32_t u = s->part->neighbour[i].to;
		if (s->distance[u] + 1 != s->distance[v])
			continue;
		best = lead ? best : s->along[u];
		lead = s->along[u] == best ? lead + 1 : lead - 1;
	}
	return best;
}

static void measure(struct search *s, const uint32_t *line, uint32_t length)
{
	const struct part *part = s->part;
	uint32_t from = 0, to = 0;
	memset(s->distance, 0xff, part->switches * sizeof *s->distance);
	for (uint32_t x = 0; x < length; x++) {
		s->distance[line[x]] = 0;
		s->along[line[x]] = x;
		s->queue[to++] = line[x];
	}
	for (; from < to; from++) {
		uint32_t v = s->queue[from];
		if (s->distance[v])
			s->along[v] = vote(s, v);
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t u = part->neighbour[i].to;
			if (s->distance[u] == NONE) {
				s->distance[u] = s->distance[v] + 1;
				s->queue[to++] = u;
			}
		}
	}
}

int places_along(struct places *places, const uint32_t *line, const uint32_t *length, uint32_t dimensions, struct error *error)
{
	uint32_t n = places->part->switches, stride = 1;
	struct search s = {
		.part = places->part,
		.distance = array_create(n, sizeof *s.distance, error),
		.along = array_create(n, sizeof *s.along, error),
		.queue = array_create((size_t)n, sizeof *s.queue, error),
	};
	for (uint32_t v = 0; v < n && !error->status; v++)
		places->place[v] = 0;
	for (uint32_t k = 0; k < dimensions && !error->status; k++) {
		measure(&s, line, length[k]);
		for (uint32_t v = 0; v < n; v++)
			places->place[v] =
				s.distance[v] == NONE || places->place[v] == NONE ? NONE : places->place[v] + s.along[v] * stride;
		stride *= length[k];
		line += length[k];
	}
	free(s.distance);
	free(s.along);
	free(s.queue);
	return error->status ? -1 : 0;
}
