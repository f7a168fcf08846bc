/* Nearest neighbours on a grid of ranks, the first dimension varying fastest; with torus the grid wraps. */
#include "patterns/pairs/rank_grid.h"

static const struct arg stencil_args[] = {
	RANK_GRID_ARGS("one dimension: 7 in three"),
	{.type = ARG_END},
};

static int stencil_setup(struct pattern_call *call, struct error *error)
{
	return rank_grid_make(call, 1, error);
}

static void stencil_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	for (uint32_t rank = 0; rank < call->ranks; rank++)
		rank_grid_emit(call->data, rank, 1, sink);
}

const struct pattern pattern_stencil = {
	.name = "stencil",
	.summary = "every rank to its nearest neighbours on a grid, all at once",
	.source = "halo exchange of grid codes",
	.args = stencil_args,
	.setup = stencil_setup,
	.cleanup = rank_grid_free,
	.level = stencil_level,
};
