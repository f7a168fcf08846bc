#include "scheduling/allocation.h"

/* Returns the leaf with the fewest free hosts that are enough, the lowest of several; NONE: no leaf has enough. */
static uint32_t best_leaf(const struct machine *machine, uint32_t tasks)
{
	uint32_t best = NONE;
	for (uint32_t l = 0; l < machine->leaves; l++)
		if (machine->free[l] >= tasks && (best == NONE || machine->free[l] < machine->free[best]))
			best = l;
	return best;
}

/* Takes all of the leaves with most free hosts, in turn, until one of the others holds the rest. */
static void choose(struct machine *machine, uint32_t tasks, struct random *random, uint32_t *chosen)
{
	uint32_t most = 0, i = 0, leaf;
	(void)random;
	for (uint32_t l = 0; l < machine->leaves; l++)
		most = machine->free[l] > most ? machine->free[l] : most;
	for (; (leaf = best_leaf(machine, tasks - i)) == NONE; most--)
		for (uint32_t l = 0; l < machine->leaves && tasks - i > most; l++)
			if (machine->free[l] == most) {
				take_of_leaf(machine, l, most, chosen + i);
				i += most;
			}
	take_of_leaf(machine, leaf, tasks - i, chosen + i);
}

const struct allocation allocation_leaf = {
	.name = "leaf",
	.summary = "the fullest leaf that has enough free hosts, otherwise all of the emptiest, and so on: as few leaves as possible",
	.choose = choose,
};
