#include "shapes/shape_sizes.h"

enum { SWITCHES = 4096 };

struct search {
	const struct part *part;
	uint32_t places;
	struct sizes now, *found;
	uint32_t count, most;
};

/*
 * Returns whether the number of links is near that of the shape: some links may be missing or surplus, and those of missing switches are
 * missing.
 */
static bool near(const struct search *s)
{
	uint64_t wanted = 0, links = s->part->links, allowed = deviations_allowed(s->part);
	for (uint32_t k = 0; k < s->now.dimensions; k++)
		wanted += s->places - s->places / s->now.length[k];
	return links <= wanted + allowed && wanted <= links + allowed + 2 * s->now.dimensions * (s->places - s->part->switches);
}

/* Adds lengths for the last dimensions, whose product is rest. */
static void add_dimension(struct search *s, uint32_t rest, uint32_t dimensions)
{
	uint32_t *length = &s->now.length[s->now.dimensions - dimensions];
	if (dimensions == 1) {
		*length = rest;
		if (rest > 1 && s->count < s->most && near(s))
			s->found[s->count++] = s->now;
		return;
	}
	for (*length = 2; *length <= rest / 2; ++*length)
		if (rest % *length == 0)
			add_dimension(s, rest / *length, dimensions - 1);
}

uint32_t mesh_sizes(const struct part *part, struct sizes *sizes, uint32_t most)
{
	struct search s = {.part = part, .found = sizes, .most = most};
	if (part->switches > SWITCHES)
		return 0;
	for (s.places = part->switches; s.places <= part->switches + missing_allowed(part); s.places++)
		for (s.now.dimensions = 2; s.now.dimensions <= 3; s.now.dimensions++)
			add_dimension(&s, s.places, s.now.dimensions);
	return s.count;
}
