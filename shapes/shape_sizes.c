#include "shapes/shape_sizes.h"

enum { SWITCHES = 4096 };

struct search {
	const struct part *part;
	uint32_t places;
	struct sizes now, *found;
	uint32_t count, most;
};

/* Whether the switches may have so many links: some may be missing or too many, and those of the missing switches are. */
static bool near(const struct search *s)
{
	uint64_t wanted = 0, links = s->part->links, allowed = deviations_allowed(s->part);
	for (uint32_t k = 0; k < s->now.dimensions; k++)
		wanted += s->places - s->places / s->now.length[k];
	return links <= wanted + allowed && wanted <= links + allowed + 2 * s->now.dimensions * (s->places - s->part->switches);
}

/* The last dimensions have rest places together. */
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
