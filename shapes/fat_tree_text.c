#include "shapes/fat_tree_text.h"

#include <inttypes.h>

static const char *plural(uint64_t count, const char *one, const char *several)
{
	return count == 1 ? one : several;
}

/* Returns the number of misfits on level 0. */
static uint32_t misfit_leaves(const struct fat_tree *t)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < t->misfits; i++)
		count += !t->level[t->misfit[i].node];
	return count;
}

static void write_misfits(FILE *file, const struct fat_tree *t)
{
	uint32_t leaves = misfit_leaves(t), others = t->misfits - leaves;
	if (leaves)
		fprintf(file, "; %" PRIu32 " %s", leaves, plural(leaves, "leaf", "leaves"));
	if (others)
		fprintf(file, "%s%" PRIu32 " switch%s", leaves ? " and " : "; ", others, plural(others, "", "es"));
	if (t->misfits)
		fprintf(file, " do%s not fit", plural(t->misfits, "es", ""));
}

void fat_tree_write(FILE *file, const struct fat_tree *tree, uint32_t rails)
{
	const struct fat_tree *t = tree;
	fprintf(file, "fat tree of %" PRIu32 " levels", t->levels);
	if (rails > 1)
		fprintf(file, ", %" PRIu32 " rails", rails);
	for (uint32_t l = 0; l < t->levels; l++)
		fprintf(file, "%s%" PRIu32, !l ? ": " : l + 1 < t->levels ? ", " : " and ", t->size[l]);
	fputs(" switches", file);
	write_misfits(file, t);
	if (t->missing_switches)
		fprintf(file, "; %" PRIu32 " switch%s missing", t->missing_switches, plural(t->missing_switches, "", "es"));
	if (t->missing)
		fprintf(file, "; %" PRIu32 " cable%s missing", t->missing, plural(t->missing, "", "s"));
	if (t->surplus)
		fprintf(file, "%s%" PRIu32 "%s surplus", t->missing ? ", " : "; ", t->surplus,
			t->missing ? "" : plural(t->surplus, " cable", " cables"));
}
