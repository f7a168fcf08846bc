#include "patterns/pairs/rank_grid.h"

#include "base/memory.h"
#include "fabric/fabric.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Returns the points of the stencil whose neighbours differ in at most so many dimensions: the sum of C(dimensions, j) 2^j up to that. */
static uint64_t points_of(unsigned dimensions, unsigned most)
{
	uint64_t points = 1, choices = 1;
	for (unsigned j = 1; j <= most; j++) {
		choices = choices * (dimensions - j + 1) / j;
		points += choices << j;
	}
	return points;
}

static int refuse_points(const struct pattern_call *call, const struct rank_grid *grid, int64_t points, struct error *error)
{
	char list[200];
	int used = 0;
	for (unsigned most = 1; most <= grid->dimensions; most++)
		used += snprintf(list + used, sizeof list - (size_t)used, "%s%" PRIu64,
			most == 1                  ? ""
			: most == grid->dimensions ? " or "
						   : ", ",
			points_of(grid->dimensions, most));
	return error_set(error, STATUS_USAGE, "pattern '%s': points is %" PRId64 ", but stencils in %u dimension%s have %s points",
		call->pattern->name, points, grid->dimensions, grid->dimensions == 1 ? "" : "s", list);
}

/* Sets grid->most. Returns 0, or -1. */
static int read_points(struct rank_grid *grid, const struct pattern_call *call, unsigned usual, struct error *error)
{
	int64_t points = call->args.value[2].integer;
	grid->most = usual < grid->dimensions ? usual : grid->dimensions;
	for (unsigned most = 1; points && most <= grid->dimensions; most++)
		if (points_of(grid->dimensions, most) == (uint64_t)points) {
			grid->most = most;
			return 0;
		}
	return points ? refuse_points(call, grid, points, error) : 0;
}

int rank_grid_make(struct pattern_call *call, unsigned usual, struct error *error)
{
	const struct arg_value *value = call->args.value;
	struct rank_grid *grid = call->data = array_create(1, sizeof *grid, error);
	int64_t cells = 1;
	if (!grid)
		return -1;
	*grid = (struct rank_grid){.dimensions = value[0].dimensions, .torus = value[1].integer};
	for (unsigned i = 0; i < grid->dimensions; i++) {
		grid->length[i] = (uint32_t)value[0].dimension[i];
		cells = cells > UINT32_MAX / grid->length[i] ? INT64_C(1) << 32 : cells * grid->length[i]; /* 2^32: too many */
	}
	if (read_points(grid, call, usual, error))
		return -1;
	if (cells == call->ranks)
		return 0;
	return error_set(error, STATUS_USAGE, "pattern '%s': the grid has %" PRId64 " cells, but there are %" PRIu32 " ranks",
		call->pattern->name, cells, call->ranks);
}

void rank_grid_free(struct pattern_call *call)
{
	free(call->data);
}

/* Returns the place of the next multiple of the stride, up or down; NONE: there is none, or (up) it is the lower neighbour, too. */
static uint32_t next_place(const struct rank_grid *grid, uint32_t length, uint32_t place, uint32_t stride, bool up)
{
	uint32_t last = (length - 1) / stride * stride;
	if (up ? place < last : place > 0)
		return up ? place + stride : place - stride;
	if (!grid->torus || last <= stride) /* of two on a ring each has one neighbour */
		return NONE;
	return up ? 0 : last;
}

/* Emits messages to the ranks that differ from this neighbour in up to left dimensions from the given one on. */
static void reach(
	const struct rank_grid *grid, uint32_t rank, uint32_t neighbour, unsigned from, unsigned left, uint32_t stride, struct sink *sink)
{
	uint64_t step = 1;
	for (unsigned i = 0; i < grid->dimensions; i++) {
		uint32_t length = grid->length[i], place = (uint32_t)(neighbour / step % length);
		for (int up = 0; i >= from && up < 2; up++) {
			uint32_t next = next_place(grid, length, place, stride, up);
			if (next == NONE)
				continue;
			uint32_t other = (uint32_t)(neighbour - place * step + next * step);
			emit(sink, rank, other);
			if (left > 1)
				reach(grid, rank, other, i + 1, left - 1, stride, sink);
		}
		step *= length;
	}
}

void rank_grid_emit(const struct rank_grid *grid, uint32_t rank, uint32_t stride, struct sink *sink)
{
	reach(grid, rank, rank, 0, grid->most, stride, sink);
}
