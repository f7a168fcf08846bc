/*
 * A V-cycle of geometric multigrid on a grid of ranks, one cell each on the finest of its levels (CODES paper, section 3.2, and the
 * multigrid benchmark of the xSim paper). Grid k has the ranks whose places are multiples of 2^k: neighbours on it are 2^k apart. Down: on
 * each grid all exchange with their neighbours, then those that the next grid lacks send to the rank at their places rounded down to it.
 * Up: the same in the opposite order and direction. The coarsest grid is rank 0 alone.
 */
#include "patterns/pairs/rank_grid.h"

static const struct arg multigrid_args[] = {
	RANK_GRID_ARGS("all neighbours: 27 in three dimensions"),
	{.type = ARG_END},
};

static int multigrid_setup(struct pattern_call *call, struct error *error)
{
	return rank_grid_make(call, DIMENSIONS_MAX, error);
}

/* Two levels on each grid but the coarsest, down and up. */
static uint64_t multigrid_levels(const struct pattern_call *call)
{
	const struct rank_grid *grid = call->data;
	uint64_t grids = 0;
	for (unsigned i = 0; i < grid->dimensions; i++)
		while (UINT64_C(1) << grids < grid->length[i])
			grids++;
	return 4 * grids;
}

/* Returns the rank whose places are those of the rank rounded down to multiples of the stride. */
static uint32_t round_down(const struct rank_grid *grid, uint32_t rank, uint64_t stride)
{
	uint64_t step = 1, result = 0;
	for (unsigned i = 0; i < grid->dimensions; i++) {
		uint64_t place = rank / step % grid->length[i];
		result += place / stride * stride * step;
		step *= grid->length[i];
	}
	return (uint32_t)result;
}

static void multigrid_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	const struct rank_grid *grid = call->data;
	uint64_t levels = multigrid_levels(call), from_end = levels - 1 - level, number = level < from_end ? level : from_end;
	uint64_t stride = UINT64_C(1) << number / 2;
	for (uint32_t rank = 0; rank < call->ranks; rank++) {
		uint32_t coarse = round_down(grid, rank, 2 * stride);
		if (round_down(grid, rank, stride) != rank)
			continue;
		if (number % 2 == 0)
			rank_grid_emit(grid, rank, (uint32_t)stride, sink);
		else if (level < from_end)
			emit(sink, rank, coarse);
		else
			emit(sink, coarse, rank);
	}
}

const struct pattern pattern_multigrid = {
	.name = "multigrid",
	.summary = "a V-cycle: neighbours on a grid at strides 1, 2, 4, .., each grid to the next coarser one, then back",
	.source = "CODES paper 3.2",
	.args = multigrid_args,
	.passes_on = true,
	.setup = multigrid_setup,
	.cleanup = rank_grid_free,
	.levels = multigrid_levels,
	.level = multigrid_level,
};
