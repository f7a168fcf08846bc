#include "fabric/dimensions.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>

/* Reads the structure of the specification. Returns whether it is a grid of the fabric's size. */
static bool read_structure(const struct fabric *f, const char *spec, struct topology_structure *structure)
{
	struct error none = {0}; /* the topology may not exist */
	struct topology *t = spec ? topology_create(spec, &none) : NULL;
	if (!t)
		return false;
	topology_structure(t, structure);
	bool grid =
		(structure->form == STRUCTURE_GRID || structure->form == STRUCTURE_FULL) && structure->dimensions <= GRID_DIMENSIONS_MAX;
	bool same = t->hosts == f->hosts && t->switches == f->nodes - f->hosts &&
		    f->hosts == (uint64_t)structure->blocks * structure->hosts &&
		    f->nodes - f->hosts == (uint64_t)structure->blocks * structure->switches;
	topology_free(t);
	return grid && same;
}

static void place_nodes(struct dimensions *d, const struct fabric *f, const struct topology_structure *structure)
{
	uint32_t switches = 0;
	for (uint32_t v = 0; v < f->nodes; v++)
		d->block[v] = f->node_host[v] == NONE ? switches++ / structure->switches : f->node_host[v] / structure->hosts;
}

/* Returns the way from one coordinate to another one; NO_WAY: they are not joined. */
static unsigned way_between(const struct topology_structure *structure, unsigned dimension, uint32_t from, uint32_t to)
{
	const struct structure_dimension *s = &structure->dimension[dimension];
	bool up = to > from, round = structure_goes_round(s);
	if (structure->form == STRUCTURE_GRID) {
		bool ahead = to == (from + 1) % s->width && (to > from || round);
		bool behind = from == (to + 1) % s->width && (from > to || round) && !s->one_way;
		if (!ahead && !behind)
			return NO_WAY;
		up = ahead;
	}
	return 2 * dimension + up;
}

/* Finds the ways of the channels. Returns whether all channels between blocks have one. */
static bool place_channels(struct dimensions *d, const struct fabric *f, const struct topology_structure *structure)
{
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t from = d->block[v], to = d->block[f->head[c]], differ = 0;
			unsigned way = NO_WAY;
			for (unsigned i = 0; i < d->count && from != to; i++) {
				uint32_t a = dimensions_coordinate(d, from, i), b = dimensions_coordinate(d, to, i);
				way = a != b ? way_between(structure, i, a, b) : way;
				differ += a != b;
			}
			if (from != to && (differ != 1 || way == NO_WAY))
				return false;
			d->way[c] = (uint8_t)way;
		}
	return true;
}

int dimensions_make(struct dimensions *d, const struct fabric *fabric, const char *spec, struct error *error)
{
	struct topology_structure structure;
	*d = (struct dimensions){0};
	if (!read_structure(fabric, spec, &structure))
		return 0;
	d->block = array_create(fabric->nodes, sizeof *d->block, error);
	d->way = array_create(fabric->channels, sizeof *d->way, error);
	if (error->status)
		return -1;
	d->count = structure.dimensions;
	d->blocks = structure.blocks;
	for (unsigned i = 0; i < d->count; i++)
		d->width[i] = structure.dimension[i].width;
	place_nodes(d, fabric, &structure);
	if (!place_channels(d, fabric, &structure))
		d->count = 0;
	return 0;
}

void dimensions_clear(struct dimensions *d)
{
	free(d->block);
	free(d->way);
	*d = (struct dimensions){0};
}

uint32_t dimensions_coordinate(const struct dimensions *d, uint32_t block, unsigned dimension)
{
	for (unsigned i = 0; i < dimension; i++)
		block /= d->width[i];
	return block % d->width[dimension];
}
