/* Nearest neighbours on a grid of ranks, the first dimension varying fastest; with torus the grid wraps. */
#include "patterns/pairs.h"

#include <inttypes.h>

static const struct arg stencil_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX - 1, "lengths of the grid; their product is the number of ranks"},
	{"torus", ARG_FLAG, NULL, 0, 0, "wrap round"},
	{.type = ARG_END},
};

static int stencil_setup(struct pattern_call *call, struct error *error)
{
	const struct arg_value *grid = &call->args.value[0];
	int64_t cells = 1;
	for (unsigned i = 0; i < grid->dimensions; i++)
		cells = cells > UINT32_MAX / grid->dimension[i] ? INT64_C(1) << 32 : cells * grid->dimension[i]; /* 2^32: too many */
	if (cells == call->ranks)
		return 0;
	return error_set(error, STATUS_USAGE, "pattern 'stencil': the grid has %" PRId64 " cells, but there are %" PRIu32 " ranks", cells,
		call->ranks);
}

/*
 * Emits the messages to the neighbours in one dimension: lower, then upper. If both are the same (a torus of length 2) there is one
 * neighbour.
 */
static void stencil_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	const struct arg_value *grid = &call->args.value[0];
	bool torus = call->args.value[1].integer;
	for (uint32_t rank = 0; rank < call->ranks; rank++) {
		uint32_t stride = 1;
		for (unsigned i = 0; i < grid->dimensions; i++) {
			uint32_t length = (uint32_t)grid->dimension[i], place = rank / stride % length;
			uint32_t around = (length - 1) * stride;
			if (place > 0)
				emit(sink, rank, rank - stride);
			else if (torus && length > 2)
				emit(sink, rank, rank + around);
			if (place + 1 < length)
				emit(sink, rank, rank + stride);
			else if (torus && length > 2)
				emit(sink, rank, rank - around);
			stride *= length;
		}
	}
}

const struct pattern pattern_stencil = {
	.name = "stencil",
	.summary = "every rank to its nearest neighbours on a grid, all at once",
	.source = "halo exchange of grid codes",
	.args = stencil_args,
	.setup = stencil_setup,
	.level = stencil_level,
};
