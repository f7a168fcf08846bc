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

static int set(struct subnet_level_row *row, const struct lid_list *destination, unsigned level, struct error *error)
{
	for (uint32_t i = 0; i < destination->count; i++) {
		size_t before = row->size;
		unsigned lid = destination->lid[i];
		if (lid >= before) {
			if (array_grow(&row->level, &row->size, (size_t)lid + 1, 1, error))
				return -1;
			memset(row->level + before, LEVEL_UNKNOWN, row->size - before);
		}
		row->level[lid] = (uint8_t)level;
	}
	return 0;
}

int subnet_levels_set(
	struct subnet *subnet, const struct lid_list *source, const struct lid_list *destination, unsigned level, struct error *error)
{
	struct subnet_levels *l = subnet->levels ? subnet->levels : (subnet->levels = create(error));
	for (uint32_t from = 0, to; l && from < source->count; from = to) { /* sources that share a row, next to one another */
		uint32_t row = l->of_lid[source->lid[from]];
		for (to = from + 1; to < source->count && l->of_lid[source->lid[to]] == row; to++)
			;
		if (row == NONE || l->row[row].sources != to - from)
			row = add_row(l, source->lid + from, to - from, error);
		if (row == NONE || set(&l->row[row], destination, level, error))
			return -1;
	}
	return l ? 0 : -1;
}

/* ---- writing */

/* Writes LIDs in ascending order as "1-4,6". */
static void write_lids(const uint16_t *lid, uint32_t count, FILE *file)
{
	for (uint32_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && lid[to] == lid[to - 1] + 1; to++)
			;
		fprintf(file, "%s%u", from ? "," : "", lid[from]);
		if (to - from > 1)
			fprintf(file, "-%u", lid[to - 1]);
	}
}

/* Writes the levels of sources that share a row. */
static void write_row(const struct subnet *subnet, const uint16_t *source, uint32_t sources, const uint16_t *lid, uint32_t lids,
	uint16_t *chosen, FILE *file)
{
	for (unsigned level = 0; level < SERVICE_LEVELS; level++) {
		uint32_t count = 0;
		for (uint32_t i = 0; i < lids; i++)
			if ((sources > 1 || lid[i] != *source) && (subnet->levels ? subnet_level(subnet, *source, lid[i]) : 0) == level)
				chosen[count++] = lid[i];
		if (!count)
			continue;
		write_lids(source, sources, file);
		putc(' ', file);
		write_lids(chosen, count, file);
		fprintf(file, " %u\n", level);
	}
}

/* Lists the LIDs of hosts and routers in ascending order. Returns their number. */
static uint32_t list_lids(const struct subnet *subnet, bool *taken, uint16_t *lid)
{
	uint32_t lids = 0;
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		for (unsigned i = 0; port->lid && subnet->node[port->node].kind != NODE_SWITCH && i < 1U << port->lmc; i++)
			if (port->lid + i <= LID_LAST)
				taken[port->lid + i] = true;
	}
	for (unsigned i = 1; i <= LID_LAST; i++) {
		if (taken[i])
			lid[lids++] = (uint16_t)i;
		taken[i] = false;
	}
	return lids;
}

int subnet_levels_write(const struct subnet *subnet, FILE *file, struct error *error)
{
	bool *done = array_create(LID_LAST + 1, sizeof *done, error);
	uint16_t *lid = array_create(LID_LAST + 1, sizeof *lid, error), *source = array_create(LID_LAST + 1, sizeof *source, error),
		 *chosen = array_create(LID_LAST + 1, sizeof *chosen, error);
	uint32_t lids = error->status ? 0 : list_lids(subnet, done, lid);
	fputs("# slid dlid sl\n", file);
	for (uint32_t s = 0; s < lids; s++) {
		const struct subnet_levels *l = subnet->levels;
		uint32_t sources = 0;
		for (uint32_t i = done[lid[s]] ? lids : s; i < lids; i++)
			if (!l || l->of_lid[lid[i]] == l->of_lid[lid[s]]) {
				done[lid[i]] = true;
				source[sources++] = lid[i];
			}
		if (sources)
			write_row(subnet, source, sources, lid, lids, chosen, file);
	}
	free(done);
	free(lid);
	free(source);
	free(chosen);
	return error->status ? -1 : 0;
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
