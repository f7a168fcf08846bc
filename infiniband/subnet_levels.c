#include "infiniband/subnet_levels.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct subnet_levels *create(struct error *error)
{
	struct subnet_levels *levels = array_create(1, sizeof *levels, error);
	if (levels)
		memset(levels->of_lid, 0xff, sizeof levels->of_lid);
	return levels;
}

/* Gives the sources a row of their own, a copy of the one that the first of them has. Returns it, NONE if out of memory. */
static uint32_t add_row(struct subnet_levels *l, const uint16_t *source, uint32_t sources, struct error *error)
{
	uint32_t old = l->of_lid[*source];
	if (array_grow(&l->row, &l->capacity, (size_t)l->rows + 1, sizeof *l->row, error))
		return NONE;
	struct subnet_level_row row = {.size = old == NONE ? 0 : l->row[old].size, .sources = sources};
	row.level = array_create(row.size, 1, error);
	if (error->status)
		return NONE;
	if (row.size)
		memcpy(row.level, l->row[old].level, row.size);
	l->row[l->rows] = row;
	for (uint32_t i = 0; i < sources; i++) {
		if (old != NONE)
			l->row[old].sources--;
		l->of_lid[source[i]] = l->rows;
	}
	return l->rows++;
}

static int set(struct subnet_level_row *row, unsigned destination, unsigned level, struct error *error)
{
	size_t before = row->size;
	if (destination >= before) {
		if (array_grow(&row->level, &row->size, (size_t)destination + 1, 1, error))
			return -1;
		memset(row->level + before, LEVEL_UNKNOWN, row->size - before);
	}
	row->level[destination] = (uint8_t)level;
	return 0;
}

int subnet_level_set(
	struct subnet *subnet, const uint16_t *source, uint32_t sources, unsigned destination, unsigned level, struct error *error)
{
	struct subnet_levels *l = subnet->levels ? subnet->levels : (subnet->levels = create(error));
	for (uint32_t from = 0, to; l && from < sources; from = to) { /* sources that share a row, next to one another */
		uint32_t row = l->of_lid[source[from]];
		for (to = from + 1; to < sources && l->of_lid[source[to]] == row; to++)
			;
		if (row == NONE || l->row[row].sources != to - from)
			row = add_row(l, source + from, to - from, error);
		if (row == NONE || set(&l->row[row], destination, level, error))
			return -1;
	}
	return l ? 0 : -1;
}

void subnet_levels_free(struct subnet_levels *levels)
{
	if (!levels)
		return;
	for (uint32_t r = 0; r < levels->rows; r++)
		free(levels->row[r].level);
	free(levels->row);
	free(levels);
}
